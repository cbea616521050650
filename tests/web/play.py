"""What a person does at the page: look, and click."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHOICE = ".actions button, .rolled .dice button"
END = "dialog.end"
CHANGED = f"""() => document.querySelector('.actions')?.dataset.key !== window.before
  || document.querySelector('{END}')"""


def play_now(page: Page, edition: str = "classic") -> None:
    page.check(f"input[name=edition][value={edition}]")
    page.click("[data-go=now]")
    page.wait_for_selector(".table")


def my_choice(page: Page) -> bool:
    """Wait until it is mine to choose; False at the end of the game."""
    page.wait_for_selector(f"{CHOICE}, {END}")
    return page.query_selector(END) is None


def who_may_choose(*pages: Page) -> Page:
    """The page of the player whose choice it is, as soon as it shows one."""
    for _ in range(600):
        for page in pages:
            if page.query_selector(CHOICE):
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody may choose")


def choose(page: Page) -> None:
    """Take what can be taken, else roll; of dice the worm, else the face that brings most."""
    target = page.evaluate(
        """() => {
          window.before = document.querySelector('.actions').dataset.key;
          if (document.querySelector('.actions .primary')) return '.actions .primary';
          const dice = [...document.querySelectorAll('.rolled .dice button')];
          const total = (die) => Number((die.getAttribute('aria-label').match(/(\\d+)$/) || [0, 0])[1]);
          const best = dice.find((die) => die.dataset.face === 'W') || dice.sort((a, b) => total(b) - total(a))[0];
          return `.rolled .dice button[data-face='${best.dataset.face}']`;
        }"""
    )
    page.click(target)
    page.wait_for_function(CHANGED)


def play_to_the_end(page: Page, limit: int = 1500) -> None:
    for _ in range(limit):
        if not my_choice(page):
            return
        choose(page)
    raise AssertionError("the game does not end")


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def cut_off(page: Page) -> list[str]:
    """Texts in buttons and labels that do not fit their box."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, label, h1, h2, .status, .rolled p')]
          .filter((e) => !e.closest('.hush, .tile') && e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
          .map((e) => e.textContent.trim())"""  # noqa: E501 - a script
    )
    return found
