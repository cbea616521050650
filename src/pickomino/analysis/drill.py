"""Drills: positions from champion games where the choice matters, and the same ten for everybody on a date."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from pickomino.analysis.advice import MoveAdvice, advise
from pickomino.analysis.annotation import MARKS
from pickomino.analysis.judgement import Grade, Kind, grade
from pickomino.analysis.model import Decision
from pickomino.analysis.sentences import best_sentence, mistake_sentence
from pickomino.analysis.words import Words, shown_cost
from pickomino.bots import make_bot
from pickomino.notation import parse_position
from pickomino.rules import IllegalMoveError, Move, Position

TEN: Final = 10


@dataclass(frozen=True, slots=True)
class Drill:
    """A position to choose a move in, and what kind of mistake it tempts to."""

    text: str
    theme: Kind

    @property
    def position(self) -> Position:
        return parse_position(self.text)

    @property
    def edition(self) -> str:
        return self.text.split()[1]

    @property
    def key(self) -> str:
        """A short name that stays the same in every pool."""
        return sha256(self.text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Pool:
    """All drills of a version of the pool."""

    version: int
    drills: tuple[Drill, ...]

    def some(self, theme: str | None = None, edition: str | None = None) -> list[Drill]:
        """Those of a theme and of an edition."""
        return [
            drill
            for drill in self.drills
            if theme in (None, drill.theme) and edition in (None, drill.edition)
        ]


@cache
def pool() -> Pool:
    """The pool of this package; ``tools/drill_pool.py`` makes it."""
    data = json.loads(Path(__file__).with_name("drill_pool.json").read_text("utf-8"))
    return Pool(data["version"], tuple(Drill(one["position"], one["theme"]) for one in data["drills"]))


@cache
def _by_key() -> dict[str, Drill]:
    return {drill.key: drill for drill in pool().drills}


def find_drill(key: str) -> Drill | None:
    """The drill of that short name."""
    return _by_key().get(key)


def todays_ten(day: date, drills: Pool | None = None) -> list[Drill]:
    """Ten drills drawn without replacement by SHA-256 of the pool's version and the UTC date."""
    found = pool() if drills is None else drills
    left = list(found.drills)
    ten = []
    for number in range(min(TEN, len(left))):
        digest = sha256(f"pickomino ten {found.version} {day.isoformat()} {number}".encode()).digest()
        ten.append(left.pop(int.from_bytes(digest[:8], "big") % len(left)))
    return ten


def bots_on(day: date) -> dict[str, int]:
    """The points that our bots give away on a day's ten."""
    lost, ten = {}, todays_ten(day)
    for name in ("champion", "hard", "medium", "easy"):
        rng = Random(f"{day.isoformat()} {name}")  # who errs at random errs alike for everybody
        bot = make_bot(name)
        answers = [answer(one, bot.choose(one.position, rng), drill_names(one.position)) for one in ten]
        lost[name] = sum(one.cost for one in answers)
    return lost


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a drill: its grade, the points of winning chance it gives away, and why."""

    drill: Drill
    advice: MoveAdvice
    decision: Decision
    grade: Grade
    cost: int
    sentence: str
    words: Words

    @property
    def good(self) -> bool:
        return self.grade in ("best", "fine")


@lru_cache(maxsize=64)  # today's ten, and what somebody practises just now
def _advice(text: str) -> MoveAdvice:
    return advise(parse_position(text))


def answer(drill: Drill, move: Move, names: Sequence[str], language: str = "en") -> Answer:
    """Judge a move in a drill."""
    advice = _advice(drill.text)
    decision = advice.decision
    if decision is None or move not in decision.values:
        raise IllegalMoveError(f"move {str(move)!r} is not legal in {drill.text!r}")
    chosen, words = replace(decision, played=move), Words(names, language, advice.goal)
    found = grade(chosen.error, advice.goal)
    said = best_sentence if found == "best" else mistake_sentence
    cost = int(shown_cost(chosen.values[chosen.best], chosen.values[move])) if advice.goal == "win" else 0
    return Answer(drill, advice, chosen, found, cost, said(chosen, words), words)


def drill_names(position: Position, language: str = "en") -> list[str]:
    """Whom sentences about a drill speak of: you, and the birds of the other seats."""
    words = Words([], language)
    t = words.t
    birds = (t("Hen"), t("Owl"), t("Duck"), t("Crow"), t("Robin"), t("Finch"), t("Wren"))
    return [t("You") if seat == position.seat else birds[seat] for seat in range(len(position.stacks))]


def result_line(day: date, answers: Sequence[Answer]) -> str:
    """What one may share: no position, no link, no account."""
    marks = " ".join(MARKS[one.grade] or ("✓" if one.grade == "best" else "·") for one in answers)
    good, lost = sum(one.good for one in answers), sum(one.cost for one in answers)
    return f"Pickomino ten {day.isoformat()}: {good}/{len(answers)} · −{lost} points\n{marks}"
