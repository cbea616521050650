"""Games as records, with what it takes to check their dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pickomino.chance import (
    CheckableRoll,
    FirstRoll,
    GuestTip,
    JointDice,
    VoidRoll,
    add_dice,
)
from pickomino.notation import Record
from pickomino.play import DiceFell, FirstFell, RollAsked, RollVoided, TipGiven, parse_entry
from pickomino.rules import SEATS
from pickomino.server.live import LiveGame
from pickomino.server.marks import marks_of
from pickomino.server.storage.base import DELETED, EntryRow, GameRow


def record_of(row: GameRow, rows: Iterable[EntryRow], why: str = "") -> str:
    """A game as a record, with what it takes to check its dice; `why` it was broken off, if it was."""
    rows = list(rows)
    live = LiveGame(row, rows, whole=True)
    headers = {}
    resigned = sorted(live.match.resigned)
    if resigned:
        headers["Termination"] = "resigned: " + " ".join(SEATS[seat] for seat in resigned)
    elif not live.match.over:
        headers["Termination"] = f"abandoned: {why}" if why else "abandoned"
    names = tuple(player.name for player in row.players)
    record = Record(live.match.game, names, headers, marks_of(live.match.game, live.made_for_persons()))
    rolls, joint = _dice(row, rows)
    gone = [seat for seat, player in enumerate(row.players) if player.deleted]
    return str(without_names(add_dice(record, live.chain, rolls, joint if row.joint else None), gone))


def _dice(row: GameRow, rows: list[EntryRow]) -> tuple[list[CheckableRoll], JointDice]:
    rolls: list[CheckableRoll] = []
    tips: list[GuestTip] = []
    voids: list[VoidRoll] = []
    first: FirstRoll | None = None
    coming = 0 if row.undecided else 1  # the number of the next roll
    for stored in rows:
        entry = parse_entry(stored.entry)
        k, value, mixed = (stored.proof or "0 - -").split(" ", 2)
        match entry:
            case DiceFell(roll):
                rolls.append(CheckableRoll(roll, value, mixed, int(k)))
            case FirstFell():
                first = FirstRoll(int(k), value, mixed)
            case TipGiven(_, seats, tip):
                tips.append(GuestTip(seats, tip, coming))
            case RollAsked(number):
                coming = number + 1
            case RollVoided(number, missing):
                voids.append(VoidRoll(number, "".join(SEATS[seat] for seat in missing)))
        if stored.proof is not None:
            coming = int(k) + 1
    return rolls, JointDice(tips, voids, first)


def without_names(record: Record, seats: Iterable[int]) -> Record:
    """The record of a game some of whose people have been deleted. Its tip is bound to the names, and says so little
    without them that the header explains to `verify`."""
    gone = sorted({*seats, *map(SEATS.index, record.headers.get("Removed", ""))})
    if not gone:
        return record
    names = tuple(DELETED if seat in gone else name for seat, name in enumerate(record.names))
    headers = record.headers | {"Removed": "".join(SEATS[seat] for seat in gone)}
    return replace(record, names=names, headers=headers)
