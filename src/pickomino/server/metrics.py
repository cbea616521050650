"""What a server counts, for Prometheus.

The event loop alone counts, several times per message, so counting is an addition here; the library's own counters
take a lock each time. What it reads and how that is written is the library's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Occurrences(Collector):
    """How often something has happened, by labels if it has any."""

    def __init__(self, name: str, text: str, *labels: str) -> None:
        self._name, self._text, self._labels = name, text, labels
        self._counts: dict[tuple[str, ...], int] = {} if labels else {(): 0}

    def inc(self, *labels: str, amount: int = 1) -> None:
        self._counts[labels] = self._counts.get(labels, 0) + amount

    def collect(self) -> Iterator[CounterMetricFamily]:
        found = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for labels, count in self._counts.items():
            found.add_metric(labels, count)
        yield found


class Durations(Collector):
    """How long something has taken."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self._counts = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        bounds = [*map(str, _BOUNDS), "+Inf"]
        counts = [float(count) for count in accumulate(self._counts)]
        buckets = list(zip(bounds, counts, strict=True))
        yield HistogramMetricFamily(self._name, self._text, buckets=buckets, sum_value=self._sum)


class Figures:
    """The figures of one server; names have the prefix ``pickomino_``, and counters end in ``_total``."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self.requests: Final = self._occurrences("http_requests", "HTTP requests", "route", "status")
        self.request_seconds: Final = self._durations(
            "http_request_seconds", "Time to answer an HTTP request"
        )
        self.messages: Final = self._occurrences("messages", "WebSocket messages", "kind", "code")
        self.entries: Final = self._occurrences("entries", "Entries stored")
        self.deliveries: Final = self._occurrences("deliveries", "States sent to connections")
        self.store_seconds: Final = self._durations("store_seconds", "Time to store a move durably")
        self.hints: Final = self._occurrences("hints", "Hints to and from other processes", "direction")
        self.catch_ups: Final = self._occurrences(
            "catch_ups", "Times that a table was brought up to its rows"
        )
        self.conflicts: Final = self._occurrences("conflicts", "Times that another process was first")

    def _occurrences(self, name: str, text: str, *labels: str) -> Occurrences:
        found = Occurrences(f"pickomino_{name}", text, *labels)
        self._registry.register(found)
        return found

    def _durations(self, name: str, text: str) -> Durations:
        found = Durations(f"pickomino_{name}", text)
        self._registry.register(found)
        return found

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A figure that is read when somebody asks."""
        Gauge(name, text, namespace="pickomino", registry=self._registry).set_function(read)

    def text(self) -> bytes:
        return generate_latest(self._registry)
