"""The menu: go on with the last game, or set up a new one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pickomino.notation import Record
from pickomino.play import Seat
from pickomino.rules import EDITIONS, MAX_SEATS, MIN_SEATS, SWITCHES, said
from pickomino.terminal.pieces import fit, key, wrapped
from pickomino.terminal.scene import Part, Place, logo
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.stage import StageScreen
from pickomino.terminal.words import LEVELS, SWITCH_WORDS, level_name

NAMES: Final = ("Olga", "Bo", "Mia", "Jan", "Ida", "Tom")
_VALUES: Final = 17  # where the values begin, right of the labels


@dataclass
class Setup:
    """What a new game is to be like."""

    edition: str = "classic"
    switches: set[str] = field(default_factory=set)
    seats: int = 3
    lot: bool = False  # who begins is drawn by lot
    levels: list[str] = field(default_factory=lambda: ["medium", "easy", "medium", "hard", "medium", "easy"])

    @property
    def key(self) -> str:
        return "+".join((self.edition, *sorted(self.switches))) if self.edition == "classic" else self.edition

    def seating(self, speech: Speech) -> tuple[Seat, ...]:
        bots = zip(NAMES, self.levels, strict=True)
        return (Seat(speech.t("You")), *(Seat(name, level) for name, level in bots))[: self.seats]

    def first(self) -> int:
        return random.randrange(self.seats) if self.lot else 0


_EDITION_WORDS: Final = {
    "classic": said("classic: eight dice, tiles 21 to 36; house rules below"),
    "summary": said("summary: if you can steal, you must; any lower tile may be taken"),
    "course": said("course: stealing comes first, ties are shared"),
    "deluxe": said("deluxe: tiles 11 and 13, six specialists, round worms"),
    "extrawurm": said("extrawurm: deluxe without the apple"),
}
_LEVEL_WORDS: Final = {
    "easy": said("easy: for a first game, often misses the best move"),
    "medium": said("medium: wins 64 of 100 games against easy"),
    "hard": said("hard: wins 65 of 100 games against medium"),
    "champion": said("champion: wins 60 of 100 games against hard"),
}
"""What the levels mean: figures of docs/bots.md, classic with two seats."""


class _Row(NamedTuple):
    """One line of the menu: something to do by its key, or values to choose from."""

    name: str
    label: str
    key: str = ""
    note: str = ""
    values: Sequence[str] = ()
    at: int = 0
    choose: Callable[[int], None] = lambda _: None
    explained: str = ""


def _places(row: _Row, width: int) -> list[tuple[int, int]]:
    """Column and line of each value, beside the label and below each other where the window ends."""
    places, x, y = [], _VALUES, 0
    for value in row.values:
        if x + len(value) + 2 > width:
            x, y = _VALUES, y + 1
        places.append((x, y))
        x += len(value) + 3
    return places


def _lines(row: _Row, width: int) -> int:
    return 1 + max((y for _, y in _places(row, width)), default=0)


def _shorter(keys: str, width: int) -> str:
    """Those that fit, closer together; each key with its word or not at all."""
    short = ""
    for pair in keys.split("   "):
        if len(f"{short}  {pair}") < width:
            short += f"  {pair}" if short else pair
    return short


class MenuScreen(StageScreen):
    """Rows to walk through with up and down, values to change with left and right; all of it with the mouse too."""

    def __init__(self, setup: Setup, waiting: Record | None) -> None:
        super().__init__()
        self.setup = setup
        self.waiting = waiting
        self._row = "continue" if waiting is not None else "new"
        self._switch = 0

    def cursor(self) -> str:
        return f"row-{self._row}"

    def _rows(self) -> list[_Row]:
        """Every row as it is now."""
        t, setup, speech = self.speech.t, self.setup, self.speech
        editions, switches = tuple(EDITIONS), tuple(SWITCHES)

        def edition(index: int) -> None:
            setup.edition = editions[index]

        def seats(index: int) -> None:
            setup.seats = MIN_SEATS + index

        def lot(index: int) -> None:
            setup.lot = bool(index)

        def switch(index: int) -> None:
            self._switch = index
            setup.switches ^= {switches[index]}

        def level(bot: int) -> Callable[[int], None]:
            def choose(index: int) -> None:
                setup.levels[bot] = LEVELS[index]

            return choose

        rows = (
            [_Row("continue", t("Continue"), "c", self._waiting_text())] if self.waiting is not None else []
        )
        rows.append(_Row("new", t("New game"), "n"))
        words = t(_EDITION_WORDS[setup.edition])
        at = editions.index(setup.edition)
        rows.append(_Row("edition", t("edition"), "", "", editions, at, edition, words))
        if setup.edition == "classic":
            name = switches[self._switch]
            words = f"{name}: {t(SWITCH_WORDS[name])}"
            rows.append(_Row("house", t("house rules"), "", "", switches, self._switch, switch, words))
        counts = [str(number) for number in range(MIN_SEATS, MAX_SEATS + 1)]
        rows.append(_Row("seats", t("seats"), "", "", counts, setup.seats - MIN_SEATS, seats))
        rows.append(_Row("first", t("begins"), "", "", (t("you"), t("at random")), int(setup.lot), lot))
        names = [level_name(name, speech) for name in LEVELS]
        for bot in range(setup.seats - 1):
            chosen = setup.levels[bot]
            words = t(_LEVEL_WORDS[chosen])
            rows.append(_Row(f"bot{bot}", NAMES[bot], "", "", names, LEVELS.index(chosen), level(bot), words))
        return [*rows, _Row("leave", t("Leave"), "q")]

    def _here(self) -> _Row:
        rows = self._rows()
        return next((row for row in rows if row.name == self._row), rows[0])

    def shown(self, width: int, height: int) -> Iterable[Part]:
        skin, t = self.skin, self.speech.t
        rows = self._rows()
        deep = sum(_lines(row, width) for row in rows)
        roomy = height >= deep + len(rows) + 10
        top = 5 if height >= deep + 10 else 2
        yield logo(width, top, t("roll, keep, and know when to stop"), skin)
        y = top + 1
        for row in rows:
            yield from self._row_parts(row, y, width, skin)
            y += _lines(row, width) + (roomy and not row.name.startswith("bot"))
        words = self._here().explained or t("Saved after every move. Ctrl+C loses nothing.")
        told = wrapped(skin, words, width - 4, "muted", lead="  ")[:2]
        yield Part("said", Place(0, min(y + 1, height - 1 - len(told)), width, len(told)), "bg", told)
        words = t("↑ ↓ move   ← → change   Enter go   F2 look   F3 language   Ctrl+C leave")
        keys = words if len(words) < width else _shorter(words, width)
        line = fit(skin.text((f" {keys}", skin.style("muted"))), width)
        yield Part("footer", Place(0, height - 1, width, 1), "panel", [line])

    def _row_parts(self, row: _Row, y: int, width: int, skin: Skin) -> Iterable[Part]:
        if row.key:
            bold, note = skin.style(bold=True), (f"  {row.note}" if row.note else "", skin.style("muted"))
            plain = [skin.text(" ", key(skin, row.key, "line"), (f" {row.label}", bold), note)]
            call = skin.style("call", bold=True)
            lit = [skin.text(("▌", skin.style("ember")), key(skin, row.key), (f" {row.label}", call), note)]
            yield Part(f"row-{row.name}", Place(1, y, width - 2, 1), "bg", plain, lit, row.name)
            return
        here = skin.style("call", bold=True, reverse=True)
        plain = [fit(skin.text(f"  {row.label}"), 16)]
        lit = [fit(skin.text(("▌ ", skin.style("ember")), (row.label, here)), 16)]
        yield Part(f"row-{row.name}", Place(1, y, 16, 1), "bg", plain, lit, f"row {row.name}")
        many = row.name == "house"  # any number of them may hold
        for index, (value, (x, below)) in enumerate(zip(row.values, _places(row, width), strict=True)):
            chosen = value in self.setup.switches if many else index == row.at
            pointed = many and index == row.at and self._row == row.name
            style = (
                skin.style("ink", "gold", bold=True, reverse=True)
                if chosen
                else skin.style("call" if pointed else "muted", bold=pointed)
            )
            text = f"[{value}]" if pointed else f" {value} "
            where, action = Place(x, y + below, len(text), 1), f"set {row.name} {index}"
            yield Part(f"value-{row.name}-{index}", where, "bg", [skin.text((text, style))], action=action)

    def _waiting_text(self) -> str:
        record = self.waiting
        if record is None:
            return ""
        t, names = self.speech.t, ", ".join(record.names)
        return t(
            "{edition}, turn {n}: {names}", edition=record.game.start.edition.key, n=record.turns, names=names
        )

    # --- keys ---

    async def press(self, key: str) -> None:
        rows, here = self._rows(), self._here()
        keys = {row.key: row.name for row in rows if row.key} | {"escape": "leave"}
        if key in ("up", "down", "tab", "shift+tab"):
            step = 1 if key in ("down", "tab") else -1
            self._row = rows[(rows.index(here) + step) % len(rows)].name
        elif key in ("left", "right") and here.values:
            at = (here.at + (1 if key == "right" else -1)) % len(here.values)
            if here.name == "house":
                self._switch = at
            else:
                here.choose(at)
        elif key.startswith("row "):
            self._row = key[4:]
        elif key.startswith("set "):
            _, self._row, index = key.split(" ")
            self._here().choose(int(index))
        elif key == "space" and here.name == "house":
            here.choose(here.at)
        elif key in keys or key in keys.values() or key in ("enter", "space"):
            told = keys.get(key, key) if key not in ("enter", "space") else here.name if here.key else "new"
            await self._go(told)
            return
        await self.redraw()

    async def _go(self, row: str) -> None:
        if row == "leave":
            self.game_app.leave()
        elif row == "new":
            await self.game_app.new_game(self.setup)
        elif self.waiting is not None:
            await self.game_app.go_on()
