"""One decision, and everything that follows from it until the next one (rules, section 2, and D8)."""

from __future__ import annotations

from typing import Any

from numba import njit

from pickomino.compact.packed import COUNT_BITS, FACES_AT, GOLD_KEPT, NONE, PHASES, SIZE_AT
from pickomino.rules import Phase
from pickomino.simulate import settle
from pickomino.simulate.dice import note, roll
from pickomino.simulate.legal import giver_moves, go_moves, keep_moves, put_back_moves
from pickomino.simulate.settle import bust, earn_round_worm, give_round_worm, next_turn, put_back

__all__ = ["decide", "proceed"]

_ROLL = PHASES.index(Phase.ROLL)
_KEEP = PHASES.index(Phase.KEEP)
_GO = PHASES.index(Phase.GO)
_GOLD = PHASES.index(Phase.GOLD)
_GIVER = PHASES.index(Phase.GIVER)
_OVER = PHASES.index(Phase.OVER)
_steal, _take = settle.steal, settle.take


@njit(cache=True)
def decide(tables: Any, position: Any, run: Any, move: int, log: Any) -> None:
    """Play a legal move, let dice fall and turns end until somebody has to decide again."""
    if log.on:
        note(log, move)
    run.decisions += 1
    phase = position.phase
    if phase == _KEEP:
        if move == tables.reroll:
            position.weasel_used = 1  # D8.2
            position.rolled = 0
            position.gold_rolled = NONE
            position.phase = _ROLL
        elif move == tables.stop:
            bust(tables, position)
        else:
            _keep(tables, position, move - tables.keep)
    elif phase == _GO:
        if move == tables.roll_on:
            position.phase = _ROLL
        elif move == tables.stop:
            bust(tables, position)  # R2.5
        elif move >= tables.steal:
            _steal(tables, position, move - tables.steal)
        else:
            _take(tables, position, move - tables.take)
    elif phase == _GOLD:
        position.gold = move == tables.use_gold  # D8.1
        position.phase = _ROLL
    elif phase == _GIVER:
        give_round_worm(position, move - tables.giver)  # D11.1
        if position.kept:
            position.phase = _GO
        else:
            next_turn(position)
    else:
        specialist = 0
        while tables.put_back[specialist] != move:
            specialist += 1
        put_back(position, specialist)  # D10.4
        next_turn(position)
    proceed(tables, position, run, log)


@njit(cache=True)
def _keep(tables: Any, position: Any, face: int) -> None:
    """R2.2, D8.3, and the round worm for two or more ones (D8.4)."""
    white = position.rolled >> COUNT_BITS * face & 15
    count = white
    if white:
        position.kept += white << COUNT_BITS * face | white << SIZE_AT | 1 << FACES_AT + face
    if position.gold_rolled == face:
        position.gold = GOLD_KEPT + face
        count += 1
    position.total += count * tables.pips[face]
    position.rolled = 0
    position.gold_rolled = NONE
    position.phase = _GO
    if tables.specialists and face == tables.one and count >= 2 and not earn_round_worm(tables, position):
        position.phase = _GIVER


@njit(cache=True)
def proceed(tables: Any, position: Any, run: Any, log: Any) -> None:
    """Chance and forced ends of turns, until `run` knows legal moves or the game is over."""
    while True:
        phase = position.phase
        if phase == _ROLL:
            roll(tables, position, run, log)
            position.phase = _KEEP
            legal = keep_moves(tables, position)
        elif phase == _GO:
            legal = go_moves(tables, position)
        elif phase == _KEEP:
            legal = keep_moves(tables, position)
        elif phase == _GOLD:
            legal = 1 << tables.use_gold | 1 << tables.leave_gold
        elif phase == _GIVER:
            legal = giver_moves(tables, position)
        elif phase == _OVER:
            run.legal = 0
            return
        else:
            legal = put_back_moves(tables, position)
        if legal:
            run.legal = legal
            return
        bust(tables, position)  # R2.3, R3.5
