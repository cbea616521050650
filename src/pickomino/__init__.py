"""Pickomino (Heckmeck am Bratwurmeck): the rules of every edition, notation, and what is built on them.

>>> import pickomino
>>> position = pickomino.Position.start("classic", seats=2)
>>> position, events = position.apply(pickomino.Roll("112345WW"))
>>> [str(move) for move in position.moves()]
['k1', 'k2', 'k3', 'k4', 'k5', 'kW']
"""

from pickomino.game import Game
from pickomino.notation import (
    Record,
    format_record,
    parse_move,
    parse_ply,
    parse_position,
    parse_record,
    parse_roll,
    read_records,
)
from pickomino.rules import (
    EDITIONS,
    SEATS,
    SWITCHES,
    Edition,
    Face,
    IllegalMoveError,
    InvalidEditionError,
    InvalidPositionError,
    Keep,
    LeaveGold,
    Move,
    NotationError,
    Outcome,
    Phase,
    PickominoError,
    Ply,
    Position,
    PutBack,
    Reroll,
    Roll,
    RollOn,
    Steal,
    Step,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
    find_edition,
)

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "SEATS",
    "SWITCHES",
    "Edition",
    "Face",
    "Game",
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
    "Record",
    "Reroll",
    "Roll",
    "RollOn",
    "Steal",
    "Step",
    "Stop",
    "Take",
    "TakeRoundWorm",
    "UseGold",
    "find_edition",
    "format_record",
    "parse_move",
    "parse_ply",
    "parse_position",
    "parse_record",
    "parse_roll",
    "read_records",
]
