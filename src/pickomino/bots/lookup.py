"""What every move is worth: lookups in solved turns, many games at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import choice_ends
from pickomino.bots.protocol import Games
from pickomino.bots.solved import EndValues, Relevant, SolvedTurns
from pickomino.compact.bulk import Floats, Indices
from pickomino.compact.packed import (
    GOLD,
    GOLD_KEPT,
    HELD,
    PHASE_GIVER,
    PHASE_GO,
    PHASE_GOLD,
    PHASE_KEEP,
    PHASE_PUT_BACK,
    Packed,
    gathered,
)
from pickomino.compact.tables import edition_tables
from pickomino.rules import MAX_SEATS, Edition

Bits = NDArray[np.int64]


class Lookup:
    """The moves of one edition, valued by what the ends of turns are worth."""

    def __init__(self, edition: Edition, end_values: EndValues, relevant: Relevant) -> None:
        self._edition, self._end_values = edition, end_values
        kinds = (False, True) if edition.golden_die else (False,)
        self._turns = [SolvedTurns(edition, gold, end_values, relevant) for gold in kinds]
        self._moves = edition_tables(edition)[0]  # where the move table has what

    def values(self, games: Games) -> tuple[Floats, Floats]:
        """Values (games, moves), -inf where a move is not legal; and what their size is, at least 1."""
        rows, legal = games.positions, games.legal_bits
        values, scale = np.full((len(rows), self._moves["moves"]), -np.inf), np.ones(len(rows))
        phase = rows["phase"]
        claimed = (phase == PHASE_GIVER) & (rows["kept"] == 0) & (rows["gold"] < GOLD_KEPT)
        claimed |= phase == PHASE_PUT_BACK
        if claimed.any():
            self._choices(rows, legal, np.flatnonzero(claimed), values)
        gold = (rows["place"][:, GOLD] == HELD + rows["seat"]).astype(np.intp)
        for number, turns in enumerate(self._turns):
            at = np.flatnonzero(~claimed & (gold == number))
            if len(at) == len(rows):
                scale = self._fill(turns, rows, legal, values)
            elif len(at):
                some = np.full((len(at), values.shape[1]), -np.inf)
                scale[at] = self._fill(turns, gathered(rows, at), legal[at], some)
                values[at] = some
        return values, scale

    def _choices(self, rows: Packed, legal: Bits, at: Indices, values: Floats) -> None:
        """Choices after the claim (D10.4, D11.1)."""
        row, move = _legal(legal[at], 0, values.shape[1])
        ends = choice_ends(self._edition, gathered(rows, at), row, move)
        values[at[row], move] = self._end_values(self._edition, ends)

    def _fill(self, turns: SolvedTurns, rows: Packed, legal: Bits, values: Floats) -> Floats:
        """The values of points of turns, in place; their size comes back."""
        moves, page = self._moves, turns.find(rows)
        points = _Points(turns, rows, legal, page, turns.states.of(rows))
        self._keeps(points, values)
        first, flag = points.pages[:, 0], turns.tables.ones[points.state]
        game = points.may(moves["roll_on"])
        values[game, moves["roll_on"]] = turns.roll[first[game], points.state[game]]
        game = points.may(moves["stop"])
        values[game, moves["stop"]] = turns.bust[first[game], flag[game]]
        for begin, worth in ((moves["take"], turns.take), (moves["steal"], turns.steal)):
            game, tile = points.run(PHASE_GO, begin, moves["tiles"])
            values[game, begin + tile] = worth[first[game], flag[game], tile]
        if self._edition.specialists:
            self._specialists(points, values)
        return turns.scale[first]

    def _keeps(self, points: _Points, values: Floats) -> None:
        turns, state = points.turns, points.state
        game, face = points.run(PHASE_KEEP, self._moves["keep"], len(self._edition.faces))
        after = turns.states.after(state, points.rows, game, face)
        value = turns.value(points.pages[game, 0], after)
        if turns.tables.flags > 1:
            earns = np.flatnonzero(turns.tables.ones[after] > turns.tables.ones[state[game]])
            # D8.4, D11.1: the best giver
            value[earns] = turns.value(points.pages[game[earns]], after[earns, None]).max(axis=1)
        values[game, self._moves["keep"] + face] = value

    def _specialists(self, points: _Points, values: Floats) -> None:
        moves, turns, state = self._moves, points.turns, points.state
        if moves["reroll"] >= 0:  # D8.2
            game = points.may(moves["reroll"])
            values[game, moves["reroll"]] = turns.roll[points.page[game, 1, 0], state[game]]
        game = np.flatnonzero(points.rows["phase"] == PHASE_GOLD)
        if len(game):  # D8.1
            page = points.pages[game, 0]
            values[game, moves["use_gold"]] = turns.roll[page, turns.tables.start(True)]
            values[game, moves["leave_gold"]] = turns.roll[page, turns.tables.start(False)]
        game, seat = points.run(PHASE_GIVER, moves["giver"], MAX_SEATS)  # D11.1
        lane = np.arange(len(game)) - np.searchsorted(game, game)
        values[game, moves["giver"] + seat] = turns.value(points.pages[game, lane], state[game])


class _Points:
    """Points of turns that are solved."""

    def __init__(self, turns: SolvedTurns, rows: Packed, legal: Bits, page: Indices, state: Indices) -> None:
        self.turns, self.rows, self.legal, self.page, self.state = turns, rows, legal, page, state
        self.pages: Indices = page[np.arange(len(rows)), rows["weasel_used"]]  # (games, givers)

    def may(self, move: int) -> Indices:
        """Games with a legal move."""
        return np.flatnonzero(self.legal >> move & 1)

    def run(self, phase: int, first: int, count: int) -> tuple[Indices, Indices]:
        """The legal moves of a run in the move table, in one phase: games and places in the run."""
        at = np.flatnonzero(self.rows["phase"] == phase)
        row, place = _legal(self.legal[at], first, count)
        return at[row], place


def _legal(legal: Bits, first: int, count: int) -> tuple[Indices, Indices]:
    """Which moves of a run in the move table are legal: games and places in the run."""
    game, place = np.nonzero(legal[:, None] >> first + np.arange(count) & 1)
    return game, place
