"""A table with house rules: made with the edition's text, played to its end, checked and replayed elsewhere."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pickomino import format_edition, load_edition, parse_record
from pickomino.chance import check_dice
from pickomino.server.editions import edition_info, edition_of, served_edition
from pickomino.server.errors import Refused
from pickomino.server.live import LiveGame, chain_of
from pickomino.server.recording import record_of
from pickomino.server.replaying import replay
from pickomino.server.storage.base import EntryRow, GameRow, PlayerRow
from pickomino.server.tokens import new_id
from tests.random_editions import random_edition, random_editions
from tests.server.parts import ServerProcess, client

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples" / "editions").glob("*.toml"))


def play(server: ServerProcess, text: str) -> dict[str, Any]:
    """A game of one person and two bots, over; its table as clients see it."""
    token = server.guest()
    made = server.table(token, edition=text, seats=3, sit=["Anna"], bots=["cautious", "random"], pace_ms=0)
    table = server.ok("GET", f"/api/tables/{made['id']}", None, token)["table"]

    async def over() -> dict[str, Any]:
        async with client(server, table=table["id"], token=token) as one:
            return await one.play_on()

    end = asyncio.run(over())
    assert end["over"] is True
    edition = load_edition(text)
    summary = server.ok("GET", f"/api/games/{end['game']}")
    assert summary["edition"] == table["edition"] == edition.key
    record = server.ok("GET", f"/api/games/{end['game']}/record")
    parsed = parse_record(record)
    assert parsed.game.start.edition == edition
    assert str(parsed.game.position) == end["position"]
    assert check_dice(parsed).problem is None
    text_plain = {"Content-Type": "text/plain"}
    page = server.call("POST", "/api/replay", record.encode(), headers=text_plain)[1]
    assert page["house"] == table["house"]
    assert page["frames"][-1]["position"] == end["position"]
    house: dict[str, Any] = table["house"]
    return house


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_game_to_its_end(server: ServerProcess, path: Path) -> None:
    house = play(server, path.read_text("utf-8"))
    edition = load_edition(path)
    assert dict(zip(house["tiles"], house["worms"], strict=True)) == edition.worms
    assert (house["name"], house["dice"]) == (edition.name, edition.dice)
    assert house["faces"] == {face.sign: face.pips for face in edition.faces}
    assert house["specialists"] == [name for name, _ in edition.specialists]


def test_random_editions(server: ServerProcess) -> None:
    """Dice of any number of sides, checkable as the others."""
    for number in (3, 14, 40):
        play(server, format_edition(random_edition(number)))


@pytest.mark.parametrize("editions", [25, pytest.param(200, marks=pytest.mark.soak)])
def test_editions_through_rows_record_and_replay(editions: int) -> None:
    """What the server keeps of a game of each, without a socket: its table's text, its log, its record, its film."""
    played = 0
    for edition in random_editions(editions):
        try:
            text = served_edition(format_edition(edition))
        except Refused:
            with pytest.raises(Refused, match="at most"):  # too large for this server, and told so
                served_edition(format_edition(edition))
            continue
        played += 1
        assert edition_of(text) == edition
        assert edition_info(edition_of(text)).tiles == list(edition.values)
        players = (PlayerRow("g", "Anna", None), PlayerRow(None, "Owl", "random"))
        row = GameRow(
            new_id(), new_id(), text, 0, 0.0, edition.key.encode().ljust(32), "", players, None, None, 0
        )
        row = replace(row, tip=chain_of(row).tip)
        game, rows = LiveGame(row), list[EntryRow]()
        rng = random.Random(edition.key)
        move = ""
        for count in range(14):
            # A record says whether the golden die joins by the dice that fall then.
            if game.match.over or (count > 11 and move not in ("g", "n")):
                break
            moves = ["roll"] if game.match.dice_due else [str(move) for move in game.position.moves()]
            seat = game.position.seat
            move = rng.choice(moves)
            step = game.move(seat, move, game.version, "n" * 16, 0.0, bot=seat == 1)
            rows += step.rows
        assert LiveGame(row, rows).position == game.position
        record = record_of(row, rows)
        parsed = parse_record(record)
        assert (parsed.game.start.edition, parsed.game.position) == (edition, game.position)
        page, steps = replay(record)
        assert page.house == edition_info(edition)
        assert list(steps)[-1].position == str(game.position)
    assert played > 0.9 * editions


def test_a_printed_edition_has_no_house(server: ServerProcess) -> None:
    made = server.table(server.guest(), edition="deluxe+fast", seats=2, sit=["Anna", "Ben"])
    table = server.ok("GET", f"/api/tables/{made['id']}")["table"]
    assert (table["edition"], table["house"]) == ("deluxe+fast", None)
    about = {edition["key"]: edition for edition in server.ok("GET", "/api/about")["editions"]}
    assert about["deluxe"]["switches"] == ["any-lower", "fast", "flip-empty", "shared-ties"]
    assert about["summary"]["switches"] == []


HEAD = 'name = "x"\n'


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        (str(EXAMPLES[0]), "expected one of classic"),  # a path is no text
        ("house-32a0bed3", "expected the TOML of the edition"),
        (f"{HEAD}dice = 99\ntiles = {{ 9 = 1 }}\n", "line 2: dice: expected a whole number from 1 to 12"),
        (f"{HEAD}[tiles]\n1-28 = 1\n", "28 tiles, at most 27"),
        (
            f"{HEAD}dice = 12\n[tiles]\n9 = 1\n[faces]\n1 = 1\n2 = 2\n3 = 3\n4 = 4\n5 = 5\n6 = 6\nW = 5\n",
            "18,564 ways",
        ),
        (HEAD + "#" * 8190, "8192"),
    ],
)
def test_what_is_no_edition_here(server: ServerProcess, edition: str, expected: str) -> None:
    answer = server.call("POST", "/api/tables", {"edition": edition}, server.guest())
    assert answer[0] == 400
    assert expected in str(answer)
