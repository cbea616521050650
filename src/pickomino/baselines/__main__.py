"""``python -m pickomino.baselines ppo|dqn|alphazero|td``: train a baseline, with its curve.

    python -m pickomino.baselines ppo --out runs                        classic, two seats
    python -m pickomino.baselines td --tiles 21,25,29 --out runs        a game that is solved: exact loss

It writes NAME.npz (weights) and NAME.csv (a curve) to the folder. OPENBLAS_NUM_THREADS=1 is quickest.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pickomino.baselines.alphazero import AlphaZero, AlphaZeroSettings
from pickomino.baselines.dqn import Dqn, DqnSettings
from pickomino.baselines.measure import Curve, duel
from pickomino.baselines.net import Mlp
from pickomino.baselines.policy import NetBot
from pickomino.baselines.ppo import Ppo, PpoSettings
from pickomino.baselines.td import Td, TdBot, TdSettings
from pickomino.bench.exact import exact_loss, solved
from pickomino.bots import make_bot
from pickomino.envs.vector import PickominoVectorEnv
from pickomino.rules import PickominoError, Position, find_edition
from pickomino.solver.whole import WholeGame, solve_whole

LANES = 512
POINTS = 8  # of a curve


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pickomino.baselines",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("learner", choices=LEARNERS)
    parser.add_argument("--steps", type=int, help="decisions; by default what docs/bench.md was made with")
    parser.add_argument("--rounds", type=int, default=TdSettings.rounds, help="td: rounds of 256 games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--tiles", default="", help="learn and measure the solved game of these tiles instead"
    )
    parser.add_argument("--out", type=Path, default=Path("baselines"))
    arguments = parser.parse_args(argv)
    try:
        tiles = tuple(int(tile) for tile in arguments.tiles.split(",") if tile)
        game = None if not tiles else _alone(tiles) if arguments.learner == "alphazero" else solved(tiles)
    except (ValueError, PickominoError) as error:
        parser.error(f"--tiles {arguments.tiles}: {error}")
    name = "-".join([arguments.learner, *map(str, tiles or ("classic", 2))])
    curve = Curve(arguments.out / f"{name}.csv")
    net = LEARNERS[arguments.learner](arguments, game, curve)
    net.save(arguments.out / f"{name}.npz")
    return 0


def _alone(tiles: tuple[int, ...]) -> WholeGame:
    """The same game as an edition of these tiles: games in arrays begin at the start of an edition."""
    classic = find_edition("classic")
    worms = tuple((tile, classic.worms[tile]) for tile in tiles if tile in classic.worms)
    return solve_whole(tiles, replace(classic, key="tiles", name="", tiles=worms), 2)


def _ppo(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Mlp:
    settings = PpoSettings(seed=arguments.seed, **_steps(arguments))
    return _learned(Ppo([_env(game)], settings), settings.steps, "entropy", game, curve)


def _dqn(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Mlp:
    settings = DqnSettings(seed=arguments.seed, **_steps(arguments))
    return _learned(Dqn(_env(game), settings), settings.steps, "error", game, curve)


def _alphazero(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Mlp:
    edition = "classic" if game is None else game.edition
    settings = AlphaZeroSettings(edition, seed=arguments.seed, **_steps(arguments))
    return _learned(AlphaZero(settings), settings.steps, "policy_error", game, curve)


def _steps(arguments: argparse.Namespace) -> dict[str, Any]:
    return {} if arguments.steps is None else {"steps": arguments.steps}


def _env(game: WholeGame | None) -> PickominoVectorEnv:
    return PickominoVectorEnv(LANES, seats=2, start=None if game is None else game.start)


def _learned(
    learner: Ppo | Dqn | AlphaZero, steps: int, figure: str, game: WholeGame | None, curve: Curve
) -> Mlp:
    """Its net, after a curve of `POINTS` points, evenly, with this figure of its progress."""
    shown = 0
    for point in learner.train():
        if point.steps * POINTS >= shown * steps:
            shown = point.steps * POINTS // steps + 1
            own = {figure: getattr(point, figure)}
            curve.add(steps=point.steps, **own, **_figures(NetBot(learner.net), game))
    return learner.net


def _td(arguments: argparse.Namespace, game: WholeGame | None, curve: Curve) -> Mlp:
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


LEARNERS: Final = {"ppo": _ppo, "dqn": _dqn, "alphazero": _alphazero, "td": _td}

if __name__ == "__main__":
    sys.exit(main())
