"""``pickomino/Pickomino-v0`` for Gymnasium: one agent against bots that have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pickomino.envs.forms import Form, mask_space, observation_space
from pickomino.envs.kernels import BROKEN_OFF, ILLEGAL, OVER, RUNNING
from pickomino.envs.picture import check_mode, render
from pickomino.envs.table import MOST_DECISIONS, Table, check_reward
from pickomino.game import Game
from pickomino.rules import MAX_SEATS, Edition, IllegalMoveError, PickominoError, Position

__all__ = ["ILLEGAL_REWARD", "PickominoEnv"]

ILLEGAL_REWARD = -1.0  # less than any result of a game


class PickominoEnv(gymnasium.Env[Any, Any]):
    """One step is one move of the agent; dice fall and bots move inside it.

    The agent has seat 0, the bots the seats after it. An action is an index into
    `pickomino.compact.moves.move_table`, and ``info["action_mask"]`` or `action_masks` says which are legal. One
    that is not ends the episode with a reward of -1 (``illegal="raise"``: an error, and nothing has happened).
    The reward comes at the end: the share of the win, or with ``reward="worms"`` the agent's worms.

    >>> env = PickominoEnv(bots=["cautious"])
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum()) > 0
    ((120,), True)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        edition: Edition | str = "classic",
        bots: Sequence[str] | str = ("cautious",),
        *,
        observation: Form = "flat",
        reward: str = "win",
        first: int | None = None,
        start: Position | None = None,
        illegal: str = "lose",
        max_decisions: int = MOST_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        opponents = [bots] if isinstance(bots, str) else list(bots)
        if not 1 <= len(opponents) < MAX_SEATS:
            raise PickominoError(f"{len(opponents)} bots: expected 1 to {MAX_SEATS - 1}")
        if illegal not in ("lose", "raise"):
            raise PickominoError(f"illegal {illegal!r}: expected lose or raise")
        self.table = Table(
            edition, [None, *opponents], observation, first=first, start=start, most_decisions=max_decisions
        )
        self._seen = self.table.seen
        self._reward = check_reward(reward)
        self._raises = illegal == "raise"
        self._state = OVER
        self._with_mask = observation == "dict"
        self.render_mode = check_mode(render_mode)
        layout = self.table.layout
        self.action_space = spaces.Discrete(len(self.table.moves))
        self.observation_space = observation_space(layout, observation)
        if isinstance(self.observation_space, spaces.Dict):
            named = self.observation_space.spaces
            self.observation_space = spaces.Dict({**named, "action_mask": mask_space(layout)})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new game. A seed fixes it and all that follow; `options` are not used."""
        super().reset(seed=seed)
        self._state = RUNNING
        while self.table.begin(self.np_random) != RUNNING:
            pass  # from a start near the end the bots may have ended the game before the agent's first turn
        self.table.look(0)
        return self._show()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._state != RUNNING:
            raise PickominoError("the episode has ended: reset comes before the next step")
        table = self.table
        state = table.step(int(action), 0)
        if state == RUNNING:
            observation, info = self._show()
            return observation, 0.0, False, False, info
        if state == ILLEGAL and self._raises:
            position = table.position
            move = table.moves.texts[action] if 0 <= action < len(table.moves) else f"number {action}"
            expected = ", ".join(map(str, position.moves()))
            raise IllegalMoveError(f"move {move!r} is not legal in {str(position)!r}: expected {expected}")
        self._state = state
        observation, info = self._show()
        info["worms"] = table.results("worms")
        if state == ILLEGAL:
            info["illegal_action"] = int(action)
            return observation, ILLEGAL_REWARD, True, False, info
        if state == BROKEN_OFF:
            return observation, 0.0, False, True, info
        info["win_shares"] = table.results("win")
        return observation, table.results(self._reward)[0], True, False, info

    def _show(self) -> tuple[Any, dict[str, Any]]:
        mask = self._seen.masks[0].copy()
        observation = self._seen.one()
        if self._with_mask:
            observation["action_mask"] = mask
        return observation, {"action_mask": mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, under the name that sb3-contrib asks for."""
        legal: NDArray[np.bool_] = self._seen.masks[0].astype(np.bool_)
        return legal

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return self.table.position

    def game(self) -> Game:
        """The episode so far as a game, each ply checked by the rules."""
        return self.table.game()

    def render(self) -> Any:
        return render(self.table.position, self.render_mode)
