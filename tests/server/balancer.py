"""The plainest load balancer: every connection goes to any process that takes it."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Sequence
from contextlib import suppress

from tests.server.parts import ServerProcess


class Balancer:
    """On a port of its own, in a thread of its own."""

    def __init__(self, processes: Sequence[ServerProcess]) -> None:
        self._processes = processes
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop
        ).result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def close(self) -> None:
        async def end() -> None:
            self._server.close()
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.1)  # the loop says goodbye to what was aborted

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for process in random.sample(self._processes, len(self._processes)):
            with suppress(OSError, asyncio.CancelledError):
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", process.port)
                try:
                    await asyncio.gather(_pipe(reader, far_writer), _pipe(far_reader, writer))
                finally:
                    far_writer.transport.abort()
                    writer.transport.abort()
                return
        writer.transport.abort()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
