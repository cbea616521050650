"""Millions of games on a GPU (or a CPU), with PyTorch: observations, masks and rewards never leave the device.

>>> import torch
>>> from pickomino.envs.torch import PickominoTorchEnv
>>> env = PickominoTorchEnv(4096, "deluxe", seats=3, device="cpu")
>>> seen = env.reset(seed=1)
>>> seen = env.step(env.sample_legal())
>>> seen.observation.shape, seen.rewards.shape
(torch.Size([4096, 314]), torch.Size([4096, 3]))

PyTorch is not among the extras of the environments: every machine has its own build of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.envs.batch import BatchEnv, BatchPlayer, BatchStep
from pickomino.envs.errors import need
from pickomino.rules import Edition
from pickomino.tensor.deciding import MOST_DECISIONS

torch = need("torch", "train")

__all__ = ["BatchStep", "PickominoTorchEnv"]


class PickominoTorchEnv(BatchEnv):
    """See `BatchEnv` for what a step is and who the players are.

    On a GPU a step is compiled when it is first made, which takes a minute; `compiled` says otherwise.
    """

    def __init__(
        self,
        num_envs: int,
        edition: Edition | str = "classic",
        seats: int = 2,
        *,
        device: str | None = None,
        players: Sequence[BatchPlayer | str | None] | None = None,
        max_decisions: int = MOST_DECISIONS,
        compiled: bool | None = None,
    ) -> None:
        from pickomino.tensor.torch_arrays import TorchArrays

        chosen = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        xp = TorchArrays(chosen)
        super().__init__(xp, num_envs, edition, seats, players=players, max_decisions=max_decisions)
        if xp.on_gpu if compiled is None else compiled:
            self._advance = torch.compile(self._play, fullgraph=True, dynamic=False)
