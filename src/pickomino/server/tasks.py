"""Work that goes on beside whoever began it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


def spawn(tasks: set[asyncio.Task[Any]], work: Coroutine[Any, Any, Any]) -> None:
    """Begin it; the event loop alone would not hold on to it, so it is among `tasks` until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
