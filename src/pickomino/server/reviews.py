"""Reviews of finished games: worked out once, by a process of their own, and kept."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import msgspec

from pickomino import __version__
from pickomino.locale import languages, translate
from pickomino.notation import parse_record
from pickomino.server.editions import edition_info
from pickomino.server.errors import Refused, available
from pickomino.server.limits import Limiter
from pickomino.server.storage.base import GameRow, Reviewed, Unavailable
from pickomino.server.storage.engine import Storage
from pickomino.server.worker import Worker

MAX_PLIES: Final = 2_000
"""Four times a long game of people; those of random bots may have more. At most some seconds of work."""


def known_language(wish: str) -> str:
    return wish if wish in languages() else "en"


class Reviews:
    """The reviews of one server process: seconds of arithmetic each, so a worker makes them."""

    def __init__(self, storage: Storage, limit: Limiter, worker: Worker) -> None:
        self._storage = storage
        self._limit = limit
        self._worker = worker
        self._under_way: dict[tuple[str, str], asyncio.Future[bytes]] = {}

    async def of(
        self, row: GameRow, language: str, asker: Hashable, record: Callable[[GameRow], Awaitable[str]]
    ) -> bytes:
        """A review as JSON, zipped. Who asks is charged for one that must be worked out; a second one who asks for it
        meanwhile waits for the same."""
        kept = await available(self._storage.review(row.id, language, __version__))
        if kept is not None:
            return kept
        key = row.id, language
        if key not in self._under_way:
            self._limit.check(asker)
            work = asyncio.ensure_future(self._make(row, language, record))
            self._under_way[key] = work
            work.add_done_callback(lambda _: self._done(key))
        return await asyncio.shield(self._under_way[key])

    async def _make(self, row: GameRow, language: str, record: Callable[[GameRow], Awaitable[str]]) -> bytes:
        names = [
            translate(language, player.name) if player.bot is not None else player.shown
            for player in row.players
        ]
        made = await self._worker.do(review_body, await record(row), names, language)
        if made is None:
            raise Refused("too_large", f"games of more than {MAX_PLIES} plies are not reviewed")
        body, seats = made
        with suppress(Unavailable):  # then it is made again when it is asked for again
            await self._storage.keep_review(row.id, language, __version__, body, seats)
        return body

    def _done(self, key: tuple[str, str]) -> None:
        work = self._under_way.pop(key)
        if not work.cancelled():
            work.exception()  # told to whoever waits; if all have gone away it is nobody's


def review_body(text: str, names: Sequence[str], language: str) -> tuple[bytes, list[Reviewed]] | None:
    """The review of a record as it is sent, and each seat's figures; None for one that is too long."""
    # Only here: the analysis brings the champion, which the server itself does without.
    from pickomino.analysis import review
    from pickomino.analysis.page import page_texts
    from pickomino.analysis.reporting import report
    from pickomino.server.study_shapes import ReviewInfo
    from pickomino.views import view

    record = replace(parse_record(text), names=tuple(names))
    if len(record.game) > MAX_PLIES:
        return None
    found = review(record)
    shown = report(found, language)
    views = {one.ply: view(one.position) for one in found.decisions}
    shown["decisions"] = [one | {"view": views[one["ply"]]} for one in shown["decisions"]]
    shown["texts"] = page_texts(found.names, language, found.goal)
    edition = record.game.start.edition
    shown["house"] = edition_info(edition) if edition.name else None
    sent = msgspec.convert(shown, ReviewInfo, from_attributes=True)
    seats = [
        Reviewed(one.accuracy, one.balance.luck if sent.objective == "win" else None) for one in sent.players
    ]
    return gzip.compress(msgspec.json.encode(sent), 6, mtime=0), seats
