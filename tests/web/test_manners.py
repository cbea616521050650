"""What went wrong once, and must not again: the end, replays, reloads, toasts, seats, forced colours, words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pickomino import parse_position
from pickomino.views import view
from tests.server.parts import ServerProcess
from tests.web.films import cautious_game
from tests.web.play import (
    CHOOSE,
    END,
    call_me,
    choose,
    give_up,
    my_choice,
    new_table,
    play_now,
    take_seat,
    told,
)
from tools.catalogue import PAGE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import OpenPage


def words(page: Page, call: str, position: str) -> Any:
    """What words.js says about a position."""
    script = f"""async (view) => {{
      const words = await import(`${{document.documentElement.dataset.static}}/js/words.js`);
      const who = {{ name: (seat) => `P-${{seat}}`, me: (seat) => seat === "A" }};
      const text = (nodes) => nodes.map((node) => node.textContent).join("");
      return {call};
    }}"""
    return page.evaluate(script, view(parse_position(position)))


def test_newcomers_are_offered_the_first_game_first(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    assert page.get_attribute(".form .btn >> nth=0", "data-go") == "learn"
    page.evaluate("localStorage.setItem('pickomino.played', 'true')")
    page.reload()
    page.wait_for_selector(".form")
    assert page.get_attribute(".form .btn >> nth=0", "data-go") == "now"


def test_the_end_stays_and_anyone_may_ask_for_another_game(
    server: ServerProcess, open_page: OpenPage
) -> None:
    anna, ben = open_page(server.url), open_page(server.url)
    call_me(anna, "Anna")
    new_table(anna, 2)
    ben.goto(anna.url)
    take_seat(ben, "B", "Ben")
    anna.click("text=Start the game")
    anna.wait_for_selector(".table")
    give_up(anna)
    for page in (anna, ben):
        page.wait_for_selector(END)
        page.keyboard.press("Escape")
        page.mouse.click(3, 3)
        assert page.query_selector(END)
    ben.click("text=Look at the table")
    ben.click("text=To the result")
    ben.wait_for_selector(END)
    anna.close()  # the host has gone
    ben.click(".ways .roll")
    ben.click("text=Start the game")
    ben.wait_for_selector(".table")


def test_a_removed_player_is_told_and_two_clicks_are_one(server: ServerProcess, open_page: OpenPage) -> None:
    anna, ben = open_page(server.url), open_page(server.url)
    new_table(anna, 3)
    anna.wait_for_selector("[data-bot=C]")
    anna.evaluate("() => { const b = document.querySelector('[data-bot=C]'); b.click(); b.click(); }")
    anna.wait_for_selector(".seatlist .bot")
    ben.goto(anna.url)
    take_seat(ben, "B", "Ben")
    anna.click(".seatlist li:has-text('Ben') button")
    told(ben, "no longer have a seat")
    assert anna.evaluate("window.told") == []  # no word of a full table


def test_toasts_lie_above_dialogs(server: ServerProcess, open_page: OpenPage, complaints: list[str]) -> None:
    page = open_page(server.url)
    page.click("[data-go=join]")
    page.fill("dialog input", "ZZZZZZ")
    page.keyboard.press("Enter")
    told(page, "no such table")
    page.click(".top .menu")
    page.wait_for_selector("dialog[open]")
    # In the top layer, above the dialog that was there before.
    assert page.evaluate(
        """async () => {
          (await import(`${document.documentElement.dataset.static}/js/dom.js`)).toast("above");
          return document.querySelector(".toast").matches(":popover-open");
        }"""
    )
    assert all("404" in text for text in complaints)
    complaints.clear()  # the browser reports the table that is not there


def test_reloads_and_languages_keep_the_log(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, size=(1440, 900))
    play_now(page)
    while (lines := page.locator(".log li").count()) < 6:
        assert my_choice(page)  # so early no game is over
        choose(page)
    page.reload()
    page.wait_for_function(f"() => document.querySelectorAll('.log li').length >= {min(lines, 20)}")
    page.click(".top .menu")
    page.click("input[name=language][value=fr]")
    page.wait_for_function(
        "() => /gardé|pris|piqué|nul/.test(document.querySelector('.log')?.textContent ?? '')"
    )


def test_bots_play_at_once_and_the_page_shows_them_at_its_speed(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(server.url)
    play_now(page)
    table = page.url.split("#table=")[1]
    info = page.request.get(f"{server.url}/api/tables/{table}").json()
    assert info["table"]["pace_ms"] == 0
    assert (
        page.evaluate(
            """async () => {
          const base = document.documentElement.dataset.static;
          const { set, tempo } = await import(`${base}/js/store.js`);
          set("speed", "calm");
          return tempo();
        }"""
        )
        == 1.5
    )  # what motion and pauses of the next frame are multiplied with


def test_skip_to_my_turn(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, speed="calm")
    page.click("[data-go=learn]")
    # Whatever can be clicked is, without waiting for movements, until a bot plays.
    page.evaluate(
        f"""() => new Promise((done) => {{
          const look = () => {{
            if (document.querySelector(".theirs:not([hidden])")) {{
              eye.disconnect();
              done();
            }} else ({CHOOSE})()?.click();
            dispatchEvent(new Event("pointerdown"));
          }};
          const eye = new MutationObserver(look);
          eye.observe(document.body, {{ subtree: true, childList: true, attributes: true }});
          look();
        }})"""
    )
    page.click("[data-go=skip]")
    assert my_choice(page)


def test_a_replay_by_arrow_keys_with_its_log(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, size=(1440, 900))
    record = cautious_game("classic", 2, 3)
    page.set_input_files(
        "input[type=file]", {"name": "a.pkgn", "mimeType": "text/plain", "buffer": record.encode()}
    )
    page.wait_for_selector(".filmbar")
    assert page.locator(".filmbar svg").count() == 4  # signs, not glyphs of a font
    for _ in range(2):
        before = page.inner_text(".filmbar output")
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"() => document.querySelector('.filmbar output').textContent !== '{before}'")
    assert page.inner_text(".filmbar output").startswith("2 ")
    assert page.locator(".log li").count() == 1  # one keep so far
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('.filmbar output').textContent.startsWith('0 ')")
    assert page.locator(".log li").count() == 0


def test_forced_colours_have_edges_and_show_what_is_chosen(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(server.url, forced_colors="active")
    style = "(selector, name) => getComputedStyle(document.querySelector(selector))[name]"
    outline = f"() => ({style})('.seg input:checked + span', 'outlineStyle')"
    assert page.evaluate(outline) == "solid"
    play_now(page)
    my_choice(page)
    for part in (".tray", ".seat", ".btn.roll"):
        assert page.evaluate(f"() => ({style})('{part}', 'borderTopStyle')") == "solid"
    assert page.evaluate(f"() => ({style})('.seat.on', 'outlineStyle')") == "solid"


# A with the can and 25, B with the hen on 24: a bust costs both; a thief gets the hen.
DELUXE = "pkp1 deluxe 21-23 25/24 A 3344WW:- apple@21,can@A,crow@23,hen@B,weasel@22 0/2"


def test_deluxe_in_words(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    assert words(page, "words.costText(view.bust)", DELUXE) == "costs 25 and can"
    assert words(page, 'words.moveText("x24", view, who)', DELUXE) == ["Steal: hen", "from P-B"]
    assert "guards 24" in words(page, "text(words.advice(view, who))", DELUXE)
    both = "pkp1 classic 25,27,29-31 21/26 A 3355WW:-"  # 26 may be stolen, or 25 taken
    assert words(page, "text(words.advice(view, who))", both).startswith(
        "P-B has the 26. You can steal it, or take from the grill."
    )


def test_the_end_counts_round_worms(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    over = view(parse_position("pkp1 deluxe - 25/24 - -:- apple@A,hen@B 3/1"))
    page.evaluate(
        """async (view) => {
          const { endScreen } = await import(`${document.documentElement.dataset.static}/js/ending.js`);
          const seats = ["A", "B"].map((seat) => ({ seat, kind: "person", name: seat, bird: seat, colour: seat }));
          const result = { winners: view.winners, scores: view.scores, ranks: view.ranks, reason: view.reason };
          const who = { name: (seat) => seat, me: () => false };
          document.getElementById("app").replaceChildren(endScreen({ game: "g", view, result, seats, who, wormsOf: () => 2 }, { table() {} }));
        }""",  # noqa: E501 - a script
        over,
    )
    assert page.locator(".stacks li >> nth=0 >> .token").count() == 3
    assert page.locator(".stacks li >> nth=0 >> .extra .guest").count() == 1  # the apple
    assert page.evaluate(
        "document.querySelector('.row').scrollWidth <= document.querySelector('.row').clientWidth"
    )


def test_french_has_the_words_of_the_printed_rules() -> None:
    texts = json.loads((PAGE / "locale/fr.json").read_text("utf-8"))
    spoken = [form for value in texts.values() for form in ([value] if isinstance(value, str) else value)]
    for wrong in ("raté", "rater", "tuile", "gril ", "le gril", "voler", "Règles du cours", "Jouer seul"):
        assert not [text for text in spoken if wrong in text], wrong
    for english, french in {
        "Grill": "Brochette",
        "Bust": "Lancer nul",
        "hen": "Mère poule",
        "can": "Ver en boîte",
        "Owl": "Hibou",
        "steal": "piquer",
    }.items():
        assert texts[english] == french
