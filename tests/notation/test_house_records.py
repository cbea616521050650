"""Records of house editions: they carry the edition and are read where nobody knows it."""

import re
import subprocess
import sys

import pytest

from pickomino import Game, NotationError, Record, format_record, load_edition, parse_record
from pickomino.rules import EDITIONS, InvalidEditionError, Position
from pickomino.testing import check_game, random_game
from tests.random_editions import random_edition
from tests.rules.tiny import PLAIN

TOML = 'name = "50 % more"\ndice = 2\n\n[tiles]\n5-8 = 1\n\n[faces]\n1 = 1\nW = 6\n'
EDITION = load_edition(TOML)
HOUSE = '[House "name = \\"50 %25 more\\"%0Adice = 2%0A%0A[tiles]%0A5-8 = 1%0A%0A[faces]%0A1 = 1%0AW = 6%0A"]'
TEXT = f"""\
[PKGN "1"]
[Edition "{EDITION.key}"]
[Seats "A:x B:y"]
[Result "*"]
{HOUSE}
[Event "at home"]

1 A 1W/W 1/1 t07
2 B 11/1 !
"""


def test_a_record_carries_its_edition() -> None:
    game = Game.new(EDITION)
    for ply in ("=1W", "kW", "r", "=1", "k1", "t07", "=11", "k1"):
        game.apply(ply)
    record = Record(game, ("x", "y"), {"Event": "at home"})
    assert format_record(record) == TEXT
    again = parse_record(TEXT)
    assert (again.game, again.headers) == (game, {"Event": "at home"})
    assert again.game.start.edition == EDITION
    assert parse_record(TEXT.replace('[Result "*"]\n', "")).game == game


def test_it_is_read_where_nobody_knows_the_edition() -> None:
    code = (
        "import sys, pickomino; record = pickomino.parse_record(sys.stdin.read());"
        "print(pickomino.parse_position(str(record.game.position)), record.game.start.edition.name, sep='\\n')"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], input=TEXT, text=True, capture_output=True, check=True
    )
    assert found.stdout == f"pkp1 {EDITION.key} 05,06,08 07/- A -:?\n50 % more\n"


def test_a_start_in_mid_game_is_written_too() -> None:
    start = Position.start(EDITION, 2, 1)
    text = format_record(Record(Game(start), ("x", "y")))
    assert f'[Position "pkp1 {EDITION.key} 05-08 -/- B -:?"]\n[Result "*"]\n[House ' in text
    assert parse_record(text).game.start == start


def test_games_of_random_editions_round_trip() -> None:
    for number in range(12):
        check_game(random_game(random_edition(number), 2 + number % 6, number, plies=120))


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_games_of_200_random_editions_round_trip(number: int) -> None:
    check_game(random_game(random_edition(number), 2 + number % 6, number, plies=1000))


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        (f"{HOUSE}\n", "", 2, "expected a header House, which carries the edition"),
        (EDITION.key, "classic", 2, "'classic': expected no header House"),
        (EDITION.key, "house-00000000", 5, f"House is {EDITION.key}: expected 'house-00000000'"),
        ("dice = 2%0A", "dice =  2%0A", 5, "House 'name = "),
        ("%25", "%", 5, "% only before two hexadecimal digits"),
        ("%25", "%FF", 5, "expected percent-encoded UTF-8"),
        ("W = 6", "2 = 6", 5, "line 7: faces: expected face signs 1 to 9 and W"),
        (HOUSE, f'[Note "x"]\n{HOUSE}', 6, "header House out of order"),
        ('[Result "*"]\n' + HOUSE, HOUSE + '\n[Result "*"]', 5, "header Result out of order"),
    ],
)
def test_what_is_missing_or_wrong_is_said(old: str, new: str, line: int, expected: str) -> None:
    assert old in TEXT
    with pytest.raises((NotationError, InvalidEditionError), match=re.escape(expected)) as caught:
        parse_record(TEXT.replace(old, new))
    assert str(caught.value).startswith(f"line {line}: ")


def test_an_edition_made_in_python_is_told_how_to_get_a_name() -> None:
    record = Record(Game.new(PLAIN), ("x", "y"))
    with pytest.raises(NotationError, match=re.escape("load_edition(format_edition(edition))")):
        format_record(record)
    with pytest.raises(NotationError, match="'House'"):
        format_record(Record(Game.new(EDITIONS["classic"]), ("x", "y"), {"House": TOML}))
