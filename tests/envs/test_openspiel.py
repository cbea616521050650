"""The OpenSpiel game: OpenSpiel's own tests and algorithms, and its values against the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment

from pickomino import PickominoError, Position, Roll, parse_position
from pickomino.envs.openspiel import SHORT_NAME, PickominoState, observation_of

ENDING = (
    "pkp1 classic 21,22 24/25 A -:?"  # whole random games are slow there: a second for every hundred moves
)
DELUXE = str(Position.start("deluxe", 3))


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
