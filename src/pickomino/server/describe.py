"""Events and entries as clients see them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, Literal, cast, get_args

from pickomino.play import (
    CameBack,
    Change,
    DiceFell,
    Entry,
    MoveMade,
    Replaced,
    Resigned,
    Result,
    TimedOut,
)
from pickomino.rules import SEATS
from pickomino.rules.events import Event, GameOver
from pickomino.server.shapes import EntryInfo, EventInfo, Maker, ResultInfo

__all__ = ["describe_entry", "describe_event", "describe_result"]

_KINDS: Final[dict[type[Change], Literal["timeout", "resign", "back"]]] = {
    TimedOut: "timeout",
    Resigned: "resign",
    CameBack: "back",
}
_SEATS: Final = frozenset({"seat", "victim", "giver"})


def _shape(kind: type[Any]) -> tuple[str, tuple[tuple[str, bool], ...]]:
    """An event's name, and its fields with whether each is a seat."""
    name = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in kind.__name__)[1:]
    return name, tuple((field.name, field.name in _SEATS) for field in fields(kind))


_SHAPES: Final = {kind: _shape(kind) for kind in get_args(Event)}


def describe_event(event: Event) -> EventInfo:
    """``{"event": "took", "seat": "A", "tile": 24}``"""
    if isinstance(event, GameOver):
        outcome = event.outcome
        return {
            "event": "game_over",
            "winners": [SEATS[seat] for seat in outcome.winners],
            "scores": outcome.scores,
            "ranks": outcome.ranks,
            "reason": outcome.reason,
        }
    name, shape = _SHAPES[type(event)]
    shown: dict[str, Any] = {"event": name}
    for field, is_seat in shape:
        value = getattr(event, field)
        shown[field] = SEATS[value] if is_seat and value is not None else value
    return cast("EventInfo", shown)


def describe_entry(seq: int, entry: Entry, seat: int, by: Maker | None, proof: str | None) -> EntryInfo:
    """`seat` is whose turn it was: dice do not say."""
    letter = SEATS[seat]
    match entry:
        case MoveMade(_, move):
            return EntryInfo(seq, "move", letter, move=str(move), by=by)
        case DiceFell(roll):
            k, value, nonce = (proof or "0 - -").split(" ")[:3]
            return EntryInfo(seq, "dice", letter, dice=roll.dice, k=int(k), value=value, nonce=nonce)
        case Replaced(_, bot):
            return EntryInfo(seq, "replaced", letter, bot=bot)
        case _:
            return EntryInfo(seq, _KINDS[type(entry)], letter)


def describe_result(result: Result, steals: list[int], busts: list[int]) -> ResultInfo:
    return ResultInfo(
        winners=[SEATS[seat] for seat in result.winners],
        scores=list(result.scores),
        ranks=list(result.ranks),
        reason=result.reason,
        steals=list(steals),
        busts=list(busts),
    )
