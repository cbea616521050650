"""The environment on a GPU: decisions per second with random legal moves, by edition, seats and number of games.

python -m benchmarks.envs_gpu --out envs.json                  (needs PyTorch; a CUDA device, or --device cpu)

A step is one decision in every game: a uniformly random legal move is drawn, the dice fall, and the next legal moves
are known; games that end begin anew. `observed` also writes what the seats to act see. Timed over whole steps between
two synchronisations, the median of five rounds; the time to compile is given apart. Every line first checks some
positions against the rules.

--champion SIZES measures the agent's own steps with the champion in all other seats instead, the agent playing random
legal moves: only decisions of the agent count, whoever else has to decide in the same step.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import torch

from pickomino.compact.packed import unpack
from pickomino.envs.torch import PickominoTorchEnv
from pickomino.rules import Phase
from pickomino.tensor import Array, RunningGames, packed_games

CASES = (("classic", 2), ("classic", 4), ("classic+fast", 7), ("deluxe", 2), ("deluxe", 4))


def checked(env: PickominoTorchEnv, step: Callable[[RunningGames], RunningGames], games: int = 200) -> int:
    """Decisions of some games after which the rules agree: the position is one that a move and rolls lead to."""
    lanes = env.xp.asarray(list(range(games)), env.xp.int64)
    before = [unpack(row, env.edition) for row in packed_games(env.games[lanes])]
    env.games = step(env.games)
    found = [unpack(row, env.edition) for row in packed_games(env.games[lanes])]
    agreed = 0
    for position, following in zip(before, found, strict=True):
        legal = {str(position.apply(move).position) for move in position.moves()}
        if following.phase is Phase.GO:  # no dice fell: it must be one of them
            assert str(following) in legal, f"{position} does not lead to {following}"
            agreed += 1
    return agreed


def rate(env: PickominoTorchEnv, step: Callable[[RunningGames], Any], steps: int, rounds: int = 5) -> float:
    """Decisions a second."""
    found = []
    for _ in range(rounds):
        synchronise(env)
        began = time.perf_counter()
        for _ in range(steps):
            env.games = step(env.games)
        synchronise(env)
        found.append(env.num_envs * steps / (time.perf_counter() - began))
    return statistics.median(found)


def synchronise(env: PickominoTorchEnv) -> None:
    if env.xp.on_gpu:
        torch.cuda.synchronize()


def stepper(env: PickominoTorchEnv, way: str, observed: bool) -> Callable[[RunningGames], RunningGames]:
    """One step at random; `way`: plain, compiled, or recorded and replayed (which works in place)."""

    def step(games: RunningGames) -> tuple[RunningGames, Array]:
        xp, decisions = env.decisions.rules.xp, env.decisions
        move, sides = decisions.random_moves(games, xp), decisions.draw(len(games), xp)
        if observed:
            games, _, seen = env._play(games, move, sides)
            return games, seen
        return decisions.decide(games, move, sides)[0], move

    if way == "recorded":
        return recorded(env, step)
    run = torch.compile(step, fullgraph=True, dynamic=False) if way == "compiled" else step
    return lambda games: run(games)[0]


def recorded(
    env: PickominoTorchEnv, step: Callable[[RunningGames], tuple[RunningGames, Array]]
) -> Callable[[RunningGames], RunningGames]:
    games = env.games
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(2):
            games.write(step(games)[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        games.write(step(games)[0])

    def replay(_: RunningGames) -> RunningGames:
        graph.replay()
        return games

    return replay


def against_champion(seats: int, size: int, steps: int, device: str, rounds: int = 5) -> dict[str, Any]:
    """The agent's steps a second; `turns` are those of the champions."""
    torch._dynamo.reset()
    env = PickominoTorchEnv(size, seats=seats, players=[None, *["champion"] * (seats - 1)], device=device)
    seen = env.reset(seed=1)
    for _ in range(300):  # away from the start, where all games are alike
        seen = env.step(env.sample_legal())
    own, turns = [], []
    for _ in range(rounds):
        mine = begun = 0
        synchronise(env)
        began = time.perf_counter()
        for _ in range(steps):
            mine += (seen.seat == 0).sum()
            begun += ((seen.seat > 0) & ~(env.games.kept > 0).any(-1).any(-1)).sum()
            seen = env.step(env.sample_legal())
        synchronise(env)
        took = time.perf_counter() - began
        own.append(int(mine) / took)
        turns.append(int(begun) / took)
    return {"agent_steps_per_second": round(statistics.median(own)), "turns": round(statistics.median(turns))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--games", default="1048576,4194304", help="games side by side, one or more numbers")
    parser.add_argument("--ways", default="recorded,compiled", help="of plain, recorded, compiled")
    parser.add_argument("--cases", type=int, default=len(CASES), help="so many of the editions and seats")
    parser.add_argument("--steps", type=int, default=20, help="steps of a round")
    parser.add_argument("--champion", help="games side by side against champions, one or more numbers")
    parser.add_argument("--limit", type=float, default=400, help="no new line is begun after so many seconds")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    arguments = parser.parse_args()
    began, lines = time.monotonic(), []
    name = torch.cuda.get_device_name() if arguments.device == "cuda" else arguments.device
    print(f"{name}, PyTorch {torch.__version__}", flush=True)
    if arguments.champion:
        for size, seats in product(map(int, arguments.champion.split(",")), (2, 4)):
            found = against_champion(seats, size, arguments.steps, arguments.device)
            print(json.dumps({"edition": "classic", "seats": seats, "games": size, **found}), flush=True)
        return
    sizes = [int(part) for part in arguments.games.split(",")]
    for key, seats in CASES[: arguments.cases]:
        for size in sizes if (key, seats) == CASES[0] else sizes[:1]:
            for way in arguments.ways.split(","):
                for observed in (False, True) if way == "compiled" and size == sizes[0] else (False,):
                    if time.monotonic() - began > arguments.limit:
                        continue
                    line: dict[str, Any] = {"edition": key, "seats": seats, "games": size, "way": way}
                    line["observed"] = observed
                    try:
                        line |= measured(key, seats, size, way, observed, arguments)
                    except Exception as error:  # one way that fails must not cost the others their figures
                        line["error"] = f"{type(error).__name__}: {error}"[:400]
                    print(json.dumps(line), flush=True)
                    lines.append(line)
                    if arguments.out is not None:
                        report = {"device": name, "torch": torch.__version__, "lines": lines}
                        arguments.out.write_text(json.dumps(report, indent=1))


def measured(
    key: str, seats: int, size: int, way: str, observed: bool, arguments: argparse.Namespace
) -> dict[str, Any]:
    torch._dynamo.reset()
    began = time.perf_counter()
    env = PickominoTorchEnv(size, key, seats, device=arguments.device, compiled=False)
    step = stepper(env, way, observed)
    for _ in range(3):
        env.games = step(env.games)
    synchronise(env)
    ready = time.perf_counter() - began
    for _ in range(30):  # away from the start, where all games are alike
        env.games = step(env.games)
    agreed = checked(env, step) + checked(env, step)  # keeps in one of them, mostly
    found = rate(env, step, arguments.steps)
    return {"decisions_per_second": round(found), "ready_seconds": round(ready, 1), "checked": agreed}


if __name__ == "__main__":
    main()
