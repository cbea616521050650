"""`ev`: the most worms from this turn, as the objective ``worms`` of advice counts them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import Ends
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.loops import BUST, NO_GIVER, STEAL
from pickomino.compact.packed import HELD, NONE, Packed, gathered
from pickomino.rules import SPECIALISTS, Edition, PickominoError, said
from pickomino.solver import Worms


def number(what: str, text: float | str, least: float = -math.inf) -> float:
    """A parameter's number, or an error that says what was expected."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= least):
        expected = (
            said("a number") if least == -math.inf else said("a number of at least {least:g}", least=least)
        )
        raise PickominoError("{what}={text}: expected {expected}", what=what, text=text, expected=expected)
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

    def relevant(self, edition: Edition, starts: Packed) -> Packed:
        """Worms of one turn ask for no tile below another, nor for whose the tops are where nothing else differs."""
        starts["below"] = NONE
        if not edition.specialists:
            rows, tops = np.arange(len(starts)), starts["top"]
            own = tops[rows, starts["seat"]]
            tops[rows, starts["seat"]] = NONE
            tops[:, 1:] = np.sort(tops, axis=1)[:, :0:-1]  # the lowest was NONE, the seat's own place
            tops[:, 0] = own
            starts["seat"] = 0
        return starts

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        return worms_values(self.worms, edition, ends)


def worms_values(worms: Worms, edition: Edition, ends: Ends) -> NDArray[np.float64]:
    """`Worms.payoff` for ends of turns."""
    every, seat = np.arange(len(ends.rows)), ends.seats
    after, bust = ends.rows, ends.how == BUST
    tile_worms = np.array([float(worms) for _, worms in edition.tiles])
    had, has = ends.starts["top"][ends.turn, seat], after["top"][every, seat]
    # One tile comes or goes, or none.
    gain = np.where(had == has, 0.0, np.where(bust, -tile_worms[had], tile_worms[has]))
    factor = np.where(bust, worms.loss, np.where(ends.how == STEAL, 1 + worms.steal, 1.0))
    if not edition.specialists:
        gain *= factor
        return gain
    before = gathered(ends.starts, ends.turn)
    mine = HELD + seat[:, None]
    held = (after["place"] == mine).astype(float) - (before["place"] == mine)
    for index, name in enumerate(SPECIALISTS):
        if name != "crow":  # never held (D10.2)
            gain += getattr(worms, name) * held[:, index]
    more = after["round_worms"][every, seat] - before["round_worms"][every, seat]
    earned = ends.giver != NO_GIVER
    gain += worms.round * (more - earned)
    values: NDArray[np.float64] = gain * factor + worms.round * earned
    return values
