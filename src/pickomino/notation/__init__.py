"""Positions, moves and game records as text, and back: versioned, canonical, readable."""

from pickomino.notation.position import parse_position
from pickomino.notation.reader import parse_record, read_records
from pickomino.notation.record import Record, format_record
from pickomino.notation.turns import TurnLine, TurnWriter, turn_lines
from pickomino.rules.plies import parse_move, parse_ply, parse_roll

__all__ = [
    "Record",
    "TurnLine",
    "TurnWriter",
    "format_record",
    "parse_move",
    "parse_ply",
    "parse_position",
    "parse_record",
    "parse_roll",
    "read_records",
    "turn_lines",
]
