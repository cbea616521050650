"""The names under which Gymnasium and PettingZoo know the environments; a new version gets a new number."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

GYMNASIUM_ID: Final = "pickomino/Pickomino-v0"
PETTINGZOO_ID: Final = "pickomino/pickomino_v0"


def register_all() -> None:
    """Register with what is installed; calling it again changes nothing."""
    if find_spec("gymnasium") is not None:
        import gymnasium

        if GYMNASIUM_ID not in gymnasium.registry:
            gymnasium.register(
                GYMNASIUM_ID,
                entry_point="pickomino.envs.single:PickominoEnv",
                vector_entry_point="pickomino.envs.vector:PickominoVectorEnv",
            )
    if find_spec("pettingzoo") is not None:
        import pettingzoo

        if pettingzoo.EnvSpec(PETTINGZOO_ID).id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", PETTINGZOO_ID, entry_point="pickomino.envs.pickomino_v0:env")
