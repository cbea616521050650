"""``frames(position, ply)``: what a ply brought about, event by event, each with the view right after it.

Who shows a game moves from view to view and works nothing out: the rules themselves say what the table looks
like after each event.
"""

from __future__ import annotations

from typing import NamedTuple

from pickomino.rules import Ply, Position, Step
from pickomino.rules.events import Event
from pickomino.views.positions import View, view


class Frame(NamedTuple):
    """An event, and what is shown once it has happened."""

    event: Event
    view: View


def frames(position: Position, ply: Ply, step: Step | None = None) -> list[Frame]:
    """One frame per event; the last one's view is `view` of the next position. A ply without events has none.

    `step`: what the ply came to, where that is known already.
    """
    if step is not None and len(step.events) < 2:
        return [Frame(event, view(step.position)) for event in step.events]
    way: list[Position] = []
    after, events = position.apply(ply, way)
    if not events:
        return []
    views = [*(view(passed, passing=True) for passed in way), view(after)]
    return [Frame(event, shown) for event, shown in zip(events, views, strict=True)]
