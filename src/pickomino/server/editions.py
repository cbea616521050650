"""Editions at the door: a key or a TOML text comes in, never a path; what clients need to draw one goes out."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final

from pickomino.chance.checkable import sides
from pickomino.compact.packed import check_packable
from pickomino.protocol.shapes import EditionInfo
from pickomino.rules import SWITCHES_OF, Edition, edition_text, find_edition
from pickomino.rules.house import HOUSE
from pickomino.server.errors import Refused, refusing

# Ways to fall, kept in memory: 12 ordinary dice have 6,188, 20 MB of a process at most.
_MOST_ROLLS: Final = 8_000


def served_edition(text: str) -> str:
    """The text that a table keeps of its edition; what this server does not play is refused."""
    if text.startswith(HOUSE):
        raise Refused("bad_message", f"edition {text!r}: expected the TOML of the edition, not its name")
    with refusing("bad_message"):
        edition = find_edition(text)
        check_packable(edition)  # at most 27 tiles and 63 kinds of moves
    faces = len(edition.faces)
    rolls = comb(edition.dice + faces - 1, faces - 1) * max(1, len(edition.golden_die))
    if rolls > _MOST_ROLLS:
        raise Refused(
            "bad_message", f"edition: the dice fall in {rolls:,} ways, expected {_MOST_ROLLS:,} at most"
        )
    return edition_text(edition)


@lru_cache(maxsize=256)
def edition_of(text: str) -> Edition:
    """The edition that a table keeps as text."""
    return find_edition(text)


def edition_info(edition: Edition) -> EditionInfo:
    return EditionInfo(
        key=edition.key,
        tiles=list(edition.values),
        worms=[worms for _, worms in edition.tiles],
        specialists=[name for name, _ in edition.specialists],
        takes_switches=edition.key == "classic",
        switches=list(SWITCHES_OF.get(edition.key, ())),
        name=edition.name,
        dice=edition.dice,
        faces={face.sign: face.pips for face in edition.faces},
        sides=sides(edition.faces),
        golden_die=sides(edition.golden_die),
        exact_only=sorted(edition.exact_only),
        round_worms=edition.round_worms,
        text=edition_text(edition),
    )
