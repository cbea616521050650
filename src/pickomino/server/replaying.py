"""A record, uploaded, as frames to step through. A page of them is hundreds of times the size of its record, so it is
worked out and sent in pieces, as fast as it is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from pickomino.notation import Record, parse_record, turn_lines
from pickomino.rules import PickominoError
from pickomino.server.describe import describe_event
from pickomino.server.errors import Refused
from pickomino.server.shapes import Frame, ReplayPage
from pickomino.views import view

__all__ = ["pieces", "replay"]

MAX_PLIES: Final = 8_000
"""A frame is about a kilobyte. Games of people have a few hundred plies, those of random bots some thousands."""
AT_ONCE: Final = 32
"""Frames in a piece: some milliseconds of work."""


def replay(text: str) -> tuple[ReplayPage, Iterator[Frame]]:
    """A record as a page without frames, and its frames, worked out as they are taken; one that breaks the rules is
    refused with the line that is wrong."""
    try:
        record = parse_record(text)
    except PickominoError as error:
        raise Refused("bad_message", str(error)[:1000]) from None
    if len(record.game) > MAX_PLIES:
        raise Refused("too_large", f"{len(record.game)} plies: at most {MAX_PLIES} are shown step by step")
    key, names = record.game.start.edition.key, list(record.names)
    return ReplayPage(key, names, dict(record.headers), record.result, []), _frames(record)


def pieces(page: ReplayPage, frames: Iterator[Frame]) -> Iterator[bytes]:
    """The page with its frames as JSON, some at a time."""
    encode = msgspec.json.encode
    start = encode(page).removesuffix(b"]}")
    for some in iter(lambda: list(islice(frames, AT_ONCE)), []):
        yield start + b",".join(map(encode, some))
        start = b","
    yield b"]}"


def _frames(record: Record) -> Iterator[Frame]:
    game = record.game
    turns, comments = _turns(record)
    start = game.start
    yield Frame(None, 1, start.seat_letter if not start.over else None, str(start), view(start), [], [])
    for index, (before, ply, events) in enumerate(game.steps()):
        after = game.positions[index + 1]
        yield Frame(
            ply=str(ply),
            turn=turns[index],
            seat=before.seat_letter,
            position=str(after),
            view=view(after),
            events=[describe_event(event) for event in events],
            comments=comments.get(index, []),
        )


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
