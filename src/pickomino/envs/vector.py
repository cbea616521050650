"""Thousands of games at once behind Gymnasium's vector API, on the kernels of the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.moves import MoveTable, move_table
from pickomino.compact.packed import PACKED, unpack
from pickomino.compact.tables import edition_tables
from pickomino.envs.forms import Form, Seen, observation_space
from pickomino.envs.kernels import BROKEN_OFF, ILLEGAL, RUNNING, begin, sample, see, step_lanes
from pickomino.envs.layout import layout_of
from pickomino.envs.picture import check_mode, render
from pickomino.envs.single import ILLEGAL_REWARD
from pickomino.envs.table import BOTS_MOST, KERNEL_BOTS, MOST_DECISIONS, check_reward
from pickomino.game import Game
from pickomino.rules import MAX_SEATS, Edition, PickominoError, Position
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.replay import replay_game
from pickomino.simulate.results import edition_of, packed_starts

__all__ = ["PickominoVectorEnv"]


class PickominoVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Each step is one move in every game; a game that ends is followed by the next in the same step.

    Without `bots` it is self-play: whoever is to act in a game, ``infos["seat"]``, is who the observation is for,
    and the reward is that of the seat that made the step. ``infos["rewards"]`` has all seats' where games ended.
    With `bots` (``cautious`` and ``random``) the agent has seat 0 and the bots move inside the step.

    ``infos["action_mask"]`` says which moves are legal; one that is not ends the game with a reward of -1.
    The seats take turns to begin. ``copy=False`` hands out the arrays that the next step writes into.

    >>> envs = PickominoVectorEnv(8)
    >>> observations, infos = envs.reset(seed=1)
    >>> for _ in range(10):
    ...     observations, rewards, over, broken_off, infos = envs.step(envs.sample_legal())
    >>> observations.shape
    (8, 120)
    """

    metadata = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1024,
        edition: Edition | str = "classic",
        seats: int | None = None,
        bots: Sequence[str] | str = (),
        *,
        observation: Form = "flat",
        reward: str = "win",
        first: int | None = None,
        start: Position | None = None,
        max_decisions: int = MOST_DECISIONS,
        copy: bool = True,
        log: bool = False,
        render_mode: str | None = None,
    ) -> None:
        opponents = [bots] if isinstance(bots, str) else list(bots)
        if num_envs < 1 or max_decisions < 1:
            raise PickominoError(
                f"{num_envs} games of {max_decisions} decisions: expected one at least of each"
            )
        if unknown := sorted(set(opponents) - set(KERNEL_BOTS)):
            raise PickominoError(f"bots {unknown}: the vector env has {' and '.join(KERNEL_BOTS)}")
        if seats is None:
            seats = 1 + len(opponents) if opponents else 2
        if not 2 <= seats <= MAX_SEATS or (opponents and seats != 1 + len(opponents)):
            raise PickominoError(
                f"{seats} seats, {len(opponents)} bots: expected 2 to {MAX_SEATS} seats, and a bot for all but one"
            )
        if opponents and start is not None and start.seat != 0:
            raise PickominoError(f"start {str(start)!r}: expected the agent, seat A, to act")
        self.num_envs = num_envs
        self.edition = edition_of(edition)
        self.seats = seats
        self.layout = layout_of(self.edition, seats)
        self.render_mode = check_mode(render_mode)
        self._reward = check_reward(reward)
        self._copy = copy
        self._most = max_decisions
        self._seen = Seen(self.layout, observation, num_envs)
        self._starts = packed_starts(
            self.edition, seats, list(range(seats)) if first is None else [first], start
        )
        self._positions, self._runs = np.zeros(num_envs, dtype=PACKED), np.zeros(num_envs, dtype=RUN)
        self._ended, self._lengths = self._positions.copy(), np.zeros(num_envs, dtype=np.int64)
        self._history = np.zeros((num_envs, max_decisions + BOTS_MOST if log else 0), dtype=np.int8)
        self._played = self._history.copy()
        self._state = np.zeros(num_envs, dtype=np.int8)
        self._policies = np.zeros(MAX_SEATS + 1, dtype=np.int64)
        self._policies[1 : 1 + len(opponents)] = [KERNEL_BOTS[name] for name in opponents]
        self._log: Any = np.zeros(1, dtype=LOG)[0]
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._whole = self._all.copy()
        self._actors = np.zeros(num_envs, dtype=np.int8)
        self._game_seed = 0
        self._tables: Any = edition_tables(self.edition)[0]
        self.single_action_space = spaces.Discrete(len(self.moves))
        self.single_observation_space = observation_space(self.layout, observation)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_tables"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tables = edition_tables(self.edition)[0]

    @property
    def moves(self) -> MoveTable:
        """Index <-> move of this edition."""
        return move_table(self.edition)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """All games anew. One seed fixes all of them and all that follow; `options` are not used."""
        if isinstance(seed, list):
            raise PickominoError("a list of seeds: expected one, the games have streams of their own")
        super().reset(seed=seed)
        self._game_seed = int(self.np_random.integers(1 << 63))
        begin(
            self._tables,
            self._positions,
            self._runs,
            self._starts,
            np.uint64(self._game_seed),
            0,
            self._policies,
            self._history,
            self._log,
        )
        self._state[:] = RUNNING
        self._look(self._positions, self._positions["seat"], self._all, self._seen)
        return self._seen.all(self._copy), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise PickominoError(f"actions of shape {chosen.shape}: expected {(self.num_envs,)}")
        seen, actors = self._seen, self._actors
        ended = step_lanes(
            self._tables,
            self._positions,
            self._runs,
            self._starts,
            np.uint64(self._game_seed),
            self._policies,
            chosen,
            self._most,
            actors,
            self._state,
            self._ended,
            self._lengths,
            self._history,
            self._played,
            self._whole,
            self._log,
        )
        self._look(self._positions, self._positions["seat"], self._whole, seen)
        rewards = np.zeros(self.num_envs)
        infos = self._infos()
        if not ended:
            over = np.zeros(self.num_envs, dtype=np.bool_)
            return seen.all(self._copy), rewards, over, over.copy(), infos
        at = np.flatnonzero(self._state)
        results = self._results(at, actors)
        rewards[at] = results[np.arange(len(at)), actors[at]]
        infos |= self._final(at, actors, results)
        broken_off = self._state == BROKEN_OFF
        return seen.all(self._copy), rewards, (self._state != RUNNING) & ~broken_off, broken_off, infos

    def _results(self, at: NDArray[np.int64], actors: NDArray[np.int8]) -> NDArray[np.float64]:
        """What each seat gets in the games that ended: (games, seats)."""
        worms, winners = worm_counts(self.edition, self.seats, self._ended[at])
        results = worms.astype(np.float64) if self._reward == "worms" else win_shares(winners, self.seats)
        state = self._state[at]
        results[state != 1] = 0.0
        illegal = np.flatnonzero(state == ILLEGAL)
        results[illegal, actors[at[illegal]]] = ILLEGAL_REWARD
        return results

    def _final(
        self, at: NDArray[np.int64], actors: NDArray[np.int8], results: NDArray[np.float64]
    ) -> dict[str, Any]:
        """The last observations of games that ended, as Gymnasium's own vector envs hand them out."""
        seen = Seen(self.layout, self._seen.form, len(at))
        self._look(self._ended[at], actors[at], self._all, seen)
        rows = seen.all(False)
        final = np.full(self.num_envs, None, dtype=object)
        for index, lane in enumerate(at.tolist()):
            final[lane] = (
                {name: part[index] for name, part in rows.items()} if isinstance(rows, dict) else rows[index]
            )
        which = self._state != RUNNING
        rewards = np.zeros((self.num_envs, self.seats))
        rewards[at] = results
        return {
            "final_obs": final,
            "_final_obs": which,
            "final_info": {"decisions": np.where(which, self._lengths, 0), "_decisions": which},
            "_final_info": which,
            "rewards": rewards,
            "_rewards": which,
        }

    def _look(
        self, positions: NDArray[Any], viewers: NDArray[np.int8], whole: NDArray[np.bool_], seen: Seen
    ) -> None:
        see(
            self._tables,
            positions,
            self._runs,
            viewers,
            whole,
            self.layout.offsets,
            seen.scale,
            seen.rows,
            seen.words,
        )

    def _infos(self) -> dict[str, Any]:
        masks = self._seen.masks.copy() if self._copy else self._seen.masks
        return {
            "action_mask": masks,
            "_action_mask": self._all,
            "seat": self._positions["seat"].copy(),
            "_seat": self._all,
        }

    def sample_legal(self) -> NDArray[np.int64]:
        """A uniformly random legal move per game, by the generator of this environment."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        sample(self._tables, self._runs, self.np_random.random(self.num_envs), actions)
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves: (games, moves)."""
        return self._seen.masks.astype(np.bool_)

    def position(self, index: int) -> Position:
        """One game as the rules see it."""
        return unpack(self._positions[index], self.edition)

    def game(self, index: int, *, ended: bool = False) -> Game:
        """The game that goes on in a row, or the one that ended last there; needs ``log=True``.

        Each ply is checked by the rules.
        """
        if not self._history.shape[1]:
            raise PickominoError(f"game of row {index}: its moves were not written down, which log=True does")
        number, length = int(self._runs["number"][index]), int(self._runs["decisions"][index])
        source = self._history
        if ended:
            if number < self.num_envs:
                raise PickominoError(f"row {index}: no game has ended there")
            number, length, source = number - self.num_envs, int(self._lengths[index]), self._played
        actions = source[index, :length].astype(np.int64)
        return replay_game(self.edition, self._starts, self._game_seed, number, actions, length)

    def render(self) -> Any:
        """One picture a game."""
        return tuple(render(self.position(index), self.render_mode) for index in range(self.num_envs))
