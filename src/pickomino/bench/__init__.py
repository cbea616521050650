"""One report on any policy: a fixed ladder of bots with luck removed, and its exact loss in solved games.

``pickomino bench POLICY`` runs it (docs/bench.md). Extras ``arena`` and ``envs``.
"""

from __future__ import annotations

from pickomino.bench.exact import SOLVED, ExactLoss, exact_loss, solved
from pickomino.bench.ladder import LADDER, Rung, climb
from pickomino.bench.report import BenchResult, as_json, as_markdown, run_bench

__all__ = [
    "LADDER",
    "SOLVED",
    "BenchResult",
    "ExactLoss",
    "Rung",
    "as_json",
    "as_markdown",
    "climb",
    "exact_loss",
    "run_bench",
    "solved",
]
