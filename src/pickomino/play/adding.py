"""Who adds to the dice of a match: what guests committed to, who is left out, and the roll that waits for values."""

from __future__ import annotations

from typing import Final, NamedTuple

from pickomino.play.entries import CameIn, RollAsked, RollVoided, TipGiven

TIPS: Final = 4
"""Tips of one guest between two rolls: some devices may come at once, but a log is not for filling."""


class Commitment(NamedTuple):
    """A guest's tip, and the first roll that it holds for."""

    given: TipGiven
    k: int


class Adding:
    """Counts rolls and keeps who adds to them. Each check gives what is wrong, or nothing."""

    def __init__(self, seats: int, first_roll: int) -> None:
        self._seats: Final = seats
        self.tips: Final[dict[int, Commitment]] = {}
        self.out: Final[set[int]] = set()
        self.ask: RollAsked | None = None
        self.asked_tips: dict[int, Commitment] = {}  # those that held when the last roll was asked for
        self.next = first_roll  # the number of the next roll
        self._came_in: dict[int, int] = {}  # seat -> the turn in which it came in again
        # Seat -> the next roll, and tips that waited for it.
        self._tip_counts: dict[int, tuple[int, int]] = {}

    @property
    def ready(self) -> tuple[int, ...]:
        """Guests who can be asked for a value."""
        return tuple(sorted(self.tips.keys() - self.out))

    def wait(self, seat: int, turn: int) -> int:
        """Turns until a guest that is left out may come in again: at most once per round."""
        return max(0, self._came_in.get(seat, turn - self._seats) + self._seats - turn)

    def fault(self, entry: TipGiven | CameIn | RollAsked | RollVoided, turn: int) -> str | None:
        """Why an entry cannot be taken now."""
        ask = self.ask
        match entry:
            case RollAsked(k, seats):
                good = ask is None and k == self.next and seats and set(seats) <= set(self.ready)
                return None if good else f"roll {k}: expected roll {self.next}, asked of {self.ready}"
            case RollVoided(k, seats):
                good = ask is not None and k == ask.k and seats and set(seats) <= set(ask.seats)
                return None if good else f"roll {k}: nobody waits for it"
            case TipGiven(seat):
                k, count = self._tip_counts.get(seat, (self.next, 0))
                return "it commits anew all the time" if k == self.next and count >= TIPS else None
            case CameIn(seat):
                if seat not in self.out:
                    return "it is not left out"
                wait = self.wait(seat, turn)
                return f"it may come in again in {wait} turns" if wait else None

    def take(self, entry: TipGiven | CameIn | RollAsked | RollVoided, turn: int) -> None:
        match entry:
            case TipGiven(seat):
                k, count = self._tip_counts.get(seat, (self.next, 0))
                self._tip_counts[seat] = self.next, count + 1 if k == self.next else 1
                self.tips[seat] = Commitment(entry, self.next)
            case CameIn(seat):
                self.out.remove(seat)
                self._came_in[seat] = turn
            case RollAsked(k, seats):
                self.ask = entry
                self.asked_tips = {seat: self.tips[seat] for seat in seats}
                self.next = k + 1
            case RollVoided(_, seats):
                self.ask = None
                self.out.update(seats)

    def fell(self) -> None:
        """A roll has fallen: the one that was asked for, or one to which nobody added."""
        if self.ask is None:
            self.next += 1
        self.ask = None
