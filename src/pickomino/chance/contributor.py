"""A client's side of dice from every seat: hears the server's states, and says what to send.

For any client that speaks docs/protocol.md; it knows no sockets. Messages lack an `id`, which the client adds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from pickomino.chance.guests import GuestChain, GuestTip
from pickomino.chance.kept import KeptValues
from pickomino.chance.links import CHAIN_LENGTH
from pickomino.rules import said

Message = dict[str, Any]
SPARE: Final = 8
"""Values that a chain still has when the next one is committed to."""


class _Asked(NamedTuple):
    """The one entry that a value was shown for."""

    seq: int
    seats: tuple[str, ...]
    nonce: str | None
    position: str


class _Guest:
    """One guest's chain in one game; older ones are of no more use."""

    def __init__(self, chain: GuestChain) -> None:
        self.chain: Final = chain
        self.taken = False  # the server has its tip
        self.since: int | None = None  # the first roll that the tip holds for, once it is seen in the log
        self.shown: dict[int, _Asked] = {}


class Contributor:
    """Adds this client's values to the rolls of one table, once per roll, and notices if they are not used.

    >>> Contributor().hear({"game": "g", "chains": None}, ["A"])
    []
    """

    def __init__(self) -> None:
        self.kept = KeptValues("")
        self.complaints: list[str] = []
        self._guests: dict[str, _Guest] = {}

    def hear(self, state: Mapping[str, Any], seats: Collection[str], *, hello: bool = False) -> list[Message]:
        """A state of the game; `seats`: those of this connection; `hello`: it came with a new connection, over
        which what was not answered is sent again."""
        chains = state.get("chains")
        if state["game"] != self.kept.game:
            rolled = any(entry["kind"] in ("dice", "first") for entry in state.get("entries", ()))
            seen = state.get("from", 0) == 0 and not rolled
            self.kept = KeptValues(state["game"], state.get("dice", "") if seen else "")
            self._guests = {}
        if chains is None:
            return []
        for entry in state["entries"]:
            self._check(entry)
            if not hello:
                self._note_unasked(entry, chains)
        found: list[Message] = []
        for group in () if state["over"] else chains["guests"]:
            if not set(group).isdisjoint(seats):
                found += self._guest(group, state, chains, hello)
        return found

    def _guest(
        self, group: str, state: Mapping[str, Any], chains: Mapping[str, Any], hello: bool
    ) -> list[Message]:
        letter, ask, out = group[0], chains["ask"], chains["out"].get(group[0])
        guest, tip = self._guests.get(letter), chains["tips"].get(letter)
        found: list[Message] = []
        in_force = spoilt = False
        if guest is not None and tip is not None and tip["tip"] == guest.chain.tip:
            in_force = guest.taken = True
            if guest.since is None:
                guest.since = tip["k"]
                self.kept.tips.append(str(GuestTip(group, guest.chain.tip, tip["k"])))
            spoilt = chains["next"] - tip["k"] > CHAIN_LENGTH - SPARE
            if ask is not None and letter in ask["seats"]:
                asked = _Asked(ask["seq"], tuple(ask["seats"]), ask["nonce"], state["position"])
                known = guest.shown.get(ask["k"])
                if known is None and ask["k"] > max(guest.shown, default=-1):
                    found.append(self._show(letter, guest, ask["k"], asked))
                elif known != asked:
                    spoilt = True  # the log is not the one that the value was shown for: never for another
                elif hello:
                    found.append(self._value(letter, ask["k"]))
        superseded = guest is not None and guest.taken and not in_force
        # Another device of this guest may have the chain that is in force: it is left alone unless it fails.
        if guest is None or spoilt or (superseded and (hello or out is not None)):
            server_tip = state["dice"].partition(" ")[2]
            guest = self._guests[letter] = _Guest(GuestChain(state["game"], group, server_tip))
            found.append(_tip(guest))
        elif not guest.taken and (hello or out is not None):
            found.append(_tip(guest))
        if out == 0 and in_force and not spoilt:
            found.append({"t": "in", "seat": letter})
        return found

    def _show(self, letter: str, guest: _Guest, k: int, asked: _Asked) -> Message:
        value = guest.chain.value(k, guest.since or 0)
        guest.shown[k] = asked
        self.kept.values.setdefault(letter, {})[k] = value or ""
        return self._value(letter, k)

    def _value(self, letter: str, k: int) -> Message:
        return {"t": "value", "seat": letter, "d": {"k": k, "value": self.kept.values[letter][k]}}

    def answered(self, message: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """The server's answer to a message of `hear`, or to a move with a nonce."""
        if answer["t"] != "ok":
            return
        if message["t"] == "tip":
            guest = self._guests.get(message["seat"])
            if guest is not None and guest.chain.tip == message["d"]["tip"]:
                guest.taken = True
        elif message["t"] == "value":
            taken = self.kept.taken.setdefault(message["seat"], [])
            if message["d"]["k"] not in taken:
                taken.append(message["d"]["k"])
        elif message["t"] == "move":
            nonce = message["d"].get("nonce")
            if nonce and nonce not in self.kept.nonces:
                self.kept.nonces.append(nonce)

    def _check(self, entry: Mapping[str, Any]) -> None:
        """Whether a roll has what was shown for it, and a void roll names somebody else."""
        k, kind = entry.get("k"), entry["kind"]
        if k is None:
            return
        for letter, guest in self._guests.items():
            asked = guest.shown.get(k)
            if asked is None:
                continue
            values = entry.get("values") or {}
            if kind in ("dice", "first"):
                if values.get(letter) != self.kept.values[letter][k]:
                    self._complain(said("roll {k}: the value of {letter} is not in it", k=k, letter=letter))
                elif tuple(sorted(values)) != tuple(sorted(asked.seats)):
                    self._complain(
                        said("roll {k}: it is not the roll that {letter} was asked for", k=k, letter=letter)
                    )
            elif kind == "void" and letter in entry["seats"] and k in self.kept.taken.get(letter, ()):
                self._complain(
                    said(
                        "roll {k}: {letter} is called missing, but the server had its value",
                        k=k,
                        letter=letter,
                    )
                )

    def _note_unasked(self, entry: Mapping[str, Any], chains: Mapping[str, Any]) -> None:
        """A roll that this client was there for, and that the server let fall without asking it."""
        if entry["kind"] not in ("dice", "first"):
            return
        k, values = entry["k"], entry.get("values") or {}
        for letter, guest in self._guests.items():
            waited = guest.since is not None and guest.since <= k and letter not in chains["out"]
            if waited and k not in guest.shown and letter not in values:
                self.kept.unasked.setdefault(letter, []).append(k)

    def _complain(self, text: str) -> None:
        if text not in self.complaints:
            self.complaints.append(text)


def _tip(guest: _Guest) -> Message:
    return {"t": "tip", "seat": guest.chain.seats[0], "d": {"tip": guest.chain.tip}}
