"""Luck taken out of games: the same luck as in a review, no bias, and far less noise."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pickomino import parse_position
from pickomino.analysis import review
from pickomino.arena import Spec, run_arena
from pickomino.arena.luck import LuckMeter
from pickomino.bots import make_bot
from pickomino.bots.games import as_policy
from pickomino.cli import main
from pickomino.rules import Position
from pickomino.simulate import Simulator


def played(
    edition: str,
    seats: int,
    games: int,
    bot: str,
    *,
    start: Position | None = None,
    seed: int = 3,
    log: bool = False,
) -> tuple[Simulator, NDArray[np.float64]]:
    """Games of one bot against itself, and the luck of every seat in them."""
    simulator = Simulator(edition, seats, games, seed, start=start, log=log)
    choose, meter = as_policy(make_bot(bot), 1), LuckMeter(simulator)
    while not simulator.done.all():
        actions = simulator.random_moves()
        running = np.flatnonzero(simulator.legal_bits)
        actions[running] = choose(simulator.view(running))
        simulator.step(actions)
        meter.add(actions)
    return simulator, meter.luck


@pytest.mark.parametrize("edition", ["classic", "deluxe", "summary"])
def test_it_is_the_luck_of_the_review(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two seats, roll by roll; another batch in float32 differs by 6e-8 a value.

    Both by the net alone: in deluxe a review looks further.
    """
    monkeypatch.setattr("pickomino.bots.champion.win.closer", lambda batch, net, far: net(batch))
    simulator, luck = played(edition, 2, 2, "cautious", log=True)
    for game in range(2):
        found = review(simulator.record(game, ("A", "B")))
        assert luck[game].tolist() == pytest.approx([one.luck for one in found.balances], abs=1e-4)


def test_the_value_of_a_solved_game_comes_out() -> None:
    """One tile, 21: whoever plays best wins 0.9033641855 = 1/(2 − P(≥21)) of the games as the first (notation.md)."""
    start = parse_position("pkp1 classic 21 -/- A -:?")
    simulator, luck = played("classic", 2, 2000, "champion", start=start)
    fair = simulator.final_shares[:, 0] - luck[:, 0]
    error = fair.std() / np.sqrt(len(fair))
    assert fair.mean() == pytest.approx(0.9033641855, abs=4 * error + 1e-6)
    assert fair.var() < simulator.final_shares[:, 0].var() / 5


@pytest.mark.parametrize(("edition", "seats", "bot"), [("classic", 3, "cautious"), ("deluxe", 3, "cautious")])
def test_luck_has_mean_zero_whoever_plays(edition: str, seats: int, bot: str) -> None:
    simulator, luck = played(edition, seats, 100, bot, seed=8)
    assert np.abs(luck.sum(axis=1)).max() < 1e-9  # what one seat wins the others lose
    error = luck.std(axis=0) / np.sqrt(len(luck))
    assert (np.abs(luck.mean(axis=0)) < 4 * error).all()
    fair = simulator.final_shares - luck
    assert (fair.var(axis=0) < simulator.final_shares.var(axis=0)).all()


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_luck_sums_to_zero_in_ten_thousand_games(edition: str, seats: int) -> None:
    """1,250 games each; four standard errors come by chance once in 16,000 times."""
    parts = [played(edition, seats, 250, "cautious", seed=100 + part)[1] for part in range(5)]
    luck = np.concatenate(parts)
    assert (np.abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / np.sqrt(len(luck))).all()


def test_the_arena_shows_both_figures_and_resumes(tmp_path: Path) -> None:
    spec = Spec(("champion", "cautious"), games=40, chunk_groups=10, luck_adjusted=True)
    plain = run_arena(Spec(("champion", "cautious"), games=40, chunk_groups=10), workers=1)
    found = run_arena(spec, workers=2, checkpoint=str(tmp_path / "kept.jsonl"))
    assert [share.share for share in found.shares] == [share.share for share in plain.shares]
    assert plain.fair_shares == [None, None]
    first, second = found.fair_shares
    assert first is not None
    assert second is not None
    assert first.share + second.share == pytest.approx(1)
    assert first.error is not None
    assert found.shares[0].error is not None
    assert first.error < found.shares[0].error / 2
    again = run_arena(spec, workers=1, checkpoint=str(tmp_path / "kept.jsonl"), resume=True)
    assert again.fair_shares == found.fair_shares


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["arena", "ev", "ev:steal=1", "--games", "20", "--workers", "1"]  # both solve their turns
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["entrants"][0]["luck_adjusted"].keys() == {"share", "error", "low", "high"}
    assert main([*argv, "--no-luck-adjusted"]) == 0
    assert "luck removed" not in capsys.readouterr().out
