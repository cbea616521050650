"""Every choice of whole games lies on the screen without scrolling, and no word is cut, at every size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.parts import ServerProcess
from tests.web.films import cautious_game, film_of
from tests.web.play import CUT_OFF, OUT_OF_SIGHT, OVERFLOW, choose, cut_off, my_choice, out_of_sight, overflow

if TYPE_CHECKING:
    from tests.web.conftest import OpenPage

SIZES = [(360, 640), (390, 664), (844, 390), (820, 1180), (1440, 900)]

# Shows every position of a game to whoever is to act, all choices offered, and looks for what cannot be seen.
LOOK = f"""async ([film, guided]) => {{
  const base = document.documentElement.dataset.static;
  const [{{ Stage }}, {{ Guide }}, {{ about }}, {{ topBar }}] = await Promise.all(
    ["stage", "guide", "api", "menu"].map((name) => import(`${{base}}/js/${{name}}.js`)));
  const edition = (await about()).editions.find((item) => item.key === film.edition.split("+")[0]);
  const guide = new Guide();
  const name = (seat) => (seat === "B" ? "Maximiliane" : `Wren ${{seat}}`);
  const stage = new Stage(edition, {{
    act() {{}}, tell() {{}}, skip() {{}}, who: {{ name, me: (seat) => seat === "A" }}, mine: () => true,
    face: (seat) => ({{ name: name(seat), tag: "bot · cautious", off: false, bot: true, bird: seat, colour: seat }}),
    teller: () => ({{}}),
    seen: (view, offered) => (guided ? guide.words(view, view.seat, offered) : null),
  }}, topBar({{ code: "ABCDEF", react() {{}} }}));
  document.getElementById("app").replaceChildren(stage.root);
  const faults = [];
  const [overflow, cut, hidden] = [{OVERFLOW}, {CUT_OFF}, {OUT_OF_SIGHT}];
  const usual = ["roll", "keep", "go"];
  for (const [index, {{ view }}] of film.frames.entries()) {{
    if (view.over || (usual.includes(view.phase) && index % 8)) continue; // every eighth, and all rare ones
    stage.show(view, view.phase === "roll" ? ["roll"] : view.moves);
    stage.tray.offerHint(() => undefined);
    const found = [...cut().map((text) => `cut: ${{text}}`), ...hidden().map((text) => `hidden: ${{text}}`)];
    if (overflow()) found.push("overflow");
    if (found.length) faults.push([view.position, ...found]);
  }}
  return faults.slice(0, 3);
}}"""


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", SIZES)
def test_all_choices_are_in_sight(
    server: ServerProcess, open_page: OpenPage, size: tuple[int, int], language: str
) -> None:
    page = open_page(server.url, size=size, locale=language)
    page.evaluate("document.fonts.ready")
    games = [("classic", 2, 1), ("deluxe", 3, 3), ("deluxe", 7, 4)]
    for edition, seats, seed in games:
        film = film_of(page, server.url, cautious_game(edition, seats, seed))
        faults: list[Any] = page.evaluate(LOOK, [film, seats == 2])
        assert faults == [], f"{edition}, {seats} seats"


@pytest.mark.parametrize("size", [*SIZES, (320, 568)])
def test_a_first_game_without_scrolling(
    server: ServerProcess, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(server.url, size=size)
    page.click("[data-go=learn]")
    for _ in range(12):
        if not my_choice(page):
            break
        assert overflow(page) == 0
        assert not out_of_sight(page)
        assert not cut_off(page)
        choose(page)
