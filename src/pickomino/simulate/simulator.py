"""Games in lockstep: arrays out, one array of moves in, dice and consequences inside the step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.packed import NONE, PACKED, gathered
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.rules import NOBODY, Edition, IllegalMoveError, PickominoError
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.kernels import (
    AGENT,
    ASKED,
    BOTS_MOST,
    BROKEN_OFF,
    CAUTIOUS,
    PLAN,
    RANDOM,
    RUNNING,
    begin,
    step,
)
from pickomino.simulate.lanes import Ints, LaneView
from pickomino.simulate.replay import replay_game
from pickomino.simulate.results import Results, Start, check_seed, edition_of, packed_starts

Policy: TypeAlias = Callable[[LaneView], ArrayLike]
"""For every row of the view the index of a legal move."""

MOST_DECISIONS = 100_000  # games of people who want to win take about 200
_ENDLESS = 1 << 62
_FIRST_ROOM = 4 * BOTS_MOST  # of a log
_ODD, _HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(33)  # 2**64 / golden ratio: spreads neighbouring seeds

INSIDE: Final = {"cautious": CAUTIOUS, "random": RANDOM}
"""Bots that move inside the step, fifty times as fast as through `pickomino.bots.Bot.choose`."""


class Simulator(LaneView):
    """Many games at once, each in its lane.

    A game depends on a seed, its number and the moves made in it, not on the other games. With one seed for
    all, lane i begins with game number i, and the one whose number is higher by the number of lanes comes
    after it; with a seed for each lane, games of that seed follow one another.

    With `auto_reset` the next game begins where one has ended; `total` ends that at a number of games.
    Otherwise the lane stands still until `begin`: no legal move, and what is handed in for it is ignored. A
    game longer than `most_decisions` is truncated, since bad policies can play for ever. An `illegal` move either
    raises and changes nothing, or loses: it ends its game.

    `players` says who has each seat: None for whoever steps the games; ``cautious`` and ``random`` move inside the
    step; seats of any other name are `asked` between the steps.

    >>> simulator = Simulator("classic", seats=2, games=1000, seed=1)
    >>> while not simulator.done.all():
    ...     _ = simulator.step(simulator.random_moves())
    """

    def __init__(
        self,
        edition: Edition | str = "classic",
        seats: int = 2,
        games: int = 1024,
        seed: int | ArrayLike = 0,
        *,
        first: int | Sequence[int] = 0,
        start: Start = None,
        auto_reset: bool = False,
        total: int | None = None,
        most_decisions: int = MOST_DECISIONS,
        players: Sequence[str | None] = (),
        illegal: str = "raise",
        log: bool = False,
    ) -> None:
        if games < 1 or most_decisions < 1:
            raise PickominoError(
                f"{games} games of {most_decisions} decisions: expected at least one of each"
            )
        if total is not None and total < games:
            raise PickominoError(f"a total of {total} games: expected at least one for each of {games} lanes")
        if illegal not in ("raise", "lose"):
            raise PickominoError(f"illegal {illegal!r}: expected raise or lose")
        edition = edition_of(edition)
        self._starts = packed_starts(edition, seats, first, start)
        super().__init__(edition, seats, np.zeros(games, dtype=PACKED), np.zeros(games, dtype=RUN))
        self._all = np.arange(games)
        self._strict = illegal == "raise"
        self._no_log = np.zeros(1, dtype=LOG)
        self._plan = np.zeros(1, dtype=PLAN)
        plan: Any = self._plan[0]
        plan["limit"] = total if total is not None else _ENDLESS if auto_reset else 0
        plan["most"] = most_decisions
        plan["players"][: len(players)] = [INSIDE.get(name, ASKED) if name else AGENT for name in players]
        plan["bots"] = (plan["players"] > ASKED).any()
        self.follows = bool(plan["limit"] > games)  # whether the next game begins where one has ended
        self.ended = self._rows.copy()  # the last position of the game that ended last in a lane
        self._logs = log
        self._history = np.zeros((games, 0), dtype=np.int8)  # moves of the games that go on,
        self._played = self._history.copy()  # and of those that ended last
        self._longest_step = BOTS_MOST if plan["bots"] else 1
        self._room = 0  # decisions for which the arrays have room in any case
        self.reset(seed)

    def reset(self, seed: int | ArrayLike) -> None:
        """All lanes at their first game again, with other dice."""
        own = not isinstance(seed, int)
        self.seed = 0 if not isinstance(seed, int) else check_seed(seed)
        self._plan["stride"] = 1 if own else len(self)
        self._runs["ended_number"] = NONE
        self._games: dict[int, NDArray[np.int8]] = {}  # the moves of games that ended, with one seed for all
        self._own_seeds = own
        if own:
            self.begin(None, seed)
            return
        self._runs["seed"], self._runs["number"] = self.seed, self._all
        self._begin(self._all)

    def begin(self, lanes: ArrayLike | None = None, seeds: ArrayLike | None = None) -> None:
        """The next game in some lanes or in all, whether the one before has ended or not.

        With seeds, which only lanes with their own can have, it is the first game of that seed; who begins it is
        decided by the seed too.
        """
        at = self._all if lanes is None else self._checked(lanes)
        if seeds is None:
            self._runs["number"][at] += self._plan["stride"]
        else:
            given = np.asarray(seeds, dtype=np.uint64)
            if given.shape != at.shape:
                raise PickominoError(f"seeds of shape {given.shape}: expected {at.shape}")
            self._runs["seed"][at] = given
            self._runs["number"][at] = (given * _ODD >> _HIGH) % np.uint64(len(self._starts))
        self._begin(at)

    def _begin(self, at: Ints) -> None:
        self._make_room()
        begin(self._lanes_state(), at)
        self._clear()

    def step(self, actions: ArrayLike, lanes: ArrayLike | None = None) -> NDArray[np.bool_]:
        """One decision per lane, or per given lane; which games ended comes back, and stays in `done`."""
        at = self._all if lanes is None else self._checked(lanes)
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != at.shape:
            raise PickominoError(f"actions of shape {chosen.shape}: expected {at.shape}")
        if self.follows:
            self._runs["state"] = RUNNING
        self._play(at, chosen, self._strict)
        return self.done

    def _play(self, at: Ints, chosen: Ints, strict: bool) -> int:
        """A move in each of the lanes; how many games ended."""
        if self._logs:
            self._make_room()
        count = self._kernel(at, chosen, strict)
        if count < 0:
            raise self._illegal(int(at[~count]), int(chosen[~count]))
        if count and self._logs and not self._own_seeds:
            for lane in np.flatnonzero(self.done).tolist():
                run = self._runs[lane]
                self._games[int(run["ended_number"])] = self._played[lane, : run["ended_length"]].copy()
        self._clear()
        return count

    def _kernel(self, at: Ints, chosen: Ints, strict: bool) -> int:
        count: int = step(self._lanes_state(), at, chosen, strict)
        return count

    def _lanes_state(self) -> tuple[Any, ...]:
        """What the kernels work on."""
        rows, runs, history, played = self._rows, self._runs, self._history, self._played
        return self._tables, self._plan, rows, runs, self._starts, self.ended, history, played, self._no_log

    def _make_room(self) -> None:
        """For the moves of a step in the log: one, and those of the bots in here."""
        self._room -= self._longest_step
        if self._room < 0 and self._logs:
            longest, width = int(self.decisions.max()), self._history.shape[1]
            more = ((0, 0), (0, 2 * longest + _FIRST_ROOM - width))
            if more[1][1] > 0:
                self._history, self._played = np.pad(self._history, more), np.pad(self._played, more)
            self._room = self._history.shape[1] - longest - self._longest_step

    def _checked(self, lanes: ArrayLike) -> Ints:
        at = np.ascontiguousarray(lanes, dtype=np.int64)
        if len(at) and (at[0] < 0 or at[-1] >= len(self) or (np.diff(at) <= 0).any()):
            raise PickominoError(
                f"lanes {at}: expected ascending numbers from 0 to {len(self) - 1}, none twice"
            )
        return at

    def _clear(self) -> None:
        self.__dict__.pop("legal", None)  # the cached mask of the step before

    def _illegal(self, lane: int, action: int) -> IllegalMoveError:
        position = self.position(lane)
        move = str(self.table[action]) if 0 <= action < len(self.table) else f"number {action}"
        expected = ", ".join(map(str, position.moves()))
        return IllegalMoveError(
            f"lane {lane}: move {move!r} is not legal in {str(position)!r}: expected {expected}"
        )

    @property
    def done(self) -> NDArray[np.bool_]:
        """Where a game ended in the last step; lanes that stand still stay in it."""
        done: NDArray[np.bool_] = self._runs["state"] != RUNNING
        return done

    @property
    def state(self) -> NDArray[np.int8]:
        """How the games in `done` ended: 1 over, 2 truncated, 3 by an illegal move; 0 elsewhere."""
        return self._column(self._runs["state"])

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which of the games in `done` were truncated."""
        truncated: NDArray[np.bool_] = self._runs["state"] == BROKEN_OFF
        return truncated

    @property
    def actor(self) -> NDArray[np.int8]:
        """The seat that made the last move of those that are not bots'."""
        return self._column(self._runs["actor"])

    @property
    def lengths(self) -> Ints:
        """Decisions in the game that ended last in each lane."""
        return self._column(self._runs["ended_length"])

    @property
    def final_scores(self) -> NDArray[np.int32]:
        """Worms per seat at the end of the last game that ended in each lane: (lanes, seats)."""
        return worm_counts(self.edition, self.seats, self.ended)[0]

    @property
    def final_shares(self) -> NDArray[np.float64]:
        """What each seat won in the last game that ended in each lane: (lanes, seats)."""
        return win_shares(worm_counts(self.edition, self.seats, self.ended)[1], self.seats)

    def view(self, lanes: Ints) -> LaneView:
        """Some lanes, as they are now."""
        rows, runs = gathered(self._rows, lanes), gathered(self._runs, lanes)
        return LaneView(self.edition, self.seats, rows, runs)

    def play(self, policies: Policy | Sequence[Policy]) -> Results:
        """Play on until every lane stands still: one policy for all seats, or one for each.

        A policy gets the games in which its seats are to act, and answers with a move for each of them.
        """
        if self._plan["limit"][0] == _ENDLESS:
            raise PickominoError("play: a simulator with auto_reset never ends; give it a total")
        positions = np.zeros(max(int(self._plan["limit"][0]), len(self)), dtype=PACKED)
        lengths = np.zeros(len(positions), dtype=np.int64)
        groups = _by_policy(policies, self.seats)
        newly = np.flatnonzero(self.done)
        while True:
            numbers = self._runs["ended_number"][newly]
            positions[numbers], lengths[numbers] = self.ended[newly], self.lengths[newly]
            running = self.legal_bits != 0
            if not running.any():
                return Results(
                    self.edition, self.seats, self.seed, positions, lengths, self._starts, self._actions_of
                )
            newly = np.flatnonzero(self.step(self._ask(groups, running)) & running)

    def _ask(self, groups: list[tuple[Policy, NDArray[np.bool_]]], running: NDArray[np.bool_]) -> ArrayLike:
        if len(groups) == 1 and running.all():
            return groups[0][0](self)
        actions = np.zeros(len(self), dtype=np.int64)
        for policy, has_seat in groups:
            lanes = np.flatnonzero(running & has_seat[self.seat])
            if len(lanes):
                actions[lanes] = policy(self.view(lanes))
        return actions

    # --- games as records ---

    def game(self, number: int) -> Game:
        """A game as far as it was played, checked by the rules; needs ``log=True``, and one seed for all."""
        actions = self._actions_of(number)
        return replay_game(self.edition, self._starts, self.seed, number, actions, len(actions))

    def record(self, number: int, names: Sequence[str]) -> Record:
        """The same as a record, with a name for every seat."""
        return Record(self.game(number), tuple(names))

    def lane_game(self, lane: int, *, ended: bool = False) -> Game:
        """The game that goes on in a lane, or the one that ended last there; needs ``log=True``."""
        run = self._runs[lane]
        if not self._logs:
            raise PickominoError(f"game of lane {lane}: its moves were not recorded; that needs log=True")
        if ended and run["ended_number"] == NONE:
            raise PickominoError(f"lane {lane}: no game has ended there")
        number, length = (
            (run["ended_number"], run["ended_length"]) if ended else (run["number"], run["decisions"])
        )
        actions = (self._played if ended else self._history)[lane, :length].astype(np.int64)
        return replay_game(self.edition, self._starts, int(run["seed"]), int(number), actions, int(length))

    def _actions_of(self, number: int) -> Ints:
        if not self._logs:
            raise PickominoError(f"game {number}: its moves were not recorded; that needs log=True")
        lane = number % len(self)
        if self._own_seeds or number < 0 or number > self.numbers[lane]:
            raise PickominoError(f"game {number} has not begun")
        actions = self._games.get(number, self._history[lane, : self.decisions[lane]])
        return actions.astype(np.int64)


