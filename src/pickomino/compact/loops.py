"""Loops over packed positions, beside `legal` and `settle` the bulk form of the rules.

Plain Python that numba compiles as it stands (`pickomino.compact.compiled`); `pickomino.compact.bulk` calls the one or
the other. So a row is copied only by assigning it to a place, and is changed only after that.
"""

from __future__ import annotations

from typing import Any

from pickomino.compact.bits import count_bits, lowest_bit, nth_bit
from pickomino.compact.cautious import cautious_move
from pickomino.compact.legal import claims_at, giver_moves, givers, go_moves, keep_moves, put_back_moves
from pickomino.compact.packed import APPLE, HELD, NONE, PHASE_GIVER, PHASE_KEEP, PHASE_PUT_BACK
from pickomino.compact.settle import bust, choose, give_round_worm, steal, supply, take
from pickomino.rules.specialists import APPLE_WORMS

BUST, TAKE, STEAL = range(3)
"""How a turn ended."""

SUPPLY = -1  # a round worm that comes from the supply has no giver,
NO_GIVER = -2  # and this says that none was earned


def turn_variants(tables: Any, starts: Any, rows: Any, turn: Any, giver: Any) -> int:
    """Turns with what they may earn on the way (D8.4): how many.

    First every turn as it is, then those that earn a round worm, one row for each seat that could give it. A start
    whose ``kept`` is set has earned it already.
    """
    count = len(starts)
    for index in range(len(starts)):
        rows[index] = starts[index]
        turn[index] = index
        giver[index] = NO_GIVER
    for index in range(len(starts)):
        position = starts[index]
        if position.kept:
            continue
        if supply(tables, position):
            rows[count] = position
            rows[count].round_worms[position.seat] += 1
            turn[count], giver[count] = index, SUPPLY
            count += 1
        able = givers(tables, position)
        for number in range(count_bits(able)):
            seat = nth_bit(able, number)
            rows[count] = position
            give_round_worm(rows[count], seat)
            turn[count], giver[count] = index, seat
            count += 1
    return count


def end_turns(tables: Any, rows: Any, ended: Any, of: Any, how: Any, tile: Any) -> int:
    """Every way in which turns can end, each choice after a claim apart (D10.4, D11.1): how many.

    `of`: which of the rows; `tile`: the one claimed, or NONE.
    """
    count = 0
    for index in range(len(rows)):
        position = rows[index]
        first = count
        for claimed in range(tables.tiles):
            if position.grill >> claimed & 1:
                ended[count] = position
                take(tables, ended[count], claimed)
                count = _spread(tables, ended, count, TAKE, claimed, how, tile)
        for seat in range(position.seats):
            claimed = position.top[seat]
            if seat != position.seat and claimed != NONE and not tables.exact_only >> claimed & 1:
                ended[count] = position
                steal(tables, ended[count], claimed)
                count = _spread(tables, ended, count, STEAL, claimed, how, tile)
        ended[count] = position
        bust(tables, ended[count])
        count = _spread(tables, ended, count, BUST, NONE, how, tile)
        for end in range(first, count):
            of[end] = index
    return count


def _spread(tables: Any, ended: Any, at: int, kind: int, claimed: int, how: Any, tile: Any) -> int:
    """The end in place `at`, or in its stead one for each choice that it leaves; the place after it."""
    phase = ended[at].phase
    options = 0
    if phase == PHASE_GIVER:
        options = giver_moves(tables, ended[at])
    elif phase == PHASE_PUT_BACK:
        options = put_back_moves(tables, ended[at])
    count = max(count_bits(options), 1)
    for number in range(count - 1, -1, -1):  # the first place is overwritten last: all are copied from it
        if number:
            ended[at + number] = ended[at]
        if options:
            choose(tables, ended[at + number], nth_bit(options, number))
        how[at + number], tile[at + number] = kind, claimed
    return at + count


