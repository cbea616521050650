"""Environments for research: Gymnasium, PettingZoo, a vector env, OpenSpiel (docs/environments.md).

Importing this registers what is installed: ``pickomino/Pickomino-v0`` with Gymnasium, ``pickomino/pickomino_v0``
with PettingZoo. OpenSpiel's game is registered by importing `pickomino.envs.openspiel`. The extra ``envs``
brings Gymnasium, PettingZoo and numba, the extra ``openspiel`` OpenSpiel.

>>> import gymnasium
>>> env = gymnasium.make("pickomino.envs:pickomino/Pickomino-v0", bots=["cautious", "random"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pickomino.envs.errors import MissingExtraError, need
from pickomino.envs.registry import GYMNASIUM_ID, PETTINGZOO_ID, register_all

if TYPE_CHECKING:
    from pickomino.envs.single import PickominoEnv
    from pickomino.envs.vector import PickominoVectorEnv

__all__ = [
    "GYMNASIUM_ID",
    "PETTINGZOO_ID",
    "MissingExtraError",
    "PickominoEnv",
    "PickominoVectorEnv",
    "register_all",
]

_LAZY = {
    "PickominoEnv": "pickomino.envs.single",
    "PickominoVectorEnv": "pickomino.envs.vector",
}


def __getattr__(name: str) -> Any:
    """The classes come when they are asked for: they need Gymnasium and numba, `openspiel` needs neither."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    need("gymnasium", "envs")
    need("numba", "envs")
    return getattr(need(_LAZY[name], "envs"), name)


register_all()
