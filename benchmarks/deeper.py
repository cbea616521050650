"""The champion that looks one turn further: it values the ends of its turn by one more exact turn of the next seat.

For two seats. If the champion's estimate is consistent, it wins no more than half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.games import play_chunk
from pickomino.arena.spec import Spec
from pickomino.arena.tally import Share, Tally
from pickomino.bots import register_bot
from pickomino.bots.champion import ChampionBot
from pickomino.bots.ends import Ends
from pickomino.bots.solved import SolvedTurns
from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.packed import PHASE_GOLD, PHASE_OVER, Packed, gathered
from pickomino.rules import Edition

__all__ = ["DeeperBot", "deeper_share"]

_AT_ONCE = 4096  # turns that are remembered, the ends of each before the net: some hundred megabytes
_GROUPS = 64  # games with the same dice come in twos


class DeeperBot(ChampionBot):
    """Two seats: what the next seat wins in its turn, this one loses."""

    def __init__(self) -> None:
        super().__init__()
        self._next: dict[tuple[Edition, bool], SolvedTurns] = {}

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        rows, values = ends.rows, np.empty(len(ends.rows))
        over = np.flatnonzero(rows["phase"] == PHASE_OVER)
        shares = win_shares(worm_counts(edition, 2, gathered(rows, over))[1], 2)
        values[over] = shares[np.arange(len(over)), ends.seats[over]]
        for gold in (False, True):
            going = np.flatnonzero((rows["phase"] != PHASE_OVER) & ((rows["phase"] == PHASE_GOLD) == gold))
            for first in range(0, len(going), _AT_ONCE):
                at = going[first : first + _AT_ONCE]
                values[at] = 1 - self._turn_values(edition, gold, gathered(rows, at))
        return values

    def _turn_values(self, edition: Edition, gold: bool, starts: Packed) -> NDArray[np.float64]:
        """What turns about to begin are worth to their seats, by the champion's estimate."""
        if (edition, gold) not in self._next:
            self._next[edition, gold] = SolvedTurns(edition, gold, super().end_values, self.relevant)
        turns = self._next[edition, gold]
        page = turns.find(starts)[:, 0, 0]
        values: NDArray[np.float64] = turns.roll[page, turns.tables.start()]
        if gold:  # D8.1
            values = np.maximum(values, turns.roll[page, turns.tables.start(True)])
        return values


def deeper_share(edition: str, games: int, seed: int = 1) -> Share:
    """How many games it wins against the plain champion, seats rotated, dice in common."""
    register_bot("deeper", DeeperBot)
    spec = Spec(("deeper", "champion"), edition, 2, games, seed, chunk_groups=min(_GROUPS, (games + 1) // 2))
    tally = Tally(spec)
    for number in range(spec.chunks):
        tally.add(play_chunk(spec, number))
    return tally.share(0)
