"""Many whole games in lockstep, with exactly the results of the rules. Needs the extra ``fast``.

`random_games` plays uniformly random games in one kernel; `Simulator` steps many games at once by arrays of
moves; `play_games` asks batched policies. Every game is a function of (seed, number, moves) and can be had as
a `pickomino.game.Game`, with each ply checked by the rules.
"""

from pickomino.rules.errors import MissingExtraError

try:
    import numba  # noqa: F401  # asked for here, so that the message is ours
except ImportError as error:
    raise MissingExtraError("simulate needs the extra fast: pip install pickomino[fast]") from error

import pickomino.compact.compiled  # noqa: F401  # the kernels of this package call its functions
from pickomino.compact.bulk import win_shares
from pickomino.simulate.lanes import LaneView, sample_legal
from pickomino.simulate.randoms import random_games
from pickomino.simulate.results import Results
from pickomino.simulate.simulator import Policy, Simulator, play_games

__all__ = [
    "LaneView",
    "Policy",
    "Results",
    "Simulator",
    "play_games",
    "random_games",
    "sample_legal",
    "win_shares",
]
