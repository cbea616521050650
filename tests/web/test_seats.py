"""Around a table of people: birds and places by choice, hosts, the absent, invitations, and what is remembered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.server.parts import ServerProcess
from tests.web.play import END, call_me, give_up, my_choice, new_table, play_on, take_seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import OpenPage


def wait_for_name(page: Page, seat: int, name: str) -> None:
    page.wait_for_function(
        "([seat, name]) => document.querySelectorAll('.seatlist li')[seat]?.innerText.includes(name)",
        arg=[seat, name],
    )


def test_an_evening_with_friends(server: ServerProcess, open_page: OpenPage) -> None:
    anna = open_page(server.url)
    call_me(anna, "Anna")
    anna.click("[data-go=look]")
    anna.check(".pick.bird input[value=D]", force=True)  # the input lies under its picture
    anna.check(".pick.colour input[value=F]", force=True)
    anna.keyboard.press("Escape")
    new_table(anna, 2)
    assert anna.get_attribute(".seatlist li >> nth=0", "data-colour") == "F"
    # Ben takes the other seat; what Anna has he cannot have.
    ben = open_page(anna.url)
    take_seat(ben, "B", "Ben")
    ben.click("[data-look=B]")
    assert ben.is_disabled(".pick.bird input[value=D]")
    ben.check(".pick.bird input[value=G]", force=True)
    ben.keyboard.press("Escape")
    # Anna hands the table over, and Ben starts.
    wait_for_name(anna, 1, "Ben")
    anna.click(".seatlist li >> nth=1 >> .more")
    anna.click("[data-host=B]")
    ben.click("text=Start the game")
    for page in (anna, ben):
        page.wait_for_selector(".table")
        assert str(page.get_attribute(".seat .ava >> nth=0", "data-mood")).startswith("D")
        assert page.get_attribute(".seat >> nth=0", "data-colour") == "F"
    # Anna goes; whoever waits is told how long, and the host need not.
    anna.close()
    for _ in range(40):
        ben.wait_for_selector(
            f"{END}, .acts [data-move], .well [data-move], [data-go=stand-in]:not([hidden])"
        )
        if ben.is_visible("[data-go=stand-in]"):
            break
        play_on(ben, 1)
    assert "A bot plays in" in ben.inner_text(".theirs .foot")
    ben.click("[data-go=stand-in]")
    assert my_choice(ben)
    give_up(ben)
    ben.click(".ways a[href^='#replay']")
    ben.wait_for_selector(".film .seat[data-colour=F] .ava[data-mood^=D]")  # as it was
    ben.go_back()
    # The result as a picture.
    ben.click(".ways .btn:has-text('Share')")
    ben.wait_for_selector("img.shared")
    width, height = ben.eval_on_selector(
        "img.shared", "async (i) => (await i.decode(), [i.naturalWidth, i.naturalHeight])"
    )
    assert (width, height) == (1080, 680)  # two players under the title
    ben.keyboard.press("Escape")
    # On the start page: what the game amounted to, and another with the same people.
    ben.goto(server.url)
    ben.wait_for_selector(".figures")
    assert ben.locator(".figures li").count() == 5
    ben.click("[data-again]")
    ben.wait_for_selector(".invite")
    # Anna comes back to her start page, and the invitation lies on top.
    back = anna.context.new_page()
    back.goto(server.url)
    back.click(".resume .roll")
    back.click("[data-sit=B]")
    wait_for_name(ben, 1, "Anna")


def test_what_is_known_of_me_can_be_had_and_deleted(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    call_me(page, "Carla")
    new_table(page, 3)
    page.goto(server.url)
    page.click("[data-go=data]")
    with page.expect_download() as download:
        page.click("[data-go=export]")
    assert json.loads(download.value.path().read_text("utf-8"))["name"] == "Carla"
    page.click("[data-go=erase]")
    page.click("dialog[aria-label^='Delete'] .btn")
    page.wait_for_function("() => !localStorage.getItem('pickomino.guest')")
    page.wait_for_function("() => document.querySelector('.form .name b')?.textContent === 'Guest'")
