"""Practise with positions from champion games: you choose, and get a grade and an explanation."""

from __future__ import annotations

import argparse
import json
import random
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import platformdirs

from pickomino.analysis.advice import MoveAdvice
from pickomino.analysis.drill import TEN, Answer, Drill, answer, pool, result_line, todays_ten
from pickomino.analysis.judgement import KINDS
from pickomino.analysis.schedule import due, next_card
from pickomino.analysis.words import percent
from pickomino.cli.common import (
    drawn,
    edition_key,
    print_json,
    reason,
    room,
    unicode_out,
    wrapped,
)
from pickomino.cli.parsing import CommandError, Parser
from pickomino.cli.review_text import grade_words
from pickomino.drawing import seat_names
from pickomino.files import replacing
from pickomino.locale import figure, spoken, t, tn
from pickomino.rules import Move
from pickomino.terminal.speech import capital
from pickomino.terminal.words import move_text


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Practise with positions from champion games: you choose, and get a grade and an explanation."),
        t(
            "What you got wrong comes back when you are about to forget it. Progress is kept in "
            "one file on this machine. --ten gives the ten positions that everybody gets today "
            "(UTC), with a line to share; these do not come back."
        ),
        examples=(
            ("pickomino drill", t("ten drills: those that are due, then new ones")),
            ('pickomino drill --theme "wrong face"', ""),
            ("pickomino drill --ten", t("today's ten")),
            ("pickomino drill --export", t("your progress as JSON")),
        ),
    )
    parser.add_argument("--theme", choices=KINDS, help=t("only drills that invite this mistake"))
    parser.add_argument("--edition", metavar="KEY", type=edition_key, help=t("only drills of this edition"))
    parser.number("--count", 1, 1000, t("how many (default: {n})", n=TEN), default=TEN)
    parser.flag("--ten", t("today's ten, the same for everybody"))
    parser.add_argument("--date", metavar="YYYY-MM-DD", type=_date, help=t("the ten of another day"))
    parser.file("--progress", t("where progress is kept (default: in your data folder)"))
    parser.flag(
        "--json",
        '{"key": …, "edition": …, "theme": …, "position": "pkp1 …", "moves": ["k5", …]}; nothing is asked',
    )
    parser.flag("--export", t("print the progress as JSON and stop"))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            t("{text!r}: expected a date, as in 2026-11-16", text=text)
        ) from None


def run(args: argparse.Namespace) -> int:
    path = Path(args.progress) if args.progress else _default_path()
    if args.export:
        print(json.dumps(_load(path)))
        return 0
    if args.ten or args.date:
        day = args.date or datetime.now(UTC).date()
        if args.json:
            return _list(todays_ten(day))
        answers = _ask(todays_ten(day))
        if len(answers) == TEN:
            line = result_line(day, answers)
            print(f"\n{line if unicode_out() else line.translate({0x2212: '-', 0xB7: '.', 0x2713: '+'})}")
        return 0
    cards = _load(path)
    if not args.json:
        next_card(None, "best", datetime.now(UTC))  # what is missing is an error before the first question
    chosen = _choose(pool().some(args.theme, args.edition), cards, args.count)
    if not chosen:
        raise CommandError(t("no such drill: expected another --theme or --edition"), 1)
    if args.json:
        return _list(chosen)
    answers = _ask(chosen, cards, path)
    if answers:
        good, lost = sum(one.good for one in answers), sum(one.cost for one in answers)
        text = t(
            "{good} of {n} best or fine, {lost} points of winning chance given away.",
            good=good,
            n=len(answers),
            lost=lost,
        )
        print(f"\n{text}")
    return 0


def _list(drills: list[Drill]) -> int:
    """For programs: what would be asked, one drill a line."""
    for one in drills:
        moves = [str(move) for move in one.position.moves()]
        about = {"key": one.key, "edition": one.edition, "theme": one.theme}
        print_json(about | {"position": one.text, "moves": moves})
    return 0


def _default_path() -> Path:
    return platformdirs.user_data_path("pickomino", appauthor=False) / "drill.json"


