"""Thousands of games as arrays: one source for NumPy and PyTorch, one path for every edition.

`arrays` holds what the two libraries call differently, `rules` an edition's numbers, `batch` the games between two
turns with their scores and winners, `settling` and `stopping` what the end of a turn does, `scatter` games that begin
somewhere in the middle, `features` what a net sees, `packing` how positions become a batch; `running` has games in the
middle of turns and `deciding` plays single decisions in them. `pickomino.training` plays and learns with it,
`pickomino.envs.torch` is an environment of it, and the champion's nets look at it.

An edition without specialists has columns of width zero for them. Nothing looks at a value before it is on the
device and no Python number is copied there on the way (hence `Arrays.fill`), so that a whole training step can be
recorded and replayed.
"""

from __future__ import annotations

from pickomino.tensor.arrays import Array, Arrays
from pickomino.tensor.batch import Batch
from pickomino.tensor.deciding import Decisions, Finished
from pickomino.tensor.features import encode
from pickomino.tensor.packing import batch_of, packed_batch
from pickomino.tensor.rules import Rules
from pickomino.tensor.running import RunningGames, packed_games
from pickomino.tensor.scatter import scattered
from pickomino.tensor.settling import endings
from pickomino.tensor.stopping import claims

__all__ = [
    "Array",
    "Arrays",
    "Batch",
    "Decisions",
    "Finished",
    "Rules",
    "RunningGames",
    "batch_of",
    "claims",
    "encode",
    "endings",
    "packed_batch",
    "packed_games",
    "scattered",
]
