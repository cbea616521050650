"""Bit for bit the rules' results: simulated games replayed ply by ply through `pickomino.rules`.

`Game` refuses an illegal ply and wrong dice, so a replay that reaches the same last position, worms and
winners means that every step agreed.
"""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from pickomino.compact.moves import move_table
from pickomino.compact.packed import check_packable, pack, unpack
from pickomino.notation import format_record, parse_position, parse_record
from pickomino.rules import Edition, Face, InvalidEditionError, Phase, Position, all_keys, find_edition
from pickomino.simulate import LaneView, Results, Simulator, play_games, random_games
from tests.random_editions import random_edition
from tests.simulate.policies import eager

KEYS = tuple(all_keys())
SEATS = range(2, 8)
ODD = Edition(
    "odd",
    ((3, 1), (5, 1), (7, 0), (12, 2), (15, 9)),
    dice=5,
    faces=(Face("1", 1), Face("3", 3, 2), Face("7", 2), Face("W", 4, 3)),
    steal="mandatory",
    exact_only=frozenset({5}),
    specialists=(("can", 3), ("gold", 7), ("weasel", 12)),
    golden_die=(Face("3", 3), Face("W", 4, 2)),
    round_worms=2,
)
"""Nothing as printed: other dice, sides, tiles and a selection of specialists."""


def agree(results: Results, *, endless: bool = False) -> None:
    """Replay every game; they all have an end, unless `endless` lets some be broken off."""
    for number in range(len(results)):
        game = results.game(number)
        outcome = game.outcome
        assert game.position == results.position(number)
        if outcome is None and endless:
            continue
        assert outcome is not None
        assert outcome.scores == tuple(results.scores[number].tolist())
        assert outcome.winners == tuple(s for s in range(results.seats) if results.winners[number] >> s & 1)
        shares = results.shares[number]
        assert shares[list(outcome.winners)].tolist() == [1 / len(outcome.winners)] * len(outcome.winners)
        assert results.lengths[number] == sum(move.phase is not Phase.ROLL for move, _, _ in game.steps())


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("key", KEYS)
def test_games_by_a_policy(key: str, seats: int) -> None:
    """66 editions, six table sizes, four games each, first seat in turn: 1,584 games."""
    agree(play_games(eager, key, seats, 4, seed=seats, first=range(seats), log=True))


@pytest.mark.parametrize("key", ["classic", "course", "deluxe"])
def test_random_games(key: str) -> None:
    for seats in (2, 5):
        agree(random_games(key, seats, 4, seed=seats))


@pytest.mark.parametrize("key", KEYS)
def test_small_games(key: str) -> None:
    """All but three tiles face down, every triple of the lower ones in turn: 66 editions, 60 games each."""
    edition = find_edition(key)
    low = [tile for tile in edition.values if 21 <= tile <= 26]
    starts = [small(Position.start(edition, 2), tiles) for tiles in combinations(low, 3)]
    agree(random_games(edition, 2, 10, seed=3, start=starts))
    agree(play_games(eager, edition, 2, 50, seed=4, start=starts, log=True))


def small(position: Position, tiles: tuple[int, ...]) -> Position:
    """The position with only these tiles face up, and specialists on them only."""
    row = pack(position)[0]
    values = position.edition.values
    row["grill"] = sum(1 << values.index(tile) for tile in tiles)
    for specialist, place in enumerate(row["place"].tolist()):
        if place >= 0 and values[place] not in tiles:
            row["place"][specialist] = -1
    return unpack(row, position.edition)


def test_an_edition_of_ones_own() -> None:
    for seats in SEATS:
        agree(random_games(ODD, seats, 60, seed=seats))


def house_games_agree(number: int, games: int) -> None:
    """Games of a house edition; some editions let two seats steal one tile from each other for ever."""
    edition, seats = random_edition(number), 2 + number % 6
    try:
        check_packable(edition)
    except InvalidEditionError as error:
        with pytest.raises(InvalidEditionError, match=re.escape(str(error))):
            Simulator(edition, seats, 1)
        return
    agree(random_games(edition, seats, games, seed=number, most_decisions=3000), endless=True)


def test_house_editions() -> None:
    for number in range(12):
        house_games_agree(number, 3)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_200_house_editions(number: int) -> None:
    house_games_agree(number, 30)


@pytest.mark.parametrize("key", ["classic", "summary", "course", "classic+fast", "deluxe", "extrawurm"])
def test_every_position_and_every_mask(key: str) -> None:
    """Not only the moves played: at each decision position and legal moves are those of the rules."""
    table = move_table(key)
    for seats in (2, 4, 7):
        rows: list[np.ndarray] = []
        masks: list[np.ndarray] = []

        def watched(
            view: LaneView, rows: list[np.ndarray] = rows, masks: list[np.ndarray] = masks
        ) -> np.ndarray:
            rows.append(view.positions.copy())
            masks.append(view.legal.copy())
            return eager(view)

        results = play_games(watched, key, seats, 1, seed=seats, log=True)
        decisions = [p for p, _, _ in results.game(0).steps() if p.phase is not Phase.ROLL]
        assert len(decisions) == len(rows) == results.lengths[0]
        for position, row, mask in zip(decisions, rows, masks, strict=True):
            assert row[0] == pack(position)[0]
            assert (mask[0] == table.mask(position)).all()


def test_every_kind_of_move_is_played() -> None:
    """Otherwise the tests above would say little about deluxe's small choices."""
    played = set()
    for seats in (2, 4, 7):
        results = play_games(eager, "deluxe", seats, 30, seed=7, log=True)
        played |= {str(ply)[0] for number in range(30) for ply in results.game(number).plies}
    assert played == set("=kr" + "stxgnw^<")


def test_records() -> None:
    record = random_games("deluxe", 3, 2, seed=5, first=2).record(1, ["a", "b", "c"])
    assert parse_record(format_record(record)).game == record.game


def test_a_start_in_the_middle_of_a_turn() -> None:
    text = "pkp1 deluxe 11,13,22-36 21/- A 1:2345555+W apple@29,can@11,crow@23,gold@A,hen@22,weasel@25 1/0"
    start = parse_position(text)
    results = random_games("deluxe", 2, 5, seed=1, start=start)
    assert results.game(0).start == start
    agree(results)
    simulator = Simulator("deluxe", 2, 3, 1, start=pack(start))
    assert simulator.position(2) == start


@pytest.mark.soak
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("key", KEYS)
def test_many_games(key: str, seats: int) -> None:
    """66 editions, six table sizes, 150 games each: 59,400 games, and random ones beside them."""
    agree(play_games(eager, key, seats, 150, seed=seats + 100, first=range(seats), log=True))
    agree(random_games(key, seats, 10, seed=seats))
