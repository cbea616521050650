"""Specialists and round worms: the deluxe part of a position (rules, sections 7 to 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pickomino.rules.edition import Edition
from pickomino.rules.events import Event, GotRoundWorm, SpecialistLeft, SpecialistMoved

APPLE_WORMS: Final = 3  # D13.2


@dataclass(frozen=True, slots=True)
class Specialists:
    """Where every specialist is (nowhere: it left the game) and who has which round worms."""

    standing: tuple[tuple[int, str], ...]  # (tile, name), ascending; at most one per tile
    held: tuple[tuple[str, ...], ...]  # per seat, sorted; two only while choosing which goes back
    round_worms: tuple[int, ...]  # per seat
    gold_joined: bool = False  # the golden die is in this turn (D8.1)
    weasel_used: bool = False  # D8.2

    @staticmethod
    def start(edition: Edition, seats: int) -> Specialists | None:
        """The start of a game; None for an edition without specialists."""
        if not edition.specialists:
            return None
        standing = tuple(sorted((tile, name) for name, tile in edition.specialists))
        return Specialists(standing, ((),) * seats, (0,) * seats)

    def on(self, tile: int) -> str | None:
        """Who stands on a tile."""
        return dict(self.standing).get(tile)

    def holds(self, seat: int, name: str) -> bool:
        return name in self.held[seat]

    def given(self, seat: int, name: str) -> Specialists:
        """With a specialist added to a seat."""
        return self._with_held(seat, tuple(sorted((*self.held[seat], name))))

    def dropped(self, seat: int, name: str) -> Specialists:
        """With a specialist taken away from a seat."""
        return self._with_held(seat, tuple(other for other in self.held[seat] if other != name))

    def lifted(self, tile: int) -> Specialists:
        """With nobody standing on the tile any more."""
        return replace(self, standing=tuple(pair for pair in self.standing if pair[0] != tile))

    def placed(self, name: str, grill: Sequence[int]) -> tuple[Specialists, Event]:
        """D13.1: to the smallest free tile, or out of the game."""
        taken = dict(self.standing)
        for tile in grill:
            if tile not in taken:
                standing = tuple(sorted((*self.standing, (tile, name))))
                return replace(self, standing=standing), SpecialistMoved(name, tile)
        return self, SpecialistLeft(name)

    def supply(self, edition: Edition) -> int:
        return edition.round_worms - sum(self.round_worms)

    def givers(self, edition: Edition, seat: int) -> tuple[int, ...]:
        """D11.1: who could give a round worm to the seat; nobody while the supply lasts."""
        if self.supply(edition):
            return ()
        return tuple(
            other
            for other, count in enumerate(self.round_worms)
            if other != seat and count and not self.holds(other, "hen")
        )

    def earned(self, edition: Edition, seat: int) -> tuple[Specialists, tuple[Event, ...]]:
        """D11.1 where there is nothing to choose: from the supply, from the only giver, or from nobody."""
        if self.supply(edition):
            return self.received(seat, None), (GotRoundWorm(seat, None),)
        givers = self.givers(edition, seat)
        if len(givers) == 1:
            return self.received(seat, givers[0]), (GotRoundWorm(seat, givers[0]),)
        return self, ()

    def received(self, seat: int, giver: int | None) -> Specialists:
        """With one round worm moved to the seat."""
        worms = list(self.round_worms)
        worms[seat] += 1
        if giver is not None:
            worms[giver] -= 1
        return replace(self, round_worms=tuple(worms))

    def turn_over(self) -> Specialists:
        """What belongs to a single turn is forgotten."""
        if self.gold_joined or self.weasel_used:
            return replace(self, gold_joined=False, weasel_used=False)
        return self

    def _with_held(self, seat: int, names: tuple[str, ...]) -> Specialists:
        return replace(self, held=(*self.held[:seat], names, *self.held[seat + 1 :]))
