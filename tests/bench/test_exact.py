"""Exact losses: every turn followed roll by roll, held against the rules and against the solver."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from pickomino.bench import exact_loss, ladder, report
from pickomino.bench.turns import turn_odds
from pickomino.bots import make_bot
from pickomino.bots.protocol import Bot
from pickomino.bots.simple import CautiousBot, RandomBot
from pickomino.cli import main
from pickomino.compact.moves import move_table
from pickomino.rules import WORM, Edition, Face, Move, PickominoError, Position
from pickomino.solver.whole import WholeGame, evaluate_policy, solve_whole

FACES = (Face("1", 1, 2), Face("2", 2, 2), Face(WORM, 3, 2))
TINY = Edition(
    "tiny", ((4, 1), (5, 2), (6, 3)), dice=3, faces=FACES
)  # that of docs/examples/envs/learned_value.py


@pytest.fixture(scope="module")
def tiny() -> WholeGame:
    return solve_whole((4, 5, 6), TINY)


def walked(position: Position, bot: Bot | None, chance: Fraction) -> Iterator[tuple[str, Fraction]]:
    """How a turn ends, by the rules alone; without a bot all moves are equally likely."""
    seat = position.seat
    if not position.moves():
        rolls = position.rolls()
        for roll, weight in rolls.items():
            after = position.apply(roll).position
            part = chance * Fraction(weight, sum(rolls.values()))
            if after.over or after.seat != seat:
                yield "s", part
            else:
                yield from walked(after, bot, part)
        return
    moves: tuple[Move, ...] = tuple(position.moves()) if bot is None else (bot.choose(position, Random(1)),)
    for move in moves:
        after = position.apply(move).position
        if after.over or after.seat != seat:
            yield str(move) if str(move)[0] in "tx" else "s", chance / len(moves)
        else:
            yield from walked(after, bot, chance / len(moves))


@pytest.mark.parametrize("name", ["random", "cautious", "ev"])
def test_turns_end_as_the_rules_say(name: str, tiny: WholeGame) -> None:
    bot, table = make_bot(name), move_table(TINY)
    starts = [tiny.space.position(row) for row in range(0, tiny.positions, 5)]
    for start, odds in zip(starts, turn_odds(bot, starts), strict=True):
        expected: dict[str, Fraction] = defaultdict(Fraction)
        for move, part in walked(start, None if isinstance(bot, RandomBot) else bot, Fraction(1)):
            expected[move] += part
        found = {str(table[index]): odds[index] for index in np.flatnonzero(odds).tolist()}
        assert found == pytest.approx({move: float(part) for move, part in expected.items()}, abs=1e-12)


class Perfect:
    """Plays the solved game."""

    def __init__(self, game: WholeGame) -> None:
        self.game = game

    def choose(self, position: Position, rng: Random) -> Move:
        return self.game.policy(position)


def test_best_play_loses_nothing_and_random_play_nearly_everything(tiny: WholeGame) -> None:
    smaller = solve_whole((4, 6), TINY)
    best = exact_loss(Perfect(smaller), smaller)
    assert (best.against_best_play, best.exploitability) == pytest.approx((0, 0), abs=1e-9)
    random, cautious = exact_loss(RandomBot(), tiny), exact_loss(CautiousBot(), tiny)
    assert 0.5 > random.exploitability > random.against_best_play > cautious.exploitability > 0.01


def test_it_is_the_loss_that_the_solver_finds() -> None:
    """The champion by its moves, and by what it thinks of the ends of turns."""
    game = solve_whole((21, 25))
    champion = make_bot("champion")
    from pickomino.bots.champion.win import estimate

    def values(position: Position) -> list[float]:
        return [float(row[position.seat]) for row in estimate([end.after for end in game.endings(position)])]

    found = exact_loss(champion, game)
    for loss, value in (
        (found.against_best_play, evaluate_policy(game, values, against="optimal")),
        (found.exploitability, evaluate_policy(game, values, against="best response")),
    ):
        assert loss == pytest.approx(0.5 - value.mean, abs=1e-9)


def test_specialists_are_refused() -> None:
    with pytest.raises(PickominoError, match="specialists are not followed"):
        turn_odds(RandomBot(), [Position.start("deluxe", 2)])


def test_the_command_writes_one_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A smaller ladder and a smaller game; one of the policies is a class in the current folder that fails."""
    monkeypatch.setattr(ladder, "LADDER", ("cautious",))
    monkeypatch.setattr(report, "LADDER", ("cautious",))
    monkeypatch.setattr(report, "SOLVED", ((21,),))
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "class Broken:\n    def choose(self, position, rng):\n        raise RuntimeError('no idea')\n",
        "utf-8",
    )
    argv = ["bench", "cautious", "mine.py:Broken", "--games", "2", "--workers", "1", "--json", "figures.json"]
    assert main([*argv, "--report", "report.md"]) == 0
    text = Path("report.md").read_text("utf-8")
    assert text.startswith("# Benchmark report\n")
    assert "| `cautious` | – |" in text
    assert "decisions in place of `mine.py:Broken`" in text
    plain, broken = json.loads(Path("figures.json").read_text("utf-8"))["policies"]
    assert broken["ladder"][0]["decisions_by_cautious"] > 0
    assert broken["solved"] == plain["solved"]  # `cautious` decided all of it
    assert main(["bench", "nowhere:Bot"]) == 2
    assert "No module named 'nowhere'" in capsys.readouterr().err
