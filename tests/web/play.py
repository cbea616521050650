"""What a person does at the page: look, and click."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHOICE = ".acts [data-move], .well button[data-move]"
END = "main.end"
CHANGED = f"""() => (document.querySelector('.acts')?.dataset.key ?? '') !== window.before
  || document.querySelector('{END}')"""
REMEMBER = "() => { window.before = document.querySelector('.acts')?.dataset.key ?? ''; }"


def play_now(page: Page, edition: str = "classic") -> None:
    page.check(f"input[name=edition][value={edition}]")
    page.click("[data-go=now]")
    page.wait_for_selector(".table")


def call_me(page: Page, name: str) -> None:
    page.click("[data-go=name]")
    page.fill("dialog input", name)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")


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
    page.evaluate(REMEMBER)
    target = page.evaluate(
        """() => {
          const claim = document.querySelector('.acts .take, .acts .steal');
          if (claim) return `.acts [data-move="${claim.dataset.move}"]`;
          const roll = [...document.querySelectorAll('.acts [data-move]')].at(-1);
          const groups = [...document.querySelectorAll('.well button[data-move]')];
          const total = (group) => Number((group.getAttribute('aria-label').match(/(\\d+)$/) || [0, 0])[1]);
          groups.sort((a, b) => total(b) - total(a));
          const best = groups.find((group) => group.dataset.face === 'W') || groups[0];
          const [where, move] = best ? ['.well', best.dataset.move] : ['.acts', roll.dataset.move];
          return `${where} [data-move="${move}"]`;
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


# By how many pixels the page is wider than the window.
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Texts that do not fit their box.
CUT_OFF = """() => [...document.querySelectorAll(
    'button, .btn b, .btn small, label, h1, h2, .line, .sum, .says, .tip small, .bustbox p, .seat .score')]
  .filter((e) => !e.closest('.hush, .tile, legend') && e.offsetParent && e.scrollWidth > e.clientWidth + 1)
  .filter((e) => getComputedStyle(e).display !== 'inline')
  .map((e) => e.textContent.trim()).filter(Boolean)"""

# Choices and parts of the table that are not wholly on the screen, and choices that lie under something else.
OUT_OF_SIGHT = """() => [...document.querySelectorAll(
    '.acts [data-move], .well [data-move], .quiet, .seat, .place, .line, .total, .tip, .well .die')]
  .filter((e) => e.offsetParent)
  .filter((e) => {
    const box = e.getBoundingClientRect();
    const { innerWidth: width, innerHeight: height } = window;
    if (!box.width) return false;
    if (box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > height + 1) return true;
    const well = e.closest('.well')?.getBoundingClientRect();
    if (well && (box.top < well.top - 2 || box.bottom > well.bottom + 6)) return true;
    if (!e.matches('[data-move]')) return false;
    const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !(seen && (e.contains(seen) || seen.contains(e)));
  })
  .map((e) => `${e.className} ${e.textContent.trim()}`)"""


def overflow(page: Page) -> int:
    width: int = page.evaluate(OVERFLOW)
    return width


def cut_off(page: Page) -> list[str]:
    found: list[str] = page.evaluate(CUT_OFF)
    return found


def out_of_sight(page: Page) -> list[str]:
    found: list[str] = page.evaluate(OUT_OF_SIGHT)
    return found
