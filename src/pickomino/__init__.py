"""Pickomino (Heckmeck am Bratwurmeck): the rules of every edition, notation, and what is built on them.

Everything that most programs need is here. The rules, the notation and `Game` are loaded at once and need only the
standard library; bots, solver and the rest are loaded when first used.

>>> import pickomino
>>> position = pickomino.Position.start("classic", seats=2)
>>> position, events = position.apply("=112345WW")
>>> [str(move) for move in position.moves()]
['k1', 'k2', 'k3', 'k4', 'k5', 'kW']
>>> pickomino.evaluate(position).best
Keep(face='W')
>>> pickomino.play_game(["cautious", "random"], seed=1).outcome.winners
(0,)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

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
    Specialists,
    Steal,
    Step,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
    find_edition,
    format_edition,
    load_edition,
    perft,
    perft_divide,
    turn_perft,
    turn_perft_divide,
)
from pickomino.rules.events import (
    Busted,
    Event,
    Flipped,
    GameOver,
    GoldUsed,
    GotRoundWorm,
    GotSpecialist,
    Kept,
    Returned,
    Rolled,
    SpecialistLeft,
    SpecialistMoved,
    Stole,
    Took,
    TurnStarted,
    WeaselUsed,
)

if TYPE_CHECKING:  # what `_LATER` says, for type checkers and editors
    from pickomino.analysis import Review, evaluate, find_objective, review
    from pickomino.analysis.advice import MoveAdvice, advise
    from pickomino.bots import Bot, bot_names, make_bot, register_bot
    from pickomino.chance import DiceSource, ScriptedDice, SeededDice, SystemDice, check_dice
    from pickomino.drawing import draw, svg
    from pickomino.play import play_game
    from pickomino.solver import (
        MoveValues,
        Objective,
        Odds,
        TurnSolution,
        Worms,
        exact_odds,
        odds,
        solve_position,
        solve_turn,
        solve_turns,
    )
    from pickomino.views import View, view

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "SEATS",
    "SWITCHES",
    "Bot",
    "Busted",
    "DiceSource",
    "Edition",
    "Event",
    "Face",
    "Flipped",
    "Game",
    "GameOver",
    "GoldUsed",
    "GotRoundWorm",
    "GotSpecialist",
    "IllegalMoveError",
    "InvalidEditionError",
    "InvalidPositionError",
    "Keep",
    "Kept",
    "LeaveGold",
    "Move",
    "MoveAdvice",
    "MoveValues",
    "NotationError",
    "Objective",
    "Odds",
    "Outcome",
    "Phase",
    "PickominoError",
    "Ply",
    "Position",
    "PutBack",
    "Record",
    "Reroll",
    "Returned",
    "Review",
    "Roll",
    "RollOn",
    "Rolled",
    "ScriptedDice",
    "SeededDice",
    "SpecialistLeft",
    "SpecialistMoved",
    "Specialists",
    "Steal",
    "Step",
    "Stole",
    "Stop",
    "SystemDice",
    "Take",
    "TakeRoundWorm",
    "Took",
    "TurnSolution",
    "TurnStarted",
    "UseGold",
    "View",
    "WeaselUsed",
    "Worms",
    "advise",
    "bot_names",
    "check_dice",
    "draw",
    "evaluate",
    "exact_odds",
    "find_edition",
    "find_objective",
    "format_edition",
    "format_record",
    "load_edition",
    "make_bot",
    "odds",
    "parse_move",
    "parse_ply",
    "parse_position",
    "parse_record",
    "parse_roll",
    "perft",
    "perft_divide",
    "play_game",
    "read_records",
    "register_bot",
    "review",
    "solve_position",
    "solve_turn",
    "solve_turns",
    "svg",
    "turn_perft",
    "turn_perft_divide",
    "view",
]

_LATER: Final = {
    name: package
    for package, names in {
        "pickomino.analysis": ("Review", "evaluate", "find_objective", "review"),
        "pickomino.analysis.advice": ("MoveAdvice", "advise"),
        "pickomino.bots": ("Bot", "bot_names", "make_bot", "register_bot"),
        "pickomino.chance": ("DiceSource", "ScriptedDice", "SeededDice", "SystemDice", "check_dice"),
        "pickomino.drawing": ("draw", "svg"),
        "pickomino.play": ("play_game",),
        "pickomino.solver": (
            "MoveValues",
            "Objective",
            "Odds",
            "TurnSolution",
            "Worms",
            "exact_odds",
            "odds",
            "solve_position",
            "solve_turn",
            "solve_turns",
        ),
        "pickomino.views": ("View", "view"),
    }.items()
    for name in names
}
"""Name -> where it is loaded from when it is first asked for."""


if not TYPE_CHECKING:  # to a type checker it would allow any name

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_LATER[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
