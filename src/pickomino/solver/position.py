"""A turn solved from any point of it, for any payoff "how the turn ends -> value"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino.rules import Move, Position
from pickomino.solver.ending import Ending, claims_by_slot, reachable_endings
from pickomino.solver.forward import ending_probs
from pickomino.solver.kernels import Kernel, solve_tables
from pickomino.solver.numpy_kernel import Floats, Solved
from pickomino.solver.point import Claim, Turn, read

TIE = 1e-12
"""Values this close, relative to the payoffs, are equal: rounding must not decide between equal moves."""


def first_best(moves: dict[Move, float], scale: float = 1.0) -> Move | None:
    """The best move, the first in text order among equals; None where dice are due."""
    if not moves:
        return None
    enough = max(moves.values()) - TIE * scale
    return next(move for move, value in moves.items() if value >= enough)


class MoveValues(NamedTuple):
    """What a position is worth, and each of its legal moves in text order.

    No moves and no best where dice are due.
    """

    value: float
    best: Move | None
    moves: dict[Move, float]

    def __repr__(self) -> str:
        if self.best is None:
            return f"<MoveValues {self.value:.5g}, dice are due>"
        return f"<MoveValues {self.value:.5g}, best {self.best} of {len(self.moves)} moves>"


class TurnSolver:
    """The turn of a position, ready for payoffs. Solving keeps nothing: one solver serves many payoffs.

    A payoff is an array over `endings`, in their order. Where a stop allows several claims, the best one is
    made.
    """

    def __init__(self, position: Position, *, kernel: Kernel = "auto") -> None:
        self.turn = Turn(position)
        self.kernel: Kernel = kernel
        self._claims = claims_by_slot(position, self.turn.tables)
        self.endings: tuple[Ending, ...] = reachable_endings(self.turn, self._claims)
        self._place = {ending: index for index, ending in enumerate(self.endings)}

    def __repr__(self) -> str:
        return f"<TurnSolver of {str(self.position)!r} with {len(self.endings)} endings>"

    @property
    def position(self) -> Position:
        return self.turn.position

    def solve(self, payoff: ArrayLike) -> TurnSolution:
        """One payoff (endings,): values at every point of the turn, the best policy and its endings."""
        array = np.asarray(payoff, dtype=np.float64)
        if array.shape != (len(self.endings),):
            raise ValueError(
                f"payoff of shape {array.shape}: expected ({len(self.endings)},), one for each ending"
            )
        return TurnSolution(self, array)

    def values(self, payoffs: ArrayLike) -> tuple[NDArray[np.float64], dict[Move, NDArray[np.float64]]]:
        """Many payoffs (B, endings): the value of the position (B,) and of each of its moves (B,)."""
        array = np.asarray(payoffs, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != len(self.endings):
            raise ValueError(f"payoffs of shape {array.shape}: expected (payoffs, {len(self.endings)})")
        return read(self.turn, self.position, SolvedTurn(self, array))

    def place(self, claim: Claim | None, flag: int, lane: int) -> int:
        """The ending's place in a payoff; -1 for one that cannot happen from the solver's position."""
        return self._place.get(Ending(claim, self.turn.givers[lane] if flag else None), -1)

    @cached_property
    def choices(self) -> NDArray[np.intp]:
        """(flags, 2, totals, lanes, most claims): places of the endings that a stop can choose from."""
        tables = self.turn.tables
        most = max(1, *map(len, self._claims.values()))
        lanes = len(self.turn.givers)
        choices = np.full((tables.flags, 2, tables.max_total + 1, lanes, most), -1, dtype=np.intp)
        known: dict[tuple[Claim, ...], NDArray[np.intp]] = {}  # most totals allow what another does
        for (worm, total), claims in self._claims.items():
            if claims not in known:
                known[claims] = self._places(claims or (None,), most)
            choices[:, worm, total] = known[claims]
        return choices

    def _places(self, claims: tuple[Claim | None, ...], size: int) -> NDArray[np.intp]:
        """(flags, lanes, size): places of the endings by these claims, the last repeated."""
        options = (*claims, *claims[-1:] * (size - len(claims)))
        lanes, flags = range(len(self.turn.givers)), range(self.turn.tables.flags)
        return np.array(
            [[[self.place(claim, flag, lane) for claim in options] for lane in lanes] for flag in flags]
        )


class SolvedTurn:
    """The solved tables for some payoffs: a `Look` whose values are arrays (payoffs,)."""

    def __init__(self, solver: TurnSolver, payoffs: NDArray[np.float64]) -> None:
        self.solver = solver
        # An ending out of reach is never chosen; whatever stands for it must not spoil the arithmetic.
        self.payoffs = np.concatenate([payoffs, np.zeros((len(payoffs), 1))], axis=1)
        turn = solver.turn
        tables, lanes, count = turn.tables, len(turn.givers), len(payoffs)
        stop = self.payoffs.T[solver.choices].max(axis=4)  # (flags, 2, totals, lanes, payoffs)
        self.stops = np.moveaxis(stop, 3, 4).reshape(tables.slots, count * lanes)
        busts = [[solver.place(None, flag, lane) for lane in range(lanes)] for flag in range(tables.flags)]
        self.busts = np.moveaxis(self.payoffs.T[np.array(busts)], 1, 2).reshape(tables.flags, count * lanes)
        used = self._solve(None)
        self.layers: list[Solved] = [self._solve(used.roll), used] if turn.weasel else [used]
        self.shape = (tables.states, count, lanes)

    def _solve(self, floor: Floats | None) -> Solved:
        turn = self.solver.turn
        return solve_tables(
            turn.tables, self.stops, self.busts, floor, givers=len(turn.givers), kernel=self.solver.kernel
        )

    def best(self, values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        best: NDArray[np.float64] = np.max(values, axis=0)
        return best

    def stop(self, claim: Claim | None, state: int, lane: int) -> NDArray[np.float64]:
        return self.payoffs[:, self.solver.place(claim, int(self.solver.turn.tables.ones[state]), lane)]

    def bust(self, state: int, lane: int) -> NDArray[np.float64]:
        return self.stop(None, state, lane)

    def value(self, used: bool, state: int, lane: int) -> NDArray[np.float64]:
        return self._at(self.layers[-1 if used else 0].value, state, lane)

    def roll(self, used: bool, state: int, lane: int) -> NDArray[np.float64]:
        return self._at(self.layers[-1 if used else 0].roll, state, lane)

    def _at(self, array: Floats, state: int, lane: int) -> NDArray[np.float64]:
        return array.reshape(self.shape)[state, :, lane].astype(np.float64)


class TurnSolution:
    """The turn solved for one payoff.

    It holds for every point of the turn, not only for the one it was solved from.
    """

    def __init__(self, solver: TurnSolver, payoff: NDArray[np.float64]) -> None:
        self.solver = solver
        self.payoff = payoff
        self._scale = max(1.0, float(np.abs(payoff).max()))
        self._look = SolvedTurn(solver, payoff[None])

    def __repr__(self) -> str:
        return f"<TurnSolution of {str(self.solver.position)!r}: {self.here!r}>"

    def at(self, position: Position) -> MoveValues:
        """Value, best move and the values of all moves at a point of the turn: this is the best policy."""
        self.solver.turn.check(position)
        value, moves = read(self.solver.turn, position, self._look)
        floats = {move: float(row[0]) for move, row in moves.items()}
        return MoveValues(float(value[0]), first_best(floats, self._scale), floats)

    @cached_property
    def here(self) -> MoveValues:
        """`at` the position that was solved."""
        return self.at(self.solver.position)

    @property
    def value(self) -> float:
        """The best expected value."""
        return self.here.value

    @property
    def best(self) -> Move | None:
        """The best move, the first in text order among equals; None where dice are due."""
        return self.here.best

    @property
    def moves(self) -> dict[Move, float]:
        """The value of every legal move, in text order."""
        return self.here.moves

    @cached_property
    def probs(self) -> NDArray[np.float64]:
        """The probability of every ending under the best policy, in the order of ``solver.endings``."""
        look, turn, tie = self._look, self.solver.turn, TIE * self._scale
        tables, lanes = turn.tables, len(turn.givers)
        stops = look.stops[tables.slot]
        stopped, busted = ending_probs(turn, look.layers, stops, look.busts, self.best, tie)
        probs = np.zeros(len(self.solver.endings))
        by_slot = np.zeros((tables.slots, lanes))
        np.add.at(by_slot, tables.slot, stopped)
        choices = self.solver.choices.reshape(tables.slots, lanes, -1)
        values = look.payoffs[0][choices]
        first = (values >= values.max(axis=2, keepdims=True) - tie).argmax(axis=2)
        chosen = np.take_along_axis(choices, first[:, :, None], axis=2)[:, :, 0]
        np.add.at(probs, chosen[by_slot > 0], by_slot[by_slot > 0])
        for flag, lane in np.argwhere(busted > 0):
            probs[self.solver.place(None, int(flag), int(lane))] += busted[flag, lane]
        return probs


def solve_position(
    position: Position, payoff: Callable[[Ending], float] | ArrayLike, *, kernel: Kernel = "auto"
) -> TurnSolution:
    """Solve the rest of a turn for a payoff: a function of the ending, or an array over `endings`."""
    solver = TurnSolver(position, kernel=kernel)
    return solver.solve([payoff(ending) for ending in solver.endings] if callable(payoff) else payoff)
