"""Policies through all of it, and one report: Markdown for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pickomino import __version__
from pickomino.arena.bots import made_bots
from pickomino.bench.exact import SOLVED, ExactLoss, exact_loss, solved
from pickomino.bench.ladder import LADDER, Rung, climb
from pickomino.bots.champion.net import weights_digest
from pickomino.bots.protocol import MixedBot
from pickomino.rules import find_edition


@dataclass(frozen=True)
class BenchResult:
    """What came of one policy."""

    policy: str
    rungs: list[Rung]
    losses: list[ExactLoss]


def run_bench(
    policies: Sequence[str],
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> list[BenchResult]:
    """Every policy (a bot as the arena names it) against the ladder and in the solved games."""
    results = []
    with made_bots(policies) as bots:  # who is not there is missed before the first game
        for policy, bot in zip(policies, bots, strict=True):
            losses = []
            for tiles in SOLVED:
                told(f"{policy}, exactly, with tiles {', '.join(map(str, tiles))}")
                losses.append(exact_loss(_mixed(bot), solved(tiles), seed))
            results.append(BenchResult(policy, climb(policy, games, seed, workers, told), losses))
    return results


def _mixed(bot: Any) -> Any:
    """A bot that knows how likely its moves are, without what is wrapped around it; any other as it is."""
    inner = bot
    while inner is not None and not isinstance(inner, MixedBot):
        inner = getattr(inner, "bot", None) or getattr(inner, "batch", None)
    return bot if inner is None else inner


def as_json(results: Sequence[BenchResult], games: int, seed: int) -> dict[str, Any]:
    return {
        "version": __version__,
        "weights": weights_digest(find_edition("classic"), 2),
        "numpy": np.__version__,
        "edition": "classic",
        "seats": 2,
        "games": games,
        "seed": seed,
        "policies": [
            {
                "policy": result.policy,
                "ladder": [
                    {
                        "bot": rung.bot,
                        "games": rung.games,
                        **{name: getattr(rung.share, name) for name in ("share", "error", "low", "high")},
                        "luck_adjusted": None if rung.fair is None else asdict(rung.fair),
                        "decisions_by_cautious": rung.decisions_by_cautious,
                    }
                    for rung in result.rungs
                ],
                "solved": [loss._asdict() for loss in result.losses],
            }
            for result in results
        ],
    }


def as_markdown(results: Sequence[BenchResult], games: int, seed: int) -> str:
    """The report as people read it."""
    names = " ".join(result.policy for result in results)
    heads = [f"tiles {', '.join(map(str, tiles))}" for tiles in SOLVED]
    lines = [
        "# Benchmark report",
        "",
        f"`pickomino bench {names} --games {games} --seed {seed}`, version {__version__}, weights of the champion "
        f"{weights_digest(find_edition('classic'), 2)}, NumPy {np.__version__}.",
        "",
        "## Against the ladder",
        "",
        f"`classic`, two seats, {games:,} games each in pairs with the same dice: the policy's share of the wins in "
        "per cent with half its 95 % interval, luck removed; where `random` plays, the plain result.",
        "",
        f"| policy | {' | '.join(LADDER)} |",
        "|---" * (len(LADDER) + 1) + "|",
    ]
    for result in results:
        shown = {rung.bot: _share(rung) for rung in result.rungs}
        lines.append(f"| `{result.policy}` | {' | '.join(shown.get(bot, '–') for bot in LADDER)} |")
    lines += [
        "",
        "## In solved games, exactly",
        "",
        "What the policy gives away per game, in parts of a win, averaged over both seats, with these tiles on the "
        "grill: against best play, and against an opponent that knows the policy (its exploitability). Best play gives "
        "away 0. No games are played: all turn starts and all rolls are evaluated.",
        "",
        "| policy | " + " | ".join(f"{head}: best play | exploitability" for head in heads) + " |",
        "|---" * (2 * len(heads) + 1) + "|",
    ]
    for result in results:
        cells = [f"{loss.against_best_play:.5f} | {loss.exploitability:.5f}" for loss in result.losses]
        lines.append(f"| `{result.policy}` | {' | '.join(cells)} |")
    failed = [(result.policy, sum(rung.decisions_by_cautious for rung in result.rungs)) for result in results]
    for policy, count in failed:
        if count:
            lines += ["", f"`cautious` made {count:,} decisions in place of `{policy}`, which failed there."]
    return "\n".join([*lines, ""])


def _share(rung: Rung) -> str:
    shown = rung.share if rung.fair is None else rung.fair
    if shown.low is None or shown.high is None:
        return f"{100 * shown.share:.1f}"
    return f"{100 * shown.share:.1f} ± {50 * (shown.high - shown.low):.1f}"
