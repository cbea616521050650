"""Two moves of one choice side by side: how the turn ends after each, and what lies on the table between them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from pickomino.analysis.model import Decision
from pickomino.analysis.words import Words, guarded, percent
from pickomino.rules import Move, Position, Steal, Take
from pickomino.solver.ending import after, endings
from pickomino.solver.point import Claim
from pickomino.views import bust_view

CLEAR: Final = 4  # points between two chances that a sentence may call a difference
LOST: Final = 0.001  # a smaller chance to win counts as none, one this close to certainty as certain
_SURE: Final = 1 - 1e-9  # a chance above this is certain, but for rounding


class EndOdds:
    """How the turn ends after a move, in the figures that a sentence shows."""

    def __init__(self, decision: Decision, move: Move) -> None:
        self.odds, self._position, self._move = decision.odds[move], decision.position, move
        self.bust = percent(self.odds.get(None, 0.0))

    @property
    def tile(self) -> int:
        """The chance to end with a tile."""
        return 100 - self.bust

    def chance(self, claim: Claim) -> int:
        return percent(self.odds.get(claim, 0.0))

    @cached_property
    def _possible(self) -> frozenset[Claim | None]:
        """All ends that dice can still bring, also those that good play passes by."""
        return frozenset(end.claim for end in endings(self._position.apply(self._move).position))

    def may(self, claim: Claim) -> bool:
        """Whether that end is possible at all: 0 % may be a little, or something better is there before."""
        return claim in self._possible

    def is_certain(self, end: Claim | None) -> bool:
        """Whether nothing else can happen: 100 % may be a little less."""
        return self.odds.get(end, 0.0) > _SURE

    @property
    def safe(self) -> bool:
        """Whether it never busts."""
        return self.odds.get(None, 0.0) < 1 - _SURE

    def better_than(self, claim: Claim) -> int:
        """The chance of a higher tile than the claim brings, or of a steal where it is none."""
        better = sum(
            chance for end, chance in self.odds.items() if end is not None and self._beats(end, claim)
        )
        return min(percent(better), self.tile)

    def may_beat(self, claim: Claim) -> bool:
        """Whether such an end is possible at all."""
        return any(end is not None and self._beats(end, claim) for end in self._possible)

    def _beats(self, end: Claim, claim: Claim) -> bool:
        return end != claim and (
            self._worth(end) > self._worth(claim) or (isinstance(end, Steal) and isinstance(claim, Take))
        )

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
        return likely if likely is not None and self.is_certain(likely) else None

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

        `brings`: one that comes with a specialist or a round worm.
        """
        best, other = self.best, self.other
        claims = [end for end in best.odds if end is not None and (not brings or self.brought(end))]
        mine = max(claims, key=lambda end: best.odds.get(end, 0.0) - other.odds.get(end, 0.0), default=None)
        if mine is None or best.chance(mine) - other.chance(mine) < CLEAR:
            return None
        return self.both(mine)

    def both(self, claim: Claim) -> dict[str, Any]:
        """A tile and how often the better move brings it (p), and the other (q); in words where one is absolute."""
        return {
            "prize": self.prize(claim),
            "p": self.best.chance(claim),
            "q": self.other.chance(claim),
            "sure": self.best.is_certain(claim),
            "never": not self.other.chance(claim) and not self.other.may(claim),
        }

    def ends_game(self, claim: Claim) -> bool:
        return isinstance(claim, Take) and self.position.grill == (claim.tile,)

    def wins_at_once(self, claim: Claim) -> bool:
        return self.ends_game(claim) and self.words.goal == "win" and self.values[0] > 1 - LOST

    def loses_at_once(self, claim: Claim) -> bool:
        return self.ends_game(claim) and self.words.goal == "win" and self.values[1] < LOST

    def earns(self, face: str) -> bool:
        """Whether keeping this face earns a round worm (D8.4), while there is one to be had (D11.1)."""
        return face == "1" and self.position.rolled.count("1") >= 2 and self._round_worms > 0

    @property
    def _round_worms(self) -> int:
        """How many round worms the seat could still be given (D11.1)."""
        position, specialists = self.position, self.position.specialists
        if specialists is None:
            return 0
        others = (
            count
            for seat, count in enumerate(specialists.round_worms)
            if seat != position.seat and not specialists.holds(seat, "hen")
        )
        return specialists.supply(position.edition) + sum(others)

    def brought(self, claim: Claim) -> str | None:
        """What comes with a tile: a specialist (D10.1, D10.3), a round worm from the crow (D10.2)."""
        specialists = self.position.specialists
        if specialists is None:
            return None
        if isinstance(claim, Take):
            name = specialists.on(claim.tile)
            if name == "crow":
                return self.t("a round worm") if self._round_worms else None
            return None if name is None else self.words.specialist(name)
        held = specialists.held[self.position.tops.index(claim.tile)]
        return self.words.specialist(held[0]) if held and held[0] != "hen" else None

    def too_little(self, last: Take) -> bool:
        """Whether the last tile ends the game with another ahead, whatever comes along with it."""
        seat, found = self.position.seat, [end for end in endings(self.position) if end.claim == last]
        return self.words.goal == "win" and not any(
            seat in end.standings.winners for way in found for end in after(self.position, way)
        )

    def named(self, claim: Claim) -> str:
        """``the 28``, ``Owl’s 26``, ``Owl’s hen``."""
        if isinstance(claim, Steal):
            return self.words.loot(self.position, claim.tile)
        return self.t("the {tile}", tile=claim.tile)

    def prize(self, claim: Claim, face: str = "") -> str:
        """The same with all that comes along after keeping that face: ``the 27 and the golden die``."""
        one, brought, worm = self.named(claim), self.brought(claim), self.t("a round worm")
        earned = worm if self.earns(face) else None
        if brought == earned == worm:
            two = self.t("two round worms") if self._round_worms > 1 else worm
            return self.t("{one} and {other}", one=one, other=two)
        for more in (brought, earned):
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
