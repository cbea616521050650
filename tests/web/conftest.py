"""A real server and a real browser. Every page that a test opens must leave the console clean."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.conftest import postgres, redis
from tests.server.parts import ServerProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

__all__ = ["postgres", "redis"]  # fixtures

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

OpenPage = Callable[..., "Page"]

# What is shown for a few seconds only, by class: a test that looks later finds it here.
REMEMBER_SHORT = """
  window.told = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes]))
      if (node instanceof Element && node.matches(".toast, .bubble"))
        window.told.push([node.className, node.textContent, node.querySelector("svg") !== null]);
  }).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a module, not of the session: while it runs no test of another module may run an event loop."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("web")).start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


@pytest.fixture
def complaints() -> list[str]:
    """What the console has said. A test that provokes some looks at them, and clears the list."""
    return []


@pytest.fixture
def open_page(browser: Browser, complaints: list[str]) -> Iterator[OpenPage]:
    """Opens pages, each in a browser profile of its own, with motion off unless said otherwise."""
    contexts: list[BrowserContext] = []

    def open_(
        url: str,
        *,
        size: tuple[int, int] = (1180, 780),
        speed: str = "instant",
        script: str = "",
        **options: Any,
    ) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        contexts.append(context)
        settings = f'{{"speed": "{speed}", "sound": false}}'
        context.add_init_script(
            # A bot that needs no time to think, and the speed, unless the page has been here before.
            "localStorage.setItem('pickomino.bot', '\"cautious\"');"
            f"localStorage.getItem('pickomino.settings') "
            f"|| localStorage.setItem('pickomino.settings', '{settings}');{REMEMBER_SHORT}"
        )
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints
