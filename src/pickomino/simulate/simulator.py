"""Games in lockstep: arrays out, one array of moves in, dice and consequences inside the step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.packed import NONE, PACKED, PHASE_OVER, gathered
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.rules import NOBODY, Edition, IllegalMoveError, PickominoError
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.kernels import reset, step
from pickomino.simulate.lanes import Ints, LaneView
from pickomino.simulate.replay import replay_game
from pickomino.simulate.results import Results, Start, check_seed, edition_of, packed_starts

__all__ = ["Policy", "Simulator", "play_games"]

Policy: TypeAlias = Callable[[LaneView], ArrayLike]
"""For every row of the view the index of a legal move."""

MOST_DECISIONS = 100_000  # games of people who want to win take about 200
_ENDLESS = 1 << 62


class Simulator(LaneView):
    """So many games side by side, each in its lane; lane i begins with game number i.

    A game depends on the seed, its number and the moves made in it, not on the other games. With `auto_reset`
    the game whose number is higher by the number of lanes follows in a lane where one has ended; `total` ends
    that at a number of games. Otherwise the lane stands still: no legal move, and what is handed in for it is
    ignored. A game longer than `most_decisions` is broken off: bad policies can play for ever.

    >>> simulator = Simulator("classic", seats=2, games=1000, seed=1)
    >>> while not simulator.done.all():
    ...     _ = simulator.step(simulator.random_moves())
    """

    def __init__(
        self,
        edition: Edition | str = "classic",
        seats: int = 2,
        games: int = 1024,
        seed: int = 0,
        *,
        first: int | Sequence[int] = 0,
        start: Start = None,
        auto_reset: bool = False,
        total: int | None = None,
        most_decisions: int = MOST_DECISIONS,
        log: bool = False,
    ) -> None:
        if games < 1:
            raise PickominoError(f"{games} games: expected at least one")
        if total is not None and total < games:
            raise PickominoError(f"a total of {total} games: expected at least one for each of {games} lanes")
        edition = edition_of(edition)
        self._starts = packed_starts(edition, seats, first, start)
        super().__init__(edition, seats, np.zeros(games, dtype=PACKED), np.zeros(games, dtype=RUN))
        self._limit = total if total is not None else _ENDLESS if auto_reset else games
        self._most = most_decisions
        self._all = np.arange(games)
        self._no_log: Any = np.zeros(1, dtype=LOG)[0]
        self._logs = log
        self.done: NDArray[np.bool_]
        self.ended: NDArray[Any]
        self.lengths: Ints
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """All lanes at their first game again, with other dice."""
        self.seed = check_seed(seed)
        self._seed = np.uint64(seed)
        self._clear()
        reset(self._tables, self._rows, self._runs, self._starts, self._seed, self._no_log)
        self.done = np.zeros(len(self), dtype=np.bool_)
        self.ended = self._rows.copy()
        self.lengths = np.zeros(len(self), dtype=np.int64)
        self._log: list[NDArray[np.int8]] = []  # (steps, lanes) each
        self._game_lengths: dict[int, int] = {}

    def step(self, actions: ArrayLike, lanes: ArrayLike | None = None) -> NDArray[np.bool_]:
        """One decision per lane, or per given lane; which games ended comes back, and stays in `done`.

        An illegal move raises, and nothing has happened then.
        """
        at = self._all if lanes is None else self._checked(lanes)
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != at.shape:
            raise PickominoError(f"actions of shape {chosen.shape}: expected {at.shape}")
        logged = self._logged(chosen, at) if self._logs else None
        done = np.zeros_like(self.done) if self._limit > len(self) else self.done
        offender = step(
            self._tables,
            self._rows,
            self._runs,
            self._starts,
            self._seed,
            self._limit,
            self._most,
            at,
            chosen,
            done,
            self.ended,
            self.lengths,
            self._no_log,
        )
        if offender != NONE:
            raise self._illegal(int(at[offender]), int(chosen[offender]))
        self.done = done
        if logged is not None:
            self._log.append(logged[None])
            newly = np.flatnonzero(self.done & (logged != NONE))
            numbers = self._ended_numbers(newly).tolist()
            self._game_lengths.update(zip(numbers, self.lengths[newly].tolist(), strict=True))
        self._clear()
        return self.done

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
    def truncated(self) -> NDArray[np.bool_]:
        """Which of the games in `done` were broken off before their end."""
        truncated: NDArray[np.bool_] = self.done & (self.ended["phase"] != PHASE_OVER)
        return truncated

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
        return LaneView(self.edition, self.seats, gathered(self._rows, lanes), gathered(self._runs, lanes))

    def play(self, policies: Policy | Sequence[Policy]) -> Results:
        """Play on until every lane stands still: one policy for all seats, or one for each.

        A policy gets the games in which its seats are to act, and answers with a move for each of them.
        """
        if self._limit == _ENDLESS:
            raise PickominoError("play: a simulator with auto_reset has no end, give it a total")
        positions = np.zeros(max(self._limit, len(self)), dtype=PACKED)
        lengths = np.zeros(len(positions), dtype=np.int64)
        groups = _by_policy(policies, self.seats)
        newly = np.flatnonzero(self.done)
        while True:
            numbers = self._ended_numbers(newly)
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

    def _ended_numbers(self, lanes: Ints) -> Ints:
        """Which game it was that ended last in a lane; the next one may be running there already."""
        numbers: Ints = self.numbers[lanes] - len(self) * (self.legal_bits[lanes] != 0)
        return numbers

    # --- games as records ---

    def game(self, number: int) -> Game:
        """A game as far as it was played, checked by the rules; needs ``log=True``."""
        actions = self._actions_of(number)
        return replay_game(self.edition, self._starts, self.seed, number, actions, len(actions))

    def record(self, number: int, names: Sequence[str]) -> Record:
        """The same as a record, with a name for every seat."""
        return Record(self.game(number), tuple(names))

    def _logged(self, chosen: Ints, at: Ints) -> NDArray[np.int8]:
        logged = np.full(len(self), NONE, dtype=np.int8)
        logged[at] = np.where(self.legal_bits[at] != 0, chosen, NONE)
        return logged

    def _actions_of(self, number: int) -> Ints:
        if not self._logs:
            raise PickominoError(f"game {number}: its moves were not written down, which log=True does")
        lane, played = number % len(self), number // len(self)
        if number < 0 or number > self.numbers[lane]:
            raise PickominoError(f"game {number} has not begun")
        if len(self._log) > 1:
            self._log = [np.concatenate(self._log)]
        column = self._log[0][:, lane] if self._log else np.zeros(0, dtype=np.int8)
        actions: Ints = column[column != NONE].astype(np.int64)
        lengths = [self._game_lengths[lane + game * len(self)] for game in range(played)]
        first = sum(lengths)
        return actions[first : first + self._game_lengths.get(number, len(actions))]


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
    """So many whole games by batched policies, a few thousand lanes at a time.

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
