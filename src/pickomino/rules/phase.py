"""What is due in a position."""

from __future__ import annotations

from enum import Enum
from typing import Final

from pickomino.rules.edition import MAX_SEATS

NOBODY: Final = MAX_SEATS
"""The seat to act once the game is over: no such seat, so that indexing a stack with it fails loudly."""


class Phase(Enum):
    """Dice due → keep → go → … → over; deluxe adds small decisions."""

    ROLL = "roll"  # the dice are about to fall: chance acts
    KEEP = "keep"  # choose a face to keep (or the weasel)
    GO = "go"  # roll on, claim, or stop with nothing
    GOLD = "gold"  # does the golden die join the turn? (D8.1)
    GIVER = "giver"  # who gives the round worm? (D11.1)
    PUT_BACK = "put back"  # which of two specialists goes back? (D10.4)
    OVER = "over"


# Names for hot paths: before Python 3.12 looking a member up in its Enum takes a tenth of a microsecond.
ROLL_DUE: Final = Phase.ROLL
KEEP_DUE: Final = Phase.KEEP
GO_DUE: Final = Phase.GO
GAME_OVER: Final = Phase.OVER
