"""`ev`: the most worms from this turn, as the objective ``worms`` of advice counts them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import BUST, NO_GIVER, STEAL, Ends
from pickomino.bots.packed_settle import copied
from pickomino.bots.payoffs import Payoffs
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.packed import HELD, NONE, Packed
from pickomino.rules import SPECIALISTS, Edition, PickominoError
from pickomino.solver import Worms

__all__ = ["EvBot", "number", "worms_values"]


def number(what: str, text: float | str, least: float = -math.inf) -> float:
    """A parameter's number, or an error that says what was expected."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= least):
        expected = "a number" if least == -math.inf else f"a number of at least {least:g}"
        raise PickominoError(f"{what}={text}: expected {expected}")
    return value


class EvBot(TurnValueBot):
    """Worms gained this turn, with the options of `pickomino.solver.Worms`."""

    def __init__(
        self,
        loss: float | str = 1.0,
        steal: float | str = 0.0,
        round: float | str = 1.0,
        apple: float | str = 3.0,
        can: float | str = 0.0,
        gold: float | str = 0.0,
        hen: float | str = 0.0,
        weasel: float | str = 0.0,
    ) -> None:
        options = {"loss": loss, "steal": steal, "round": round}
        options |= {"apple": apple, "can": can, "gold": gold, "hen": hen, "weasel": weasel}
        self.worms = Worms(**{name: number(name, value) for name, value in options.items()})
        super().__init__(self.worms)

    def __str__(self) -> str:
        return f"ev:{self.worms.options}"

    def relevant(self, starts: Packed) -> Packed:
        """Worms of one turn ask for the grill and the tops only: one's own, and those of the others as a set."""
        starts["below"] = NONE
        rows, seat = np.arange(len(starts)), starts["seat"].copy()
        tops = starts["top"]
        own = tops[rows, seat].copy()
        tops[rows, seat] = NONE
        tops.sort(axis=1)
        tops[:, 0] = own  # the lowest was NONE, the seat's own place
        starts["seat"] = 0
        return starts

    def payoffs(self, edition: Edition, starts: Packed) -> Payoffs:
        worms = np.array([float(worms) for _, worms in edition.tiles] + [0.0])  # the last for no tile
        take = np.broadcast_to(worms[:-1], (len(starts), len(edition.tiles)))
        own = starts["top"][np.arange(len(starts)), starts["seat"]]
        lost = worms[np.where(own == NONE, len(edition.tiles), own)]
        return Payoffs(take, take * (1 + self.worms.steal), -self.worms.loss * lost)

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        return worms_values(self.worms, edition, ends)


def worms_values(worms: Worms, edition: Edition, ends: Ends) -> NDArray[np.float64]:
    """`Worms.payoff` for ends of turns in an edition with specialists."""
    every, seat = np.arange(len(ends.rows)), ends.seats
    before, after = copied(ends.starts, ends.turn), ends.rows
    tile_worms = np.array([float(worms) for _, worms in edition.tiles])
    had, has = before["top"][every, seat], after["top"][every, seat]
    lost = ends.how == BUST  # one tile comes or goes, or none
    gain = np.where(had == has, 0.0, np.where(lost, -tile_worms[had], tile_worms[has]))
    mine = HELD + seat[:, None]
    held = (after["place"] == mine).astype(float) - (before["place"] == mine)
    for index, name in enumerate(SPECIALISTS):
        if name != "crow":  # never held (D10.2)
            gain += getattr(worms, name) * held[:, index]
    more = after["round_worms"][every, seat] - before["round_worms"][every, seat]
    earned = ends.giver != NO_GIVER
    gain += worms.round * (more - earned)
    gain *= np.where(lost, worms.loss, np.where(ends.how == STEAL, 1 + worms.steal, 1.0))
    values: NDArray[np.float64] = gain + worms.round * earned
    return values
