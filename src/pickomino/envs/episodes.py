"""The games of every environment: lanes of the simulator, what is seen in them, and bots beside the agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.bots import Bot, make_bot
from pickomino.bots.games import as_batch
from pickomino.bots.protocol import BatchBot
from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.packed import NONE, gathered
from pickomino.envs.forms import Form, Seen
from pickomino.envs.kernels import see, step_and_see
from pickomino.envs.layout import layout_of
from pickomino.rules import MAX_SEATS, MIN_SEATS, Edition, PickominoError, Position
from pickomino.simulate import Simulator
from pickomino.simulate.kernels import ILLEGAL, OVER, RUNNING
from pickomino.simulate.lanes import Ints
from pickomino.simulate.results import edition_of
from pickomino.simulate.simulator import INSIDE

Opponent: TypeAlias = str | Bot | BatchBot | None
"""A bot or its name; None for a seat of the agent's, or of another agent."""

ILLEGAL_REWARD: Final = -1.0  # less than any result of a game
MOST_DECISIONS: Final = 20_000  # uniformly random games of classic take about 1,700
REWARDS: Final = ("win", "worms")


def seated(bots: Sequence[Opponent] | Opponent, seats: int | None) -> list[Opponent]:
    """Who has each seat: the agent the first, then the bots; without any bot all seats are agents'."""
    listed = [bots] if bots is None or isinstance(bots, str | Bot | BatchBot) else list(bots)
    if bots is None:
        listed = ["cautious"] if seats is None else [None] * (seats - 1)
    players: list[Opponent] = [None, *listed]
    if not MIN_SEATS <= len(players) <= MAX_SEATS or seats not in (None, len(players)):
        raise PickominoError(
            f"{seats or len(players)} seats, {len(listed)} bots: "
            f"expected {MIN_SEATS} to {MAX_SEATS} seats, and a bot for all but one"
        )
    return players


