"""Tree search for batches of games of two, as AlphaZero does it: a net's policy and value, PUCT, and dice sampled.

A node is a decision. A move leads to a few positions at most, each with dice of its own drawn when it was first
reached; further visits draw one of them, so that what a move is worth is a mean over dice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Floats, Mlp
from pickomino.baselines.ppo import log_policy
from pickomino.compact.moves import move_table
from pickomino.envs.layout import Layout
from pickomino.envs.observing import sight
from pickomino.rules import Keep
from pickomino.tensor import Decisions, RunningGames

Ints = NDArray[np.intp]

_SHARP = np.float32(20)  # per win: a move that is worth 0.05 more becomes e times as likely


def shown(layout: Layout, games: RunningGames) -> Floats:
    """The ``flat`` observations of the seats to act."""
    rows: Floats = sight(layout, games).astype(np.float32)
    rows /= layout.most.astype(np.float32)
    return rows


class Searched(NamedTuple):
    """What came of a search."""

    #: (games, moves): the net's, times e to what each move is worth (Danihelka et al.). With few visits that is better
    #: than the net's own; how often moves were visited need not be.
    policy: Floats
    value: Floats  # (games,): of the seat to act


class TreeSearch:
    """Searches with one net; everything of a node is at (game, node), the root is node 0."""

    def __init__(
        self, net: Mlp, decisions: Decisions, layout: Layout, visits: int, falls: int, prior: float
    ) -> None:
        """`visits` per search, `falls` of the dice per move, `prior`: how much the net's policy weighs."""
        self._net, self._decisions, self._layout = net, decisions, layout
        self._visits, self._falls, self._prior = visits, falls, prior
        edition, table = decisions.rules.edition, move_table(decisions.rules.edition)
        keeps = [table.index(Keep(face.sign)) for face in edition.faces]
        #: How many falls a move has: one where no dice fall, which are all keeps but those that bust.
        self._falls_of = np.where(np.isin(np.arange(len(table)), keeps), 1, falls)

    def search(self, games: RunningGames, rng: np.random.Generator, noise: float = 0.0) -> Searched:
        """The games are not changed. `noise`: the part of the roots' priors that is drawn (Dirichlet 0.3)."""
        size, nodes, moves = len(games), self._visits + 1, self._decisions.moves
        first = np.arange(size) * nodes
        self._pool = games[np.repeat(np.arange(size), nodes)]  # every node's position
        self._seat = np.zeros(size * nodes, dtype=np.int8)
        self._ended = np.zeros(size * nodes, dtype=np.bool_)
        self._worth = np.zeros(size * nodes, dtype=np.float32)  # to seat A
        self._priors = np.zeros((size * nodes, moves), dtype=np.float32)
        self._count = np.zeros((size * nodes, moves), dtype=np.float32)
        self._sum = np.zeros((size * nodes, moves), dtype=np.float32)  # of what it was worth to the mover
        self._child = np.full((size * nodes, moves, self._falls), -1, dtype=np.intp)
        self._look(first, games)
        own = self._priors[first]
        if noise:
            lots = rng.standard_gamma(0.3, (size, moves)).astype(np.float32) * games.legal
            lots /= np.maximum(lots.sum(axis=1, keepdims=True), np.float32(1e-9))
            self._priors[first] += np.float32(noise) * (lots - self._priors[first])
        for visit in range(1, nodes):
            self._visit(first, first + visit, rng)
        liking = np.log(np.maximum(own, np.float32(1e-9))) + _SHARP * self._worths(first)
        value = self._sum[first].sum(axis=1) / self._count[first].sum(axis=1)
        return Searched(np.exp(log_policy(liking, games.legal)), value)

    def _worths(self, node: Ints) -> Floats:
        """What every move is worth to the mover; one without visits as much as its position."""
        count = self._count[node]
        own = np.where(self._seat[node] == 0, self._worth[node], 1 - self._worth[node])
        worths: Floats = np.where(count > 0, self._sum[node] / np.maximum(count, 1), own[:, None])
        return worths

    def _look(self, node: Ints, games: RunningGames) -> None:
        """What the net says of new nodes."""
        out = self._net.forward(shown(self._layout, games))
        value = np.clip(out[:, -1], 0, 1)
        self._priors[node] = np.exp(log_policy(out[:, :-1], games.legal)) * games.legal
        self._seat[node], self._worth[node] = games.seat, np.where(games.seat == 0, value, 1 - value)

    def _visit(self, root: Ints, new: Ints, rng: np.random.Generator) -> None:
        """One way down every tree, a new node at its end, and back."""
        way: list[tuple[Ints, Ints, Ints]] = []  # which trees, their nodes, the moves
        tree, node = np.arange(len(root)), root
        leaf = root.copy()  # where each way ends
        fresh: list[tuple[Ints, Ints, Ints, Ints]] = []  # nodes, moves, falls, and what they lead to
        while len(tree):
            move = self._chosen(node)
            way.append((tree, node, move))
            fall = rng.integers(self._falls_of[move])
            child = self._child[node, move, fall]
            missing = child < 0
            fresh.append((node[missing], move[missing], fall[missing], new[tree[missing]]))
            leaf[tree] = np.where(missing, new[tree], child)
            onward = ~missing & ~self._ended[child]
            tree, node = tree[onward], child[onward]
        self._grow(*(np.concatenate([part[index] for part in fresh]) for index in range(4)))
        worth = self._worth[leaf]
        for tree, node, move in way:
            gain = np.where(self._seat[node] == 0, worth[tree], 1 - worth[tree])
            self._sum[node, move] += gain
            self._count[node, move] += 1

    def _chosen(self, node: Ints) -> Ints:
        """The moves that promise most: PUCT (Silver et al.)."""
        count, prior = self._count[node], self._priors[node]
        total = np.sqrt(count.sum(axis=1, keepdims=True) + 1)
        score = self._worths(node) + np.float32(self._prior) * prior * total / (1 + count)
        chosen: Ints = np.where(prior > 0, score, -np.inf).argmax(axis=1)
        return chosen

    def _grow(self, node: Ints, move: Ints, fall: Ints, at: Ints) -> None:
        """New nodes where moves lead, in some of the trees."""
        games, finished = self._decisions.decide(self._pool[node], move, self._decisions.draw(len(at)))
        self._pool.write(games, at)
        self._child[node, move, fall] = at
        self._look(at, games)
        over = finished.over | finished.broken_off
        self._ended[at] = over
        self._worth[at[over]] = np.where(finished.over, finished.shares[:, 0], 0.5)[over]
