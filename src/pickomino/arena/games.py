"""One chunk of games: a pure function of the specification and the chunk's number, and all that a worker does."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.bots import made_bots
from pickomino.arena.chunk import LUCK, Chunk
from pickomino.arena.luck import LuckMeter
from pickomino.arena.spec import Spec
from pickomino.bots.games import as_policy
from pickomino.bots.protocol import Games
from pickomino.rules import IllegalMoveError, PickominoError, find_edition
from pickomino.simulate import LaneView, Simulator

Choose = Callable[[Games], NDArray[np.int64]]


def play_chunk(spec: Spec, number: int, records: int = 0) -> Chunk:
    """Play all games of a chunk side by side, one simulator for each rotation, so that they share their dice.

    The first so many games are also written down as records. Bots are made anew: nothing they remember from other
    games can matter.
    """
    gc.collect()  # bots of the chunk before and what they remember refer to each other: 50 MB
    groups, seating = len(spec.groups_of(number)), spec.seating(number)
    seed, edition = spec.chunk_seed(number), find_edition(spec.edition)
    simulators = [
        Simulator(edition, spec.players, groups, seed, log=records > rotation)
        for rotation in range(spec.players)
    ]
    present = sorted(set(seating.ravel().tolist()))
    with made_bots([spec.entrants[entrant] for entrant in present]) as bots:
        policies = {
            entrant: as_policy(bot, spec.bot_seed(number, entrant))
            for entrant, bot in zip(present, bots, strict=True)
        }
        meters = [LuckMeter(one) for one in simulators] if spec.luck_adjusted else []
        _play(simulators, seating, policies, spec.entrants, meters)
        failed = {entrant: getattr(bot, "failures", 0) for entrant, bot in zip(present, bots, strict=True)}
    ranks = np.stack([_ranks(simulator) for simulator in simulators], axis=1)  # (groups, rotations, seats)
    unfinished = sum(int(simulator.truncated.sum()) for simulator in simulators)
    text = "".join(_records(spec, seating, simulators, records)) if records else None
    luck = " ".join(map(str, _luck(simulators, meters).ravel().tolist())) if meters else ""
    failures = tuple(failed.get(entrant, 0) for entrant in range(len(spec.entrants)))
    digits = (ranks + ord("0")).astype(np.uint8).tobytes().decode("ascii")
    return Chunk(number, digits, unfinished, text, luck, failures if any(failures) else ())


def _luck(simulators: Sequence[Simulator], meters: Sequence[LuckMeter]) -> NDArray[np.int64]:
    """(groups, rotations, seats); games without an end have none: they count as shared, whatever happened."""
    luck = [
        np.where(one.truncated[:, None], 0.0, meter.luck)
        for one, meter in zip(simulators, meters, strict=True)
    ]
    whole: NDArray[np.int64] = np.rint(np.stack(luck, axis=1) * LUCK).astype(np.int64)
    return whole


def _play(
    simulators: Sequence[Simulator],
    seating: NDArray[np.int8],
    policies: dict[int, Choose],
    names: Sequence[str],
    meters: Sequence[LuckMeter] = (),
) -> None:
    seats = simulators[0].seats
    lanes = np.arange(len(simulators[0]))
    while True:
        running = [simulator.legal_bits != 0 for simulator in simulators]
        if not any(part.any() for part in running):
            return
        acting = [
            np.where(on, seating[rotation, lanes, np.minimum(simulator.seat, seats - 1)], -1)
            for rotation, (simulator, on) in enumerate(zip(simulators, running, strict=True))
        ]
        actions = [np.zeros(len(lanes), dtype=np.int64) for _ in simulators]
        for entrant, choose in policies.items():
            places = [np.flatnonzero(part == entrant) for part in acting]
            if not sum(map(len, places)):
                continue
            views = [simulator.view(at) for simulator, at in zip(simulators, places, strict=True)]
            chosen = choose(LaneView.join(views))
            if np.shape(chosen) != (sum(map(len, places)),):
                raise PickominoError(
                    "bot {names!r}: its batch form did not give a move for each game", names=names[entrant]
                )
            first = 0
            for part, at in zip(actions, places, strict=True):
                part[at] = chosen[first : first + len(at)]
                first += len(at)
        for simulator, part, who in zip(simulators, actions, acting, strict=True):
            if (who >= 0).any():
                try:
                    simulator.step(part)
                except IllegalMoveError as error:
                    playing = ", ".join(sorted({names[entrant] for entrant in who.tolist() if entrant >= 0}))
                    raise PickominoError("one of {playing}: {error}", playing=playing, error=error) from None
        for meter, part in zip(meters, actions, strict=False):
            meter.add(part)


def _ranks(simulator: Simulator) -> NDArray[np.int64]:
    """How many seats did better: who won shares rank 0, the others stand by their worms. (games, seats)"""
    won = simulator.final_shares > 0
    worms = np.where(won, np.iinfo(np.int32).max, simulator.final_scores)
    better: NDArray[np.int64] = (worms[:, None, :] > worms[:, :, None]).sum(axis=2)
    better[simulator.truncated] = 0
    return better


def _records(
    spec: Spec, seating: NDArray[np.int8], simulators: Sequence[Simulator], limit: int
) -> Iterator[str]:
    for game in range(min(limit, len(simulators) * len(simulators[0]))):
        group, rotation = divmod(game, spec.players)
        names = [spec.entrants[entrant] for entrant in seating[rotation, group].tolist()]
        yield ("\n" if game else "") + str(simulators[rotation].record(group, names))
