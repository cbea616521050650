"""One turn of every game: from the value of its endings to the best play, and to the ending that the dice bring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pickomino.tensor import Array, Arrays, Batch, claims
from pickomino.tensor.batch import GOLD_TURN, WEASEL_TURN
from pickomino.training.backup import BackedUp, TurnGraph, solve


@dataclass
class TurnPlay:
    """A solved turn: what it is worth, and how to play it. Only the first seats' values are carried along."""

    graph: TurnGraph
    stop: Array  # (slots, seats, batch): the value of stopping
    claim: Array  # (batch, slots): the ending that stopping brings
    solved: BackedUp
    kinds: Array | None

    @property
    def start_value(self) -> Array:
        """(batch, seats), seat 0 first: it is the one that plays the turn."""
        xp, graph = self.graph.xp, self.graph
        found = self.solved.value[graph.start]
        if self.solved.unused is not None:
            found = xp.where(self.kinds == WEASEL_TURN, self.solved.unused[graph.start], found)
            found = xp.where(self._joins_gold, self.solved.value[graph.gold_start], found)
        return found.T

    @property
    def shares(self) -> Array:
        """(batch, seats), where all values but the last seat's were given and they make up 1."""
        known = self.start_value
        return self.graph.xp.concatenate((known, 1 - known.sum(-1, keepdims=True)), -1)

    @property
    def _joins_gold(self) -> Array:
        """D8.1: the golden die comes along where it is held and helps."""
        value, graph = self.solved.value, self.graph
        return (self.kinds == GOLD_TURN) & (value[graph.gold_start, 0] > value[graph.start, 0])

    def play(self, dice: Arrays | None = None) -> Array:
        """Roll the dice and follow the best play to its ending: (batch,). `dice`: whose random numbers to use."""
        xp, graph, stopped, game = self.graph.xp, self.graph, self.stop[:, 0], self._games
        dice = dice or xp
        state = xp.full((len(game),), graph.start, xp.int64)
        fresh = xp.full((len(game),), False, xp.bool)  # the weasel is there and not used
        if self.kinds is not None:
            state = xp.fill(state, self._joins_gold, graph.gold_start)
            fresh = self.kinds == WEASEL_TURN
        ending = xp.full((len(game),), -1, xp.int64)
        for _ in range(graph.face_open.shape[1]):
            best, child = self._keep(state, self._rolled(state, dice), fresh)
            dead = best == -xp.inf  # R2.3
            bust_slot = graph.dead_slot[state]
            if self.solved.roll is not None:
                worth = xp.where(dead, stopped[bust_slot, game], best)
                again = fresh & (self.solved.roll[state, 0, game] > worth)
                fresh = fresh & ~again
                second, other = self._keep(state, self._rolled(state, dice), fresh)
                dead = xp.where(again, second == -xp.inf, dead)
                child = xp.where(again, other, child)
            open_turn = ending < 0
            ending = xp.where(open_turn & dead, self.claim[game, bust_slot], ending)
            state = child
            slot = graph.slot[state]
            stops = self._mine(state, fresh) <= stopped[slot, game]
            ending = xp.where(open_turn & ~dead & stops, self.claim[game, slot], ending)
        return ending

    @property
    def _games(self) -> Array:
        return self.graph.xp.arange(len(self.claim))

    def _mine(self, state: Array, fresh: Array) -> Array:
        """What states (batch,) or (batch, options) are worth to seat 0."""
        game = self._games
        if state.ndim == 2:
            game, fresh = game[:, None], fresh[:, None]
        value = self.solved.value[state, 0, game]
        if self.solved.unused is None:
            return value
        return self.graph.xp.where(fresh, self.solved.unused[state, 0, game], value)

    def _keep(self, state: Array, count: tuple[Array, Array], fresh: Array) -> tuple[Array, Array]:
        """The best keep of a roll: its value, -inf for none, and the state after it."""
        xp, graph, (white, gold) = self.graph.xp, self.graph, count
        faces = xp.arange(white.shape[1])
        child = xp.clip(graph.child_of[state[:, None], faces, white, gold], 0, None)
        shut = ~graph.face_open[state] | (white + gold == 0)
        worth = xp.fill(self._mine(child, fresh), shut, -xp.inf)
        face = xp.argmax(worth, 1)
        return worth[self._games, face], child[self._games, face]

    def _rolled(self, state: Array, dice: Arrays) -> tuple[Array, Array]:
        """How many white and golden dice show every face: (batch, faces) each."""
        xp, graph = self.graph.xp, self.graph
        faces, most = graph.face_open.shape[1], graph.child_of.shape[2] - 1
        face = xp.arange(faces)
        sides = dice.randint(faces, len(state), most)
        sides = xp.fill(sides, xp.arange(most) >= graph.dice_left[state][:, None], faces)
        white = (sides[:, :, None] == face).sum(1)
        shown = graph.gold_faces[dice.randint(len(graph.gold_faces), len(state))][:, None] == face
        return white, xp.astype(shown & (graph.gold_left[state] > 0)[:, None], xp.int64)


def prepare(graph: TurnGraph, batch: Batch, values: Array) -> TurnPlay:
    """Solve the turn of every game for the value of each ending to some seats, seat 0 first.

    values: (batch, endings, seats).
    """
    xp = graph.xp
    claim = claims(batch, graph.tables.max_total, values[..., 0])
    stop = xp.contiguous(xp.moveaxis(xp.take(values, claim[..., None], 1), 0, -1))
    return TurnPlay(graph, stop, claim, solve(graph, stop, batch.kinds), batch.kinds)


def giver_liking(estimate: Callable[[Batch], Array], batch: Batch) -> Array | None:
    """What it would be worth to seat 0 if a seat gave it a round worm now (D11.1): (batch, seats).

    None where there is nothing to choose. Whose worm to have is judged once a turn; at the table it is judged at each
    ending, which would cost as many estimates more as there are givers.
    """
    rules, xp = batch.rules, batch.rules.xp
    if not rules.edition.round_worms or rules.seats == 2:
        return None
    gives = xp.astype(rules.seat == rules.seat[1:, None], xp.int8)
    worms = batch.round_worms[:, None] - gives + xp.astype(rules.seat == 0, xp.int8)
    given = batch.map(
        lambda column: xp.broadcast_to(column[:, None], (len(batch), len(gives), *column.shape[1:]))
    )
    mine = estimate(replace(given, round_worms=worms).flatten())[:, 0].reshape(len(batch), len(gives))
    return xp.concatenate((xp.zeros_like(mine[:, :1]), mine), 1)
