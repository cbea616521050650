"""Why one move beats another: the reason in the figures that are shown, and what it is worth."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from pickomino.analysis.model import Decision
from pickomino.analysis.words import Words, percent
from pickomino.rules import (
    WORM,
    Keep,
    LeaveGold,
    Move,
    PutBack,
    Reroll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)
from pickomino.solver.point import Claim
from pickomino.views import bust_view

_CLEAR: Final = 4  # points between two chances that a sentence may call a difference


class EndOdds:
    """How the turn ends after a move, in the figures that a sentence shows."""

    def __init__(self, decision: Decision, move: Move) -> None:
        self.odds = decision.odds[move]
        self.bust = percent(self.odds.get(None, 0.0))

    @property
    def tile(self) -> int:
        """The chance to end with a tile."""
        return 100 - self.bust

    def chance(self, claim: Claim) -> int:
        return percent(self.odds.get(claim, 0.0))

    def better_than(self, claim: Claim) -> int:
        """The chance of a steal, or of a higher tile than the claim brings."""
        better = sum(
            chance
            for end, chance in self.odds.items()
            if end is not None and end != claim and (isinstance(end, Steal) or end.tile > claim.tile)
        )
        return min(percent(better), self.tile)

    def at_least(self, tile: int) -> int:
        return percent(
            sum(chance for end, chance in self.odds.items() if end is not None and end.tile >= tile)
        )


class _Tail(Enum):
    """How a sentence ends: by which of the two moves its reason named last."""

    MORE = "worth more"  # the better one
    COSTS = "costs"  # the worse one
    NONE = "nothing to add"


class Comparison:
    """Why the best move beats another one."""

    def __init__(self, decision: Decision, worse: Move, words: Words) -> None:
        self.decision, self.position, self.words = decision, decision.position, words
        self.worse, self.better = worse, decision.best
        self.t = words.t
        self.values = decision.values[decision.best], decision.values[worse]
        self.best, self.other = EndOdds(decision, self.better), EndOdds(decision, worse)

    def text(self) -> str:
        reason, tail = self._reason()
        worth = self.words.worth(*self.values)
        if not worth:
            close = self.t("{move} is a little better", move=self.words.doing(self.position, self.better))
            return self.words.sentence(self.words.join(reason, close) if tail is not _Tail.NONE else reason)
        if tail is _Tail.MORE:
            return self.words.sentence(
                self.words.join(reason, self.t("that is worth {worth} more", worth=worth))
            )
        if tail is _Tail.COSTS:
            return self.words.sentence(self.words.join(reason, self.t("that costs {worth}", worth=worth)))
        return self.words.sentence(reason)

    def _reason(self) -> tuple[str, _Tail]:
        match self.worse, self.better:
            case (Keep(worse), Keep(better)):
                return self._keep(worse, better), _Tail.MORE
            case (RollOn(), Take() | Steal()):
                return self._rolls_on(self.better), _Tail.COSTS
            case (Take() | Steal(), RollOn()):
                return self._stops_early(self.worse)
            case (Stop(), RollOn()):
                start = self.t("stopping with nothing is a bust")
                return self.words.join(
                    start, self.t("rolling on is {p} % for a tile", p=self.best.tile)
                ), _Tail.MORE
            case (Take() | Steal(), Take() | Steal()):
                return self._claim(self.worse, self.better)
            case _:
                return self._specialist()

    # --- roll or stop ---

    def _rolls_on(self, claim: Claim) -> str:
        ends, t = self.other, self.t
        gain = ends.better_than(claim)
        if self._wins_at_once(claim):
            return t(
                "taking the {tile}, the last one, wins; rolling on busts {b} %", tile=claim.tile, b=ends.bust
            )
        if isinstance(claim, Steal):
            start = t("{name}’s {tile} is there to steal", name=self._owner(claim), tile=claim.tile)
            return self.words.join(start, self._roll_odds(ends, gain))
        brought = self._brought(claim)
        if brought and gain:
            start = t("the {tile} brings {one}", tile=claim.tile, one=brought)
            odds = t("rolling on is {g} % for a higher tile, {b} % to bust", g=gain, b=ends.bust)
            return self.words.join(start, odds if self._lost is None else odds + self._and_lose(self._lost))
        if not gain:
            return t("rolling on cannot beat the {tile}, and busts {b} %", tile=claim.tile, b=ends.bust)
        if not ends.bust:
            return t(
                "the {tile} is there; rolling on beats it only {g} % of the time", tile=claim.tile, g=gain
            )
        risk = {"tile": claim.tile, "g": gain, "b": ends.bust}
        lost = self._lost
        if lost is None:
            return t("rolling on risks the {tile}: {g} % to do better, {b} % to bust", **risk)
        return t(
            "rolling on risks the {tile} and your {lost}: {g} % to do better, {b} % to bust",
            lost=lost,
            **risk,
        )

    def _roll_odds(self, ends: EndOdds, gain: int) -> str:
        lost, t = self._lost, self.t
        tiles = sorted(
            ((chance, end.tile) for end, chance in ends.odds.items() if end is not None), reverse=True
        )[:2]
        if (
            tiles and ends.tile - percent(sum(chance for chance, _ in tiles)) <= 1
        ):  # these are all there is to win
            found = t(" or ").join(str(tile) for tile in sorted(tile for _, tile in tiles))
            odds = t(
                "rolling on is {p} % for the {tiles}, {b} % to bust", p=ends.tile, tiles=found, b=ends.bust
            )
        else:
            odds = t("rolling on is {g} % for a better one, {b} % to bust", g=gain, b=ends.bust)
        return odds if lost is None else odds + self._and_lose(lost)

    def _and_lose(self, lost: int) -> str:
        return self.t(" and lose your {tile}", tile=lost)

    def _brought(self, claim: Claim) -> str | None:
        """The specialist that comes with a tile from the grill (D10.1)."""
        specialists = self.position.specialists
        name = specialists.on(claim.tile) if specialists is not None and isinstance(claim, Take) else None
        return None if name is None or name == "crow" else self.words.specialist(name)

    def _stops_early(self, claim: Claim) -> tuple[str, _Tail]:
        ends = self.best
        if self._ends_game(claim) and self.values[1] < 0.001 and self.words.goal == "win":
            value = self.words.value(self.values[0])
            reason = self.t("taking the last tile ends the game with {name} ahead", name=self._leader)
            return self.words.join(reason, self.t("only rolling on keeps a chance, {v}", v=value)), _Tail.NONE
        gain = ends.better_than(claim)
        odds = {"tile": claim.tile, "g": gain, "b": ends.bust}
        if gain > ends.bust:
            text = self.t("the {tile} is too little: rolling on is {g} % for more, {b} % to bust", **odds)
        else:
            text = self.t("the {tile} helps you little: rolling on is {g} % for more, {b} % to bust", **odds)
        return text, _Tail.MORE

    def _claim(self, worse: Claim, better: Claim) -> tuple[str, _Tail]:
        if self._wins_at_once(better):
            text = self.t(
                "taking the {tile}, the last one, wins; stealing lets the others play on", tile=better.tile
            )
            return text, _Tail.COSTS
        if isinstance(better, Steal):
            name = self._owner(better)
            if self._only_hen(better):
                return self.t(
                    "{name}’s hen is there to steal, and then no tile of {name}’s is safe", name=name
                ), _Tail.MORE
            text = self.t(
                "{name}’s {tile} counts twice: for you and against {name}", name=name, tile=better.tile
            )
            return text, _Tail.MORE
        if isinstance(worse, Steal):
            return self.t(
                "the steal looks good, but the {tile} from the grill is worth more", tile=better.tile
            ), _Tail.MORE
        return self.t("of the tiles within reach the {tile} helps most", tile=better.tile), _Tail.MORE

    # --- which face: x is worse, y better ---

    def _keep(self, worse: str, better: str) -> str:
        best, other, t = self.best, self.other, self.t
        x, y = self.words.kept(self.position, self.worse), self.words.kept(self.position, self.better)
        bust = {"x": x, "y": y, "c": other.bust, "b": best.bust}
        less = other.bust - best.bust
        if other.bust == 100 and best.tile:
            return t(
                "with {x} the turn is lost, with {y} there is still a {p} % chance of a tile",
                x=x,
                y=y,
                p=best.tile,
            )
        if self._earns(better) and not self._earns(worse):
            if less > -_CLEAR:
                return t("with {x} it is {c} % to bust; {y} earn a round worm and leave {b} %", **bust)
            return t("{y} bust more often, {b} % to {c} %, but earn a round worm whatever happens", **bust)
        last = Take(self.position.grill[0])
        if len(self.position.grill) == 1 and best.chance(last) - other.chance(last) >= _CLEAR:
            chance = {"p": best.chance(last), "q": other.chance(last)}
            return t(
                "only the {tile} is left on the grill: {q} % for it with {x}, {p} % with {y}",
                tile=last.tile,
                x=x,
                y=y,
                **chance,
            )
        steal = self._steal()
        if steal is not None and best.chance(steal) - other.chance(steal) >= max(less, 2 * _CLEAR):
            return self._steal_words(steal, x, y)
        if less >= _CLEAR:
            return self._safer(worse, better, bust)
        tile = self._aim()
        if tile is None:
            return self._riskier(bust) if -less >= _CLEAR else self._small(x, y)
        aim = {"tile": tile, "p": best.at_least(tile), "q": other.at_least(tile)}
        if -less >= _CLEAR:
            start = t(
                "the risk pays off: with {x} {c} % to bust and {q} % for the {tile} or more", **bust, **aim
            )
            return start + t(", with {y} {b} % and {p} %", **bust, **aim)
        if not aim["q"]:
            return t("with {x} the {tile} is out of reach, with {y} it is {p} %", x=x, y=y, **aim)
        return t("the chance of the {tile} or more is {q} % with {x}, {p} % with {y}", x=x, y=y, **aim)

    def _safer(self, worse: str, better: str, bust: dict[str, Any]) -> str:
        t, position, pips = self.t, self.position, self.position.edition.pips
        counts = position.rolled.count(worse), position.rolled.count(better)
        if bust["b"] and not position.has_can and WORM not in position.kept:
            if better == WORM:
                return t("no worm yet: keeping {x} leaves {c} % to bust, keeping {y} {b} %", **bust)
            if worse == WORM:
                return t("the worm can wait: keeping {x} now leaves {c} % to bust, keeping {y} {b} %", **bust)
        if bust["b"] and counts[1] == 1 and pips[better] < pips[worse] and worse != WORM:
            if counts[0] == 1:
                return t("{x} can wait: keeping it now leaves {c} % to bust, {y} first {b} %", **bust)
            return t("{x} can wait: keeping them now leaves {c} % to bust, {y} first {b} %", **bust)
        if counts[0] - counts[1] >= 2:
            left = position.dice_left
            dice = {"n": self.words.dice_left(left - counts[0]), "m": self.words.dice_left(left - counts[1])}
            return t("keeping {x} leaves {n} and {c} % to bust, keeping {y} {m} and {b} %", **bust, **dice)
        if not bust["b"]:
            return t("keeping {x} leaves {c} % to bust, keeping {y} none", **bust)
        return t("keeping {x} leaves {c} % to bust, keeping {y} only {b} %", **bust)

    def _steal_words(self, steal: Steal, x: str, y: str) -> str:
        p, q = self.best.chance(steal), self.other.chance(steal)
        robbed = {"name": self._owner(steal), "tile": steal.tile}
        if not q:
            return self.t(
                "with {x} {name}’s {tile} is out of reach, with {y} it is {p} % to steal it",
                x=x,
                y=y,
                p=p,
                **robbed,
            )
        return self.t(
            "the chance to steal {name}’s {tile} is {q} % with {x}, {p} % with {y}",
            x=x,
            y=y,
            p=p,
            q=q,
            **robbed,
        )

    def _riskier(self, bust: dict[str, Any]) -> str:
        aims = self._aims()
        if aims is None:
            return self.t("with {y} you bust more often, {b} % to {c} %, and are still better off", **bust)
        return self.t(
            "with {y} you bust more often, {b} % to {c} %, but it leads to the {tile} ({p} %), not the {other}",
            **bust,
            **aims,
        )

    def _small(self, x: str, y: str) -> str:
        """Neither safer nor higher: the tiles that they aim at, where they differ."""
        aims = self._aims()
        if aims is None:
            return self.t("they look alike, but keeping {x} leaves you worse off than {y}", x=x, y=y)
        return self.t(
            "both bust about as often, but keeping {x} leads to the {other}, {y} to the {tile} ({p} %)",
            x=x,
            y=y,
            **aims,
        )

    def _aims(self) -> dict[str, int] | None:
        """The tile that the better move brings more often, how often, and that of the other; if they differ."""
        best, other = self.best, self.other
        claims = [end for end in {**best.odds, **other.odds} if end is not None]
        if not claims:
            return None
        mine = max(claims, key=lambda end: best.odds.get(end, 0.0) - other.odds.get(end, 0.0))
        theirs = max(claims, key=lambda end: other.odds.get(end, 0.0) - best.odds.get(end, 0.0))
        if best.chance(mine) - other.chance(mine) < _CLEAR or mine.tile == theirs.tile:
            return None
        return {"tile": mine.tile, "p": best.chance(mine), "other": theirs.tile}

    def _aim(self) -> int | None:
        """The tile from which on the best move clearly brings more."""
        gains = [
            (self.best.at_least(tile) - self.other.at_least(tile), tile)
            for tile in self.position.edition.values
            if self.best.at_least(tile) >= 2 * _CLEAR
        ]
        gain, tile = max(gains, default=(0, 0))
        return tile if gain >= _CLEAR else None

    def _steal(self) -> Steal | None:
        """The steal by which the two moves differ most."""
        steals = [end for end in self.best.odds if isinstance(end, Steal)]
        return max(steals, key=lambda end: self.best.chance(end) - self.other.chance(end), default=None)

    def _earns(self, face: str) -> bool:
        """D8.4."""
        return (
            bool(self.position.edition.round_worms) and face == "1" and self.position.rolled.count("1") >= 2
        )

    # --- specialists ---

    def _specialist(self) -> tuple[str, _Tail]:
        t, words, position = self.t, self.words, self.position
        bust = {"b": self.best.bust, "c": self.other.bust}
        safer = self.best.bust < self.other.bust
        match self.worse, self.better:
            case (LeaveGold(), UseGold()) if safer:
                return t("without the golden die it is {c} % to bust, with it {b} %", **bust), _Tail.MORE
            case (UseGold(), LeaveGold()) if safer:
                return t("with the golden die it is {c} % to bust, without it {b} %", **bust), _Tail.MORE
            case (Stop(), Reroll()):
                return t(
                    "nothing to keep, but the weasel may roll again: {p} % for a tile", p=self.best.tile
                ), _Tail.MORE
            case (Keep(), Reroll()) if safer:
                dice = words.kept(position, self.worse)
                return t(
                    "these dice are poor: {c} % to bust with {x}, {b} % after the weasel", x=dice, **bust
                ), _Tail.MORE
            case (Reroll(), Keep()) if safer:
                dice = words.kept(position, self.better)
                return t(
                    "these dice will do: {c} % to bust after the weasel, {b} % with {y}", y=dice, **bust
                ), _Tail.MORE
            case (PutBack(stays), PutBack(goes)):
                names = {"one": words.specialist(stays), "other": words.specialist(goes)}
                return t("{one} serves you better than {other}", **names), _Tail.MORE
            case (TakeRoundWorm(), TakeRoundWorm(giver)):
                return t("better to take it from {name}", name=words.names[giver]), _Tail.MORE
            case _:
                return self._higher(), _Tail.MORE

    def _higher(self) -> str:
        """Not by being safer: by a higher tile, if that is it."""
        moves = {
            "better": self.words.doing(self.position, self.better),
            "worse": self.words.doing(self.position, self.worse),
        }
        tile = self._aim()
        if tile is None:
            return self.t("{better} does more than {worse}", **moves)
        chance = {"p": self.best.at_least(tile), "q": self.other.at_least(tile)}
        return self.t("{better} is {p} % for the {tile} or more, {worse} {q} %", tile=tile, **chance, **moves)

    # --- the table ---

    def _ends_game(self, claim: Claim) -> bool:
        return isinstance(claim, Take) and self.position.grill == (claim.tile,)

    def _wins_at_once(self, claim: Claim) -> bool:
        return self._ends_game(claim) and self.words.goal == "win" and self.values[0] > 0.999

    def _owner(self, steal: Steal) -> str:
        return self.words.names[self.position.tops.index(steal.tile)]

    def _only_hen(self, steal: Steal) -> bool:
        specialists = self.position.specialists
        return specialists is not None and specialists.holds(self.position.tops.index(steal.tile), "hen")

    @property
    def _leader(self) -> str:
        """Who wins if the worse move ends the game."""
        return self.words.names[self.position.apply(self.worse).position.standings.winners[0]]

    @property
    def _lost(self) -> int | None:
        """The tile that a bust would return."""
        cost = bust_view(self.position)
        return None if cost is None else cost["returned"]
