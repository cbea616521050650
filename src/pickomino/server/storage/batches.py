"""Jobs that arrive while others are on their way to the database go there together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

from pickomino.server.tasks import spawn

Job = TypeVar("Job")


def resolve(future: asyncio.Future[Any], answer: object) -> None:
    """Tell a caller, unless it has gone; an exception is raised there."""
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


class Batches(Generic[Job]):
    """Hands waiting jobs on, at most `most` in a batch and `at_once` batches under way.

    `settle` answers every job of its batch and never raises.
    """

    def __init__(self, settle: Callable[[list[Job]], Awaitable[None]], *, most: int, at_once: int) -> None:
        self._settle: Final = settle
        self._most: Final = most
        self._at_once: Final = at_once
        self._waiting: list[Job] = []
        self._under_way = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, job: Job) -> None:
        self._waiting.append(job)
        if self._under_way < self._at_once:
            self._under_way += 1
            spawn(self._tasks, self._work())

    async def close(self) -> None:
        """Everything handed in is finished first."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._settle(batch)
        finally:
            # Counted here and not when the task is seen to be gone: whoever was answered last may ask again before.
            self._under_way -= 1
