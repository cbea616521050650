"""The OpenSpiel game: OpenSpiel's own tests and algorithms, and its values against the rules."""

from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from types import ModuleType
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment

from pickomino import PickominoError, Position, Roll, parse_position
from pickomino.envs.openspiel import SHORT_NAME, PickominoState, edition_parameter, observation_of
from pickomino.envs.parameters import read_edition
from pickomino.rules import WORM, Edition, Face, InvalidEditionError, all_keys, find_edition
from pickomino.solver.whole import solve_whole

ENDING = (
    "pkp1 classic 21,22 24/25 A -:?"  # whole random games are slow there: a second for every hundred moves
)
DELUXE = str(Position.start("deluxe", 3))
TILES = (4, 5, 6)
TINY = Edition(  # the game of docs/examples/envs/learned_value.py
    "tiny",
    tuple((tile, tile - 3) for tile in TILES),
    dice=3,
    faces=(Face("1", 1, 2), Face("2", 2, 2), Face(WORM, 3, 2)),
)


def load(start: str = ENDING) -> Any:
    return pyspiel.load_game(SHORT_NAME, {"start": start})


@pytest.mark.parametrize("start", [ENDING, "pkp1 course 21 24/25/26 B -:?"])
def test_openspiels_own_simulation_test(start: str) -> None:
    pyspiel.random_sim_test(load(start), num_sims=1, serialize=True, verbose=False)


def test_it_is_registered_with_its_parameters() -> None:
    assert SHORT_NAME in pyspiel.registered_names()
    game = pyspiel.load_game(f"{SHORT_NAME}(edition=deluxe,players=4,first=2)")
    assert game.num_players() == 4
    assert game.utility_sum() == 1
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert str(state) == str(Position.start("deluxe", 4, first=2))
    with pytest.raises(PickominoError, match="over"):
        load("pkp1 classic - 22/21 - -:-")


def test_chance_is_that_of_the_rules() -> None:
    state = pyspiel.load_game(SHORT_NAME).new_initial_state()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 1287  # multisets of 8 dice with 6 faces: C(13, 5)
    assert sum(weight for _, weight in outcomes) == pytest.approx(1)
    rolls = Position.start().rolls()
    for action, weight in outcomes[::100]:
        text = state.action_to_string(pyspiel.PlayerId.CHANCE, action)
        assert weight == pytest.approx(rolls[Roll(text[1:])] / 6**8)


def test_a_game_is_that_of_the_rules() -> None:
    rng = np.random.default_rng(1)
    state = load().new_initial_state()
    position = parse_position(ENDING)
    while not state.is_terminal():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        texts = [state.action_to_string(state.current_player(), action) for action in actions]
        plies = {str(ply): ply for ply in (*position.moves(), *position.rolls())}
        assert sorted(texts) == sorted(plies)
        choice = rng.integers(len(actions))
        clone = state.clone()
        state.apply_action(actions[choice])
        position = position.apply(plies[texts[choice]]).position
        assert str(state) == str(position)
        assert str(clone) != str(state)
    outcome = position.outcome
    assert outcome is not None
    assert state.returns() == [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]


