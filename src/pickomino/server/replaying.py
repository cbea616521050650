"""A record, uploaded, step by step with the frames of each.

A page of them is hundreds of times the size of its record, so it is kept zipped and sent in pieces as it is read.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import msgspec

from pickomino.notation import Record, parse_record, turn_lines
from pickomino.protocol.bodies import ReplayPage, ReplayStep
from pickomino.protocol.shapes import EventFrame
from pickomino.rules import PickominoError
from pickomino.server.describe import describe_event
from pickomino.server.editions import edition_info
from pickomino.server.errors import Refused
from pickomino.views import frames, view

MAX_PLIES: Final = 8_000
"""A step is a few kilobytes. Games of people have a few hundred plies, those of random bots some thousands."""
PIECE: Final = 4096
"""Bytes, zipped: some hundred kilobytes to send."""


def replay(text: str) -> tuple[ReplayPage, Iterator[ReplayStep]]:
    """A record as a page without steps, and its steps, worked out as they are taken; one that breaks the rules is
    refused with the line that is wrong."""
    try:
        record = parse_record(text)
    except PickominoError as error:
        raise Refused("bad_message", str(error)[:1000]) from None
    if len(record.game) > MAX_PLIES:
        raise Refused("too_large", f"{len(record.game)} plies: at most {MAX_PLIES} are shown step by step")
    edition, names = record.game.start.edition, list(record.names)
    house = edition_info(edition) if edition.name else None
    return ReplayPage(edition.key, names, dict(record.headers), record.result, house, []), _steps(record)


def replay_body(text: str) -> bytes:
    """The page with its steps as JSON, zipped."""
    page, steps = replay(text)
    encode, zipped = msgspec.json.encode, zlib.compressobj(1, wbits=31)
    parts, comma = [zipped.compress(encode(page).removesuffix(b"]}"))], b""
    for step in steps:
        parts.append(zipped.compress(comma + encode(step)))
        comma = b","
    return b"".join((*parts, zipped.compress(b"]}"), zipped.flush()))


async def unzipped(body: bytes) -> AsyncIterator[bytes]:
    """Piece by piece, as it is read: whole it would be thirty times as much."""
    unzip = zlib.decompressobj(31)
    for start in range(0, len(body), PIECE):
        yield unzip.decompress(body[start : start + PIECE])


def _steps(record: Record) -> Iterator[ReplayStep]:
    game = record.game
    turns, comments = _turns(record)
    start = game.start
    seat = None if start.over else start.seat_letter
    yield ReplayStep(None, 1, seat, str(start), view(start), [], [], [])
    for index, (before, ply, _) in enumerate(game.steps()):
        after, told = game.positions[index + 1], frames(before, ply)
        shown = told[-1].view if told else view(after)
        events = [describe_event(event) for event, _ in told]
        yield ReplayStep(
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
