"""`ev` and the base of all bots that value the ends of a turn: batch and single form are one player."""

import random
import subprocess
import sys

import numpy as np
import pytest

from pickomino.analysis import find_objective
from pickomino.bots import make_bot
from pickomino.bots.ev import EvBot
from pickomino.bots.games import PackedGames, as_batch, as_bot, as_policy, legal_mask
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.moves import move_table
from pickomino.notation import parse_position
from pickomino.rules import InvalidPositionError, PickominoError, Position, all_keys
from pickomino.simulate import Simulator, play_games
from pickomino.solver import Worms, move_values
from pickomino.testing import check_bot, random_positions

CLASSIC_KEYS = [key for key in all_keys() if not key.startswith(("deluxe", "extrawurm"))]


def decisions(edition: str, seats: int, seed: int, count: int) -> list[Position]:
    found = random_positions(edition, seats, seed, count=count)
    return [position for position in found if position.moves()]


def batch_moves(bot: EvBot, positions: list[Position]) -> list[str]:
    table = move_table(positions[0].edition)
    chosen = bot.choose_many(PackedGames(positions), np.random.default_rng(1))
    return [str(table[int(index)]) for index in chosen]


@pytest.mark.parametrize("edition", CLASSIC_KEYS)
@pytest.mark.parametrize(("loss", "steal"), [(1, 1), (0, 0), (0.5, 2)])
def test_batch_and_single_form_choose_the_same_in_every_edition(
    edition: str, loss: float, steal: float
) -> None:
    bot, rng = EvBot(loss, steal), random.Random(1)
    for seats in (2, 5):
        positions = decisions(edition, seats, seed=seats, count=45)
        assert batch_moves(bot, positions) == [str(bot.choose(position, rng)) for position in positions]


@pytest.mark.parametrize("edition", ["classic", "summary", "course", "classic+any-lower"])
def test_batch_values_are_those_of_advice(edition: str) -> None:
    bot, objective = EvBot(1, 1), find_objective("worms:loss=1,steal=1")
    positions = decisions(edition, 3, seed=7, count=150)
    found, table = bot.explain_many(PackedGames(positions)), move_table(edition)
    for row, position in zip(found.values, positions, strict=True):
        expected = np.full(len(table), -np.inf)
        for move, value in move_values(position, objective).moves.items():
            expected[table.index(move)] = value
        np.testing.assert_allclose(row, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_whole_games_by_the_batch_form_are_those_of_the_single_form(seats: int) -> None:
    """Every decision of simulated games is asked again, one at a time."""
    bot, rng = EvBot(1, 1), random.Random(1)
    simulator = Simulator("classic", seats, games=4, seed=seats, log=True)
    results = simulator.play(as_policy(bot))
    for number in range(4):
        game = results.game(number)
        for position, ply, _ in game.steps():
            if position.moves():
                assert ply == bot.choose(position, rng), str(position)


def test_payoffs_by_arrays_are_those_of_the_objective() -> None:
    """`EvBot` writes its payoffs as arrays; the base class gets them from the objective, ending by ending."""
    plain, quick = TurnValueBot(Worms(1, 0.5)), EvBot(1, 0.5)
    for edition in ("classic", "summary", "classic+fast"):
        games = PackedGames(decisions(edition, 4, seed=4, count=60))
        np.testing.assert_allclose(
            plain.explain_many(games).values, quick.explain_many(games).values, rtol=0, atol=1e-12
        )


def test_old_turns_are_forgotten_and_solved_again() -> None:
    """More turns than are remembered: the answers stay the same, whatever was asked in between."""
    bot, fresh = EvBot(1, 1), EvBot(1, 1)
    positions = decisions("classic", 2, seed=9, count=1600)
    first = batch_moves(bot, positions[:50])
    for at in range(0, len(positions), 500):
        batch_moves(bot, positions[at : at + 500])
    assert batch_moves(bot, positions[:50]) == first == batch_moves(fresh, positions[:50])


def test_ties_go_to_the_first_move_in_text_order() -> None:
    """36 is out of reach, a steal and a bust are worth nothing, so that every move is."""
    bot = EvBot(0, -1)
    position = parse_position("pkp1 classic 36 -/26 A 11155:234")
    assert str(bot.choose(position, random.Random(1))) == batch_moves(bot, [position])[0] == "k2"
    position = parse_position("pkp1 classic 36 -/26 A 15555W:-")
    assert str(bot.choose(position, random.Random(1))) == batch_moves(bot, [position])[0] == "r"


def test_bridges_between_the_forms() -> None:
    cautious, positions = make_bot("cautious"), decisions("classic", 2, seed=1, count=60)
    games, rng = PackedGames(positions), np.random.default_rng(1)
    chosen = as_batch(cautious).choose_many(games, rng)
    assert legal_mask(games)[np.arange(len(games)), chosen].all()
    assert as_bot(cautious) is cautious
    ev = EvBot(1, 1)
    assert as_batch(ev) is ev

    class OnlyBatch:
        choose_many = ev.choose_many

    single = as_bot(OnlyBatch())
    for position in positions:
        assert single.choose(position, random.Random(1)) == ev.choose(position, random.Random(1))


def test_ev_passes_the_kit() -> None:
    check_bot(EvBot(1, 1), ("classic", "course"), seats=3, plies=200)
    check_bot(EvBot(), ("deluxe",), seats=3, plies=60)


def test_ev_beats_cautious() -> None:
    """Far above half; the exact figure is in docs/bots.md."""
    results = play_games([as_policy(make_bot("ev")), as_policy(make_bot("cautious"))], games=200, seed=1)
    assert results.shares[:, 0].mean() > 0.6


@pytest.mark.parametrize("name", ["ev", "easy"])
def test_where_dice_are_due_there_is_no_move(name: str) -> None:
    with pytest.raises(InvalidPositionError, match="dice are due"):
        make_bot(name).choose(Position.start(), random.Random(1))


def test_batches_need_numpy_only() -> None:
    """The same moves in a process that cannot import numba."""
    positions = decisions("classic", 2, seed=5, count=60)
    code = f"""
import sys
sys.modules["numba"] = None
import numpy as np
from pickomino import parse_position
from pickomino.bots.ev import EvBot
from pickomino.bots.games import PackedGames
positions = [parse_position(text) for text in {[str(position) for position in positions]!r}]
print(EvBot(1, 1).choose_many(PackedGames(positions), np.random.default_rng(1)).tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    chosen = EvBot(1, 1).choose_many(PackedGames(positions), np.random.default_rng(1))
    assert done.stdout.strip() == str(chosen.tolist())


def test_a_batch_is_of_one_kind() -> None:
    mixed = [Position.start("classic", 2), Position.start("classic", 3)]
    with pytest.raises(PickominoError, match="one edition and one number of seats"):
        PackedGames(mixed)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("ev:loss=x", "loss=x: expected a number"),
        ("ev:loss=nan", "expected a number"),
        ("ev:steal=inf", "expected a number"),
        ("ev:gain=1", "ev does not take gain; it takes loss, steal"),
        ("ev:loss", "name:key=value"),
    ],
)
def test_parameters_are_checked(spec: str, reason: str) -> None:
    with pytest.raises(PickominoError, match=reason):
        make_bot(spec)


def test_parameters_reach_the_objective() -> None:
    assert str(make_bot("ev:loss=0.5,steal=2")) == "ev:loss=0.5,steal=2"
    assert str(make_bot("ev")) == "ev:loss=1,steal=0"
    assert str(make_bot("ev:round=2,hen=1.5,can=1")) == "ev:loss=1,steal=0,round=2,can=1,hen=1.5"