def _load(path: Path) -> dict[str, Any]:
    """Cards by the key of their drill."""
    try:
        cards = json.loads(path.read_text("utf-8"))
        if not isinstance(cards, dict) or not all(isinstance(due(card), datetime) for card in cards.values()):
            raise ValueError
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError):
        raise CommandError(
            "{path!r}: expected the progress that pickomino drill wrote", path=str(path)
        ) from None
    except OSError as error:
        raise CommandError("cannot read {path!r}: {reason}", path=str(path), reason=reason(error)) from None
    return cards


def _save(path: Path, cards: dict[str, Any]) -> None:
    """Whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps(cards, indent=0).encode())
    except OSError as error:
        raise CommandError(
            "cannot write {path!r}: {reason}", 1, path=str(path), reason=reason(error)
        ) from None


def _choose(drills: list[Drill], cards: dict[str, Any], count: int) -> list[Drill]:
    """What is due, the longest first; then what was never seen, in an order of its own for everybody."""
    now = datetime.now(UTC)
    known = sorted((drill for drill in drills if drill.key in cards), key=lambda drill: due(cards[drill.key]))
    fresh = [drill for drill in drills if drill.key not in cards]
    random.shuffle(fresh)
    return [*(drill for drill in known if due(cards[drill.key]) <= now), *fresh][:count]


def _ask(drills: list[Drill], cards: dict[str, Any] | None = None, path: Path | None = None) -> list[Answer]:
    """Ask one after the other; end of input and ``q`` stop. Progress is written after every answer."""
    answers: list[Answer] = []
    for index, drill in enumerate(drills, 1):
        position = drill.position
        names = [
            t("you") if seat == position.seat else name
            for seat, name in enumerate(seat_names(len(position.stacks), None))
        ]
        moves = position.moves()
        print(f"\n{t('{index} of {n}', index=index, n=len(drills))} · {drill.edition}\n")
        print(f"{drawn(position, names)}\n")
        width = max(len(str(move)) for move in moves)
        for place, move in enumerate(moves, 1):
            print(f"  {place}  {move!s:<{width}}  {move_text(position, move, names)}")
        chosen = _read(moves)
        if chosen is None:
            break
        found = answer(drill, chosen, names, spoken())
        answers.append(found)
        print("\n" + "\n".join(_verdict(found)))
        if cards is not None and path is not None:
            now = datetime.now(UTC)
            cards[drill.key] = next_card(cards.get(drill.key), found.grade, now)
            _save(path, cards)
            days = max(round((due(cards[drill.key]) - now).total_seconds() / 86400), 1)
            print(tn("It comes back in {n} day.", "It comes back in {n} days.", days))
    return answers


def _read(moves: tuple[Move, ...]) -> Move | None:
    texts = {str(move): move for move in moves} | {str(place): move for place, move in enumerate(moves, 1)}
    while True:
        print(f"\n{t('What wins most often?')} > ", end="", flush=True)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line or line.strip() in ("q", "quit"):
            print()
            return None
        if line.strip() in texts:
            return texts[line.strip()]
        print(t("expected one of {moves}, its number, or q", moves=", ".join(map(str, moves))))


def _verdict(found: Answer) -> list[str]:
    ranked = found.advice.ranked
    width = max(len(str(one.move)) for one in ranked)
    grade = capital(grade_words(found.grade))
    head = (
        f"{grade}."
        if not found.cost
        else tn("{grade}: −{n} point.", "{grade}: −{n} points.", found.cost, grade=grade)
    )
    lines = [head if unicode_out() else head.replace("−", "-")]
    for one in ranked:
        mark = ">" if one.move == found.decision.played else " "
        lines.append(f"  {mark} {one.move!s:<{width}}  {_chance(found.advice, one.value)}")
    return [*lines, *wrapped(found.sentence, room())]


def _chance(advice: MoveAdvice, value: float) -> str:
    return f"{percent(value):>3} %" if advice.goal == "win" else figure(value, "6.2f")
