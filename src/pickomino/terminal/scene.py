"""The table as parts with a place: pure, so that a size, a language and a look can be tested without a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rich.text import Text

from pickomino.drawing import GUESTS
from pickomino.rules import Position, Steal, Take
from pickomino.terminal.choosing import Choice
from pickomino.terminal.pieces import Lines, beside, fit, key, stack_top, tile, wrapped
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import level_name

MIN_SIZE: Final = (60, 20)
SIDE_WIDTH: Final = 37


class Place(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Part:
    """One region of the screen. With an action it is a button: a click or Enter presses that key."""

    id: str
    place: Place
    ground: str
    lines: Lines
    lit: Lines | None = None  # under the cursor; those without are never under it
    action: str = ""
    layer: str = "piece"


class StoryRow(NamedTuple):
    """A roll of the turn being watched, and what became of it."""

    dice: str
    kept: str
    words: str


class Flight(NamedTuple):
    """A stolen tile on its way."""

    tile: int
    loser: int
    thief: int
    frame: int  # 0 to 2


@dataclass
class Showing:
    """Everything that is on the table just now."""

    position: Position
    names: Sequence[str]
    levels: Sequence[str]
    you: int | None = None
    due: list[Choice] = field(default_factory=list)
    air: list[tuple[str, str]] = field(default_factory=list)  # rolling dice: face and state
    story: list[StoryRow] = field(default_factory=list)
    story_of: int | None = None
    said: list[str] = field(default_factory=list)  # how a turn ended
    bust: bool = False
    waits: bool = False  # for Space
    next_up: str = ""
    chip: str = ""
    log: list[str] = field(default_factory=list)
    panel: str = ""  # odds, hint, log, rules, specialists
    notes: Lines = field(default_factory=list)
    remark: str = ""  # one line from elsewhere: a reaction, a lost connection
    flight: Flight | None = None
    ends: Sequence[tuple[str, str]] = ()  # keys and words at the end of the game
    live: bool = False  # at a table of a server
    can_undo: bool = False
    saved: bool = True


class Plan(NamedTuple):
    """Where things go in a window of some size."""

    width: int
    height: int
    tile: tuple[int, int]
    columns: int
    seats: Place
    grill: Place
    board: Place
    side: Place | None
    beside_grill: bool


def plan(width: int, height: int, position: Position) -> Plan:
    """The layout: seats beside the grill where there is room, else in lines above it; in wide windows a side column."""
    count = len(position.edition.values)
    guests = position.specialists is not None
    columns = min(count, 9 if guests else 8)
    rows = -(-count // columns)
    main = width - 36 if width >= 120 else width
    tile_width = (7 if main >= 76 else 5) if guests else 6
    tile_height = 3 if height < 24 else 5 if height >= 30 and (guests or height >= 36) else 4
    grill_width = columns * (tile_width + 1) + 1
    seats = len(position.stacks)
    left = main - grill_width
    gap = 1 if height >= 36 else 0
    grill_height = rows * tile_height + (rows + 1) * gap
    beside_grill = left >= 22
    if beside_grill:
        seat_place = Place(0, 1, left, grill_height)
        grill = Place(left, 1, grill_width, grill_height)
    else:
        lines = 1 if seats * 19 <= main else 2  # a name of ten letters beside worms and top tile
        seat_place = Place(0, 1, main, lines)
        grill = Place(0, 1 + lines, main, grill_height)
    top = grill.y + grill.height
    board = Place(0, top, main, height - 1 - top)
    side = Place(main + 1, 1, width - main - 1, height - 2) if width >= 120 else None
    return Plan(
        width, height, (tile_width, tile_height), columns, seat_place, grill, board, side, beside_grill
    )


def surroundings(showing: Showing, size: Plan, skin: Skin, speech: Speech) -> Iterable[Part]:
    """Header, seats and grill: what stays while the board changes."""
    yield _header(showing, size, skin, speech)
    yield Part("seats-ground", size.seats, "bg", [], layer="ground")
    yield from _seats(showing, size, skin, speech)
    yield Part("grill-ground", size.grill, "grill", [], layer="ground")
    yield from _grill(showing, size, skin, speech)


def _header(showing: Showing, size: Plan, skin: Skin, speech: Speech) -> Part:
    t = speech.t
    chip = skin.style(
        "ink", "lost" if showing.bust else "ember" if showing.due else "gold", bold=True, reverse=True
    )
    left = skin.text(
        (" PICKOMINO ", skin.style("name", bold=True)),
        (f"{showing.position.edition.key}  ", skin.style("muted")),
        (f" {showing.chip} ", chip),
    )
    parts = [showing.remark] if showing.remark else [t("saved")] if showing.saved else []
    style = skin.style("name" if showing.remark else "muted", bold=bool(showing.remark))
    right = skin.text((" · ".join([*parts, t("F1 rules")]), style), " ")
    room = size.width - right.cell_len
    line = fit(left, room) + right if left.cell_len < room else fit(left, size.width)
    return Part("header", Place(0, 0, size.width, 1), "panel", [line], action="f1")


def _claims(showing: Showing) -> dict[int, Choice]:
    """Tile -> the choice that claims it."""
    return {choice.move.tile: choice for choice in showing.due if isinstance(choice.move, Take | Steal)}


def _seats(showing: Showing, size: Plan, skin: Skin, speech: Speech) -> Iterable[Part]:
    position, place = showing.position, size.seats
    count = len(position.stacks)
    if not size.beside_grill:
        in_row = -(-count // place.height)
        width = place.width // in_row
        for seat in range(count):
            row, column = divmod(seat, in_row)
            where = Place(place.x + column * width, place.y + row, width, 1)
            yield from _seat(showing, seat, where, skin, speech)
        return
    deep = 2 if count * 2 <= place.height else 1
    gap = 1 if count * (deep + 1) <= place.height and count < 4 else 0
    above = max(0, (place.height - count * deep - (count - 1) * gap) // 2) if count < 4 else 0
    for seat in range(count):
        where = Place(place.x, place.y + above + seat * (deep + gap), place.width, deep)
        yield from _seat(showing, seat, where, skin, speech)


def _seat(showing: Showing, seat: int, where: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    t, position = speech.t, showing.position
    turn = position.seat if showing.story_of is None else showing.story_of
    on = seat == turn and not position.over
    top = position.tops[seat]
    claim = _claims(showing).get(top) if top is not None and seat != position.seat else None
    worms, held = position.scores[seat], position.specialists
    mark = ("▌" if on else " ", skin.style("ember", bold=True))
    name = (showing.names[seat], skin.style("call" if on else "text", bold=True))
    shown = stack_top(skin, top, position.edition.worms[top] if top else 0, t("none"), mark=claim is not None)
    guests = [] if held is None else [speech.t(GUESTS[name]) for name in held.held[seat]]
    if where.height == 1:
        shown.rstrip()
        tail = skin.text((f" {worms}~ ", skin.style("muted")), shown)
        head = fit(skin.text(mark, name), min(where.width - tail.cell_len, len(showing.names[seat]) + 1))
        line = head + tail
        if guests and line.cell_len + len(guests[0]) < where.width:
            line += skin.text((f" {guests[0]}", skin.style("muted")))
        lines = [fit(line, where.width)]
    else:
        head, room = skin.text(mark, name), where.width - shown.cell_len - 1
        level = f" {level_name(showing.levels[seat], speech)}"
        if head.cell_len + len(level) <= room:
            head.append_text(skin.text((level, skin.style("muted"))))
        head = fit(head, room)
        facts = [speech.worms(worms)]
        if claim is not None:
            facts.append(t("steal {tile}", tile=top))
        elif held is not None and (guests or held.round_worms[seat]):
            facts += guests + ([t("{n} round", n=held.round_worms[seat])] if held.round_worms[seat] else [])
        else:
            facts.append(speech.tiles(len(position.stacks[seat])))
        style = skin.style("name" if claim else "muted", bold=claim is not None)
        below = skin.text(mark, (" · ".join(facts), style))
        lines = [head + shown + skin.text(" "), fit(below, where.width)]
    yield Part(f"seat-{seat}", where, "bg", lines, action=claim.key if claim else f"seat {seat}")


def _grill(showing: Showing, size: Plan, skin: Skin, speech: Speech) -> Iterable[Part]:
    position, (width, height) = showing.position, size.tile
    claims, flipped = _claims(showing), set(position.flipped)
    gap = 1 if size.height >= 36 else 0
    inner = size.columns * (width + 1) - 1
    left = size.grill.x + (size.grill.width - inner) // 2
    for index, value in enumerate(position.edition.values):
        row, column = divmod(index, size.columns)
        where = Place(left + column * (width + 1), size.grill.y + gap + row * (height + gap), width, height)
        on_grill = value in position.grill
        state = "up" if on_grill else "back" if value in flipped else "out"
        guest = position.specialists.on(value) if position.specialists is not None else None
        name = speech.t(GUESTS[guest]) if guest else ("" if position.specialists is not None else None)
        claim = claims.get(value) if on_grill else None
        worms = position.edition.worms[value]
        if claim is None:
            lines = tile(skin, value, worms, state, width=width, height=height, guest=name)
            yield Part(f"tile-{value}", where, "grill", lines)
        else:
            word = speech.t("take")
            label = word if len(word) < width else claim.key  # its key, where the word is too long
            lines = tile(skin, value, worms, "mine", width=width, height=height, guest=name, label=label)
            yield Part(f"tile-{value}", where, "grill", lines, action=claim.key)


def footer(pairs: Sequence[tuple[str, str, str]], size: Plan, skin: Skin) -> Iterable[Part]:
    """Keys and words; each is a button. What does not fit is left out from the end."""
    y, x = size.height - 1, 1
    yield Part("footer", Place(0, y, size.width, 1), "panel", [], layer="ground")
    gap = 3 if size.width >= 80 else 2
    for index, (sign, word, action) in enumerate(pairs):
        text = skin.text((sign, skin.style("call", bold=True)), (f" {word}", skin.style("muted")))
        if x + text.cell_len > size.width:
            return
        yield Part(f"foot-{index}", Place(x, y, text.cell_len, 1), "panel", [text], action=action)
        x += text.cell_len + gap


def too_small(width: int, height: int, skin: Skin, speech: Speech) -> list[Part]:
    """Below the least size the game waits."""
    need = "×".join(map(str, MIN_SIZE))
    text = speech.t("Make the window {size}, or play on with --plain", size=need)
    return [Part("small", Place(0, 0, width, max(1, height)), "bg", [skin.text(text[:width])])]


def logo(width: int, height: int, words: str, skin: Skin) -> Part:
    """The head of the screens before a game: four tiles, the name and a line, or just one line."""
    name = skin.text((" PICKOMINO ", skin.style("gold", bold=True)))
    if height < 5:
        lines = [name + skin.text((words, skin.style("grilled")))]
    else:
        tiles = beside([tile(skin, value, worms) for value, worms in ((21, 1), (25, 2), (29, 3), (33, 4))])
        told = wrapped(skin, words, width - 33, "grilled", lead=" ")
        blank = skin.text("")
        lines = [blank, *beside([[blank] * 4, tiles, [blank, name, *told][:4]], 2)]
    return Part("logo", Place(0, 0, width, height), "grill", lines, layer="ground")


def titled(skin: Skin, text: str) -> Text:
    return skin.text((text, skin.style("muted", bold=True)))


def button(skin: Skin, sign: str, word: str, *, on: str = "ember") -> Lines:
    return beside([[key(skin, sign, on)], [skin.text((word, skin.style(bold=True)))]])
