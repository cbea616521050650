"""The rules of Pickomino, every edition: standard library only, nothing here rolls dice or talks to anyone."""

from pickomino.rules.counts import perft, perft_divide, turn_perft, turn_perft_divide
from pickomino.rules.edition import (
    EDITIONS,
    MAX_SEATS,
    MIN_SEATS,
    SEATS,
    SPECIALISTS,
    SWITCHES,
    SWITCHES_OF,
    WORM,
    Edition,
    Face,
    all_keys,
)
from pickomino.rules.errors import (
    IllegalMoveError,
    InvalidEditionError,
    InvalidPositionError,
    NotationError,
    PickominoError,
    Said,
    quote,
    said,
)
from pickomino.rules.house import edition_text, find_edition, format_edition, load_edition
from pickomino.rules.moves import (
    Keep,
    LeaveGold,
    Move,
    Ply,
    PutBack,
    Reroll,
    Roll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)
from pickomino.rules.outcome import Outcome
from pickomino.rules.phase import NOBODY, Phase
from pickomino.rules.position import Position, Step
from pickomino.rules.specialists import Specialists
from pickomino.rules.text import format_position, format_tiles
from pickomino.rules.turn import claims
from pickomino.rules.validity import check

__all__ = [
    "EDITIONS",
    "MAX_SEATS",
    "MIN_SEATS",
    "NOBODY",
    "SEATS",
    "SPECIALISTS",
    "SWITCHES",
    "SWITCHES_OF",
    "WORM",
    "Edition",
    "Face",
    "IllegalMoveError",
    "InvalidEditionError",
    "InvalidPositionError",
    "Keep",
    "LeaveGold",
    "Move",
    "NotationError",
    "Outcome",
    "Phase",
    "PickominoError",
    "Ply",
    "Position",
    "PutBack",
    "Reroll",
    "Roll",
    "RollOn",
    "Said",
    "Specialists",
    "Steal",
    "Step",
    "Stop",
    "Take",
    "TakeRoundWorm",
    "UseGold",
    "all_keys",
    "check",
    "claims",
    "edition_text",
    "find_edition",
    "format_edition",
    "format_position",
    "format_tiles",
    "load_edition",
    "perft",
    "perft_divide",
    "quote",
    "said",
    "turn_perft",
    "turn_perft_divide",
]
