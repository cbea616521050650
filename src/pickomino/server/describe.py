"""Events and entries as clients see them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, Literal, cast, get_args

from pickomino.chance import parse_mix
from pickomino.play import (
    CameBack,
    CameIn,
    DiceFell,
    Entry,
    FirstFell,
    MoveMade,
    Replaced,
    Resigned,
    Result,
    RollAsked,
    RollVoided,
    TimedOut,
    TipGiven,
)
from pickomino.protocol.shapes import EntryInfo, EventInfo, Maker, ResultInfo
from pickomino.rules import SEATS
from pickomino.rules.events import Event, GameOver

_KINDS: Final[dict[type[Entry], Literal["timeout", "resign", "back", "in"]]] = {
    TimedOut: "timeout",
    Resigned: "resign",
    CameBack: "back",
    CameIn: "in",
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


def describe_entry(
    seq: int, entry: Entry, seat: int | None, by: Maker | None, proof: str | None
) -> EntryInfo:
    """`seat` is whose turn it was: dice do not say. None before it is known who starts."""
    letter = None if seat is None else SEATS[seat]
    match entry:
        case MoveMade(_, move):
            return EntryInfo(seq, "move", letter, move=str(move), by=by)
        case DiceFell(roll):
            return EntryInfo(seq, "dice", letter, dice=roll.dice, **_proof(proof))
        case FirstFell():
            return EntryInfo(seq, "first", letter, **_proof(proof))
        case Replaced(_, bot):
            return EntryInfo(seq, "replaced", letter, bot=bot)
        case TipGiven(_, _, tip):
            return EntryInfo(seq, "tip", letter, tip=tip)
        case RollAsked(k, seats, nonce):
            return EntryInfo(seq, "ask", letter, k=k, seats=[SEATS[guest] for guest in seats], nonce=nonce)
        case RollVoided(k, seats):
            return EntryInfo(seq, "void", letter, k=k, seats=[SEATS[guest] for guest in seats])
        case _:
            return EntryInfo(seq, _KINDS[type(entry)], letter)


def _proof(text: str | None) -> dict[str, Any]:
    """What a roll fell from; a game that has become a record has none of it."""
    k, value, mixed = (text or "0 - -").split(" ", 2)
    values, nonce = ({}, mixed) if text is None else parse_mix(mixed)
    return {"k": int(k), "value": value, "nonce": nonce, "values": values or None}


def describe_result(result: Result, steals: list[int], busts: list[int]) -> ResultInfo:
    return ResultInfo(
        winners=[SEATS[seat] for seat in result.winners],
        scores=list(result.scores),
        ranks=list(result.ranks),
        reason=result.reason,
        steals=list(steals),
        busts=list(busts),
    )
