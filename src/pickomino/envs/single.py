"""``pickomino/Pickomino-v0`` for Gymnasium: one agent against bots that have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pickomino.envs.episodes import MOST_DECISIONS, Episodes, Opponent, known_options, seated
from pickomino.envs.forms import Form, observation_space
from pickomino.envs.picture import MODES, check_mode, render
from pickomino.game import Game
from pickomino.rules import Edition, PickominoError, Position
from pickomino.simulate.kernels import BROKEN_OFF

_LANE = np.zeros(1, dtype=np.int64)


class PickominoEnv(gymnasium.Env[Any, Any]):
    """One step is one move of the agent; dice fall and bots move inside it.

    The agent has seat 0, `bots` the seats after it: names or bots, by default one ``cautious``. A None
    among them, or `seats` in place of them, gives seats to agents: then whoever is to act, ``info["seat"]``, is
    who the observation is for, and the reward is that of the seat that made the step.

    An action is an index into `pickomino.compact.moves.move_table`, and ``info["action_mask"]`` or `action_masks`
    says which are legal. One that is not ends the episode with a reward of -1 (``illegal="raise"``: an error, and
    nothing has happened). The reward comes at the end: the share of the win, or with ``reward="worms"`` the worms.

    >>> env = PickominoEnv(bots=["cautious"])
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum()) > 0
    ((120,), True)
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        edition: Edition | str = "classic",
        bots: Sequence[Opponent] | Opponent = None,
        *,
        seats: int | None = None,
        observation: Form = "flat",
        reward: str = "win",
        first: int | None = None,
        start: Position | None = None,
        illegal: str = "lose",
        max_decisions: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        self.games = Episodes(
            1,
            edition,
            seated(bots, seats),
            observation,
            reward,
            first=first,
            start=start,
            illegal=illegal,
            max_decisions=max_decisions,
        )
        self._chosen = np.zeros(1, dtype=np.int64)
        self._begun = self._running = False
        self.render_mode = check_mode(render_mode)
        self.action_space = spaces.Discrete(len(self.games.table))
        self.observation_space = observation_space(self.games.layout, observation)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new game. A seed fixes it and all that follow; there are no `options`."""
        known_options(options)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(1 << 63))
        self.games.begin(None, None if seed is None else [seed])
        self._begun = self._running = True
        if self.render_mode == "human":
            self.render()
        return self._show()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self._running:
            raise PickominoError("the episode has ended: call reset before the next step")
        games = self.games
        self._chosen[0] = action
        ended = games.advance(_LANE, self._chosen)
        if self.render_mode == "human":
            self.render()
        observation, info = self._show()
        if not ended:
            return observation, 0.0, False, False, info
        self._running = False
        finish = games.finish(_LANE)
        info |= {name: column[0] for name, column in finish._asdict().items()}
        broken_off = bool(games.state[0] == BROKEN_OFF)
        return observation, float(info["rewards"][info["seat"]]), not broken_off, broken_off, info

    def _show(self) -> tuple[Any, dict[str, Any]]:
        seen = self.games.seen
        return seen.one(), {"action_mask": seen.masks[0].copy(), "seat": self.games.viewer[0]}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, under the name that sb3-contrib expects."""
        legal: NDArray[np.bool_] = self.games.seen.masks[0].astype(np.bool_)
        return legal

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return self.games.position(0)

    def game(self) -> Game:
        """The episode so far as a game, each ply checked by the rules."""
        return self.games.lane_game(0)

    def render(self) -> Any:
        return render(self.position, self.render_mode)
