"""A record, uploaded, as frames to step through."""

from __future__ import annotations

from typing import Final

from pickomino.notation import Record, parse_record, turn_lines
from pickomino.rules import PickominoError
from pickomino.server.describe import describe_event
from pickomino.server.errors import Refused
from pickomino.server.shapes import EventFrame, ReplayPage, ReplayStep
from pickomino.views import frames, view

__all__ = ["replay"]

MAX_PLIES: Final = 8_000
"""A frame is about a kilobyte. Games of people have a few hundred plies, those of random bots some thousands."""


def replay(text: str) -> ReplayPage:
    """Every position of a record; one that breaks the rules is refused with the line that is wrong."""
    try:
        record = parse_record(text)
    except PickominoError as error:
        raise Refused("bad_message", str(error)[:1000]) from None
    game = record.game
    if len(game) > MAX_PLIES:
        raise Refused("too_large", f"{len(game)} plies: at most {MAX_PLIES} are shown step by step")
    turns, comments = _turns(record)
    start = game.start
    seat = None if start.over else start.seat_letter
    steps = [ReplayStep(None, 1, seat, str(start), view(start), [], [], [])]
    for index, (before, ply, _) in enumerate(game.steps()):
        after, told = game.positions[index + 1], frames(before, ply)
        shown = told[-1].view if told else view(after)
        events = [describe_event(event) for event, _ in told]
        steps.append(
            ReplayStep(
                ply=str(ply),
                turn=turns[index],
                seat=before.seat_letter,
                position=str(after),
                view=shown,
                events=events,
                frames=[
                    EventFrame(event, None if frame.view is shown else frame.view)
                    for event, frame in zip(events, told, strict=True)
                ],
                comments=comments.get(index, []),
            )
        )
    return ReplayPage(start.edition.key, list(record.names), dict(record.headers), record.result, steps)


def _turns(record: Record) -> tuple[list[int], dict[int, list[str]]]:
    """The number of every ply's turn, and the comments behind its token."""
    count = len(record.game)
    turns, comments = [0] * count, dict[int, list[str]]()
    first = number = 0
    for line in turn_lines(record.game):
        number = line.number
        turns[first : line.last_ply + 1] = [number] * (line.last_ply + 1 - first)
        first = line.last_ply + 1
        for token, ply in enumerate(line.origins, 2):
            for text in record.comments.get((number, token), ()):
                comments.setdefault(max(ply, 0), []).append(text)
    turns[first:] = [number + 1] * (count - first)
    return turns, comments
