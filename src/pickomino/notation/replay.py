"""The turn lines of a record, replayed through the rules token by token."""

from __future__ import annotations

from typing import NoReturn

from pickomino.game import Game
from pickomino.notation.turns import consequences, ends_turn
from pickomino.rules import (
    IllegalMoveError,
    Keep,
    LeaveGold,
    NotationError,
    Phase,
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
    said,
)
from pickomino.rules.errors import quote
from pickomino.rules.events import Busted
from pickomino.rules.plies import parse_move, shape_of_dice


class Replay:
    """Plays a record's turns on a game, and checks everything the record says on the way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.comments: dict[tuple[int, int], tuple[str, ...]] = {}
        self._number = 0
        self._open = ""  # why the turn read last may only be the last one

    def turn(self, tokens: list[str], comments: dict[int, list[str]]) -> None:
        """One turn line."""
        if self._open:
            raise NotationError(
                "{tokens}: the turn before it {open}", tokens=quote(" ".join(tokens)), open=self._open
            )
        self._number += 1
        position = self.game.position
        if tokens[0] != str(self._number):
            self._fail(tokens[0], said("turn {number}", number=self._number))
        if position.over:
            raise IllegalMoveError(
                "turn {number}: the game is already over in {position!r}",
                number=self._number,
                position=str(position),
            )
        if len(tokens) > 1 and tokens[1] != position.seat_letter:
            self._fail(
                tokens[1], said("seat {seat_letter}, whose turn it is", seat_letter=position.seat_letter)
            )
        line = _Line(self.game)
        # Consequences may be missing, so a token's place among the canonical ones is found by the way.
        places = [0, 1][: len(tokens)]
        for token in tokens[2:]:
            try:
                places.append(2 + line.token(token))
            except (NotationError, IllegalMoveError) as error:
                raise type(error)(
                    said("turn {number}: {error}", number=self._number, error=error.args[0])
                ) from None
        for index, texts in comments.items():
            key = (self._number, places[index])
            self.comments[key] = self.comments.get(key, ()) + tuple(texts)
        self._open = line.unfinished()

    def finish(self) -> None:
        """All lines are read: an unfinished last line is fine unless the game is over."""
        if self._open and self.game.over:
            raise NotationError(
                "turn {number}: the last turn of a finished game {open}", number=self._number, open=self._open
            )

    def _fail(self, found: str, expected: str) -> NoReturn:
        raise NotationError(
            "turn {number}: {found}: expected {expected}",
            number=self._number,
            found=quote(found),
            expected=expected,
        )


class _Line:
    """One turn: where it stands, and which tokens its end still allows."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._count = 0
        self._bare = False  # a roll without a keep: nothing but its bust may follow
        self._ended = False
        self._due: list[str] = []  # what the end of the turn lets follow, in this order

    def unfinished(self) -> str:
        """Why no further turn may follow; empty if the turn is complete."""
        if not self._ended:
            return said("is not finished")
        return said("lacks its '!'") if "!" in self._due else ""

    def token(self, token: str) -> int:
        """Play one token; the answer is its place among the canonical tokens of the turn."""
        if self._ended:
            return self._consequence(token)
        dice, slash, kept = token.partition("/")
        if shape_of_dice(dice):
            self._roll(dice, slash, kept)
        elif self._bare and not (token == "!" and Stop() in self._game.position.moves()):
            raise NotationError("{token} after a roll: expected roll/face", token=quote(token))
        else:
            self._choice(token)
        self._count += 1
        return self._count - 1

    def _apply(self, ply: Ply, *, due: bool = True) -> None:
        events = self._game.apply(ply).events
        if ends_turn(events):
            self._ended = True
            busted = any(isinstance(event, Busted) for event in events)
            self._due = ["!"] * (busted and due) + consequences(events)

    def _roll(self, dice: str, slash: str, kept: str) -> None:
        if self._bare:
            raise NotationError("{dice} after a roll: expected roll/face", dice=quote(dice))
        position = self._game.position
        if position.phase is Phase.GOLD:
            self._apply(UseGold() if "+" in dice else LeaveGold())
        elif position.phase is Phase.GO:
            self._apply(RollOn())
        if position.phase is not Phase.KEEP:
            self._apply(Roll(dice))
        elif dice != position.rolled:
            raise IllegalMoveError(
                "roll {dice} does not fit {position!r}: these dice lie on the table",
                dice=quote(dice),
                position=str(position),
            )
        if not slash:
            self._bare = True
        elif self._ended:
            raise IllegalMoveError("{value}: the roll has nothing to keep", value=quote(f"{dice}/{kept}"))
        else:
            self._apply(Reroll() if kept == "*" else _keep(kept))

    def _choice(self, token: str) -> None:
        position = self._game.position
        if token in ("!", "."):
            if Stop() not in position.moves() or (position.phase is Phase.KEEP) != (token == "!"):
                raise IllegalMoveError(
                    "{token} does not fit {position!r}", token=quote(token), position=str(position)
                )
            self._apply(Stop(), due=False)
            return
        move = None
        if token[0] in "tx^<":
            move = parse_move(token)
        if not isinstance(move, Take | Steal | TakeRoundWorm | PutBack):
            raise NotationError(
                "{token}: expected roll/face, t or x and a tile, ! . ^seat or <specialist", token=quote(token)
            )
        self._apply(move)

    def _consequence(self, token: str) -> int:
        """A derived token: it may be missing, but what is there must be right."""
        if "!" in self._due and token != "!":
            raise NotationError("{token}: expected '!', the turn ended in a bust", token=quote(token))
        if token not in self._due:
            allowed = " ".join(self._due) or said("nothing")
            raise IllegalMoveError(
                "{token}: the turn is over, expected {allowed} in this line",
                token=quote(token),
                allowed=allowed,
            )
        while True:
            self._count += 1
            if self._due.pop(0) == token:
                return self._count - 1


def _keep(face: str) -> Keep:
    move = parse_move(f"k{face}")
    assert isinstance(move, Keep)
    return move
