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

from pickomino.envs.episodes import ILLEGAL_REWARD, MOST_DECISIONS, Episodes, seated
from pickomino.envs.forms import Form, mask_space, observation_space
from pickomino.envs.picture import MODES, check_mode, render
from pickomino.game import Game
from pickomino.rules import Edition, Position
from pickomino.simulate.kernels import BROKEN_OFF


def env(**options: Any) -> Any:
    """The environment in PettingZoo's wrappers; the options are those of `raw_env`."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo has no types; the name is the one it asks for
    """Agents ``seat_0`` to ``seat_6``; one step is one move of the agent whose turn it is.

    An observation is a dictionary of ``observation``, from where that agent sits, and ``action_mask``, all 0
    unless it is to act. Rewards come at the end: the share of the win, or with ``reward="worms"`` the worms.
    The game is truncated after `max_cycles` moves.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
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
        self.games = Episodes(
            1,
            edition,
            seated(None, num_seats),
            observation,
            reward,
            first=first,
            start=start,
            illegal="raise",
            max_decisions=max_cycles,
        )
        self.render_mode = check_mode(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(num_seats)]
        self.agents = list(self.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout = self.games.layout
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_space(layout, observation, masked=False),
                    "action_mask": mask_space(layout),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.games.table)) for agent in self.possible_agents}
        self._lane, self._chosen = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        self._begun = False

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. A seed fixes it and all that follow; `options` are ignored: PettingZoo's kit hands some in."""
        if seed is None and not self._begun:
            seed = int(seeding.np_random()[0].integers(1 << 63))
        self.games.begin(None, None if seed is None else [seed])
        self._begun = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._chosen[0] = action
        ended = self.games.advance(self._lane, self._chosen)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if ended:
            finish = self.games.finish(self._lane)
            broken_off = self.games.state[0] == BROKEN_OFF
            how = self.truncations if broken_off else self.terminations
            how |= dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, finish.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        self._tell()

    def _tell(self) -> None:
        """Who is to act, and their mask in the info too; the others have an empty one."""
        self.agent_selection = self.possible_agents[self.games.viewer[0]]
        if self.render_mode == "human":
            self.render()
        mask = self.games.seen.masks[0]
        self.infos = {agent: {"action_mask": np.zeros_like(mask)} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = mask.copy()

    def observe(self, agent: str) -> dict[str, Any]:
        self.games.look(self._seat_of[agent])
        seen = self.games.seen
        return {"observation": seen.one(masked=False), "action_mask": seen.masks[0].copy()}

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return self.games.position(0)

    def game(self) -> Game:
        """The episode so far as a game, each ply checked by the rules."""
        return self.games.lane_game(0)

    def render(self) -> Any:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        pass
