"""One report on any policy: a fixed ladder of bots with luck removed, and its exact loss in solved games.

``pickomino bench POLICY`` runs it (docs/bench.md). Extras ``arena`` and ``envs``.
"""

from __future__ import annotations

from pickomino.bench.exact import exact_loss, solved
from pickomino.bench.report import as_json, as_markdown, run_bench

__all__ = ["as_json", "as_markdown", "exact_loss", "run_bench", "solved"]
