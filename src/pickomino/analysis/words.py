"""Nouns and figures for sentences about choices: dice, moves, percentages, points, in any language of the catalogue."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pickomino.analysis.values import Goal
from pickomino.drawing import seat_names
from pickomino.locale import translate, translate_count
from pickomino.rules import (
    SEATS,
    Keep,
    LeaveGold,
    Move,
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


def percent(share: float) -> int:
    """Whole per cent, halves up: so that a difference of a point or more never shows as none."""
    return math.floor(share * 100 + 0.5)


def add_up(parts: Sequence[float], total: float) -> list[int]:
    """Whole per cent of each part, so chosen that they sum to that of the total: the nearest to a half give way."""
    exact = [part * 100 for part in parts]
    shown = [percent(part) for part in parts]
    while (off := percent(total) - sum(shown)) != 0:
        step = 1 if off > 0 else -1
        at = max(range(len(shown)), key=lambda index: step * (exact[index] - shown[index]))
        shown[at] += step
    return shown


def shown_cost(best: float, played: float, digits: int = 0) -> float:
    """Points of winning chance between two moves, as their rounded percentages subtract."""
    scale: int = 10**digits
    return (percent(best * scale) - percent(played * scale)) / scale


def guarded(position: Position, tile: int) -> bool:
    """Whether a thief of this tile gets only its owner's hen (D10.3)."""
    specialists = position.specialists
    return specialists is not None and specialists.holds(position.tops.index(tile), "hen")