def claim_values(
    values: Any,
    of: Any,
    how: Any,
    tile: Any,
    take_values: Any,
    steal_values: Any,
    bust_values: Any,
    scale: Any,
) -> None:
    """Values of ends, as `end_turns` lists them, by claim: the best of each choice that a claim leaves.

    take_values, steal_values: (rows, tiles); bust_values: (rows,); scale: (rows,), the largest size of a value.
    """
    best = 0.0
    for end in range(len(values)):
        row, kind, claimed = of[end], how[end], tile[end]
        same = end > 0 and row == of[end - 1] and kind == how[end - 1] and claimed == tile[end - 1]
        best = max(best, values[end]) if same else values[end]
        if kind == TAKE:
            take_values[row, claimed] = best
        elif kind == STEAL:
            steal_values[row, claimed] = best
        else:
            bust_values[row] = best
        scale[row] = max(scale[row], abs(values[end]))


def choose_rows(tables: Any, rows: Any, moves: Any) -> None:
    """A choice in every row, in place."""
    for index in range(len(rows)):
        choose(tables, rows[index], moves[index])


def stop_values(
    tables: Any, rows: Any, take_values: Any, steal_values: Any, bust_values: Any, out: Any
) -> None:
    """The value of stopping with a worm at every total, the best claim of each (section 3).

    rows: turns; take_values, steal_values: (rows, tiles); bust_values: (rows,); out: (rows, totals).
    """
    for index in range(len(rows)):
        position = rows[index]
        for total in range(out.shape[1]):
            legal = claims_at(tables, position, total)
            best = bust_values[index]  # R3.5
            for number in range(count_bits(legal)):
                move = nth_bit(legal, number)
                if move >= tables.steal:
                    value = steal_values[index, move - tables.steal]
                else:
                    value = take_values[index, move - tables.take]
                if number == 0 or value > best:
                    best = value
            out[index, total] = best


def best_claims(
    tables: Any, rows: Any, totals: Any, take_values: Any, steal_values: Any, margin: float, moves: Any
) -> None:
    """The best claim when stopping with a worm and each of some totals, the first in text order among equals.

    As `stop_values`; moves: (rows, totals), of the move table, NONE where there is nothing to claim.
    """
    for index in range(len(rows)):
        position = rows[index]
        for place in range(len(totals)):
            legal = claims_at(tables, position, totals[place])
            chosen, best = NONE, 0.0
            while legal:
                move = lowest_bit(legal)
                legal &= legal - 1
                if move >= tables.steal:
                    value = steal_values[index, move - tables.steal]
                else:
                    value = take_values[index, move - tables.take]
                if chosen == NONE or value > best + margin:
                    chosen, best = move, value
            moves[index, place] = chosen


def count_worms(tables: Any, rows: Any, scores: Any, winners: Any) -> None:
    """Worms of every seat (R5.2, D13.2), and who would win if the game ended now, as bits (R5.2, R5.3)."""
    for game in range(len(rows)):
        position = rows[game]
        best_score, best_tile, leaders = -1, 0, 0
        for seat in range(position.seats):
            score, highest = 0, -1
            tile = position.top[seat]
            while tile != NONE:
                score += tables.worms[tile]
                highest = max(highest, tile)
                tile = position.below[tile]
            score += position.round_worms[seat]
            if position.place[APPLE] == HELD + seat:
                score += APPLE_WORMS
            scores[game, seat] = score
            if tables.shared_ties:
                highest = 0
            if score > best_score or (score == best_score and highest > best_tile):
                best_score, best_tile, leaders = score, highest, 0
            if score == best_score and highest == best_tile:
                leaders |= 1 << seat
        winners[game] = leaders


def legal_moves(tables: Any, rows: Any, legal: Any) -> None:
    """The legal moves of points of turns where a keep, or what follows one, is due; 0 is a bust."""
    for index in range(len(rows)):
        position = rows[index]
        legal[index] = (
            keep_moves(tables, position) if position.phase == PHASE_KEEP else go_moves(tables, position)
        )


def cautious_moves(tables: Any, rows: Any, legal: Any, moves: Any) -> None:
    """What the cautious bot does in every game, 0 where there is nothing to do."""
    for game in range(len(rows)):
        moves[game] = cautious_move(tables, rows[game], legal[game]) if legal[game] else 0
