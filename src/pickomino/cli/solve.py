"""Solve a small game completely: a few tiles, all others face down, and every seat plays to win."""

from __future__ import annotations

import argparse
import os
import re
import sys

from pickomino.cli.common import (
    ProgressLine,
    add_edition,
    add_progress,
    add_seats,
    demand_writable,
    print_json,
)
from pickomino.cli.parsing import CommandError, Parser
from pickomino.locale import figure, t
from pickomino.notation import parse_position
from pickomino.rules import MIN_SEATS, SEATS, Position, find_edition
from pickomino.solver.whole import (
    MAX_POSITIONS,
    MoveShares,
    SolvingProgress,
    WholeGame,
    load_whole,
    small_start,
    solve_from,
    turn_start,
)


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Solve a small game completely: a few tiles, all others face down, and every seat plays to win."),
        t(
            "Each specialist starts on its own tile if that is in the game, and is otherwise left "
            "out; --specialists and --round-worms change that. Every position is solved to 1e-12. "
            "A win shared by n seats counts 1/n."
        ),
        t(
            "--save keeps the table, with a checkpoint every minute; after an interrupt, --save "
            "FILE --resume continues. With --load or --save, a finished table answers --position "
            "at once. Without --tiles, --position defines the small game: that of its tiles or, in "
            "deluxe and extrawurm, the game that begins with its turn."
        ),
        examples=(
            ("pickomino solve --tiles 21,25,29", ""),
            ("pickomino solve --tiles 21-27 --edition classic+mandatory-steal --save seven.npz", ""),
            ("pickomino solve --tiles 21,23 --edition deluxe", ""),
            (
                "pickomino solve --tiles 21,25,30 --edition deluxe --specialists hen@21,can@25 --round-worms 2/2",
                "",
            ),
            (
                'pickomino solve --load seven.npz --position "pkp1 classic+mandatory-steal 22-27 21/- B 55W:11244"',
                "",
            ),
        ),
    )
    parser.add_argument(
        "--tiles", metavar="LIST", type=_tiles, help=t("tiles of the game, as in 21,25,29 or 21-25,30")
    )
    add_edition(parser)
    parser.add_argument(
        "--specialists",
        metavar="LIST",
        type=_specialists,
        help=t(
            "where specialists start, as in hen@21,crow@23, or - for none (default: each on its own tile)"
        ),
    )
    parser.add_argument(
        "--round-worms",
        metavar="LIST",
        type=_round_worms,
        help=t("round worms of every seat at the start, as in 2/0; the supply has the rest (default: none)"),
    )
    add_seats(parser)
    parser.add_argument(
        "--position", metavar="POSITION", help=t("also say what this position and its moves are worth")
    )
    parser.file("--save", t("write the table to this file (.npz)"))
    parser.flag("--resume", t("continue from the table in --save FILE, if there is one"))
    parser.file("--load", t("use a finished table instead of solving"))
    parser.number(
        "--max-positions", 1, 10**10, t("refuse games that may have more positions"), default=MAX_POSITIONS
    )
    add_progress(parser)
    parser.flag("--json", '{"edition":…,"tiles":…,"players":…,"positions":…,"value":…,"residual":…,…}')


def _tiles(text: str) -> list[int]:
    tiles: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        if not found or int(found[2] or found[1]) < int(found[1]):
            raise argparse.ArgumentTypeError(
                t("{text!r}: expected tiles with commas, as in 21,25,29 or 21-25,30", text=text[:60])
            )
        tiles += range(int(found[1]), int(found[2] or found[1]) + 1)
    return tiles


def _specialists(text: str) -> dict[str, int]:
    if text == "-":
        return {}
    if not re.fullmatch(r"[a-z]+@[0-9]{1,2}(,[a-z]+@[0-9]{1,2})*", text):
        raise argparse.ArgumentTypeError(
            t("{text!r}: expected specialists as in hen@21,crow@23, or -", text=text[:60])
        )
    pairs = [part.split("@") for part in text.split(",")]
    if len({name for name, _ in pairs}) < len(pairs):
        raise argparse.ArgumentTypeError(t("{text!r}: a specialist stands there twice", text=text[:60]))
    return {name: int(tile) for name, tile in pairs}


