"""One decision, and everything that follows from it until the next one (rules, section 2, and D8)."""

from __future__ import annotations

from typing import Any

from numba import njit

from pickomino.compact import settle
from pickomino.compact.legal import giver_moves, go_moves, keep_moves, put_back_moves
from pickomino.compact.packed import (
    COUNT_BITS,
    FACES_AT,
    GOLD_KEPT,
    NONE,
    PHASE_GIVER,
    PHASE_GO,
    PHASE_GOLD,
    PHASE_KEEP,
    PHASE_OVER,
    PHASE_ROLL,
    SIZE_AT,
)
from pickomino.compact.settle import bust, choose, earn_round_worm
from pickomino.simulate.dice import note, roll

_steal, _take = settle.steal, settle.take


@njit(cache=True)
def decide(tables: Any, position: Any, run: Any, move: int, log: Any) -> None:
    """Play a legal move, let dice fall and turns end until somebody has to decide again."""
    if log.on:
        note(log, move)
    run.decisions += 1
    phase = position.phase
    if phase == PHASE_KEEP:
        if move == tables.reroll:
            position.weasel_used = 1  # D8.2
            position.rolled = 0
            position.gold_rolled = NONE
            position.phase = PHASE_ROLL
        elif move == tables.stop:
            bust(tables, position)
        else:
            _keep(tables, position, move - tables.keep)
    elif phase == PHASE_GO:
        if move == tables.roll_on:
            position.phase = PHASE_ROLL
        elif move == tables.stop:
            bust(tables, position)  # R2.5
        elif move >= tables.steal:
            _steal(tables, position, move - tables.steal)
        else:
            _take(tables, position, move - tables.take)
    elif phase == PHASE_GOLD:
        position.gold = move == tables.use_gold  # D8.1
        position.phase = PHASE_ROLL
    else:
        choose(tables, position, move)
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
    position.phase = PHASE_GO
    if tables.specialists and face == tables.one and count >= 2 and not earn_round_worm(tables, position):
        position.phase = PHASE_GIVER


@njit(cache=True)
def proceed(tables: Any, position: Any, run: Any, log: Any) -> None:
    """Chance and forced ends of turns, until `run` knows legal moves or the game is over."""
    while True:
        phase = position.phase
        if phase == PHASE_ROLL:
            roll(tables, position, run, log)
            position.phase = PHASE_KEEP
            legal = keep_moves(tables, position)
        elif phase == PHASE_GO:
            legal = go_moves(tables, position)
        elif phase == PHASE_KEEP:
            legal = keep_moves(tables, position)
        elif phase == PHASE_GOLD:
            legal = 1 << tables.use_gold | 1 << tables.leave_gold
        elif phase == PHASE_GIVER:
            legal = giver_moves(tables, position)
        elif phase == PHASE_OVER:
            run.legal = 0
            return
        else:
            legal = put_back_moves(tables, position)
        if legal:
            run.legal = legal
            return
        bust(tables, position)  # R2.3, R3.5
