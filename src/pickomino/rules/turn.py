"""Inside a turn: which moves there are, dice falling, keeping, the golden die and the weasel (sections 2, 3, 8, 9).

The path of one move: `Position.apply` checks it against `moves`, `play` picks the function for its kind, and
that function returns the next position with the events; where the turn ends, `pickomino.rules.settle` goes on.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from pickomino.rules import settle
from pickomino.rules.dice import add, tally
from pickomino.rules.edition import FACES
from pickomino.rules.events import Event, GoldUsed, GotRoundWorm, Kept, Rolled, WeaselUsed
from pickomino.rules.moves import (
    Keep,
    LeaveGold,
    Move,
    PutBack,
    Reroll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)
from pickomino.rules.phase import GO_DUE, KEEP_DUE, ROLL_DUE, Phase

if TYPE_CHECKING:
    from pickomino.rules.position import Position

# Moves are checked when they are made, so those of every day are made once.
_KEEP = {face: Keep(face) for face in FACES}
_TAKE = tuple(map(Take, range(100)))
_STEAL = tuple(map(Steal, range(100)))
_ROLL_ON, _STOP, _REROLL = RollOn(), Stop(), Reroll()


def moves(position: Position) -> tuple[Move, ...]:
    """The legal moves, sorted by text; none when dice are due or the game is over."""
    phase, specialists = position.phase, position.specialists
    if phase is KEEP_DUE:
        keeps = tuple(map(_KEEP.__getitem__, sorted(_new_faces(position.rolled, position.kept))))
        if not _has_weasel(position):
            return keeps
        return (*keeps, _REROLL) if keeps else (_STOP, _REROLL)  # D8.2
    if phase is GO_DUE:
        stops = claims(position) or (_STOP,)  # R2.5
        return (_ROLL_ON, *stops) if position.can_roll else stops
    if specialists is None or phase is ROLL_DUE or phase is Phase.OVER:
        return ()
    if phase is Phase.GOLD:
        return (UseGold(), LeaveGold())
    if phase is Phase.GIVER:
        return tuple(map(TakeRoundWorm, specialists.givers(position.edition, position.seat)))
    return tuple(map(PutBack, specialists.held[position.seat]))


def _new_faces(rolled: str, kept: str) -> set[str]:
    """The faces of a roll that may be kept (R2.2)."""
    return set(rolled).difference(kept, "+")


def claims(position: Position) -> tuple[Take | Steal, ...]:
    """What stopping now would allow, by total, grill and tops (section 3, D9.2 to D9.4)."""
    edition, grill = position.edition, position.grill
    total, has_worm = tally(edition, position.kept, position.has_can)
    if not has_worm:
        return ()  # R3.1
    if total in grill:
        return (_TAKE[total],)  # R3.2
    stealable = _victim(position, total) is not None and total not in edition.exact_only
    if stealable and edition.steal == "mandatory":
        return (_STEAL[total],)
    lower = grill[: bisect_left(grill, total)]
    if edition.exact_only:
        lower = tuple(tile for tile in lower if tile not in edition.exact_only)
    if edition.lower == "nearest":
        lower = lower[-1:]  # R3.4
    takes = tuple(map(_TAKE.__getitem__, lower))
    return (*takes, _STEAL[total]) if stealable else takes


def _victim(position: Position, tile: int) -> int | None:
    """Another seat with the tile on top (R3.3)."""
    for seat, stack in enumerate(position.stacks):
        if stack and stack[-1] == tile and seat != position.seat:
            return seat
    return None


def _has_weasel(position: Position) -> bool:
    specialists = position.specialists
    return (
        specialists is not None and not specialists.weasel_used and specialists.holds(position.seat, "weasel")
    )


def fall(position: Position, dice: str, way: settle.Way = None) -> settle.StepPair:
    """Dice fall (R2.1). A roll with nothing to keep is a bust at once (R2.3), unless a weasel may help (D8.2)."""
    after = _turn(position, KEEP_DUE, position.kept, dice)
    rolled = Rolled(position.seat, dice)
    if not _new_faces(dice, position.kept) and not _has_weasel(position):
        if way is not None:
            way.append(after)
        return settle.bust(after, (rolled,), way)
    return after, (rolled,)


def play(position: Position, move: Move, way: settle.Way = None) -> settle.StepPair:
    """A move that is known to be legal."""
    match move:
        case Keep():
            return _keep(position, move.face, way)
        case RollOn():
            return _turn(position, ROLL_DUE, position.kept), ()
        case Take():
            return settle.take(position, move.tile, way)
        case Steal():
            victim = _victim(position, move.tile)
            assert victim is not None
            return settle.steal(position, move.tile, victim, way)
        case Stop():
            return settle.bust(position, (), way)  # R2.5
        case UseGold() | LeaveGold():
            return _choose_gold(position, joins=isinstance(move, UseGold))
        case Reroll():
            return _reroll(position)
        case TakeRoundWorm():
            return _take_round_worm(position, move.giver, way)
        case _:  # a PutBack
            return settle.put_back(position, move.specialist, way)


def _turn(position: Position, phase: Phase, kept: str, rolled: str = "") -> Position:
    """The same turn, further on."""
    return type(position)(
        position.edition,
        position.grill,
        position.stacks,
        position.seat,
        phase,
        kept,
        rolled,
        position.specialists,
    )


def _keep(position: Position, face: str, way: settle.Way) -> settle.StepPair:
    """R2.2, and the round worm for two or more ones (D8.4)."""
    edition, seat = position.edition, position.seat
    count = position.rolled.count(face)
    kept = add(position.kept, position.rolled, face)
    events: tuple[Event, ...] = (Kept(seat, face, count, tally(edition, kept, position.has_can)[0]),)
    specialists = position.specialists
    if specialists is not None and face == "1" and count >= 2:
        if len(specialists.givers(edition, seat)) > 1:
            return _turn(position, Phase.GIVER, kept), events
        specialists, earned = specialists.earned(edition, seat)
        if earned and way is not None:
            way.append(_turn(position, GO_DUE, kept))
        position, events = replace(position, specialists=specialists), events + earned
    return _go(_turn(position, GO_DUE, kept), events, way)


def _go(position: Position, events: tuple[Event, ...], way: settle.Way) -> settle.StepPair:
    """After a keep: go on, unless the turn must stop with nothing to claim (R2.4, R3.5)."""
    if position.can_roll or claims(position):
        return position, events
    if way is not None:
        way.append(position)
    return settle.bust(position, events, way)


def _choose_gold(position: Position, *, joins: bool) -> settle.StepPair:
    if not joins:
        return _turn(position, ROLL_DUE, ""), ()
    assert position.specialists is not None
    joined = replace(position, specialists=replace(position.specialists, gold_joined=True))
    return _turn(joined, ROLL_DUE, ""), (GoldUsed(position.seat),)


def _reroll(position: Position) -> settle.StepPair:
    """D8.2: the same dice fall once more."""
    assert position.specialists is not None
    used = replace(position, specialists=replace(position.specialists, weasel_used=True))
    return _turn(used, ROLL_DUE, position.kept), (WeaselUsed(position.seat),)


def _take_round_worm(position: Position, giver: int, way: settle.Way) -> settle.StepPair:
    """D11.1: after two ones the turn goes on; after the crow's tile it is over (D10.2)."""
    assert position.specialists is not None
    events: tuple[Event, ...] = (GotRoundWorm(position.seat, giver),)
    after = replace(position, specialists=position.specialists.received(position.seat, giver))
    if position.kept:
        return _go(_turn(after, GO_DUE, after.kept), events, way)
    if way is not None:
        way.append(after)
    return settle.next_turn(after, events)
