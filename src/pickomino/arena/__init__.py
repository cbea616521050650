"""Tournaments of bots: many games with seats rotated and dice shared, shares of the wins, ratings. Extra ``arena``.

`run_arena` plays what a `Spec` says in processes of this machine or on a Ray cluster, and its `ArenaResult` is the same
whatever the number of workers.

>>> from pickomino.arena import Spec
>>> spec = Spec(("random", "cautious"), players=4, games=1000)
>>> spec.groups, spec.chunks
(250, 1)
"""

from pickomino.arena.chart import plot
from pickomino.arena.chunk import Chunk
from pickomino.arena.pictures import as_csv, plot_matrix, plot_ratings, win_matrix
from pickomino.arena.run import ArenaProgress, ArenaResult, run_arena
from pickomino.arena.spec import Spec
from pickomino.arena.tally import Share

__all__ = [
    "ArenaProgress",
    "ArenaResult",
    "Chunk",
    "Share",
    "Spec",
    "as_csv",
    "plot",
    "plot_matrix",
    "plot_ratings",
    "run_arena",
    "win_matrix",
]
