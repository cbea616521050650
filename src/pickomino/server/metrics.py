"""Figures for Prometheus, in its text format: counters, gauges read when asked for, and histograms."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

__all__ = ["CONTENT_TYPE", "Figures", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class _Histogram:
    __slots__ = ("count", "counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(_BOUNDS) + 1)
        self.count = 0
        self.total = 0.0


class Metrics:
    """Names are without the prefix ``pickomino_``; a label, where there is one, is called as given."""

    def __init__(self) -> None:
        self._help: dict[str, tuple[str, str, str]] = {}  # name -> kind, help, label
        self._counters: dict[str, dict[str, float]] = {}
        self._gauges: dict[str, Callable[[], float]] = {}
        self._histograms: dict[str, _Histogram] = {}

    def counter(self, name: str, text: str, label: str = "") -> Callable[..., None]:
        """The function that counts: ``add("kW")`` with a label's value, ``add()`` without."""
        self._help[name] = ("counter", text, label)
        values = self._counters[name] = {} if label else {"": 0.0}

        def add(value: str = "", by: float = 1.0) -> None:
            values[value] = values.get(value, 0.0) + by

        return add

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        self._help[name] = ("gauge", text, "")
        self._gauges[name] = read

    def histogram(self, name: str, text: str) -> Callable[[float], None]:
        """The function that notes a number of seconds."""
        self._help[name] = ("histogram", text, "")
        kept = self._histograms[name] = _Histogram()

        def observe(seconds: float) -> None:
            kept.counts[bisect_left(_BOUNDS, seconds)] += 1
            kept.count += 1
            kept.total += seconds

        return observe

    def text(self) -> str:
        lines: list[str] = []
        for name, (kind, text, label) in self._help.items():
            full = f"pickomino_{name}"
            lines += [f"# HELP {full} {text}", f"# TYPE {full} {kind}"]
            if kind == "counter":
                for value, count in sorted(self._counters[name].items()):
                    lines.append(f'{full}{{{label}="{value}"}} {count:g}' if label else f"{full} {count:g}")
            elif kind == "gauge":
                lines.append(f"{full} {self._gauges[name]():g}")
            else:
                lines += self._histogram_lines(full, self._histograms[name])
        return "\n".join(lines) + "\n"

    @staticmethod
    def _histogram_lines(full: str, kept: _Histogram) -> list[str]:
        lines, below = [], 0
        for bound, count in zip((*_BOUNDS, "+Inf"), kept.counts, strict=True):
            below += count
            lines.append(f'{full}_bucket{{le="{bound}"}} {below}')
        return [*lines, f"{full}_sum {kept.total:g}", f"{full}_count {kept.count}"]


class Figures(Metrics):
    """What a server counts."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: Final = self.counter("http_requests_total", "HTTP requests", "route_status")
        self.request_seconds: Final = self.histogram("http_request_seconds", "Time to answer an HTTP request")
        self.messages: Final = self.counter("messages_total", "WebSocket messages", "kind_code")
        self.entries: Final = self.counter("entries_total", "Entries stored")
        self.deliveries: Final = self.counter("deliveries_total", "States sent to connections")
        self.store_seconds: Final = self.histogram("store_seconds", "Time to store a move durably")
        self.hints: Final = self.counter("hints_total", "Hints to and from other processes", "direction")
        self.catch_ups: Final = self.counter(
            "catch_ups_total", "Times that a table was brought up to its rows"
        )
        self.conflicts: Final = self.counter("conflicts_total", "Times that another process was first")
