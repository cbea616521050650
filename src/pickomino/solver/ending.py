"""How a turn can end, and the positions that follow."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pickomino.compact.turn import TurnTables
from pickomino.rules import Phase, Position, Take, claims, settle
from pickomino.rules.dice import add
from pickomino.rules.edition import SEATS
from pickomino.solver.point import SUPPLY, Claim, Turn


class Ending(NamedTuple):
    """How the rest of a turn went: the claim, or None for a bust; and who gave a round worm on the way (D8.4).

    ``giver`` is a seat, `SUPPLY`, or None if no round worm was earned from here on.
    """

    claim: Claim | None
    giver: int | None = None

    def __str__(self) -> str:
        claim = "bust" if self.claim is None else str(self.claim)
        if self.giver is None:
            return claim
        return f"{claim} with a round worm" + ("" if self.giver == SUPPLY else f" from {SEATS[self.giver]}")


def endings(position: Position) -> tuple[Ending, ...]:
    """Every way in which the turn can still end: claims in text order, then the bust.

    For each giver in turn.
    """
    turn = Turn(position)
    return reachable_endings(turn, claims_by_slot(position, turn.tables))


def after(position: Position, ending: Ending) -> tuple[Position, ...]:
    """The positions to which an ending leads: one, or one for each choice after the claim (D10.4, D11.1).

    With a choice, the seat whose turn it was picks.
    """
    specialists = position.specialists
    if specialists is not None:
        if ending.giver is not None:
            giver = None if ending.giver == SUPPLY else ending.giver
            specialists = specialists.received(position.seat, giver)
        position = replace(position, specialists=specialists)
    if ending.claim is None:
        end, _ = settle.bust(position)
    elif isinstance(ending.claim, Take):
        end, _ = settle.take(position, ending.claim.tile)
    else:
        end, _ = settle.steal(position, ending.claim.tile, position.tops.index(ending.claim.tile))
    if end.phase in (Phase.GIVER, Phase.PUT_BACK):
        return tuple(end.apply(move).position for move in end.moves())
    return (end,)


def claims_by_slot(position: Position, tables: TurnTables) -> dict[tuple[int, int], tuple[Claim, ...]]:
    """What stopping would allow, for every (worm among the dice, total).

    Nothing there means a bust (R2.5).
    """
    can = position.has_can
    return {
        slot: claims(replace(position, kept=kept)) if slot[0] or can else ()
        for slot, kept in _examples(tables).items()
    }


@lru_cache(maxsize=64)  # house editions come and go
def _examples(tables: TurnTables) -> dict[tuple[int, int], str]:
    """Kept dice for every (worm, total): the rules want to see dice."""
    parent = np.repeat(np.arange(tables.states), np.diff(tables.edge_first))
    came_by = np.zeros(tables.states, dtype=np.intp)
    came_by[tables.edge_child[::-1]] = np.arange(len(parent))[::-1]
    examples: dict[tuple[int, int], str] = {}
    for state in range(tables.states):
        slot = (int(tables.worm[state]), int(tables.total[state]))
        if slot in examples or not tables.mask[state]:
            continue
        kept, at = "", state
        while tables.mask[at]:
            edge = came_by[at]
            sign = tables.faces[tables.edge_face[edge]].sign
            # Golden dice as white ones: they count alike.
            kept = add(kept, sign * int(tables.edge_count[edge]), sign)
            at = int(parent[edge])
        examples[slot] = kept
    return examples


def reachable_endings(turn: Turn, by_slot: dict[tuple[int, int], tuple[Claim, ...]]) -> tuple[Ending, ...]:
    """Those of ``claims_by_slot`` that the turn can still come to."""
    found: set[Ending] = set()
    for flag, (slots, may_bust) in enumerate(_reach(turn)):
        claims: set[Claim | None] = {None} if may_bust else set()
        for slot in slots:
            claims.update(by_slot[slot] or (None,))
        found.update(Ending(claim, giver) for claim in claims for giver in (turn.givers if flag else (None,)))
    order = (None, *turn.givers)
    return tuple(
        sorted(found, key=lambda end: (order.index(end.giver), "z" if end.claim is None else str(end.claim)))
    )


class _Reach(NamedTuple):
    """Where the turn may be stopped, before or after two 1s."""

    slots: frozenset[tuple[int, int]]  # (worm, total)
    may_bust: bool


def _reach(turn: Turn) -> tuple[_Reach, ...]:
    """How the turn may end from here on: an entry for every flag."""
    position, tables, state = turn.position, turn.tables, turn.state
    if position.phase is Phase.GOLD:
        return _reach_from(tables, (), (tables.start(False), tables.start(True)), None)
    if position.phase is Phase.ROLL:
        return _reach_from(tables, (), (state,), None)
    if position.phase is not Phase.KEEP:
        return _reach_from(tables, (state,), (), None)
    faces = sorted(set(position.rolled) - set(position.kept) - {"+"})
    kept = (turn.state_of(position, add(position.kept, position.rolled, face)) for face in faces)
    dead = None if faces else int(tables.ones[state])
    return _reach_from(tables, tuple(kept), (state,) if turn.weasel else (), dead)


@lru_cache(maxsize=64)  # every turn begins alike
def _reach_from(
    tables: TurnTables, kept_first: tuple[int, ...], rolled_first: tuple[int, ...], dead: int | None
) -> tuple[_Reach, ...]:
    """``dead``: the flag of a roll with nothing to keep that has fallen."""
    kept, rolls = np.zeros(tables.states, dtype=bool), np.zeros(tables.states, dtype=bool)
    kept[list(kept_first)] = True
    rolls[list(rolled_first)] = True
    may_bust = [flag == dead for flag in range(tables.flags)]
    for pattern in tables.patterns:
        rolling = np.flatnonzero((kept | rolls)[pattern.states])
        if len(rolling):
            kept[pattern.children[:, rolling]] = True
            if pattern.dead_weight:
                for flag in set(tables.ones[pattern.states][rolling].tolist()):
                    may_bust[flag] = True
    return tuple(
        _Reach(frozenset(zip(tables.worm[at].tolist(), tables.total[at].tolist(), strict=True)), may)
        for at, may in (
            (np.flatnonzero(kept & (tables.ones == flag)), may) for flag, may in enumerate(may_bust)
        )
    )
