"""Why keeping one face beats keeping another. In these sentences x is the worse, y the better."""

from __future__ import annotations

from typing import Any, Final

from pickomino.analysis.pair import CLEAR, Pair
from pickomino.rules import WORM, Keep, Steal, Take

_LOW: Final = 4  # a keep that adds so little, and so much less than the other
_WANTED: Final = 20  # points of chance: from here on a specialist is the reason, rather than the bust


class FacePair(Pair):
    """Two faces to keep."""

    def reason(self, worse: str, better: str) -> str:
        best, other, t = self.best, self.other, self.t
        x, y = self.words.kept(self.position, self.worse), self.words.kept(self.position, self.better)
        bust = {"x": x, "y": y, "c": other.bust, "b": best.bust}
        less = other.bust - best.bust
        lost = other.is_certain(None)
        if lost and best.safe:
            return t("with {x} the turn is lost, with {y} a tile is sure", x=x, y=y)
        if lost and best.tile:
            return t(
                "with {x} the turn is lost, with {y} there is still a {p} % chance of a tile",
                x=x,
                y=y,
                p=best.tile,
            )
        if (one := other.sure) is not None and (sure := best.sure) is not None and one != sure:
            return t(
                "with {x} it is {one} for sure, with {y} {other}",
                x=x,
                y=y,
                one=self.prize(one, worse),
                other=self.prize(sure, better),
            )
        last = Take(self.position.grill[0])
        nearer = best.chance(last) - other.chance(last)
        if len(self.position.grill) == 1 and nearer >= max(CLEAR, less / 2):
            chance = self.both(last)
            if chance["sure"]:
                return self._nearer_words(chance | {"prize": self.prize(last, better)}, x, y)
            chance |= {"tile": last.tile, "x": x, "y": y}
            if chance["never"]:
                return t(
                    "only the {tile} is left on the grill: out of reach with {x}, {p} % with {y}", **chance
                )
            return t("only the {tile} is left on the grill: {q} % for it with {x}, {p} % with {y}", **chance)
        if len(self.position.grill) == 1 and -nearer >= CLEAR >= less and self.too_little(last):
            return t(
                "the {tile} would end the game with you behind: {q} % with {x}, {p} % with {y}",
                tile=last.tile,
                x=x,
                y=y,
                p=best.chance(last),
                q=other.chance(last),
            )
        if self.earns(better) and not self.earns(worse):
            if abs(less) < CLEAR:
                return t("{x} and {y} bust about as often, but {y} earn a round worm", **bust)
            if less > 0 and best.sure is not None:
                prize = self.prize(best.sure)
                return t(
                    "{y} earn a round worm and make {prize} sure; with {x} it is {c} % to bust",
                    prize=prize,
                    **bust,
                )
            if less > 0:
                return t("with {x} it is {c} % to bust; {y} earn a round worm and leave {b} %", **bust)
            return t(
                "{y} bust more often, {b} % against {c} %, but earn a round worm whatever happens", **bust
            )
        steal = self._steal()
        if (
            steal is not None
            and best.chance(steal) - other.chance(steal) >= max(less, 2 * CLEAR)
            and best.steals - other.steals >= CLEAR
        ):
            return self._steal_words(steal, x, y)
        with_specialist = self.nearer(brings=True)
        if with_specialist is not None and with_specialist["p"] - with_specialist["q"] >= max(
            _WANTED, 2 * abs(less)
        ):
            return self._nearer_words(with_specialist, x, y)
        if less >= CLEAR:
            return self._safer(worse, better, bust)
        tile = self.aim()
        if tile is None:
            return self._riskier(bust) if -less >= CLEAR else self._small(worse, bust)
        aim = {"tile": tile, "p": best.at_least(tile), "q": other.at_least(tile)}
        if -less >= CLEAR:
            if other.sure is not None:
                return t(
                    "the risk pays off: with {x} it is {one} for sure, but {p} % for the {tile} or more with {y}",
                    x=x,
                    y=y,
                    one=self.prize(other.sure, worse),
                    **aim,
                )
            return t(
                "the risk pays off: with {y} it is {p} % for the {tile} or more, not {q} %, "
                "and {b} % to bust, not {c} %",
                **bust,
                **aim,
            )
        return t("the chance of the {tile} or more is {q} % with {x}, {p} % with {y}", x=x, y=y, **aim)

    def _safer(self, worse: str, better: str, bust: dict[str, Any]) -> str:
        t, position, pips = self.t, self.position, self.position.edition.pips
        counts = position.rolled.count(worse), position.rolled.count(better)
        if self.best.safe:
            return t("keeping {x} leaves {c} % to bust, keeping {y} none", **bust)
        if not position.has_can and WORM not in position.kept:
            if better == WORM:
                return t("no worm yet: keeping {x} leaves {c} % to bust, keeping {y} {b} %", **bust)
            if worse == WORM:
                return t("the worm can wait: keeping {x} now leaves {c} % to bust, {y} first {b} %", **bust)
        if counts[1] == 1 and pips[better] < pips[worse] and worse != WORM:
            if counts[0] == 1:
                return t("{x} can wait: keeping it now leaves {c} % to bust, {y} first {b} %", **bust)
            return t("{x} can wait: keeping them now leaves {c} % to bust, {y} first {b} %", **bust)
        if counts[0] - counts[1] >= 2:
            left = position.dice_left
            dice = {"n": self.words.dice_left(left - counts[0]), "m": self.words.dice_left(left - counts[1])}
            return t(
                "keeping {x} leaves {n} and {c} % to bust, keeping {y} leaves {m} and {b} %", **bust, **dice
            )
        adds = {"n": pips[worse] * counts[0], "m": pips[better] * counts[1]}
        if adds["n"] <= _LOW and adds["m"] - adds["n"] >= _LOW:
            return t(
                "keeping {x} adds only {n} and leaves {c} % to bust, keeping {y} adds {m} and leaves {b} %",
                **bust,
                **adds,
            )
        return t("keeping {x} leaves {c} % to bust, keeping {y} only {b} %", **bust)

    def _steal_words(self, steal: Steal, x: str, y: str) -> str:
        aim = self.both(steal)
        steals = aim | {"x": x, "y": y, "loot": self.named(steal)}
        if aim["never"]:
            if aim["sure"]:
                return self.t("with {x} {loot} is out of reach, with {y} it is yours for sure", **steals)
            return self.t("with {x} {loot} is out of reach, with {y} it is {p} % to steal it", **steals)
        if aim["sure"]:
            return self.t("with {y} {loot} is yours for sure, with {x} only {q} %", **steals)
        if not aim["q"] and self.other.sure is not None:
            return self._passed_by(aim, x, y)
        return self.t("the chance to steal {loot} is {q} % with {x}, {p} % with {y}", **steals)

    def _passed_by(self, aim: dict[str, Any], x: str, y: str) -> str:
        """A tile that is possible with either, but the worse one ends the turn before it."""
        assert self.other.sure is not None
        one = self.prize(self.other.sure, self.worse.face if isinstance(self.worse, Keep) else "")
        return self.t(
            "with {x} it is {one} for sure, but {p} % for {prize} with {y}", x=x, y=y, one=one, **aim
        )

    def _riskier(self, bust: dict[str, Any]) -> str:
        aim = self.nearer()
        if aim is None:
            return self.t(
                "with {y} you bust more often, {b} % against {c} %, and are still better off", **bust
            )
        if aim["never"]:
            return self.t(
                "with {y} you bust more often, {b} % against {c} %, but it is {p} % for {prize}, "
                "out of reach with {x}",
                **bust,
                **aim,
            )
        return self.t(
            "with {y} you bust more often, {b} % against {c} %, but it is {p} % for {prize}, not {q} %",
            **bust,
            **aim,
        )

    def _nearer_words(self, aim: dict[str, Any], x: str, y: str) -> str:
        if aim["sure"]:
            if aim["never"]:
                return self.t("{prize}: for sure with {y}, out of reach with {x}", x=x, y=y, **aim)
            return self.t("{prize}: for sure with {y}, {q} % with {x}", x=x, y=y, **aim)
        if aim["never"]:
            return self.t("{prize}: {p} % with {y}, out of reach with {x}", x=x, y=y, **aim)
        if not aim["q"] and self.other.sure is not None:
            return self._passed_by(aim, x, y)
        return self.t("the chance of {prize} is {q} % with {x}, {p} % with {y}", x=x, y=y, **aim)

    def _small(self, worse: str, bust: dict[str, Any]) -> str:
        """Neither clearly safer nor higher: a tile that they differ in, a round worm, or a little of everything."""
        aim = self.nearer()
        if aim is not None:
            return self.t(
                "both bust about as often, but it is {q} % for {prize} with {x}, {p} % with {y}",
                **bust,
                **aim,
            )
        position = self.position
        if position.edition.round_worms and worse == "1" and position.rolled.count("1") == 1:
            return self.t("keeping {y} leaves a pair of 1s possible, and its round worm", **bust)
        if bust["b"] < bust["c"]:
            return self.t("it is close: {c} % to bust with {x}, {b} % with {y}", **bust)
        if not self.words.worth(*self.values):
            return self.t("there is little between {x} and {y}", **bust)
        return self.t("they look alike, but keeping {x} leaves you worse off than {y}", **bust)

    def _steal(self) -> Steal | None:
        """The steal by which the two moves differ most."""
        steals = [end for end in self.best.odds if isinstance(end, Steal)]
        return max(steals, key=lambda end: self.best.chance(end) - self.other.chance(end), default=None)
