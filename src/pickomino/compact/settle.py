"""What a claim or a bust does to tiles, specialists and the seat to act (sections 3 to 5, 10 to 13)."""

from __future__ import annotations

from typing import Any

from pickomino.compact.bits import count_bits, highest_bit, lowest_bit
from pickomino.compact.legal import givers, victim_of
from pickomino.compact.packed import (
    CROW,
    GOLD,
    HELD,
    HEN,
    NONE,
    PHASE_GIVER,
    PHASE_GO,
    PHASE_GOLD,
    PHASE_OVER,
    PHASE_PUT_BACK,
    PHASE_ROLL,
)
from pickomino.rules import NOBODY, SPECIALISTS

_SPECIALISTS = len(SPECIALISTS)


def take(tables: Any, position: Any, tile: int) -> None:
    """R3.2, R3.4, R3.6, D10.1."""
    seat = position.seat
    position.grill &= ~(1 << tile)
    position.below[tile] = position.top[seat]
    position.top[seat] = tile
    if tables.specialists:
        specialist = _standing_on(position, tile)
        if specialist == CROW:
            _crow(tables, position)
            return
        if specialist != NONE:
            _gain(position, specialist)
            return
    next_turn(position)


def steal(tables: Any, position: Any, tile: int) -> None:
    """R3.3, R3.6. The owner's specialist comes along; a hen comes alone, and the tile stays (D10.3)."""
    seat = position.seat
    victim = victim_of(position, tile)
    specialist = _held_by(position, victim) if tables.specialists else NONE
    if specialist != HEN:
        position.top[victim] = position.below[tile]
        position.below[tile] = position.top[seat]
        position.top[seat] = tile
    if specialist != NONE:
        _gain(position, specialist)
    else:
        next_turn(position)


def bust(tables: Any, position: Any) -> None:
    """Section 4 and D12."""
    seat = position.seat
    returned = position.top[seat]
    specialist = _held_by(position, seat) if tables.specialists else NONE
    if specialist == HEN:  # D12.1
        if returned != NONE:
            put_back(position, HEN)
        next_turn(position)
        return
    if returned != NONE:  # R4.1
        position.top[seat] = position.below[returned]
        position.below[returned] = NONE
        position.grill |= 1 << returned
    if specialist != NONE:  # D12.2
        put_back(position, specialist)
    highest = highest_bit(position.grill)
    flips = tables.flip_empty  # R4.3
    if returned != NONE:
        flips = tables.fast or highest != returned  # R4.4, R4.2
    if flips:
        position.grill &= ~(1 << highest)
        if tables.specialists:
            moved = _standing_on(position, highest)
            if moved != NONE:
                put_back(position, moved)
    next_turn(position)


def next_turn(position: Any) -> None:
    """R5.1: the next seat, or the end when no face-up tile is left."""
    _forget_dice(position)
    if position.grill == 0:
        position.seat = NOBODY
        position.phase = PHASE_OVER
        return
    seat = position.seat + 1
    if seat == position.seats:
        seat = 0
    position.seat = seat
    position.phase = PHASE_GOLD if position.place[GOLD] == HELD + seat else PHASE_ROLL  # D8.1


def _forget_dice(position: Any) -> None:
    position.kept = 0
    position.rolled = 0
    position.total = 0
    position.gold = 0
    position.gold_rolled = NONE
    position.weasel_used = 0


def _gain(position: Any, specialist: int) -> None:
    """A specialist for the seat to act; with two of them a choice is due (D10.4)."""
    held = _held_by(position, position.seat)
    position.place[specialist] = HELD + position.seat
    if held == NONE:
        next_turn(position)
        return
    _forget_dice(position)
    position.phase = PHASE_PUT_BACK


def _crow(tables: Any, position: Any) -> None:
    """D10.2: a round worm for the seat, and the crow moves on."""
    put_back(position, CROW)
    if earn_round_worm(tables, position):
        next_turn(position)
        return
    _forget_dice(position)
    position.phase = PHASE_GIVER


def earn_round_worm(tables: Any, position: Any) -> bool:
    """D11.1. False where a giver has to be chosen first."""
    seats = givers(tables, position)
    if not seats:
        if supply(tables, position):
            position.round_worms[position.seat] += 1
        return True
    if count_bits(seats) > 1:
        return False
    give_round_worm(position, lowest_bit(seats))
    return True


def supply(tables: Any, position: Any) -> Any:
    """Round worms that nobody has yet (D11.1)."""
    left = tables.round_worms
    for seat in range(position.seats):
        left -= position.round_worms[seat]
    return left


def give_round_worm(position: Any, giver: int) -> None:
    position.round_worms[giver] -= 1
    position.round_worms[position.seat] += 1


def choose(tables: Any, position: Any, move: int) -> None:
    """A choice that a keep or a claim left: who gives the round worm (D11.1), or who goes back (D10.4)."""
    if position.phase == PHASE_GIVER:
        give_round_worm(position, move - tables.giver)
        if position.kept:
            position.phase = PHASE_GO
        else:
            next_turn(position)
        return
    specialist = 0
    while tables.put_back[specialist] != move:
        specialist += 1
    put_back(position, specialist)
    next_turn(position)


def put_back(position: Any, specialist: int) -> None:
    """D13.1: to the smallest free tile, or out of the game."""
    position.place[specialist] = NONE
    free = position.grill
    for other in range(_SPECIALISTS):
        place = position.place[other]
        if 0 <= place < HELD:
            free &= ~(1 << place)
    if free:
        position.place[specialist] = lowest_bit(free)


def _standing_on(position: Any, tile: int) -> int:
    for specialist in range(_SPECIALISTS):
        if position.place[specialist] == tile:
            return specialist
    return NONE


def _held_by(position: Any, seat: int) -> int:
    """The one specialist of a seat."""
    return _standing_on(position, HELD + seat)
