"""Games with dice from every seat as records, wherever they are broken off."""

from __future__ import annotations

from msgspec.structs import replace

from pickomino.chance import GuestChain, VoidRoll, check_dice
from pickomino.notation import parse_record
from pickomino.play import CameIn, TipGiven
from pickomino.server.advance import Advance
from pickomino.server.live import LiveGame, chain_of
from pickomino.server.recording import record_of
from pickomino.server.storage.base import EntryRow, GameRow, PlayerRow

PLAYERS = (PlayerRow("a", "Anna", None), PlayerRow("b", "Ben", None), PlayerRow("a", "Amy", None))
"""Anna has two seats, so that A stands for both."""


class Hand:
    """Plays by hand, and keeps the rows."""

    def __init__(self) -> None:
        row = GameRow(
            "g", "t", "classic", -1, 0.0, b"s" * 32, "", PLAYERS, None, None, 0, dice="sha256-chains"
        )
        tip = chain_of(row).tip
        self.game = LiveGame(replace(row, tip=tip))
        self.rows: list[EntryRow] = []
        self.chains = [GuestChain("g", seats, tip) for seats in ("AC", "B")]

    def take(self, step: Advance) -> Advance:
        self.rows += step.rows
        return step

    def commit(self, guest: int) -> None:
        seats = "".join("ABC"[seat] for seat in self.game.row.seats_of(guest))
        self.take(self.game.change(TipGiven(guest, seats, self.chains[guest].tip), 1.0))

    def values(self) -> dict[int, str]:
        ask = self.game.match.ask
        assert ask is not None
        tips = self.game.match.adding.tips
        return {guest: self.chains[guest].value(ask.k, tips[guest].k) or "" for guest in ask.seats}

    @property
    def text(self) -> str:
        return record_of(self.game.row, self.rows)


def test_a_game_that_ends_with_void_rolls() -> None:
    hand = Hand()
    hand.commit(0)
    hand.commit(1)
    there = {0, 1}
    hand.take(hand.game.begin(there, 2.0))
    values = hand.values()
    assert all(hand.game.contributions.value_holds(guest, 0, value) for guest, value in values.items())
    hand.take(hand.game.void((1,), 3.0))
    values = hand.values()
    hand.chains[0] = GuestChain("g", "AC", hand.game.row.tip)
    hand.commit(0)  # another device, for the rolls after this one
    assert hand.game.contributions.value_holds(0, 1, values[0])
    hand.take(hand.game.finish(values, 4.0))
    seat = hand.game.match.turn_of
    assert seat is not None
    hand.take(hand.game.change(CameIn(1), 4.5))
    hand.take(hand.game.move(seat, "roll", hand.game.version, "0123456789abcdef", 5.0, there=there))
    hand.take(hand.game.finish(hand.values(), 6.0))
    hand.take(hand.game.move(seat, str(hand.game.position.moves()[0]), hand.game.version, None, 7.0))
    check = check_dice(parse_record(hand.text))
    assert check.good, check.problem
    assert (check.rolls, check.added, check.voids) == (1, {"A": 2, "B": 1}, [VoidRoll(0, "B")])
    assert "0123456789abcdef}" in hand.text
    # The next roll is void, and the game breaks off before another falls.
    hand.take(hand.game.move(seat, "r", hand.game.version, None, 8.0, there=there))
    hand.rows += hand.game.void((0,), 9.0).rows[:1]
    assert '[Void "#3 void A"]' in hand.text
    found = check_dice(parse_record(hand.text))
    assert found.good, found.problem
    assert found.voids == [VoidRoll(0, "B"), VoidRoll(3, "A")]


def test_a_game_that_never_began() -> None:
    hand = Hand()
    hand.commit(0)
    assert check_dice(parse_record(hand.text)).good
    hand.take(hand.game.begin({0, 1}, 2.0))
    hand.rows += hand.game.void((0,), 3.0).rows[:1]
    check = check_dice(parse_record(hand.text))
    assert (check.good, check.voids) == (True, [VoidRoll(0, "A")])
