"""A process beside the server for what takes long: a thread would take turns with the event loop, and every table would
wait for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any, Final, TypeVar

from pickomino.server.errors import Refused

T = TypeVar("T")

MAX_WAITING: Final = 16
"""Under way or waiting for their turn. Whoever comes then is told to come back."""


class Worker:
    """Started by the first who asks; it goes when nobody has asked for a while."""

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds: Final = idle_seconds
        self._pool: ProcessPoolExecutor | None = None
        self._under_way = 0
        self._idle: asyncio.TimerHandle | None = None

    async def do(self, work: Callable[..., T], *args: Any) -> T:
        """One thing after another. `work` is found by its name, arguments and result travel."""
        if self._under_way >= MAX_WAITING:
            raise Refused("unavailable", "too many of these are waiting; try again", retry=10.0)
        loop = asyncio.get_running_loop()
        if self._idle is not None:
            self._idle.cancel()
        self._under_way += 1
        try:
            return await loop.run_in_executor(self._started(), work, *args)
        except BrokenExecutor:
            self.close()  # killed from outside: the next one who asks gets another
            raise Refused("unavailable", "it was interrupted; try again", retry=5.0) from None
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle = loop.call_later(self._idle_seconds, self.close)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned: a fork of a process with threads and an event loop may stand still for ever.
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_stand_back)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _stand_back() -> None:
    """Games come first: a low priority; Ctrl+C is for the server, and without it there is no reason to
    be here."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_follow_the_server, daemon=True).start()


def _follow_the_server() -> None:
    if (server := multiprocessing.parent_process()) is not None:
        server.join()
        os._exit(0)
