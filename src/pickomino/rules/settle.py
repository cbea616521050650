"""After a turn: tiles and specialists change hands, a bust costs, the next seat or the end comes.

Sections 3 to 5 and 10 to 13 of the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from pickomino.rules.events import (
    Busted,
    Event,
    Flipped,
    GameOver,
    GotSpecialist,
    Returned,
    Stole,
    Took,
    TurnStarted,
)
from pickomino.rules.phase import NOBODY, ROLL_DUE, Phase

if TYPE_CHECKING:
    from pickomino.rules.position import Position
    from pickomino.rules.specialists import Specialists

StepPair: TypeAlias = "tuple[Position, tuple[Event, ...]]"
"""A `Step` before `Position.apply` gives it its name."""
Stacks: TypeAlias = tuple[tuple[int, ...], ...]
Way: TypeAlias = "list[Position] | None"
"""Where to note the position right after every event but the last; None: nobody asks."""


def take(position: Position, tile: int, way: Way = None) -> StepPair:
    """R3.2, R3.4, R3.6; the specialist on the tile comes along (D10.1)."""
    seat = position.seat
    grill = tuple(other for other in position.grill if other != tile)
    stacks = _with_stack(position.stacks, seat, (*position.stacks[seat], tile))
    events: tuple[Event, ...] = (Took(seat, tile),)
    _pass(way, position, grill, stacks, position.specialists)
    if position.specialists is None:
        return _next(position, grill, stacks, None, events)
    after = replace(position, grill=grill, stacks=stacks)
    name = position.specialists.on(tile)
    if name is None:
        return next_turn(after, events)
    specialists = position.specialists.lifted(tile)
    if name == "crow":
        return _crow(after, specialists, events, way)
    return _gain(after, specialists, name, None, events, way)


def steal(position: Position, tile: int, victim: int, way: Way = None) -> StepPair:
    """R3.3, R3.6. The owner's specialist comes along; a hen comes alone, and the tile stays (D10.3)."""
    seat, specialists = position.seat, position.specialists
    events: tuple[Event, ...] = ()
    after = position
    if specialists is None or not specialists.holds(victim, "hen"):
        stacks = _with_stack(position.stacks, victim, position.stacks[victim][:-1])
        stacks = _with_stack(stacks, seat, (*stacks[seat], tile))
        events = (Stole(seat, tile, victim),)
        after = replace(position, stacks=stacks)
        _pass(way, position, position.grill, stacks, specialists)
    if specialists is None or not specialists.held[victim]:
        return next_turn(after, events)
    (name,) = specialists.held[victim]
    return _gain(after, specialists.dropped(victim, name), name, victim, events, way)


def bust(position: Position, events: tuple[Event, ...] = (), way: Way = None) -> StepPair:
    """Section 4 and D12: the top tile back, the specialist back, the highest tile flipped."""
    seat, edition, specialists = position.seat, position.edition, position.specialists
    events += (Busted(seat),)
    grill, stacks = position.grill, position.stacks
    _pass(way, position, grill, stacks, specialists)
    stack = stacks[seat]
    if specialists is not None and specialists.holds(seat, "hen"):  # D12.1
        if stack:
            specialists, moved = specialists.dropped(seat, "hen").placed("hen", grill)
            events += (moved,)
            _pass(way, position, grill, stacks, specialists)
        return _next(position, grill, stacks, specialists, events)
    returned = None
    if stack:  # R4.1
        returned = stack[-1]
        grill = tuple(sorted((*grill, returned)))
        stacks = _with_stack(stacks, seat, stack[:-1])
        events += (Returned(seat, returned),)
        _pass(way, position, grill, stacks, specialists)
    if specialists is not None and specialists.held[seat]:  # D12.2
        (name,) = specialists.held[seat]
        specialists, moved = specialists.dropped(seat, name).placed(name, grill)
        events += (moved,)
        _pass(way, position, grill, stacks, specialists)
    highest = grill[-1]
    flips = (
        edition.flip_when_nothing_returned  # R4.3
        if returned is None
        else edition.fast or highest != returned  # R4.4, R4.2
    )
    if flips:
        grill = grill[:-1]
        events += (Flipped(highest),)
        _pass(way, position, grill, stacks, specialists)
        if specialists is not None and (name_on := specialists.on(highest)) is not None:
            specialists, moved = specialists.lifted(highest).placed(name_on, grill)
            events += (moved,)
            _pass(way, position, grill, stacks, specialists)
    return _next(position, grill, stacks, specialists, events)


