"""What the page shows at every frame is what the frame says: counts, turn, title, guide, tiles, specialists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pickomino.rules import EDITIONS
from tests.server.parts import ServerProcess
from tests.web.films import FILM_OF, cautious_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import OpenPage

# Plays the frames of a whole game on a table where seat A is mine, and compares the screen with each view.
COMPARE = """async (record) => {
  const film = await (FILM_OF)(record);
  const base = document.documentElement.dataset.static;
  const load = (name) => import(`${base}/js/${name}.js`);
  const [{ Stage }, { Guide }, { about }, { titleFor }] = await Promise.all(
    ["stage", "guide", "api", "table"].map(load));
  const edition = film.house ?? (await about()).editions.find((item) => item.key === film.edition.split("+")[0]);
  const mine = (seat) => seat === "A";
  const name = (seat) => film.names[seat.charCodeAt(0) - 65];
  const guide = new Guide();
  const seen = (view, offered) => {
    document.title = titleFor(view.seat !== null && mine(view.seat));
    return guide.words(view, mine(view.seat) ? "A" : null, offered);
  };
  const stage = new Stage(edition, {
    act() {}, tell() {}, skip() {}, who: { name, me: mine }, mine, seen,
    face: (seat) => ({ name: seat, tag: "", off: false, bot: !mine(seat), bird: seat, colour: seat }),
    teller: () => ({ kind: "", next: "", mine: true, away: false, standIn: null }),
  }, document.createElement("header"));
  document.getElementById("app").replaceChildren(stage.root);
  document.getElementById("app").style.display = "none"; // what it looks like is another test's
  const faults = [];
  const same = (what, shown, told, at) => {
    const [a, b] = [shown, told].map((value) => JSON.stringify(value));
    if (a !== b) faults.push(`${at} ${what}: shows ${a}, is ${b}`);
  };
  const all = (selector) => [...stage.root.querySelectorAll(selector)];
  const tiles = (places) => places.map((item) => Number(item.dataset.tile));
  const turned = (item) => item.querySelector(".back") !== null;
  const look = (view, at) => {
    const tops = all(".seat .pile").map((item) => item.querySelector("[data-tile]")?.dataset.tile);
    same("scores", all(".seat .score").map((item) => Number(item.dataset.n)), view.scores, at);
    same("tops", tops.map((tile) => Number(tile ?? 0) || null), view.tops, at);
    same("turn", all(".seat.on").map((item) => item.dataset.seat), view.seat ? [view.seat] : [], at);
    same("grill", tiles(all(".place:not(.gone)").filter((item) => !turned(item))), view.grill, at);
    same("flipped", tiles(all(".place").filter(turned)), view.flipped, at);
    same("title", document.title.includes("●"), view.seat === "A", at);
    const supply = stage.root.querySelector(".supply").dataset.n;
    if (view.supply !== undefined) same("supply", Number(supply), view.supply, at);
    if (view.seat === null) return;
    const here = mine(view.seat);
    same("board", [stage.tray.root.hidden, stage.story.root.hidden], [!here, here], at);
    if (!here) return same("teller", stage.story.name.textContent, name(view.seat), at);
    if (!stage.busting) same("total", Number(stage.tray.sum.textContent), view.total, at);
    same("kept", stage.tray.kept.dataset.key, view.kept, at);
  };
  let frames = 0;
  stage.show(film.frames[0].view);
  look(film.frames[0].view, "start");
  for (const [index, step] of film.frames.entries()) {
    for (const frame of step.frames) {
      await stage.play(frame.event, frame.view ?? step.view, true);
      look(frame.view ?? step.view, `${index} ${step.ply} ${frame.event.event}`);
      frames += 1;
    }
    const moves = step.view.phase === "roll" ? ["roll"] : step.view.moves;
    stage.show(step.view, mine(step.view.seat) ? moves : []);
    look(step.view, `${index} ${step.ply}`);
    const guided = stage.tray.line.classList.contains("guide") && !stage.tray.root.hidden;
    same("guide", guided, mine(step.view.seat), `${index} ${step.ply}`);
    const offered = all(".well [data-move], .acts [data-move], .quiet[data-move]")
      .filter((item) => !item.closest("[hidden]")).map((item) => item.dataset.move);
    const rest = moves.filter((move) => !offered.includes(move) && !move.startsWith("t"));
    if (mine(step.view.seat)) same("choices", rest, [], `${index} ${step.ply}`);
    else same("choices", offered, [], `${index} ${step.ply}`);
  }
  return [frames, faults.slice(0, 5)];
}""".replace("FILM_OF", FILM_OF)


def compare(page: Page, edition: str, seeds: range) -> None:
    """Games with 2 to 7 seats in turn."""
    for seed in seeds:
        shown: tuple[int, list[Any]] = page.evaluate(COMPARE, cautious_game(edition, 2 + seed % 6, seed))
        assert shown[0] > 50
        assert shown[1] == [], f"{edition}, game {seed}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_screen_is_the_view_at_every_frame(
    server: ServerProcess, open_page: OpenPage, edition: str
) -> None:
    compare(open_page(server.url), edition, range(6))


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_soak_fifty_games_frame_by_frame(server: ServerProcess, open_page: OpenPage, edition: str) -> None:
    compare(open_page(server.url), edition, range(6, 56))
