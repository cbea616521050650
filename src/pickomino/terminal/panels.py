"""What the panels say: chances of the next roll, a hint, the rules of this moment, the specialists."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pickomino.drawing import GUESTS
from pickomino.notation import Record
from pickomino.rules import Phase, Position, RollOn
from pickomino.terminal.choosing import Choice
from pickomino.terminal.facts import hint_text, odds_rows, rules_text
from pickomino.terminal.pieces import Lines, bar, fit, wrap, wrapped
from pickomino.terminal.scene import SIDE_WIDTH, Plan, Showing, titled
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import bust_cost, power
from pickomino.views import roll_bust_prob


def panel_lines(
    showing: Showing,
    size: Plan,
    record: Callable[[], Record],
    reactions: Sequence[str],
    skin: Skin,
    speech: Speech,
) -> Lines:
    """What the panel that is open says; beside a wide table the odds stand there if no other is."""
    position, beside = showing.position, size.side
    shown = showing.panel or ("odds" if beside is not None else "")
    room = (beside or size.board).width - 3
    if shown == "reactions":
        return _reactions(reactions, skin, speech)
    if shown == "review":
        return _review(record(), showing.you, skin, speech, room)
    if shown == "rules":
        return _rules(position, skin, speech, room)
    if shown == "specialists":
        return _specialists(position, showing.names, skin, speech, room)
    if not showing.due or shown not in ("odds", "hint"):
        return []
    narrow = size.width if size.width < 80 else SIDE_WIDTH
    wide = (narrow if beside is None else beside.width) - 2
    if shown == "hint":
        return _hint(position, showing.due, skin, speech, wide)
    return odds_lines(position, skin, speech, wide)


def odds_lines(position: Position, skin: Skin, speech: Speech, width: int) -> Lines:
    """What rolling on risks and what it may reach, with bars."""
    t = speech.t
    lines = [titled(skin, t("ODDS"))]
    if RollOn() in position.moves():
        chance = roll_bust_prob(position)
        title = t("Rolling {dice}", dice=speech.dice(position.dice_left))
        lines.append(skin.text((title, skin.style(bold=True))))
        risk = skin.text(
            (f"{t('bust')} ", skin.style("muted")),
            (f"{speech.percent(chance)} ", skin.style("lost", bold=True)),
        )
        lines.append(risk + bar(skin, chance, 10, "lost"))
        lines += wrapped(skin, t("A bust {cost}.", cost=bust_cost(position, speech)), width, "muted")
    elif position.phase is Phase.KEEP:
        lines.append(skin.text((t("From this roll"), skin.style(bold=True))))
    for name, share in odds_rows(position, speech):
        label = fit(skin.text((name, skin.style("muted"))), 12)
        figure = fit(skin.text(speech.percent(share)), 10, right=True)
        lines.append(label + figure + skin.text(" ") + bar(skin, share, width - 23))
    return lines


def _hint(position: Position, due: Sequence[Choice], skin: Skin, speech: Speech, width: int) -> Lines:
    """The hint over the odds."""
    first, *rest = hint_text(position, due, speech)
    lines = wrapped(skin, first, width, "name", bold=True)
    for text in rest:
        lines += wrapped(skin, text, width)
    return [*lines, skin.text(""), *odds_lines(position, skin, speech, width)[1:]]


def _rules(position: Position, skin: Skin, speech: Speech, width: int) -> Lines:
    first, *rest = rules_text(position, speech)
    lines = [titled(skin, speech.t("RULES")), *wrapped(skin, first, width, bold=True)]
    for text in rest:
        rows = wrap(text, width - 2)
        lines += [
            skin.text((f"{' ' if index else '·'} {row}", skin.style("muted")))
            for index, row in enumerate(rows)
        ]
    return lines


def _specialists(position: Position, names: Sequence[str], skin: Skin, speech: Speech, width: int) -> Lines:
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
        head = (speech.t(GUESTS[name]), skin.style(bold=True))
        lines.append(skin.text(head, (f", {where}", skin.style("muted"))))
        lines += wrapped(skin, power(name, speech), width - 2, "muted", lead="  ")
    left = t(
        "Round worms left: {n} of {all}", n=held.supply(position.edition), all=position.edition.round_worms
    )
    return [*lines, skin.text((left, skin.style("muted")))]


def _reactions(reactions: Sequence[str], skin: Skin, speech: Speech) -> Lines:
    """What one can call out, and its key."""
    lines = [titled(skin, speech.t("SAY SOMETHING"))]
    for number, text in enumerate(reactions, 1):
        lines.append(skin.text((f"{number}  ", skin.style("call", bold=True)), speech.t(text)))
    return lines


def _review(record: Record, you: int | None, skin: Skin, speech: Speech, width: int) -> Lines:
    """Dice or choices: the verdict on a finished game, and the choices that cost most."""
    from pickomino.analysis.reporting import report
    from pickomino.analysis.reviewing import review

    t = speech.t
    shown = report(review(record), speech.language)
    lines: Lines = []
    for player in shown["players"]:
        mine = you is None or shown["players"][you] is player
        right = "" if player["accuracy"] is None else f" · {player['accuracy']} %"
        lines.append(
            skin.text((f"{player['name']}{right}", skin.style("call" if mine else "text", bold=True)))
        )
        lines += wrapped(skin, player["verdict"], width) if mine else []
    slips = shown["players"][you]["slips"] if you is not None else []
    if slips:
        lines += [skin.text(""), titled(skin, t("What would have been better"))]
    for index in slips[:3]:
        slip = shown["decisions"][index]
        head = t("turn {number}", number=slip["turn"])
        lines += wrapped(skin, f"{head}: {slip['sentence']}", width, "muted")
    return lines
