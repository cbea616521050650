"""Review, practise and coach in the browser: what is told is what the server says, by pointer and by keyboard."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pickomino.analysis.drill import pool
from tests.server.parts import ServerProcess, client
from tests.web.conftest import OpenPage
from tests.web.play import cut_off, overflow, play_now, told
from tests.web.test_page import axe

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SCREENS = {"phone": (360, 740), "landscape": (740, 360), "tablet": (820, 1180), "desktop": (1440, 900)}


class Played(NamedTuple):
    """A game, its reader, and its review."""

    game: str
    token: str
    seat: str
    review: dict[str, Any]


@pytest.fixture(scope="module")
def played(server: ServerProcess) -> dict[str, Played]:
    """Anna with two bots, played by simple rules; five and three bots with specialists, seen by the second."""
    return {
        "classic": _played(server, "A", sit=["Anna"], look="DF", bots=["cautious"] * 2),
        "deluxe": _played(server, "B", edition="deluxe", bots=["cautious"] * 5),
        "three": _played(server, "B", edition="deluxe", bots=["cautious"] * 3),
    }


def _played(
    server: ServerProcess, seat: str, sit: Sequence[str] = (), *, bots: list[str], **settings: Any
) -> Played:
    """A game with enough slips to step through: dice fall as they like."""
    token = server.guest("Anna")
    for _ in range(20):
        found = _one_game(server, token, seat, sit, bots=bots, **settings)
        if len(found.review["players"]["AB".index(seat)]["slips"]) >= 3:
            return found
    raise AssertionError("twenty games with hardly a slip")


def _one_game(
    server: ServerProcess, token: str, seat: str, sit: Sequence[str], *, bots: list[str], **settings: Any
) -> Played:
    seats = len(sit) + len(bots)
    table = server.table(token, seats=seats, sit=list(sit), bots=bots, first="A", pace_ms=0, **settings)

    async def play() -> None:
        async with client(server, table=table["id"], token=token) as one:
            await one.play_on()

    with ThreadPoolExecutor(1) as aside:  # this thread runs the browser's event loop
        aside.submit(lambda: asyncio.run(play())).result()
    game = table["game"]
    return Played(game, token, seat, server.review(game, token))


def _as_anna(token: str) -> str:
    return f"localStorage.setItem('pickomino.guest', '{json.dumps({'name': 'Anna', 'token': token})}')"


@pytest.mark.parametrize(("screen", "key"), [*((name, "classic") for name in SCREENS), ("phone", "deluxe")])
def test_a_review_on_every_screen(
    server: ServerProcess, open_page: OpenPage, played: dict[str, Played], screen: str, key: str
) -> None:
    one = played[key]
    me = one.review["players"]["AB".index(one.seat)]
    slip = one.review["decisions"][me["slips"][0]]
    page = open_page(
        f"{server.url}/#review={one.game}" + ("&seat=B" if one.seat == "B" else ""),
        size=SCREENS[screen],
        script=_as_anna(one.token),
        color_scheme="dark" if screen == "desktop" else "light",
    )
    page.wait_for_selector(".review")
    assert page.inner_text(".headline h2") == me["headline"]
    assert page.locator(".whose [aria-pressed=true]").get_attribute("data-who") == one.seat  # the reader's
    look = "DF" if key == "classic" else "BB"
    assert page.get_attribute(f".whose [data-who={one.seat}]", "data-colour") == look[1]
    mood = page.get_attribute(f".board [data-seat={one.seat}] .ava", "data-mood")
    assert str(mood).startswith(look[0])  # as in the game
    assert page.inner_text(".estimate-is") == one.review["texts"]["estimate_is"]
    assert page.locator(".balances > li").count() == len(one.review["players"])
    assert overflow(page) <= 0
    assert not axe(page)
    page.locator(".slips button").first.click()
    assert page.inner_text(".slip .said").replace("\u00a0", " ") == slip["sentence"]
    assert page.locator(".options > li.is-best").get_attribute("data-option") == slip["best"]
    assert page.locator(".options > li.is-played").get_attribute("data-option") == slip["played"]
    _marked(page, slip)
    assert overflow(page) <= 0
    assert not [text for text in cut_off(page) if not text.endswith(("best", "played"))]  # flags stick out
    assert not axe(page)


def test_a_table_with_specialists_can_be_read_beside_the_slips(
    server: ServerProcess, open_page: OpenPage, played: dict[str, Played]
) -> None:
    """Nine tiles in a row, five seats, and the supply of round worms clear of the flags above the tiles."""
    one = played["deluxe"]
    page = open_page(f"{server.url}/#review={one.game}&seat=B", size=(1280, 800), script=_as_anna(one.token))
    page.wait_for_selector(".board .grill .tile")
    boxes = page.evaluate(
        """() => {
          const box = (one) => one.getBoundingClientRect().toJSON();
          const boxes = (name) => [name, [...document.querySelectorAll(`.review ${name}`)].map(box)];
          return Object.fromEntries([".grill .place", ".supply", ".right", ".slip", ".left"].map(boxes));
        }"""
    )
    places, (supply,) = boxes[".grill .place"], boxes[".supply"]
    assert min(place["width"] for place in places) >= 40
    assert supply["top"] >= max(place["bottom"] for place in places) - 2
    # with many seats their balances stand below, not beside an empty column
    assert boxes[".right"][0]["top"] >= boxes[".slip"][0]["bottom"]
    assert boxes[".right"][0]["left"] == boxes[".left"][0]["left"]


def test_names_beside_a_slip_have_room_for_some_letters(
    server: ServerProcess, open_page: OpenPage, played: dict[str, Played]
) -> None:
    """With round worms and specialists in the seats too."""
    one = played["three"]
    page = open_page(f"{server.url}/#review={one.game}&seat=B", size=(1440, 900), script=_as_anna(one.token))
    page.wait_for_selector(".board .seats.owning")
    room = page.evaluate(
        """() => [...document.querySelectorAll(".board .who b")].map((name) => [
          name.textContent, name.clientWidth / Math.max(name.scrollWidth, name.clientWidth)])"""
    )
    assert len(room) == 3
    assert all(len(name) * share >= min(len(name), 5) for name, share in room), room


def _marked(page: Page, slip: dict[str, Any]) -> None:
    """The better move lies on the table with its name."""
    tile = slip["best"][1:]
    place = {"t": f".grill .place[data-tile='{tile}']", "x": f".seats .tile[data-tile='{tile}']"}.get(
        slip["best"][0], f".board [data-move='{slip['best']}']"
    )
    assert page.locator(f"{place} .flag.is-best").inner_text() == "best"


def test_slips_by_keyboard_and_the_way_back(
    server: ServerProcess, open_page: OpenPage, played: dict[str, Played]
) -> None:
    one = played["classic"]
    slips = one.review["players"][0]["slips"]
    page = open_page(f"{server.url}/#review={one.game}", size=(390, 844), script=_as_anna(one.token))
    page.wait_for_selector(".review")
    page.locator(".slips button").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('slip')")
    assert not page.locator(".headline").is_visible()  # on a phone a slip is a page of its own
    assert page.evaluate("location.hash").endswith(f"&seat=A&slip={slips[1]}")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash").endswith(f"&slip={slips[2]}")
    page.keyboard.press("ArrowLeft")
    page.go_back()
    page.wait_for_selector(".headline")
    assert page.locator(".headline").is_visible()
    assert not page.locator(".slip").is_visible()
    page.locator(".curve-card input").focus()
    before = page.inner_text(".now")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".now") != before


def test_paper(server: ServerProcess, open_page: OpenPage, played: dict[str, Played]) -> None:
    one = played["classic"]
    page = open_page(f"{server.url}/#review={one.game}", script=_as_anna(one.token), color_scheme="dark")
    page.wait_for_selector(".review")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".slips li").first.is_visible()
    for controls in (".top", ".whose", ".curve-card input", ".slip"):
        assert not page.locator(controls).first.is_visible()


def test_the_way_to_a_review(server: ServerProcess, open_page: OpenPage, played: dict[str, Played]) -> None:
    one = played["classic"]
    page = open_page(server.url, script=_as_anna(one.token))
    page.wait_for_selector(".figures")
    figures = page.locator(".figures li").all_inner_texts()
    assert figures[-2].split("\n") == [f"{one.review['players'][0]['accuracy']}\u00a0%", "Accuracy"]
    assert figures[-1].endswith("Luck per game, in points")
    link = page.locator(f".list a[href='#review={one.game}&seat=A']")
    link.click()
    page.wait_for_selector(".review")


def test_what_was_wrong_comes_back(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(f"{server.url}/#practise", size=(360, 740))
    page.select_option("[name=theme]", "wrong face")
    page.select_option("[name=practise-edition]", "classic")
    assert not axe(page)
    page.click("[data-go=drills]")
    page.wait_for_selector(".ask")
    assert page.locator(".ends").count() == 0  # before an answer no chance is shown but that of a bust
    assert not axe(page)
    page.locator(".well button").last.click()
    page.wait_for_selector(".options")
    judged = page.inner_text(".said")
    assert judged
    assert overflow(page) <= 0
    assert not axe(page)
    page.keyboard.press("Enter")  # "Next" has the focus
    page.wait_for_selector(".ask")
    cards: dict[str, Any] = page.evaluate("JSON.parse(localStorage.getItem('pickomino.drills'))")
    assert len(cards) == 1
    # Its day has come: it is asked first, and known again.
    page.evaluate(
        "() => { const cards = JSON.parse(localStorage.getItem('pickomino.drills'));"
        "for (const card of Object.values(cards)) card.due = '2020-01-01T00:00:00+00:00';"
        "localStorage.setItem('pickomino.drills', JSON.stringify(cards)); }"
    )
    page.goto(f"{server.url}/#practise=")
    page.wait_for_selector("[data-go=drills]")
    assert page.inner_text(".pair [role=status]").startswith("1 due now")
    with page.expect_download() as saved:
        page.click("[data-go=export]")
    assert list(json.loads(saved.value.path().read_text())) == list(cards)
    with page.expect_request("**/api/drills/*/answer") as sent:
        page.click("[data-go=drills]")
        page.wait_for_selector(".ask")
        page.locator(".well button").first.click()
    assert next(iter(cards)) in sent.value.url
    assert json.loads(sent.value.post_data or "")["card"]["due"].startswith("2020")


def test_a_drill_that_has_left_the_pool_is_told_so(
    server: ServerProcess, open_page: OpenPage, complaints: list[str]
) -> None:
    """An open page keeps its list of drills while the server gets a newer pool."""
    page = open_page(f"{server.url}/#practise")
    page.wait_for_selector("[data-go=drills]")
    page.route("**/api/drills/*", lambda route: route.continue_(url=f"{server.url}/api/drills/none"))
    page.click("[data-go=drills]")
    page.wait_for_selector("text=This position has been replaced by others.")
    assert ["404" in text for text in complaints] == [True]
    complaints.clear()


def test_a_file_that_is_no_progress_is_refused(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(f"{server.url}/#practise")
    page.wait_for_selector("[data-go=drills]")
    for text in ("no JSON", "[1]", '{"523aa019a918": {"due": "2020-01-01T00:00:00+00:00"}}'):
        page.set_input_files(
            "input[type=file]", {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
        )
        page.wait_for_function("() => window.told.length")
        assert [words for _, words, _ in page.evaluate("window.told.splice(0)")] == [
            "This file contains no progress."
        ]
    assert page.evaluate("localStorage.getItem('pickomino.drills')") is None


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_a_drill_on_small_phones(server: ServerProcess, open_page: OpenPage, size: tuple[int, int]) -> None:
    """The dice are seen without scrolling, and what is said of them later stands above them."""
    drill = max(pool().some("wrong face", "classic"), key=lambda one: len(set(one.position.rolled)))
    moves = [str(move) for move in drill.position.moves()]
    answer = {"move": moves[0], "card": None, "language": "en"}
    card = server.ok("POST", f"/api/drills/{drill.key}/answer", answer)["card"]
    due = json.dumps({drill.key: card | {"due": "2020-01-01T00:00:00+00:00"}})
    page = open_page(
        f"{server.url}/#practise", size=size, script=f"localStorage.setItem('pickomino.drills', '{due}')"
    )
    page.click("[data-go=drills]")
    page.wait_for_selector(".ask")
    assert _box(page, ".well")["bottom"] <= size[1]
    page.locator(f".well [data-move={moves[0]}]").click()
    page.wait_for_selector(".well .flag")
    well = _box(page, ".well")
    for group in page.locator(".well .marked").all():
        flag, dice = (_box(group, part) for part in (".flag", ".die"))
        assert well["top"] <= flag["top"]
        assert flag["bottom"] <= dice["top"] + 1
        assert _box(group, ".sum")["bottom"] <= well["bottom"]


def _box(within: Page | Locator, what: str) -> dict[str, float]:
    """The edges of an element on the screen."""
    found: dict[str, float] = within.locator(what).first.evaluate(
        "(node) => node.getBoundingClientRect().toJSON()"
    )
    return found


def test_todays_ten(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(f"{server.url}/#ten", size=(360, 740))
    for number in range(1, 11):
        page.wait_for_selector(".ask")
        assert f"{number} of 10" in page.inner_text("h1")
        page.locator(".board [data-move]").last.click()
        page.wait_for_selector(".options")
        if number == 4:
            page.reload()  # what was answered stays answered
            continue
        page.click("[data-go=next]")
    page.wait_for_selector(".shareline")
    moves = page.evaluate("JSON.parse(localStorage.getItem('pickomino.ten'))")
    line = server.ok("POST", "/api/ten", moves)["line"]
    assert page.inner_text(".shareline") == line
    assert page.locator(".tenmarks li").count() == 10
    assert overflow(page) <= 0
    assert not axe(page)


def test_the_coach_asks_once_per_turn(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    play_now(page)
    page.keyboard.press("m")
    page.check("[name=coach]")
    told(page, "The coach is here")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    # Every choice is a blunder, says a server that is made up; what it says of real ones is tested elsewhere.
    word: dict[str, Any] = {"ask": True, "sentence": "Garder le 1 : « 42 % » ; sûr ?"}
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(json=route.fetch().json() | word)

    page.route("**/coach?move=*", answer)
    page.click(".acts [data-move]:not([disabled])")
    page.locator(".well button[data-move]").first.click()
    # No line begins with a sign, nor ends between a figure and its %.
    assert page.inner_text("dialog .said") == "Garder le 1\u00a0: «\u00a042\u00a0%\u00a0»\u00a0; sûr\u00a0?"
    assert not axe(page)
    before = page.locator(".rail .die").count()
    page.click("[data-sure=no]")
    assert page.locator(".rail .die").count() == before == 0  # nothing was sent
    page.locator(".well button[data-move]").last.click()  # it has had its say for this turn
    page.wait_for_selector(".rail .die")
    assert len(asked) == 1
