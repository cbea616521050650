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
from pickomino.bots.champion.ahead import closer, further
from pickomino.bots.champion.net import load_net
from pickomino.bots.ends import Ends
from pickomino.rules import Edition
from pickomino.tensor import packed_batch

__all__ = ["DeeperBot", "deeper_share"]

_GROUPS = 64  # games with the same dice come in twos


class DeeperBot(ChampionBot):
    """Two seats: what the next seat wins in its turn, this one loses."""

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        batch, net = packed_batch(edition, ends.rows, (ends.seats + 1) % 2), load_net(edition, 2)
        shares = further(batch, lambda games: closer(games, net.shares, far=False), 1)
        return shares[:, -1].astype(np.float64)


def deeper_share(edition: str, games: int, seed: int = 1) -> Share:
    """How many games it wins against the plain champion, seats rotated, dice in common."""
    register_bot("deeper", DeeperBot)
    spec = Spec(("deeper", "champion"), edition, 2, games, seed, chunk_groups=min(_GROUPS, (games + 1) // 2))
    tally = Tally(spec)
    for number in range(spec.chunks):
        tally.add(play_chunk(spec, number))
    return tally.share(0)
