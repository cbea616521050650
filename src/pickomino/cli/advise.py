"""What each legal move of a position is worth, best first, and why."""

from __future__ import annotations

import argparse
import shutil

from pickomino.analysis import evaluate, find_objective
from pickomino.analysis.advice import MoveAdvice, RankedMove, advise, rank
from pickomino.cli.common import (
    add_house,
    open_text,
    position_of,
    print_json,
    room,
    unicode_out,
    wrapped,
)
from pickomino.cli.odds import bar
from pickomino.cli.parsing import CommandError, Parser, number
from pickomino.drawing import seat_names
from pickomino.locale import figure, spoken, t
from pickomino.notation import Record, read_records
from pickomino.notation.turns import ends_turn
from pickomino.rules import SEATS, Move, Position, Roll
from pickomino.terminal.speech import capital
from pickomino.terminal.words import move_text

_WIDTH = 20  # of a bar that stands for certainty, or for the best value


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("What each legal move of a position is worth, best first, and why."),
        t(
            "With the objective win, a value is the chance to win the game if everybody plays "
            "their best, by the champion's estimate; in editions for which nothing was learned it "
            "is worms. With other objectives it is what the rest of the turn brings on average:"
        ),
        t("""  worms            worms gained; a bust costs the worms of your top tile
  worms:loss=L     … costs L times as much: 0 for the reckless, 2 for the careful
  worms:steal=S    … and a steal counts 1 + S times, for what it takes from another
  worms:hen=H,…    … in deluxe, what a seat has: round (1, each round worm), apple (3), can, gold, hen, weasel (0)"""),
        t(
            "With the file of a record, --at names the turn, numbered as in replay. Every choice "
            "of that turn is judged."
        ),
        examples=(
            ('pickomino advise "pkp1 classic 22,25,27 30/26 A 15555W:-"', ""),
            ('pickomino advise "pkp1 classic 21-36 -/- A 55WW:-" --objective worms:loss=2,steal=1', ""),
            ("pickomino advise game.pkgn --at 12", ""),
        ),
    )
    parser.add_argument(
        "position",
        metavar="POSITION",
        nargs="+",
        help=t("a position, pkp1 …, or with --at the file of a record"),
    )
    parser.add_argument(
        "--objective",
        metavar="NAME",
        default="win",
        help=t("what to play for: win (default), worms, worms:loss=2,…"),
    )
    parser.add_argument("--at", metavar="TURN", type=number(1, 10**6), help=t("the turn of the record"))
    add_house(parser)
    parser.flag(
        "--json",
        '{"position": "pkp1 …", "value": 0.54, "best": "x26", "moves": [{"move": "x26", "value": 0.54, …}, …], …}',
    )


def run(args: argparse.Namespace) -> int:
    if args.at is None and not args.position[0].endswith(".pkgn"):
        return _advise(args, position_of(args.position, args.edition))
    if args.at is None or len(args.position) != 1:
        raise CommandError(t("expected one file of a record and --at TURN, as in advise game.pkgn --at 12"))
    with open_text(args.position[0]) as lines:
        record = next(read_records(lines), None)
    if record is None:
        raise CommandError("{path!r}: no record in it", path=args.position[0])
    choices = _choices(record, args.at)
    for index, (position, played) in enumerate(choices):
        if not args.json:
            print("\n" * bool(index) + str(position))
            print(t("played: {move}", move=played) + "\n")
        _advise(args, position, played)
    return 0


def _choices(record: Record, turn: int) -> list[tuple[Position, Move]]:
    """Where there was something to choose in a turn, and what was chosen."""
    found: list[tuple[Position, Move]] = []
    at = 1
    for position, ply, events in record.game.steps():
        if at == turn and not isinstance(ply, Roll) and len(position.moves()) > 1:
            found.append((position, ply))
        at += ends_turn(events)
    if turn > record.turns:
        raise CommandError("--at {turn}: the game has {n} turns", turn=turn, n=record.turns)
    if not found:
        raise CommandError("--at {turn}: there was nothing to choose in that turn", turn=turn)
    return found