def known_options(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    """The options of a reset; one that nobody would look at is an error."""
    if unknown := sorted(set(options or ()) - set(known)):
        expected = " or ".join(known) or "none"
        raise PickominoError(f"reset options {', '.join(unknown)}: expected {expected}")
    return dict(options or {})


class EpisodeEnds(NamedTuple):
    """How games ended, one row each."""

    worms: NDArray[np.int32]  # per seat
    win_shares: NDArray[np.float64]  # per seat; all 0 where the game was not played to its end
    rewards: NDArray[np.float64]  # per seat
    decisions: Ints  # moves of all seats
    illegal: NDArray[np.bool_]  # whether an illegal move ended it


class Episodes(Simulator):
    """A simulator whose lanes have seeds of their own, which knows what is seen, and asks bots of any kind.

    `first` is the seat to begin, None for one that the seed chooses; `start` a position to begin at instead.
    """

    def __init__(
        self,
        games: int,
        edition: Edition | str,
        players: Sequence[Opponent],
        observation: Form,
        reward: str,
        *,
        first: int | None = None,
        start: Position | None = None,
        illegal: str = "lose",
        max_decisions: int = MOST_DECISIONS,
        auto_reset: bool = False,
        log: bool = True,
    ) -> None:
        if reward not in REWARDS:
            raise PickominoError(f"reward {reward!r}: expected one of {', '.join(REWARDS)}")
        self._reward = reward
        self._bots: list[BatchBot] = []  # nobody is asked for the games that the simulator begins by itself
        self._asked = np.full(MAX_SEATS + 1, NONE)  # which of the bots has a seat
        self._rng = np.random.default_rng()
        self.layout = layout_of(edition_of(edition), len(players))
        self.seen = Seen(self.layout, observation, games)
        super().__init__(
            edition,
            len(players),
            games,
            np.zeros(games, dtype=np.uint64),
            first=range(len(players)) if first is None else first,
            start=start,
            auto_reset=auto_reset,
            most_decisions=max_decisions,
            players=[player if player is None or isinstance(player, str) else "bot" for player in players],
            illegal=illegal,
            log=log,
        )
        for seat, player in enumerate(players):
            if player is not None and not (isinstance(player, str) and player in INSIDE):
                self._asked[seat] = len(self._bots)
                self._bots.append(as_batch(make_bot(player) if isinstance(player, str) else player))

    def begin(self, lanes: Any = None, seeds: Any = None) -> None:
        """As the simulator does; the bots before an agent have moved, and `seen` shows what it sees."""
        if seeds is not None:
            seeds = np.array([int(seed) % (1 << 64) for seed in seeds], dtype=np.uint64)
            if lanes is None or len(lanes) == len(self):
                self._rng = np.random.default_rng(seeds[0])
        super().begin(lanes, seeds)
        self._answers()
        self.look()

    def advance(self, at: Ints, chosen: Ints) -> int:
        """A move in each of the lanes and the answers of all bots, then `seen` is up to date; how many games ended."""
        if self.follows:
            self._runs["state"] = RUNNING
        count = self._play(at, chosen, self._strict)
        if self._bots:
            count += self._answers()
            self.look()
        return count

    def _answers(self) -> int:
        """The bots outside, one decision after the other, until agents are to act everywhere."""
        count = 0
        while self._bots:
            who = np.where(self._runs["legal"] != 0, self._asked[self._rows["seat"]], NONE)
            at = np.flatnonzero(who != NONE)
            if not len(at):
                break
            chosen = np.empty(len(self), dtype=np.int64)
            for index, bot in enumerate(self._bots):
                lanes = np.flatnonzero(who == index)
                if len(lanes):
                    chosen[lanes] = bot.choose_many(self.view(lanes), self._rng)
            count += self._play(at, chosen[at], True)
        return count

    def _kernel(self, at: Ints, chosen: Ints, strict: bool) -> int:
        if self._bots:
            return super()._kernel(at, chosen, strict)
        count: int = step_and_see(self._lanes_state(), at, chosen, strict, self.seen.sight)
        return count

    def look(self, viewer: int | None = None) -> None:
        """Put into `seen` what the seats to act see, or one seat; legal moves only if it is to act."""
        if viewer is not None:
            self._runs["viewer"] = viewer
            self._runs["changed"] = True
        see(self._tables, self._rows, self._runs, self.seen.sight)
        if viewer is not None:
            self._runs["changed"] = True  # the next one to look is another

    @property
    def viewer(self) -> NDArray[np.int8]:
        """Whose observations these are: of the seats to act, or of those that made the last moves."""
        viewer: NDArray[np.int8] = self._runs["viewer"].copy()
        return viewer

    def last_seen(self, lanes: Ints) -> Seen:
        """What was seen at the end of the games that ended last in some lanes, by who made the last moves."""
        seen = Seen(self.layout, self.seen.form, len(lanes))
        runs = gathered(self._runs, lanes)
        runs["viewer"], runs["legal"], runs["changed"] = runs["actor"], 0, True
        see(self._tables, gathered(self.ended, lanes), runs, seen.sight)
        return seen

    def finish(self, lanes: Ints) -> EpisodeEnds:
        """How the games ended that ended last in some lanes."""
        worms, winners = worm_counts(self.edition, self.seats, gathered(self.ended, lanes))
        state, shares = self._runs["state"][lanes], win_shares(winners, self.seats)
        shares[state != OVER] = 0.0
        rewards = (
            shares.copy() if self._reward == "win" else worms * (state == OVER)[:, None].astype(np.float64)
        )
        illegal = np.flatnonzero(state == ILLEGAL)
        rewards[illegal, self._runs["actor"][lanes[illegal]]] = ILLEGAL_REWARD
        return EpisodeEnds(worms, shares, rewards, self._runs["ended_length"][lanes], state == ILLEGAL)
