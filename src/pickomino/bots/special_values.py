"""What every move is worth, in editions with specialists: lookups in solved turns, many games at a time."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import choice_ends
from pickomino.bots.packed_settle import copied
from pickomino.bots.protocol import Games
from pickomino.bots.special_turns import EndValues, SpecialTurns
from pickomino.compact.moves import move_table
from pickomino.compact.packed import HELD, NONE, PHASES, Packed
from pickomino.rules import MAX_SEATS, SPECIALISTS, Edition, Phase

__all__ = ["SpecialValues"]

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]

_KEEP, _GO, _GOLD, _GIVER, _PUT_BACK = map(
    PHASES.index, (Phase.KEEP, Phase.GO, Phase.GOLD, Phase.GIVER, Phase.PUT_BACK)
)


class SpecialValues:
    """The moves of one edition with specialists, valued by what the ends of turns are worth."""

    def __init__(self, edition: Edition, end_values: EndValues) -> None:
        self.edition = edition
        self._end_values = end_values
        self._turns: Final = [SpecialTurns(edition, gold, end_values) for gold in (False, True)]
        table = move_table(edition)
        lowest = edition.values[0]
        self._moves = len(table)
        self._keep = table.index(f"k{edition.faces[0].sign}")
        self._take, self._steal = table.index(f"t{lowest:02}"), table.index(f"x{lowest:02}")
        self._roll, self._stop = table.index("r"), table.index("s")
        self._reroll, self._gold, self._no_gold = (table.find(text) for text in "wgn")
        self._giver = table.find("^A")
        self._back = [table.find(f"<{name}") for name in SPECIALISTS]

    def of(self, games: Games) -> tuple[Floats, Floats]:
        """Values (games, moves), -inf where a move is not legal; and what their size is, at least 1."""
        rows, legal = games.positions, games.legal_bits
        values, scale = np.full((len(rows), self._moves), -np.inf), np.ones(len(rows))
        phase = rows["phase"]
        claimed = (phase == _PUT_BACK) | ((phase == _GIVER) & (rows["kept"] == 0) & (rows["gold"] < 2))
        self._choices(rows, legal, np.flatnonzero(claimed), values)
        gold = rows["place"][:, SPECIALISTS.index("gold")] == HELD + rows["seat"]
        for turns, kind in zip(self._turns, (~claimed & ~gold, ~claimed & gold), strict=True):
            at = np.flatnonzero(kind)
            if len(at):
                some = copied(rows, at)
                found = _Found(
                    turns, some, legal[at], turns.of(some), np.full((len(at), self._moves), -np.inf)
                )
                self._fill(found)
                values[at], scale[at] = found.values, turns.scale[found.pages[:, 0]]
        return values, scale

    def _fill(self, found: _Found) -> None:
        phase = found.rows["phase"]
        self._keeps(found, np.flatnonzero(phase == _KEEP))
        self._goes(found, np.flatnonzero(phase == _GO))
        turns, at = found.turns, np.flatnonzero(phase == _GOLD)
        if len(at):  # D8.1
            page = found.pages[at, 0]
            found.values[at, self._gold] = turns.roll[page, turns.tables.start(True)]
            found.values[at, self._no_gold] = turns.roll[page, turns.tables.start(False)]
        at = np.flatnonzero(phase == _GIVER)
        if len(at):  # D11.1
            may = found.may(at, self._giver, MAX_SEATS)
            row, seat = np.nonzero(may)
            lane = (np.cumsum(may, axis=1) - 1)[row, seat]
            value = turns.value(found.pages[at[row], lane], found.state[at[row]])
            found.values[at[row], self._giver + seat] = value

    def _keeps(self, found: _Found, at: Indices) -> None:
        faces = self.edition.faces
        row, face = np.nonzero(found.may(at, self._keep, len(faces)))
        game, turns = at[row], found.turns
        pips = np.array([face.pips for face in faces])
        state, earns = turns.dice.after(copied(found.rows, game), face, pips[face])
        value = turns.value(found.pages[game, 0], state)
        some = np.flatnonzero(earns)
        if len(some):  # D8.4, D11.1: the best giver
            value[some] = turns.value(found.pages[game[some]], state[some, None]).max(axis=1)
        found.values[game, self._keep + face] = value
        if self._reroll < 0:
            return
        game = at[found.legal[at] >> self._reroll & 1 == 1]  # D8.2
        found.values[game, self._reroll] = turns.roll[found.used[game], found.state[game]]
        game = at[found.legal[at] >> self._stop & 1 == 1]
        found.values[game, self._stop] = found.bust(game)

    def _goes(self, found: _Found, at: Indices) -> None:
        turns, tiles = found.turns, len(self.edition.tiles)
        game = at[found.legal[at] >> self._roll & 1 == 1]
        found.values[game, self._roll] = turns.roll[found.pages[game, 0], found.state[game]]
        game = at[found.legal[at] >> self._stop & 1 == 1]
        found.values[game, self._stop] = found.bust(game)
        for first, worth in ((self._take, turns.take), (self._steal, turns.steal)):
            row, tile = np.nonzero(found.may(at, first, tiles))
            game = at[row]
            found.values[game, first + tile] = worth[found.pages[game, 0], found.flag[game], tile]

    def _choices(self, rows: Packed, legal: NDArray[np.int64], at: Indices, values: Floats) -> None:
        """Choices after the claim (D10.4, D11.1)."""
        if not len(at):
            return
        move = np.concatenate([self._giver + np.arange(MAX_SEATS), self._back])
        who = np.arange(len(move))
        row, option = np.nonzero((legal[at, None] >> np.maximum(move, 0) & 1 == 1) & (move >= 0))
        giver = np.where(who < MAX_SEATS, who, NONE)[option]
        back = np.where(who < MAX_SEATS, NONE, who - MAX_SEATS)[option]
        ends = choice_ends(self.edition, copied(rows, at), row, giver, back)
        values[at[row], move[option]] = self._end_values(self.edition, ends)


class _Found:
    """Games in turns that are solved."""

    def __init__(
        self, turns: SpecialTurns, rows: Packed, legal: NDArray[np.int64], slots: Indices, values: Floats
    ) -> None:
        self.turns, self.rows, self.legal, self.values = turns, rows, legal, values
        self.pages = turns.pages[slots, rows["weasel_used"]]  # (games, givers)
        self.used = turns.pages[slots, 1, 0]
        self.state = turns.dice.state(rows)
        self.flag = turns.tables.ones[self.state]

    def may(self, at: Indices, first: int, count: int) -> NDArray[np.bool_]:
        """Which moves of a run in the move table are legal: (games, moves)."""
        may: NDArray[np.bool_] = self.legal[at, None] >> first + np.arange(count) & 1 == 1
        return may

    def bust(self, at: Indices) -> Floats:
        bust: Floats = self.turns.bust[self.pages[at, 0], self.flag[at]]
        return bust
