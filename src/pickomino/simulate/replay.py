"""Simulated games as `pickomino.game.Game`: rolled again from the seed, every ply checked by the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.moves import move_table
from pickomino.compact.packed import PACKED, Packed, dice_counts, unpack
from pickomino.compact.tables import edition_tables
from pickomino.game import Game
from pickomino.rules import Edition, Ply, Roll
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.kernels import begin_replay, replay

_GOLD_AT = 59  # above the dice of a logged roll: the golden die's face + 1
_WHITE = (1 << _GOLD_AT) - 1


def replay_game(
    edition: Edition, starts: Packed, seed: int, number: int, actions: NDArray[np.int64] | None, most: int
) -> Game:
    """Game `number` of a seed: by the given actions or, without them, as `random_games` plays it."""
    plies = replay_plies(edition, starts, seed, number, actions, most)
    return Game(unpack(starts[number % len(starts)], edition), plies)


def replay_plies(
    edition: Edition, starts: Packed, seed: int, number: int, actions: NDArray[np.int64] | None, most: int
) -> list[Ply]:
    """The plies of that game; nothing of the rules package has looked at them."""
    tables = edition_tables(edition)[0]
    positions, runs = np.zeros(1, dtype=PACKED), np.zeros(1, dtype=RUN)
    log: Any = np.zeros(1, dtype=LOG)[0]
    log["on"] = 1
    begin_replay(tables, positions, runs, starts, np.uint64(seed), number, log)
    given = np.zeros(0, dtype=np.int64) if actions is None else actions
    most = most if actions is None else min(most, len(actions))
    plies: list[Ply] = []
    while True:
        full = most > 0 and replay(tables, positions, runs, given, most, log)
        plies += [_ply(edition, number) for number in log["plies"][: log["count"]].tolist()]
        log["count"] = 0
        if not full:
            return plies


def _ply(edition: Edition, logged: int) -> Ply:
    if logged >= 0:
        return move_table(edition)[logged]
    dice = ~logged
    signs = [face.sign for face in edition.faces]
    counts = dice_counts(np.array(dice & _WHITE), len(signs)).tolist()
    white = "".join(sign * count for sign, count in zip(signs, counts, strict=True))
    golden = dice >> _GOLD_AT
    return Roll(f"{white}+{signs[golden - 1]}" if golden else white)
