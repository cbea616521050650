"""Verify the dice of game records: recompute every roll from the values and nonces that the record holds.

Exit status 0 if all records are good, 1 if one is wrong or has no checkable dice. What a record alone cannot
show: that its tip is the one the table published before the game, and its values and nonces the ones you sent.
--kept compares it with what your client kept; the page offers that file for saving.

examples:
  pickomino verify game.pkgn
  pickomino verify --json games.pkgn                  one JSON object per record and line
  pickomino verify - < game.pkgn
  pickomino verify --kept kept.json game.pkgn
"""

from __future__ import annotations

import argparse
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from pickomino.chance import DiceCheck, Kept, KeptCheck, Problem, check_dice, compare_kept
from pickomino.cli.common import add_json, one_line, open_text, print_json
from pickomino.notation import Record, read_records
from pickomino.notation.record import seat_text
from pickomino.rules import SEATS, PickominoError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of records (.pkgn), - for standard input")
    parser.add_argument("--kept", metavar="FILE", help="compare with what a client kept of the game")
    add_json(parser, "one JSON object per record and line")


def run(args: argparse.Namespace) -> int:
    number, bad = 0, 0
    kept = None
    if args.kept is not None:
        with open_text(args.kept) as text:
            kept = Kept.parse("".join(text))

    def report(record: Record | None, check: DiceCheck) -> None:
        nonlocal number, bad
        number += 1
        compared = compare_kept(record, kept) if kept and record and check.good else None
        bad += not check.good or bool(compared and compared.problems)
        places = places_of.take()
        turn = check.problem.turn if check.problem else None
        line = places[turn or 0] if record else None  # what cannot be read names its line itself
        if args.json:
            print_json(_data(number, line, record, check, compared))
        else:
            print("\n".join([*_story(number, line, record, check), *_kept_story(compared)]))

    with open_text(args.file) as lines:
        places_of = _Places(lines)
        unread = read_records(places_of, lambda error: report(None, _unreadable(error)))
        for record in unread:
            report(record, check_dice(record) if "Dice" in record.headers else _NOTHING)
    if not number and not args.json:
        print("no records, nothing to verify")
    return 1 if bad or not number else 0


_NOTHING = DiceCheck(problem=Problem("nothing to verify: no header Dice"))


def _unreadable(error: PickominoError) -> DiceCheck:
    return DiceCheck(problem=Problem(str(error)))


