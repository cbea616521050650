"""Verify the dice of game records: recompute every roll from the values and nonces in the record."""

from __future__ import annotations

import argparse
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from pickomino.chance import DiceCheck, KeptCheck, KeptValues, Problem, check_dice, compare_kept
from pickomino.cli.common import one_line, open_text, print_json, termination
from pickomino.cli.parsing import CommandError, Parser
from pickomino.locale import local, t, tn
from pickomino.notation import Record, read_records
from pickomino.notation.record import seat_text
from pickomino.rules import SEATS, PickominoError


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Verify the dice of game records: recompute every roll from the values and nonces in the record."),
        t(
            "The exit status is 0 if all records are good, 1 if one is wrong or has no checkable "
            "dice. A record alone cannot show that its tip is the one the table published before "
            "the game, or that its values and nonces are the ones you sent: --kept compares it "
            "with what your client kept, a file that the page lets you save."
        ),
        examples=(
            ("pickomino verify game.pkgn", ""),
            ("pickomino verify --json games.pkgn", t("one JSON object per record and line")),
            ("pickomino verify - < game.pkgn", ""),
            ("pickomino verify --kept kept.json game.pkgn", ""),
        ),
    )
    parser.add_argument("file", metavar="FILE", help=t("a file of records (.pkgn), - for standard input"))
    parser.file("--kept", t("compare with what a client kept of the game"))
    parser.flag("--json", t("one JSON object per record and line"))


def run(args: argparse.Namespace) -> int:
    number, bad = 0, 0
    kept = None
    if args.kept is not None:
        with open_text(args.kept) as text:
            kept = KeptValues.parse("".join(text))

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
    if not number:
        raise CommandError(t("no records: expected at least one game"), 1)
    return 1 if bad else 0


_NOTHING = DiceCheck(problem=Problem("nothing to verify: no header Dice"))


def _unreadable(error: PickominoError) -> DiceCheck:
    return DiceCheck(problem=Problem(error.args[0]))


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
    counts = ("tip", "rolls", "nonces", "bot_nonces", "stand_ins", "hand_overs")
    checked: dict[str, object] = {name: getattr(check, name) for name in counts}
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
        where = {"line": line, "turn": problem.turn, "roll": problem.roll}
        data["problem"] = {**where, "reason": problem.reason}
    return data


def _story(number: int, line: int | None, record: Record | None, check: DiceCheck) -> list[str]:
    if check is _NOTHING:
        return [t("Game {number}: nothing to verify, as it has no header Dice", number=number)]
    if check.problem is not None:
        problem = _problem(check.problem)
        if line is not None:
            problem = t("line {number}: {error}", number=line, error=problem)
        lines = [t("Game {number}: not good. {problem}", number=number, problem=one_line(problem))]
        if check.rolls:
            text = tn("{n} roll before that is good.", "{n} rolls before that are good.", check.rolls)
            lines.append(f"  {text}")
        if record is not None and (removed := record.headers.get("Removed")):
            text = t(
                "The names of {who} were removed on request; the tip is bound to the original names.",
                who=one_line(" ".join(removed)),
            )
            lines.append(f"  {text}")
        return lines
    assert record is not None  # unreadable ones have a problem
    headers = record.headers
    facts = [record.game.start.edition.key, seat_text(record.names), t("table {name}", name=headers["Table"])]
    if not record.game.over:
        why = headers.get("Termination")
        facts.append(t("not finished yet") if why is None else termination(why))
    lines = [one_line(t("Game {number}: good. {facts}", number=number, facts=", ".join(facts)))]
    if not check.tip:
        return [
            *lines,
            f"  {t('No dice have fallen yet; the first roll will show whether the tip is right.')}",
        ]
    rows = [
        (t("tip"), headers["Dice"].split()[1]),
        ("", t("bound to table, edition, seats and start. Is it the one you were shown before the game?")),
        (t("rolls"), t("{n}: each recomputed, each value linked to the one before", n=check.rolls)),
    ]
    rows += _joint_story(record, check) if check.joint else _nonce_story(headers, check)
    if check.hand_overs:
        rows.append((t("chains"), t("{n}, each committed to by the one before", n=check.hand_overs + 1)))
    return [*lines, *_listed(rows)]


def _listed(rows: list[tuple[str, str]]) -> list[str]:
    return [one_line(f"  {name:<7} {text}") for name, text in rows]


def _nonce_story(headers: Mapping[str, str], check: DiceCheck) -> list[tuple[str, str]]:
    sealed = tn(
        "{n} nonce as sealed. Is it yours?", "{n} nonces as sealed. Are yours among them?", check.rolls
    )
    rows = [(t("nonces"), sealed)]
    if "Bots" in headers:
        nonces = tn(
            "{n} nonce, given by the game so far",
            "{n} nonces, all given by the game so far",
            check.bot_nonces,
        )
        rows.append((t("bots"), f"{headers['Bots']}: {nonces}"))
    if check.stand_ins:
        made = tn(
            "{n} roll that the server made for a person",
            "{n} rolls that the server made for people",
            check.stand_ins,
        )
        rows.append((t("others"), made))
    return rows


def _joint_story(record: Record, check: DiceCheck) -> list[tuple[str, str]]:
    """What every seat gave, and what is missing."""
    rows = []
    if check.first:
        rows.append(
            (t("first"), t("{seat}, from the same source as the dice", seat=record.game.start.seat_letter))
        )
    for letter, times in sorted(check.added.items()):
        name = record.names[SEATS.index(letter)]
        values = tn("{n} value of its own chain", "{n} values of its own chain", times)
        rows.append((t("added"), f"{letter} ({name}): {values}"))
    if check.alone:
        alone = tn(
            "{n} roll to which no person contributed",
            "{n} rolls to which no person contributed",
            check.alone,
        )
        rows.append((t("alone"), alone))
    missing = Counter(letter for void in check.voids for letter in void.seats)
    for letter, times in sorted(missing.items()):
        rolls = ", ".join(str(void.k) for void in check.voids if letter in void.seats)
        void = tn(
            "{n} roll because {seat} was missing: {rolls}",
            "{n} rolls because {seat} was missing: {rolls}",
            times,
            seat=letter,
            rolls=rolls,
        )
        rows.append((t("void"), void))
    if check.stand_ins:
        none = tn(
            "{n} roll of a person who contributed nothing to it",
            "{n} rolls of people who contributed nothing to them",
            check.stand_ins,
        )
        rows.append((t("others"), none))
    return [*rows, ("", t("Values and nonces as sealed. Are yours among them?"))]


def _kept_story(compared: KeptCheck | None) -> list[str]:
    if compared is None:
        return []
    given = [t("the tip from before the game")] if compared.tip else []
    given += [
        tn("{n} tip", "{n} tips", compared.tips),
        tn("{n} value", "{n} values", compared.values),
        tn("{n} nonce", "{n} nonces", compared.nonces),
    ]
    rows = [(t("kept"), t("{what} as you sent them", what=", ".join(given)))]
    rows += [(t("NOT"), local(problem)) for problem in compared.problems]
    return _listed([*rows, *((t("unknown"), local(text)) for text in compared.unknown)])


def _problem(problem: Problem) -> str:
    """Where in the game, and what is wrong there."""
    text = local(problem.reason)
    if problem.roll is not None:
        text = t("roll {number}: {error}", number=problem.roll, error=text)
    if problem.turn is not None:
        text = t("turn {number}: {error}", number=problem.turn, error=text)
    return text
