"""The backward pass in exact arithmetic.

A roll of n dice has a power of the number of sides as its denominator, so every state's value times a known
integer is an integer (for payoffs that are integers). Integers need no reducing: ten times the speed of
`Fraction`, and the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from pickomino.compact.turn import TurnTables


class ExactSolved(NamedTuple):
    """What every state is worth, times its scale: after a keep, and before the dice fall."""

    value: list[int]
    roll: list[int | None]  # None where no roll is possible
    scale: list[int]

    def __repr__(self) -> str:
        return f"<ExactSolved of {len(self.value)} states>"

    def value_of(self, state: int) -> Fraction:
        """After a keep."""
        return Fraction(self.value[state], self.scale[state])

    def roll_of(self, state: int) -> Fraction:
        """Before the dice fall."""
        roll = self.roll[state]
        if roll is None:
            raise IndexError(f"state {state} cannot roll")
        return Fraction(roll, self.scale[state])


def solve_exact(
    tables: TurnTables,
    stop: Sequence[Fraction | int],
    bust: Sequence[Fraction | int],
    floor: ExactSolved | None = None,
) -> ExactSolved:
    """One payoff, arguments as in `solve_numpy`.

    ``floor`` is the solved turn that the weasel's second roll leads to.
    """
    unit = lcm(*(Fraction(value).denominator for value in (*stop, *bust)))
    stops = [int(value * unit) for value in stop]
    busts = [int(value * unit) for value in bust]
    scale = _scales(tables, [unit] * tables.states if floor is None else floor.scale)
    slot, ones = tables.slot.tolist(), tables.ones.tolist()
    value = [stops[slot[state]] * (scale[state] // unit) for state in range(tables.states)]
    roll: list[int | None] = [None] * tables.states
    for pattern in reversed(tables.patterns):
        options = pattern.options.T.tolist()
        weights = pattern.weight.tolist()
        total_weight = sum(weights) + pattern.dead_weight
        for column, state in enumerate(range(pattern.states.start, pattern.states.stop)):
            part = scale[state] // total_weight  # the scale of the values after the roll
            keep = [value[child] * (part // scale[child]) for child in pattern.children[:, column].tolist()]
            dead = busts[ones[state]] * (part // unit)
            best = [max(map(keep.__getitem__, edges)) for edges in options]
            if floor is not None:
                second = floor.roll[state]
                assert second is not None  # the same dice
                second *= part // floor.scale[state]
                dead = max(dead, second)
                best = [max(option, second) for option in best]
            total = dead * pattern.dead_weight + sum(map(int.__mul__, weights, best))
            roll[state] = total
            value[state] = max(value[state], total)
    return ExactSolved(value, roll, scale)


def _scales(tables: TurnTables, floor: list[int]) -> list[int]:
    """Per state an integer that clears all denominators: the same for all states of a pattern."""
    scale = list(floor)
    for pattern in reversed(tables.patterns):
        total_weight = int(pattern.weight.sum()) + pattern.dead_weight
        children = {scale[child] for child in set(pattern.children.ravel().tolist())}
        after = lcm(floor[pattern.states.start], *children)
        for state in range(pattern.states.start, pattern.states.stop):
            scale[state] = after * total_weight
    return scale
