"""Understanding what a person types: friendly answers to legal moves, and help where one does not fit."""

from __future__ import annotations

from collections.abc import Sequence

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
from pickomino.terminal.words import ENGLISH, bust_chance, bust_cost, claim_text, dice, move_text
from pickomino.views import claim_views, keep_views

__all__ = ["HELP", "answer_for", "question", "understand"]

HELP = """\
  a face      keep all dice of that face: 1 to 5, or w for worms
  r           roll the dice that are left
  t or t25    stop and take a tile from the grill
  x or x25    stop and steal the tile on top of another stack
  s           stop
  weasel      roll the dice again (deluxe, with the weasel)
  hint, odds  what is best here, and what the dice may bring
  undo        take your last decision back (against bots)
  rules, pos  the rules of this moment; the position as text
  b           show the table again
  ?           this help
  q           quit; the game is kept, you can go on later"""


def answer_for(position: Position, move: Move) -> str:
    """The shortest answer that means the move."""
    moves = position.moves()
    match move:
        case Keep(face):
            return "kW" if face == "W" and Reroll() in moves else face.lower()
        case Reroll():
            return "weasel" if Keep("W") in moves else "w"
        case Take() | Steal():
            return str(move)[0] if sum(type(other) is type(move) for other in moves) == 1 else str(move)
        case UseGold():
            return "y"
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
            text = text.removeprefix("keep ") + _outlook(position, move, names)
        elif isinstance(move, RollOn) and (cost := bust_cost(position)):
            text += f"; a bust, {ENGLISH.percent(bust_chance(position))}, {cost}"
        lines.append(f"  {answer:>{width}}  {text}")
    return lines


def _title(position: Position) -> str:
    kept = ""
    if position.kept:
        worm = "with a worm" if position.has_worm else "no worm yet"
        kept = f"Kept {dice(position.kept)}, total {position.total}, {worm}. "
    match position.phase:
        case Phase.KEEP if not keep_views(position):
            return f"{kept}Nothing to keep. Use the weasel?"
        case Phase.KEEP:
            return f"{kept}Keep which face?"
        case Phase.GO:
            return f"{kept}Roll on or stop?"
        case Phase.GOLD:
            return "Shall the golden die join this turn?"
        case Phase.GIVER:
            return f"{kept}A round worm, and the supply is empty. Who gives it?"
    return "Nobody holds two specialists. Which one goes back?"


def _outlook(position: Position, move: Keep, names: Sequence[str]) -> str:
    """What could be claimed right after a keep."""
    claims = next(keep["claims"] for keep in keep_views(position) if keep["face"] == move.face)
    if not claims:
        return ""
    shown = [claim_text(claim, names) for claim in claims[-2:]]
    return f"; then you could {ENGLISH.either(shown)}"


def understand(position: Position, text: str, names: Sequence[str]) -> Move | str:
    """The move that an answer means, or a sentence that says what it should have been."""
    moves = position.moves()
    answer = " ".join(text.split()).casefold()
    found = _read(position, moves, answer, names)
    if not isinstance(found, str):
        return found
    expected = ENGLISH.either([answer_for(position, move) for move in moves])
    return f"{found} Say {expected}, or ? for help."


def _read(position: Position, moves: Sequence[Move], answer: str, names: Sequence[str]) -> Move | str:
    if not answer:
        return "I need an answer."
    match position.phase:
        case Phase.KEEP:
            return _read_keep(position, moves, answer)
        case Phase.GO:
            return _read_go(position, moves, answer, names)
        case Phase.GOLD:
            if answer in ("g", "y", "yes", "use"):
                return UseGold()
            return LeaveGold() if answer in ("n", "no") else "Yes or no?"
        case Phase.GIVER:
            return _read_giver(moves, answer, names)
    named = [move for move in moves if isinstance(move, PutBack) and answer.lstrip("< ") == move.specialist]
    return named[0] if named else "Name the specialist that goes back."


def _read_keep(position: Position, moves: Sequence[Move], answer: str) -> Move | str:
    face = answer.removeprefix("keep").removeprefix("k").strip().upper()
    face = {"WORM": "W", "WORMS": "W", "V": "W"}.get(face, face)  # V: as the course writes it
    weasel = Reroll() in moves
    if answer in ("weasel", "reroll", "again") or (answer == "w" and weasel and Keep("W") not in moves):
        return Reroll() if weasel else "You have no weasel to use."
    if answer == "w" and weasel:
        return "w could mean the worms or the weasel."
    if answer in ("s", "stop", "n", "no") and Stop() in moves:
        return Stop()
    for move in moves:
        if isinstance(move, Keep) and move.face == face:
            return move
    if face and face in "12345W":
        name = "Worms" if face == "W" else f"{face}s"
        if face in position.kept:
            return f"{name} are already kept in this turn."
        return f"This roll shows no {name.lower()}."
    if answer[0] in "rtxs":
        return "First keep a face of this roll."
    return f"I do not understand {answer[:30]!r}."


def _read_go(position: Position, moves: Sequence[Move], answer: str, names: Sequence[str]) -> Move | str:
    claims = [move for move in moves if isinstance(move, Take | Steal)]
    if answer in ("r", "roll", "roll on"):
        return RollOn() if RollOn() in moves else "No more rolling in this turn."
    verb, digits = _claim_parts(answer)
    if verb is None:
        if answer.removeprefix("k").strip() in tuple("12345w"):
            return "The dice are kept already."
        return f"I do not understand {answer[:30]!r}."
    if not claims:
        if verb == "s" and not digits:
            return Stop()
        why = "" if position.has_worm else ", as no worm is kept"
        return f"Nothing can be claimed with {position.total}{why}."
    kinds = {"t": (Take,), "x": (Steal,)}.get(verb, (Take, Steal))
    meant = [claim for claim in claims if isinstance(claim, kinds) and digits in ("", str(claim.tile))]
    if len(meant) == 1:
        return meant[0]
    able = ENGLISH.either([claim_text(claim, names) for claim in claim_views(position)])
    return f"With {len(claims)} claims possible, which?" if meant else f"You could {able}."


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
    return "Name a seat that can give."
