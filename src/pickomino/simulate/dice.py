"""Dice and choices from counters: game n of a seed has its own two streams, whatever other games do (R2.1).

The k-th number of a stream is a hash of (key + k * odd constant), as in SplitMix64: nothing is carried along
but k, so a game is rolled again from its seed and number alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from pickomino.compact.packed import NONE, SIZE_AT

RUN = np.dtype(
    [
        ("seed", np.uint64),
        ("dice_key", np.uint64),
        ("choice_key", np.uint64),
        ("draws", np.uint64),  # numbers taken from the dice stream
        ("number", np.int64),  # of the game
        ("decisions", np.int64),  # moves made in this game
        ("legal", np.int64),  # bit i: move i of the table is legal; 0 once the game is over
        # Of the game that ended last in this lane, see `pickomino.simulate.kernels`:
        ("ended_number", np.int64),
        ("ended_length", np.int64),
        ("state", np.int8),  # how it ended, RUNNING if none did in the last step
        # For who looks on from outside:
        ("actor", np.int8),  # the seat that was asked last
        ("viewer", np.int8),  # the seat to act, or the last that did
        ("acted", np.int8),  # whether anybody outside has made a move in this game
        ("changed", np.int8),  # whether more than the dice has changed since somebody looked
    ],
    align=True,
)
"""What a running game has beside its position."""

LOG = np.dtype([("on", np.int64), ("count", np.int64), ("plies", np.int64, 4096)], align=True)
"""Plies written down where `on` is set. A record, not an array: kernels count the references of arrays, which
costs more than a decision. One decision writes three plies at most: itself, a roll, and after a bust the next
seat's first roll, which always leaves something to keep."""

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd: SplitMix64's increment
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)  # SplitMix64's finalizer
_MIX_2 = np.uint64(0x94D049BB133111EB)
_CHOICES = np.uint64(0xD1B54A32D192ED03)  # parts the choice stream of a game from its dice stream
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(1 << 32)
_ONE = np.uint64(1)
_COUNTS = (1 << SIZE_AT + 4) - 1  # the counting bits of a dice word; the rest are a set of faces


@njit(cache=True)
def _mix(number: Any) -> Any:
    number = (number ^ (number >> _S30)) * _MIX_1
    number = (number ^ (number >> _S27)) * _MIX_2
    return number ^ (number >> _S31)


@njit(cache=True)
def seed_game(run: Any, seed: Any, number: int) -> None:
    """The streams of a game, at their beginnings."""
    key = _mix(_mix(seed + _STEP) + np.uint64(number) * _STEP)
    run.seed = seed
    run.dice_key = key
    run.choice_key = _mix(key ^ _CHOICES)
    run.draws = np.uint64(0)
    run.number = number
    run.decisions = 0


@njit(cache=True)
def choose(run: Any, options: int) -> int:
    """One of so many options for the next decision, uniform to within 2**-26."""
    number = _mix(run.choice_key + np.uint64(run.decisions) * _STEP)
    return int((number >> _S32) * np.uint64(options) >> _S32)


@njit(cache=True)
def _draw(run: Any, below: int) -> int:
    """The next number of the dice stream, exactly uniform below the bound (Lemire's rejection)."""
    bound = np.uint64(below)
    while True:
        run.draws += _ONE
        product = (_mix(run.dice_key + run.draws * _STEP) >> _S32) * bound
        if product & _LOW >= bound or product & _LOW >= (_RANGE - bound) % bound:
            return int(product >> _S32)


@njit(cache=True)
def roll(tables: Any, position: Any, run: Any, log: Any) -> None:
    """Let the dice fall that are not kept."""
    left = tables.dice - (position.kept >> SIZE_AT & 15)
    rolled = 0
    while left > 0:
        size = min(left, tables.chunk)
        fallen = tables.rolls[tables.roll_first[size] + _draw(run, tables.roll_count[size])]
        rolled = (rolled & _COUNTS) + (fallen & _COUNTS) | (rolled | fallen) & ~_COUNTS
        left -= size
    position.rolled = rolled
    if position.gold == 1:
        side = _draw(run, tables.gold_sides)
        face = 0
        while side >= tables.gold_face_sides[face]:
            side -= tables.gold_face_sides[face]
            face += 1
        position.gold_rolled = face
    if log.on:
        note(log, ~(rolled | (position.gold_rolled - NONE) << 59))


@njit(cache=True)
def note(log: Any, ply: int) -> None:
    """Write a ply down: a move as its index, a roll as the complement of its dice."""
    log.plies[log.count] = ply
    log.count += 1
