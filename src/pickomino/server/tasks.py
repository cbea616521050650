"""Work that goes on beside whoever began it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pickomino.server.logs import facts, log
from pickomino.server.storage.base import Unavailable


def spawn(tasks: set[asyncio.Task[Any]], work: Coroutine[Any, Any, Any]) -> None:
    """Begin it; the event loop alone would not hold on to it, so it is among `tasks` until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


@contextmanager
def reported(what: str, problem: str) -> Iterator[None]:
    """One round of work that is done again and again: what goes wrong in it is logged, and the next round comes."""
    try:
        yield
    except Unavailable:
        log.warning("the database does not answer", extra=facts(what=what))
    except Exception:
        log.exception(problem)


async def woken(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait until it is set, or so long; whether it is."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
