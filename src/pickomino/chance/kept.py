"""What a client kept of a game, and how a record compares with it: what no record can prove by itself."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from pickomino.chance.dice_record import dice_texts, fallen_rolls
from pickomino.chance.guests import GuestTip, parse_mix
from pickomino.notation import Record
from pickomino.rules import NotationError, said

_ROLL = re.compile(r"#([0-9]+) (void|[0-9a-f]{64}) (.+)")


@dataclass(slots=True)
class KeptValues:
    """The tip that was shown before the game, and what this client gave: as JSON, a file that players can export."""

    game: str
    dice: str = ""  # as the first state had it; empty: not seen
    tips: list[str] = field(default_factory=list)  # of own chains, as AC:<tip>@17
    values: dict[str, dict[int, str]] = field(default_factory=dict)  # letter -> roll -> value shown
    taken: dict[str, list[int]] = field(default_factory=dict)  # letter -> rolls whose value the server had
    nonces: list[str] = field(default_factory=list)  # sent and accepted
    unasked: dict[str, list[int]] = field(default_factory=dict)  # letter -> rolls it was there for, not asked

    def __str__(self) -> str:
        data = {
            "kept": 1,
            "game": self.game,
            "dice": self.dice,
            "tips": self.tips,
            "values": self.values,
            "taken": self.taken,
            "nonces": self.nonces,
            "unasked": self.unasked,
        }
        return json.dumps(data, indent=1)

    @classmethod
    def parse(cls, text: str) -> KeptValues:
        """From the text of an exported file."""
        try:
            data: dict[str, Any] = json.loads(text)
            if data["kept"] != 1:
                raise ValueError(said("version {data}", data=data["kept"]))
            kept = cls(
                str(data["game"]),
                str(data.get("dice", "")),
                [str(tip) for tip in data.get("tips", [])],
                {
                    letter: {int(k): str(value) for k, value in values.items()}
                    for letter, values in data.get("values", {}).items()
                },
                _rolls(data.get("taken", {})),
                [str(nonce) for nonce in data.get("nonces", [])],
                _rolls(data.get("unasked", {})),
            )
            for tip in kept.tips:
                GuestTip.parse(tip)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise NotationError("kept file: {error}: expected what a client exported", error=error) from None
        return kept


def _rolls(data: dict[str, Any]) -> dict[str, list[int]]:
    return {str(letter): [int(k) for k in rolls] for letter, rolls in data.items()}


@dataclass(slots=True)
class KeptCheck:
    """What was found in the record of what a client kept."""

    tip: bool = False  # the server's, as shown before the game
    tips: int = 0
    values: int = 0
    nonces: int = 0
    problems: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)  # what could not be compared, and why


def compare_kept(record: Record, kept: KeptValues) -> KeptCheck:
    """Whether a record contains what a client sent. `check_dice` says whether the record itself is right."""
    check, headers = KeptCheck(), record.headers
    if headers.get("Table") != kept.game:
        check.problems.append(
            said(
                "the record is of game {get}, what was kept of {game}",
                get=headers.get("Table", "-"),
                game=kept.game,
            )
        )
        return check
    if not kept.dice:
        check.unknown.append(said("the tip: none was kept from before the game"))
    elif kept.dice == headers.get("Dice"):
        check.tip = True
    else:
        check.problems.append(said("the tip is not the one that was shown before the game"))
    written = headers.get("Tips", "").split(" ")
    for tip in kept.tips:
        if tip in written:
            check.tips += 1
        else:
            check.problems.append(said("a tip of yours is not in the record: {tip}", tip=tip))
    _compare_rolls(record, kept, check)
    return check


def _compare_rolls(record: Record, kept: KeptValues, check: KeptCheck) -> None:
    values, nonces, voids, last = _rolls_of(record)
    for letter, shown in sorted(kept.values.items()):
        for k, value in sorted(shown.items()):
            taken = k in kept.taken.get(letter, ())
            if k > last:
                if taken:
                    check.problems.append(
                        said("roll {k}: the record ends before it, but you contributed to it", k=k)
                    )
            elif k in voids:
                if letter in voids[k] and taken:
                    check.problems.append(
                        said(
                            "roll {k}: {letter} is called missing, but the server had its value",
                            k=k,
                            letter=letter,
                        )
                    )
            elif values.get(k, {}).get(letter) == value:
                check.values += 1
            else:
                check.problems.append(
                    said("roll {k}: the value of {letter} is not in it", k=k, letter=letter)
                )
    for nonce in kept.nonces:
        if nonce in nonces:
            check.nonces += 1
        else:
            check.problems.append(said("a nonce of yours is not in the record: {nonce}", nonce=nonce))
    for letter, rolls in sorted(kept.unasked.items()):
        check.unknown += [f"roll {k}: {letter} was there and was not asked" for k in rolls]
    own = {GuestTip.parse(tip).letter for tip in kept.tips}
    for k, found in sorted(values.items()):
        for letter in sorted(own & found.keys()):
            if k not in kept.values.get(letter, {}):
                check.unknown.append(
                    said("roll {k}: {letter} added a value that was not kept here", k=k, letter=letter)
                )


def _rolls_of(record: Record) -> tuple[dict[int, dict[str, str]], set[str], dict[int, str], int]:
    """Values by roll and letter, nonces, void rolls, and the last roll."""
    headers = record.headers
    texts = [*headers.get("First", "").split("; "), *headers.get("Void", "").split("; ")]
    for place in fallen_rolls(record):
        texts += dice_texts(record.comments.get((place.turn, place.token), ()))
    values, nonces, voids = dict[int, dict[str, str]](), set[str](), dict[int, str]()
    last = -1
    for found in filter(None, map(_ROLL.fullmatch, texts)):
        k = int(found[1])
        last = max(last, k)
        if found[2] == "void":
            voids[k] = found[3]
        else:
            values[k], nonce = parse_mix(found[3])
            nonces.add(nonce or "")
    return values, nonces, voids, last
