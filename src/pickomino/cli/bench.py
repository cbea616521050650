"""Run policies through the benchmark and write one report."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from pickomino.bench import as_json, as_markdown, run_bench
from pickomino.cli.common import ProgressLine, add_runs, demand_writable
from pickomino.cli.parsing import Parser
from pickomino.locale import t


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t(
            "Run policies through the benchmark and write one report: results against a ladder of "
            "bots, and exact loss in solved games."
        ),
        t(
            "A policy is a bot as in arena, or a class of your own, FILE.py:CLASS or MODULE:CLASS, "
            "with choose or choose_many; parameters come after another colon, as in "
            "MODULE:CLASS:key=value. The games are classic with two seats."
        ),
        examples=(
            ("pickomino bench champion", ""),
            ("pickomino bench my_bot.py:Thief ev --games 5000 --report mine.md --json mine.json", ""),
            ("pickomino bench pickomino.baselines:PpoBot:weights=ppo.npz --games 400", ""),
        ),
    )
    parser.add_argument("policies", metavar="POLICY", nargs="+", help=t("a bot, or FILE.py:CLASS"))
    parser.number("--games", 2, 10**7, t("against each bot of the ladder (default: 1000)"), default=1000)
    add_runs(parser)
    parser.file("--report", t("write the report to this file (Markdown), not to stdout"))
    parser.file("--json", t("write all figures to this file"))


def run(args: argparse.Namespace) -> int:
    for option in ("report", "json"):
        if (path := getattr(args, option)) is not None:
            demand_writable(f"--{option}", path)
    with ProgressLine() as line:

        def told(text: str) -> None:
            if sys.stderr.isatty():
                line.show(lambda: text)

        results = run_bench(args.policies, args.games, args.seed, args.workers, told)
    report = as_markdown(results, args.games, args.seed)
    if args.report is None:
        print(report, end="")
    else:
        _write(args.report, report)
    if args.json is not None:
        _write(args.json, json.dumps(as_json(results, args.games, args.seed), indent=1) + "\n")
    return 0


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, "utf-8", newline="\n")
