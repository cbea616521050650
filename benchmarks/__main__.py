"""``make bench``: every figure that the project claims, or those that are named.

make bench ARGS="rules turn"
"""

from __future__ import annotations

import importlib
import sys

ALL = (
    "rules",
    "turn",
    "whole",
    "simulate",
    "bots",
    "envs",
    "consistency",
    "server",
    "every_seat",
    "server_attacks",
    "processes",
    "page",
)
"""Strength tables take longer and are made by ``python -m benchmarks.strength``, tuned `ev` by ``benchmarks.tune``.
The figures of docs/review.md are made by ``python -m benchmarks.review``."""


def main() -> int:
    names = sys.argv[1:] or list(ALL)
    unknown = [name for name in names if name not in ALL]
    if unknown:
        print(f"benchmarks: no {', '.join(unknown)}; expected {', '.join(ALL)}", file=sys.stderr)
        return 2
    sys.argv[1:] = []
    for name in names:
        print(f"--- {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
