"""Checkable dice in game records: values, nonces and what seats added, written behind the rolls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pickomino.chance.checkable import CheckableRoll, DiceChain, seal_nonces
from pickomino.chance.guests import GuestTip
from pickomino.notation import Record, turn_lines
from pickomino.rules import NotationError, Position, Roll

_OURS: Final = re.compile(r"#([0-9]|next\b)")
_HEADERS: Final = ("Dice", "Table", "Bots", "Tips", "First", "Void", "Nonces")


class VoidRoll(NamedTuple):
    """A void roll: some guests' values were missing."""

    k: int
    seats: str  # the guests' letters, BC

    def __str__(self) -> str:
        return f"#{self.k} void {self.seats}"


class FirstRoll(NamedTuple):
    """The roll that decided who starts."""

    k: int
    value: str
    nonce: str  # what `mix` made

    def __str__(self) -> str:
        return f"#{self.k} {self.value} {self.nonce}"


@dataclass(frozen=True, slots=True)
class JointDice:
    """What a game with dice from every seat has besides its rolls."""

    tips: Sequence[GuestTip] = ()
    voids: Sequence[VoidRoll] = ()
    first: FirstRoll | None = None  # None: who starts was agreed


class Fallen(NamedTuple):
    """A roll of a game, and where the record has it."""

    ply: int
    turn: int
    token: int  # as `Record.comments` counts
    roll: Roll


def fallen_rolls(record: Record) -> Iterator[Fallen]:
    plies = record.game.plies
    for line in turn_lines(record.game):
        for token, ply in enumerate(line.origins, 2):
            # A bust shares its ply with the dice that brought it; the dice stand first.
            if ply >= 0 and isinstance(roll := plies[ply], Roll) and line.origins.index(ply) == token - 2:
                yield Fallen(ply, line.number, token, roll)


def start_text(record: Record) -> str:
    """The Position header, empty where a record has none."""
    start = record.game.start
    return "" if start == Position.start(start.edition, len(start.stacks)) else str(start)


def dice_texts(comments: Sequence[str]) -> list[str]:
    """Those that are reserved for the dice."""
    return [text for text in comments if _OURS.match(text)]


def add_dice(
    record: Record, chain: DiceChain, rolls: Sequence[CheckableRoll], joint: JointDice | None = None
) -> Record:
    """The record with its rolls' values and nonces, and the headers that checking needs; `joint` if every seat
    added to the dice."""
    bound = "" if joint is not None and joint.first is not None else start_text(record)
    if (chain.edition, chain.seats, chain.start, chain.joint) != (
        record.game.start.edition.key,
        record.names,
        bound,
        joint is not None,
    ):
        raise NotationError(
            "the tip is bound to {edition}, {seats} and start {start!r}, the record has {key}, {names} "
            "and start {bound!r}",
            edition=chain.edition,
            seats=chain.seats,
            start=chain.start,
            key=record.game.start.edition.key,
            names=record.names,
            bound=bound,
        )
    fallen = list(fallen_rolls(record))
    voids, first = (joint.voids, joint.first) if joint else ((), None)
    story = {void.k: f"void {void.seats}" for void in voids} | {roll.k: roll.nonce for roll in rolls}
    if first is not None:
        story[first.k] = first.nonce
    begin = 0 if 0 in story else 1
    count = len(voids) + len(rolls) + (first is not None)
    in_order = [roll.k for roll in rolls] == sorted(roll.k for roll in rolls)
    if len(rolls) != len(fallen) or not in_order or sorted(story) != list(range(begin, begin + count)):
        raise NotationError(
            "{rolls} checkable rolls for the {fallen} of the record, or out of order",
            rolls=len(rolls),
            fallen=len(fallen),
        )
    headers = {name: value for name, value in record.headers.items() if name not in _HEADERS}
    scheme = "sha256-chains" if joint else "sha256-chain"
    headers |= {"Dice": f"{scheme} {chain.tip}", "Table": chain.table}
    if chain.bots:
        headers["Bots"] = chain.bots
    waiting = sorted(voids, reverse=True)

    def spent(k: int) -> list[str]:
        """The void rolls before roll k."""
        found = []
        while waiting and waiting[-1].k < k:
            found.append(str(waiting.pop()))
        return found

    if joint is not None and joint.tips:
        headers["Tips"] = " ".join(map(str, joint.tips))
    if first is not None:
        headers["First"] = "; ".join([*spent(first.k), str(first)])
    comments = dict(record.comments)
    for place, roll in zip(fallen, rolls, strict=True):
        texts = [*spent(roll.k), f"#{roll.k} {roll.value} {roll.nonce}"]
        if (over := chain.hand_over(roll.k)) is not None:
            texts.append(f"#next {over.tip} {over.seed}")
        key = (place.turn, place.token)
        comments[key] = (*texts, *(text for text in comments.get(key, ()) if not _OURS.match(text)))
    if waiting:
        headers["Void"] = "; ".join(map(str, reversed(waiting)))
    headers["Nonces"] = seal_nonces([story[k] for k in sorted(story)])
    return replace(record, headers=headers, comments=comments)
