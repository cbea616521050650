"""Learners to beat, written for the vector environment in NumPy: masked PPO and TD(λ) (docs/bench.md).

``python -m pickomino.baselines`` trains them; their policies are bots, as in ``pickomino arena
pickomino.baselines:PpoBot cautious``. Extra ``envs``.
"""

from __future__ import annotations

from pickomino.baselines.policy import NetBot, PpoBot
from pickomino.baselines.td import TdBot

__all__ = ["NetBot", "PpoBot", "TdBot"]
