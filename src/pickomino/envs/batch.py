"""Games that live in arrays as an environment, one decision in each of them a step.

`pickomino.envs.torch` puts it on a GPU; NumPy runs the same code in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from pickomino.compact.moves import move_table
from pickomino.compact.packed import unpack
from pickomino.envs.champion import ChampionPlayer
from pickomino.envs.layout import layout_of
from pickomino.envs.observing import sight
from pickomino.rules import MAX_SEATS, MIN_SEATS, Edition, PickominoError, Position, find_edition
from pickomino.tensor import Array, Arrays, Decisions, Finished, Rules, RunningGames, packed_games
from pickomino.tensor.deciding import MOST_DECISIONS

BatchPlayer: TypeAlias = Callable[[Array, Array], Array]
"""From observations and legal moves to moves, (games,), or to logits, (games, moves), that moves are drawn by."""


class BatchStep(NamedTuple):
    """What there is to see after a step: one row per game, seats as they are named, A first."""

    observation: Array  # (games, numbers), of the seat to act, as ``counts`` of the other environments
    action_mask: Array  # (games, moves) bool
    seat: Array  # (games,) to act
    rewards: Array  # (games, seats): shares of the win where a game was over, else 0
    over: Array  # (games,) bool: a game was played to its end, and the next one has begun
    broken_off: Array  # (games,) bool: the same after too many decisions
    worms: Array  # (games, seats) where a game ended, else 0


class BatchEnv:
    """So many games side by side. Who begins goes round; a game that ends is followed by the next in the same step.

    `players`: who has each seat: None for the agent, "random", "champion" (in editions without specialists), or a
    `BatchPlayer`, such as a module. A step is one decision in every game, whoever is to act: where it is not the
    agent, `step` ignores the action and asks the player. No game waits for another one so, and `seat` says whose
    observation a row is.
    """

    def __init__(
        self,
        xp: Arrays,
        num_envs: int,
        edition: Edition | str = "classic",
        seats: int = 2,
        *,
        players: Sequence[BatchPlayer | str | None] | None = None,
        max_decisions: int = MOST_DECISIONS,
    ) -> None:
        edition = find_edition(edition) if isinstance(edition, str) else edition
        players = [None] * seats if players is None else list(players)
        if not MIN_SEATS <= seats <= MAX_SEATS or len(players) != seats:
            raise PickominoError(
                f"{seats} seats, {len(players)} players: expected {MIN_SEATS} to {MAX_SEATS}, and one player per seat"
            )
        for player in players:
            if player not in (None, "random", "champion") and not callable(player):
                raise PickominoError(f"player {player!r}: expected None, 'random', 'champion' or a callable")
        if num_envs < 1:
            raise PickominoError(f"{num_envs} games: expected at least one")
        self.num_envs, self.edition, self.seats, self.players = num_envs, edition, seats, players
        self.moves, self.layout = move_table(edition), layout_of(edition, seats)
        self.xp, self.decisions = xp, Decisions(Rules(edition, seats, xp), max_decisions)
        self.games: RunningGames = self.decisions.start(num_envs)
        self._champions = xp.asarray([player == "champion" for player in players], xp.bool)
        self._champion = ChampionPlayer(self.decisions, num_envs) if "champion" in players else None
        self._advance = self._play  # or a compiled form of it

    def reset(self, seed: int | None = None) -> BatchStep:
        """All games begin. A seed fixes all dice and draws that follow."""
        if seed is not None:
            self.xp = self.xp.seeded(seed)
        self.games = self.decisions.start(self.num_envs, self.xp)
        none = self.xp.full((self.num_envs,), False, self.xp.bool)
        nothing = self.xp.full((self.num_envs, self.seats), 0, self.xp.float32)
        return self._step(sight(self.layout, self.games), Finished(none, none, nothing, nothing))

    def step(self, actions: Array) -> BatchStep:
        """One decision in every game. Actions are indices of the move table; that they are legal is not checked."""
        actions = self._answered(actions)
        self.games, finished, seen = self._advance(
            self.games, actions, self.decisions.draw(self.num_envs, self.xp)
        )
        return self._step(seen, finished)

    def sample_legal(self) -> Array:
        """A uniformly random legal move in every game: (games,)."""
        return self.decisions.random_moves(self.games, self.xp)

    def draw(self, logits: Array) -> Array:
        """Legal moves with probabilities that are a softmax of logits: (games,)."""
        xp = self.xp
        noise = -xp.log(-xp.log(xp.clip(xp.random(*logits.shape), 1e-30, 1 - 2**-24)))
        return xp.argmax(xp.fill(logits + noise, ~self.games.legal, -xp.inf), -1)

    def positions(self, lanes: Sequence[int]) -> list[Position]:
        """Some of the games as positions of the rules."""
        index = self.xp.asarray(list(lanes), self.xp.int64)
        return [unpack(row, self.edition) for row in packed_games(self.games[index])]

    def _play(
        self, games: RunningGames, actions: Array, sides: Array
    ) -> tuple[RunningGames, Finished, Array]:
        games, finished = self.decisions.decide(games, actions, sides)
        return games, finished, sight(self.layout, games)

    def _step(self, seen: Array, finished: Finished) -> BatchStep:
        over, broken_off, shares, worms = finished
        self._seen = seen
        return BatchStep(seen, self.games.legal, self.games.seat, shares, over, broken_off, worms)

    def _answered(self, actions: Array) -> Array:
        """The actions, and in their place those of the players where it is their turn."""
        if self._champion is not None:
            theirs = self._champions[self.xp.astype(self.games.seat, self.xp.int64)]
            actions = self.xp.where(theirs, self._champion.moves(self.games, theirs), actions)
        for seat, player in enumerate(self.players):
            if player in (None, "champion"):
                continue
            if isinstance(player, str):
                chosen = self.sample_legal()
            else:
                chosen = player(self._seen, self.games.legal)
                chosen = chosen if chosen.ndim == 1 else self.draw(chosen)
            actions = self.xp.where(self.games.seat == seat, chosen, actions)
        return actions
