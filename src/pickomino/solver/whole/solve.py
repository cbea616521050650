"""`solve_whole`: from tiles to a solved game, with checkpoints on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from time import monotonic

from pickomino.rules import Edition, PickominoError, Position, find_edition
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.files import load_whole
from pickomino.solver.whole.game import WholeGame
from pickomino.solver.whole.rounds import Report, SolvingProgress, initial_values
from pickomino.solver.whole.small import small_start
from pickomino.solver.whole.space import Space, position_bound, turn_start
from pickomino.solver.whole.turns import kernel_for

MAX_POSITIONS = 20_000_000  # nine tiles for two: some 4 GB of memory
_CHECKPOINT_SECONDS = 60.0
_MOST_ROUNDS = 20_000  # two seats: value iteration has converged long before
_MOST_ROUNDS_OF_MANY = 120  # more seats: what has not settled by then goes in circles


def solve_whole(
    tiles: Sequence[int],
    edition: Edition | str = "classic",
    players: int = 2,
    *,
    tolerance: float = 1e-12,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Report | None = None,
    kernel: Kernel | None = None,
    max_positions: int = MAX_POSITIONS,
) -> WholeGame:
    """Solve the small game of these tiles: every seat plays for its probability to win.

    In an edition with specialists, each stands on its own tile if that is among them, else it is out of the
    game; `solve_from` takes other starts.

    tolerance: the game counts as converged when no turn, played anew, would move a value by more.
    save: where the table goes; while the work lasts, a checkpoint every minute, and one on
    ``KeyboardInterrupt``. resume: go on from the table in ``save``, if there is one. kernel: ``numpy`` or
    ``numba``; by default numba where it is installed and pays.
    """
    if isinstance(edition, str):
        edition = find_edition(edition)
    return solve_from(
        small_start(edition, tiles, players),
        tolerance=tolerance, save=save, resume=resume, progress=progress, kernel=kernel,
        max_positions=max_positions,
    )  # fmt: skip


def solve_from(
    start: Position,
    *,
    tolerance: float = 1e-12,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Report | None = None,
    kernel: Kernel | None = None,
    max_positions: int = MAX_POSITIONS,
) -> WholeGame:
    """Solve the game that begins with the turn of this position, in any edition; the rest as `solve_whole`."""
    begun = monotonic()
    start = turn_start(start)
    game = load_whole(save, start.edition) if resume and save is not None and os.path.exists(save) else None
    if game is None:
        bound = position_bound(start)
        if bound > max_positions:
            raise PickominoError(
                "the game from {start!r}: up to {bound:,} positions, more than the {max_positions:,} allowed",
                start=str(start),
                bound=bound,
                max_positions=max_positions,
            )
        space = Space(start, report=None if progress is None else lambda found: progress(_searching(found)))
        game = WholeGame(space, initial_values(space)[: space.count], 0, 0, 1.0, False, 0.0)
    elif game.space.begin.stacks != start.stacks or str(game.start) != str(start):
        raise PickominoError("{path!r} is the table of {space}", path=os.fspath(save or ""), space=game.space)
    return _Solve(game, kernel, save, progress, begun).run(tolerance)


def _searching(found: int) -> SolvingProgress:
    """Positions are still being looked for."""
    return SolvingProgress(0, 0, 0, 0, 0, 1.0, 0, found)


class _Solve:
    def __init__(
        self,
        game: WholeGame,
        kernel: Kernel | None,
        save: str | os.PathLike[str] | None,
        progress: Report | None,
        begun: float,
    ) -> None:
        self._game, self._save, self._progress = game, save, progress
        self._begun = begun - game.seconds
        kernel = kernel or kernel_for(game.positions)
        self._solving = game.solving(kernel)
        game.table = self._solving.values[: game.positions]  # one array from here on
        self._saved_at = monotonic()

    def run(self, tolerance: float) -> WholeGame:
        game, space = self._game, self._game.space
        if game.complete:
            return game
        most_rounds = _MOST_ROUNDS if space.players == 2 else _MOST_ROUNDS_OF_MANY
        residual = game.residual if game.levels_solved else 0.0
        try:
            for index, level in enumerate(space.levels):
                if index < game.levels_solved:
                    continue
                game.iterations += self._solving.level(level, most_rounds, self._reporter(index))
                residual = max(residual, self._solving.residual(level))
                game.levels_solved, game.residual = index + 1, residual
                self._checkpoint()
            game.converged = bool(residual <= tolerance)
        except KeyboardInterrupt:
            self._checkpoint(now=True)
            raise
        self._checkpoint(now=True)
        return game

    def _reporter(self, index: int) -> Callable[[int, int, int, float], None]:
        levels = self._game.space.levels
        solved = levels[index][0].first

        def report(number: int, done: int, turns: int, change: float) -> None:
            self._checkpoint()
            if self._progress is not None:
                positions = self._game.positions
                self._progress(
                    SolvingProgress(index + 1, len(levels), number, done, turns, change, solved, positions)
                )

        return report

    def _checkpoint(self, now: bool = False) -> None:
        self._game.seconds = monotonic() - self._begun
        if self._save is not None and (now or monotonic() - self._saved_at >= _CHECKPOINT_SECONDS):
            self._game.save(self._save)
            self._saved_at = monotonic()
