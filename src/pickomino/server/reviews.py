"""Reviews of finished games: worked out once, by a process of their own, and kept."""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Final

import msgspec

from pickomino import __version__
from pickomino.locale import languages, translate
from pickomino.notation import parse_record
from pickomino.server.editions import edition_info
from pickomino.server.errors import Refused
from pickomino.server.limits import Limiter
from pickomino.server.registry import available
from pickomino.server.storage.base import GameRow, Unavailable
from pickomino.server.storage.engine import Storage

__all__ = ["Reviews", "known_language", "review_body"]

MAX_PLIES: Final = 2_000
"""Four times a long game of people; those of random bots may have more. At most some seconds of work."""
MAX_WAITING: Final = 16
"""Reviews under way or waiting for their turn: half a minute for the last of them."""
IDLE_SECONDS: Final = 60.0
"""A process that knows the champion takes some hundred megabytes; it is not kept for nothing."""


def known_language(wish: str) -> str:
    return wish if wish in languages() else "en"


class Reviews:
    """The reviews of one server process. A process, not a thread: seconds of arithmetic would take turns with the
    event loop, and every table would wait for them."""

    def __init__(self, storage: Storage, limit: Limiter) -> None:
        self._storage = storage
        self._limit = limit
        self._pool: ProcessPoolExecutor | None = None
        self._under_way: dict[tuple[str, str], asyncio.Future[bytes]] = {}
        self._idle: asyncio.TimerHandle | None = None

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
            if len(self._under_way) >= MAX_WAITING:
                raise Refused("unavailable", "many reviews are waiting; try again", retry=10.0)
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
        text, loop = await record(row), asyncio.get_running_loop()
        try:
            body = await loop.run_in_executor(self._worker(), review_body, text, names, language)
        except BrokenExecutor:
            self.close()  # killed from outside: the next one who asks gets another
            raise Refused("unavailable", "the review was interrupted; try again", retry=5.0) from None
        if body is None:
            raise Refused("too_large", f"games of more than {MAX_PLIES} plies are not reviewed")
        with suppress(Unavailable):  # then it is made again when it is asked for again
            await self._storage.keep_review(row.id, language, __version__, body)
        return body

    def _worker(self) -> ProcessPoolExecutor:
        if self._idle is not None:
            self._idle.cancel()
        if self._pool is None:
            # Spawned: a fork of a process with threads and an event loop may stand still for ever.
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_stand_back)
        return self._pool

    def _done(self, key: tuple[str, str]) -> None:
        work = self._under_way.pop(key)
        if not work.cancelled():
            work.exception()  # told to whoever waits; if all have gone away it is nobody's
        if not self._under_way:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.close)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _stand_back() -> None:
    """Games come first: the lowest priority, one core, and Ctrl+C is for the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is imported, which has not been yet
    if hasattr(os, "nice"):
        os.nice(10)


def review_body(text: str, names: Sequence[str], language: str) -> bytes | None:
    """The review of a record as it is sent; None for one that is too long."""
    # Only here: the analysis brings NumPy and the champion, which the server itself does without.
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
    return gzip.compress(
        msgspec.json.encode(msgspec.convert(shown, ReviewInfo, from_attributes=True)), 6, mtime=0
    )
