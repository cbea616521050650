"""Learners to beat in NumPy: masked PPO, DQN, an AlphaZero-style one and TD(λ) (docs/bench.md).

``python -m pickomino.baselines`` trains them; their policies are bots, as in ``pickomino arena
pickomino.baselines:PpoBot cautious``. Extra ``envs``.
"""

from __future__ import annotations

from pickomino.baselines.alphazero import AlphaZeroBot
from pickomino.baselines.dqn import DqnBot
from pickomino.baselines.policy import NetBot, PpoBot
from pickomino.baselines.td import TdBot

__all__ = ["AlphaZeroBot", "DqnBot", "NetBot", "PpoBot", "TdBot"]
