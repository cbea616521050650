"""Films the two moving pictures of the README:   python -m tests.web.animations [table] [terminal]

The table is a real page at a real server, the terminal is Textual's own picture of its screen; both play a few turns at
their usual pace. Chromium draws, Pillow packs the frames.
"""

from __future__ import annotations

import asyncio
import base64
import io
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from pickomino import Game, Record, evaluate
from pickomino.play import Seat
from pickomino.terminal.app import PickominoApp
from pickomino.terminal.session import Session
from pickomino.terminal.table import TableScreen
from tests.server.parts import ServerProcess
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.play import choose, my_choice, play_now

PICTURES = Path(__file__).parent.parent.parent / "docs/pictures"
FASTEST, LONGEST = (
    0.1,
    1.2,
)  # seconds per frame: ten a second move well enough; nobody waits longer for a still
SECONDS = 14.0
Frames = list[tuple[float, bytes]]  # when, and a picture


def pack(frames: Frames, name: str, width: int) -> None:
    """An animated WebP that goes round for ever."""
    pictures: list[Image.Image] = []
    times: list[float] = []
    for at, data in frames:
        if not times or at - times[-1] >= FASTEST:
            picture = Image.open(io.BytesIO(data)).convert("RGB")
            picture = picture.resize(
                (width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS
            )
            if not pictures or picture.tobytes() != pictures[-1].tobytes():
                pictures.append(picture)
                times.append(at)
    ends = [*times[1:], times[-1] + LONGEST]
    lasts = [round(1000 * min(end - at, LONGEST)) for at, end in zip(times, ends, strict=True)]
    path = PICTURES / f"{name}.webp"
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=lasts,
        loop=0,
        quality=55,
        method=6,
        minimize_size=True,
    )
    print(
        f"{path.name}: {len(pictures)} frames, {sum(lasts) / 1000:.1f} s, {path.stat().st_size / 1000:.0f} kB"
    )


def film_table(browser: Browser) -> Frames:
    """A person and a bot, in the middle of a game."""
    server = ServerProcess(Path(tempfile.mkdtemp())).start()
    context = browser.new_context(viewport={"width": 1180, "height": 740}, color_scheme="dark")
    context.add_init_script(
        """localStorage.setItem('pickomino.bot', '"hard"');
        localStorage.setItem('pickomino.settings', '{"speed": "instant", "sound": false, "hints": false}')"""
    )
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_selector(".hero")
    play_now(page)
    for _ in range(24):  # a few tiles have changed hands
        my_choice(page)
        choose(page)
    my_choice(page)
    page.evaluate(
        """async () => {
          const { set } = await import(`${document.documentElement.dataset.static}/js/store.js`);
          set({ speed: 'normal' });
        }"""
    )
    frames = _screencast(page)
    server.stop()
    return frames


def _screencast(page: Page) -> Frames:
    frames: Frames = []
    cdp = page.context.new_cdp_session(page)

    def frame(event: dict[str, Any]) -> None:
        frames.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        cdp.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    cdp.on("Page.screencastFrame", frame)
    cdp.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends and my_choice(page):
        page.wait_for_timeout(900)  # a person looks before choosing
        choose(page)
    cdp.send("Page.stopScreencast")
    return frames


def film_terminal(browser: Browser, shots: list[tuple[float, str]]) -> Frames:
    page = browser.new_page(viewport={"width": 1240, "height": 760})
    frames: Frames = []
    for at, picture in shots:
        picture = re.sub(r"@font-face\s*\{[^}]*\}", "", picture)  # it would fetch a font; the system has one
        page.set_content(f'<body style="margin:0">{picture}</body>')
        drawn = page.locator("svg").first
        frames.append((at, drawn.screenshot()))
    return frames


async def terminal_shots() -> list[tuple[float, str]]:
    """The full screen, played by a person who knows what is best."""
    seats = (Seat("You"), Seat("Olga", "hard"))
    game = Game.new("classic", 2)
    app = PickominoApp(
        Session(Record(game, ("You", "Olga")), seats, None, 11), lambda _: seats, warm_up=False
    )
    shots: list[tuple[float, str]] = []
    async with app.run_test(size=(100, 30)) as pilot:
        ends, chosen = time.monotonic() + SECONDS + 4, 0.0
        while time.monotonic() < ends:
            await pilot.pause(FASTEST)
            now, screen = time.monotonic(), app.screen
            shots.append((now, app.export_screenshot(title="pickomino", simplify=True)))
            if isinstance(screen, TableScreen) and screen.showing.due:
                chosen = chosen or now
                if now - chosen >= 1.0:
                    best = evaluate(screen.session.position, "win").best
                    await pilot.press(
                        next(choice.key for choice in screen.showing.due if choice.move == best)
                    )
                    chosen = 0.0
            elif isinstance(screen, TableScreen) and screen.showing.waits:
                await pilot.press("space")
    return shots


def main(wanted: list[str]) -> None:
    shots = (
        [] if wanted == ["table"] else asyncio.run(terminal_shots())
    )  # before Playwright, which runs a loop too
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        if wanted != ["terminal"]:
            pack(film_table(browser), "table", 760)
        if shots:
            pack(film_terminal(browser, shots), "terminal", 760)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
