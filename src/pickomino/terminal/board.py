"""The board below the grill: kept dice and total, the dice on the table, what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.text import Text

from pickomino.rules import Phase, Position
from pickomino.terminal.choosing import Choice, asked
from pickomino.terminal.pieces import Lines, beside, big, chip, die, fit, key, stack_top, wrap
from pickomino.terminal.scene import (
    SIDE_WIDTH,
    Flight,
    Part,
    Place,
    Showing,
    footer,
    plan,
    surroundings,
    titled,
)
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.story import game_ended, turn_ended, turn_watched


def table(showing: Showing, width: int, height: int, skin: Skin, speech: Speech) -> list[Part]:
    """Every part of the table in a window of that size."""
    size = plan(width, height, showing.position)
    parts = list(surroundings(showing, size, skin, speech))
    parts.append(Part("board", size.board, "board", [], layer="ground"))
    board = size.board
    if size.side is not None:
        parts += _side(showing, size.side, skin, speech)
    elif showing.panel:
        if width >= 80 and showing.panel in ("odds", "hint"):
            panel = Place(board.x + board.width - SIDE_WIDTH, board.y, SIDE_WIDTH, board.height)
        else:  # more than the board holds covers the table too
            panel = board if len(showing.notes) < board.height else Place(0, 1, width, height - 2)
        parts.append(_panel(showing, panel, skin, speech))
        board = board._replace(width=max(0, board.width - panel.width))
    if board.width:
        parts += _board(showing, board, skin, speech)
    parts += footer(_keys(showing, speech), size, skin)
    return parts


def _side(showing: Showing, place: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    """In a wide window odds or hint stand beside the table, over what happened."""
    upper = place._replace(height=place.height // 2)
    shown = showing.panel or "odds"
    yield _panel(showing, upper, skin, speech, name=shown)
    lower = place._replace(y=place.y + upper.height + 1, height=place.height - upper.height - 1)
    yield Part("log", lower, "panel", _log(showing, lower.height, lower.width, skin, speech), layer="panel")


def _panel(showing: Showing, place: Place, skin: Skin, speech: Speech, name: str = "") -> Part:
    if (name or showing.panel) == "log":
        lines = _log(showing, place.height, place.width, skin, speech)
    else:
        lines = [skin.text(""), *(skin.text(" ", line) for line in showing.notes)]
    return Part("panel", place, "panel", lines[: place.height], layer="panel")


def _log(showing: Showing, height: int, width: int, skin: Skin, speech: Speech) -> Lines:
    rows = [row for line in showing.log[-height:] for row in wrap(line, width - 3)][-(height - 3) :]
    head = [skin.text(""), skin.text(" ", titled(skin, speech.t("WHAT HAPPENED"))), skin.text("")]
    return [*head, *(skin.text((f" {row}", skin.style("muted"))) for row in rows)]


def _board(showing: Showing, board: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    if showing.position.over:
        yield from game_ended(showing, board, skin, speech)
        return
    if showing.story_of is not None and not showing.due and showing.flight is None:
        yield from turn_watched(showing, board, skin, speech)
        return
    tall = board.height >= 13
    rail = (
        _rail(showing.position, board.width - 1, skin, speech)
        if tall
        else [_line(showing.position, board, skin, speech)]
    )
    above = 1 if board.height >= 11 else 0
    yield Part("rail", Place(board.x, board.y + above, board.width, len(rail)), "board", rail)
    y = board.y + above + len(rail)
    rest = Place(board.x, y, board.width, board.y + board.height - y)
    if showing.flight is not None:
        yield from _in_flight(showing, showing.flight, rest, skin)
    elif showing.air:
        yield from _in_the_air(showing, rest, skin)
    elif showing.said:
        yield from turn_ended(showing, rest, skin, speech)
    elif showing.due and showing.position.phase is Phase.KEEP:
        yield from _keeping(showing, rest, skin, speech)
    elif showing.due:
        yield from _choosing(showing, rest, skin, speech)


# --- kept dice and total ---


def _chips(dice: str, skin: Skin) -> Lines:
    white, _, gold = dice.partition("+")
    line = skin.text("")
    last = ""
    for face in white:
        line.append(" " if last and face != last else "")
        line.append_text(chip(skin, face))
        last = face
    if gold:
        line.append(" ")
        line.append_text(chip(skin, gold, gold=True))
    return [line]


def _worm_note(position: Position, speech: Speech) -> str:
    if not position.kept:
        return speech.t("nothing kept")
    return speech.t("with a worm") if position.has_worm else speech.t("no worm yet")


def _rail(position: Position, width: int, skin: Skin, speech: Speech) -> Lines:
    """Three lines: kept dice left, the total in big figures right."""
    figures = big(skin, position.total)
    muted = skin.style("muted")
    chips = skin.text((f" {speech.t('kept')} ", muted), *_chips(position.kept, skin))
    room = width - 2 - figures[1].cell_len
    left = [
        fit(skin.text((speech.t("total"), muted)), room, right=True),
        fit(chips, room),
        fit(skin.text((_worm_note(position, speech), muted)), room, right=True),
    ]
    return [line + skin.text("  ") + figure for line, figure in zip(left, figures, strict=True)]


def _line(position: Position, board: Place, skin: Skin, speech: Speech) -> Text:
    muted = skin.style("muted")
    note = speech.t("total {total}, {worm}", total=position.total, worm=_worm_note(position, speech))
    left = skin.text((f" {speech.t('kept')} ", muted), *_chips(position.kept, skin))
    right = skin.text((note, skin.style(bold=True)), " ")
    return fit(left, board.width - right.cell_len) + right


# --- dice on the table ---


def _in_the_air(showing: Showing, rest: Place, skin: Skin) -> Iterable[Part]:
    small = rest.height < 8 or 8 * len(showing.air) + 2 > rest.width
    blocks = [die(skin, face[-1], state, small=small, gold=face[0] == "+") for face, state in showing.air]
    lines = beside(blocks)
    well = Place(rest.x, rest.y + 1, rest.width, len(lines))
    yield Part("well", well, "well", [], layer="ground")
    yield Part("air", Place(rest.x + 2, well.y, lines[0].cell_len, len(lines)), "well", lines)


def _in_flight(showing: Showing, flight: Flight, rest: Place, skin: Skin) -> Iterable[Part]:
    """A stolen tile moves from one stack to another: there, between them, here."""
    loser, thief = (showing.names[seat][:14] for seat in (flight.loser, flight.thief))
    tile = stack_top(skin, flight.tile, showing.position.edition.worms[flight.tile], "", mark=True)
    room = max(4, min(rest.width, 70) - len(loser) - len(thief) - tile.cell_len - 8)
    trail = (("", "·" * room), ("· " * (room // 4), "━" * (room // 2 - 1) + "▸"), ("· " * (room // 2), ""))
    before, after = trail[flight.frame]
    line = skin.text(
        (f"  {loser} ", skin.style(bold=True)),
        (before, skin.style("muted")),
        tile,
        (f" {after} ", skin.style("gold")),
        (thief, skin.style("call", bold=True)),
    )
    high = min(3, rest.height)
    yield Part(
        "flight", Place(rest.x, rest.y + 1, rest.width, high), "board", [skin.text(""), fit(line, rest.width)]
    )


class _Group(NamedTuple):
    """Rolled dice of one face."""

    face: str
    white: int  # how many of the white ones
    gold: bool
    choice: Choice | None  # that keeps them


def _groups(showing: Showing) -> list[_Group]:
    """Rolled dice by face: those that may be kept first."""
    white, _, gold = showing.position.rolled.partition("+")
    due = {choice.key.upper(): choice for choice in showing.due if choice.kind == "keep"}
    faces = sorted({*white, *gold}, key=lambda face: (face not in due, -"12345W".find(face)))
    return [_Group(face, white.count(face), face == gold, due.get(face)) for face in faces]


def _keeping(showing: Showing, rest: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    groups = _groups(showing)
    dice = sum(group.white + group.gold for group in groups)
    others = [choice for choice in showing.due if choice.kind != "keep"]
    wide = 8 * dice + len(groups) + 1
    small = rest.height < 10 + 2 * bool(others) or wide > rest.width
    if small and 6 * dice + len(groups) + 1 > rest.width:
        yield from _choosing(showing, rest, skin, speech)
        return
    title = skin.text((f" {asked(showing.position, speech)} ", skin.style(bold=True)))
    hint = speech.t("All its dice are kept; each face once per turn.")
    if len(title.plain) + len(hint) < rest.width:
        title.append_text(skin.text((hint, skin.style("muted"))))
    yield Part("ask", Place(rest.x, rest.y, rest.width, 1), "board", [fit(title, rest.width)])
    high = 3 if small else 5
    gap = 1 if small and rest.height >= 9 else 0
    well = Place(rest.x, rest.y + 1 + gap, rest.width, high + 1)
    yield Part("well", well, "well", [], layer="ground")
    x = rest.x + 2
    for group in groups:
        plain = _group(group, skin, speech, small=small, lit=False)
        where = Place(x, well.y, plain[0].cell_len, high + 1)
        x += where.width + 2
        if group.choice is None:
            yield Part(f"face-{group.face}", where, "well", plain)
        else:
            lit = _group(group, skin, speech, small=small, lit=True)
            yield Part(f"face-{group.face}", where, "well", plain, lit, group.choice.key)
    y = well.y + well.height
    left = rest.y + rest.height - y
    yield Part("note", Place(rest.x, y, rest.width, 1 if left < 3 or others else 2), "board", [])
    if others:
        below = Place(rest.x, y + 1, rest.width, left - 1)
        yield from _rows(others, below, skin)


def _group(group: _Group, skin: Skin, speech: Speech, *, small: bool, lit: bool) -> Lines:
    face, white, gold, choice = group
    state = "dead" if choice is None else "lit" if lit else "can"
    blocks = [die(skin, face, state, small=small)] * white
    if gold:
        blocks.append(die(skin, face, state, small=small, gold=True))
    lines = beside(blocks)
    width = lines[0].cell_len
    if choice is None:
        word = speech.t("kept")
        label = skin.text((word if len(word) <= width else "", skin.style("muted")))
    else:
        total = choice.title.rsplit(" ", 1)[-1]
        cap = (
            skin.text((face, skin.style("call", bold=True)))
            if small
            else key(skin, face, "gold" if lit else "line")
        )
        label = skin.text(cap, (f"→{total}", skin.style(bold=True)))
    room = max(0, width - label.cell_len) // 2
    return [*lines, fit(skin.text(" " * room, label), width)]


# --- choices ---


def _choosing(showing: Showing, rest: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    if showing.position.phase is not Phase.GO or rest.height > 10:
        title = fit(skin.text((f" {asked(showing.position, speech)}", skin.style(bold=True))), rest.width)
        yield Part("ask", Place(rest.x, rest.y, rest.width, 1), "board", [title])
        rest = rest._replace(y=rest.y + 1, height=rest.height - 1)
    yield from _rows(showing.due, rest, skin)


def _rows(due: Sequence[Choice], rest: Place, skin: Skin) -> Iterable[Part]:
    """One under the other: two lines each and a blank where there is room, one line each where there is not."""
    deep, gap = 2, 1
    if len(due) * 3 - 1 > rest.height:
        deep, gap = (2, 0) if len(due) * 2 <= rest.height else (1, 0)
    width = min(rest.width - 4, 64)
    y = rest.y
    for choice in due:
        if y + deep > rest.y + rest.height:
            return  # they have their keys, and every tile on the grill is a button
        where = Place(rest.x + 2, y, width, deep)
        lines = [_choice(choice, width, deep, skin, lit) for lit in (False, True)]
        yield Part(f"choice-{choice.key}", where, "board", lines[0], lines[1], choice.key)
        y += deep + gap


def _choice(choice: Choice, width: int, deep: int, skin: Skin, lit: bool) -> Lines:
    """What happens, then what it brings or costs."""
    ground = {"roll": "ember", "take": "gold", "steal": "gold"}.get(choice.kind, "side")
    sign = {"roll": "▸", "take": "▾", "steal": "«"}.get(choice.kind, " ")
    cap = skin.style("ivory", "ink", bold=True, reverse=True)
    title = skin.style("ink", ground, bold=True, line=not lit, reverse=lit)
    pointer = "▸" if lit and not skin.fill else " "
    fill = "/" if choice.kind == "steal" else " "
    stripe = skin.style("ember", ground, bold=True)
    sides = "▌" if lit and skin.fill else " "
    edge = skin.style("text", ground, bold=True)
    letter = choice.key.upper() if choice.kind == "keep" else choice.key
    first = skin.text((f"{pointer}{letter} ", cap), (sides, edge), (f"{sign} {choice.title} ", title))
    if deep == 1 and first.cell_len + len(choice.note) + 2 <= width:
        first.append_text(skin.text((f" {choice.note} ", skin.style("ink", ground))))
    first.append_text(skin.text((fill * max(0, width - first.cell_len), stripe)))
    if deep == 1:
        return [fit(first, width)]
    second = skin.text(("   ", cap if skin.fill else skin.style()), (sides, edge))
    second.append_text(skin.text((f"  {choice.note} ", skin.style("ink", ground))))
    second.append_text(skin.text((fill * max(0, width - second.cell_len), stripe)))
    return [fit(first, width), fit(second, width)]


def _keys(showing: Showing, speech: Speech) -> list[tuple[str, str, str]]:
    """The footer's buttons: sign, word, the key that is pressed."""
    t = speech.t
    pairs: list[tuple[str, str, str]] = []
    if showing.waits:
        pairs.append((t("Space"), t("go on"), "space"))
    elif not showing.due and not showing.position.over:
        pairs += [("+ -", t("speed"), "+"), ("v", t("skip bots"), "skip")]
    pairs += [("h", t("hint"), "h"), ("o", t("odds"), "o")] if showing.due else []
    pairs += [("u", t("undo"), "u")] if showing.can_undo else []
    pairs.append(("l", t("log"), "l"))
    pairs += [("e", t("reactions"), "e")] if showing.live else []
    if showing.position.specialists is not None:
        pairs.append(("i", t("specialists"), "i"))
    return [*pairs, ("?", t("rules"), "f1"), ("Esc", t("menu"), "escape"), ("F2", t("look"), "f2")]
