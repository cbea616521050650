"""Solve a small game whole: a few tiles, all others face down, and every seat plays for its probability to
win.

Every position is solved to 1e-12. A win shared by n seats counts 1/n. With --save the table is kept, a
checkpoint of it every minute, and after an interrupt --save FILE --resume goes on. With --load or --save a
finished table answers --position at once. Without --tiles a --position stands for the small game of its
tiles.

examples:
  pickomino solve --tiles 21,25,29
  pickomino solve --tiles 21-27 --edition classic+mandatory-steal --save seven.npz
  pickomino solve --load seven.npz --position "pkp1 classic+mandatory-steal 22-27 21/- B 55W:11244"
"""

from __future__ import annotations

import argparse
import os
import re
import sys

from pickomino.cli.common import (
    CommandError,
    ProgressLine,
    add_json,
    edition_key,
    number,
    print_json,
    seat_count,
)
from pickomino.notation import parse_position
from pickomino.rules import MIN_SEATS, Position, find_edition
from pickomino.solver.whole import MAX_POSITIONS, MoveValue, Progress, WholeGame, load_whole, solve_whole

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tiles", metavar="LIST", type=_tiles, help="tiles of the game, as in 21,25,29 or 21-25,30"
    )
    parser.add_argument("--edition", metavar="KEY", type=edition_key, help="edition (default: classic)")
    parser.add_argument("--players", metavar="N", type=seat_count, help="2 to 7 (default: 2)")
    parser.add_argument(
        "--position", metavar="POSITION", help="also tell what this position and its moves are worth"
    )
    parser.add_argument("--save", metavar="FILE", help="write the table there (.npz)")
    parser.add_argument(
        "--resume", action="store_true", help="go on from the table in --save FILE, if there is one"
    )
    parser.add_argument("--load", metavar="FILE", help="take a finished table instead of solving")
    parser.add_argument(
        "--max-positions",
        metavar="N",
        type=number(1, 10**10),
        default=MAX_POSITIONS,
        help="refuse games that may have more",
    )
    parser.add_argument(
        "--progress", action="store_true", help="show progress on stderr, also where it is no terminal"
    )
    add_json(parser, 'print {"edition":…,"tiles":…,"players":…,"positions":…,"value":…,"residual":…,…}')


def _tiles(text: str) -> list[int]:
    tiles: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        if not found or int(found[2] or found[1]) < int(found[1]):
            raise argparse.ArgumentTypeError(
                f"{text[:60]!r}: expected tiles with commas, as in 21,25,29 or 21-25,30"
            )
        tiles += range(int(found[1]), int(found[2] or found[1]) + 1)
    return tiles


def run(args: argparse.Namespace) -> int:
    position = parse_position(args.position) if args.position is not None else None
    game = _game(args, position)
    if not args.json:
        _print_game(game)
        if position is not None:
            _print_position(game, position)
        return 0
    shown: dict[str, object] = {
        "edition": game.edition.key,
        "tiles": list(game.tiles),
        "players": game.players,
        "positions": game.positions,
        "value": game.start_value,
        "residual": game.residual,
        "iterations": game.iterations,
        "converged": game.converged,
        "seconds": round(game.seconds, 3),
    }
    if game.players > 2:
        shown["values"] = game.values(game.start)
    if position is not None:
        shown |= {
            "start_value": game.start_value,
            "position": str(position),
            "value": None if position.over else game.value(position),
            "values": game.values(position),
            "moves": [
                {"move": str(entry.move), "value": entry.value} for entry in _best_first(game, position)
            ],
        }
    print_json(shown)
    return 0


def _game(args: argparse.Namespace, position: Position | None) -> WholeGame:
    if args.load is not None:
        if args.tiles or args.edition or args.players or args.save or args.resume:
            raise CommandError(
                "--load says which game it is: leave --tiles, --edition, --players, --save, --resume out"
            )
        game = load_whole(args.load)
        if not game.complete:
            raise CommandError(f"{args.load!r} is a checkpoint: finish it with --save {args.load} --resume")
        return game
    if args.resume and not args.save:
        raise CommandError("--resume needs --save FILE, the table to go on from")
    tiles, edition, players = args.tiles, args.edition, args.players
    if args.resume and not tiles and os.path.exists(args.save):
        old = load_whole(args.save)
        tiles, edition, players = old.tiles, edition or old.edition.key, players or old.players
    elif position is not None:
        tiles = tiles or sorted([*position.grill, *(tile for stack in position.stacks for tile in stack)])
        edition, players = edition or position.edition.key, players or len(position.stacks)
    if not tiles:
        raise CommandError("--tiles is missing, as in --tiles 21,25,29 (see pickomino solve --help)")
    shows = args.progress or sys.stderr.isatty()
    line = ProgressLine()
    try:
        return solve_whole(
            tiles,
            find_edition(edition or "classic"),
            players or MIN_SEATS,
            save=args.save,
            resume=args.resume,
            progress=(lambda progress: line.show(lambda: _progress_text(progress))) if shows else None,
            max_positions=args.max_positions,
        )
    except KeyboardInterrupt:
        line.clear()
        if args.save:
            print(
                f"interrupted; {args.save} holds what is done, --resume goes on from there", file=sys.stderr
            )
        raise
    finally:
        line.clear()


def _progress_text(progress: Progress) -> str:
    return (
        f"level {progress.level} of {progress.levels}, round {progress.round}: "
        f"{progress.done:,} of {progress.turns:,} turns, last change {progress.change:.1e}; "
        f"{progress.solved:,} of {progress.positions:,} positions solved"
    )


def _best_first(game: WholeGame, position: Position) -> list[MoveValue]:
    return sorted(game.moves(position), key=lambda entry: -entry.value)  # stable: text order among equals


def _print_game(game: WholeGame) -> None:
    tiles = ",".join(map(str, game.tiles))
    print(f"{game.edition.key}, tiles {tiles}, {game.players} players: {game.positions:,} positions")
    if game.players == 2:
        print(f"value for the player to start: {game.start_value:.12f}")
    else:
        print("values in order of play: " + " ".join(f"{value:.12f}" for value in game.values(game.start)))
    verdict = "converged" if game.converged else "NOT converged"
    print(f"{verdict}, residual {game.residual:.1e}, {game.iterations} rounds, {game.seconds:.1f} s")


def _print_position(game: WholeGame, position: Position) -> None:
    print(position)
    values = " ".join(
        f"{seat} {value:.12f}" for seat, value in zip("ABCDEFG", game.values(position), strict=False)
    )
    print(f"probability to win: {values}")
    for entry in _best_first(game, position):
        print(f"  {entry.move!s:<4} {entry.value:.12f}")
