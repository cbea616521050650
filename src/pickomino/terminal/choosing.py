"""What a person may do now: every legal move with its key, its title, and what it brings or costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import specialist
from pickomino.views import ClaimView, bust_view, claim_views, keep_views, roll_bust_prob


class Choice(NamedTuple):
    """One legal move, as a person sees it."""

    key: str
    move: Move
    title: str
    note: str
    kind: str  # keep, roll, take, steal, plain

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that means it."""
        return ("w", "v", "6") if self.key == "w" and self.kind == "keep" else (self.key,)


def choices(position: Position, names: Sequence[str], speech: Speech) -> list[Choice]:
    """In the order in which they are offered: keeps by total, then claims, then rolling on."""
    found: list[Choice] = []
    numbers = iter("123456789")
    claims = {claim["move"]: claim for claim in claim_views(position)}
    taken = False
    for move in sorted(position.moves(), key=_order):
        match move:
            case Keep():
                found.append(_keep(position, move, speech))
            case Take():
                key = next(numbers) if taken else "t"
                taken = True
                found.append(_claim(move, key, claims[str(move)], names, speech))
            case Steal():
                found.append(_claim(move, "s", claims[str(move)], names, speech))
            case TakeRoundWorm() | PutBack():
                found.append(_other(position, move, next(numbers), names, speech))
            case _:
                found.append(_other(position, move, "", names, speech))
    return found


def _order(move: Move) -> tuple[int, int]:
    kinds = (Steal, Take, Keep, UseGold, LeaveGold, RollOn, Reroll, TakeRoundWorm, PutBack, Stop)
    rank = -move.tile if isinstance(move, Take) else 0
    return kinds.index(type(move)), rank


def _keep(position: Position, move: Keep, speech: Speech) -> Choice:
    t = speech.t
    keep = next(keep for keep in keep_views(position) if keep["face"] == move.face)
    number, face, total = keep["count"], keep["face"], keep["total"]
    if face == "W":
        title = speech.tn("{n} worm, total {total}", "{n} worms, total {total}", number, total=total)
    else:
        title = t("{n} × {face}, total {total}", n=number, face=face, total=total)
    if keep["bust"]:
        note = t("a bust: nothing to claim")
    else:
        after = position.apply(move).position
        parts = [_short(claim, speech) for claim in keep["claims"][-1:]]
        if after.phase is Phase.GO and after.can_roll:
            risk = speech.percent(roll_bust_prob(after))
            dice = speech.dice(after.dice_left)
            parts.append(t("roll {dice}, {percent} bust", dice=dice, percent=risk))
        note = t("then {what}", what=speech.either(parts)) if parts else ""
    return Choice(face.lower(), move, title, note, "keep")


def _short(claim: ClaimView, speech: Speech) -> str:
    if claim["from"] == "grill":
        return speech.t("take {tile}", tile=claim["tile"])
    return speech.t("steal {tile}", tile=claim["tile"])


def _claim(move: Take | Steal, key: str, claim: ClaimView, names: Sequence[str], speech: Speech) -> Choice:
    t = speech.t
    guest = claim.get("specialist")
    gains = [speech.worms(claim["worms"])] if claim["worms"] else []
    if guest == "crow":
        gains.append(t("a round worm from the crow"))
    elif guest and claim["worms"]:
        gains.append(t("with {what}", what=specialist(guest, speech)))
    if isinstance(move, Take):
        return Choice(key, move, t("Take {tile}", tile=move.tile), ", ".join(gains), "take")
    victim = names[SEATS.index(claim["from"])]
    if not claim["worms"] and guest:
        title = t("Steal {what} from {name}", what=specialist(guest, speech), name=victim)
        return Choice(key, move, title, t("{tile} stays there", tile=move.tile), "steal")
    title = t("Steal {tile} from {name}", tile=move.tile, name=victim)
    return Choice(key, move, title, ", ".join([*gains, t("the exact total")]), "steal")


def _other(position: Position, move: Move, key: str, names: Sequence[str], speech: Speech) -> Choice:
    t = speech.t
    match move:
        case RollOn():
            title = t("Roll {dice}", dice=speech.dice(position.dice_left))
            return Choice("r", move, title, _rolling(position, speech), "roll")
        case Reroll():
            note = t("rolls these dice once more")
            return Choice("z", move, t("Send the weasel"), note, "roll")
        case UseGold():
            return Choice("d", move, t("Use the golden die"), t("nine dice in this turn"), "take")
        case LeaveGold():
            return Choice("n", move, t("Leave the golden die out"), t("eight dice"), "roll")
        case TakeRoundWorm(giver):
            return Choice(key, move, t("Take a round worm from {name}", name=names[giver]), "", "steal")
        case PutBack(name):
            return Choice(key, move, t("Put {what} back", what=specialist(name, speech)), "", "plain")
    if position.phase is Phase.KEEP:
        return Choice("g", move, t("Let it be"), t("a bust: nothing to keep"), "plain")
    return Choice("g", move, t("Give up"), t("a bust: nothing to claim"), "plain")


def _rolling(position: Position, speech: Speech) -> str:
    """``25 % bust, costs 22``."""
    t = speech.t
    chance = roll_bust_prob(position)
    parts = [t("{percent} bust", percent=speech.percent(chance))]
    held = position.specialists
    if held is not None and held.holds(position.seat, "weasel") and not held.weasel_used and chance:
        parts.append(t("{percent} with the weasel", percent=speech.percent(chance * chance)))
    cost = bust_view(position)
    if cost is not None and chance:
        if cost.get("specialist"):
            parts.append(t("costs {what}", what=specialist(str(cost.get("specialist")), speech)))
        elif cost["returned"] is not None:
            parts.append(t("costs {what}", what=cost["returned"]))
    return ", ".join(parts)


def asked(position: Position, speech: Speech) -> str:
    """What is to be decided."""
    t = speech.t
    match position.phase:
        case Phase.KEEP if not keep_views(position):
            return t("Nothing to keep. Use the weasel?")
        case Phase.KEEP:
            return t("Keep which face?")
        case Phase.GO:
            return t("Roll on or stop?")
        case Phase.GOLD:
            return t("Shall the golden die join this turn?")
        case Phase.GIVER:
            return t("A round worm, and the supply is empty. Who gives it?")
    return t("Nobody holds two specialists. Which one goes back?")
