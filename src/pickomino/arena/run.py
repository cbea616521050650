"""A whole arena: chunks out to workers, results in, checkpoint and records on disk, a result at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pickomino.arena.bots import made_bots
from pickomino.arena.checkpoint import Checkpoint
from pickomino.arena.chunk import Chunk
from pickomino.arena.cluster import play_on_cluster
from pickomino.arena.origin import made_with
from pickomino.arena.processes import cores, play_in_processes
from pickomino.arena.ratings import Rating, rate
from pickomino.arena.records import RecordParts
from pickomino.arena.spec import Spec
from pickomino.arena.tally import FairShare, Share, Tally

_ESTIMATE: Final = ("share", "error", "low", "high")
_SHOWN: Final = ("games", "seats", "wins", *_ESTIMATE)
"""What JSON says of a share."""


@dataclass(frozen=True)
class ArenaProgress:
    """The progress of an arena, reported after every chunk."""

    tally: Tally
    seconds: float
    rest: float | None  # seconds to go, by the speed of this run; None before its first chunk


@dataclass(frozen=True)
class ArenaResult:
    """The result of an arena."""

    spec: Spec
    shares: list[Share]
    fair_shares: list[FairShare | None]
    ratings: list[Rating]
    failures: list[int]  # per entrant, decisions that `cautious` made in its place
    unfinished: int
    seconds: float
    chunks: list[Chunk] = field(repr=False)

    @property
    def equal_share(self) -> float:
        """What every seat would win if all were equally strong."""
        return 1 / self.spec.players

    def as_json(self) -> dict[str, Any]:
        spec, equal = self.spec, self.equal_share
        return {
            "edition": spec.edition,
            "players": spec.players,
            "games": spec.games_played,
            "groups": spec.groups,
            "seed": spec.seed,
            "entrants": [
                {
                    "bot": bot,
                    **{name: getattr(share, name) for name in _SHOWN},
                    "above_equal": {
                        "share": share.share - equal,
                        "low": None if share.low is None else share.low - equal,
                        "high": None if share.high is None else share.high - equal,
                    },
                    **_fair_json(fair),
                    "rating": rating._asdict(),
                    "decisions_by_cautious": failures,
                }
                for bot, share, fair, rating, failures in zip(
                    spec.entrants, self.shares, self.fair_shares, self.ratings, self.failures, strict=True
                )
            ],
            "equal_share": equal,
            "unfinished": self.unfinished,
            "seconds": round(self.seconds, 3),
            **made_with(spec),
            "settings": spec.as_json(),
        }


def run_arena(
    spec: Spec,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    checkpoint: str | None = None,
    resume: bool = False,
    records: str | None = None,
    records_limit: int | None = None,
    progress: Callable[[ArenaProgress], None] | None = None,
) -> ArenaResult:
    """Play all games and return the result.

    The result depends on `spec` alone: not on the workers, the order they finish in, or interruptions. `workers`
    are processes of this machine, by default one per core; `cluster` is the address of a Ray cluster, or "".
    """
    began = time.monotonic()
    with made_bots(spec.entrants):  # a bad name is an error here, before anything starts
        pass
    tally = Tally(spec)
    kept = Checkpoint(checkpoint, spec, resume=resume) if checkpoint is not None else None
    parts = RecordParts(records, spec, records_limit, resume=resume) if records is not None else None
    finished: dict[int, Chunk] = {}

    def count(chunk: Chunk) -> None:
        finished[chunk.number] = chunk
        tally.add(chunk)

    try:
        for number, chunk in sorted(kept.finished.items()) if kept is not None else ():
            if parts is None or parts.has(number):
                count(chunk)
        todo = [number for number in range(spec.chunks) if number not in finished]
        wanted = parts.wanted if parts is not None else {}
        played: Generator[Chunk, None, None]
        if cluster is not None:
            played = play_on_cluster(spec, todo, cluster, wanted)
        else:
            played = play_in_processes(spec, todo, workers or cores(), wanted)
        known = len(finished)
        with closing(played):
            for chunk in played:
                if parts is not None:
                    parts.add(chunk)
                if kept is not None and chunk.number not in kept.finished:
                    kept.add(chunk)
                count(replace(chunk, records=None))
                if progress is not None:
                    seconds = time.monotonic() - began
                    rest = seconds * (spec.chunks - len(finished)) / (len(finished) - known)
                    progress(ArenaProgress(tally, seconds, rest))
        if parts is not None:
            parts.join()
    finally:
        if kept is not None:
            kept.close()
    in_order = [finished[number] for number in sorted(finished)]
    fair = [tally.fair_share(entrant) for entrant in range(len(spec.entrants))]
    ratings, seconds = rate(spec, in_order), time.monotonic() - began
    return ArenaResult(
        spec, tally.shares(), fair, ratings, tally.failures, tally.unfinished, seconds, in_order
    )


def _fair_json(fair: FairShare | None) -> dict[str, Any]:
    return {} if fair is None else {"luck_adjusted": {name: getattr(fair, name) for name in _ESTIMATE}}
