"""The lockstep interface: seeds, lanes, endings, refusals, and what a view shows."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from pickomino.compact.packed import HELD, PHASES, dice_word
from pickomino.notation import parse_position
from pickomino.rules import (
    SPECIALISTS,
    Edition,
    Face,
    IllegalMoveError,
    InvalidEditionError,
    InvalidPositionError,
    Phase,
    PickominoError,
    Position,
    find_edition,
)
from pickomino.simulate import LaneView, Simulator, play_games, random_games, sample_legal, win_shares
from tests.simulate.policies import eager, first_legal


@pytest.mark.parametrize("key", ["classic", "summary", "deluxe"])
def test_random_moves_in_lockstep_are_random_games(key: str) -> None:
    """One stream of dice and one of choices per game: two ways to play random games, the same games."""
    results = random_games(key, 3, 40, seed=9)
    lockstep = Simulator(key, 3, 40, seed=9).play(LaneView.random_moves)
    assert (results.positions == lockstep.positions).all()
    assert (results.lengths == lockstep.lengths).all()


def test_a_game_does_not_depend_on_the_batch() -> None:
    wide = play_games(eager, "deluxe", 2, 30, seed=4)
    narrow = play_games(eager, "deluxe", 2, 30, seed=4, lanes=7)
    one = play_games(eager, "deluxe", 2, 12, seed=4, lanes=1)
    assert (wide.positions == narrow.positions).all()
    assert (wide.positions[:12] == one.positions).all()
    other = play_games(eager, "deluxe", 2, 30, seed=5)
    assert (wide.positions != other.positions).any()


def test_dice_are_fair() -> None:
    """First rolls of 20,000 games: 160,000 dice, each face within five standard deviations of a sixth."""
    simulator = Simulator(games=20_000, seed=3)
    counts = simulator.rolled.sum(axis=0)
    assert counts.sum() == 160_000
    assert np.abs(counts - 160_000 / 6).max() < 5 * np.sqrt(160_000 * 5 / 36)


def test_whole_rolls_are_fair() -> None:
    """First rolls of 200,000 games against the weights of the rules: chi-square over all 1,287 multisets.

    Its mean is the 1,286 degrees of freedom, its standard deviation the root of twice that.
    """
    games = 200_000
    found = Counter(Simulator(games=games, seed=8).positions["rolled"].tolist())
    classic = find_edition("classic")
    weights = {dice_word(classic, roll.dice): weight for roll, weight in Position.start().rolls().items()}
    assert set(found) <= set(weights)
    expected = {word: games * weight / 6**8 for word, weight in weights.items()}
    chi_square = sum((found[word] - mean) ** 2 / mean for word, mean in expected.items())
    assert abs(chi_square - 1286) < 5 * np.sqrt(2 * 1286)


def test_dice_of_unequal_sides() -> None:
    """Three sides of six show the worm, and of the golden die two of three."""
    faces = (Face("1", 1, 2), Face("2", 2), Face("W", 5, 3))
    edition = Edition("heavy", ((2, 1),), dice=5, faces=faces)
    counts = Simulator(edition, 2, 20_000, seed=1).rolled.sum(axis=0) / 100_000
    assert counts == pytest.approx([1 / 3, 1 / 6, 1 / 2], abs=0.01)


def test_random_choices_are_uniform() -> None:
    """The first decision of 20,000 games, all six faces in the roll: each is kept a sixth of the time."""
    simulator = Simulator(games=20_000, seed=2)
    at = np.flatnonzero(simulator.legal.sum(axis=1) == 6)
    counts = np.bincount(simulator.random_moves()[at], minlength=6)
    assert len(counts) == 6
    assert np.abs(counts - len(at) / 6).max() < 5 * np.sqrt(len(at) * 5 / 36)


def test_idle_lanes() -> None:
    simulator = Simulator("course", 2, 50, seed=1)
    while not simulator.done.all():
        before = simulator.done.copy()
        done = simulator.step(simulator.random_moves())
        assert (done >= before).all()  # once over, always over
    assert not simulator.legal.any()
    assert set(simulator.phase.tolist()) == {PHASES.index(Phase.OVER)}
    assert (simulator.final_scores == simulator.scores).all()
    assert simulator.final_shares.sum(axis=1) == pytest.approx(1)
    positions = simulator.positions.copy()
    simulator.step(np.full(50, 99))  # ignored: no game is running
    assert (simulator.positions == positions).all()


def test_auto_reset() -> None:
    """Lane i plays games i, i + 8, i + 16, …: those of `play_games`."""
    simulator = Simulator("summary", 2, 8, seed=6, auto_reset=True, log=True)
    results = play_games(eager, "summary", 2, 40, seed=6)
    finished = 0
    while simulator.numbers.min() < 32:
        numbers = simulator.numbers.copy()
        for lane in np.flatnonzero(simulator.step(eager(simulator))):
            if numbers[lane] < 40:
                finished += 1
                assert simulator.ended[lane] == results.positions[numbers[lane]]
                assert (simulator.final_scores[lane] == results.scores[numbers[lane]]).all()
                assert simulator.lengths[lane] == results.lengths[numbers[lane]]
    assert finished >= 32
    assert simulator.legal.any(axis=1).all()
    for number in range(32):
        assert simulator.game(number).position == results.position(number)
    assert simulator.game(int(simulator.numbers[3])).position == simulator.position(3)
    with pytest.raises(PickominoError, match="never ends"):
        simulator.play(eager)


def test_some_lanes_only() -> None:
    simulator = Simulator(games=6, seed=1, log=True)
    still = simulator.positions.copy()
    simulator.step(first_legal(simulator.view(np.array([1, 4]))), lanes=[1, 4])
    moved = (simulator.positions != still).tolist()
    assert moved == [False, True, False, False, True, False]
    assert simulator.decisions.tolist() == [0, 1, 0, 0, 1, 0]
    assert simulator.game(4).position == simulator.position(4)
    for lanes in ([4, 1], [1, 1], [-1, 0], [5, 6]):
        with pytest.raises(PickominoError, match="expected ascending"):
            simulator.step([0, 0], lanes=lanes)


def test_policies_by_seat() -> None:
    """Each policy is asked for its own seats only."""
    seen: dict[str, set[int]] = {"even": set(), "odd": set()}

    def even(view: LaneView) -> np.ndarray:
        seen["even"] |= set(view.seat.tolist())
        return eager(view)

    def odd(view: LaneView) -> np.ndarray:
        seen["odd"] |= set(view.seat.tolist())
        return eager(view)

    results = play_games([even, odd, even, odd], "course", 4, 20, seed=2)
    assert seen == {"even": {0, 2}, "odd": {1, 3}}
    assert (results.positions == play_games(eager, "course", 4, 20, seed=2).positions).all()
    with pytest.raises(PickominoError, match="2 policies"):
        play_games([even, odd], "course", 4, 20)


def test_illegal_moves_change_nothing() -> None:
    simulator = Simulator(games=3, seed=1)
    before = simulator.positions.copy()
    good = simulator.random_moves()
    for bad, shown in ((simulator.table.index("t21"), "t21"), (-1, "number -1"), (64, "number 64")):
        with pytest.raises(IllegalMoveError, match=f"lane 1: move '{shown}' is not legal in 'pkp1 classic"):
            simulator.step([good[0], bad, good[2]])
        assert (simulator.positions == before).all()
    with pytest.raises(PickominoError, match="shape"):
        simulator.step([0])
    with pytest.raises(ValueError, match="read-only"):
        simulator.positions["grill"] = 0


def test_first_seats_take_turns() -> None:
    assert Simulator("classic", 3, 5, seed=1, first=[2, 0]).seat.tolist() == [2, 0, 2, 0, 2]
    assert random_games("classic", 3, 1, seed=1, first=1).game(0).start.seat == 1


def test_games_that_are_broken_off() -> None:
    """Tile 36 alone and a policy that keeps the lowest face: nobody ever gets there."""
    start = parse_position("pkp1 classic 36 -/- A -:?")
    results = play_games(first_legal, "classic", 2, 10, seed=1, start=start, most_decisions=500, lanes=4)
    assert not results.over.any()
    assert results.winners.tolist() == [0] * 10
    assert results.lengths.tolist() == [500] * 10
    simulator = Simulator(games=2, seed=1, most_decisions=1, auto_reset=True)
    simulator.step(first_legal(simulator))
    assert simulator.truncated.tolist() == [True, True]
    assert not random_games(games=3, seed=1, most_decisions=10).over.any()


def test_what_a_view_shows() -> None:
    text = (
        "pkp1 deluxe 11,22-36 13,21/-/- A 1:2345555+W apple@29,can@11,crow@23,gold@A,hen@22,weasel@25 1/0/0"
    )
    start = parse_position(text)
    view = Simulator("deluxe", 3, 2, 1, start=start)
    edition = find_edition("deluxe")
    assert view.rolled.tolist() == [[0, 1, 1, 1, 4, 1]] * 2  # the golden worm among them
    assert view.kept.tolist() == [[1, 0, 0, 0, 0, 0]] * 2
    assert view.total.tolist() == [1, 1]
    assert [edition.values[tile] for tile in np.flatnonzero(view.grill_mask[0])] == list(start.grill)
    assert view.tops[0].tolist() == [2, -1, -1]
    assert view.owners[0].tolist() == [-1, 0, 0] + [-1] * 15
    assert view.scores[0].tolist() == list(start.scores) == [3, 0, 0]
    assert view.round_worms[0].tolist() == [1, 0, 0]
    assert view.specialists[0, SPECIALISTS.index("gold")] == HELD
    assert view.holds("gold").tolist() == [True, True]
    assert not view.holds("hen").any()
    assert view.gold.tolist() == [1, 1]
    assert view.weasel_used.tolist() == [0, 0]
    assert [view.table[move] for move in np.flatnonzero(view.legal[0]).tolist()] == list(start.moves())
    assert view.legal_bits[0] == sum(1 << view.table.index(move) for move in start.moves())


def test_sample_legal() -> None:
    mask = np.array([[0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]], dtype=np.bool_)
    assert sample_legal(mask, np.array([0.49, 0.99, 0.5, 0.75])).tolist() == [1, 0, 0, 3]
    assert sample_legal(mask, np.array([0.5, 0.0, 0.5, 0.0])).tolist() == [3, 0, 0, 0]
    with pytest.raises(PickominoError, match="expected"):
        sample_legal(mask, np.array([0.5]))


def test_win_shares() -> None:
    assert win_shares(np.array([1, 6, 0], dtype=np.int8), 3).tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 0, 0]]


def test_what_is_refused() -> None:
    with pytest.raises(PickominoError, match="at least one"):
        Simulator(games=0)
    with pytest.raises(PickominoError, match="at least one"):
        random_games(games=0)
    with pytest.raises(PickominoError, match="seed -1"):
        Simulator(seed=-1)
    with pytest.raises(PickominoError, match="total of 5"):
        Simulator(games=10, total=5)
    with pytest.raises(InvalidPositionError, match="8 seats"):
        Simulator(seats=8)
    with pytest.raises(InvalidPositionError, match="expected 3"):
        Simulator("classic", 3, 2, 1, start=Position.start())
    with pytest.raises(InvalidPositionError, match="expected edition classic"):
        Simulator("classic", 2, 2, 1, start=Position.start("course"))
    with pytest.raises(InvalidPositionError, match="over already"):
        Simulator("classic", 2, 2, 1, start=parse_position("pkp1 classic - 21/22 - -:-"))
    with pytest.raises(InvalidPositionError, match="no start"):
        Simulator("classic", 2, 2, 1, start=[])
    with pytest.raises(InvalidEditionError, match="1555 sides"):
        Simulator(Edition("round", ((1, 1),), faces=(Face("W", 1, 1555),)))
    with pytest.raises(PickominoError, match="log=True"):
        play_games(eager, "course", games=2).game(0)
    with pytest.raises(PickominoError, match="expected 0 to 1"):
        random_games("course", games=2).game(2)
    with pytest.raises(PickominoError, match="not begun"):
        Simulator(games=2, log=True).game(2)


def test_without_numba_there_is_a_clear_message() -> None:
    """In a fresh process where numba cannot be imported."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from pickomino.rules import PickominoError\n"
        "try:\n    import pickomino.simulate\n"
        "except PickominoError as error:\n    print(isinstance(error, ImportError), error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True simulate needs the extra fast: pip install pickomino[fast]\n"
