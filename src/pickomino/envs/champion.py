"""The champion in the seats of a `BatchEnv`: turns are solved side by side as they begin, then moves are looked up.

It values ends as the bot `champion` does and plays turns by the trainer's solver, so on a GPU it answers hundreds of
thousands of turns per second. Moves differ only where two are worth the same to single precision.
"""

from __future__ import annotations

from typing import Final

from pickomino.bots.champion.net import load_estimate
from pickomino.compact.packed import PHASE_KEEP
from pickomino.rules import PickominoError
from pickomino.tensor import Array, Batch, Decisions, RunningGames, endings
from pickomino.training.backup import TurnGraph
from pickomino.training.turn import prepare

_AT_ONCE: Final = 32_768  # turns solved side by side: their ends take some GB of a GPU


class ChampionPlayer:
    """It has to be asked at each of its decisions: it keeps the solved turn of every game that it plays in."""

    def __init__(self, decisions: Decisions, games: int) -> None:
        rules = decisions.rules
        if rules.specialists:
            raise PickominoError(
                "player 'champion': {key} has specialists; expected an edition without", key=rules.edition.key
            )
        xp, self._moves, self._rules = rules.xp, decisions.at, rules
        self._estimate = load_estimate(rules.edition, rules.seats, xp)
        self._graph = graph = TurnGraph(rules.edition, xp)
        states, slots = graph.tables.states, graph.tables.slots
        self._game = xp.arange(games)
        # Of the turn under way in every game:
        self._state = xp.full((games,), graph.start, xp.int64)
        self._value = xp.full((states, games), 0.0, xp.float32)  # what states are worth,
        self._stop = xp.full((slots, games), 0.0, xp.float32)  # what stopping there is,
        self._claim = xp.full((games, slots), 0, xp.int16)  # and the ending that it brings

    def moves(self, games: RunningGames, wanted: Array) -> Array:
        """A move in every game, (games,), for those that are wanted."""
        xp, graph, game, at = self._rules.xp, self._graph, self._game, self._moves
        rolled, faces = xp.astype(games.rolled[:, 0], xp.int64), games.rolled.shape[2]
        begins = wanted & ~(games.kept > 0).any(-1).any(-1)
        self._solve(games.batch, game[begins])
        state = xp.fill(self._state, begins, graph.start)

        child = xp.clip(graph.child_of[state[:, None], xp.arange(faces), rolled, 0], 0, None)
        shut = ~games.legal[:, at["keep"] : at["keep"] + faces]
        face = xp.argmax(xp.fill(self._value[child, game[:, None]], shut, -xp.inf), 1)
        keeping = games.phase == PHASE_KEEP
        self._state = xp.where(keeping, child[game, face], state)

        slot = graph.slot[state]
        ending = xp.astype(self._claim[game, slot], xp.int64)
        stops = (self._value[state, game] <= self._stop[slot, game]) & (ending != self._rules.bust)
        onward = ~stops & games.legal[:, at["roll_on"]]
        return xp.where(
            keeping, at["keep"] + face, xp.fill(self._claims(games, ending), onward, at["roll_on"])
        )

    def _claims(self, games: RunningGames, ending: Array) -> Array:
        """The moves that end a turn so: (games,)."""
        rules, xp, at = self._rules, self._rules.xp, self._moves
        robbed = xp.clip(ending - rules.steal_at + 1, 0, rules.seats - 1)
        top = xp.argmax(games.batch.heights[self._game, robbed], -1)
        move = xp.where(ending < rules.steal_at, at["take"] + ending, at["steal"] + top)
        return xp.fill(move, ending == rules.bust, at["stop"])

    def _solve(self, batch: Batch, games: Array) -> None:
        for first in range(0, len(games), _AT_ONCE):
            chosen = games[first : first + _AT_ONCE]
            part = batch[chosen]
            ends, _ = endings(part)
            mine = self._estimate(ends.flatten())[:, -1:]  # who played the turn is last then
            turn = prepare(self._graph, part, mine.reshape(*ends.grill.shape[:2], 1))
            self._value[:, chosen] = turn.solved.value[:, 0]
            self._stop[:, chosen] = turn.stop[:, 0]
            self._claim[chosen] = self._rules.xp.astype(turn.claim, self._rules.xp.int16)
