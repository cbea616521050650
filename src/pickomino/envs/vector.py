"""Thousands of games at once behind Gymnasium's vector API, on the kernels of the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from pickomino.compact.moves import MoveTable
from pickomino.envs.episodes import MOST_DECISIONS, Episodes, Opponent, known_options, seated
from pickomino.envs.forms import Form, observation_space
from pickomino.envs.picture import PICTURES, check_mode, render
from pickomino.game import Game
from pickomino.rules import Edition, PickominoError, Position
from pickomino.simulate.kernels import BROKEN_OFF
from pickomino.simulate.lanes import Ints

Bools = NDArray[np.bool_]


class PickominoVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """`PickominoEnv`, many at once: the same options, and lane i of seed s plays the episodes of seed s + i there.

    What follows a game that ended is up to `autoreset_mode`: with SAME_STEP the next one begins in the same step, and
    ``infos["final_obs"]`` and ``infos["final_info"]`` describe the end; with NEXT_STEP it begins in the next step,
    which ignores the action; with DISABLED it waits for ``reset(options={"reset_mask": ...})``.

    ``copy=False`` hands out the arrays that the next step writes into; ``log=True`` keeps what `game` needs.

    >>> envs = PickominoVectorEnv(8, bots=["cautious"])
    >>> observations, infos = envs.reset(seed=1)
    >>> for _ in range(10):
    ...     observations, rewards, over, broken_off, infos = envs.step(envs.sample_legal())
    >>> observations.shape
    (8, 120)
    """

    def __init__(
        self,
        num_envs: int = 1024,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        log: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [*PICTURES], "render_fps": 2, "autoreset_mode": self.autoreset_mode}
        self.games = Episodes(
            num_envs,
            edition,
            seated(bots, seats),
            observation,
            reward,
            first=first,
            start=start,
            illegal=illegal,
            max_decisions=max_decisions,
            auto_reset=self.autoreset_mode is AutoresetMode.SAME_STEP,
            log=log,
        )
        self.num_envs = num_envs
        self.render_mode = check_mode(render_mode, PICTURES)
        self._copy = copy
        self._begun = False
        self._all: Bools = np.ones(num_envs, dtype=np.bool_)
        self._lanes = np.arange(num_envs)
        self.single_action_space = spaces.Discrete(len(self.moves))
        self.single_observation_space = observation_space(self.games.layout, observation)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    @property
    def moves(self) -> MoveTable:
        """Index <-> move of this edition."""
        return self.games.table

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games in all lanes, or in those of ``options["reset_mask"]``.

        A seed, or a list with one per lane, fixes these games and all that follow; without one the games go on
        that follow those before.
        """
        begins = self._mask(known_options(options, "reset_mask").get("reset_mask"))
        super().reset(seed=None if isinstance(seed, list) else seed)
        seeds = self._seeds(seed)
        fresh = np.array([one is not None for one in seeds])
        for some, given in ((begins & ~fresh, False), (begins & fresh, True)):
            lanes = np.flatnonzero(some)
            if len(lanes):
                self.games.begin(lanes, [seeds[lane] for lane in lanes] if given else None)
        self._begun = True
        return self.games.seen.all(self._copy), self._infos()

    def _mask(self, mask: Any) -> Bools:
        given = self._all if mask is None else np.asarray(mask)
        if given.shape != self._all.shape or given.dtype != np.bool_ or not given.any():
            raise PickominoError(
                f"reset_mask of shape {given.shape} and type {given.dtype}: "
                f"expected {self._all.shape} booleans, at least one of them true"
            )
        return given

    def _seeds(self, seed: int | list[int | None] | None) -> list[int | None]:
        """Per lane, None for games that go on with the seed they have."""
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise PickominoError(f"{len(seed)} seeds: expected {self.num_envs}, one per lane")
            seeds = seed
        else:
            seeds = [None if seed is None else seed + lane for lane in range(self.num_envs)]
        if self._begun:
            return seeds
        drawn = self.np_random.integers(1 << 63, size=self.num_envs).tolist()
        return [one if given is None else given for given, one in zip(seeds, drawn, strict=True)]

    def step(self, actions: ArrayLike) -> tuple[Any, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise PickominoError(f"actions of shape {chosen.shape}: expected {(self.num_envs,)}")
        if not self._begun:
            raise PickominoError("the games have not begun: call reset before the first step")
        ended = self._advance(chosen)
        rewards, infos = np.zeros(self.num_envs), self._infos()
        if not ended:
            over = np.zeros(self.num_envs, dtype=np.bool_)
            return self.games.seen.all(self._copy), rewards, over, over.copy(), infos
        state = self.games.state
        at = np.flatnonzero(state)
        columns = self._spread(at, self.games.finish(at)._asdict())
        rewards[at] = columns["rewards"][at, self.games.actor[at]]
        infos |= self._final(at, columns) if self.games.follows else columns
        broken_off = state == BROKEN_OFF
        return self.games.seen.all(self._copy), rewards, (state != 0) & ~broken_off, broken_off, infos

    def _advance(self, chosen: Ints) -> int:
        if self.games.follows:
            return self.games.advance(self._lanes, chosen)
        waiting = np.flatnonzero(self.games.done)
        if not len(waiting):
            return self.games.advance(self._lanes, chosen)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            raise PickominoError(f"{len(waiting)} games have ended: call reset before the next step")
        going = np.flatnonzero(~self.games.done)
        ended = self.games.advance(going, chosen[going])
        self.games.begin(waiting)
        return ended

    def _spread(self, at: Ints, rows: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """Something of some lanes, in the form of Gymnasium's vector envs: a row per lane, and which of them count."""
        spread: dict[str, Any] = {}
        for name, some in rows.items():
            spread[name] = np.zeros((self.num_envs, *some.shape[1:]), dtype=some.dtype)
            spread[name][at] = some
            spread[f"_{name}"] = np.zeros(self.num_envs, dtype=np.bool_)
            spread[f"_{name}"][at] = True
        return spread

    def _final(self, at: Ints, columns: dict[str, Any]) -> dict[str, Any]:
        """The end of games that others have followed in the same step."""
        seen = self.games.last_seen(at)
        final = np.full(self.num_envs, None, dtype=object)
        for index, lane in enumerate(at.tolist()):
            final[lane] = seen.one(index)
        shown = {"action_mask": seen.masks, "seat": self.games.actor[at]}
        return {
            "final_obs": final,
            "_final_obs": columns["_rewards"],
            "final_info": self._spread(at, shown) | columns,
            "_final_info": columns["_rewards"],
        }

    def _infos(self) -> dict[str, Any]:
        masks = self.games.seen.masks
        return {
            "action_mask": masks.copy() if self._copy else masks,
            "_action_mask": self._all,
            "seat": self.games.viewer,
            "_seat": self._all,
        }

    def sample_legal(self) -> Ints:
        """A uniformly random legal move per game, from the game's own stream: another one after every step."""
        return self.games.random_moves()

    def action_masks(self) -> Bools:
        """The legal moves: (games, moves)."""
        return self.games.seen.masks.astype(np.bool_)

    def position(self, index: int) -> Position:
        """One game as the rules see it."""
        return self.games.position(index)

    def game(self, index: int, *, ended: bool = False) -> Game:
        """The game that goes on in a lane, or the one that ended last there, each ply checked by the rules.

        It needs ``log=True``.
        """
        return self.games.lane_game(index, ended=ended)

    def render(self) -> Any:
        """One picture per game."""
        return tuple(render(self.position(index), self.render_mode) for index in range(self.num_envs))
