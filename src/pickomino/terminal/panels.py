"""What the panels say: chances of the next roll, a hint, the rules of this moment, the specialists."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.rules import Keep, Move, Phase, PickominoError, Position, RollOn
from pickomino.terminal.choices import Choice
from pickomino.terminal.pieces import Lines, bar, fit, wrap
from pickomino.terminal.scene import titled
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import bust_chance, bust_cost, power, specialist
from pickomino.views import keep_views

__all__ = [
    "hint_lines",
    "hint_text",
    "odds_lines",
    "odds_rows",
    "rules_lines",
    "rules_text",
    "specialist_lines",
]


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


def odds_lines(position: Position, skin: Skin, speech: Speech, width: int) -> Lines:
    """What rolling on risks and what it may reach, with bars."""
    t = speech.t
    lines = [titled(skin, t("ODDS"))]
    if RollOn() in position.moves():
        chance = bust_chance(position)
        title = t("Rolling {dice}", dice=speech.dice(position.dice_left))
        lines.append(skin.text((title, skin.style(bold=True))))
        risk = skin.text(
            (f"{t('bust')} ", skin.style("muted")),
            (f"{speech.percent(chance)} ", skin.style("lost", bold=True)),
        )
        lines.append(risk + bar(skin, chance, 10, "lost"))
        cost = t("A bust {cost}.", cost=bust_cost(position, speech))
        lines += [skin.text((row, skin.style("muted"))) for row in wrap(cost, width)]
    elif position.phase is Phase.KEEP:
        lines.append(skin.text((t("From this roll"), skin.style(bold=True))))
    for name, share in odds_rows(position, speech):
        figure = fit(skin.text(speech.percent(share)), 10, right=True)
        lines.append(
            fit(skin.text((name, skin.style("muted"))), 12)
            + figure
            + skin.text(" ")
            + bar(skin, share, width - 23)
        )
    return lines


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
            lines.append(t("{what} is just as good.", what=_capital(names[second])))
        else:
            lines.append(t("{what} {worth}.", what=_capital(names[second]), worth=worth(others[second])))
    return lines


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def hint_lines(position: Position, due: Sequence[Choice], skin: Skin, speech: Speech, width: int) -> Lines:
    """The hint over the odds."""
    first, *rest = hint_text(position, due, speech)
    lines = [skin.text((row, skin.style("name", bold=True))) for row in wrap(first, width)]
    lines += [skin.text(row) for text in rest for row in wrap(text, width)]
    return [*lines, skin.text(""), *odds_lines(position, skin, speech, width)[1:]]


def rules_text(position: Position, speech: Speech) -> list[str]:
    """The rules of this moment, then those of the edition."""
    t, edition = speech.t, position.edition
    now = {
        Phase.KEEP: t("Choose one face: all dice of that face are kept. A face may be kept once in a turn."),
        Phase.GO: t("Roll the dice that are left, or stop and claim a tile with your total."),
        Phase.GOLD: t("The golden die joins for this turn: a ninth die with three 1s and three worms."),
        Phase.GIVER: t("The supply of round worms is empty: choose who gives you one."),
        Phase.PUT_BACK: t("You may hold one specialist: choose which one goes back to the grill."),
    }.get(position.phase, t("The dice are rolling."))
    if position.phase is Phase.KEEP and not keep_views(position):
        now = t("No face can be kept. The weasel may roll these dice once more.")
    lines = [now, t("A worm counts 5. Without a worm you get nothing.")]
    if edition.lower == "any":
        lines.append(t("Take the tile of your total, or any lower one."))
    else:
        lines.append(t("Take the tile of your total; if it is not on the grill, the next lower one."))
    if edition.steal == "mandatory":
        lines.append(
            t(
                "If your total is exactly the top tile of another stack, you steal it: it comes before the grill."
            )
        )
    else:
        lines.append(t("With exactly the number of another stack's top tile you may steal it."))
    if edition.exact_only:
        tiles = speech.both([str(tile) for tile in sorted(edition.exact_only)])
        lines.append(t("{tiles} can be had with exactly that total only.", tiles=tiles))
    lines.append(t("Bust: nothing to keep, no worm, or no tile. Your top tile goes back to the grill."))
    if edition.flip_when_nothing_returned:
        lines.append(
            t("Then the highest tile of the grill is turned face down, also if you had none to give back.")
        )
    else:
        lines.append(
            t("Then the highest tile of the grill is turned face down, unless it is the one you gave back.")
        )
    lines.append(t("The game ends when no tile is left on the grill. Most worms win."))
    if edition.tie_break == "shared":
        lines.append(t("With the same number of worms the win is shared."))
    else:
        lines.append(t("With the same number of worms the highest single tile wins."))
    return lines


def rules_lines(position: Position, skin: Skin, speech: Speech, width: int) -> Lines:
    first, *rest = rules_text(position, speech)
    lines = [titled(skin, speech.t("RULES"))]
    lines += [skin.text((row, skin.style(bold=True))) for row in wrap(first, width)]
    for text in rest:
        rows = wrap(text, width - 2)
        lines += [
            skin.text((f"{' ' if index else '·'} {row}", skin.style("muted")))
            for index, row in enumerate(rows)
        ]
    return lines


def specialist_lines(
    position: Position, names: Sequence[str], skin: Skin, speech: Speech, width: int
) -> Lines:
    """Who is where, and what each does."""
    held = position.specialists
    if held is None:
        return []
    t = speech.t
    lines = []
    for name, _ in position.edition.specialists:
        tiles = [value for value, other in held.standing if other == name]
        owner = [names[seat] for seat, have in enumerate(held.held) if name in have]
        where = t("on {tile}", tile=tiles[0]) if tiles else owner[0] if owner else t("out of the game")
        head = (_capital(specialist(name, speech)), skin.style(bold=True))
        lines.append(skin.text(head, (f", {where}", skin.style("muted"))))
        lines += [
            skin.text((f"  {row}", skin.style("muted"))) for row in wrap(power(name, speech), width - 2)
        ]
    left = t(
        "Round worms left: {n} of {all}", n=held.supply(position.edition), all=position.edition.round_worms
    )
    return [*lines, skin.text((left, skin.style("muted")))]
