"""The full screen, driven by Textual's pilot: whole games of every edition, saving, undo, menu, mouse, sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import pytest
from textual.pilot import Pilot

from pickomino import EDITIONS, Game, Record, parse_position
from pickomino.cli.seating import resumed_seats
from pickomino.locale import languages
from pickomino.play import Seat
from pickomino.terminal.app import PickominoApp
from pickomino.terminal.choosing import Choice
from pickomino.terminal.menu import MenuScreen
from pickomino.terminal.saving import last_game, new_game_file
from pickomino.terminal.scene import Showing
from pickomino.terminal.session import Session, players_header
from pickomino.terminal.skins import SKINS
from pickomino.terminal.sprites import Sprite
from pickomino.terminal.table import TableScreen

Play = Callable[[PickominoApp, Pilot[None]], Awaitable[None]]


def session_of(edition: str = "classic", seats: int = 2, *, position: str = "", seed: int = 1) -> Session:
    """You against cautious bots."""
    game = Game(parse_position(position)) if position else Game.new(edition, seats)
    who = (Seat("You"), *(Seat(f"Bot {number}", "cautious") for number in range(1, len(game.start.stacks))))
    record = Record(game, tuple(seat.name for seat in who), players_header(who))
    return Session(record, who, new_game_file(), seed)


def run(
    play: Play, session: Session | None = None, size: tuple[int, int] = (80, 24), **options: Any
) -> PickominoApp:
    app = PickominoApp(
        session, lambda record: resumed_seats(record, []), animate=False, warm_up=False, **options
    )

    async def drive() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(app, pilot)

    asyncio.run(drive())
    return app


def table_of(app: PickominoApp) -> TableScreen:
    assert isinstance(app.screen, TableScreen)
    return app.screen


def shown(app: PickominoApp) -> str:
    strips = app.screen._compositor.render_strips()  # what the terminal would show
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def settle(pilot: Pilot[None], ready: Callable[[], bool]) -> None:
    """Wait until the app has come that far."""
    for _ in range(3000):
        if ready():
            return
        await pilot.pause(0.005)
    raise AssertionError(f"the app hangs:\n{shown(pilot.app)}")  # type: ignore[arg-type]  # it is ours


def asks(app: PickominoApp) -> bool:
    return isinstance(app.screen, TableScreen) and bool(app.screen.showing.due)


def gone(showing: Showing, choice: Choice) -> bool:
    return choice not in showing.due


def reads(app: PickominoApp, words: str) -> bool:
    return words in shown(app)


async def click(app: PickominoApp, pilot: Pilot[None], selector: str) -> None:
    """On a part of the screen, once it is where it belongs."""

    def there() -> bool:
        found = app.screen.query(selector).results(Sprite)
        return any(sprite.region[:2] == (sprite.part.place.x, sprite.part.place.y) for sprite in found)

    await settle(pilot, there)
    await pilot.click(selector)


def all_inside(app: PickominoApp) -> None:
    """No part reaches out of the window, no line out of its part."""
    for sprite in app.screen.query(Sprite):
        place = sprite.part.place
        assert place.x >= 0
        assert place.y >= 0
        assert place.x + place.width <= app.size.width
        assert place.y + place.height <= app.size.height
        assert all(line.cell_len <= place.width for line in sprite.part.lines), sprite.id


def sensible(due: Sequence[Choice]) -> Choice:
    """Claim what can be claimed, keep the highest face: a game ends after a tenth of the plies of a careless one."""
    keeps = [choice for choice in due if choice.kind == "keep"]
    return keeps[-1] if keeps else due[0]


async def to_the_end(app: PickominoApp, pilot: Pilot[None], go_on: str = "space") -> None:
    screen = table_of(app)
    showing = screen.showing
    for _ in range(3000):
        await settle(pilot, lambda: bool(showing.due) or showing.waits or screen.session.match.over)
        if screen.session.match.over:
            break
        if showing.waits:
            await pilot.press(go_on)
            continue
        all_inside(app)
        choice = sensible(showing.due)
        await pilot.press(choice.key)
        if choice.key == "g":
            await pilot.press("g")
        await settle(pilot, partial(gone, showing, choice))
    await settle(pilot, lambda: screen.showing.position.over)
    await pilot.pause()


# Edition, seats, size, theme, key that goes on after a turn, and a seed with a short game (of the first 150)
WHOLE = [
    ("classic", 2, (80, 24), "dark", "space", 108),
    ("classic+any-lower+fast+flip-empty", 7, (60, 20), "mono", "v", 126),
    ("summary", 5, (120, 40), "light", "v", 79),
    ("course", 3, (80, 24), "16", "space", 64),
    ("deluxe", 4, (100, 30), "ascii", "v", 105),
    ("extrawurm", 3, (60, 20), "dark", "v", 55),
]


@pytest.mark.parametrize(("edition", "seats", "size", "theme", "go_on", "seed"), WHOLE)
def test_whole_games(
    edition: str, seats: int, size: tuple[int, int], theme: str, go_on: str, seed: int
) -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await to_the_end(app, pilot, go_on)
        assert " wins" in shown(app) or "You win" in shown(app) or "share the win" in shown(app)
        assert "rematch" in shown(app)
        if theme == "ascii":
            assert shown(app).isascii()

    app = run(play, session_of(edition, seats, seed=seed), size, theme=theme)
    assert app.session is not None
    assert app.session.match.over


def test_editions_are_all_played() -> None:
    assert {edition.partition("+")[0] for edition, *_ in WHOLE} == set(EDITIONS)


def test_menu_sets_up_a_game_and_the_mouse_plays_it() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        assert "Continue" not in shown(app)
        await pilot.press("down", "right", "right", "right")  # edition: classic, summary, course, deluxe
        await pilot.click("#value-seats-2")  # four seats
        assert "Mia" in shown(app)
        await pilot.click("#row-new")
        await settle(pilot, lambda: asks(app))
        screen = table_of(app)
        assert screen.session.position.edition.key == "deluxe"
        assert len(screen.session.seats) == 4
        await click(app, pilot, "#face-" + screen.showing.due[0].key.upper())
        await settle(pilot, lambda: len(screen.session.match.game) >= 2)

    run(play)


def test_ctrl_c_keeps_the_game_and_the_menu_offers_it() -> None:
    async def leave(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        await pilot.press(table_of(app).showing.due[0].key)
        await settle(pilot, lambda: len(table_of(app).session.match.game) == 2)
        await pilot.press("ctrl+c")

    first = run(leave, session_of(seats=3))
    assert first.kept
    waiting = last_game()
    assert waiting is not None
    assert first.session is not None
    assert waiting[0].game == first.session.match.game

    async def go_on(app: PickominoApp, pilot: Pilot[None]) -> None:
        assert "Continue  classic, turn 1: You, Bot 1, Bot 2" in shown(app)
        await pilot.press("c")
        await settle(pilot, lambda: asks(app))
        assert table_of(app).session.match.game == waiting[0].game
        assert [seat.bot for seat in table_of(app).session.seats] == [None, "cautious", "cautious"]

    run(go_on)


def test_undo_goes_back_to_the_last_decision() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        screen = table_of(app)
        before = screen.session.position
        await pilot.press(screen.showing.due[0].key)
        await settle(pilot, lambda: asks(app) and screen.session.position != before)
        await pilot.press("u")
        await settle(pilot, lambda: asks(app) and screen.session.position == before)
        assert len(screen.session.match.game) == 1

    run(play, session_of())


def test_hint_odds_rules_and_log() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        for key, words in (("o", "Rolling 2 dice"), ("h", "Hint: "), ("l", "WHAT HAPPENED"), ("f1", "RULES")):
            await pilot.press(key)
            await settle(pilot, partial(reads, app, words))
        await pilot.press("escape")
        await settle(pilot, lambda: "RULES" not in shown(app))
        assert "25 % bust, costs 22" in shown(app)  # (3 of 6 sides)² with 4, W and 2 kept
        await click(app, pilot, "#tile-24")
        await settle(pilot, lambda: table_of(app).session.position.stacks[0] == (31, 22, 24))

    run(play, session_of(position="pkp1 classic 23,24,26-30,32-34 31,22/21,25 A 244WWW:-"))


def test_giving_up_asks_once_more() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        await pilot.press("g")
        await settle(pilot, lambda: "press g once more" in shown(app))
        assert len(table_of(app).session.match.game) == 0
        await pilot.press("g")
        await settle(pilot, lambda: table_of(app).showing.waits)
        assert "Bust" in shown(app)

    run(play, session_of(position="pkp1 classic 21-36 -/- A 44:-"))


def test_resizing_loses_nothing() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        due = list(table_of(app).showing.due)
        for size in ((40, 10), (60, 20), (132, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert ("Make the window 60×20" in shown(app)) == (size[0] < 60)
        assert table_of(app).showing.due == due
        await pilot.press(due[0].key)
        await settle(pilot, lambda: len(table_of(app).session.match.game) >= 2)

    run(play, session_of())


def test_looks_and_languages_change_while_one_plays() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        seen = set()
        for _ in SKINS:
            await pilot.press("f2")
            await pilot.pause()
            seen.add(app.skin.name)
            if app.skin.ascii:
                assert shown(app).isascii()
                break
        assert seen >= {"light", "16", "mono", "ascii"}
        await pilot.press("f3")
        await pilot.pause()
        assert app.speech.language == languages()[1]

    run(play, session_of())


def test_every_part_on_the_screen_is_a_widget_inside_the_window() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        await settle(pilot, lambda: asks(app))
        all_inside(app)

    for size, edition in (((80, 24), "deluxe"), ((120, 40), "deluxe"), ((100, 30), "classic")):
        run(play, session_of(edition, 4), size)  # the others: in whole games


def test_the_menu_leaves() -> None:
    async def play(app: PickominoApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, MenuScreen)
        await pilot.press("q")

    assert not run(play).kept
