"""Luck taken out of whole games in lockstep: what the dice brought beyond their exact expectation.

A game's result less its luck has the same mean as the result, whoever plays and whatever the values are, because the
luck of each roll has mean zero; with the champion's values it is nearly free of noise. In a turn the value to the
seat to act is exact for the champion's estimate. To the other seats it is what is left, in parts as the estimate had
them when the turn began: exact with two seats, a fair guess with more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots import Bot
from pickomino.bots.champion import ChampionBot
from pickomino.bots.champion.net import has_weights, load_net
from pickomino.bots.games import GameRows
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.moves import move_table
from pickomino.compact.packed import PHASE_GO, PHASE_KEEP, Packed, gathered
from pickomino.rules import Edition
from pickomino.simulate import Simulator
from pickomino.tensor import packed_batch

# Roll on, the weasel, the golden die or not: moves after which dice fall in the same turn.
_ROLLING: Final = "rwgn"


def quick_luck(edition: Edition, seats: int, bots: Sequence[Bot]) -> bool:
    """Whether there are values to measure luck by, and measuring it is cheap: all bots solve their turns, as the
    measure does, and games are short."""
    return has_weights(edition, seats) and all(isinstance(bot, TurnValueBot) for bot in bots)


class LuckMeter:
    """Adds up the luck of every seat in games side by side; `add` after every step of the simulator.

    `values`: what every move is worth to the seat to act, (games, moves); -inf where it is not legal.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._edition, self._seats = edition, seats = simulator.edition, simulator.seats
        rows, legal = simulator.positions, simulator.legal_bits
        self._bot = ChampionBot()
        table = move_table(edition)
        self._rolling = np.array([table.find(move) for move in _ROLLING])
        self._roll, self._stop = table.index("r"), table.index("s")
        self.luck = np.zeros((len(rows), seats))
        self._net = load_net(edition, seats)
        # What of the mover's luck goes to whom: 1 to itself, −1 to the rest.
        self._parts = np.zeros((len(rows), seats))
        self._rows, self._legal = rows.copy(), legal.copy()
        self.values = self._explained(self._rows, self._legal)
        self._begin(np.flatnonzero(self._legal))

    def add(self, actions: NDArray[np.int64]) -> None:
        """The moves that were made."""
        rows, legal = self._simulator.positions, self._simulator.legal_bits
        before, lanes = self._rows, np.flatnonzero(self._legal)
        rolled = lanes[np.isin(actions[lanes], self._rolling[self._rolling >= 0])]
        expected = self.values[rolled, actions[rolled]]
        self._rows, self._legal = rows.copy(), legal.copy()
        self.values = self._explained(self._rows, self._legal)
        same = (legal[rolled] != 0) & (rows["seat"][rolled] == before["seat"][rolled])
        found = np.empty(len(rolled))
        found[same] = self.values[rolled[same]].max(axis=1)
        found[~same] = self._busts(gathered(before, rolled[~same]))
        self.luck[rolled] += (found - expected)[:, None] * self._parts[rolled]
        ended = (legal[lanes] == 0) | (rows["seat"][lanes] != before["seat"][lanes])
        self._begin(lanes[ended & (legal[lanes] != 0)])

    def _explained(self, rows: Packed, legal: NDArray[np.int64]) -> NDArray[np.float64]:
        """What every move is worth to the seat to act; -inf where it is not legal."""
        values = np.full((len(rows), len(move_table(self._edition))), -np.inf)
        at = np.flatnonzero(legal)
        if len(at):
            games = GameRows(self._edition, self._seats, gathered(rows, at), legal[at])
            values[at] = self._bot.explain_many(games).values
        return values

    def _begin(self, lanes: NDArray[np.intp]) -> None:
        """Turns that have begun. Their dice fell without a move before them, unless the golden die is asked for."""
        if not len(lanes):
            return
        rows = gathered(self._rows, lanes)
        seat = rows["seat"].astype(np.intp)
        shares = self._net.shares(packed_batch(self._edition, rows, rows["seat"])).astype(np.float64)
        others = np.maximum(shares[:, 1:], 1e-6)  # from the seat to act on
        parts = np.concatenate(
            [np.ones((len(lanes), 1)), -others / others.sum(axis=1, keepdims=True)], axis=1
        )
        place = (np.arange(self._seats) - seat[:, None]) % self._seats
        self._parts[lanes] = np.take_along_axis(parts, place, axis=1)
        fell = rows["phase"] == PHASE_KEEP
        before, at = rows[fell], lanes[fell]
        before["phase"], before["rolled"] = PHASE_GO, 0
        expected = self._explained(before, np.full(len(at), 1 << self._roll))[:, self._roll]
        luck = self.values[at].max(axis=1) - expected
        self.luck[at] += luck[:, None] * self._parts[at]

    def _busts(self, rows: Packed) -> NDArray[np.float64]:
        """What a roll with nothing to keep was worth to the seat that made it."""
        rows["phase"] = PHASE_GO
        busts: NDArray[np.float64] = self._explained(rows, np.full(len(rows), 1 << self._stop))[:, self._stop]
        return busts