def _round_worms(text: str) -> list[int]:
    if not re.fullmatch(r"[0-9](/[0-9]){1,6}", text):
        raise argparse.ArgumentTypeError(
            t("{text!r}: expected a number for every seat, as in 2/0", text=text[:60])
        )
    return [int(part) for part in text.split("/")]


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
        **({"start": str(game.start)} if game.edition.specialists else {}),
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
        named = (args.tiles, args.edition, args.seats, args.save, args.resume, args.round_worms)
        if any(named) or args.specialists is not None:
            raise CommandError(
                t(
                    "--load already defines the game: leave out --tiles, --edition, --seats, "
                    "--specialists, --round-worms, --save and --resume"
                )
            )
        game = load_whole(args.load)
        if not game.complete:
            raise CommandError(
                "{load!r} is a checkpoint: finish it with --save {load} --resume", load=args.load
            )
        return game
    if args.resume and not args.save:
        raise CommandError(t("--resume needs --save FILE, the table to continue from"))
    if args.save is not None:
        demand_writable("--save", args.save)
    start = _start(args, position)
    shows = args.progress or sys.stderr.isatty()
    left = t("interrupted; {save} holds what is done, --resume continues from there", save=args.save)
    with ProgressLine(left if args.save else "") as line:
        return solve_from(
            start,
            save=args.save,
            resume=args.resume,
            progress=(lambda progress: line.show(lambda: _progress_text(progress))) if shows else None,
            max_positions=args.max_positions,
        )


def _start(args: argparse.Namespace, position: Position | None) -> Position:
    """Where the game begins: as the arguments say, else as the old table does, else as the position."""
    tiles, edition, players = args.tiles, args.edition, args.seats
    placed = args.specialists is not None or args.round_worms
    if not tiles and not placed and args.resume and os.path.exists(args.save):
        return load_whole(args.save).start
    if position is not None:
        if not tiles and not placed and position.specialists is not None:
            return turn_start(position)
        tiles = tiles or sorted([*position.grill, *(tile for stack in position.stacks for tile in stack)])
        edition, players = edition or position.edition.key, players or len(position.stacks)
    if not tiles:
        raise CommandError(t("--tiles is missing, as in --tiles 21,25,29 (see pickomino solve --help)"))
    seats = players or (len(args.round_worms) if args.round_worms else MIN_SEATS)
    return small_start(find_edition(edition or "classic"), tiles, seats, args.specialists, args.round_worms)


def _progress_text(progress: SolvingProgress) -> str:
    if not progress.levels:
        return t("looking for positions: {n} so far", n=figure(progress.positions, ",d"))
    return t(
        "level {level} of {levels}, round {round}: {done} of {turns} turns, last change {change}; "
        "{solved} of {positions} positions solved",
        level=progress.level,
        levels=progress.levels,
        round=progress.round,
        done=figure(progress.done, ",d"),
        turns=figure(progress.turns, ",d"),
        change=figure(progress.change, ".1e"),
        solved=figure(progress.solved, ",d"),
        positions=figure(progress.positions, ",d"),
    )


def _best_first(game: WholeGame, position: Position) -> list[MoveShares]:
    return sorted(game.moves(position), key=lambda entry: -entry.value)  # stable: text order among equals


def _print_game(game: WholeGame) -> None:
    facts = {
        "edition": game.edition.key,
        "tiles": ",".join(map(str, game.tiles)),
        "seats": game.players,
        "positions": figure(game.positions, ",d"),
    }
    print(t("{edition}, tiles {tiles}, {seats} seats: {positions} positions", **facts))
    if game.edition.specialists:
        print(t("from {position}", position=game.start))
    if game.players == 2:
        print(t("value for the seat to start: {value}", value=figure(game.start_value, ".12f")))
    else:
        values = " ".join(figure(value, ".12f") for value in game.values(game.start))
        print(t("values in order of play: {values}", values=values))
    effort = {
        "residual": figure(game.residual, ".1e"),
        "rounds": game.iterations,
        "seconds": figure(game.seconds, ".1f"),
    }
    if game.converged:
        print(t("converged, residual {residual}, {rounds} rounds, {seconds} s", **effort))
    else:
        print(t("NOT converged, residual {residual}, {rounds} rounds, {seconds} s", **effort))


def _print_position(game: WholeGame, position: Position) -> None:
    print(position)
    values = zip(SEATS, game.values(position), strict=False)
    each = " ".join(f"{seat} {figure(value, '.12f')}" for seat, value in values)
    print(t("probability of winning: {values}", values=each))
    for entry in _best_first(game, position):
        print(f"  {entry.move!s:<4} {figure(entry.value, '.12f')}")