def _by_policy(policies: Policy | Sequence[Policy], seats: int) -> list[tuple[Policy, NDArray[np.bool_]]]:
    """Each policy once, with the seats that it plays; the last place is for games that are over."""
    listed = [policies] * seats if callable(policies) else list(policies)
    if len(listed) != seats:
        raise PickominoError(f"{len(listed)} policies: expected one, or one for each of {seats} seats")
    groups: list[tuple[Policy, NDArray[np.bool_]]] = []
    for seat, policy in enumerate(listed):
        if not any(policy is known for known, _ in groups):
            groups.append((policy, np.zeros(NOBODY + 1, dtype=np.bool_)))
        next(has_seat for known, has_seat in groups if known is policy)[seat] = True
    return groups


def play_games(
    policies: Policy | Sequence[Policy],
    edition: Edition | str = "classic",
    seats: int = 2,
    games: int = 1000,
    seed: int = 0,
    *,
    first: int | Sequence[int] = 0,
    start: Start = None,
    lanes: int = 4096,
    most_decisions: int = MOST_DECISIONS,
    log: bool = False,
) -> Results:
    """Whole games by batched policies, a few thousand lanes at a time.

    >>> results = play_games(lambda view: view.legal.argmax(axis=1), games=10, seed=1)
    >>> len(results), bool(results.over.all())
    (10, True)
    """
    simulator = Simulator(
        edition,
        seats,
        min(games, lanes),
        seed,
        first=first,
        start=start,
        total=games,
        most_decisions=most_decisions,
        log=log,
    )
    return simulator.play(policies)
