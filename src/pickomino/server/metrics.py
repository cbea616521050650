"""What a server counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each, which says when the process started


class Figures:
    """The figures of one server; names have the prefix ``pickomino_``, and counters end in ``_total``."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self.requests: Final = self._counter("http_requests", "HTTP requests", "route", "status")
        self.request_seconds: Final = self._histogram(
            "http_request_seconds", "Time to answer an HTTP request"
        )
        self.messages: Final = self._counter("messages", "WebSocket messages", "kind", "code")
        self.entries: Final = self._counter("entries", "Entries stored")
        self.deliveries: Final = self._counter("deliveries", "States sent to connections")
        self.store_seconds: Final = self._histogram("store_seconds", "Time to store a move durably")
        self.hints: Final = self._counter("hints", "Hints to and from other processes", "direction")
        self.catch_ups: Final = self._counter("catch_ups", "Times that a table was brought up to its rows")
        self.conflicts: Final = self._counter("conflicts", "Times that another process was first")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, namespace="pickomino", registry=self._registry)

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(name, text, namespace="pickomino", registry=self._registry, buckets=_BOUNDS)

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A figure that is read when somebody asks."""
        Gauge(name, text, namespace="pickomino", registry=self._registry).set_function(read)

    def text(self) -> bytes:
        return generate_latest(self._registry)
