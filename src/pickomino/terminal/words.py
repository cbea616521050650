"""The game in words: what a move does, what has just happened, what a bust would cost, who has won."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from pickomino.drawing import seat_names
from pickomino.rules import SEATS, Keep, Move, Phase, Ply, Position, Roll, Steal, Stop, Take, said
from pickomino.rules import events as happened
from pickomino.rules import moves as kinds
from pickomino.rules.events import Event
from pickomino.terminal.speech import SPOKEN, Speech, capital
from pickomino.views import ClaimView, bust_view, claim_views, keep_views


def specialist(name: str, speech: Speech = SPOKEN) -> str:
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


SWITCH_WORDS: Final = {
    "any-lower": said("any lower tile of the grill may be taken, not just the nearest"),
    "fast": said("the returned tile is flipped too when it is the highest"),
    "flip-empty": said("a bust flips the highest tile even when nothing was returned"),
    "mandatory-steal": said("the exact tile on another stack must be stolen"),
    "shared-ties": said("a tie is a shared win"),
}
"""What each switch of an edition does."""

LEVELS: Final = (said("easy"), said("medium"), said("hard"), said("champion"))
"""The bots that people are offered."""


def level_name(bot: str, speech: Speech) -> str:
    """A level by its name for people; another bot is called as it is."""
    return speech.t(bot) if bot in LEVELS else bot


def power(name: str, speech: Speech = SPOKEN) -> str:
    """What a specialist does."""
    t = speech.t
    return {
        "apple": t("counts three worms at the end"),
        "can": t("counts 5 and as a worm while no worm is kept"),
        "crow": t("brings a round worm to whoever takes its tile, then moves on"),
        "gold": t("the golden die, a ninth die of ones and worms"),
        "hen": t("guards the top tile: a thief or a bust gets the hen instead"),
        "weasel": t("once per turn, rolls the dice just rolled again"),
    }[name]


_AS_THEY_LIE: Final = frozenset({"course"})
"""Editions whose source shows dice as they lie, a worm as V, and counts the rolls of a turn."""


def _as_they_lie(position: Position | None) -> bool:
    return position is not None and position.edition.key.partition("+")[0] in _AS_THEY_LIE


def dice(text: str, position: Position | None = None) -> str:
    """``[1] [5] (W)``: the golden die in round brackets; in the course ``[5] [V] [1]``."""
    white, _, gold = text.partition("+")
    if _as_they_lie(position):
        white = "".join(random.Random(f"{position} {text}").sample(white, len(white))).replace("W", "V")
    return " ".join([f"[{face}]" for face in white] + ([f"({gold})"] if gold else []))


def _of_face(face: str, number: int, speech: Speech, position: Position) -> str:
    """``3 × 4``, ``2 × worm``: dice of a face."""
    if face != "W":
        return f"{number} × {face}"
    return f"{number} × {speech.t('worm (V)') if _as_they_lie(position) else speech.t('worm')}"


def keep_text(position: Position, move: Keep, speech: Speech = SPOKEN) -> str:
    """``3 × 4: total 12``: what a keep brings."""
    t = speech.t
    keep = next(keep for keep in keep_views(position) if keep["face"] == move.face)
    which = _of_face(move.face, keep["count"], speech, position)
    if keep["bust"]:
        return t("{dice}: total {total}, a bust", dice=which, total=keep["total"])
    return t("{dice}: total {total}", dice=which, total=keep["total"])


def claim_text(claim: ClaimView, names: Sequence[str], speech: Speech = SPOKEN) -> str:
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


def move_text(position: Position, move: Move, names: Sequence[str], speech: Speech = SPOKEN) -> str:
    """What a legal move does."""
    t = speech.t
    match move:
        case Keep():
            return t("keep {what}", what=keep_text(position, move, speech))
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


def bust_cost(position: Position, speech: Speech = SPOKEN) -> str:
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
    speech: Speech = SPOKEN,
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

    def whom(seat: int) -> str:
        return t("you") if seat == you else names[seat]

    def says(seat: int, third: str, second: str) -> list[str]:
        return [second if seat == you else third]

    match event:
        case happened.Rolled(seat, fallen):
            shown = dice(fallen, position)
            if _as_they_lie(position):
                return [_counted_roll(position, names[seat], shown, speech)]
            return says(
                seat, t("{name} rolls {dice}", name=names[seat], dice=shown), t("You roll {dice}", dice=shown)
            )
        case happened.Kept(seat, face, number, total):
            which = _of_face(face, number, speech, position)
            third = t("{name} keeps {dice}: total {total}", name=names[seat], dice=which, total=total)
            return says(seat, third, t("You keep {dice}: total {total}", dice=which, total=total))
        case happened.Took(seat, tile):
            gain = speech.worms(worms[tile])
            third = t("{name} takes {tile} ({worms}).", name=names[seat], tile=tile, worms=gain)
            return says(seat, third, t("You take {tile} ({worms}).", tile=tile, worms=gain))
        case happened.Stole(seat, tile, victim):
            facts = {"tile": tile, "victim": whom(victim), "worms": speech.worms(worms[tile])}
            third = t("{name} steals {tile} from {victim} ({worms}).", name=names[seat], **facts)
            return says(seat, third, t("You steal {tile} from {victim} ({worms}).", **facts))
        case happened.GoldUsed(seat):
            return says(
                seat, t("{name} uses the golden die.", name=names[seat]), t("You use the golden die.")
            )
        case happened.WeaselUsed(seat):
            third = t("{name} lets the weasel roll again.", name=names[seat])
            return says(seat, third, t("You let the weasel roll again."))
        case happened.GotRoundWorm(seat, None):
            return says(seat, t("{name} gets a round worm.", name=names[seat]), t("You get a round worm."))
        case happened.GotRoundWorm(seat, giver):
            loser = whom(giver or 0)
            third = t("{name} gets a round worm from {victim}.", name=names[seat], victim=loser)
            return says(seat, third, t("You get a round worm from {victim}.", victim=loser))
        case happened.GotSpecialist(seat, name, None):
            what = specialist(name, speech)
            return says(
                seat, t("{name} gets {what}.", name=names[seat], what=what), t("You get {what}.", what=what)
            )
        case happened.GotSpecialist(seat, name, victim):
            what, loser = specialist(name, speech), whom(victim or 0)
            third = t("{name} gets {what} from {victim}.", name=names[seat], what=what, victim=loser)
            return says(seat, third, t("You get {what} from {victim}.", what=what, victim=loser))
        case happened.SpecialistMoved() | happened.SpecialistLeft():
            return [f"{capital(text)}." for text in _cost(event, speech)]
    return []


def _counted_roll(position: Position, name: str, shown: str, speech: Speech) -> str:
    """``Anna, 1st roll of the 8 dice: [5] [V] …``: each roll of a turn keeps another face."""
    t, number = speech.t, len(set(position.kept)) + 1
    nth = {1: t("1st"), 2: t("2nd"), 3: t("3rd")}.get(number, t("{n}th", n=number))
    return speech.tn(
        "{name}, {nth} roll, of the last die: {dice}",
        "{name}, {nth} roll of the {n} dice: {dice}",
        position.dice_left,
        name=name,
        nth=nth,
        dice=shown,
    )


def ranking(position: Position, names: Sequence[str], speech: Speech = SPOKEN) -> list[str]:
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


def verdict(position: Position, names: Sequence[str], speech: Speech = SPOKEN, you: int | None = None) -> str:
    """Who won, and why."""
    t = speech.t
    outcome = position.standings
    winners = speech.both([names[seat] for seat in outcome.winners])
    worms = speech.worms(outcome.scores[outcome.winners[0]])
    if outcome.reason == "shared":
        return t("{names} share the win with {worms} each.", names=winners, worms=worms)
    if outcome.reason == "tie-break":
        facts = {"name": winners, "worms": worms, "tile": max(position.stacks[outcome.winners[0]])}
        if outcome.winners == (you,):
            return t("You win: {worms} like another seat, but the highest single tile, {tile}.", **facts)
        return t("{name} wins: {worms} like another seat, but the highest single tile, {tile}.", **facts)
    if outcome.winners == (you,):
        return t("You win with {worms}.", worms=worms)
    return t("{name} wins with {worms}.", name=winners, worms=worms)
