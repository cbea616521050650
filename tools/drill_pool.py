"""Makes the pool of drills from games among champions:   python tools/drill_pool.py [GAMES | --check]

With new weights ``--check`` keeps the drills that still are what they should be, as a pool of the next version.

A position is taken where the choice matters and can be explained: the best move is clearly better than the next one
(no coin-flip), not by so much that anyone would see it, the game is open, and a plainer way to play errs there: playing
for worms, or claiming as soon as one can.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pickomino.analysis import Decision, evaluate, review
from pickomino.analysis.advice import advise
from pickomino.analysis.drill import pool
from pickomino.analysis.judgement import kind_of
from pickomino.analysis.sentences import tempting
from pickomino.bots import make_bot
from pickomino.testing import random_game

POOL = Path(__file__).parent.parent / "src/pickomino/analysis/drill_pool.json"
VERSION = 1  # of a pool made anew; other drills on a date need another number
GAMES = 160
PER_THEME = 80
PER_GAME = 4
GAP = (
    0.02,
    0.12,
)  # the best over the next, in shares of the win: above an inaccuracy, below what leaps to the eye
OPEN = (0.1, 0.9)  # the chance to win with the best move
EDITIONS = (
    "classic",
    "deluxe",
    "classic",
    "classic",
    "extrawurm",
    "classic",
    "deluxe",
    "summary",
    "classic+fast",
    "course",
)


def wanted(decision: Decision | None) -> bool:
    other = None if decision is None or decision.forced else tempting(decision)
    if decision is None or other is None:
        return False
    best = decision.values[decision.best]
    if not GAP[0] <= best - decision.values[other] <= GAP[1] or not OPEN[0] <= best <= OPEN[1]:
        return False
    plain = evaluate(decision.position, "worms").best
    cautious = make_bot("cautious").choose(decision.position, random.Random(0))
    return decision.best != plain or decision.best != cautious


def check() -> None:
    """Drop what lies outside; who is in another version of the pool has other ten on a date."""
    found = pool()
    drills = [drill for drill in found.drills if wanted(advise(drill.position).decision)]
    print(f"{len(drills)} of {len(found.drills)} drills stay", file=sys.stderr)
    if len(drills) < len(found.drills):
        write(found.version + 1, [(drill.text, drill.theme) for drill in drills])


def write(version: int, found: Iterable[tuple[str, str]]) -> None:
    drills = [{"position": text, "theme": theme} for text, theme in sorted(found)]
    POOL.write_text(json.dumps({"version": version, "drills": drills}, indent=0) + "\n", "utf-8")


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        check()
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    champion, found, themes = make_bot("champion"), {}, Counter[str]()
    for number in range(games):
        edition, seats = EDITIONS[number % len(EDITIONS)], 2 + number % 4
        game = random_game(edition, seats, f"drill pool {VERSION} {number}", champion.choose)
        taken = 0
        decisions = list(review(game).decisions)
        random.Random(number).shuffle(decisions)
        for decision in decisions:
            if taken == PER_GAME or not wanted(decision):
                continue
            other = tempting(decision)
            assert other is not None
            theme = kind_of(replace(decision, played=other))
            text = str(decision.position)
            if themes[theme] < PER_THEME and text not in found:
                found[text] = theme
                themes[theme] += 1
                taken += 1
        print(
            f"{number + 1} of {games} games, {len(found)} drills: {dict(themes)}", file=sys.stderr, flush=True
        )
    write(VERSION, found.items())


if __name__ == "__main__":
    main()
