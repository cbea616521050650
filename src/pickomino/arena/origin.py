"""What the games of an arena were made with, beside its specification: results say so, checkpoints hold to it."""

from __future__ import annotations

from typing import Any

from pickomino import __version__
from pickomino.arena.spec import Spec
from pickomino.bots.champion.net import weights_digest
from pickomino.rules import find_edition


def made_with(spec: Spec) -> dict[str, Any]:
    """The version of this package, and a digest of the champion's weights for these tables, None where it has none."""
    return {"version": __version__, "weights": weights_digest(find_edition(spec.edition), spec.players)}
