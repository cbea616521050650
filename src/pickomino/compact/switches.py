"""The switches of an edition as bits, for whoever keeps them in arrays."""

from __future__ import annotations

from pickomino.rules.edition import SWITCHES, Edition


def switch_bits(edition: Edition) -> list[bool]:
    """In the order of `SWITCHES`."""
    return [
        all(getattr(edition, name) == value for name, value in changes.items())
        for changes in SWITCHES.values()
    ]
