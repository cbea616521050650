"""What guests add to the dice of one game: whether a value is right, and what clients are told about it."""

from __future__ import annotations

from pickomino.chance import GuestLinks, GuestTip
from pickomino.play import Match
from pickomino.protocol.shapes import AskInfo, ChainsInfo, TipInfo
from pickomino.rules import SEATS
from pickomino.server.storage.base import GameRow


class Contributions:
    """Beside a `LiveGame`; who adds is the match's to say, values are the storage's to keep."""

    def __init__(self, row: GameRow, match: Match) -> None:
        self._row, self._match = row, match
        self._links: dict[int, GuestLinks] = {}
        self._guests = ["".join(SEATS[seat] for seat in row.seats_of(guest)) for guest in row.guests]

    def tip_of(self, guest: int) -> str | None:
        found = self._match.adding.tips.get(guest)
        return None if found is None else found.given.tip

    def value_holds(self, guest: int, k: int, value: str) -> bool:
        """Whether it is the value that the guest had committed to when roll k was asked for, the last that was."""
        given, since = self._match.adding.asked_tips[guest]
        links = self._links.get(guest)
        if links is None or links.tip.tip != given.tip:
            tip = GuestTip(given.seats, given.tip, since)
            links = self._links[guest] = GuestLinks(tip, self._row.id, self._row.tip)
        return links.holds(k, value)

    def info(self, asked_seq: int) -> ChainsInfo:
        """`asked_seq`: the entry that asks for values, if one does."""
        adding, ask, turn = self._match.adding, self._match.ask, self._match.turn
        asked = None
        if ask is not None:
            asked = AskInfo(asked_seq, ask.k, [SEATS[guest] for guest in ask.seats], ask.nonce)
        return ChainsInfo(
            guests=self._guests,
            tips={SEATS[guest]: TipInfo(tip.given.tip, tip.k) for guest, tip in adding.tips.items()},
            out={SEATS[guest]: adding.wait(guest, turn) for guest in sorted(adding.out)},
            next=adding.next,
            ask=asked,
        )
