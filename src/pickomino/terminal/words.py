"""The game in words: what a move does, what has just happened, what a bust would cost, who has won."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.drawing import seat_names
from pickomino.rules import SEATS, Keep, Move, Phase, Ply, Position, Roll, Steal, Stop, Take
from pickomino.rules import events as happened
from pickomino.rules import moves as kinds
from pickomino.rules.events import Event
from pickomino.views import ClaimView, bust_view, claim_views, keep_views

__all__ = [
    "SPECIALIST_POWERS",
    "bust_cost",
    "claim_text",
    "count",
    "dice",
    "either",
    "move_text",
    "ranking",
    "tell",
]

SPECIALIST_POWERS = {
    "apple": "counts three worms at the end",
    "can": "counts 5 and as a worm while no worm is kept",
    "crow": "brings a round worm to whoever takes its tile, then moves on",
    "gold": "the golden die, a ninth die of ones and worms",
    "hen": "guards the top tile: a thief or a bust gets the hen instead",
    "weasel": "once a turn, rolls the dice just rolled again",
}


def count(number: int, what: str) -> str:
    """``1 worm``, ``2 worms``, ``3 dice``."""
    if what == "die":
        return "1 die" if number == 1 else f"{number} dice"
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def dice(text: str) -> str:
    """``[1] [5] (W)``: the golden die in round brackets."""
    white, _, gold = text.partition("+")
    return " ".join([f"[{face}]" for face in white] + ([f"({gold})"] if gold else []))


def either(parts: Sequence[str], word: str = "or") -> str:
    """``a, b or c``."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def _of_face(face: str, number: int) -> str:
    """``3 × 4``, ``2 × worm``: dice of a face."""
    noun = "worm" if face == "W" else face
    return f"{number} × {noun}"


def claim_text(claim: ClaimView, names: Sequence[str]) -> str:
    """``take 24 (1 worm)``, ``steal 24 from Ben (1 worm, with the can)``."""
    guest = claim.get("specialist")
    if claim["from"] != "grill":
        victim = names[SEATS.index(claim["from"])]
        if not claim["worms"] and guest:
            return f"steal the {guest} from {victim}, who keeps {claim['tile']}"
        start = f"steal {claim['tile']} from {victim}"
    else:
        start = f"take {claim['tile']}"
    gains = [count(claim["worms"], "worm")]
    if guest == "crow":
        gains.append("and a round worm from the crow")
    elif guest:
        gains.append(f"with the {guest}")
    return f"{start} ({', '.join(gains)})"


def move_text(position: Position, move: Move, names: Sequence[str]) -> str:
    """What a legal move does."""
    match move:
        case Keep(face):
            keep = next(keep for keep in keep_views(position) if keep["face"] == face)
            tail = ", a bust" if keep["bust"] else ""
            return f"keep {_of_face(face, keep['count'])}: total {keep['total']}{tail}"
        case Take() | Steal():
            claim = next(claim for claim in claim_views(position) if claim["move"] == str(move))
            return claim_text(claim, names)
        case kinds.RollOn():
            return f"roll {count(position.dice_left, 'die')}"
        case Stop():
            return "stop with nothing to claim: a bust"
        case kinds.UseGold():
            return "use the golden die in this turn"
        case kinds.LeaveGold():
            return "play this turn without the golden die"
        case kinds.Reroll():
            return "let the weasel roll these dice again"
        case kinds.TakeRoundWorm(giver):
            return f"take a round worm from {names[giver]}"
        case kinds.PutBack(name):
            return f"put the {name} back, keep the other one"


def bust_cost(position: Position) -> str:
    """``would return 22 (1 worm) and flip 36``; empty where a bust costs nothing or cannot happen."""
    cost = bust_view(position)
    if cost is None:
        return ""
    parts = []
    if cost["returned"] is not None:
        parts.append(f"return {cost['returned']}")
    if cost.get("specialist"):
        parts.append(f"lose the {cost['specialist']}")
    if cost["flipped"] is not None:
        parts.append(f"flip {cost['flipped']}")
    return f"would {either(parts, 'and')}" if parts else "would cost nothing"


