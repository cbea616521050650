"""A solved small game with specialists: positions as the rules engine finds them (`Reached`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pickomino.rules import Position, Stop
from pickomino.solver.endings import Ending as TurnEnding
from pickomino.solver.endings import after
from pickomino.solver.kernels import Kernel
from pickomino.solver.point import in_turn
from pickomino.solver.position import TurnSolver
from pickomino.solver.whole.game import Ending, MoveValue, WholeGame
from pickomino.solver.whole.kind_turns import KindTurns
from pickomino.solver.whole.reached import Reached, turn_start
from pickomino.solver.whole.rounds import Solving

__all__ = ["ReachedGame"]

_DELAY = 1e-9  # far above rounding, far below what moves differ by


@dataclass(eq=False)
class ReachedGame(WholeGame):
    """Endings are in the order of `pickomino.solver.endings`."""

    space: Reached

    def moves(self, position: Position) -> tuple[MoveValue, ...]:
        result = []
        for move in position.moves():
            values = self.values(position.apply(move).position)
            result.append(MoveValue(move, values[position.seat], values))
        return tuple(result)

    def endings(self, position: Position) -> tuple[Ending, ...]:
        return tuple(
            Ending(ending.claim or Stop(), end, self.values(end))
            for ending in self._turn_endings(position)
            for end in after(position, ending)
        )

    def ending_columns(self, position: Position) -> list[int]:
        choices = self.space.kinds.choices
        return [
            place * choices + choice
            for place, ending in enumerate(self._turn_endings(position))
            for choice in range(len(after(position, ending)))
        ]

    def solving(self, kernel: Kernel) -> Solving:
        solving = Solving(self.space, KindTurns(self.space, kernel, self.margin), kernel, _DELAY)
        solving.values[: self.positions] = self.table
        return solving

    def _stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        start, specialists = self.start, self.start.specialists
        about: dict[str, Any] = {"grill": start.grill, "stacks": start.stacks}
        if specialists is not None:
            about |= {name: getattr(specialists, name) for name in ("standing", "held", "round_worms")}
        return {"start": about}, {"rows": self.space.rows, "links": self.space.links}

    def _begins(self, position: Position) -> bool:
        return in_turn(position) and position == turn_start(position)

    def _within(self, position: Position) -> tuple[float, ...]:
        if not in_turn(position):  # a choice after the claim
            return self._best((entry.values for entry in self.moves(position)), position.seat)
        solver = TurnSolver(position)
        ends = np.array(
            [
                self._best(map(self.values, after(position, ending)), position.seat)
                for ending in solver.endings
            ]
        )
        return tuple(map(float, solver.solve(ends[:, position.seat]).probs @ ends))

    def _turn_endings(self, position: Position) -> tuple[TurnEnding, ...]:
        return self.space.kinds.of(turn_start(position)).solver.endings

    def _best(self, options: Iterable[tuple[float, ...]], seat: int) -> tuple[float, ...]:
        """What the seat chooses, the first among equals."""
        best, *others = options
        for other in others:
            if other[seat] > best[seat] + self.margin:
                best = other
        return best
