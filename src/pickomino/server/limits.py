"""Rate limits: token buckets, in memory, that forget whoever has been quiet long enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Final

import msgspec

from pickomino.server.errors import Refused


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many a second in the long run. A rate of 0 means no limit."""

    per_second: float
    burst: float


class Bucket:
    """One sender's allowance."""

    __slots__ = ("_rate", "_seen", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._seen = now

    def take(self, now: float) -> float:
        """0 if there is one left, and it is taken; else the seconds until there is one."""
        rate = self._rate
        if not rate.per_second:
            return 0.0
        self._tokens = min(rate.burst, self._tokens + (now - self._seen) * rate.per_second)
        self._seen = now
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            return 0.0
        return (1.0 - self._tokens) / rate.per_second

    def full(self, now: float) -> bool:
        return self._tokens + (now - self._seen) * self._rate.per_second >= self._rate.burst


class Limiter:
    """A bucket for each sender: address, guest, whatever can be told apart."""

    SWEEP: Final = 4096  # buckets before the full ones, which say nothing, are dropped

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[Hashable, Bucket] = {}
        self._sweep_at = self.SWEEP

    def check(self, sender: Hashable) -> None:
        """Raises `Refused` with the time to wait."""
        if not self._rate.per_second:
            return
        now = self._clock()
        bucket = self._buckets.get(sender)
        if bucket is None:
            if len(self._buckets) >= self._sweep_at:
                self._buckets = {key: kept for key, kept in self._buckets.items() if not kept.full(now)}
                self._sweep_at = max(self.SWEEP, 2 * len(self._buckets))
            bucket = self._buckets[sender] = Bucket(self._rate, now)
        if wait := bucket.take(now):
            raise Refused("rate_limited", f"too many; try again in {wait:.1f} s", retry=wait)


class Counter:
    """How many things each sender has open, with a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: dict[Hashable, int] = {}

    def enter(self, sender: Hashable) -> bool:
        count = self._open.get(sender, 0)
        if self._limit and count >= self._limit:
            return False
        self._open[sender] = count + 1
        return True

    def leave(self, sender: Hashable) -> None:
        count = self._open.get(sender, 0) - 1
        if count > 0:
            self._open[sender] = count
        else:
            self._open.pop(sender, None)
