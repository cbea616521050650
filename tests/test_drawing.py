"""Pictures of positions: text within 80 columns, valid SVG, over random games of every edition."""

from __future__ import annotations

from itertools import islice
from xml.etree import ElementTree

import pytest

from pickomino import Edition, Face, Game, Position, Roll, parse_position
from pickomino.drawing import columns, draw, pad, svg
from tests.random_games import all_positions

EXAMPLE = parse_position("pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244")
HOSTILE = [
    "<b>&\"'</b>",
    "\x1b[31m\0\n",
    "日本語の長い名前でも大丈夫",
    "e\u0301" * 30,
    "",
    "\udcff",
    "\U0001f41b" * 50,
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("ascii_only", [False, True])
def test_text_fits_and_shows_every_tile(ascii_only: bool) -> None:
    for position in islice(all_positions(), 0, None, 3):
        picture = draw(position, ascii_only=ascii_only)
        assert all(columns(line) <= 80 and line == line.rstrip() for line in picture.split("\n"))
        assert picture.isascii() or not ascii_only
        side = "|" if ascii_only else "│"
        for tile in position.grill:
            assert f"{side}{tile}{side}" in picture or f"{side}  {tile}  {side}" in picture
        for top in filter(None, position.tops):
            assert f"{side}{top}{side}" in picture


def test_the_picture_of_the_example() -> None:
    assert draw(EXAMPLE, ["Anna", "Ben", "Cem"]) == "\n".join(
        [
            "        ┌──┐┌──┐    ┌──┐    ┌──┐┌──┐    ┌──┐┌──┐┌──┐┌──┐┌──┐┌──┐",
            "        │23││24│    │26│    │28││29│    │31││32││33││34││░░││░░│",
            "        ├──┤├──┤    ├──┤    ├──┤├──┤    ├──┤├──┤├──┤├──┤│░░││░░│",
            "        │ 1││ 1│    │ 2│    │ 2││ 3│    │ 3││ 3││ 4││ 4││░░││░░│",
            "        └──┘└──┘    └──┘    └──┘└──┘    └──┘└──┘└──┘└──┘└──┘└──┘",
            "",
            "  A Anna            ▶ B Ben               C Cem",
            "  ┌──┐ 5 worms        ┌──┐ 1 worm         ┌──┐ 3 worms",
            "  │22│ 3 tiles        │21│ 1 tile         │30│ 1 tile",
            "  ├──┤                ├──┤                ├──┤",
            "  │ 1│                │ 1│                │ 3│",
            "  └──┘                └──┘                └──┘",
            "",
            "  Kept    [5] [5] [W]   total 15, with a worm",
            "  Rolled  [1] [1] [2] [4] [4]",
        ]
    )


def test_what_could_be_claimed_and_the_golden_die() -> None:
    position = parse_position(
        "pkp1 deluxe 21-23 25/24 A 3344W+W:- apple@21,crow@23,gold@A,hen@B,weasel@22 0/2"
    )
    picture = draw(position)
    assert "Kept    [3] [3] [4] [4] [W] (W)   total 24, with a worm" in picture
    assert "Claim   steal 24" in picture
    assert "│Weasel│" in picture
    assert "Hen" in picture
    assert "2 round" in picture


def test_names_cannot_break_the_picture() -> None:
    position = Position.start("deluxe", 7)
    picture = draw(position, HOSTILE)
    assert all(columns(line) <= 80 for line in picture.split("\n"))
    assert "\x1b" not in picture
    assert len(picture.split("\n")) == len(draw(position).split("\n"))
    ElementTree.fromstring(svg(position, HOSTILE))


def test_pad_is_exact() -> None:
    assert pad("日本", 3) == "日 "
    assert pad("abc", 2) == "ab"
    assert columns(pad("e\u0301日", 9)) == 9


def test_svg_of_every_position_is_valid_and_complete() -> None:
    for position in islice(all_positions(), 0, None, 3):
        root = ElementTree.fromstring(svg(position))
        assert root.tag == f"{SVG}svg"
        values = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "value"]
        tops = [f"{top:02}" for top in position.tops if top is not None]
        assert values == [f"{tile:02}" for tile in position.grill] + tops
        kinds = [element.get("class") for element in root.iter(f"{SVG}rect")]
        assert kinds.count("back") == len(position.flipped)
        assert root.findtext(f"{SVG}title") == str(position)
        labels = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "guest-name"]
        standing = position.specialists.standing if position.specialists is not None else ()
        assert labels == [name for _, name in standing]


def test_custom_editions_are_drawn_too() -> None:
    faces = (Face("1", 1), Face("7", 7), Face("W", 5))
    tiny = Edition("tiny & <small>", ((3, 1), (5, 6), (9, 0)), dice=3, faces=faces)
    position = Position.start(tiny, 2).apply(Roll("17W")).position
    assert "│03││05││09│" in draw(position)
    ElementTree.fromstring(svg(position))


def test_a_game_shows_itself_in_a_notebook() -> None:
    game = Game(EXAMPLE)
    assert game._repr_svg_() == svg(EXAMPLE)  # the notebook's protocol has this name
