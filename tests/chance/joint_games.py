"""Games with dice from every seat: a server as small as can be, and honest clients."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pickomino import Game, Record
from pickomino.bots import make_bot
from pickomino.chance import (
    CheckableRoll,
    Contributor,
    DiceChain,
    FirstRoll,
    GameSoFar,
    GuestTip,
    JointDice,
    VoidRoll,
    add_dice,
    bot_nonce,
    mix,
    who_starts,
)
from pickomino.notation import format_record
from pickomino.rules import Phase

SECRET = hashlib.sha256(b"a secret for tests").digest()
NAMES = ("Anna B", "bøt", "100%")


@dataclass
class SmallServer:
    """Asks contributors for values, lets dice fall, and can be made to cheat by whoever overrides a part of it."""

    names: tuple[str, ...] = NAMES
    edition: str = "classic"
    bots: str = "B"
    table: str = "t-2"
    sleeping: Callable[[int, str], bool] = lambda k, letter: False
    clients: dict[str, Contributor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chain = DiceChain.create(
            self.table, self.edition, self.names, SECRET, bots=self.bots, joint=True
        )
        self.guests = ["ABCDEFG"[n] for n in range(len(self.names)) if "ABCDEFG"[n] not in self.bots]
        self.game = Game.new(self.edition, len(self.names))
        self.tips: dict[str, GuestTip] = {}
        self.all_tips: list[GuestTip] = []
        self.out: dict[str, int] = {}
        self.k = 0
        self.seq = 0
        self.rolls: list[CheckableRoll] = []
        self.voids: list[VoidRoll] = []
        self.first: FirstRoll | None = None
        for letter in self.guests:
            self.clients.setdefault(letter, Contributor())

    # --- what clients are told ---

    def state(
        self, ask: dict[str, Any] | None, entries: list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        return {
            "game": self.table,
            "over": False,
            "position": str(self.game.position),
            "dice": f"sha256-chains {self.chain.tip}",
            "entries": entries or [],
            "chains": {
                "guests": self.guests,
                "tips": {letter: {"tip": tip.tip, "k": tip.k} for letter, tip in self.tips.items()},
                "out": self.out,
                "next": self.k,
                "ask": ask,
            },
        }

    def tell(self, state: dict[str, Any]) -> dict[str, str]:
        """Values that came in answer."""
        values: dict[str, str] = {}
        for letter, client in self.clients.items():
            if self.sleeping(self.k, letter):
                continue
            for message in client.hear(state, [letter]):
                self.hear(letter, message, values)
                client.answered(message, {"t": "ok"})
        return values

    def hear(self, letter: str, message: dict[str, Any], values: dict[str, str]) -> None:
        if message["t"] == "tip":
            self.tips[letter] = GuestTip(letter, message["d"]["tip"], self.k)
            self.all_tips.append(self.tips[letter])
        elif message["t"] == "in":
            self.out.pop(letter, None)
        else:
            values[letter] = message["d"]["value"]

    # --- rolls ---

    def ask(self, nonce: str | None = None) -> tuple[int, str]:
        """The next roll that all give to: its number, and what it falls from. Voids come before it."""
        while True:
            seats = [letter for letter in self.guests if letter in self.tips and letter not in self.out]
            self.seq += 1
            k = self.k
            values = self.tell(self.state({"seq": self.seq, "k": k, "seats": seats, "nonce": nonce}))
            missing = [letter for letter in seats if letter not in values]
            self.k += 1
            if not missing:
                return k, mix(values, nonce)
            self.voids.append(VoidRoll(k, "".join(missing)))
            self.out |= dict.fromkeys(missing, 0)
            self.tell(self.state(None, [{"kind": "void", "k": k, "seats": missing}]))

    def told(self, kind: str, k: int, mixed: str) -> None:
        values = dict(part.split(":") for part in mixed.split() if ":" in part)
        self.tell(self.state(None, [{"kind": kind, "k": k, "values": values}]))

    def start(self) -> None:
        self.tell(self.state(None))  # the tips come
        k, mixed = self.ask()
        value = self.chain.value(k)
        self.first = FirstRoll(k, value.hex(), mixed)
        first = who_starts(value, self.table, k, mixed, len(self.names))
        self.game = Game.new(self.edition, len(self.names), first)
        self.so_far = GameSoFar(self.game)
        self.told("first", k, mixed)

    def roll(self, nonce: str | None = None) -> None:
        k, mixed = self.ask(nonce)
        so_far = self.so_far.at()
        self.rolls.append(
            self.chain.roll(k, mixed or bot_nonce(so_far), so_far, *self.game.position.dice_to_roll)
        )
        self.game.apply(self.rolls[-1].roll)
        self.told("dice", k, mixed)

    def play(self, turns: int = 10**9, seed: int = 1) -> None:
        rng, player = random.Random(seed), make_bot("cautious")
        while not self.game.over and turns:
            position = self.game.position
            if position.phase is Phase.ROLL:
                self.roll()
            else:
                self.game.apply(player.choose(position, rng))
                turns -= self.game.position.seat != position.seat

    @property
    def record(self) -> Record:
        record = Record(self.game, self.names)
        return add_dice(record, self.chain, self.rolls, JointDice(self.all_tips, self.voids, self.first))


@cache
def joint_text(edition: str = "classic", seats: int = 3) -> str:
    """A whole game in which Anna's phone sleeps through roll 5."""
    server = SmallServer(NAMES[:seats], edition, sleeping=lambda k, letter: (k, letter) == (5, "A"))
    server.start()
    server.play()
    return format_record(server.record)
