"""Whole games by clicking, two browsers, reloads, lost connections, keyboard only."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.balancer import Balancer
from tests.server.engines import Postgres, Redis
from tests.server.parts import ServerProcess
from tests.web.play import (
    CHOICE,
    CHOOSE_ONE,
    END,
    call_me,
    choose,
    give_up,
    moved,
    my_choice,
    new_table,
    play_now,
    play_to_the_end,
    take_seat,
    told,
    who_may_choose,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import OpenPage

CHILDREN = Path(__file__).parents[2] / "docs/examples/editions/children.toml"


def test_a_whole_classic_game(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    play_now(page)
    assert page.locator(".place").count() == 16
    play_to_the_end(page)
    assert page.locator(".stacks li").count() == 3
    verify_the_dice(page)
    record = page.get_attribute("text=Save the record", "href")
    page.keyboard.press("Escape")
    with urllib.request.urlopen(f"{server.url}{record}") as answer:
        assert answer.read().decode().startswith('[PKGN "1"]')
    page.click(".ways .roll")  # play again
    page.wait_for_selector(END, state="detached")
    assert my_choice(page)
    choose(page)


def test_a_whole_deluxe_game(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    play_now(page, "deluxe")
    assert page.locator(".place").count() == 18
    assert page.locator(".guests li").count() == 6
    play_to_the_end(page)
    verify_the_dice(page)
    page.keyboard.press("Escape")
    page.click(".ways a[href^='#replay']")
    page.wait_for_selector(".filmbar")
    page.click("[aria-label='One step forward']")
    page.wait_for_function("() => /^1 /.test(document.querySelector('.filmbar output').textContent)")
    assert re.search(r"^#replay=\w+&at=1$", page.evaluate("location.hash"))
    page.click("[aria-label=End]")
    page.reload()  # the address names the moment
    page.wait_for_selector(".seat.winner")


def test_a_house_edition_from_a_file_to_its_end(
    server: ServerProcess, open_page: OpenPage, complaints: list[str]
) -> None:
    """Tiles 11 to 26 with six dice: a file is dropped into the dialog, and drawn as it says."""
    page = open_page(server.url, size=(390, 664))
    page.click("[data-go=make]")
    page.check("input[name=count][value='2']")
    page.select_option(".makeseats li >> nth=1 >> select", "bot:easy")
    drop = """([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      document.querySelector("dialog").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    }"""
    page.evaluate(drop, ["wrong.toml", 'name = "x"\ndice = 0\ntiles = { 9 = 1 }\n'])
    page.wait_for_function("() => document.querySelector('select[name=edition]').value === 'house'")
    page.click("[data-go=create]")
    told(page, "line 2: dice: expected")
    page.evaluate(drop, ["children.toml", CHILDREN.read_text("utf-8")])
    page.wait_for_function("() => document.querySelector('option[value=house]')?.textContent === 'children'")
    page.click("[data-go=create]")
    page.wait_for_selector(".table")
    assert page.locator(".place").count() == 16
    assert page.get_attribute(".place >> nth=0", "data-tile") == "11"
    assert my_choice(page)
    assert page.locator(".mine .well .die").count() == 6
    play_to_the_end(page)
    page.click(".ways a[href^='#replay']")
    page.wait_for_selector(".filmbar")
    assert page.get_attribute(".place >> nth=0", "data-tile") == "11"
    assert all("400" in text for text in complaints)
    complaints.clear()  # the browser reports the file that was refused


def verify_the_dice(page: Page) -> None:
    page.click(".ways .btn:has-text('Dice')")
    said = "document.querySelector('.proof [role=status]').textContent"
    page.wait_for_function(f"() => /rolls are right/.test({said})")


def test_two_browsers_at_one_table(server: ServerProcess, open_page: OpenPage) -> None:
    anna = open_page(server.url)
    call_me(anna, "Anna")
    new_table(anna, 2)
    code = anna.inner_text(".bigcode")
    ben = open_page(server.url)
    ben.click("[data-go=join]")
    ben.fill("dialog input", code)
    ben.keyboard.press("Enter")
    take_seat(ben, "B", "Ben")
    anna.click("text=Start the game")
    for page in (anna, ben):
        page.wait_for_selector(".table")
    watcher = open_page(anna.url)
    watcher.wait_for_selector(".table")
    for _ in range(12):
        choose(who_may_choose(anna, ben))
    names = {anna: "Anna", ben: "Ben", watcher: ""}
    first = who_may_choose(anna, ben)
    log = first.inner_text(".log").replace("You ", f"{names[first]} ")
    assert "kept" in log
    for page, name in names.items():
        page.wait_for_function(
            "([log, name]) => document.querySelector('.log').innerText.replaceAll('You ', `${name} `) === log",
            arg=[log, name],
        )
    assert watcher.query_selector(".acts button") is None
    anna.click(".top [aria-label=Reactions]")
    anna.click(".reactions button >> nth=0")
    told(ben, "", "bubble")
    assert ben.evaluate(
        "window.told.some(([kind, , drawn]) => kind === 'bubble' && drawn)"
    )  # not words: a picture
    # Both added to every roll: the end says so, and each has kept what it gave.
    give_up(anna)
    for page in (anna, ben):
        page.wait_for_selector(END)
        verify_the_dice(page)
        said = page.inner_text(".proof [role=status]")
        assert "the players' devices" in said
        assert re.search(r"Rolls that each device contributed to: Anna \d+ and Ben \d+\.", said), said
        assert re.search(r"What this browser contributed is in it, all \d+ times\.", said), said
        assert "Not " not in said
        kept = page.evaluate(
            "() => JSON.parse(localStorage[`pickomino.kept.${JSON.parse(localStorage['pickomino.kept'])[0]}`])"
        )
        assert (kept["complaints"], len(kept["tips"])) == ([], 1)


def test_a_reload_in_mid_turn_and_the_seat_link(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    play_now(page)
    my_choice(page)
    page.click(".acts [data-move=roll]")
    page.wait_for_selector(".well button[data-move]")
    dice = "[...document.querySelectorAll('.well .group')].map((group) => group.getAttribute('aria-label'))"
    before = page.evaluate(dice)
    page.reload()
    page.wait_for_selector(".well button[data-move]")
    assert page.evaluate(dice) == before
    choose(page)
    table = page.url.split("#table=")[1]
    secret = page.evaluate(f"JSON.parse(localStorage.getItem('pickomino.seats'))['{table}'][0]")
    other = open_page(f"{server.url}/#seat={secret}")
    other.wait_for_selector(".top [aria-label=Reactions]")  # offered to who sits at the table
    assert secret not in other.url


def test_a_lost_connection_comes_back(server: ServerProcess, open_page: OpenPage) -> None:
    cuttable = """const Real = WebSocket;
        window.sockets = [];
        window.WebSocket = class extends Real { constructor(...a) { super(...a); window.sockets.push(this); } };"""
    # What is chosen meanwhile is sent when the connection is back, and counts once. All in one step: it soon is back.
    cut_and_choose = f"""() => new Promise((done) => {{
      const banner = document.getElementById("banner");
      new MutationObserver((_, eye) => {{
        if (banner.hidden) return;
        eye.disconnect();
        ({CHOOSE_ONE})();
        done();
      }}).observe(banner, {{ attributes: true }});
      window.sockets.at(-1).close();
    }})"""
    page = open_page(server.url, script=cuttable)
    play_now(page)
    for _ in range(4):
        assert my_choice(page)
        page.evaluate(cut_and_choose)
        page.wait_for_selector("#banner", state="hidden")
        moved(page)


def test_the_server_restarts(
    tmp_path_factory: pytest.TempPathFactory, open_page: OpenPage, complaints: list[str]
) -> None:
    process = ServerProcess(tmp_path_factory.mktemp("restart")).start()
    try:
        page = open_page(process.url)
        play_now(page)
        assert my_choice(page)
        process.kill()
        page.wait_for_selector("#banner:not([hidden])")
        page.evaluate(CHOOSE_ONE)
        process.start()
        moved(page)
        for _ in range(4):
            assert my_choice(page)
            choose(page)
    finally:
        process.stop()
    assert all("WebSocket" in text or "ERR_" in text for text in complaints)
    complaints.clear()  # the browser itself reports connections that fail


def test_processes_are_replaced_under_a_page(
    tmp_path_factory: pytest.TempPathFactory,
    open_page: OpenPage,
    complaints: list[str],
    postgres: Postgres,
    redis: Redis,
) -> None:
    folder, database = tmp_path_factory.mktemp("replaced"), postgres.new_database()
    processes = [
        ServerProcess(folder / str(number), postgres=database, redis=redis.url).start() for number in range(2)
    ]
    balancer = Balancer(processes)
    try:
        page = open_page(balancer.url)
        play_now(page)
        for process in processes:
            assert my_choice(page)
            assert process.stop() == 0
            page.evaluate(CHOOSE_ONE)
            moved(page)
            process.start()
        assert my_choice(page)
        choose(page)
        page.close()  # before what it talks to goes
    finally:
        balancer.close()
        for process in processes:
            process.stop()
    assert all("WebSocket" in text or "ERR_" in text for text in complaints)
    complaints.clear()  # the browser itself reports connections that fail


# Waits for another position to choose in, or the end; gives the position and a face that can be kept.
NEXT = f"""(before) => new Promise((done, failed) => {{
  const late = setTimeout(() => failed(new Error("nothing happens")), 30_000);
  const look = () => {{
    const over = document.querySelector('{END}') !== null;
    const position = (document.querySelector('.acts')?.dataset.key ?? '').split('|')[0];
    if (!over && (position === before || !document.querySelector('{CHOICE}'))) return;
    eye.disconnect();
    clearTimeout(late);
    done(over ? null : [position, document.querySelector('.well button[data-move]')?.dataset.face ?? '']);
  }};
  const eye = new MutationObserver(look);
  eye.observe(document.body, {{ subtree: true, childList: true, attributes: true }});
  look();
}})"""


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_keyboard_alone_from_the_first_visit_to_the_podium(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(server.url, size=(390, 664))
    tab_to(page, "[data-go=learn]")
    page.keyboard.press("Enter")
    before, choices = "", 0
    while (found := page.evaluate(NEXT, before)) is not None:
        before, face = found
        choices += 1
        assert choices < 1000, "the game does not end"
        if choices % 2 and face:  # by shortcut
            page.keyboard.press(face.lower())
        elif choices % 2:
            page.keyboard.press("r" if page.query_selector(".acts .take, .acts .steal") is None else "t")
        else:  # the next choice has the focus; one that leaves no choice plays itself, and may be the game's last
            page.wait_for_function(
                f"() => document.activeElement.closest('.tray button') || document.querySelector('{END}')"
            )
            page.keyboard.press("Enter")
    assert choices > 20
    assert page.locator("#live p").count() > 0
    page.keyboard.press("h")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    tab_to(page, ".ways .roll")  # another game
    page.keyboard.press("Enter")
    page.wait_for_selector(END, state="detached")
    assert my_choice(page)


def test_what_plays_itself_is_not_sent_again_by_a_click(server: ServerProcess, open_page: OpenPage) -> None:
    """Every move is chosen twice at once, as by hand and by itself: the server hears of it once."""
    count = """const send = WebSocket.prototype.send;
        window.moves = [];
        WebSocket.prototype.send = function (text) {
          const message = JSON.parse(text);
          if (message.t === "move") window.moves.push(message.v);
          send.call(this, text);
        };"""
    page = open_page(server.url, script=count)
    play_now(page)
    for _ in range(8):
        assert my_choice(page)
        page.evaluate(
            f"""() => {{
              window.before = document.querySelector('.acts').dataset.key;
              const chosen = document.querySelector('{CHOICE}');
              chosen.click();
              chosen.click();
            }}"""
        )
        moved(page)
    versions = page.evaluate("window.moves")
    assert len(versions) == len(set(versions)) >= 8


def test_hot_seat_and_seven_seats(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, size=(360, 740))
    new_table(page, 7, "me", *["bot:easy"] * 5)
    assert page.locator(".seat").count() == 7
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    my_choice(page)
    choose(page)


def test_the_first_game_and_a_hint(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    page.click("[data-go=learn]")
    page.wait_for_selector(".line.guide")
    said = page.inner_text(".line.guide")
    page.click(".acts [data-move=roll]")
    page.wait_for_selector(".well button[data-move]")
    assert page.inner_text(".line.guide") != said
    page.click("[data-go=hint]")
    page.wait_for_selector(".best .worth")
    assert page.locator(".worth").count() == page.locator(".well button[data-move]").count()
    assert page.inner_text(".line").startswith("Keeping")  # and why


def test_a_record_from_a_file(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    headers = '[PKGN "1"]\n[Edition "classic"]\n[Seats "A:red B:blue"]\n[Result "*"]\n'
    text = f"{headers}\n1 A 112345WW/W 445WWW/4 2224/2 t24\n"
    page.set_input_files(
        "input[type=file]", {"name": "a.pkgn", "mimeType": "text/plain", "buffer": text.encode()}
    )
    page.wait_for_selector(".filmbar")
    page.click("[aria-label=End]")
    page.wait_for_selector(".seat [data-tile='24']")
    assert page.inner_text(".seat >> nth=0").startswith("red")
