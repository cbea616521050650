"""How the turns of a bot end, exactly: every roll it can meet is made, and it is asked at every point it can reach.

Points of many turns are asked at once, by the number of dice kept. A bot that draws its moves says how likely they
are (`MixedBot`); of any other one answer is taken for good. Editions without specialists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.games import GameRows, as_batch
from pickomino.bots.protocol import BatchBot, Bot, MixedBot
from pickomino.compact import bulk
from pickomino.compact.moves import move_table
from pickomino.compact.packed import PHASE_GO, PHASE_KEEP, Packed, dice_words, pack
from pickomino.rules import Edition, Keep, PickominoError, Position

_AT_ONCE: Final = 16  # turns: at most a quarter of a million points are asked together

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class _Dice:
    """What can be kept and rolled in an edition."""

    def __init__(self, edition: Edition) -> None:
        if edition.specialists or edition.golden_die:
            raise PickominoError(f"{edition.key}: turns with specialists are not followed roll by roll")
        faces, dice = edition.faces, edition.dice
        self.kept = np.concatenate([_multisets(len(faces), count) for count in range(dice + 1)])
        self.size = self.kept.sum(axis=1)
        self.total = self.kept @ np.array([face.pips for face in faces])
        self.words = dice_words(self.kept)
        place = {row.tobytes(): index for index, row in enumerate(self.kept)}
        # By how many of a face are kept more.
        self.after = np.full((len(self.kept), len(faces), dice + 1), -1)
        for index, row in enumerate(self.kept):
            for face in range(len(faces)):
                for count in range(1, dice - int(self.size[index]) + 1):
                    more = row.copy()
                    more[face] += count
                    self.after[index, face, count] = place[more.tobytes()]
        self.rolls = [_multisets(len(faces), count) for count in range(dice + 1)]
        sides = sum(face.sides for face in faces)
        chances = np.array([face.sides / sides for face in faces])
        self.roll_words = [dice_words(rolls) for rolls in self.rolls]
        self.probs = [
            np.array(
                [
                    factorial(count) / prod(map(factorial, roll)) * prod(chances**roll)
                    for roll in rolls.tolist()
                ]
            )
            for count, rolls in enumerate(self.rolls)
        ]
        table = move_table(edition)
        self.keep = np.array([table.index(Keep(face.sign)) for face in faces])
        self.face = np.full(len(table), -1)
        self.face[self.keep] = np.arange(len(faces))
        self.roll_on, self.stop = table.index("r"), table.index("s")


def _multisets(faces: int, count: int) -> Ints:
    """All ways to have so many dice, by how many show each face: (ways, faces)."""
    ways = [
        np.bincount(list(way), minlength=faces) for way in combinations_with_replacement(range(faces), count)
    ]
    return np.array(ways, dtype=np.int64).reshape(-1, faces)


@lru_cache(maxsize=16)
def _dice(edition: Edition) -> _Dice:
    return _Dice(edition)


def turn_odds(bot: Bot | BatchBot, starts: Sequence[Position], seed: int = 0) -> Floats:
    """(starts, moves): how likely a turn ends with each move of the table; a bust is its ``s``."""
    edition = starts[0].edition
    rng = np.random.default_rng(seed)
    parts = [
        _Turns(bot, edition, starts[first : first + _AT_ONCE], rng).odds
        for first in range(0, len(starts), _AT_ONCE)
    ]
    return np.concatenate(parts)


class _Turns:
    """Some turns played through; `odds` says how they end."""

    def __init__(
        self, bot: Bot | BatchBot, edition: Edition, starts: Sequence[Position], rng: np.random.Generator
    ) -> None:
        self._bot, self._edition, self._rng = bot, edition, rng
        self._dice = dice = _dice(edition)
        self._starts = pack(starts)
        self.odds = np.zeros((len(starts), len(move_table(edition))))
        # How likely these dice are kept, and the turn goes on.
        going = np.zeros((len(starts), len(dice.kept)))
        going[:, 0] = 1.0
        for size in range(edition.dice + 1):
            at = np.flatnonzero(dice.size == size)
            turn, place = np.nonzero(going[:, at])
            kept, reach = at[place], going[turn, at[place]]
            if size:
                turn, kept, reach = self._go(turn, kept, reach)
            if size < edition.dice and len(turn):
                self._roll(turn, kept, reach, size, going)

    def _go(self, turn: Ints, kept: Ints, reach: Floats) -> tuple[Ints, Ints, Floats]:
        """Claims and busts are noted; what rolls on comes back."""
        rows = self._rows(turn, kept, PHASE_GO)
        move, point, likely = self._asked(rows, reach)
        on = move == self._dice.roll_on
        np.add.at(self.odds, (turn[point[~on]], move[~on]), likely[~on])
        return turn[point[on]], kept[point[on]], likely[on]

    def _roll(self, turn: Ints, kept: Ints, reach: Floats, size: int, going: Floats) -> None:
        """Every roll, and what is kept of it."""
        dice, left = self._dice, self._edition.dice - size
        rolls = len(dice.rolls[left])
        turn, kept = np.repeat(turn, rolls), np.repeat(kept, rolls)
        reach = (reach[:, None] * dice.probs[left]).reshape(-1)
        which = np.tile(np.arange(rolls), len(reach) // rolls)
        rows = self._rows(turn, kept, PHASE_KEEP)
        rows["rolled"] = dice.roll_words[left][which]
        move, point, likely = self._asked(rows, reach)
        face = dice.face[move]
        busts = face < 0
        np.add.at(self.odds, (turn[point[busts]], move[busts]), likely[busts])
        point, face, likely = point[~busts], face[~busts], likely[~busts]
        after = dice.after[kept[point], face, dice.rolls[left][which[point], face]]
        np.add.at(going, (turn[point], after), likely)

    def _rows(self, turn: Ints, kept: Ints, phase: int) -> Packed:
        rows = self._starts[turn]
        rows["kept"], rows["total"], rows["phase"] = self._dice.words[kept], self._dice.total[kept], phase
        return rows

    def _asked(self, rows: Packed, reach: Floats) -> tuple[Ints, Ints, Floats]:
        """Moves, the points they are made at, and how likely that is; a point without any is a bust, ``s``."""
        legal = bulk.legal_moves(self._edition, rows)
        at = np.flatnonzero(legal)
        lost = np.flatnonzero(legal == 0)
        games = GameRows(self._edition, int(self._starts["seats"][0]), rows[at], legal[at])
        if not len(at):
            move, point, likely = at, at, reach[at]
        elif isinstance(self._bot, MixedBot):
            probs = self._bot.probabilities(games)
            row, move = np.nonzero(probs)
            point, likely = at[row], reach[at[row]] * probs[row, move]
        else:
            move, point, likely = as_batch(self._bot).choose_many(games, self._rng), at, reach[at]
        stops = np.full(len(lost), self._dice.stop)
        return np.append(move, stops), np.append(point, lost), np.append(likely, reach[lost])