class _Places:
    """Hands lines on, and remembers for each record its first line and those of its turns."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._records: deque[list[int]] = deque()

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self._lines, 1):
            text = line.strip(" \t\r\n")
            if text.startswith("[PKGN") or (not self._records and text and text[0] != ";"):
                self._records.append([number])
            elif text and text[0] not in "[;":
                self._records[-1].append(number)
            yield line

    def take(self) -> list[int]:
        """The lines of the record read last: [0] where it begins, [n] where turn n stands."""
        return self._records.popleft()


def _data(
    number: int, line: int | None, record: Record | None, check: DiceCheck, compared: KeptCheck | None
) -> dict[str, object]:
    data: dict[str, object] = {"record": number, "good": check.good}
    if record is not None:
        data |= {
            "edition": record.game.start.edition.key,
            "seats": list(record.names),
            "over": record.game.over,
            "termination": record.headers.get("Termination"),
            "table": record.headers.get("Table"),
            "tip": record.headers.get("Dice", "").partition(" ")[2] or None,
        }
    checked: dict[str, object] = {
        "tip": check.tip,
        "rolls": check.rolls,
        "nonces": check.nonces,
        "bot_nonces": check.bot_nonces,
        "stand_ins": check.stand_ins,
        "hand_overs": check.hand_overs,
    }
    if check.joint:
        checked |= {
            "first": check.first,
            "added": dict(check.added),
            "alone": check.alone,
            "void": [{"roll": void.k, "missing": list(void.seats)} for void in check.voids],
        }
    data["checked"] = checked
    if compared is not None:
        data["kept"] = asdict(compared)
    if (problem := check.problem) is not None:
        data["problem"] = {
            "line": line,
            "turn": problem.turn,
            "roll": problem.roll,
            "reason": problem.reason,
        }
    return data


def _story(number: int, line: int | None, record: Record | None, check: DiceCheck) -> list[str]:
    if check is _NOTHING:
        return [f"Game {number}: {check.problem}"]
    if check.problem is not None:
        where = "" if line is None else f"line {line}, " if check.problem.turn else f"line {line}: "
        lines = [f"Game {number}: not good. {one_line(f'{where}{check.problem}')}"]
        if check.rolls:
            lines.append(f"  {_count(check.rolls, 'roll')} before that {_are(check.rolls)} good.")
        if record is not None and (removed := record.headers.get("Removed")):
            who = one_line(" ".join(removed))
            lines.append(
                f"  The names of {who} were removed on request; the tip is bound to the names there were."
            )
        return lines
    assert record is not None  # unreadable ones have a problem
    headers = record.headers
    seats = seat_text(record.names)
    broken_off = headers.get("Termination")
    state = "" if record.game.over else f", {broken_off}" if broken_off else ", not finished yet"
    lines = [
        one_line(
            f"Game {number}: good. {record.game.start.edition.key}, {seats}, table {headers['Table']}{state}"
        )
    ]
    if not check.tip:
        return [*lines, "  No dice fell yet; the first roll will show whether the tip is right."]
    lines += [
        f"  tip     {headers['Dice'].split()[1]}",
        "          bound to table, edition, seats and start. Is it the one you were shown before the game?",
        f"  rolls   {check.rolls}: each recomputed, each value linked to the one before",
    ]
    lines += (
        _joint_story(record, check)
        if check.joint
        else [f"  nonces  {_count(check.rolls, 'nonce')} as sealed. Are yours among them?"]
    )
    if "Bots" in headers and not check.joint:
        lines.append(
            f"  bots    {headers['Bots']}: {_count(check.bot_nonces, 'nonce')}, all given by the game so far"
        )
    if check.stand_ins:
        what = "to which they gave nothing" if check.joint else "made for them by the server"
        lines.append(f"  others  {_count(check.stand_ins, 'roll')} of people {what}")
    if check.hand_overs:
        lines.append(f"  chains  {check.hand_overs + 1}, each committed to by the one before")
    return lines


def _joint_story(record: Record, check: DiceCheck) -> list[str]:
    """What every seat gave, and what is missing."""
    lines = []
    if check.first:
        lines.append(f"  first   {record.game.start.seat_letter}, from the same source as the dice")
    for letter, times in sorted(check.added.items()):
        name = record.names[SEATS.index(letter)]
        lines.append(one_line(f"  added   {letter} ({name}): {_count(times, 'value')} of its own chain"))
    if check.alone:
        lines.append(f"  alone   {_count(check.alone, 'roll')} to which no person gave anything")
    missing = Counter(letter for void in check.voids for letter in void.seats)
    for letter, times in sorted(missing.items()):
        rolls = ", ".join(str(void.k) for void in check.voids if letter in void.seats)
        lines.append(f"  void    {_count(times, 'roll')} for want of {letter}: {rolls}")
    return [*lines, "          Values and nonces as sealed. Are yours among them?"]


def _kept_story(compared: KeptCheck | None) -> list[str]:
    if compared is None:
        return []
    given = f"{_count(compared.tips, 'tip')}, {_count(compared.values, 'value')}, {_count(compared.nonces, 'nonce')}"
    lines = [f"  kept    {'the tip of before the game; ' if compared.tip else ''}{given} as you gave them"]
    lines += [f"  NOT     {one_line(problem)}" for problem in compared.problems]
    return [*lines, *(f"  unknown {one_line(text)}" for text in compared.unknown)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
