"""``python -m pickomino.baselines ppo|td``: train a baseline, with its curve and its exact loss where it is solved.

    python -m pickomino.baselines ppo --out runs                        classic, two seats
    python -m pickomino.baselines td --tiles 21,25,29 --out runs        a game that is solved whole

It writes NAME.npz (weights) and NAME.csv (a curve) to the folder. OPENBLAS_NUM_THREADS=1 is quickest.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pickomino.baselines.measure import Curve, duel
from pickomino.baselines.policy import NetBot
from pickomino.baselines.ppo import Ppo, PpoSettings
from pickomino.baselines.td import Td, TdBot, TdSettings
from pickomino.bench.exact import exact_loss, solved
from pickomino.bots import make_bot
from pickomino.envs.vector import PickominoVectorEnv
from pickomino.rules import PickominoError, Position
from pickomino.solver.whole import WholeGame

LANES = 512
POINTS = 16  # of a curve


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pickomino.baselines",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("learner", choices=("ppo", "td"))
    parser.add_argument(
        "--steps", type=int, default=PpoSettings.steps, help="ppo: decisions (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=TdSettings.rounds, help="td: rounds of 256 games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--tiles", default="", help="learn and measure the solved game of these tiles instead"
    )
    parser.add_argument("--out", type=Path, default=Path("baselines"))
    arguments = parser.parse_args(argv)
    try:
        tiles = tuple(int(tile) for tile in arguments.tiles.split(",") if tile)
        game = solved(tiles) if tiles else None
    except (ValueError, PickominoError) as error:
        parser.error(f"--tiles {arguments.tiles}: {error}")
    name = "-".join([arguments.learner, *map(str, tiles or ("classic", 2))])
    curve = Curve(arguments.out / f"{name}.csv")
    net = (_ppo if arguments.learner == "ppo" else _td)(arguments, game, curve)
    net.save(arguments.out / f"{name}.npz")
    return 0


def _ppo(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Any:
    start: Position | None = None if game is None else game.start
    settings = PpoSettings(steps=arguments.steps, seed=arguments.seed)
    learner = Ppo([PickominoVectorEnv(LANES, seats=2, start=start)], settings)
    shown = 0
    for progress in learner.train():
        if progress.steps * POINTS >= shown * settings.steps:
            shown = progress.steps * POINTS // settings.steps + 1
            curve.add(steps=progress.steps, entropy=progress.entropy, **_figures(NetBot(learner.net), game))
    return learner.net


def _td(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Any:
    start: Position | None = None if game is None else game.start
    settings = TdSettings(start=start, rounds=arguments.rounds, seed=arguments.seed)
    learner = Td(settings)
    for number, progress in enumerate(learner.train(), 1):
        if number % max(1, settings.rounds // POINTS) == 0 or number == settings.rounds:
            figures = _figures(TdBot(net=learner.net.copy()), game)
            curve.add(games=progress.games, turns=progress.turns, error=progress.error, **figures)
    return learner.net


def _figures(bot: Any, game: WholeGame | None) -> dict[str, float]:
    if game is None:
        return {name: duel(bot, make_bot(name)) for name in ("cautious", "ev")}
    loss = exact_loss(bot, game)
    return {"against_best_play": loss.against_best_play, "exploitability": loss.exploitability}


if __name__ == "__main__":
    sys.exit(main())
