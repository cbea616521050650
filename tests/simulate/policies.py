"""Batched policies for tests: quick to end a game, yet each legal move is played now and then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.simulate import LaneView

__all__ = ["eager", "first_legal"]


def first_legal(view: LaneView) -> NDArray[np.int64]:
    choice: NDArray[np.int64] = view.legal.argmax(axis=1)
    return choice


def eager(view: LaneView) -> NDArray[np.int64]:
    """Likes many pips, worms and claims, plus noise that depends on the games alone and not on the batch."""
    texts = view.table.texts
    keeps = [index for index, text in enumerate(texts) if text[0] == "k"]
    claims = [index for index, text in enumerate(texts) if text[0] in "tx"]
    value = _noise(view.numbers, view.decisions, len(texts)) * 7
    value[:, keeps] += view.rolled * [face.pips for face in view.edition.faces]
    value[:, keeps[-1]] += 3
    value[:, claims] += 4
    choice: NDArray[np.int64] = np.where(view.legal, value, -1.0).argmax(axis=1)
    return choice


def _noise(numbers: NDArray[np.int64], decisions: NDArray[np.int64], moves: int) -> NDArray[np.float64]:
    """Numbers in [0, 1), a hash of game, decision and move."""
    x = (numbers * 1_000_003 + decisions)[:, None] * 7919 + np.arange(moves) * 104_729
    x = (x ^ x >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    x = (x ^ x >> 12) * 0x297A2D39 & 0xFFFFFFFF
    noise: NDArray[np.float64] = (x ^ x >> 15) / 2.0**32
    return noise
