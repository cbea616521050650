"""What positions, moves and games are worth."""

from __future__ import annotations

from pickomino.analysis.evaluate import evaluate

__all__ = ["evaluate"]
