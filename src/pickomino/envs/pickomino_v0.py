"""``pickomino_v0`` for PettingZoo: 2 to 7 agents in turn, every edition.

`env` has PettingZoo's usual wrappers around it: an illegal move ends the game, -1 for who made it and 0 for the
others. `raw_env` is the environment itself, where an illegal move raises and nothing has happened.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pickomino.envs.errors import MissingExtraError

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise MissingExtraError("pickomino_v0 needs the extra envs: pip install pickomino[envs]") from error

from pickomino.envs.forms import Form, mask_space, observation_space
from pickomino.envs.kernels import BROKEN_OFF, ILLEGAL, OVER, RUNNING
from pickomino.envs.picture import check_mode, render
from pickomino.envs.single import ILLEGAL_REWARD
from pickomino.envs.table import MOST_DECISIONS, Table, check_reward
from pickomino.game import Game
from pickomino.rules import MAX_SEATS, MIN_SEATS, Edition, IllegalMoveError, PickominoError, Position

__all__ = ["env", "raw_env"]


def env(**options: Any) -> Any:
    """The environment in PettingZoo's wrappers; the options are those of `raw_env`."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo has no types; the name is the one it asks for
    """Agents ``seat_0`` to ``seat_6``; one step is one move of the agent whose turn it is.

    An observation is a dictionary of ``observation``, from where that agent sits, and ``action_mask``, all 0
    unless it is to act. Rewards come at the end: the share of the win, or with ``reward="worms"`` the worms.
    The game is broken off after `max_cycles` moves.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array"],
        "name": "pickomino_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        num_seats: int = 2,
        edition: Edition | str = "classic",
        *,
        observation: Form = "flat",
        reward: str = "win",
        first: int | None = None,
        start: Position | None = None,
        max_cycles: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if not MIN_SEATS <= num_seats <= MAX_SEATS:
            raise PickominoError(f"{num_seats} seats: expected {MIN_SEATS} to {MAX_SEATS}")
        self.table = Table(
            edition, [None] * num_seats, observation, first=first, start=start, most_decisions=max_cycles
        )
        self._reward = check_reward(reward)
        self.render_mode = check_mode(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(num_seats)]
        self.agents = list(self.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout = self.table.layout
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": observation_space(layout, observation), "action_mask": mask_space(layout)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.table.moves)) for agent in self.possible_agents}
        self._rng: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. A seed fixes it and all that follow; `options` are not used."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.table.begin(self._rng)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self.table.seat]
        self._tell_masks()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        state = table.step(int(action))
        if state == ILLEGAL:
            position = table.position
            move = table.moves.texts[action] if 0 <= action < len(table.moves) else f"number {action}"
            expected = ", ".join(map(str, position.moves()))
            raise IllegalMoveError(f"move {move!r} is not legal in {str(position)!r}: expected {expected}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if state == RUNNING:
            self.agent_selection = self.agents[table.seat]
        elif state == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, table.results(self._reward), strict=True))
        elif state == BROKEN_OFF:
            self.truncations = dict.fromkeys(self.agents, True)
        self._tell_masks()
        if state != RUNNING:
            self._accumulate_rewards()

    def _tell_masks(self) -> None:
        """The mask of who is to act, in its info too; the others have an empty one."""
        seen = self.table.seen
        self.infos = {agent: {"action_mask": np.zeros_like(seen.masks[0])} for agent in self.agents}
        if not any(self.terminations.values()):
            self.table.look(self._seat_of[self.agent_selection])
            self.infos[self.agent_selection]["action_mask"] = seen.masks[0].copy()

    def observe(self, agent: str) -> dict[str, Any]:
        self.table.look(self._seat_of[agent])
        seen = self.table.seen
        return {"observation": seen.one(), "action_mask": seen.masks[0].copy()}

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return self.table.position

    def game(self) -> Game:
        """The episode so far as a game, each ply checked by the rules."""
        return self.table.game()

    def render(self) -> Any:
        return render(self.table.position, self.render_mode)

    def close(self) -> None:
        pass
