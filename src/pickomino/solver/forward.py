"""The forward pass: how likely each ending is when the turn is played by its solved values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import RollPattern
from pickomino.rules import Keep, LeaveGold, Move, Phase, Reroll, TakeRoundWorm, UseGold
from pickomino.rules.dice import add
from pickomino.solver.numpy_kernel import Floats, Solved
from pickomino.solver.point import Turn

__all__ = ["ending_probs"]

Probs = NDArray[np.float64]


def ending_probs(
    turn: Turn, layers: Sequence[Solved], stop: Floats, bust: Floats, best: Move | None, tie: float
) -> tuple[Probs, Probs]:
    """Probabilities to stop in every state (states, lanes) and to roll nothing to keep (flags, lanes).

    ``layers``: the weasel unused (if there is one), then used; ``stop`` (states, lanes) and ``bust`` (flags,
    lanes) are the values of ending the turn; ``best`` is the best move of the turn's position. Among values
    within ``tie`` the
    first move in text order is played: keeps by face, ``s`` before ``w``, ``r`` before a claim.
    """
    flow = _Flow(turn, layers, stop, bust, tie)
    flow.begin(best)
    for pattern in turn.tables.patterns:  # the most dice first: whatever leads to a state comes before it
        for layer in range(len(layers)):
            flow.roll(pattern, layer)
    last = turn.tables.pattern < 0
    for kept in flow.kept:
        flow.stopped[last] += kept[last]
    return flow.stopped, flow.busted


class _Flow:
    """Probability on its way through the states."""

    def __init__(self, turn: Turn, layers: Sequence[Solved], stop: Floats, bust: Floats, tie: float) -> None:
        self.turn, self.layers, self.stop, self.bust, self.tie = turn, layers, stop, bust, tie
        shape = (turn.tables.states, len(turn.givers))
        self.kept = [np.zeros(shape) for _ in layers]  # a keep was made: roll or stop is due
        self.rolling = [np.zeros(shape) for _ in layers]  # the dice are about to fall
        self.stopped = np.zeros(shape)
        self.busted = np.zeros((turn.tables.flags, len(turn.givers)))

    def begin(self, best: Move | None) -> None:
        turn, position = self.turn, self.turn.position
        tables, state = turn.tables, turn.state
        match best:
            case Keep():
                child = turn.state_of(position, add(position.kept, position.rolled, best.face))
                earns = tables.ones[child] > tables.ones[state]
                self.kept[0][child, self._best_giver(0, np.array([child]))[0] if earns else 0] = 1
            case UseGold() | LeaveGold():
                self.rolling[0][tables.start(isinstance(best, UseGold)), 0] = 1
            case TakeRoundWorm():
                self.kept[0][state, turn.givers.index(best.giver)] = 1
            case Reroll():
                self.rolling[-1][state, 0] = 1
            case None:
                self.rolling[0][state, 0] = 1
            case _ if position.phase is Phase.KEEP:  # the weasel is declined
                self.busted[tables.ones[state], 0] = 1
            case _:
                self.kept[0][state, 0] = 1

    def roll(self, pattern: RollPattern, layer: int) -> None:
        """Everything that happens in the states of one pattern."""
        here, tables = pattern.states, self.turn.tables
        value, roll = self.layers[layer]
        rolls_on = roll[here] >= self.stop[here] - self.tie
        self.rolling[layer][here] += np.where(rolls_on, self.kept[layer][here], 0)
        self.stopped[here] += np.where(rolls_on, 0, self.kept[layer][here])
        state, lane = np.nonzero(self.rolling[layer][here])
        if not len(state):
            return
        prob = self.rolling[layer][here][state, lane]
        ones = tables.ones[here][state]
        children = pattern.children[:, state]
        earns = tables.ones[children] > ones
        lanes = np.where(earns, self._best_giver(layer, children), lane)
        options = value[children, lanes][pattern.options]  # (options, outcomes, columns)
        best = options.max(axis=0)
        first = (options >= best - self.tie).argmax(axis=0)
        chosen = pattern.options[first, np.arange(len(first))[:, None]]  # (outcomes, columns): the edge
        mass = pattern.prob[:, None] * prob
        dead = pattern.dead_prob * prob
        if layer < len(self.layers) - 1:  # the weasel may roll the same dice again (D8.2)
            again_value = self.layers[-1].roll[here][state, lane]
            again = again_value > best + self.tie
            dead_again = again_value > self.bust[ones, lane] + self.tie
            np.add.at(self.rolling[-1][here], (state, lane), (mass * again).sum(axis=0) + dead * dead_again)
            mass, dead = np.where(again, 0, mass), np.where(dead_again, 0, dead)
        np.add.at(self.busted, (ones, lane), dead)
        column = np.arange(len(state))
        np.add.at(self.kept[layer], (children[chosen, column], lanes[chosen, column]), mass)

    def _best_giver(self, layer: int, states: NDArray[np.intp]) -> NDArray[np.intp]:
        """The lane of the best giver, the first among equals (D11.1)."""
        values = self.layers[layer].value[states]
        lanes: NDArray[np.intp] = (values >= values.max(axis=-1, keepdims=True) - self.tie).argmax(axis=-1)
        return lanes
