"""Every choice of whole games lies on the screen without scrolling, and no word is cut, at every size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.parts import ServerProcess
from tests.web.films import FILM_OF, cautious_game
from tests.web.play import (
    CUT_OFF,
    OUT_OF_SIGHT,
    OVERFLOW,
    TOUCHING,
    choose,
    cut_off,
    my_choice,
    out_of_sight,
    overflow,
)

if TYPE_CHECKING:
    from tests.web.conftest import OpenPage

SIZES = [(360, 640), (390, 664), (844, 390), (820, 1180), (1440, 900)]

# Faces that are elsewhere, or of another size, once the pointer is on one of them: a click would go astray.
FLEEING = """() => {
  const groups = [...document.querySelectorAll('.well .group.can')];
  const boxes = () => JSON.stringify(groups.map((group) => group.getBoundingClientRect()));
  const before = boxes();
  return groups.filter((group) => {
    group.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    const fled = boxes() !== before;
    group.parentElement.dispatchEvent(new PointerEvent('pointerleave'));
    return fled || boxes() !== before;
  }).map((group) => `${group.dataset.move} flees`);
}"""

# Shows positions of a game to whoever is to act, all choices offered, and looks for what cannot be seen. Of positions
# that are laid out alike one is enough.
LOOK = f"""async ([record, guided]) => {{
  const HINT = "Keeping four 5s leads to the 27 two times in three, and a bust costs only the 21.";
  const film = await ({FILM_OF})(record);
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
  const [overflow, cut, hidden, touching, fleeing] = [{OVERFLOW}, {CUT_OFF}, {OUT_OF_SIGHT}, {TOUCHING}, {FLEEING}];
  const seen = new Set();
  for (const {{ view }} of film.frames) {{
    const held = Object.values(view.specialists ?? {{}}).filter((place) => typeof place === "string");
    const claims = view.claims.map((claim) => [claim.from === "grill", claim.specialist]);
    const laid = JSON.stringify([view.phase, view.faces_left.length, view.keeps.length, claims, held.length]);
    if (view.over || seen.has(laid)) continue;
    seen.add(laid);
    stage.show(view, view.phase === "roll" ? ["roll"] : view.moves);
    stage.tray.offerHint(() => undefined);
    const found = [...cut().map((text) => `cut: ${{text}}`), ...hidden().map((text) => `hidden: ${{text}}`)];
    found.push(...touching(), ...fleeing());
    if (overflow()) found.push("overflow");
    stage.tray.showHint([], "", [HINT]);
    found.push(...fleeing().map((text) => `after a hint ${{text}}`));
    if (found.length) faults.push([view.position, ...found]);
  }}
  return [seen.size, faults.slice(0, 3)];
}}"""

GAMES = [
    *(("classic", 2, 1), ("deluxe", 3, 3), ("deluxe", 7, 4)),
    *(("extrawurm", 7, 5), ("summary", 5, 6), ("course", 4, 7)),
]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def test_all_choices_are_in_sight(
    server: ServerProcess, open_page: OpenPage, game: tuple[str, int, int], language: str
) -> None:
    page = open_page(server.url, locale=language)
    page.evaluate("document.fonts.ready")
    record = cautious_game(*game)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        layouts, faults = page.evaluate(LOOK, [record, game[1] == 2])
        assert layouts > 20
        assert faults == [], f"{width}×{height}"


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
