"""The forward pass: how likely each ending is when the turn is played by its solved values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import RollPattern, TurnTables
from pickomino.rules import Keep, LeaveGold, Move, Phase, Reroll, TakeRoundWorm, UseGold
from pickomino.rules.dice import add
from pickomino.solver.numpy_kernel import Floats, Solved
from pickomino.solver.point import Turn

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
    flow = _Flow(turn.tables, layers, stop, bust, tie, chooses=len(turn.givers) > 1)
    flow.begin(turn, best)
    flow.run()
    return flow.stopped, flow.busted


def stop_probs(
    tables: TurnTables, rolling: Probs, layers: Sequence[Solved], stop: Floats, bust: Floats, tie: float
) -> tuple[Probs, Probs]:
    """Many turns from their first roll, each with one giver at most: probabilities to stop (slots, turns) and
    to roll nothing to keep (flags, turns).

    rolling: (states, turns), the probability that the first dice fall there; stop: (slots, turns).
    """
    flow = _Flow(tables, layers, stop[tables.slot], bust, tie, chooses=False)
    flow.rolling[0] += rolling
    flow.run()
    by_slot = np.zeros(stop.shape)
    np.add.at(by_slot, tables.slot, flow.stopped)
    return by_slot, flow.busted


class _Flow:
    """Probability on its way through the states, in lanes: turns, or the givers of one turn (`chooses`)."""

    def __init__(
        self,
        tables: TurnTables,
        layers: Sequence[Solved],
        stop: Floats,
        bust: Floats,
        tie: float,
        *,
        chooses: bool,
    ) -> None:
        self.tables, self.layers, self.stop, self.bust, self.tie = tables, layers, stop, bust, tie
        self.chooses = chooses
        self.kept = [np.zeros(stop.shape) for _ in layers]  # a keep was made: roll or stop is due
        self.rolling = [np.zeros(stop.shape) for _ in layers]  # the dice are about to fall
        self.stopped = np.zeros(stop.shape)
        self.busted = np.zeros(bust.shape)

    def run(self) -> None:
        for pattern in self.tables.patterns:  # the most dice first: whatever leads to a state comes before it
            for layer in range(len(self.layers)):
                self.roll(pattern, layer)
        last = self.tables.pattern < 0
        for kept in self.kept:
            self.stopped[last] += kept[last]

    def begin(self, turn: Turn, best: Move | None) -> None:
        position = turn.position
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
        here, tables = pattern.states, self.tables
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
        lanes = np.broadcast_to(lane, children.shape)
        if self.chooses:
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
