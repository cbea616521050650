"""The objective `win`: a turn is played for the probability to win the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.ahead import closer
from pickomino.bots.champion.net import load_net
from pickomino.bots.ends import Ends, turn_ends, turn_starts
from pickomino.compact.loops import NO_GIVER
from pickomino.compact.packed import pack
from pickomino.compact.turn import turn_tables
from pickomino.rules import Edition, InvalidPositionError, Position, Take
from pickomino.solver import Ending, TurnSolver, after
from pickomino.solver.point import in_turn
from pickomino.tensor import Batch, batch_of, packed_batch


def _shares(batch: Batch, far: bool) -> NDArray[np.float32]:
    """Every seat's, the seat to act first."""
    net = load_net(batch.rules.edition, batch.rules.seats)
    return closer(batch, net.shares, far=far)


def estimate(positions: Sequence[Position], *, far: bool = False) -> NDArray[np.float64]:
    """Every seat's probability to win, seat A first, for positions between two turns or over: (positions, seats).

    `far`: as people are shown it, see `pickomino.bots.champion.ahead`; it takes longer.
    """
    seats = len(positions[0].stacks)
    shares = _shares(batch_of(positions), far)
    first = np.array([0 if position.over else position.seat for position in positions])
    place = (np.arange(seats) - first[:, None]) % seats
    return np.take_along_axis(shares, place, axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Win:
    """Values the ends of a turn by the probability to win of the seat whose turn it is; `far` as in `estimate`."""

    far: bool = False

    def __str__(self) -> str:
        return "win"

    def payoff(self, position: Position, endings: Sequence[Ending]) -> list[float]:
        edition, start = position.edition, turn_starts(pack(position))
        turn_tables(edition)  # made with the first turn, so that the first golden one need not wait
        start["kept"] = all(ending.giver is None for ending in endings)  # then none is earned any more
        found = turn_ends(edition, start)
        values = found.claims(edition, win_values(edition, found.ends, far=self.far))
        row = {giver: index for index, giver in enumerate(found.giver.tolist())}
        place = {tile: index for index, tile in enumerate(edition.values)}

        def value(ending: Ending) -> float:
            at = row[NO_GIVER if ending.giver is None else ending.giver]
            if ending.claim is None:
                return float(values.bust[at])
            claims = values.take if isinstance(ending.claim, Take) else values.steal
            return float(claims[at, place[ending.claim.tile]])

        return list(map(value, endings))

    def choice(self, position: Position, end: Position) -> float:
        return float(estimate([end], far=self.far)[0, position.seat])


def win_values(edition: Edition, ends: Ends, *, far: bool = False) -> NDArray[np.float64]:
    """The probability to win at the ends of turns, for the seats whose turns they were."""
    seats = int(ends.rows["seats"][0])
    batch = packed_batch(edition, ends.rows, (ends.seats + 1) % seats)
    return _shares(batch, far)[:, -1].astype(np.float64)


def win_shares(position: Position) -> tuple[float, ...]:
    """Every seat's probability to win, if the seat to act plays the rest of its turn best and the game goes on so."""
    if position.over:
        raise InvalidPositionError("{position!r}: the game is over", position=str(position))
    seat = position.seat
    if not in_turn(position):
        return _best(estimate([position.apply(move).position for move in position.moves()]), seat)
    solver = TurnSolver(position)
    ends = [after(position, ending) for ending in solver.endings]
    shares = estimate([end for choices in ends for end in choices])
    first = np.cumsum([0, *map(len, ends)])
    best = np.array([_best(shares[a:b], seat) for a, b in pairwise(first.tolist())])
    return tuple(float(share) for share in solver.solve(best[:, seat]).probs @ best)


def _best(shares: NDArray[np.float64], seat: int) -> tuple[float, ...]:
    """Of several ends the one that the seat likes best."""
    return tuple(shares[shares[:, seat].argmax()].tolist())
