"""One game at a time for the environments that step one: agents' seats, bots' seats, what each of them sees."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots import Bot, make_bot
from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.moves import MoveTable, move_table
from pickomino.compact.packed import NONE, PACKED, unpack
from pickomino.compact.tables import edition_tables
from pickomino.envs.forms import Form, Seen
from pickomino.envs.kernels import (
    AGENT,
    BROKEN_OFF,
    CAUTIOUS,
    ILLEGAL,
    OVER,
    RANDOM,
    RUNNING,
    begin,
    see,
    step_one,
)
from pickomino.envs.layout import layout_of
from pickomino.game import Game
from pickomino.rules import MAX_SEATS, Edition, IllegalMoveError, PickominoError, Position
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.replay import replay_game
from pickomino.simulate.results import edition_of, packed_starts

__all__ = ["BOTS_MOST", "KERNEL_BOTS", "MOST_DECISIONS", "Table", "check_reward"]

KERNEL_BOTS: Final = {"cautious": CAUTIOUS, "random": RANDOM}
"""Bots that play inside the kernel, fifty times as fast as through `Bot.choose`."""

MOST_DECISIONS: Final = 20_000  # uniformly random games of classic take about 1,700
BOTS_MOST: Final = 256  # six bots in a row, each at most 8 + 1 keeps and as many rolls, and a few choices
REWARDS: Final = ("win", "worms")


def check_reward(reward: str) -> str:
    if reward not in REWARDS:
        raise PickominoError(f"reward {reward!r}: expected one of {', '.join(REWARDS)}")
    return reward


class Table:
    """A game by seed: the dice, who begins, and every choice of a bot follow from it.

    `players` has one entry a seat: None for an agent, or the name of a bot. `first` is the seat to begin, None
    for one that the seed chooses; `start` a position to begin at instead.
    """

    def __init__(
        self,
        edition: Edition | str,
        players: Sequence[str | None],
        form: Form,
        *,
        first: int | None = None,
        start: Position | None = None,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        if most_decisions < 1:
            raise PickominoError(f"{most_decisions} decisions at most: expected one or more")
        self.edition = edition_of(edition)
        self.seats = len(players)
        self.players = tuple(players)
        self.layout = layout_of(self.edition, self.seats)
        self.seen = Seen(self.layout, form, 1)
        firsts = list(range(self.seats)) if first is None else [first]
        self._starts = packed_starts(self.edition, self.seats, firsts, start)
        self._positions, self._runs = np.zeros(1, dtype=PACKED), np.zeros(1, dtype=RUN)
        self._log: Any = np.zeros(1, dtype=LOG)[0]
        self._most = most_decisions
        self._history = np.zeros((1, most_decisions + BOTS_MOST), dtype=np.int8)
        self._policies = np.zeros(MAX_SEATS + 1, dtype=np.int64)
        self._bots: dict[int, Bot] = {}
        for seat, name in enumerate(players):
            if name is not None:
                self._policies[seat] = KERNEL_BOTS.get(name, AGENT)
                if name not in KERNEL_BOTS:
                    self._bots[seat] = make_bot(name)
        self._viewers = {seat: np.array([seat], dtype=np.int8) for seat in range(self.seats)}
        self._viewers[NONE] = np.zeros(0, dtype=np.int8)
        self._whole = np.ones(1, dtype=np.bool_)
        self._rng = random.Random()
        self.seed, self.number = 0, 0
        self._tables: Any = edition_tables(self.edition)[0]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_tables"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tables = edition_tables(self.edition)[0]

    @property
    def moves(self) -> MoveTable:
        """Index <-> move of this edition."""
        return move_table(self.edition)

    def begin(self, rng: np.random.Generator) -> int:
        """A new game with numbers of a generator; how it stands when an agent is to act first."""
        self.seed = int(rng.integers(1 << 63))
        self.number = int(rng.integers(len(self._starts)))
        self._rng.seed(self.seed)
        begin(
            self._tables,
            self._positions,
            self._runs,
            self._starts,
            np.uint64(self.seed),
            self.number,
            self._policies,
            self._history,
            self._log,
        )
        self._ask()
        return RUNNING if self._runs["legal"][0] else OVER

    def step(self, action: int, viewer: int = NONE) -> int:
        """A move of the agent to act and the bots' answers; how that leaves the game (see the kernels).

        An illegal one changes nothing. `seen` shows then what the viewer sees, if there is one.
        """
        state = self._play(action, viewer, self._most)
        if not self._bots or state in (ILLEGAL, OVER):
            return state
        self._ask()
        if viewer != NONE:
            self.look(viewer)
        if not self._runs["legal"][0]:
            return OVER
        return BROKEN_OFF if self.decisions >= self._most else RUNNING

    def _play(self, action: int, viewer: int, most: int) -> int:
        seen = self.seen
        state: int = step_one(
            self._tables,
            self._positions,
            self._runs,
            self._policies,
            self._history,
            action,
            most,
            self._viewers[viewer],
            self._whole,
            self.layout.offsets,
            seen.scale,
            seen.rows,
            seen.words,
            self._log,
        )
        return state

    def _ask(self) -> None:
        """The bots that choose in Python, one decision after the other, until an agent is to act."""
        while (bot := self._bots.get(self.seat)) is not None:
            move = bot.choose(self.position, self._rng)
            if self._play(self.moves.index(move), NONE, self._most) == ILLEGAL:
                raise IllegalMoveError(f"a bot plays {str(move)!r} in {str(self.position)!r}")

    def look(self, viewer: int) -> None:
        """Put into `seen` what a seat sees; legal moves only if it is to act."""
        seen = self.seen
        see(
            self._tables,
            self._positions,
            self._runs,
            self._viewers[viewer],
            self._whole,
            self.layout.offsets,
            seen.scale,
            seen.rows,
            seen.words,
        )

    @property
    def seat(self) -> int:
        """To act; 7 once the game is over."""
        return int(self._positions["seat"][0])

    @property
    def decisions(self) -> int:
        """Moves so far, those of the bots included."""
        return int(self._runs["decisions"][0])

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return unpack(self._positions[0], self.edition)

    @property
    def actions(self) -> NDArray[np.int64]:
        """The moves so far, of agents and bots."""
        return self._history[0, : self.decisions].astype(np.int64)

    def game(self) -> Game:
        """The game so far with every ply, each checked by the rules."""
        actions = self.actions
        return replay_game(self.edition, self._starts, self.seed, self.number, actions, len(actions))

    def results(self, reward: str) -> list[float]:
        """What every seat gets if the game is over now: its share of the win, or its worms."""
        worms, winners = worm_counts(self.edition, self.seats, self._positions)
        found: list[float] = (worms if reward == "worms" else win_shares(winners, self.seats))[0].tolist()
        return found
