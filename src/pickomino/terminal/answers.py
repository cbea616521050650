"""Understanding what a person types: friendly answers to legal moves, and help where one does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.locale import t
from pickomino.rules import (
    SEATS,
    Keep,
    LeaveGold,
    Move,
    Phase,
    Position,
    PutBack,
    Reroll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)
from pickomino.terminal.choosing import asked
from pickomino.terminal.speech import SPOKEN
from pickomino.terminal.words import bust_cost, claim_text, dice, keep_text, move_text
from pickomino.views import claim_views, keep_views, roll_bust_prob


def help_text() -> list[str]:
    """Every answer, and what it means."""
    rows = (
        (t("a face"), t("keep all dice of that face: 1 to 5, or w for worms")),
        ("r", t("roll the dice that are left")),
        (t("t or t25"), t("stop and take a tile from the grill")),
        (t("x or x25"), t("stop and steal the tile on top of another stack")),
        ("s", t("stop")),
        (t("weasel").lower(), t("roll the dice again (deluxe, with the weasel)")),
        (f"{t('hint')}, {t('odds')}", t("what is best here, and what the dice may bring")),
        (t("undo"), t("undo your last decision (against bots)")),
        (f"{t('rules')}, pos", t("the rules for this moment; the position as text")),
        ("b", t("show the table again")),
        ("?", t("this help")),
        ("q", t("quit; the game is saved, and you can continue later")),
    )
    width = max(len(answer) for answer, _ in rows)
    return [f"  {answer:<{width}}  {text}" for answer, text in rows]


def answer_for(position: Position, move: Move) -> str:
    """The shortest answer that means the move."""
    moves = position.moves()
    match move:
        case Keep(face):
            return "kW" if face == "W" and Reroll() in moves else face.lower()
        case Reroll():
            return t("weasel").lower() if Keep("W") in moves else "w"
        case Take() | Steal():
            return str(move)[0] if sum(type(other) is type(move) for other in moves) == 1 else str(move)
        case UseGold():
            return t("y")
        case TakeRoundWorm(giver):
            return SEATS[giver]
        case PutBack(name):
            return name
    return str(move)


def question(position: Position, names: Sequence[str]) -> list[str]:
    """What is to be decided, and every legal answer with what it does."""
    moves = position.moves()
    answers = [answer_for(position, move) for move in moves]
    width = max(map(len, answers))
    lines = [_title(position)]
    for answer, move in zip(answers, moves, strict=True):
        text = move_text(position, move, names)
        if isinstance(move, Keep):
            text = keep_text(position, move) + _outlook(position, move, names)
        elif isinstance(move, RollOn) and (cost := bust_cost(position)):
            chance = SPOKEN.percent(roll_bust_prob(position))
            text = t("{move}; a bust, {percent}, {cost}", move=text, percent=chance, cost=cost)
        lines.append(f"  {answer:>{width}}  {text}")
    return lines


def _title(position: Position) -> str:
    asks = asked(position, SPOKEN)
    if not position.kept:
        return asks
    worm = t("with a worm") if position.has_worm else t("no worm yet")
    kept = dice(position.kept, position)
    return t(
        "Kept {dice}, total {total}, {worm}. {asks}", dice=kept, total=position.total, worm=worm, asks=asks
    )


def _outlook(position: Position, move: Keep, names: Sequence[str]) -> str:
    """What could be claimed right after a keep."""
    claims = next(keep["claims"] for keep in keep_views(position) if keep["face"] == move.face)
    if not claims:
        return ""
    shown = [claim_text(claim, names) for claim in claims[-2:]]
    return t("; then you could {what}", what=SPOKEN.either(shown))


def understand(position: Position, text: str, names: Sequence[str]) -> Move | str:
    """The move that an answer means, or a sentence that says what it should have been."""
    moves = position.moves()
    answer = " ".join(text.split()).casefold()
    found = _read(position, moves, answer, names)
    if not isinstance(found, str):
        return found
    expected = SPOKEN.either([answer_for(position, move) for move in moves])
    return t("{problem} Say {expected}, or ? for help.", problem=found, expected=expected)


def _read(position: Position, moves: Sequence[Move], answer: str, names: Sequence[str]) -> Move | str:
    if not answer:
        return t("I need an answer.")
    match position.phase:
        case Phase.KEEP:
            return _read_keep(position, moves, answer)
        case Phase.GO:
            return _read_go(position, moves, answer, names)
        case Phase.GOLD:
            if answer in ("g", "y", "yes", "use", t("y"), t("yes")):
                return UseGold()
            return LeaveGold() if answer in ("n", "no", t("no")) else t("Yes or no?")
        case Phase.GIVER:
            return _read_giver(moves, answer, names)
    named = [move for move in moves if isinstance(move, PutBack) and answer.lstrip("< ") == move.specialist]
    return named[0] if named else t("Name the specialist that goes back.")


def _read_keep(position: Position, moves: Sequence[Move], answer: str) -> Move | str:
    face = answer.removeprefix("keep").removeprefix("k").strip().upper()
    # V: as the course writes it.
    face = {"WORM": "W", "WORMS": "W", "V": "W", "VER": "W", "VERS": "W"}.get(face, face)
    weasel = Reroll() in moves
    if answer in ("weasel", "reroll", "again", t("weasel").lower()) or (
        answer == "w" and weasel and Keep("W") not in moves
    ):
        return Reroll() if weasel else t("You have no weasel to use.")
    if answer == "w" and weasel:
        return t("w could mean the worms or the weasel.")
    if answer in ("s", "stop", "n", "no") and Stop() in moves:
        return Stop()
    for move in moves:
        if isinstance(move, Keep) and move.face == face:
            return move
    if face and face in "12345W":
        if face in position.kept:
            worms = t("You have already kept worms in this turn.")
            return worms if face == "W" else t("You have already kept {face}s in this turn.", face=face)
        return t("This roll shows no worms.") if face == "W" else t("This roll shows no {face}s.", face=face)
    if answer[0] in "rtxs":
        return t("First keep a face of this roll.")
    return t("I do not understand {answer!r}.", answer=answer[:30])


def _read_go(position: Position, moves: Sequence[Move], answer: str, names: Sequence[str]) -> Move | str:
    claims = [move for move in moves if isinstance(move, Take | Steal)]
    if answer in ("r", "roll", "roll on"):
        return RollOn() if RollOn() in moves else t("No more rolling in this turn.")
    verb, digits = _claim_parts(answer)
    if verb is None:
        if answer.removeprefix("k").strip() in tuple("12345w"):
            return t("You have already kept dice from this roll.")
        return t("I do not understand {answer!r}.", answer=answer[:30])
    if not claims:
        if verb == "s" and not digits:
            return Stop()
        if position.has_worm:
            return t("Nothing can be claimed with {total}.", total=position.total)
        return t("Nothing can be claimed with {total}, as no worm is kept.", total=position.total)
    kinds = {"t": (Take,), "x": (Steal,)}.get(verb, (Take, Steal))
    meant = [claim for claim in claims if isinstance(claim, kinds) and digits in ("", str(claim.tile))]
    if len(meant) == 1:
        return meant[0]
    able = SPOKEN.either([claim_text(claim, names) for claim in claim_views(position)])
    if meant:
        return t("With {n} claims possible, which?", n=len(claims))
    return t("You could {what}.", what=able)


def _claim_parts(answer: str) -> tuple[str | None, str]:
    """``take 25`` → ``t``, ``25``; ``25`` and ``stop`` → ``s``. No claim at all: None."""
    for word, verb in (("take", "t"), ("steal", "x"), ("stop", "s"), ("t", "t"), ("x", "x"), ("s", "s")):
        if answer.startswith(word):
            rest = answer.removeprefix(word).strip()
            return (verb, rest) if rest == "" or (rest.isascii() and rest.isdigit()) else (None, "")
    return ("s", answer) if answer.isascii() and answer.isdigit() and len(answer) == 2 else (None, "")


def _read_giver(moves: Sequence[Move], answer: str, names: Sequence[str]) -> Move | str:
    answer = answer.lstrip("^ ")
    for move in moves:
        if isinstance(move, TakeRoundWorm) and answer in (
            SEATS[move.giver].lower(),
            names[move.giver].casefold(),
        ):
            return move
    return t("Name a seat that can give.")
