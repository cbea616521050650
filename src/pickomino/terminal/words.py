"""The game in words: what a move does, what has just happened, what a bust would cost, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pickomino.drawing import seat_names
from pickomino.rules import SEATS, Keep, Move, Phase, Ply, Position, Roll, RollOn, Steal, Stop, Take
from pickomino.rules import events as happened
from pickomino.rules import moves as kinds
from pickomino.rules.events import Event
from pickomino.terminal.speech import Speech
from pickomino.views import ClaimView, bust_view, claim_views, keep_views

__all__ = [
    "ENGLISH",
    "bust_chance",
    "bust_cost",
    "claim_text",
    "dice",
    "move_text",
    "power",
    "ranking",
    "specialist",
    "tell",
    "verdict",
]

ENGLISH: Final = Speech()


def specialist(name: str, speech: Speech = ENGLISH) -> str:
    """``the apple``, ``the golden die``."""
    t = speech.t
    return {
        "apple": t("the apple"),
        "can": t("the can"),
        "crow": t("the crow"),
        "gold": t("the golden die"),
        "hen": t("the hen"),
        "weasel": t("the weasel"),
    }[name]


def power(name: str, speech: Speech = ENGLISH) -> str:
    """What a specialist does."""
    t = speech.t
    return {
        "apple": t("counts three worms at the end"),
        "can": t("counts 5 and as a worm while no worm is kept"),
        "crow": t("brings a round worm to whoever takes its tile, then moves on"),
        "gold": t("the golden die, a ninth die of ones and worms"),
        "hen": t("guards the top tile: a thief or a bust gets the hen instead"),
        "weasel": t("once a turn, rolls the dice just rolled again"),
    }[name]


def dice(text: str) -> str:
    """``[1] [5] (W)``: the golden die in round brackets."""
    white, _, gold = text.partition("+")
    return " ".join([f"[{face}]" for face in white] + ([f"({gold})"] if gold else []))


def _of_face(face: str, number: int, speech: Speech) -> str:
    """``3 × 4``, ``2 × worm``: dice of a face."""
    return f"{number} × {speech.t('worm') if face == 'W' else face}"


def claim_text(claim: ClaimView, names: Sequence[str], speech: Speech = ENGLISH) -> str:
    """``take 24 (1 worm)``, ``steal 24 from Ben (1 worm, with the can)``."""
    t = speech.t
    guest = claim.get("specialist")
    if claim["from"] != "grill":
        victim = names[SEATS.index(claim["from"])]
        if not claim["worms"] and guest:
            what = specialist(guest, speech)
            return t("steal {what} from {name}, who keeps {tile}", what=what, name=victim, tile=claim["tile"])
        start = t("steal {tile} from {name}", tile=claim["tile"], name=victim)
    else:
        start = t("take {tile}", tile=claim["tile"])
    gains = [speech.worms(claim["worms"])]
    if guest == "crow":
        gains.append(t("and a round worm from the crow"))
    elif guest:
        gains.append(t("with {what}", what=specialist(guest, speech)))
    return f"{start} ({', '.join(gains)})"


def move_text(position: Position, move: Move, names: Sequence[str], speech: Speech = ENGLISH) -> str:
    """What a legal move does."""
    t = speech.t
    match move:
        case Keep(face):
            keep = next(keep for keep in keep_views(position) if keep["face"] == face)
            which = _of_face(face, keep["count"], speech)
            if keep["bust"]:
                return t("keep {dice}: total {total}, a bust", dice=which, total=keep["total"])
            return t("keep {dice}: total {total}", dice=which, total=keep["total"])
        case Take() | Steal():
            claim = next(claim for claim in claim_views(position) if claim["move"] == str(move))
            return claim_text(claim, names, speech)
        case kinds.RollOn():
            return t("roll {dice}", dice=speech.dice(position.dice_left))
        case Stop():
            return t("stop with nothing to claim: a bust")
        case kinds.UseGold():
            return t("use the golden die in this turn")
        case kinds.LeaveGold():
            return t("play this turn without the golden die")
        case kinds.Reroll():
            return t("let the weasel roll these dice again")
        case kinds.TakeRoundWorm(giver):
            return t("take a round worm from {name}", name=names[giver])
        case kinds.PutBack(name):
            return t("put {what} back, keep the other one", what=specialist(name, speech))


def bust_chance(position: Position) -> float:
    """How likely rolling on ends the turn at once: nothing to keep, or nothing to claim with the last dice.

    A weasel that may still be used is left out of it.
    """
    rolling = position.apply(RollOn()).position
    weights = rolling.rolls()
    lost = sum(weight for roll, weight in weights.items() if _fails(rolling, roll))
    return lost / sum(weights.values())


def _fails(rolling: Position, roll: Roll) -> bool:
    fresh = {face for face in roll.dice if face != "+"} - set(rolling.kept)
    if len(fresh) > 1 and len(set(rolling.kept) - {"+"}) + 1 < len(rolling.edition.faces):
        return False  # dice and faces are left whatever is kept
    if not fresh:
        return True
    fallen = rolling.apply(roll).position
    return all(keep["bust"] for keep in keep_views(fallen))


def bust_cost(position: Position, speech: Speech = ENGLISH) -> str:
    """``would return 22 and flip 36``; empty where a bust cannot happen."""
    t = speech.t
    cost = bust_view(position)
    if cost is None:
        return ""
    parts = []
    if cost["returned"] is not None:
        parts.append(t("return {tile}", tile=cost["returned"]))
    if name := cost.get("specialist"):
        parts.append(t("lose {what}", what=specialist(name, speech)))
    if cost["flipped"] is not None:
        parts.append(t("flip {tile}", tile=cost["flipped"]))
    return t("would {what}", what=speech.both(parts)) if parts else t("would cost nothing")


def tell(
    position: Position,
    ply: Ply,
    events: Sequence[Event],
    names: Sequence[str],
    speech: Speech = ENGLISH,
    you: int | None = None,
) -> list[str]:
    """What a ply brought about, in short lines; `position` is the one before it, `you` the seat that reads it."""
    t = speech.t
    lines: list[str] = []
    costs: list[str] = []
    busted = False
    for event in events:
        if isinstance(event, happened.Busted):
            busted = True
        elif busted:
            costs += _cost(event, speech)
        else:
            lines += _line(position, event, names, speech, you)
    if busted:
        dead = isinstance(ply, Roll) or (position.phase is Phase.KEEP and isinstance(ply, Stop))
        why = t("nothing to keep") if dead else t("nothing to claim")
        if costs:
            lines.append(t("Bust, {why}: {costs}.", why=why, costs="; ".join(costs)))
        else:
            lines.append(t("Bust, {why}. It costs nothing.", why=why))
    return lines


def _cost(event: Event, speech: Speech) -> list[str]:
    t = speech.t
    match event:
        case happened.Returned(_, tile):
            return [t("{tile} goes back to the grill", tile=tile)]
        case happened.Flipped(tile):
            return [t("{tile} is flipped", tile=tile)]
        case happened.SpecialistMoved(name, tile):
            return [t("{what} moves to {tile}", what=specialist(name, speech), tile=tile)]
        case happened.SpecialistLeft(name):
            return [t("{what} leaves the game", what=specialist(name, speech))]
    return []


def _line(
    position: Position, event: Event, names: Sequence[str], speech: Speech, you: int | None
) -> list[str]:
    t, worms = speech.t, position.edition.worms

    def says(seat: int, third: str, second: str, **values: object) -> list[str]:
        return [speech.t(second if seat == you else third, name=names[seat], **values)]

    def whom(seat: int) -> str:
        return t("you") if seat == you else names[seat]

    match event:
        case happened.Rolled(seat, fallen):
            return says(seat, "{name} rolls {dice}", "You roll {dice}", dice=dice(fallen))
        case happened.Kept(seat, face, number, total):
            which = _of_face(face, number, speech)
            third, second = "{name} keeps {dice}: total {total}", "You keep {dice}: total {total}"
            return says(seat, third, second, dice=which, total=total)
        case happened.Took(seat, tile):
            third, second = "{name} takes {tile} ({worms}).", "You take {tile} ({worms})."
            return says(seat, third, second, tile=tile, worms=speech.worms(worms[tile]))
        case happened.Stole(seat, tile, victim):
            third = "{name} steals {tile} from {victim} ({worms})."
            second = "You steal {tile} from {victim} ({worms})."
            return says(seat, third, second, tile=tile, victim=whom(victim), worms=speech.worms(worms[tile]))
        case happened.GoldUsed(seat):
            return says(seat, "{name} uses the golden die.", "You use the golden die.")
        case happened.WeaselUsed(seat):
            return says(seat, "{name} lets the weasel roll again.", "You let the weasel roll again.")
        case happened.GotRoundWorm(seat, None):
            return says(seat, "{name} gets a round worm.", "You get a round worm.")
        case happened.GotRoundWorm(seat, giver):
            third, second = "{name} gets a round worm from {victim}.", "You get a round worm from {victim}."
            return says(seat, third, second, victim=whom(giver or 0))
        case happened.GotSpecialist(seat, name, None):
            return says(seat, "{name} gets {what}.", "You get {what}.", what=specialist(name, speech))
        case happened.GotSpecialist(seat, name, victim):
            third, second = "{name} gets {what} from {victim}.", "You get {what} from {victim}."
            return says(seat, third, second, what=specialist(name, speech), victim=whom(victim or 0))
        case happened.SpecialistMoved() | happened.SpecialistLeft():
            return [f"{text[0].upper()}{text[1:]}." for text in _cost(event, speech)]
    return []


def ranking(position: Position, names: Sequence[str], speech: Speech = ENGLISH) -> list[str]:
    """The table at the end: rank, worms, tiles; then who won and why."""
    t = speech.t
    outcome = position.standings
    shown = seat_names(len(position.stacks), names)
    width = max(4, *map(len, shown))
    head = (t("rank"), t("seat"), t("worms"), t("tiles"))
    columns = [max(4, len(head[0])), width + 2, max(5, len(head[2]))]
    lines = [f"  {head[0]:>{columns[0]}}  {head[1]:<{columns[1]}}  {head[2]:>{columns[2]}}  {head[3]}"]
    for place in outcome.ranking:
        for seat in place:
            tiles = " ".join(map(str, position.stacks[seat])) or t("none")
            name = f"{SEATS[seat]} {shown[seat]:<{width}}"
            rank = f"{outcome.ranks[seat]:>{columns[0]}}"
            lines.append(f"  {rank}  {name}  {outcome.scores[seat]:>{columns[2]}}  {tiles}")
    if position.over:
        lines += ["", verdict(position, shown, speech)]
    return lines


def verdict(
    position: Position, names: Sequence[str], speech: Speech = ENGLISH, you: int | None = None
) -> str:
    """Who won, and why."""
    t = speech.t
    outcome = position.standings
    winners = speech.both([names[seat] for seat in outcome.winners])
    worms = speech.worms(outcome.scores[outcome.winners[0]])
    if outcome.reason == "shared":
        return t("{names} share the win with {worms} each.", names=winners, worms=worms)
    if outcome.reason == "tie-break":
        best = max(position.stacks[outcome.winners[0]])
        if outcome.winners == (you,):
            return t(
                "You win: {worms} like another seat, but the highest single tile, {tile}.",
                worms=worms,
                tile=best,
            )
        return t(
            "{name} wins: {worms} like another seat, but the highest single tile, {tile}.",
            name=winners,
            worms=worms,
            tile=best,
        )
    if outcome.winners == (you,):
        return t("You win with {worms}.", worms=worms)
    return t("{name} wins with {worms}.", name=winners, worms=worms)
