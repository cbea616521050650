"""The bus over Redis: publish and subscribe, one channel per table. While Redis is away nothing is queued."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from pickomino.server.bus import Bus, BusListener
from pickomino.server.logs import facts, log
from pickomino.server.tasks import woken

PREFIX: Final = b"pickomino:"
CHUNK: Final = 1000
"""Channels in one command."""
QUIET_SECONDS: Final = 3.0
"""Without a text for so long Redis is asked for a word."""
DEAF_SECONDS: Final = 9.0
"""Without a word for so long it counts as away."""
AGAIN_SECONDS: Final = 0.5


class RedisBus(Bus):
    """One connection that listens, one that speaks; both are made anew when one fails."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._up = False
        self._followed: set[str] = set()
        self._changed: dict[str, None] = {}  # tables to subscribe or unsubscribe, in order
        self._texts: list[tuple[bytes, bytes]] = []
        self._rouse = asyncio.Event()
        self._heard_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def up(self) -> bool:
        return self._up

    async def start(self, listener: BusListener) -> None:
        self._task = asyncio.get_running_loop().create_task(self._live(listener))

    async def stop(self) -> None:
        if self._task is not None:
            await self._flush_at_last()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _flush_at_last(self) -> None:
        for _ in range(20):
            if not self._texts or not self._up:
                return
            await asyncio.sleep(0.01)

    def send(self, table: str, text: bytes) -> None:
        if self._up:
            self._texts.append((PREFIX + table.encode(), text))
            self._rouse.set()

    def follow(self, table: str) -> None:
        self._followed.add(table)
        self._changed[table] = None
        self._rouse.set()

    def unfollow(self, table: str) -> None:
        self._followed.discard(table)
        self._changed[table] = None
        self._rouse.set()

    # --- the connection ---

    async def _live(self, listener: BusListener) -> None:
        told = False
        while True:
            redis = Redis.from_url(
                self._url, socket_connect_timeout=2, socket_timeout=DEAF_SECONDS, retry=Retry(NoBackoff(), 0)
            )
            try:
                await self._session(redis, redis.pubsub(), listener)
            except Exception as error:
                # Whatever it is: without the bus the rows are looked at, and it is tried again.
                if self._up or not told:
                    log.warning(
                        "Redis does not answer; reading the rows instead",
                        extra=facts(why=type(error).__name__),
                    )
                told = True
            finally:
                self._up = False
                self._texts.clear()
                with contextlib.suppress(RedisError, OSError, TimeoutError):
                    await redis.aclose()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _session(self, redis: Redis, pubsub: PubSub, listener: BusListener) -> None:
        await pubsub.subscribe(PREFIX)  # so that there is always something to listen to
        self._changed = dict.fromkeys(self._followed)
        self._heard_at = time.monotonic()
        self._up = True
        self._rouse.set()
        log.info("Redis answers")
        tasks = [
            asyncio.ensure_future(self._speak(redis, pubsub)),
            asyncio.ensure_future(self._listen(pubsub, listener)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(RedisError, OSError, TimeoutError):
                await pubsub.aclose()  # type: ignore[no-untyped-call]
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _speak(self, redis: Redis, pubsub: PubSub) -> None:
        speaker: Any = await redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        await speaker.send_command("CLIENT", "REPLY", "OFF")  # nobody waits for what a hint reached
        while True:
            await woken(self._rouse, QUIET_SECONDS)
            self._rouse.clear()
            if self._changed:
                await self._subscribe(pubsub)
            if self._texts:
                texts, self._texts = self._texts, []
                await speaker.send_packed_command(
                    speaker.pack_commands([(b"PUBLISH", channel, text) for channel, text in texts])
                )
            now = time.monotonic()
            if now - self._heard_at > DEAF_SECONDS:
                raise TimeoutError("Redis does not respond")
            if now - self._heard_at > QUIET_SECONDS:
                await pubsub.ping()

    async def _subscribe(self, pubsub: PubSub) -> None:
        changed, self._changed = list(self._changed), {}
        for start in range(0, len(changed), CHUNK):
            part = changed[start : start + CHUNK]
            come = [PREFIX + table.encode() for table in part if table in self._followed]
            gone = [PREFIX + table.encode() for table in part if table not in self._followed]
            if come:
                await pubsub.subscribe(*come)
            if gone:
                await pubsub.unsubscribe(*gone)

    async def _listen(self, pubsub: PubSub, listener: BusListener) -> None:
        while True:
            message: Any = await pubsub.get_message(timeout=None)
            self._heard_at = time.monotonic()
            if message is None:
                continue
            channel: bytes = message["channel"] or b""
            table = channel[len(PREFIX) :].decode()
            if message["type"] == "message":
                listener.hinted(table, message["data"])
            elif message["type"] == "subscribe" and table:
                listener.joined(table)