def _advise(args: argparse.Namespace, position: Position, played: Move | None = None) -> int:
    names = seat_names(len(position.stacks), None)
    asked: dict[str, object] = {"position": str(position)}
    if played is not None:
        asked["played"] = str(played)
    if args.objective != "win":
        return _turn_alone(position, args.objective, names, asked if args.json else None)
    advice = advise(position)
    ranked = advice.ranked
    said = advice.sentences(names, spoken(), digits=1)
    seat = position.seat
    win = advice.goal == "win"
    if args.json:
        answer = asked | {
            "objective": advice.goal,
            "value": advice.values[seat],
            "best": str(ranked[0].move) if ranked else None,
            "moves": _moves_json(ranked),
            "sentences": said,
        }
        if win:
            answer["win"] = dict(zip(SEATS, advice.values, strict=False))
            answer["learned"] = _learned(position)
        print_json(answer)
        return 0
    print(_head(advice, capital(names[seat])) + "\n")
    lines = _lines(position, ranked, names, win=win)
    print("\n".join(lines or [t("Nothing to choose: the dice are rolled next.")]))
    _say(said)
    values = [figure(value, ".1%") if win else figure(value, ".2f") for value in advice.values]
    each = ", ".join(f"{seat} {value}" for seat, value in zip(SEATS, values, strict=False))
    last = t("To win: {values}", values=each) if win else t("Worms on average: {values}", values=each)
    print("\n" + last)
    return 0


def _head(advice: MoveAdvice, name: str) -> str:
    edition = advice.position.edition.key
    if advice.goal != "win":
        return t(
            "{name} to act, for worms (nothing was learned for {edition}): its worms after this turn.",
            name=name,
            edition=edition,
        )
    if _learned(advice.position):
        return t("{name} to act, playing to win: the chance to win after each move.", name=name)
    return t(
        "{name} to act, playing to win: the chance to win after each move, by an estimate not learned in {edition}.",
        name=name,
        edition=edition,
    )


def _learned(position: Position) -> bool:
    from pickomino.bots.champion.net import learned  # the weights' part is loaded only for those who ask

    return learned(position.edition)


def _turn_alone(
    position: Position, objective_text: str, names: list[str], asked: dict[str, object] | None
) -> int:
    """An objective for this turn alone; as JSON where `asked` says what about."""
    objective = find_objective(objective_text)
    found = evaluate(position, objective)
    ranked = [] if found.best is None else rank(found.moves, found.best)
    if asked is not None:
        best = str(found.best) if ranked else None
        moves = _moves_json(ranked)
        found_json = {"objective": str(objective), "value": found.value, "best": best, "moves": moves}
        print_json(asked | found_json)
        return 0
    name = capital(names[position.seat])
    text = t(
        "{name} to act, for the most worms from the rest of this turn ({objective}).",
        name=name,
        objective=objective,
    )
    print(text + "\n")
    worth = figure(found.value, ".4f")
    due = t("Nothing to choose: the dice are rolled next. The turn is worth {value} on average.", value=worth)
    print("\n".join(_lines(position, ranked, names, win=False) or [due]))
    if objective_text == "worms":
        _say(advise(position, "worms").sentences(names, spoken(), digits=1))
    return 0


def _moves_json(ranked: list[RankedMove]) -> list[dict[str, object]]:
    return [{"move": str(one.move), "value": one.value, "cost": one.cost, "tied": one.tied} for one in ranked]


def _say(sentences: list[str]) -> None:
    if sentences:
        print("\n" + "\n".join(line for text in sentences for line in wrapped(text, room())))


def _lines(position: Position, ranked: list[RankedMove], names: list[str], *, win: bool) -> list[str]:
    """A line for each move; bars are to scale: of certainty for the win, of the best value for worms."""
    if not ranked:
        return []
    texts = [move_text(position, one.move, names) for one in ranked]
    move_width, width = max(len(str(one.move)) for one in ranked), max(map(len, texts))
    mark, equal, minus, blocks = ("▶", "=", "−", True) if unicode_out() else (">", "=", "-", False)
    left = max(0, min(_WIDTH, shutil.get_terminal_size().columns - move_width - width - 21))
    full = 1.0 if win else max((one.value for one in ranked), default=0.0)
    lines = []
    for place, (one, text) in enumerate(zip(ranked, texts, strict=True)):
        sign = mark if not place else equal if one.tied else " "
        worth = round(one.value, 4) + 0.0  # no minus before a zero
        value = figure(one.value, "7.1%") if win else figure(worth, "8.4f").replace("-", minus)
        behind = round(one.value, 3) - round(ranked[0].value, 3)
        shown = figure(behind, ".1%") if win else figure(-one.cost, ".4f")
        cost = t("tied") if one.tied else "" if not place else shown.replace("-", minus)
        length = bar(one.value / full if full > 0 else 0.0, left, blocks=blocks)
        lines.append(
            f"{sign} {one.move!s:<{move_width}} {value} {cost:>7}  {text:<{width}}  {length}".rstrip()
        )
    return lines
