"""How good is a way to play? Exactly, against best play or against its worst enemy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import PickominoError, Position
from pickomino.solver.whole.game import WholeGame
from pickomino.solver.whole.relax import Played, relax_level
from pickomino.solver.whole.rounds import Solving
from pickomino.solver.whole.space import Floats, Group
from pickomino.solver.whole.turns import TIE, kernel_for

TurnPolicy: TypeAlias = Callable[[Position], Sequence[float]]
"""From a turn start to what the policy thinks that each of `WholeGame.endings` is worth.

The turn is then played perfectly for these values, with the first move in text order among equals.
"""

TurnOdds: TypeAlias = Callable[[Sequence[Position]], Sequence[Sequence[float]]]
"""From turn starts to how likely each of their `WholeGame.endings` is when a policy plays those turns."""

Against: TypeAlias = Literal["optimal", "best response"]
"""How the other seats play: as the solved game does, or (two players) as hurts the policy most."""

_Plays: TypeAlias = Callable[[NDArray[np.intp], int], Floats]
"""From rows of the table and the number of columns to how likely each ending is: (rows, columns)."""

_CHUNK = 4096
_MOST_ROUNDS = 100
_STILL = 1e-13
_ROUNDED = 1e-6  # of sums over a turn


class PolicyValue(NamedTuple):
    """What a policy wins from the start of the game."""

    # Its probability to win when it plays as the seat that begins, the next one, …
    by_seat: tuple[float, ...]
    table: Floats  # (positions, seats): the same from every position, seats counted from the one to act

    def __repr__(self) -> str:
        return f"<PolicyValue {self.mean:.5g}>"

    @property
    def mean(self) -> float:
        """Averaged over both seats."""
        return float(np.mean(self.by_seat))


def evaluate_policy(game: WholeGame, policy: TurnPolicy, against: Against = "optimal") -> PolicyValue:
    """The exact probability to win of one seat that plays the policy.

    against: ``optimal``, all other seats play the best moves of the solved game; ``best response`` (two
    players), the other seat knows the policy and plays what hurts it most, so that the difference to the
    game's value says how much the policy can be exploited.
    """
    turns = game.solving(kernel_for(game.positions)).turns

    def plays(rows: NDArray[np.intp], columns: int) -> Floats:
        return turns.play(rows, _opinions(game, policy, rows.tolist(), columns), TIE)

    return _evaluated(game, plays, against)


def evaluate_values(game: WholeGame, values: Floats, against: Against = "optimal") -> PolicyValue:
    """The same for a policy that goes by its values of all positions, as `WholeGame.table` has the true ones:
    (positions, seats), seats counted from the one to act. In bulk: millions of positions take minutes."""
    if values.shape != game.table.shape:
        raise PickominoError(f"values of shape {values.shape}: expected {game.table.shape}")
    solving = game.solving(kernel_for(game.positions))
    believed = solving.values.copy()  # finished games are as they are
    believed[: game.positions] = values

    def plays(rows: NDArray[np.intp], columns: int) -> Floats:
        return solving.turns.play(rows, believed[game.space.successors(rows), -1], TIE)

    return _evaluated(game, plays, against)


def evaluate_turns(game: WholeGame, odds: TurnOdds, against: Against = "optimal") -> PolicyValue:
    """The same for whatever plays moves, by how its turns end."""

    def plays(rows: NDArray[np.intp], columns: int) -> Floats:
        positions = [game.space.position(row) for row in rows.tolist()]
        result = np.zeros((len(rows), columns))
        for row, position, likely in zip(result, positions, odds(positions), strict=True):
            row[game.ending_columns(position)] = likely
            if abs(row.sum() - 1) > _ROUNDED or row.min() < 0:
                raise PickominoError(f"odds at {str(position)!r}: expected probabilities that sum to 1")
        return result

    return _evaluated(game, plays, against)


def _evaluated(game: WholeGame, plays: _Plays, against: str) -> PolicyValue:
    if not game.complete:
        raise PickominoError(f"{game.space} is not solved to the end")
    if against == "best response" and game.players != 2:
        raise PickominoError("a best response is defined for two players")
    solving = game.solving(kernel_for(game.positions))
    wins = solving.values.copy()  # of the seat that plays the policy, wherever it sits
    for level in game.space.levels:
        _level(game, solving, level, plays, wins, responds=against == "best response")
    start = tuple(map(float, wins[game.space.start]))
    return PolicyValue(start, wins[: game.positions])


def _level(
    game: WholeGame,
    solving: Solving,
    level: Sequence[Group],
    plays: _Plays,
    wins: Floats,
    responds: bool,
) -> None:
    begin, end = level[0].first, level[-1].last
    successors = game.space.successors(slice(begin, end))
    own, others = np.zeros(successors.shape), np.zeros(successors.shape)
    for first in range(begin, end, _CHUNK):
        rows = np.arange(first, min(first + _CHUNK, end))
        at = slice(first - begin, first - begin + len(rows))
        own[at] = plays(rows, successors.shape[1])
        others[at] = solving.turns.play(rows, solving.ends(successors[at]))
    played = Played(successors, own, others, np.zeros(end - begin))
    relax_level(level, played, wins, solving.kernel, slow=solving.delay > 0)
    for _ in range(_MOST_ROUNDS if responds else 0):  # two seats: one of them alone improves, so this settles
        before = wins[begin:end].copy()
        for first in range(begin, end, _CHUNK):
            rows = np.arange(first, min(first + _CHUNK, end))
            at = slice(first - begin, first - begin + len(rows))
            # The other seat acts; next the policy's seat does, and what it wins the other one loses.
            others[at] = solving.turns.play(rows, 1 - wins[successors[at], 0])
        relax_level(level, played, wins, solving.kernel, slow=solving.delay > 0)
        if float(np.abs(wins[begin:end] - before).max()) <= _STILL:
            break


def _opinions(game: WholeGame, policy: TurnPolicy, rows: list[int], endings: int) -> Floats:
    result = np.zeros((len(rows), endings))
    for index, row in enumerate(rows):
        position = game.space.position(row)
        columns = game.ending_columns(position)
        values = np.asarray(policy(position), dtype=np.float64)
        if values.shape != (len(columns),) or not np.isfinite(values).all():
            raise PickominoError(
                f"policy at {str(position)!r}: expected {len(columns)} numbers, one per ending"
            )
        result[index, columns] = values
    return result
