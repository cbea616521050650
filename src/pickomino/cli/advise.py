"""What each legal move of a position is worth, best first, and why.

To win, a value is the chance to win the game if all play on best, by the champion's estimate; where nothing was learned
for an edition it is worms. For other objectives it is what the rest of the turn brings on average:
  worms            worms gained; a bust costs the worms of the own top tile
  worms:loss=L     … costs L times as much: 0 for the reckless, 2 for the careful
  worms:steal=S    … and a steal counts 1 + S times, for what it takes from another
  worms:hen=H,…    … in deluxe, what a seat has: round (1, each round worm), apple (3), can, gold, hen, weasel (0)

  pickomino advise "pkp1 classic 22,25,27 30/26 A 15555W:-"
  pickomino advise "pkp1 classic 21-36 -/- A -:1333445W" --objective worms
  pickomino advise "pkp1 classic 21-36 -/- A 55WW:-" --objective worms:loss=2,steal=1
"""

from __future__ import annotations

import argparse
import shutil
import textwrap

from pickomino.analysis import evaluate, find_objective
from pickomino.analysis.advice import MoveAdvice, RankedMove, advise
from pickomino.cli.common import add_house, add_json, position_of, print_json, unicode_out
from pickomino.cli.odds import bar
from pickomino.drawing import seat_names
from pickomino.rules import SEATS, Position
from pickomino.terminal.words import move_text

__all__ = ["add_arguments", "run"]

_WIDTH = 20  # of a bar that stands for certainty, or for the best value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", nargs="+", help="a position, pkp1 …")
    parser.add_argument(
        "--objective",
        metavar="NAME",
        default="win",
        help="what to play for: win (default), worms, worms:loss=2,…",
    )
    add_house(parser)
    add_json(
        parser, '{"value": 0.54, "best": "x26", "moves": [{"move": "x26", "value": 0.54, "cost": 0}, …], …}'
    )


def run(args: argparse.Namespace) -> int:
    position = position_of(args.position, args.edition)
    names = seat_names(len(position.stacks), None)
    if args.objective != "win":
        return _turn_alone(position, args.objective, names, json=args.json)
    advice = advise(position)
    ranked = advice.ranked
    said = advice.sentences(names, digits=1)
    seat = position.seat
    if args.json:
        answer: dict[str, object] = {
            "objective": advice.goal,
            "value": advice.values[seat],
            "best": str(ranked[0].move) if ranked else None,
            "moves": [
                {"move": str(one.move), "value": one.value, "cost": one.cost, "tied": one.tied}
                for one in ranked
            ],
            "sentences": said,
        }
        if advice.goal == "win":
            answer["win"] = dict(zip(SEATS, advice.values, strict=False))
            answer["learned"] = _learned(position)
        print_json(answer)
        return 0
    print(_head(advice, names[seat]) + "\n")
    print(
        "\n".join(
            _lines(position, ranked, names, win=advice.goal == "win") or ["Dice are due: nothing to choose."]
        )
    )
    _say(said)
    what, form = ("To win: ", "{:.1%}") if advice.goal == "win" else ("Worms on average: ", "{:.2f}")
    print(
        "\n"
        + what
        + ", ".join(f"{seat} {form.format(value)}" for seat, value in zip(SEATS, advice.values, strict=False))
    )
    return 0


def _head(advice: MoveAdvice, name: str) -> str:
    edition = advice.position.edition.key
    if advice.goal == "win":
        by = "" if _learned(advice.position) else f", by an estimate not learned in {edition}"
        return f"{name[0].upper()}{name[1:]} to act, playing to win: the chance to win after each move{by}."
    why = f"nothing was learned for {edition}"
    return f"{name[0].upper()}{name[1:]} to act, for worms ({why}): its worms after this turn."


def _learned(position: Position) -> bool:
    from pickomino.bots.champion.net import learned  # the weights' part is loaded only for those who ask

    return learned(position.edition)


def _turn_alone(position: Position, text: str, names: list[str], *, json: bool) -> int:
    """An objective for this turn alone."""
    objective = find_objective(text)
    found = evaluate(position, objective)
    top = found.value
    ranked = [
        RankedMove(move, value, max(top - value, 0.0), move != found.best and top - value <= 1e-9)
        for move, value in found.moves.items()
    ]
    ranked.sort(key=lambda one: (one.move != found.best, not one.tied, -one.value))
    if json:
        moves = [
            {"move": str(one.move), "value": one.value, "cost": one.cost, "tied": one.tied} for one in ranked
        ]
        best = None if found.best is None else str(found.best)
        print_json({"objective": str(objective), "value": top, "best": best, "moves": moves})
        return 0
    name = names[position.seat]
    print(
        f"{name[0].upper()}{name[1:]} to act, for the most worms from the rest of this turn ({objective}).\n"
    )
    due = f"Dice are due: nothing to choose. The turn is worth {top:.4f} on average."
    print("\n".join(_lines(position, ranked, names, win=False) or [due]))
    if text == "worms":
        _say(advise(position, "worms").sentences(names, digits=1))
    return 0


def _say(sentences: list[str]) -> None:
    width = min(shutil.get_terminal_size().columns, 100)
    if sentences:
        print("\n" + "\n".join(textwrap.fill(text, width) for text in sentences))


def _lines(position: Position, ranked: list[RankedMove], names: list[str], *, win: bool) -> list[str]:
    """A line for each move; bars are to scale: of certainty for the win, of the best value for worms."""
    if not ranked:
        return []
    texts = [move_text(position, one.move, names) for one in ranked]
    move_width, width = max(len(str(one.move)) for one in ranked), max(map(len, texts))
    mark, equal, minus, blocks = ("▶", "=", "−", True) if unicode_out() else (">", "=", "-", False)
    full = 1.0 if win else max((one.value for one in ranked), default=0.0)
    lines = []
    for number, (one, text) in enumerate(zip(ranked, texts, strict=True)):
        sign = mark if not number else equal if one.tied else " "
        value = f"{one.value:7.1%}" if win else f"{one.value:8.4f}"
        shown = f"{round(one.value, 3) - round(ranked[0].value, 3):.1%}" if win else f"{-one.cost:.4f}"
        cost = "tied" if one.tied else "" if not number else shown.replace("-", minus)
        length = bar(one.value / full if full > 0 else 0.0, _WIDTH, blocks=blocks)
        lines.append(
            f"{sign} {one.move!s:<{move_width}} {value} {cost:>7}  {text:<{width}}  {length}".rstrip()
        )
    return lines
