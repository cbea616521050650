"""The page of ``pickomino review --html`` in a real browser, from disk: on every screen, by keyboard, on paper."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pickomino.analysis import review
from pickomino.analysis.page import page_of
from pickomino.analysis.reporting import report
from pickomino.bots import make_bot
from pickomino.notation import Record
from pickomino.testing import random_game
from tests.web.test_page import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = {"phone": (360, 760), "landscape": (740, 360), "tablet": (820, 1180), "desktop": (1440, 900)}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A classic game and one with specialists and five seats."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for key, seats in (("classic", 3), ("deluxe", 5)):
        game = random_game(key, seats, "page", make_bot("easy").choose)
        shown = report(
            review(Record(game, ("Anna", "Owl", "Duck", "Crow", "A long name of someone")[:seats]))
        )
        made[key] = folder / f"{key}.html"
        made[key].write_text(page_of(shown), "utf-8")
        assert made[key].stat().st_size < 300_000
    return made


@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_the_page_fits_and_is_accessible(browser: Browser, pages: dict[str, Path], key: str) -> None:
    context = browser.new_context(color_scheme="dark" if key == "deluxe" else "light")
    complaints: list[str] = []
    shown = context.new_page()
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("request", lambda request: _no_network(request, complaints))
    shown.goto(pages[key].as_uri())
    shown.locator("details summary").click()
    shown.wait_for_selector(".turnlist > li")  # they are made once it is open
    for name, (width, height) in SCREENS.items():
        shown.set_viewport_size({"width": width, "height": height})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width, name
        if name in ("phone", "desktop"):
            assert not axe(shown)
    assert not complaints
    context.close()


def _no_network(request: Any, complaints: list[str]) -> None:
    if not request.url.startswith(("file:", "data:")):
        complaints.append(request.url)


@pytest.fixture
def shown(browser: Browser, pages: dict[str, Path]) -> Page:
    one = browser.new_page()
    one.goto(pages["classic"].as_uri())
    return one


def test_slips_by_keyboard(shown: Page) -> None:
    first = shown.locator(".mid h2").inner_text()
    shown.keyboard.press("n")
    assert shown.locator(".slips [aria-current=true]").count() == 1
    assert shown.locator(".slips li").nth(1).locator("button").get_attribute("aria-current") == "true"
    shown.keyboard.press("p")
    assert shown.locator(".mid h2").inner_text() == first
    shown.locator(".scrub input").focus()
    before = shown.locator(".now").inner_text()
    shown.keyboard.press("ArrowRight")
    assert shown.locator(".now").inner_text() != before


def test_a_bust_is_named_where_it_fell(shown: Page) -> None:
    shown.locator("details summary").click()
    shown.wait_for_selector(".turnlist > li")  # they are made once it is open
    turns = shown.evaluate(
        """() => [...document.querySelectorAll(".turnlist > li")].map((turn) => [turn.querySelector("h3").innerText,
          [...turn.querySelectorAll(".rolls > li")].map((roll) => roll.innerText.includes("bust"))])"""
    )
    assert any("busts" in title for title, _ in turns)
    for title, rolls in turns:
        assert rolls == [False] * (len(rolls) - 1) + ["busts" in title]


def test_the_key_says_that_costs_are_rounded(shown: Page) -> None:
    assert "so a 5 may still be a mistake" in shown.locator(".key-card").inner_text()


def test_another_seat_and_another_theme(shown: Page) -> None:
    shown.get_by_role("button", name="Duck").click()
    assert shown.locator(".tabs [aria-pressed=true]").inner_text().startswith("C")
    dark = shown.evaluate("document.documentElement.dataset.theme")
    shown.get_by_role("button", name="Light or dark").click()
    assert shown.evaluate("document.documentElement.dataset.theme") != dark


def test_paper_has_the_report_and_not_the_controls(shown: Page) -> None:
    shown.emulate_media(media="print")
    assert shown.locator("h1").is_visible()
    assert shown.locator(".slips li").first.is_visible()
    assert not shown.locator(".scrub").is_visible()
    assert not shown.locator(".tabs").is_visible()
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    facts = shown.locator(".slips .facts").first  # there is no table to look at
    assert facts.is_visible()
    assert "best: " in facts.inner_text()
    shown.emulate_media(media="screen")
    assert not facts.is_visible()


def test_a_figure_and_its_per_cent_sign_stay_together(shown: Page) -> None:
    assert shown.evaluate(
        "[...document.querySelectorAll('main *')].every((one) => !/\\d %/.test(one.textContent))"
    )
    assert "\u00a0%" in shown.locator(".now").inner_text()


def test_words_fit_into_bars_and_specialists_have_names(browser: Browser, tmp_path: Path) -> None:
    """In German, whose words are long and whose nouns are always capital."""
    game = random_game("deluxe", 3, "page", make_bot("easy").choose)
    path = tmp_path / "german.html"
    path.write_text(page_of(report(review(Record(game, ("Anna", "Owl", "Duck"))), "de")), "utf-8")
    one = browser.new_page(viewport={"width": SCREENS["desktop"][0], "height": SCREENS["desktop"][1]})
    one.goto(path.as_uri())
    assert ", Zug " in one.locator(".slips b").first.inner_text()
    assert one.locator(".options .what").first.inner_text()[0].isupper()
    names = set()
    for slip in one.locator(".slips button").all():
        slip.click()
        assert not one.evaluate(
            """() => [...document.querySelectorAll(".ends text")].filter((text) => {
                let bar = text.previousElementSibling;
                while (bar.localName !== "rect") bar = bar.previousElementSibling;
                const width = (node) => node.getBoundingClientRect().width;
                return width(text) > width(bar);
            }).map((text) => text.textContent)"""
        )
        names |= set(one.locator(".grill [role=img]").evaluate_all("all => all.map((node) => node.title)"))
    assert {"Dose", "Glucke", "Goldwürfel", "Krähe", "Wiesel"} <= names


def test_turning_points_that_follow_each_other_can_be_told_apart(browser: Browser, tmp_path: Path) -> None:
    """On a phone four turns in a row: their numbers do not cover each other, nor does the cursor."""
    game = random_game("classic", 2, "pins", make_bot("easy").choose)
    found = report(review(Record(game, ("Anna", "A long name"))))
    point = {"words": "", "why": "", "before": 50, "after": 40}
    found["players"][0]["turning"] = [point | {"turn": turn} for turn in (9, 10, 11, 12)]
    path = tmp_path / "pins.html"
    path.write_text(page_of(found), "utf-8")
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(path.as_uri())
    pins = page.evaluate(
        "[...document.querySelectorAll('.pin circle')].map((one) => [one.cx.baseVal.value, one.cy.baseVal.value])"
    )
    assert len(pins) == 4
    for one, other in pairwise(pins):
        assert dist(one, other) >= 19
    assert page.evaluate(
        "document.querySelector('.cursor').compareDocumentPosition(document.querySelector('.pin')) & 4"
    )
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("() => document.querySelector('.curve .label.s1').textContent === 'A long n…'")
    page.close()
