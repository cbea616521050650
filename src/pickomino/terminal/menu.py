"""The menu: go on with the last game, or set up a new one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pickomino.notation import Record
from pickomino.play import Seat
from pickomino.rules import EDITIONS, MAX_SEATS, MIN_SEATS, SWITCHES
from pickomino.terminal.pieces import Lines, beside, fit, key, tile, wrap
from pickomino.terminal.scene import MIN_SIZE, Part, Place, too_small
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.stage import StageScreen

__all__ = ["LEVELS", "MenuScreen", "Setup"]

LEVELS: Final = ("easy", "medium", "hard", "champion")
NAMES: Final = ("Olga", "Bo", "Mia", "Jan", "Ida", "Tom")


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


def switch_words(name: str, speech: Speech) -> str:
    t = speech.t
    return {
        "any-lower": t("any-lower: take any lower tile, not only the next one"),
        "fast": t("fast: a bust turns the highest tile even if it just went back"),
        "flip-empty": t("flip-empty: a bust turns a tile even if none goes back"),
        "mandatory-steal": t("mandatory-steal: who can steal has to"),
        "shared-ties": t("shared-ties: the same number of worms shares the win"),
    }[name]


def edition_words(name: str, speech: Speech) -> str:
    t = speech.t
    return {
        "classic": t("classic: eight dice, tiles 21 to 36; house rules below"),
        "summary": t("summary: who can steal has to, any lower tile may be taken"),
        "course": t("course: stealing comes first, ties are shared"),
        "deluxe": t("deluxe: tiles 11 and 13, six specialists, round worms"),
        "extrawurm": t("extrawurm: deluxe without the apple"),
    }[name]


def level_words(name: str, speech: Speech) -> str:
    """What a level means: figures of docs/bots.md, classic with two seats."""
    t = speech.t
    return {
        "easy": t("easy: for a first game, often misses the best move"),
        "medium": t("medium: wins 64 of 100 games against easy"),
        "hard": t("hard: wins 65 of 100 games against medium"),
        "champion": t("champion: wins 60 of 100 games against hard"),
    }[name]


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

    def _rows(self) -> list[str]:
        rows = (["continue"] if self.waiting is not None else []) + ["new", "edition"]
        rows += ["house"] if self.setup.edition == "classic" else []
        return [*rows, "seats", "first", *(f"bot{index}" for index in range(self.setup.seats - 1)), "leave"]

    def _values(self, row: str) -> tuple[Sequence[str], int]:
        """What can be chosen in a row, and which is."""
        t, setup = self.speech.t, self.setup
        if row == "edition":
            return tuple(EDITIONS), list(EDITIONS).index(setup.edition)
        if row == "seats":
            return [str(number) for number in range(MIN_SEATS, MAX_SEATS + 1)], setup.seats - MIN_SEATS
        if row == "first":
            return (t("you"), t("drawn by lot")), int(setup.lot)
        if row.startswith("bot"):
            return LEVELS, LEVELS.index(setup.levels[int(row[3:])])
        return tuple(SWITCHES), self._switch

    def _label(self, row: str) -> str:
        t = self.speech.t
        if row.startswith("bot"):
            return NAMES[int(row[3:])]
        names = {
            "edition": t("edition"),
            "house": t("house rules"),
            "seats": t("seats"),
            "first": t("begins"),
        }
        return names[row]

    def parts(self, width: int, height: int) -> Sequence[Part]:
        if width < MIN_SIZE[0] or height < MIN_SIZE[1]:
            return too_small(width, height, self.skin, self.speech)
        return list(self._parts(width, height))

    def _parts(self, width: int, height: int) -> Iterable[Part]:
        skin, t = self.skin, self.speech.t
        rows = self._rows()
        roomy = height >= len(rows) * 2 + 10
        top = 5 if height >= len(rows) + 11 else 2
        yield Part("logo", Place(0, 0, width, top), "grill", self._logo(skin, top, width), layer="ground")
        y = top + 1
        for row in rows:
            yield from self._row_parts(row, y, width, skin)
            narrow = row == "house" and width < 90
            y += 1 + narrow + (roomy and not row.startswith("bot"))
        said = wrap(self._explained(), width - 4)[:2]
        where = Place(0, min(y + 1, height - 1 - len(said)), width, len(said))
        yield Part("said", where, "bg", [skin.text((f"  {line}", skin.style("muted"))) for line in said])
        words = f" {t('↑ ↓ move   ← → change   Enter go   F2 look   F3 language   Ctrl+C leave')}"
        line = fit(skin.text((words, skin.style("muted"))), width)
        yield Part("footer", Place(0, height - 1, width, 1), "panel", [line])

    def _logo(self, skin: Skin, high: int, width: int) -> Lines:
        name = skin.text((" PICKOMINO ", skin.style("gold", bold=True)))
        motto = skin.text((f" {self.speech.t('roll, keep, and know when to stop')}", skin.style("grilled")))
        if high < 5:
            return [name + motto]
        tiles = beside([tile(skin, value, worms) for value, worms in ((21, 1), (25, 2), (29, 3), (33, 4))])
        blank = skin.text("")
        return [blank, *beside([[blank] * 4, tiles, [blank, name, motto]], 2)]

    def _explained(self) -> str:
        t, row, speech = self.speech.t, self._row, self.speech
        if row == "edition":
            return edition_words(self.setup.edition, speech)
        if row == "house":
            return switch_words(tuple(SWITCHES)[self._switch], speech)
        if row.startswith("bot"):
            return level_words(self.setup.levels[int(row[3:])], speech)
        return t("Saved after every move. Ctrl+C loses nothing.")

    def _row_parts(self, row: str, y: int, width: int, skin: Skin) -> Iterable[Part]:
        t = self.speech.t
        place = Place(1, y, 16, 1)
        if row in ("continue", "new", "leave"):
            sign, word = {
                "continue": ("c", t("Continue")),
                "new": ("n", t("New game")),
                "leave": ("q", t("Leave")),
            }[row]
            rest = f"  {self._waiting_text()}" if row == "continue" else ""
            note = (rest, skin.style("muted"))
            plain = [skin.text(" ", key(skin, sign, "line"), (f" {word}", skin.style(bold=True)), note)]
            lit = [
                skin.text(
                    ("▌", skin.style("ember")),
                    key(skin, sign),
                    (f" {word}", skin.style("call", bold=True)),
                    note,
                )
            ]
            yield Part(f"row-{row}", place._replace(width=width - 2), "bg", plain, lit, row)
            return
        label = self._label(row)
        plain = [fit(skin.text(f"  {label}"), 16)]
        lit = [
            fit(
                skin.text(("▌ ", skin.style("ember")), (label, skin.style("call", bold=True, reverse=True))),
                16,
            )
        ]
        yield Part(f"row-{row}", place, "bg", plain, lit, f"row {row}")
        values, at = self._values(row)
        x = 17
        for index, value in enumerate(values):
            chosen = value in self.setup.switches if row == "house" else index == at
            pointed = row == "house" and index == at and self._row == "house"
            style = (
                skin.style("ink", "gold", bold=True, reverse=True)
                if chosen
                else skin.style("call" if pointed else "muted", bold=pointed)
            )
            text = f"[{value}]" if pointed else f" {value} "
            if x + len(text) > width:
                x, y = 17, y + 1
            where = Place(x, y, len(text), 1)
            yield Part(
                f"value-{row}-{index}", where, "bg", [skin.text((text, style))], action=f"set {row} {index}"
            )
            x += len(text) + 1

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
        rows = self._rows()
        at = rows.index(self._row)
        if key in ("up", "down", "tab", "shift+tab"):
            step = 1 if key in ("down", "tab") else -1
            self._row = rows[(at + step) % len(rows)]
        elif key in ("left", "right"):
            self._change(self._row, 1 if key == "right" else -1)
        elif key.startswith("row "):
            self._row = key[4:]
        elif key.startswith("set "):
            _, self._row, index = key.split(" ")
            self._set(self._row, int(index))
        elif key == "space" and self._row == "house":
            self._set("house", self._switch)
        elif key in ("c", "n", "q", "continue", "new", "leave", "escape"):
            row = {"c": "continue", "n": "new", "q": "leave", "escape": "leave"}.get(key, key)
            await self._go(row)
            return
        elif key in ("enter", "space"):
            await self._go(self._row if self._row in ("continue", "leave") else "new")
            return
        await self.redraw()

    async def _go(self, row: str) -> None:
        if row == "leave":
            self.game_app.leave()
        elif row == "new":
            await self.game_app.new_game(self.setup)
        elif self.waiting is not None:
            await self.game_app.go_on()

    def _change(self, row: str, step: int) -> None:
        if row in ("continue", "new", "leave"):
            return
        values, at = self._values(row)
        if row == "house":
            self._switch = (at + step) % len(values)
        else:
            self._set(row, (at + step) % len(values))

    def _set(self, row: str, index: int) -> None:
        setup = self.setup
        if row == "edition":
            setup.edition = tuple(EDITIONS)[index]
        elif row == "seats":
            setup.seats = MIN_SEATS + index
        elif row == "first":
            setup.lot = bool(index)
        elif row == "house":
            self._switch = index
            setup.switches ^= {tuple(SWITCHES)[index]}
        else:
            setup.levels[int(row[3:])] = LEVELS[index]
