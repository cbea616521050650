"""The champion: its estimate, its two forms, and what it gives away in games that are solved whole."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.consistency import believed, given_away
from pickomino import Phase, Position, parse_position
from pickomino.bots import make_bot
from pickomino.bots.champion import ChampionBot, Win, win_shares
from pickomino.bots.champion.net import cards
from pickomino.bots.champion.win import estimate
from pickomino.bots.games import PackedGames, as_policy
from pickomino.cli import main
from pickomino.compact.moves import move_table
from pickomino.rules import InvalidPositionError, find_edition
from pickomino.simulate import play_games
from pickomino.solver import TurnSolver, after
from pickomino.solver.whole import solve_whole
from pickomino.testing import check_bot, random_game, random_positions

EDITION_KEYS = ["classic", "classic+fast", "summary", "course", "deluxe", "extrawurm"]
# Choices and round worms on the way: every specialist is held by somebody, the supply is empty.
SCENES = (
    "pkp1 deluxe 11,13,23,25,30-36 21,26/22,27/24 A -:? apple@B,can@11,crow@23,gold@13,hen@C,weasel@25 1/4/2",
    "pkp1 deluxe 11,23,30-36 26/22,27/24,28/- B -:? apple@C,can@B,crow@23,hen@A,weasel@11 2/0/3/2",
    "pkp1 deluxe 23,31,36 21,30/26/27,28/24 D -:+? can@A,crow@36,gold@D,hen@B,weasel@C 1/3/2/1",
    "pkp1 deluxe 23 26,29/24 A -:? crow@23,hen@B 3/4",
    "pkp1 extrawurm 22,23,35 24/25,36/26/27/28/29/30 F -:+? can@D,crow@22,gold@F,hen@A,weasel@B 0/2/1/1/1/1/1",
)


def turn_starts(key: str, seats: int, games: int) -> list[Position]:
    found: list[Position] = []
    for seed in range(games):
        positions = random_game(key, seats, seed).positions
        found += [p for p in positions if p.phase in (Phase.ROLL, Phase.GOLD) and not p.kept]
    return found


@pytest.mark.parametrize("key", ["classic", "summary", "deluxe"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_shares_of_a_win_sum_to_one(key: str, seats: int) -> None:
    shares = estimate(turn_starts(key, seats, 2))
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert (shares > 0).all()


def test_a_finished_game_is_known_exactly() -> None:
    """R5.2: three worms each, the highest tile decides; R5.3: nobody holds a tile; D13.2: apple and round worms."""
    over = parse_position("pkp1 classic - 21,25/30/- - -:-")
    assert estimate([over])[0].tolist() == [0, 1, 0]
    assert estimate([parse_position("pkp1 course - 21,25/30 - -:-")])[0].tolist() == [0.5, 0.5]
    deluxe = parse_position("pkp1 deluxe - 21/22/30 - -:- apple@A,hen@B 0/3/1")
    assert estimate([deluxe])[0].tolist() == [0, 0, 1]
    with pytest.raises(InvalidPositionError, match="over"):
        win_shares(over)


@pytest.mark.parametrize(
    ("first", "turned"),
    [
        ("pkp1 classic 23-28 21,30/35/- A -:?", "pkp1 classic 23-28 -/21,30/35 B -:?"),
        (
            "pkp1 deluxe 23-28 21,30/35/- A -:? apple@A,can@B,gold@25 2/0/1",
            "pkp1 deluxe 23-28 -/21,30/35 B -:? apple@B,can@C,gold@25 1/2/0",
        ),
    ],
)
def test_the_seat_to_act_does_not_matter_beyond_its_place(first: str, turned: str) -> None:
    shares = estimate([parse_position(first), parse_position(turned)])
    assert shares[0].tolist() == pytest.approx(np.roll(shares[1], -1).tolist(), abs=1e-6)


def check_payoff(position: Position) -> None:
    """The best of all positions that an ending leads to (D10.4, D11.1), as the rules have them."""
    endings = TurnSolver(position).endings
    best = [estimate(after(position, ending))[:, position.seat].max() for ending in endings]
    assert Win().payoff(position, endings) == pytest.approx(best, abs=1e-6), str(position)


@pytest.mark.parametrize("key", EDITION_KEYS)
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_ends_are_those_of_the_rules(key: str, seats: int) -> None:
    for position in turn_starts(key, seats, 2)[::9]:
        check_payoff(position)


@pytest.mark.parametrize("text", SCENES)
def test_rare_ends_are_those_of_the_rules(text: str) -> None:
    start = parse_position(text)
    check_payoff(start)
    game = random_game(seed=1, start=start, plies=60).positions
    for position in [p for p in game if p.moves() and p.kept and p.phase is not Phase.GIVER][::3]:
        check_payoff(position)  # from the middle of a turn, a round worm earned or not


def check_both_forms(positions: list[Position]) -> None:
    table = move_table(positions[0].edition)
    found = ChampionBot().explain_many(PackedGames(positions))
    for row, position in zip(found.values, positions, strict=True):
        told = ChampionBot().explain(position).moves
        assert [row[table.index(move)] for move in told] == pytest.approx(list(told.values()), abs=1e-6)


@pytest.mark.parametrize("key", EDITION_KEYS)
@pytest.mark.parametrize("seats", [2, 5])
def test_batch_and_single_form_say_the_same(key: str, seats: int) -> None:
    check_both_forms([p for p in random_positions(key, seats, seats, count=60) if p.moves()])


@pytest.mark.parametrize("text", SCENES)
def test_batch_and_single_form_say_the_same_of_rare_points(text: str) -> None:
    games = (random_game(seed=seed, start=parse_position(text), plies=25).positions for seed in range(4))
    check_both_forms([p for positions in games for p in positions if p.moves()][::2])


def test_choices_after_the_claim() -> None:
    """D10.4: who goes back decides what the next seat finds."""
    position = parse_position("pkp1 deluxe 13,21-28 29/- A -:< apple@A,can@A 0/0")
    told = ChampionBot().explain(position)
    ends = {move: estimate([position.apply(move).position])[0] for move in position.moves()}
    assert told.moves == {move: pytest.approx(shares[0], abs=1e-6) for move, shares in ends.items()}
    assert told.best is not None
    assert win_shares(position) == pytest.approx(tuple(ends[told.best]), abs=1e-6)


@pytest.mark.parametrize("text", SCENES)
def test_shares_of_a_turn_are_what_its_ends_bring(text: str) -> None:
    position = parse_position(text)
    shares = win_shares(position)
    assert sum(shares) == pytest.approx(1, abs=1e-6)
    assert shares[position.seat] == pytest.approx(ChampionBot().explain(position).value, abs=1e-6)


def test_it_plays_every_edition() -> None:
    check_bot(ChampionBot())


def test_where_nothing_was_learned_it_plays_for_worms() -> None:
    edition = replace(find_edition("deluxe"), key="few dice", dice=5)
    positions = [p for p in random_game(edition, 2, 1).positions if p.moves()][:20]
    ev, champion = make_bot("ev:loss=1,steal=1"), ChampionBot()
    rng = np.random.default_rng(1)
    moves = [ev.choose(position, random.Random(1)) for position in positions]
    assert [champion.choose(position, random.Random(1)) for position in positions] == moves
    chosen = champion.choose_many(PackedGames(positions), rng).tolist()
    assert chosen == list(map(move_table(edition).index, moves))


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
    game = solve_whole(tiles)
    assert all(-1e-9 <= lost <= 0.005 for lost in given_away(game, believed(game)))


def test_weights_come_with_a_card() -> None:
    for key in EDITION_KEYS:
        for seats in range(2, 8):
            told = cards(find_edition(key), seats)
            assert told
            for card in told:
                assert card["settings"]["seats"] == seats
                assert card["turns"] > 10_000_000
                assert all("bellman_residual" in figures for figures in card["figures"].values())


def test_advice_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "pkp1 classic 21-36 -/- A 55WW:-", "--objective", "win", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"] == "r"
    assert sum(told["win"].values()) == pytest.approx(1, abs=1e-6)
    assert told["win"]["A"] == pytest.approx(told["value"], abs=1e-6)
    assert main(["advise", "pkp1 classic 21-36 -/- A 55WW:-", "--objective", "win"]) == 0
    assert "To win: A 5" in capsys.readouterr().out
    assert main(["advise", "pkp1 deluxe 21-36 -/- A -:? - 0/0", "--objective", "win"]) == 0
    assert "To win: A " in capsys.readouterr().out
