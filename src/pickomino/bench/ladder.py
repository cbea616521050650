"""A policy against bots that stay what they are, rung by rung, with the luck of the dice taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from pickomino.arena import Share, Spec, run_arena
from pickomino.arena.tally import FairShare

LADDER: Final = ("random", "cautious", "medium", "ev", "champion")


class Rung(NamedTuple):
    """Games of two against one bot of the ladder."""

    bot: str
    games: int
    share: Share  # the policy's part of the wins
    # The same with luck taken out; not where `random` plays, whose games it does not calm.
    fair: FairShare | None
    decisions_by_cautious: int  # in place of the policy


def climb(
    policy: str,
    games: int,
    seed: int = 0,
    workers: int | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> list[Rung]:
    """Every rung but the policy itself, `classic` with two seats, all on the same dice."""
    rungs = []
    for bot in LADDER:
        if bot == policy:
            continue
        told(f"{policy} against {bot}")
        spec = Spec((policy, bot), games=games, seed=seed, luck_adjusted="random" not in (policy, bot))
        found = run_arena(spec, workers=workers)
        rungs.append(
            Rung(bot, found.shares[0].games, found.shares[0], found.fair_shares[0], found.failures[0])
        )
    return rungs