def put_back(position: Position, name: str, way: Way = None) -> StepPair:
    """D10.4: one of the two specialists goes back before the end of the game is checked."""
    assert position.specialists is not None
    specialists, moved = position.specialists.dropped(position.seat, name).placed(name, position.grill)
    _pass(way, position, position.grill, position.stacks, specialists)
    return next_turn(replace(position, specialists=specialists), (moved,))


def next_turn(position: Position, events: tuple[Event, ...]) -> StepPair:
    """R5.1: the next seat, or the end when no face-up tile is left."""
    return _next(position, position.grill, position.stacks, position.specialists, events)


def _next(
    position: Position,
    grill: tuple[int, ...],
    stacks: Stacks,
    specialists: Specialists | None,
    events: tuple[Event, ...],
) -> StepPair:
    if specialists is not None:
        specialists = specialists.turn_over()
    make = type(position)
    if not grill:
        over = make(position.edition, grill, stacks, NOBODY, Phase.OVER, specialists=specialists)
        return over, (*events, GameOver(over.standings))
    seat = (position.seat + 1) % len(stacks)
    has_gold = specialists is not None and specialists.holds(seat, "gold")
    phase = Phase.GOLD if has_gold else ROLL_DUE  # D8.1
    return make(position.edition, grill, stacks, seat, phase, "", "", specialists), (
        *events,
        TurnStarted(seat),
    )


def _gain(
    position: Position,
    specialists: Specialists,
    name: str,
    victim: int | None,
    events: tuple[Event, ...],
    way: Way,
) -> StepPair:
    """A specialist for the seat to act; with two of them a choice is due (D10.4)."""
    seat = position.seat
    specialists = specialists.given(seat, name)
    events += (GotSpecialist(seat, name, victim),)
    if len(specialists.held[seat]) == 1:
        _pass(way, position, position.grill, position.stacks, specialists)
        return next_turn(replace(position, specialists=specialists), events)
    return _claimed(position, Phase.PUT_BACK, specialists), events


def _crow(position: Position, specialists: Specialists, events: tuple[Event, ...], way: Way) -> StepPair:
    """D10.2: a round worm for the seat, and the crow moves on."""
    seat = position.seat
    choice = len(specialists.givers(position.edition, seat)) > 1
    if not choice:
        specialists, earned = specialists.earned(position.edition, seat)
        events += earned
        if earned:
            _pass(way, position, position.grill, position.stacks, specialists)
    specialists, moved = specialists.placed("crow", position.grill)
    events += (moved,)
    if choice:
        return _claimed(position, Phase.GIVER, specialists), events
    _pass(way, position, position.grill, position.stacks, specialists)
    return next_turn(replace(position, specialists=specialists), events)


def _pass(
    way: Way, position: Position, grill: tuple[int, ...], stacks: Stacks, specialists: Specialists | None
) -> None:
    """Note what the table looks like in between; the dice still lie there."""
    if way is not None:
        way.append(replace(position, grill=grill, stacks=stacks, specialists=specialists))


def _claimed(position: Position, phase: Phase, specialists: Specialists) -> Position:
    """The claim is made, a choice is left: nothing of the turn's dice matters any more."""
    return replace(position, phase=phase, kept="", specialists=specialists.turn_over())


def _with_stack(stacks: Stacks, seat: int, stack: tuple[int, ...]) -> Stacks:
    return (*stacks[:seat], stack, *stacks[seat + 1 :])