def test_observations_have_named_parts() -> None:
    game = load(DELUXE)
    observation = make_observation(game)
    state = game.new_initial_state()
    rng = np.random.default_rng(2)
    for _ in range(40):
        outcomes = (
            [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        )
        state.apply_action(int(rng.choice(outcomes)))
        for player in range(3):
            observation.set_from(state, player)
            expected = observation_of(state.position, player, game.layout) / game.layout.most
            assert observation.tensor == pytest.approx(expected)
    assert observation.dict["stacks"].shape == (3, 18)
    assert observation.string_from(state, 0) == str(state)
    with pytest.raises(PickominoError, match="observation parameters"):
        game.make_py_observer(None, {"odd": 1})


def test_its_learning_environment_and_agents_run() -> None:
    env = Environment(load())
    agents = [RandomAgent(player_id=seat, num_actions=env.action_spec()["num_actions"]) for seat in range(2)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == pytest.approx(1)


def test_copies_share_what_never_changes() -> None:
    state = load().new_initial_state()
    copy = state.clone()
    assert isinstance(copy, PickominoState)
    assert copy.position is state.position


def test_copies_and_pickles_of_a_game_play_it() -> None:
    game = zero_sum()
    for same in (pickle.loads(pickle.dumps(game)), deepcopy(game)):
        state, other = game.new_initial_state(), same.new_initial_state()
        while not state.is_terminal():
            action = int(state.legal_actions()[-1])
            assert (str(other), other.legal_actions()) == (str(state), state.legal_actions())
            state.apply_action(action)
            other.apply_action(action)
        assert other.returns() == state.returns()


def zero_sum(edition: Edition = TINY, players: int = 2) -> Any:
    parameters = {"edition": edition_parameter(edition), "players": players, "zero_sum": True}
    return pyspiel.load_game(SHORT_NAME, parameters)


@pytest.mark.parametrize("players", [2, 3])
def test_the_zero_sum_form(players: int) -> None:
    game = zero_sum(players=players)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (game.utility_sum(), game.max_utility(), game.min_utility()) == (0, 1, -1 / (players - 1))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state, rng = game.new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        rolls = [roll for roll, _ in state.chance_outcomes()] if state.is_chance_node() else []
        state.apply_action(int(rng.choice(rolls or state.legal_actions())))
    outcome = state.position.outcome
    assert outcome is not None
    assert state.returns() == [
        1 if seat in outcome.winners else -1 / (players - 1) for seat in range(players)
    ]


def test_any_edition_is_a_parameter() -> None:
    odd = Edition(
        "odd",
        ((3, 1), (5, 2), (7, 0)),
        dice=4,
        faces=(Face("1", 1), Face("W", 2, 3)),
        exact_only=frozenset({3, 7}),
        specialists=(("gold", 5), ("hen", 3)),
        golden_die=(Face("1", 1, 2),),
        round_worms=2,
        steal="mandatory",
        fast=True,
    )
    for edition in (TINY, odd, *map(find_edition, all_keys())):
        assert read_edition(edition_parameter(edition)) == edition
        game = pyspiel.load_game(SHORT_NAME, {"edition": edition_parameter(edition)})
        assert pyspiel.load_game(str(game)).new_initial_state().position.edition == edition
    for bad in ("nonsense", "{", '{"dice":0}', '{"tiles":3}', '{"colour":1}'):
        with pytest.raises(InvalidEditionError, match="expected"):
            read_edition(bad)


def test_its_value_iteration_finds_the_value_of_the_exact_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.5492379 by both. Its module asks for a linear solver that only simultaneous moves need."""
    monkeypatch.setitem(sys.modules, "open_spiel.python.algorithms.lp_solver", ModuleType("lp_solver"))
    from open_spiel.python.algorithms.value_iteration import value_iteration

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # it walks from state to state, each within the call of the one before
    try:
        values = value_iteration(zero_sum(), depth_limit=-1, threshold=1e-8, cyclic_game=True)
    finally:
        sys.setrecursionlimit(limit)
    start = zero_sum().new_initial_state()
    found = sum(weight * values[str(start.child(roll))] for roll, weight in start.chance_outcomes())
    assert (1 + found) / 2 == pytest.approx(0.5492379, abs=1e-7)
    assert (1 + found) / 2 == pytest.approx(solve_whole(TILES, TINY).start_value, abs=1e-7)


def test_algorithms_that_run() -> None:
    """Those of docs/environments.md that need nothing else installed and no walk over every history."""
    from open_spiel.python.algorithms import mcts, minimax, outcome_sampling_mccfr, tabular_qlearner

    game = zero_sum()
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    value, action = minimax.expectiminimax(state, 3, lambda _: 0.0, 0)
    assert -1 <= value <= 1
    assert action in state.legal_actions()
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.0, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state) in state.legal_actions()
    outcome_sampling_mccfr.OutcomeSamplingSolver(game).iteration()
    env = Environment(game)
    agents = [tabular_qlearner.QLearner(seat, env.action_spec()["num_actions"]) for seat in range(2)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sorted(step.rewards) == [-1, 1]
