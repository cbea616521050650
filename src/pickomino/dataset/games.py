"""One row per turn of games that the champion plays against itself, on a GPU with PyTorch or with NumPy alone.

A turn is solved exactly for the champion's estimate of its ends; the dice then bring one of them. So a row holds the
position before the turn, what it is worth to every seat, how the turn ended, and who won the game in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.net import load_estimate
from pickomino.dataset.parquet import Columns
from pickomino.rules import Edition, PickominoError
from pickomino.tensor import Array, Arrays, Batch, Rules, endings
from pickomino.tensor.running import on_host
from pickomino.training.backup import TurnGraph
from pickomino.training.turn import prepare

_AT_ONCE = 512  # games side by side on a host: more leave its cache
_BY_SEAT = 16  # codes per stack; no edition without specialists has more tiles


def meanings(edition: Edition, seats: int) -> dict[str, str]:
    """Every column in its order, and what it holds."""
    found = {
        "game": "number of the game, from 0",
        "turn": "number of the turn within the game, from 0; seat A begins",
        "seat": "who plays the turn: 0 for A, 1 for B …",
    }
    found |= position_meanings(edition.values, seats)
    found["ending"] = "how the turn ended: index into `endings`"
    found["won"] = "share of the win that the seat playing the turn had in the end"
    return found


def position_meanings(tiles: Sequence[int], seats: int) -> dict[str, str]:
    """The columns of a position before a turn, and of what it is worth."""
    where = (
        f"before the turn: -1 out of the game, 0 on the grill, {_BY_SEAT} s + h: in the stack of the seat that "
        "comes s turns later (0: who plays this one), h-th from the bottom"
    )
    value = "probability to win, before the dice fall, of the seat that comes {} turns later"
    found = {f"tile{tile}": where for tile in tiles}
    return found | {f"value{seat}": value.format(seat) for seat in range(seats)}


def tile_codes(batch: Batch) -> Array:
    """Where every tile is, as `position_meanings` says: (games, tiles)."""
    rules, there = batch.rules, batch.heights > 0
    codes = (batch.heights + _BY_SEAT * rules.seat[:, None] * there).sum(1)
    return rules.xp.fill(codes, ~there.any(1) & ~batch.grill, -1)


class ChampionGames:
    """What the champion plays against itself, and what it thinks of it."""

    def __init__(self, edition: Edition, seats: int, xp: Arrays) -> None:
        if edition.specialists:
            raise PickominoError(f"{edition.key}: tables of games are for editions without specialists")
        self.edition, self.xp = edition, xp
        self.rules, self._graph = Rules(edition, seats, xp), TurnGraph(edition, xp)
        self._estimate = load_estimate(edition, seats, xp)
        #: Every ending by name.
        self.endings = [f"t{tile}" for tile in edition.values]
        self.endings += [f"steal from the seat {ahead} turns later" for ahead in range(1, seats)] + ["bust"]

    def play(self, first: int, games: int, seed: int) -> Columns:
        """The turns of games number `first` to `first + games - 1`, in order."""
        at_once = games if self.xp.on_gpu else _AT_ONCE
        last = first + games
        parts = [self._play(at, min(at_once, last - at), seed) for at in range(first, last, at_once)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _play(self, first: int, games: int, seed: int) -> Columns:
        """The dice depend on the seed and the first number."""
        xp, seats = self.xp, self.rules.seats
        dice = xp.seeded(int(np.random.SeedSequence((seed, first)).generate_state(1)[0]))
        batch, game = Batch.start(self.rules, games), xp.arange(games)
        parts: list[list[Any]] = []
        won = np.zeros((games, seats), dtype=np.float32)  # seat A first
        for turn in range(100_000):
            if not len(game):
                break
            ends, _ = endings(batch)
            values = xp.roll(self._estimate(ends.flatten()).reshape(*ends.grill.shape[:2], -1), 1, -1)
            solved = prepare(self._graph, batch, values[..., :-1])
            ending = solved.play(dice)
            number = on_host(game)
            parts.append([number, turn, on_host(tile_codes(batch)), on_host(solved.shares), on_host(ending)])
            batch = ends.pick(ending)
            over = batch.over
            if over.any():
                shares = on_host(batch[over].tally().shares)
                won[on_host(game[over])] = np.roll(shares, (turn + 1) % seats, -1)
                batch, game = batch[~over], game[~over]
        return self._columns(first, parts, won)

    def _columns(self, first: int, parts: list[list[Any]], won: NDArray[np.float32]) -> Columns:
        number = np.concatenate([part[0] for part in parts])
        turn = np.concatenate([np.full(len(part[0]), part[1], dtype=np.int32) for part in parts])
        codes, shares, ending = (np.concatenate([part[index] for part in parts]) for index in (2, 3, 4))
        seat = turn % won.shape[1]
        columns = [number + first, turn, seat.astype(np.int8), *codes.T.astype(np.int8)]
        columns += [*shares.T.astype(np.float32), ending.astype(np.int8), won[number, seat]]
        order = np.lexsort((turn, number))
        names = meanings(self.edition, won.shape[1])
        return {name: column[order] for name, column in zip(names, columns, strict=True)}
