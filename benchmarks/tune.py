"""Looks for the `ev` that wins most in an edition with specialists: every seat of every game has other options.

Run ``python -m benchmarks.tune --edition deluxe --seats 2``. Some thousand games between seats with random options say
what each option does to the chance to win, all of them at once: a parabola for each is fitted, and its best value
taken. Each of ``--rounds`` looks around what was found so far, on half the range.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import Ends
from pickomino.bots.ev import EvBot, worms_values
from pickomino.bots.games import SomeGames
from pickomino.rules import Edition, find_edition
from pickomino.simulate import LaneView, play_games
from pickomino.solver import Worms

Floats = NDArray[np.float64]

RANGES: Final = {
    "loss": (0.5, 1.7),
    "steal": (-0.5, 1.5),
    "round": (0.4, 2.6),
    "apple": (-1.0, 3.0),
    "can": (-1.0, 4.0),
    "gold": (-1.0, 7.0),
    "hen": (-1.0, 6.0),
    "weasel": (-1.0, 3.0),
}
SETTINGS: Final = 100
GUESS: Final = np.array(
    [0.0, -2.0]
)  # slope and square, in points, before a game is played: the middle is best
GUESS_ERROR: Final = np.array([2.0, 1.5])
TAG: Final = -1  # the last tile that a packed position has room for: no edition with specialists has so many


class TaggedBot(EvBot):
    """`ev` with options of its own for every seat, which the positions are tagged with."""

    def __init__(self, settings: dict[str, Floats]) -> None:
        super().__init__()
        self.settings = settings

    def end_values(self, edition: Edition, ends: Ends) -> Floats:
        tag = ends.starts["below"][ends.turn, TAG]
        worms: Any = SimpleNamespace(**{name: values[tag] for name, values in self.settings.items()})
        return worms_values(worms, edition, ends)


class Played(NamedTuple):
    """Games: the options of every seat, on a scale where `RANGES` go from -1 to 1, and who won what."""

    options: Floats  # (games, seats, options)
    shares: Floats  # (games, seats)


def play(args: argparse.Namespace, ranges: dict[str, tuple[float, float]], seed: int) -> Played:
    """A round of games between settings from the ranges."""
    rng = np.random.default_rng(seed)
    settings = {name: np.full(SETTINGS, getattr(Worms(), name)) for name in RANGES}
    settings |= {
        name: rng.permutation(np.linspace(low, high, SETTINGS)) for name, (low, high) in ranges.items()
    }
    given = rng.permuted(np.tile(np.arange(SETTINGS), (args.games, 1)), axis=1)[:, : args.seats]
    bot = TaggedBot(settings)

    def policy(view: LaneView) -> NDArray[np.int64]:
        rows = view.positions.copy()
        rows["below"][:, TAG] = given[view.numbers, view.seat]
        return bot.choose_many(SomeGames(view.edition, view.seats, rows, view.legal_bits), rng)

    results = play_games(policy, args.edition, args.seats, args.games, seed, lanes=2048)
    scaled = [
        2 * (settings[name] - low) / (high - low) - 1
        for name, (low, high) in RANGES.items()
        if name in ranges
    ]
    return Played(np.stack(scaled, axis=1)[given], results.shares)


def fit(played: Sequence[Played]) -> tuple[Floats, Floats]:
    """Coefficients (options, 2) of every option and its square, and their standard errors."""
    options, shares = (np.concatenate(part) for part in zip(*played, strict=True))
    games, seats, count = options.shape
    features = np.concatenate([options, options**2], axis=2)
    against = (features.sum(axis=1, keepdims=True) - features) / (seats - 1)
    counted = 1 if seats == 2 else seats  # of two seats the second says the same
    x = (features - against)[:, :counted].reshape(games * counted, -1)
    x = np.concatenate([x, np.tile(np.eye(counted), (games, 1))], axis=1)  # going first is worth something
    y = shares[:, :counted].reshape(-1) - 1 / seats
    inverse = np.linalg.inv(x.T @ x)
    found = inverse @ (x.T @ y)
    error = np.sqrt(np.diag(inverse) * np.square(y - x @ found).mean())
    return found[: 2 * count].reshape(2, count).T, error[: 2 * count].reshape(2, count).T


def best_of(found: Floats, error: Floats) -> float:
    """Where ``slope * x + square * x**2`` is highest between -1 and 1, as far as the games outweigh the guess."""
    weight = 1 / (1 + (error / GUESS_ERROR) ** 2)
    slope, square = GUESS + weight * (found - GUESS)
    if square < 0:
        return float(np.clip(-slope / (2 * square), -1, 1))
    return 1.0 if slope > 0 else -1.0


def tune(args: argparse.Namespace) -> dict[str, float]:
    """The best options, told round by round; all games so far count."""
    held = {name for name, _ in find_edition(args.edition).specialists}
    ranges = whole = {name: RANGES[name] for name in RANGES if name in held | {"loss", "steal", "round"}}
    played: list[Played] = []
    best: dict[str, float] = {}
    for number in range(args.rounds):
        begin = time.perf_counter()
        played.append(play(args, ranges, args.seed + number))
        seconds = time.perf_counter() - begin
        print(
            f"round {number + 1}: {args.games:,} games, {seconds:.0f} s; slope and square in points",
            flush=True,
        )
        for name, found, error in zip(whole, *(100 * part for part in fit(played)), strict=True):
            low, high = whole[name]
            middle, half = (low + high) / 2, (high - low) / 2
            best[name] = middle + half * best_of(found, error)
            line = ", ".join(f"{value:+.2f} ± {by:.2f}" for value, by in zip(found, error, strict=True))
            print(f"  {name} {low:g} to {high:g}: {line}: best {best[name]:.2f}", flush=True)
            half /= 2 ** (number + 1)
            ranges = ranges | {name: (best[name] - half, best[name] + half)}
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tune",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--edition", default="deluxe")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=16_384, help="a round (default: 16384)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    best = tune(args)
    print("ev:" + ",".join(f"{name}={value:.2f}" for name, value in best.items()))


if __name__ == "__main__":
    main()
