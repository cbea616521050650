"""The app at a table of a real server: a person in it finishes a game with one over the raw protocol, and with one in
a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import async_playwright
from textual.pilot import Pilot

from pickomino.cli.join import sit_down
from pickomino.protocol import ServerRefusal, TableHost, read_address
from pickomino.rules import InvalidEditionError, PickominoError, find_edition
from pickomino.terminal.joining import JoinApp
from pickomino.terminal.table import TableScreen
from tests.server.parts import ServerProcess, client
from tests.terminal.test_app import gone, settle, shown
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.play import PLAY_ON

SHORT = 'name = "Joined"\n[tiles]\n"21-24" = 1\n'  # known to no other test


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server")).start()
    yield process
    process.stop()
    process.no_mistakes()


def other_player(server: ServerProcess, table: str, token: str) -> threading.Thread:
    """Ben plays over the raw protocol, and claps once."""

    async def play() -> None:
        async with client(server, table=table, token=token) as ben:
            await ben.ask({"t": "react", "id": ben.next_id(), "d": {"reaction": "clap"}})
            await ben.play_on(120)

    return threading.Thread(target=lambda: asyncio.run(play()), daemon=True)


async def to_the_end(app: JoinApp, pilot: Pilot[None], drop_at: int) -> None:
    screen = app.screen
    assert isinstance(screen, TableScreen)
    decided = 0
    while not screen.session.match.over:
        await settle(
            pilot, lambda: bool(screen.showing.due) or screen.showing.waits or screen.session.match.over
        )
        showing = screen.showing
        if showing.waits:
            await pilot.press("space")
        elif showing.due:
            choice = showing.due[0]
            await pilot.press(choice.key)
            if choice.key == "g":
                await pilot.press("g")
            await settle(pilot, partial(gone, showing, choice))
            decided += 1
            if decided == drop_at:  # the connection breaks, and comes back by itself
                await app.client._socket.close()
    await settle(pilot, lambda: "Dice checked" in shown(app))


def test_a_game_beside_somebody_else(server: ServerProcess) -> None:
    ben = server.guest("Ben")
    made = server.table(ben, start=False, seats=2, sit=["Ben"], pace_ms=0, edition=SHORT)
    address = read_address(f"{server.url}/#table={made['id']}")
    name = server.ok("GET", f"/api/tables/{made['id']}", None, ben)["table"]["edition"]
    with pytest.raises(InvalidEditionError, match="is not known here"):
        find_edition(name)  # it comes with the table
    host, table = sit_down(address, "Anna")
    assert sit_down(address, "Anna")[0].token == host.token  # the same guest comes back to the same seat
    server.ok("POST", f"/api/tables/{table}/start", None, ben)
    app = JoinApp(host, table, theme="dark", language="en", animate=False)
    other = other_player(server, table, ben)

    async def drive() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot, lambda: isinstance(app.screen, TableScreen))
            other.start()
            await settle(pilot, lambda: "Ben: Well done!" in shown(app))
            await pilot.press("e", "1")
            await to_the_end(app, pilot, drop_at=3)
            assert "with your contribution" in shown(app)

    asyncio.run(drive())
    other.join(20)
    assert not other.is_alive()
    games = server.ok("GET", "/api/me/games", None, host.token)["games"]
    assert games[0]["result"] is not None


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_game_beside_somebody_in_a_browser(server: ServerProcess) -> None:
    host = server.guest("Host")
    made = server.table(host, start=False, seats=2, pace_ms=0, edition=SHORT.replace("Joined", "Beside"))
    address = f"{server.url}/#table={made['id']}"
    anna, table = sit_down(read_address(address), "Anna")
    app = JoinApp(anna, table, theme="dark", language="en", animate=False)

    async def drive() -> None:
        async with async_playwright() as playwright:
            chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = await chromium.new_page()
            await page.add_init_script(
                """localStorage["pickomino.settings"] = '{"speed": "instant", "sound": false}'"""
            )
            await page.goto(address)
            await page.click("[data-sit]")
            await page.fill("dialog input", "Ben")
            await page.keyboard.press("Enter")
            await page.wait_for_selector(".seatlist li:has-text('Ben')")
            server.ok("POST", f"/api/tables/{table}/start", None, host)
            await page.wait_for_selector(".table")
            async with app.run_test(size=(80, 24)) as pilot:
                await settle(pilot, lambda: isinstance(app.screen, TableScreen))
                ben = asyncio.create_task(page.evaluate(PLAY_ON, 500))
                await to_the_end(app, pilot, drop_at=0)
                assert await ben  # the end is on both screens
            await chromium.close()

    asyncio.run(drive())


def test_the_lobby_waits_for_its_host(server: ServerProcess) -> None:
    anna = server.guest("Anna")
    made = server.table(anna, start=False, seats=2, sit=["Anna"], bots=["cautious"], pace_ms=0)
    app = JoinApp(TableHost(server.url, anna), made["id"], theme="dark", language="fr", animate=False)

    async def drive() -> None:
        async with app.run_test(size=(60, 20)) as pilot:
            await settle(pilot, lambda: "Anna" in shown(app))
            assert "commencer la partie" in shown(app)
            await pilot.press("enter")
            await settle(pilot, lambda: isinstance(app.screen, TableScreen))

    asyncio.run(drive())


@pytest.mark.parametrize("url", ["", "ftp://host/#table=x", "http://host/", "http:///#table=x"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(PickominoError, match="expected the link to a table"):
        read_address(url)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ServerRefusal, match="no server answers"):
        sit_down(read_address("http://127.0.0.1:9/#table=x"), "Anna")


def test_tables_that_cannot_be_joined(server: ServerProcess) -> None:
    with pytest.raises(ServerRefusal, match="no such table"):
        sit_down(read_address(f"{server.url}/#table=nosuch"), "Anna")
    anna = server.guest("Anna")
    full = server.table(anna, start=False, seats=2, sit=["Anna"], bots=["random"])
    with pytest.raises(ServerRefusal, match="full"):
        sit_down(read_address(f"{server.url}/{full['code']}"), "Ben")
