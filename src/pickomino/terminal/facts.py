"""What a person may want to know before deciding: chances, a hint, the rules of this moment. Words only."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.rules import Keep, Move, Phase, PickominoError, Position, RollOn
from pickomino.terminal.choosing import Choice
from pickomino.terminal.speech import Speech, capital
from pickomino.views import keep_views


def _rolling(position: Position) -> Position:
    """Where the dice are due that the odds are about."""
    return position.apply(RollOn()).position if RollOn() in position.moves() else position


def odds_rows(position: Position, speech: Speech) -> list[tuple[str, float]]:
    """The chance of each tile or better that is still to be had, each played for that alone; at most eight."""
    from pickomino.solver import odds

    rolling = _rolling(position)
    chances = odds(rolling).at_least
    owned = set(rolling.stacks[rolling.seat])
    wanted = {*rolling.grill, *(top for top in rolling.tops if top is not None)} - owned
    rows = [
        (tile, chances[tile])
        for tile in sorted(wanted)
        if chances[tile] > 0 and tile > position.total * position.has_worm
    ]
    step = -(-len(rows) // 8) if rows else 1
    return [(speech.t("{tile} or more", tile=tile), chance) for tile, chance in rows[::step]]


def _name(choice: Choice, speech: Speech) -> str:
    if isinstance(choice.move, Keep):
        return speech.t("keep {what}", what=choice.title.partition(",")[0])
    return f"{choice.title[0].lower()}{choice.title[1:]}"


def hint_text(position: Position, due: Sequence[Choice], speech: Speech) -> list[str]:
    """The best move, how often it wins, and what the next best one is worth."""
    from pickomino.analysis import evaluate

    t = speech.t
    goal = "win"
    try:
        found = evaluate(position, goal)
    except PickominoError:  # no learned estimate for this edition and number of seats
        goal = "worms"
        found = evaluate(position, goal)
    names = {choice.move: _name(choice, speech) for choice in due}
    if found.best is None:
        return [t("There is nothing to choose.")]
    others: dict[Move, float] = {move: value for move, value in found.moves.items() if move != found.best}
    best = found.moves[found.best]
    lines = [t("Hint: {what}.", what=names[found.best])]

    def worth(value: float) -> str:
        if goal == "win":
            return t("wins {n} of 100 games", n=round(100 * value))
        return t("is worth {n} worms this turn", n=f"{value:.1f}")

    lines.append(t("It {worth}.", worth=worth(best)))
    if others:
        second = max(others, key=others.__getitem__)
        if best - others[second] < 0.005:
            lines.append(t("{what} is just as good.", what=capital(names[second])))
        else:
            lines.append(t("{what} {worth}.", what=capital(names[second]), worth=worth(others[second])))
    return lines


def rules_text(position: Position, speech: Speech) -> list[str]:
    """The rules of this moment, then those of the edition."""
    t, edition = speech.t, position.edition
    now = {
        Phase.KEEP: t("Choose one face: all dice showing it are kept. Each face may be kept once per turn."),
        Phase.GO: t("Roll the dice that are left, or stop and claim a tile with your total."),
        Phase.GOLD: t("The golden die joins for this turn: a ninth die with three 1s and three worms."),
        Phase.GIVER: t("The supply of round worms is empty: choose who gives you one."),
        Phase.PUT_BACK: t("You may hold only one specialist: choose which one goes back to the grill."),
    }.get(position.phase, t("The dice are rolling."))
    if position.phase is Phase.KEEP and not keep_views(position):
        now = t("No face can be kept. The weasel may roll these dice once more.")
    lines = [now, t("A worm counts 5. Without a worm you get nothing.")]
    if edition.lower == "any":
        lines.append(t("Take the tile with your total, or any lower one."))
    else:
        lines.append(t("Take the tile with your total or, if it is not on the grill, the next lower one."))
    if edition.steal == "mandatory":
        lines.append(
            t(
                "If your total is exactly the top tile of another stack, you steal it: it comes before the grill."
            )
        )
    else:
        lines.append(t("With exactly the number on another stack's top tile you may steal it."))
    if edition.exact_only:
        tiles = speech.both([str(tile) for tile in sorted(edition.exact_only)])
        lines.append(t("{tiles} can be taken only with exactly that total.", tiles=tiles))
    lines.append(t("Bust: nothing to keep, no worm, or no tile. Your top tile goes back to the grill."))
    if edition.flip_when_nothing_returned:
        lines.append(
            t("Then the highest tile of the grill is turned face down, even if you had none to give back.")
        )
    else:
        lines.append(
            t("Then the highest tile of the grill is turned face down, unless it is the one you gave back.")
        )
    lines.append(t("The game ends when no tile is left on the grill. Whoever has the most worms wins."))
    if edition.tie_break == "shared":
        lines.append(t("With the same number of worms the win is shared."))
    else:
        lines.append(t("With the same number of worms the highest single tile wins."))
    return lines
