"""`solve_whole`: from tiles to a solved game, with checkpoints on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from time import monotonic

from pickomino.rules import Edition, PickominoError, find_edition
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.game import WholeGame, load_whole
from pickomino.solver.whole.rounds import Progress, Report, Solving
from pickomino.solver.whole.space import Space, count_bound
from pickomino.solver.whole.turns import kernel_for

__all__ = ["MAX_POSITIONS", "solve_whole"]

MAX_POSITIONS = 20_000_000  # nine tiles for two: some 4 GB of memory
_CHECKPOINT_SECONDS = 60.0
_MOST_ROUNDS = 2000  # two seats: value iteration has converged long before
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

    tolerance: the game counts as converged when no turn, played anew, would move a value by more.
    save: where the table goes; while the work lasts, a checkpoint every minute, and one on
    ``KeyboardInterrupt``. resume: go on from the table in ``save``, if there is one. kernel: ``numpy`` or
    ``numba``; by default numba where it is installed and pays.
    """
    if isinstance(edition, str):
        edition = find_edition(edition)
    begun = monotonic()
    game = _begin(edition, tiles, players, save if resume else None, max_positions)
    if game.complete:
        return game
    return _Work(game, kernel or kernel_for(game.positions), save, progress, begun - game.seconds).run(
        tolerance
    )


def _begin(
    edition: Edition,
    tiles: Sequence[int],
    players: int,
    old: str | os.PathLike[str] | None,
    max_positions: int,
) -> WholeGame:
    if old is not None and os.path.exists(old):
        game = load_whole(old, edition)
        if (game.tiles, game.players) != (tuple(sorted(tiles)), players):
            raise PickominoError(f"{os.fspath(old)!r} is the table of {game.space}")
        return game
    bound = count_bound(len(tiles), players)
    if bound > max_positions:
        raise PickominoError(
            f"{len(tiles)} tiles for {players} players: up to {bound:,} positions, "
            f"more than the {max_positions:,} allowed"
        )
    space = Space(edition, tiles, players)
    table = Solving(space, "numpy").values[: space.count]
    return WholeGame(space, table, 0, 0, 1.0, False, 0.0)


class _Work:
    def __init__(
        self,
        game: WholeGame,
        kernel: Kernel,
        save: str | os.PathLike[str] | None,
        progress: Report | None,
        begun: float,
    ) -> None:
        self._game, self._save, self._progress, self._begun = game, save, progress, begun
        self._solving = Solving(game.space, kernel)
        self._solving.values[: game.positions] = game.table
        game.table = self._solving.values[: game.positions]  # one array from here on
        self._saved_at = monotonic()

    def run(self, tolerance: float) -> WholeGame:
        game, space = self._game, self._game.space
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
                    Progress(index + 1, len(levels), number, done, turns, change, solved, positions)
                )

        return report

    def _checkpoint(self, now: bool = False) -> None:
        self._game.seconds = monotonic() - self._begun
        if self._save is not None and (now or monotonic() - self._saved_at >= _CHECKPOINT_SECONDS):
            self._game.save(self._save)
            self._saved_at = monotonic()
