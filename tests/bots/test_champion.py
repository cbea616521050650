"""The champion: its estimate, its two forms, and what it gives away in games that are solved whole."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from benchmarks.consistency import given_away
from pickomino import Phase, Position, parse_position
from pickomino.bots import make_bot
from pickomino.bots.champion import ChampionBot, Win, win_shares
from pickomino.bots.champion.endings import win_payoffs
from pickomino.bots.champion.net import cards, has_weights, load_net
from pickomino.bots.champion.win import estimate
from pickomino.bots.games import as_policy
from pickomino.bots.payoffs import objective_payoffs
from pickomino.cli import main
from pickomino.compact.packed import pack
from pickomino.rules import InvalidPositionError, PickominoError, find_edition
from pickomino.simulate import play_games
from pickomino.solver.whole import solve_whole
from pickomino.testing import check_bot, random_game


def turn_starts(key: str, seats: int, games: int) -> list[Position]:
    found: list[Position] = []
    for seed in range(games):
        positions = random_game(key, seats, seed).positions
        found += [position for position in positions if position.phase is Phase.ROLL and not position.kept]
    return found


@pytest.mark.parametrize("seats", range(2, 8))
def test_shares_of_a_win_sum_to_one(seats: int) -> None:
    shares = estimate(turn_starts("classic", seats, 2))
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert (shares > 0).all()


def test_a_finished_game_is_known_exactly() -> None:
    """R5.2: three worms each, the highest tile decides; R5.3: nobody holds a tile."""
    over = parse_position("pkp1 classic - 21,25/30/- - -:-")
    assert estimate([over])[0].tolist() == [0, 1, 0]
    assert estimate([parse_position("pkp1 course - 21,25/30 - -:-")])[0].tolist() == [0.5, 0.5]
    with pytest.raises(InvalidPositionError, match="over"):
        win_shares(over)


def test_the_seat_to_act_does_not_matter_beyond_its_place() -> None:
    first = parse_position("pkp1 classic 23-28 21,30/35/- A -:?")
    turned = parse_position("pkp1 classic 23-28 -/21,30/35 B -:?")
    assert estimate([first])[0].tolist() == pytest.approx(
        np.roll(estimate([turned])[0], -1).tolist(), abs=1e-6
    )


@pytest.mark.parametrize("key", ["classic", "classic+fast", "summary", "course"])
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_batch_and_single_form_value_endings_alike(key: str, seats: int) -> None:
    edition = find_edition(key)
    rows = pack(turn_starts(key, seats, 3)[::5])
    many = win_payoffs(load_net(edition, seats), edition, rows)
    single = objective_payoffs(edition, rows, Win())
    for quick, plain in zip(many, single, strict=True):
        assert quick[plain != 0] == pytest.approx(plain[plain != 0], abs=1e-6)


def test_it_plays_every_edition() -> None:
    check_bot(ChampionBot())


def test_one_claim_wins_the_game() -> None:
    """The last tile is in reach: taking it wins 4 to 3, rolling on may lose it."""
    position = parse_position("pkp1 classic 33 -/29 A 3555WWW:-")
    assert position.total == 33
    assert str(ChampionBot().choose(position, random.Random(1))) == "t33"


def test_it_does_not_end_a_game_that_it_would_lose() -> None:
    """Taking the last tile now loses 1 to 3; rolling on keeps the game alive."""
    position = parse_position("pkp1 classic 21 -/29 A 344WW:-")
    assert [str(move) for move in position.moves()] == ["r", "t21"]
    assert str(ChampionBot().choose(position, random.Random(1))) == "r"


def test_ahead_of_a_bot_that_plays_for_worms() -> None:
    """Common sense only; the strength tables are in docs/champion.md."""
    champion, cautious = as_policy(ChampionBot()), as_policy(make_bot("cautious"))
    shares = play_games([champion, cautious], "classic", 2, 60, seed=3).shares
    assert shares[:, 0].mean() > 0.7


@pytest.mark.parametrize("tiles", [(21,), (21, 25), (22, 30), (21, 25, 29)])
def test_little_is_given_away_in_solved_games(tiles: tuple[int, ...]) -> None:
    """At most 0.005 of win probability from the start position, by exact evaluation against best play."""
    assert -1e-9 <= given_away(solve_whole(tiles)) <= 0.005


def test_weights_come_with_a_card() -> None:
    for seats in range(2, 8):
        for told in cards(find_edition("classic"), seats):
            assert told["settings"]["seats"] == seats
            assert told["turns"] > 10_000_000
            assert "bellman_residual" in told["figures"]
    assert not has_weights(find_edition("deluxe"), 2)
    with pytest.raises(PickominoError, match="no learned estimate for deluxe"):
        load_net(find_edition("deluxe"), 2)


def test_advice_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "pkp1 classic 21-36 -/- A 55WW:-", "--objective", "win", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"] == "r"
    assert sum(told["win"].values()) == pytest.approx(1, abs=1e-6)
    assert told["win"]["A"] == pytest.approx(told["value"], abs=1e-6)
    assert main(["advise", "pkp1 classic 21-36 -/- A 55WW:-", "--objective", "win"]) == 0
    assert "To win: A 5" in capsys.readouterr().out
    assert main(["advise", "pkp1 deluxe 21-36 -/- A -:? - 0/0", "--objective", "win"]) == 2
    assert "no learned estimate" in capsys.readouterr().err
