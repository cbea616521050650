"""The page itself: what it loads, how it moves, sizes of screens, languages, accessibility."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import segno
from axe_playwright_python.sync_playwright import Axe

from pickomino import Record, load_edition
from pickomino.chance import add_dice, check_dice
from pickomino.locale import languages, translate, translate_count
from pickomino.notation import format_record
from pickomino.rules import Position, find_edition
from tests.chance.checkable_games import play
from tests.chance.joint_games import SmallServer
from tests.server.parts import ServerProcess
from tests.web.play import choose, cut_off, my_choice, overflow, play_now
from tools.catalogue import LOCALE, PAGE, page_json, page_texts

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

    from tests.web.conftest import OpenPage


# Once `held` is set, dice begin to fall and wait in the air.
HELD_DICE = """
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
      const animation = animate.apply(this, how);
      if (window.held && this.matches(".well .die")) animation.pause();
      return animation;
    };"""


def axe(page: Page) -> list[str]:
    """Violations that axe-core finds on what is shown now."""
    results = Axe().run(page)
    return [f"{v['id']}: {node['html'][:160]}" for v in results.response["violations"] for node in v["nodes"]]


def layouts(cdp: CDPSession) -> int:
    """How often the page has been laid out so far."""
    metrics = cdp.send("Performance.getMetrics")["metrics"]
    return next(int(metric["value"]) for metric in metrics if metric["name"] == "LayoutCount")


def test_a_first_visit_is_small(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    page.wait_for_load_state("networkidle")
    sizes: list[int] = page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".map((entry) => entry.transferSize)"
    )
    assert 10_000 < sum(sizes) < 150_000


def test_dice_fall_without_layout(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, speed="fast", script=HELD_DICE)
    play_now(page)
    my_choice(page)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    page.evaluate("window.held = true")
    page.click(".acts [data-move=roll]")
    falling = "document.getAnimations().filter((a) => a.effect?.target?.matches?.('.well .die'))"
    page.wait_for_function(f"() => {falling}.length === 8")
    page.evaluate(
        "() => new Promise(requestAnimationFrame)"
    )  # the dice that have just come are laid out once
    before = layouts(cdp)
    places: list[float] = page.evaluate(
        f"""async () => {{
          const places = [];
          for (let at = 0; at < 20; at += 1) {{
            for (const fall of {falling}) fall.currentTime = (fall.effect.getTiming().duration * at) / 20;
            await new Promise(requestAnimationFrame);
            places.push(document.querySelector('.well .die').getBoundingClientRect().top);
          }}
          return places;
        }}"""
    )
    assert len(set(places)) > 10  # it did move
    assert layouts(cdp) == before
    page.evaluate(f"() => {falling}.forEach((fall) => fall.finish())")
    page.wait_for_selector(".well button[data-move]")


@pytest.mark.parametrize(
    ("language", "size"),
    [*((language, (360, 740)) for language in languages()), ("en", (1180, 780)), ("de", (1180, 780))],
)
def test_no_overflow_in_any_language(
    server: ServerProcess, open_page: OpenPage, language: str, size: tuple[int, int]
) -> None:
    page = open_page(server.url, size=size, locale=language.replace("_", "-"))
    assert page.get_attribute("html", "lang") == language.replace("_", "-")
    assert overflow(page) == 0
    assert not cut_off(page)
    for button in ("[data-go=make]", ".top .menu", ".top .help"):
        page.click(button)
        page.wait_for_selector("dialog[open]")
        assert not cut_off(page)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    play_now(page, "deluxe")
    for _ in range(10):
        assert my_choice(page)  # four turns at most: the grill cannot be empty yet
        assert overflow(page) == 0
        assert not cut_off(page)
        choose(page)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_accessible_in_every_main_state(server: ServerProcess, open_page: OpenPage, scheme: str) -> None:
    page = open_page(server.url, color_scheme=scheme)
    assert not axe(page)
    page.click("[data-go=make]")
    page.wait_for_selector("dialog[open]")
    assert not axe(page)
    page.click("[data-go=create]")
    page.wait_for_selector(".invite .qr svg")
    assert not axe(page)
    page.goto(server.url)
    page.wait_for_selector(".hero")
    play_now(page, "deluxe")
    for _ in range(2):  # before the roll, and with dice to keep
        assert my_choice(page)
        assert not axe(page)
        choose(page)
    page.click("button[aria-label=Menu]")
    page.wait_for_selector("dialog[open]")
    assert not axe(page)


def test_reduced_motion_moves_nothing(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, speed="fast", reduced_motion="reduce")
    play_now(page)
    my_choice(page)
    page.click(".acts [data-move=roll]")
    page.wait_for_selector(".well button[data-move]")
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_language_can_be_switched(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, locale="en")
    page.click("button[aria-label=Menu]")
    page.click("input[name=language][value=fr]")
    page.wait_for_function("() => document.documentElement.lang === 'fr'")
    assert page.inner_text("[data-go=now]").startswith("Jouer")


def test_plain_http_in_a_home_network(server: ServerProcess, open_page: OpenPage) -> None:
    """No secure context: no service worker, no crypto.subtle, and the game works all the same."""
    page = open_page(server.url)
    assert page.evaluate(
        """async () => {
          const base = document.documentElement.dataset.static;
          const { sha256, hex } = await import(`${base}/js/sha256.js`);
          return [0, 3, 55, 56, 64, 1000].map((n) => hex(sha256(new TextEncoder().encode("a".repeat(n)))));
        }"""
    ) == [hashlib.sha256(b"a" * n).hexdigest() for n in (0, 3, 55, 56, 64, 1000)]


def test_the_dice_of_the_description(server: ServerProcess, open_page: OpenPage) -> None:
    """The test vector of docs/dice.md."""
    page = open_page(server.url)
    nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    script = """async (nothing) => {
      const { fall } = await import(`${document.documentElement.dataset.static}/js/verify.js`);
      const value = Uint8Array.from({ length: 32 }, (_, i) => i);
      return fall(value, "t-1", 1, "0123456789abcdef", nothing, 8, false);
    }"""
    assert page.evaluate(script, nothing) == "1112223W"


def test_the_page_checks_records_as_verify_does(server: ServerProcess, open_page: OpenPage) -> None:
    """Dice from every seat, with what a client kept; a house edition with other dice; and one change each."""
    page = open_page(server.url)
    game = SmallServer(sleeping=lambda k, letter: (k, letter) == (3, "C"))
    game.start()
    game.play(turns=5)
    kept = json.loads(str(game.clients["A"].kept)) | {"mine": {}, "complaints": []}
    classic = {"sides": "12345W", "golden_die": ""}
    script = """async ([text, sides, kept]) => {
      const { verify } = await import(`${document.documentElement.dataset.static}/js/verify.js`);
      return verify(text, sides, kept);
    }"""

    def found(text: str, sides: dict[str, str] = classic, kept: object = None) -> dict[str, Any]:
        return dict(page.evaluate(script, [text, sides, kept]))

    text, check = str(game.record), check_dice(game.record)
    seen = found(text, kept=kept)
    assert (seen["fault"], seen["problems"], seen["unknown"]) == ("", [], [])
    assert (seen["rolls"], seen["added"], seen["tip"]) == (check.rolls, check.added, True)
    assert seen["voids"] == [{"k": 3, "seats": "C"}]
    assert seen["mine"] == check.rolls + 1  # and who starts
    assert found(text)["unknown"] == ["kept"]
    kept["values"]["A"]["2"] = "0" * 64
    assert found(text, kept=kept)["problems"] == ["roll 2: your value is missing"]
    for old, new in (
        (r"#4 \w{8}", "#4 00000000"),
        (r"(#4 \w+ A:)\w{8}", r"\g<1>00000000"),
        ("void C", "void A"),
    ):
        assert found(re.sub(old, new, text, count=1))["fault"]
    edition = load_edition(
        'name = "x"\ndice = 3\n[tiles]\n5-9 = 1\n[faces]\n2 = { pips = 2, sides = 2 }\nW = 5\n'
    )
    house, chain, rolls = play(Position.start(edition, 2), ("Anna", "Ben"))
    text = format_record(add_dice(Record(house, ("Anna", "Ben")), chain, rolls))
    sides = {"sides": "".join(face.sign * face.sides for face in edition.faces), "golden_die": ""}
    assert sides != classic
    assert (found(text, sides)["fault"], found(text, sides)["rolls"]) == ("", len(rolls))
    assert found(text)["fault"]


def test_qr_codes_are_those_of_another_encoder(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url)
    # Texts that fill the code: what encoders pad with, readers do not look at.
    for text in (
        "x" * 14,
        "y" * 26,
        "http://192.168.1.20:8000/#table=abcdefghij",
        "z" * 62,
        "z" * 122,
        "z" * 213,
    ):
        modules = page.evaluate(
            "async (text) => (await import(`${document.documentElement.dataset.static}/js/qr.js`)).qrModules(text)",
            text,
        )
        same = [
            [[bool(cell) for cell in row] for row in segno.make(text, error="m", mode="byte", boost_error=False,
                                                              micro=False, mask=mask).matrix]
            for mask in range(8)
        ]  # fmt: skip
        assert modules in same  # one of the eight masks


def test_the_catalogue_is_whole() -> None:
    texts, catalogues = page_texts(), sorted(LOCALE.glob("*.po"))
    assert catalogues
    for path in catalogues:
        made = json.loads(page_json(path))
        assert set(made) == set(texts), path.name
        for key, value in made.items():
            for form in [value] if isinstance(value, str) else value:
                places = {part.partition("}")[0] for part in form.split("{")[1:]}
                assert places <= {
                    part.partition("}")[0] for part in (key + (texts[key] or "")).split("{")[1:]
                }
        assert (PAGE / "locale" / f"{path.stem}.json").read_text("utf-8") == page_json(path), (
            "tools/catalogue.py"
        )


def test_the_catalogue_in_python() -> None:
    assert languages() == ("en", "de", "fr", "nl", "pt_BR")
    known = re.findall(r'^  \["(\w+)", "[^"]+"\],$', (PAGE / "js/i18n.js").read_text("utf-8"), re.MULTILINE)
    assert tuple(known) == languages()
    assert translate("fr", "Take {tile}", tile=24) == "Prendre le 24"
    assert translate("en", "Take {tile}", tile=24) == "Take 24"
    assert translate("xx", "not in any catalogue") == "not in any catalogue"
    assert [translate_count("fr", "{n} worm", "{n} worms", n) for n in (0, 1, 2)] == [
        "0 ver",
        "1 ver",
        "2 vers",
    ]
    assert translate_count("en", "{n} worm", "{n} worms", 0) == "0 worms"
    assert translate_count("de", "{n} worm", "{n} worms", 0) == "0 Würmer"
    assert translate_count("pt_BR", "{n} worm", "{n} worms", 0) == "0 minhoca"


def test_no_number_of_the_game_in_the_page() -> None:
    """The tiles, the number of dice and of sides come from the server, in the code and in the texts."""
    tiles = "|".join(map(str, find_edition("deluxe").values))
    spoken = [text for pair in page_texts().items() for text in pair if text]
    assert not [text for text in spoken if re.search(rf"\b({tiles})\b|\b(eight|nine) dice", text)]
    for path in sorted((PAGE / "js").glob("*.js")):
        source = path.read_text("utf-8")
        for rule in (
            r"/ 6\b",
            r"\*\* *white",
            r"dice_left *[-+]",
            r"stacks\[.*\]\??\.(push|pop)",
            r"scores\[.*\] *=",
        ):
            assert not re.search(rule, source), f"{path.name}: {rule}"
