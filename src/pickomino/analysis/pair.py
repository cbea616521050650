"""Two moves of one choice side by side: how the turn ends after each, and what lies on the table between them."""

from __future__ import annotations

from typing import Any, Final

from pickomino.analysis.model import Decision
from pickomino.analysis.words import Words, guarded, percent
from pickomino.rules import Move, Position, Steal, Take
from pickomino.solver.point import Claim
from pickomino.views import bust_view

CLEAR: Final = 4  # points between two chances that a sentence may call a difference
LOST: Final = 0.001  # a smaller chance to win counts as none, one this close to certainty as certain


class EndOdds:
    """How the turn ends after a move, in the figures that a sentence shows."""

    def __init__(self, decision: Decision, move: Move) -> None:
        self.odds, self._position = decision.odds[move], decision.position
        self.bust = percent(self.odds.get(None, 0.0))

    @property
    def tile(self) -> int:
        """The chance to end with a tile."""
        return 100 - self.bust

    def chance(self, claim: Claim) -> int:
        return percent(self.odds.get(claim, 0.0))

    def better_than(self, claim: Claim) -> int:
        """The chance of a higher tile than the claim brings, or of a steal where it is none."""
        better = sum(
            chance
            for end, chance in self.odds.items()
            if end is not None
            and end != claim
            and (
                self._worth(end) > self._worth(claim) or (isinstance(end, Steal) and isinstance(claim, Take))
            )
        )
        return min(percent(better), self.tile)

    @property
    def steals(self) -> int:
        """The chance to end with any steal."""
        return percent(sum(chance for end, chance in self.odds.items() if isinstance(end, Steal)))

    @property
    def likely(self) -> Claim | None:
        """The tile that it brings most often."""
        claims = (end for end in self.odds if end is not None)
        return max(claims, key=self.odds.__getitem__, default=None)

    @property
    def sure(self) -> Claim | None:
        """The tile that it brings for certain."""
        likely = self.likely
        return likely if likely is not None and self.chance(likely) == 100 else None

    def at_least(self, tile: int) -> int:
        return percent(
            sum(chance for end, chance in self.odds.items() if end is not None and self._worth(end) >= tile)
        )

    def _worth(self, claim: Claim) -> int:
        """The tile that a claim brings; none where it brings only a hen."""
        return 0 if isinstance(claim, Steal) and guarded(self._position, claim.tile) else claim.tile


class Pair:
    """The best move and a worse one."""

    def __init__(self, decision: Decision, worse: Move, words: Words) -> None:
        self.decision, self.words, self.t = decision, words, words.t
        self.position: Position = decision.position
        self.worse, self.better = worse, decision.best
        self.values = decision.values[decision.best], decision.values[worse]
        self.best, self.other = EndOdds(decision, self.better), EndOdds(decision, worse)

    def aim(self) -> int | None:
        """The tile from which on the best move clearly brings more."""
        gains = [
            (self.best.at_least(tile) - self.other.at_least(tile), tile)
            for tile in self.position.edition.values
            if self.best.at_least(tile) >= 2 * CLEAR
        ]
        gain, tile = max(gains, default=(0, 0))
        return tile if gain >= CLEAR else None

    def nearer(self, *, brings: bool = False) -> dict[str, Any] | None:
        """The tile that the better move brings clearly more often than the other, and how often either does.

        `brings`: one that comes with a specialist.
        """
        best, other = self.best, self.other
        claims = [end for end in best.odds if end is not None and (not brings or self.brought(end))]
        mine = max(claims, key=lambda end: best.odds.get(end, 0.0) - other.odds.get(end, 0.0), default=None)
        if mine is None or best.chance(mine) - other.chance(mine) < CLEAR:
            return None
        return {"prize": self.prize(mine), "p": best.chance(mine), "q": other.chance(mine)}

    def ends_game(self, claim: Claim) -> bool:
        return isinstance(claim, Take) and self.position.grill == (claim.tile,)

    def wins_at_once(self, claim: Claim) -> bool:
        return self.ends_game(claim) and self.words.goal == "win" and self.values[0] > 1 - LOST

    def loses_at_once(self, claim: Claim) -> bool:
        return self.ends_game(claim) and self.words.goal == "win" and self.values[1] < LOST

    def earns(self, face: str) -> bool:
        """Whether keeping this face earns a round worm (D8.4), while there is one to be had (D11.1)."""
        position, specialists = self.position, self.position.specialists
        if face != "1" or specialists is None or position.rolled.count("1") < 2:
            return False
        edition = position.edition
        return bool(specialists.supply(edition) or specialists.givers(edition, position.seat))

    def brought(self, claim: Claim) -> str | None:
        """The specialist that comes with a tile (D10.1, D10.3)."""
        specialists = self.position.specialists
        if specialists is None:
            return None
        if isinstance(claim, Take):
            name = specialists.on(claim.tile)
            return None if name is None or name == "crow" else self.words.specialist(name)
        held = specialists.held[self.position.tops.index(claim.tile)]
        return self.words.specialist(held[0]) if held and held[0] != "hen" else None

    def named(self, claim: Claim) -> str:
        """``the 28``, ``Owl’s 26``, ``Owl’s hen``."""
        if isinstance(claim, Steal):
            return self.words.loot(self.position, claim.tile)
        return self.t("the {tile}", tile=claim.tile)

    def prize(self, claim: Claim, face: str = "") -> str:
        """The same with all that comes along after keeping that face: ``the 27 and the golden die``."""
        one = self.named(claim)
        for more in (self.brought(claim), self.t("a round worm") if self.earns(face) else None):
            one = self.t("{one} and {other}", one=one, other=more) if more else one
        return one

    def owner(self, steal: Steal) -> str:
        return self.words.names[self.position.tops.index(steal.tile)]

    @property
    def lost(self) -> str | None:
        """``your 26``, ``the hen``: what a bust would return."""
        cost = bust_view(self.position)
        if cost is None:
            return None
        if cost["returned"] is not None:
            return self.t("your {tile}", tile=cost["returned"])
        lost = cost.get("specialist")
        return None if lost is None else self.words.specialist(lost)