class Words:
    """One language, the names of one table, and the decimals of percentages on the screen."""

    def __init__(
        self, names: Sequence[str], language: str = "en", goal: Goal = "win", digits: int = 0
    ) -> None:
        self.digits = digits
        given = seat_names(len(names), names)
        self.names = [  # bots often share one: then the seat's letter tells them apart
            f"{name} {SEATS[seat]}" if given.count(name) > 1 else name for seat, name in enumerate(given)
        ]
        self.language = language
        self.goal: Goal = goal

    def t(self, text: str, **values: object) -> str:
        return translate(self.language, text, **values)

    def tn(self, one: str, many: str, n: int, **values: object) -> str:
        return translate_count(self.language, one, many, n, **values)

    def join(self, one: str, other: str) -> str:
        """Two parts of a sentence."""
        return self.t("{one}; {other}", one=one, other=other)

    def sentence(self, text: str) -> str:
        """With a capital and a full stop."""
        return f"{text[0].upper()}{text[1:]}."

    def amount(self, value: float) -> str:
        """Worms or points with one decimal."""
        shown = f"{abs(value):.1f}"
        return shown.replace(".", ",") if self.language != "en" else shown

    def worth(self, better: float, worse: float) -> str:
        """``5 points``, ``0.4 worms``: what one move is worth more than another, as the figures shown subtract.

        Empty for too little to show.
        """
        if self.goal == "worms":
            amount = self.amount(better - worse if self.digits else self.cost(better, worse))
            return self.t("{amount} worms", amount=amount) if float(amount.replace(",", ".")) else ""
        cost = shown_cost(better, worse, self.digits)
        if cost != int(cost):
            return self.t("{amount} points", amount=self.amount(cost))
        return self.tn("{n} point", "{n} points", int(cost)) if cost else ""

    def figure(self, value: float) -> float:
        """A value as a number to show: whole per cent, or worms with one decimal."""
        return percent(value) if self.goal == "win" else math.floor(value * 10 + 0.5) / 10

    def cost(self, better: float, worse: float) -> float:
        """What one move is worth more than another, as their figures subtract."""
        return round(self.figure(better) - self.figure(worse), 1)

    def value(self, value: float) -> str:
        """``27 %``, or worms."""
        if self.goal == "worms":
            return self.t("{amount} worms", amount=("−" if value < 0 else "") + self.amount(value))
        return f"{percent(value)} %"

    def dice(self, face: str, count: int) -> str:
        """``the 2``, ``the three 5s``, ``the two worms``."""
        if face == "W":
            if count == 2:  # whose number has a gender in some languages
                return self.t("the two worms")
            return self.t("the worm") if count == 1 else self.t("the {n} worms", n=self.number(count))
        if count == 1:
            return self.t("the {face}", face=face)
        return self.t("the {n} {face}s", n=self.number(count), face=face)

    def number(self, count: int) -> str:
        """As a word, from two to nine dice."""
        t = self.t
        words = (t("two"), t("three"), t("four"), t("five"), t("six"), t("seven"), t("eight"), t("nine"))
        return words[count - 2] if 2 <= count < 2 + len(words) else str(count)

    def dice_left(self, count: int) -> str:
        """``four dice``, ``one die``, ``no dice``."""
        if not count:
            return self.t("no dice")
        return self.t("one die") if count == 1 else self.t("{n} dice", n=self.number(count))

    def kept(self, position: Position, move: Move) -> str:
        """The dice that a keep sets aside."""
        return self.dice(move.face, position.rolled.count(move.face)) if isinstance(move, Keep) else ""

    def specialist(self, name: str) -> str:
        return {
            "apple": self.t("the apple"),
            "can": self.t("the can"),
            "gold": self.t("the golden die"),
            "hen": self.t("the hen"),
            "weasel": self.t("the weasel"),
        }.get(name, name)

    def loot(self, position: Position, tile: int) -> str:
        """``Owl’s 26``, ``Owl’s hen``: what a steal takes."""
        name = self.names[position.tops.index(tile)]
        if guarded(position, tile):
            return self.t("{name}’s hen", name=name)
        return self.t("{name}’s {tile}", name=name, tile=tile)

    def doing(self, position: Position, move: Move) -> str:
        """``keeping the two worms``, ``rolling on``, ``stealing the 26``: a move as the subject of a sentence."""
        match move:
            case Keep():
                return self.t("keeping {dice}", dice=self.kept(position, move))
            case RollOn():
                return self.t("rolling on")
            case Take(tile):
                return self.t("taking the {tile}", tile=tile)
            case Steal(tile):
                if guarded(position, tile):
                    return self.t("stealing the hen")
                return self.t("stealing the {tile}", tile=tile)
            case Stop():
                return self.t("stopping")
            case UseGold():
                return self.t("using the golden die")
            case LeaveGold():
                return self.t("leaving the golden die out")
            case Reroll():
                return self.t("sending the weasel")
            case TakeRoundWorm(giver):
                return self.t("taking the round worm from {name}", name=self.names[giver])
            case PutBack(name):
                return self.t("putting {specialist} back", specialist=self.specialist(name))

    def naming(self, position: Position, move: Move) -> str:
        """``Keep the two worms``, ``Roll two dice``, ``Steal Owl’s 26``: a move as a button or a line names it."""
        named = self._naming(position, move)
        return f"{named[0].upper()}{named[1:]}"

    def _naming(self, position: Position, move: Move) -> str:
        t = self.t
        match move:
            case Keep():
                return t("Keep {dice}", dice=self.kept(position, move))
            case RollOn():
                return t("Roll {dice}", dice=self.dice_left(position.dice_left))
            case Take(tile):
                return t("Take the {tile}", tile=tile)
            case Steal(tile):
                return t("Steal {loot}", loot=self.loot(position, tile))
            case Stop():
                return t("Stop with nothing")
            case UseGold():
                return t("Use the golden die")
            case LeaveGold():
                return t("Leave the golden die out")
            case Reroll():
                return t("Send the weasel")
            case TakeRoundWorm(giver):
                return t("Take {name}’s round worm", name=self.names[giver])
            case PutBack(name):
                return t("Put {specialist} back", specialist=self.specialist(name))

    def tie(self, position: Position, one: Move, other: Move) -> str:
        """Two moves of the same value."""
        moves = {"one": self.doing(position, one), "other": self.doing(position, other)}
        return self.sentence(self.t("{other} is worth just as much as {one}", **moves))

    def shown(self, figure: float) -> str:
        """``14``, ``0.4``: a figure without its sign."""
        return str(abs(round(figure))) if self.goal == "win" else self.amount(figure)

    def told(self, figure: float) -> str:
        """``14 points``, ``0.4 worms``."""
        if self.goal == "worms":
            return self.t("{amount} worms", amount=self.amount(figure))
        return self.tn("{n} point", "{n} points", round(figure))

    def signed(self, value: float) -> str:
        """``+3``, ``−10``, ``0``: points, or worms with a decimal."""
        figure = self.figure(value)
        return f"{'+' if figure > 0 else '−' if figure < 0 else ''}{self.shown(figure)}"