def tell(position: Position, ply: Ply, events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """What a ply brought about, in short lines; `position` is the one before it."""
    lines: list[str] = []
    costs: list[str] = []
    busted = False
    for event in events:
        if isinstance(event, happened.Busted):
            busted = True
        elif busted:
            costs += _cost(event)
        else:
            lines += _line(position, event, names)
    if busted:
        dead = isinstance(ply, Roll) or (position.phase is Phase.KEEP and isinstance(ply, Stop))
        why = "nothing to keep" if dead else "nothing to claim"
        lines.append(f"Bust, {why}: {'; '.join(costs)}." if costs else f"Bust, {why}. It costs nothing.")
    return lines


def _cost(event: Event) -> list[str]:
    match event:
        case happened.Returned(_, tile):
            return [f"{tile} goes back to the grill"]
        case happened.Flipped(tile):
            return [f"{tile} is flipped"]
        case happened.SpecialistMoved(name, tile):
            return [f"the {name} moves to {tile}"]
        case happened.SpecialistLeft(name):
            return [f"the {name} leaves the game"]
    return []


def _line(position: Position, event: Event, names: Sequence[str]) -> list[str]:
    worms = position.edition.worms
    match event:
        case happened.Rolled(seat, fallen):
            return [f"{names[seat]} rolls {dice(fallen)}"]
        case happened.Kept(seat, face, number, total):
            return [f"{names[seat]} keeps {_of_face(face, number)}: total {total}"]
        case happened.Took(seat, tile):
            return [f"{names[seat]} takes {tile} ({count(worms[tile], 'worm')})."]
        case happened.Stole(seat, tile, victim):
            return [f"{names[seat]} steals {tile} from {names[victim]} ({count(worms[tile], 'worm')})."]
        case happened.GoldUsed(seat):
            return [f"{names[seat]} uses the golden die."]
        case happened.WeaselUsed(seat):
            return [f"{names[seat]} lets the weasel roll again."]
        case happened.GotRoundWorm(seat, giver):
            return [f"{names[seat]} gets a round worm{'' if giver is None else f' from {names[giver]}'}."]
        case happened.GotSpecialist(seat, name, victim):
            return [f"{names[seat]} gets the {name}{'' if victim is None else f' from {names[victim]}'}."]
        case happened.SpecialistMoved() | happened.SpecialistLeft():
            return [f"{text[0].upper()}{text[1:]}." for text in _cost(event)]
    return []


def ranking(position: Position, names: Sequence[str]) -> list[str]:
    """The table at the end: rank, worms, tiles; then who won and why."""
    outcome = position.standings
    shown = seat_names(len(position.stacks), names)
    width = max(4, *map(len, shown))
    lines = [f"  rank  {'seat':<{width + 2}}  worms  tiles"]
    for place in outcome.ranking:
        for seat in place:
            tiles = " ".join(map(str, position.stacks[seat])) or "none"
            name = f"{SEATS[seat]} {shown[seat]:<{width}}"
            lines.append(f"  {outcome.ranks[seat]:>4}  {name}  {outcome.scores[seat]:>5}  {tiles}")
    if position.over:
        lines += ["", _verdict(position, shown)]
    return lines


def _verdict(position: Position, names: Sequence[str]) -> str:
    outcome = position.standings
    winners = either([names[seat] for seat in outcome.winners], "and")
    worms = count(outcome.scores[outcome.winners[0]], "worm")
    if outcome.reason == "shared":
        return f"{winners} share the win with {worms} each."
    if outcome.reason == "tie-break":
        best = max(position.stacks[outcome.winners[0]])
        return f"{winners} wins: {worms} like another seat, but the highest single tile, {best}."
    return f"{winners} wins with {worms}."
