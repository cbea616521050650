"""The page in Chromium: how soon it can be used, and how it moves while dice roll with the processor slowed four times.

python -m benchmarks.page
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.server.parts import ServerProcess
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.play import my_choice, play_now

VISITS = 5
SLOWER = 4
SETTINGS = """localStorage.setItem('pickomino.bot', '"cautious"');
    localStorage.setItem('pickomino.settings', '{"speed": "normal", "sound": false}')"""

# Times of the pictures that are shown until the dice lie still.
FRAMES = """() => new Promise((done) => {
  const times = [];
  const next = (now) => {
    times.push(now);
    if (document.querySelector('.well button[data-move]')) done(times);
    else requestAnimationFrame(next);
  };
  document.querySelector('.acts [data-move=roll]').click();
  requestAnimationFrame(next);
})"""


def visit(browser: Browser, url: str) -> Page:
    context = browser.new_context(viewport={"width": 390, "height": 664})
    context.add_init_script(SETTINGS)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        ready = []
        for _ in range(VISITS):
            page = visit(browser, server.url)
            ready.append(page.evaluate("performance.getEntriesByName('pickomino-ready')[0].startTime"))
            page.context.close()
        print(f"first visit to interactive: {statistics.median(ready):.0f} ms (median of {VISITS})")
        page = visit(browser, server.url)
        play_now(page)
        my_choice(page)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        times: list[float] = page.evaluate(FRAMES)
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        print(
            f"dice rolling, processor {SLOWER} times slower: {1000 / statistics.mean(gaps):.0f} frames a second, "
            f"longest gap {max(gaps):.0f} ms"
        )
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
