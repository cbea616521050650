"""The main screens as text, in three sizes and two languages: what is in tests/terminal/screens is what is shown.

After a change that is meant, write them anew and look at the difference:
    WRITE_SCREENS=1 pytest tests/terminal/test_screens.py
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pickomino import Game, Position, Record, Take, parse_position
from pickomino.protocol import TableHost
from pickomino.terminal import panels
from pickomino.terminal.board import table
from pickomino.terminal.choosing import choices
from pickomino.terminal.joining import JoinApp, LobbyScreen
from pickomino.terminal.menu import MenuScreen, Setup
from pickomino.terminal.scene import Part, Showing, StoryRow, plan
from pickomino.terminal.skins import SKINS
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import tell

FOLDER = Path(__file__).parent / "screens"
SIZES = [(60, 20), (80, 24), (120, 40)]
NAMES, LEVELS = ["You", "Olga", "Bo"], ["", "hard", "medium"]
KEEP = "pkp1 classic 23,24,26-30,32-34 31,22/21,25/35 A 44:124WWW"
GO = "pkp1 classic 23,24,26-30,32-34 31,22/21,25/35 A 244WWW:-"
DELUXE = (
    "pkp1 deluxe 11,13,21-24,26-34 25/-/- A 35WW:1455 apple@29,can@11,crow@23,gold@27,hen@21,weasel@A 0/1/0"
)
OVER = "pkp1 classic - 31,22,34/21,25/35 - -:-"


def showing(text: str, speech: Speech) -> Showing:
    position, names = parse_position(text), [speech.t("You"), *NAMES[1:]]
    due = [] if position.over else choices(position, names, speech)
    ends = [("m", speech.t("rematch")), ("a", speech.t("review")), ("q", speech.t("leave"))]
    chip = speech.t("YOUR TURN")
    return Showing(position, names, LEVELS, 0, due, chip=chip, can_undo=True, ends=ends)


def page(parts: Sequence[Part], width: int, height: int) -> str:
    """The parts laid over each other, as the screen does it: grounds below, panels above."""
    cells = [[" "] * width for _ in range(height)]
    for layer in ("ground", "piece", "panel"):
        for part in (part for part in parts if part.layer == layer):
            x, y, wide, high = part.place
            for row in range(high):
                text = part.lines[row].plain if row < len(part.lines) else ""
                assert len(text) <= wide, f"{part.id} is cut off: {text!r}"
                cells[y + row][x : x + wide] = text.ljust(wide)
    return "\n".join("".join(row).rstrip() for row in cells) + "\n"


def keep(speech: Speech, width: int, height: int) -> Showing:
    return showing(KEEP, speech)


def go(speech: Speech, width: int, height: int) -> Showing:
    found = showing(GO, speech)
    if width >= 80:
        found.panel = "odds"
        place = plan(width, height, found.position).side
        found.notes = panels.odds_lines(
            found.position, SKINS["dark"], speech, (place.width if place else 37) - 2
        )
    return found


def story(speech: Speech, width: int, height: int) -> Showing:
    found = showing(KEEP, speech)
    found.due, found.story_of, found.waits, found.next_up = [], 1, True, speech.t("your turn")
    rows = (("112345WW", "W", "10"), ("234555", "5", "25"), ("13W", "3", "28"))
    found.story = [StoryRow(dice, face, f"→ {total}") for dice, face, total in rows]
    taken = parse_position("pkp1 classic 23,24,26-30,32-34 31,22/21,25/35 B 3555WW:-")
    found.said = tell(taken, Take(28), taken.apply(Take(28)).events, found.names, speech, 0)
    return found


def deluxe(speech: Speech, width: int, height: int) -> Showing:
    return showing(DELUXE, speech)


def over(speech: Speech, width: int, height: int) -> Showing:
    return showing(OVER, speech)


class Window:
    """What a screen asks its app for, without one."""

    def __init__(self, speech: Speech) -> None:
        self.speech, self.skin = speech, SKINS["dark"]


def menu(speech: Speech, width: int, height: int) -> Sequence[Part]:
    """Five seats, a game that waits, the cursor on the house rules."""

    class Shown(MenuScreen):
        game_app: Any = Window(speech)

    record = Record(Game.new("classic", 3), tuple(NAMES))
    screen = Shown(Setup(switches={"fast"}, seats=5), record)
    asyncio.run(screen.press("row house"))
    return screen.parts(width, height)


def lobby(speech: Speech, width: int, height: int) -> Sequence[Part]:
    """The host sees who is there; one seat is free, one person away."""

    class Shown(LobbyScreen):
        game_app: Any = Window(speech)

    kinds = [("person", "Anna", None, True), ("bot", "Olga", "hard", False), ("person", "Zoé", None, False)]
    seats = [
        {"seat": seat, "kind": kind, "name": name, "bot": bot, "connected": there}
        for seat, (kind, name, bot, there) in zip("ABCD", [*kinds, ("empty", "", None, False)], strict=True)
    ]
    app = JoinApp(TableHost("http://localhost"), "t", theme="dark", language=speech.language)
    app.client.seats = ["A"]
    app.table = {"code": "HPQ7KM", "edition": "deluxe", "house": None, "host": "A", "seats": seats}
    return Shown(app).parts(width, height)


SCREENS = {"keep": keep, "go": go, "story": story, "deluxe": deluxe, "over": over}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", list(SCREENS))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_screen(name: str, size: tuple[int, int], language: str) -> None:
    speech = Speech(language)
    parts = table(SCREENS[name](speech, *size), *size, SKINS["dark"], speech)
    compare(f"{name}-{size[0]}x{size[1]}-{language}", page(parts, *size))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["menu", "lobby"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_screen_before_the_game(name: str, size: tuple[int, int], language: str) -> None:
    parts = {"menu": menu, "lobby": lobby}[name](Speech(language), *size)
    compare(f"{name}-{size[0]}x{size[1]}-{language}", page(parts, *size))
    values = [part.place[:2] for part in parts if part.id.startswith("value-")]
    assert len(set(values)) == len(values)  # none behind another


def compare(name: str, text: str) -> None:
    path = FOLDER / f"{name}.txt"
    if os.environ.get("WRITE_SCREENS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["mono", "ascii", "16", "light"])
def test_looks_keep_the_layout(theme: str) -> None:
    speech = Speech()
    for text in (KEEP, GO, DELUXE, OVER):
        for width, height in SIZES:
            shown = page(table(showing(text, speech), width, height, SKINS[theme], speech), width, height)
            assert theme != "ascii" or shown.isascii()
            assert "YOUR TURN" in shown


def test_seven_seats_fit_everywhere() -> None:
    speech, start = Speech(), Position.start("classic", 7)
    names = ["You", "Olga", "Bo", "Mia", "Jan", "Ida", "A very long name"]
    for width, height in SIZES:
        shown = page(
            table(Showing(start, names, ["hard"] * 7), width, height, SKINS["dark"], speech), width, height
        )
        assert all(name[:5] in shown for name in names)
