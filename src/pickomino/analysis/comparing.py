"""Why one move beats another: the reason in the figures that are shown, and what it is worth."""

from __future__ import annotations

from enum import Enum
from typing import Final

from pickomino.analysis.faces import FacePair
from pickomino.analysis.pair import LOST, EndOdds, Pair
from pickomino.analysis.words import guarded, percent
from pickomino.rules import (
    Keep,
    LeaveGold,
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

_LEVEL: Final = (
    23  # the 21, 22 and 23 are stolen about as easily (44, 41, 42 % of turns that try), above each is harder
)
_LAST: Final = 2  # so few tiles on the grill: who is behind has to catch up with them


class _Tail(Enum):
    """How a sentence ends: by which of the two moves its reason named last."""

    MORE = "worth more"  # the better one
    COSTS = "costs"  # the worse one
    NONE = "nothing to add"


class Comparison(Pair):
    """Why the best move beats another one."""

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
                return FacePair(self.decision, self.worse, self.words).reason(worse, better), _Tail.MORE
            case (RollOn(), Take() | Steal()):
                return self._rolls_on(self.better), _Tail.COSTS
            case (Take() | Steal(), RollOn()):
                return self._stops_early(self.worse)
            case (Stop(), RollOn()):
                return self._gives_up(), _Tail.MORE
            case (RollOn(), Stop()) if (claim := self.other.likely) is not None:
                last = {"tile": claim.tile, "p": self.other.chance(claim)}
                if isinstance(claim, Take) and self.ends_game(claim) and self.too_little(claim):
                    return self.t(
                        "the {tile} would end the game with you behind, and rolling on is {p} % for it",
                        **last,
                    ), _Tail.COSTS
                return self.t(
                    "here a bust is better than {prize}, and rolling on is {p} % for it",
                    prize=self.prize(claim),
                    p=self.other.chance(claim),
                ), _Tail.COSTS
            case (Take() | Steal(), Take() | Steal()):
                return self._claim(self.worse, self.better)
            case _:
                return self._specialist()

    # --- roll or stop ---

    def _rolls_on(self, claim: Claim) -> str:
        ends, t = self.other, self.t
        gain = ends.better_than(claim)
        if self.wins_at_once(claim):
            return t(
                "taking the {tile}, the last one, wins; rolling on busts {b} %", tile=claim.tile, b=ends.bust
            )
        if isinstance(claim, Steal):
            start = t("{loot} is there to steal", loot=self.named(claim))
            return self.words.join(start, self._roll_odds(ends, gain))
        brought = self.brought(claim)
        if brought and gain:
            start = t("the {tile} brings {one}", tile=claim.tile, one=brought)
            odds = t("rolling on is {g} % for a higher tile, {b} % to bust", g=gain, b=ends.bust)
            return self.words.join(start, self._and_lose(odds))
        if not gain and not ends.may_beat(claim):
            return t("rolling on cannot beat the {tile}, and busts {b} %", tile=claim.tile, b=ends.bust)
        if not ends.bust:
            return t(
                "the {tile} is there; rolling on beats it only {g} % of the time", tile=claim.tile, g=gain
            )
        if gain >= 2 * ends.bust:  # the odds alone would speak for it
            odds = t("rolling on is {g} % for more, but {b} % to bust", g=gain, b=ends.bust)
            more = {"tile": claim.tile, "odds": self._and_lose(odds)}
            if self._leads:
                return t("you lead, and the {tile} is enough: {odds}", **more)
            return t("the {tile} is sure; {odds}", **more)
        risk = {"tile": claim.tile, "g": gain, "b": ends.bust}
        lost = self.lost
        if lost is None:
            return t("rolling on risks the {tile}: {g} % to do better, {b} % to bust", **risk)
        return t(
            "rolling on risks the {tile} and {lost}: {g} % to do better, {b} % to bust",
            lost=lost,
            **risk,
        )

    def _roll_odds(self, ends: EndOdds, gain: int) -> str:
        t = self.t
        tiles = sorted(
            ((chance, end.tile) for end, chance in ends.odds.items() if end is not None), reverse=True
        )
        odds = t("rolling on is {g} % for something better, {b} % to bust", g=gain, b=ends.bust)
        for few in (tiles[:1], tiles[:2]):
            if few and ends.tile - percent(sum(chance for chance, _ in few)) <= 1:  # all there is to win
                found = t(" or ").join(str(tile) for tile in sorted(tile for _, tile in few))
                odds = t(
                    "rolling on is {p} % for the {tiles}, {b} % to bust",
                    p=ends.tile,
                    tiles=found,
                    b=ends.bust,
                )
                break
        return self._and_lose(odds)

    def _and_lose(self, odds: str) -> str:
        lost = self.lost
        return odds if lost is None else self.t("{odds} and lose {lost}", odds=odds, lost=lost)

    def _gives_up(self) -> str:
        start, lost = self.t("stopping with nothing is a bust"), self.lost
        if lost is not None:
            start = self.t("stopping with nothing is a bust and loses {lost}", lost=lost)
        return self.words.join(start, self.t("rolling on is {p} % for a tile", p=self.best.tile))

    def _stops_early(self, claim: Claim) -> tuple[str, _Tail]:
        ends = self.best
        if self.loses_at_once(claim):
            return self._last_chance(), _Tail.NONE
        gain, likely = ends.better_than(claim), ends.likely
        if likely is not None and likely != claim and self.ends_game(likely):
            last = {"tile": likely.tile, "q": ends.chance(likely), "b": ends.bust}
            return self.t(
                "better to roll on for the {tile}, the last one: {q} %, and {b} % to bust", **last
            ), _Tail.MORE
        if likely is not None and likely != claim and ends.chance(likely) > 2 * gain:
            aim = {"prize": self.prize(likely), "q": ends.chance(likely), "b": ends.bust}
            return self.t("better to roll on for {prize}: {q} %, and {b} % to bust", **aim), _Tail.MORE
        one, leader = self.named(claim), self._ahead_after
        if not gain and leader is not None and isinstance(claim, Take):
            return self.t(
                "even with {one} you stay behind {name}, and the end comes nearer", name=leader, one=one
            ), _Tail.COSTS
        odds = {"one": one, "g": gain, "b": ends.bust}
        if leader is not None:
            text = self.t(
                "even with {one} you stay behind {name}: rolling on is {g} % for more, {b} % to bust",
                name=leader,
                **odds,
            )
        elif gain > ends.bust:
            text = self.t("{one} is too little: rolling on is {g} % for more, {b} % to bust", **odds)
        else:
            text = self.t("{one} helps you little: rolling on is {g} % for more, {b} % to bust", **odds)
        return text, _Tail.MORE

    def _claim(self, worse: Claim, better: Claim) -> tuple[str, _Tail]:
        if self.wins_at_once(better):
            text = self.t(
                "taking the {tile}, the last one, wins; stealing lets the others play on", tile=better.tile
            )
            return text, _Tail.COSTS
        if self.loses_at_once(worse):
            return self._last_chance(), _Tail.NONE
        if isinstance(better, Steal):
            name = self.owner(better)
            if guarded(self.position, better.tile):
                text = self.t(
                    "{name}’s hen is there to steal, and then no tile of {name}’s is safe", name=name
                )
            else:
                text = self.t(
                    "{name}’s {tile} counts twice: for you and against {name}", name=name, tile=better.tile
                )
            return text, _Tail.MORE
        return self._take(worse, better), _Tail.MORE

    def _take(self, worse: Claim, better: Take) -> str:
        prize, t = self.prize(better), self.t
        if isinstance(worse, Steal):
            if self._leads:
                return t("you lead, and unlike a steal taking {prize} brings the end nearer", prize=prize)
            return t("the steal looks good, but taking {prize} is better", prize=prize)
        tiles = {"tile": better.tile, "other": worse.tile}
        if self.brought(better) is None and self.brought(worse) is None:
            worms = dict(self.position.edition.tiles)
            if worms[better.tile] > worms[worse.tile]:
                return t("the {tile} has more worms than the {other}", **tiles)
            if worms[better.tile] == worms[worse.tile] and better.tile > max(worse.tile, _LEVEL):
                return t("the {tile} is harder to steal than the {other}", **tiles)
        return t("you can have {prize}, which helps you more than the {tile}", prize=prize, tile=worse.tile)

    def _last_chance(self) -> str:
        reason = self.t("taking the last tile ends the game with {name} ahead", name=self._leader)
        left = {
            "move": self.words.doing(self.position, self.better),
            "v": self.words.value(self.values[0]),
        }
        if sum(value >= LOST for value in self.decision.values.values()) > 1:
            return self.words.join(reason, self.t("{move} keeps a chance, {v}", **left))
        return self.words.join(reason, self.t("only {move} keeps a chance, {v}", **left))

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
            case (TakeRoundWorm(spared), TakeRoundWorm(giver)):
                name, chances = words.names[giver], self.decision.before
                if words.goal == "win" and chances[giver] > chances[spared]:
                    text = t("better to take the round worm from {name}, the greater threat", name=name)
                    return text, _Tail.MORE
                return t("better to take the round worm from {name}", name=name), _Tail.MORE
            case (Reroll(), Keep(face)) if self.earns(face):
                dice = words.kept(position, self.better)
                return t("{y} earn a round worm at once; the weasel may lose it", y=dice), _Tail.MORE
            case _:
                return self._higher(), _Tail.MORE

    def _higher(self) -> str:
        """Not by being safer: by a higher tile, if that is it."""
        moves = {
            "better": self.words.doing(self.position, self.better),
            "worse": self.words.doing(self.position, self.worse),
        }
        tile = self.aim()
        if tile is None and (one := self.nearer()) is not None:
            return self.t("{better} is {p} % for {prize}, {worse} {q} %", **one, **moves)
        if tile is None:
            return self.t("{better} does more than {worse}", **moves)
        chance = {"p": self.best.at_least(tile), "q": self.other.at_least(tile)}
        return self.t("{better} is {p} % for the {tile} or more, {worse} {q} %", tile=tile, **chance, **moves)

    @property
    def _leads(self) -> bool:
        """Whether the seat to act has the most worms and the best chance to win."""
        seat, scores, chances = self.decision.seat, self.position.scores, self.decision.before
        return self.words.goal == "win" and scores[seat] == max(scores) and chances[seat] == max(chances)

    @property
    def _ahead_after(self) -> str | None:
        """Who still has more worms if the worse move ends the turn and the game is all but over."""
        after = self.position.apply(self.worse).position
        most = max(after.scores)
        if self.words.goal != "win" or len(after.grill) > _LAST or after.scores[self.decision.seat] == most:
            return None
        return self.words.names[after.standings.winners[0]]

    @property
    def _leader(self) -> str:
        """Who wins if the worse move ends the game."""
        return self.words.names[self.position.apply(self.worse).position.standings.winners[0]]
