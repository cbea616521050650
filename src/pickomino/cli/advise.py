"""What each legal move of a position is worth, best first.

A value is what the rest of the turn brings on average, with the best play from there on, for the objective:
  worms            worms gained; a bust costs the worms of the own top tile
  worms:loss=L     … costs L times as much: 0 for the reckless, 2 for the careful
  worms:steal=S    … and a steal counts 1 + S times, for what it takes from another
  worms:hen=H,…    … in deluxe, what a seat has: round (1, each round worm), apple (3), can, gold, hen, weasel (0)
  win              the probability to win the game, as the champion estimates it

  pickomino advise "pkp1 classic 21-36 -/- A -:1333445W"
  pickomino advise "pkp1 classic 21-36 -/- A 55WW:-" --objective worms:loss=2,steal=1
  pickomino advise "pkp1 classic 21-36 -/- A 55WW:-" --objective win
"""

from __future__ import annotations

import argparse

from pickomino.analysis import evaluate, find_objective
from pickomino.cli.common import add_json, print_json, unicode_out
from pickomino.cli.odds import bar
from pickomino.drawing import seat_names
from pickomino.notation import parse_position
from pickomino.rules import SEATS, Move, Position
from pickomino.solver import MoveValues
from pickomino.terminal.words import move_text

__all__ = ["add_arguments", "run"]

_WIDTH = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", nargs="+", help="a position, pkp1 …")
    parser.add_argument(
        "--objective",
        metavar="NAME",
        default="worms",
        help="what to play for (default: worms:loss=1,steal=0)",
    )
    add_json(parser, '{"value": 1.38, "best": "k4", "moves": [{"move": "k4", "value": 1.38}, …]}')


def run(args: argparse.Namespace) -> int:
    position = parse_position(" ".join(args.position))
    objective = find_objective(args.objective)
    found = evaluate(position, objective)
    ranked = _ranked(found)
    shares = _win_shares(position) if str(objective) == "win" else None
    if args.json:
        answer: dict[str, object] = {
            "value": found.value,
            "best": None if found.best is None else str(found.best),
            "moves": [{"move": str(move), "value": value} for move, value in ranked],
        }
        if shares is not None:
            answer["win"] = shares
        print_json(answer)
        return 0
    print(f"For {objective}, {seat_names(len(position.stacks), None)[position.seat]} to act.\n")
    print("\n".join(_lines(position, found, ranked)))
    if shares is not None:
        print("\nTo win: " + ", ".join(f"{seat} {share:.1%}" for seat, share in shares.items()))
    return 0


def _win_shares(position: Position) -> dict[str, float]:
    from pickomino.bots.champion import win_shares

    return dict(zip(SEATS, win_shares(position), strict=False))


def _ranked(found: MoveValues) -> list[tuple[Move, float]]:
    """Best first; among equals in text order, so that the best move leads whatever rounding does."""
    return sorted(found.moves.items(), key=lambda item: (item[0] != found.best, -item[1]))


def _lines(position: Position, found: MoveValues, ranked: list[tuple[Move, float]]) -> list[str]:
    if not ranked:
        return [f"Dice are due: nothing to choose. The turn is worth {found.value:.4f} on average."]
    names = seat_names(len(position.stacks), None)
    texts = [move_text(position, move, names) for move, _ in ranked]
    width = max(map(len, texts))
    mark, blocks = ("▶", True) if unicode_out() else (">", False)
    shares = _shares([value for _, value in ranked])
    return [
        f"{mark if move == found.best else ' '} {move!s:<5} {value:9.4f}  {text:<{width}}  "
        f"{bar(share, _WIDTH, blocks=blocks)}"
        for (move, value), text, share in zip(ranked, texts, shares, strict=True)
    ]


def _shares(values: list[float]) -> list[float]:
    """Lengths of bars between the worst and the best; the worst keeps a stub."""
    low, spread = min(values), max(values) - min(values)
    return [1.0 if spread < 1e-9 else 0.05 + 0.95 * (value - low) / spread for value in values]
