"""Game records: written, read back, broken off anywhere, with and without consequences, and wrong ones."""

import re
from itertools import product

import pytest

from pickomino.game import Game
from pickomino.notation import Record, format_record, parse_position, parse_record, turn_lines
from pickomino.notation.turns import token_plies
from pickomino.rules import (
    SEATS,
    IllegalMoveError,
    InvalidEditionError,
    InvalidPositionError,
    LeaveGold,
    NotationError,
    PickominoError,
    Position,
    RollOn,
    UseGold,
    all_keys,
)
from pickomino.testing import assert_same_game, careful, check_game, mixed, random_game, uniform
from tests.rules.tiny import PLAIN

SAMPLE = """\
[PKGN "1"]
[Edition "classic"]
[Seats "A:red B:blue"]
[Result "*"]

1 A 112345WW/W 445WWW/4 2224/2 t24
2 B 12223345/3 344455/4 125/5 15/1 4 !
"""


def record_of(game: Game) -> Record:
    return Record(game, tuple(f"seat {letter}" for letter in SEATS[: len(game.start.stacks)]))


def told(game: Game) -> Game:
    """The game as a record tells it: an announced roll without its dice is not recorded."""
    plies = list(game.plies)
    while plies and isinstance(plies[-1], RollOn | UseGold | LeaveGold):
        plies.pop()
    return Game(game.start, plies)


def test_the_sample_of_the_notation() -> None:
    record = parse_record(SAMPLE)
    assert str(record) == format_record(record) == SAMPLE
    assert record.names == ("red", "blue")
    assert (record.result, record.turns, record.headers, record.comments) == ("*", 2, {}, {})
    after = [str(position) for position in record.turn_positions()]
    assert after == ["pkp1 classic 21-23,25-36 24/- B -:?", "pkp1 classic 21-23,25-36 24/- A -:?"]


@pytest.mark.parametrize("key", list(all_keys()))
def test_random_games_there_and_back(key: str) -> None:
    for seats, policy in ((2 + len(key) % 6, mixed), (2 + len(key) % 5, careful)):
        game = random_game(key, seats, key, policy, first=seats - 1)
        text = format_record(record_of(game))
        record = parse_record(text)
        assert format_record(record) == text
        assert_same_game(record.game, game)
        assert record.result != "*"


STARTS = (
    "pkp1 classic 21-36 -/- A -:?",
    "pkp1 summary 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244",
    "pkp1 classic+fast 25,27,29-31 21/26 A 15555W:-",
    "pkp1 course 25,27 21/26 B 55W:?",
    "pkp1 deluxe 11,13,21-36 -/-/- C -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0",
    "pkp1 deluxe 13,22,23 11,25/27/28/29 B -:+? can@A,crow@13,gold@B,hen@C,weasel@D 1/2/2/1",
    "pkp1 deluxe 21-24,30 25/26/27 B 55WW:55WW weasel@B 2/3/2",
    "pkp1 deluxe 21-24,30 25/26/27 B -:1124555W+W gold@B 1/1/1",
    "pkp1 deluxe 21-24,30 25/26/27 B 11:^+ gold@B 3/0/4",
    "pkp1 deluxe 21-24,30 25/26/27 B -:^ crow@21 3/0/4",
    "pkp1 extrawurm 21-24,30 25/26/27 B -:< gold@B,hen@B 0/0/0",
    "pkp1 extrawurm - 21/25/- B -:^ gold@B 3/0/4",
    "pkp1 deluxe 21,23 24/26/28 C 1135W:- crow@23,weasel@C* 3/2/2",
)


@pytest.mark.parametrize("start", STARTS)
def test_games_broken_off_after_any_ply(start: str) -> None:
    """From every kind of position: a game begins where its Position header says."""
    game = random_game(start=parse_position(start), seed=start, plies=120)
    for count in range(len(game) + 1):
        part = Game(game.start, game.plies[:count])
        text = format_record(record_of(part))
        record = parse_record(text)
        assert format_record(record) == text
        assert_same_game(record.game, told(part))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("policy", [uniform, mixed])
def test_whole_games_from_anywhere(start: str, policy: object) -> None:
    check_game(
        random_game(start=parse_position(start), seed=start, policy=uniform if policy is uniform else mixed)
    )


def lines_of(text: str) -> tuple[list[str], list[str]]:
    """Headers without the result, and turn lines."""
    headers, _, turns = text.partition("\n\n")
    return [line for line in headers.split("\n") if "Result" not in line], turns.splitlines()


@pytest.mark.parametrize("start", STARTS)
def test_a_record_may_stop_after_any_token(start: str) -> None:
    game = random_game(start=parse_position(start), seed=start, plies=80)
    headers, turns = lines_of(format_record(record_of(game)))
    for number, line in enumerate(turns):
        tokens = line.split(" ")
        for count in range(1, len(tokens) + 1):
            cut = [*turns[:number], " ".join(tokens[:count])]
            record = parse_record("\n".join([*headers, "", *cut]))
            plies = record.game.plies
            assert plies == game.plies[: len(plies)]
            again = lines_of(format_record(record))[1]
            # What is written again is the same, less a line without dice, plus derived tokens.
            written = count > 2 and bool(plies)
            assert again[:number] == cut[:-1]
            assert [line[: len(cut[-1])] for line in again[number:]] == cut[-1:] * written


def test_a_bare_roll_is_a_keep_due_and_a_kept_one_is_roll_or_stop_due() -> None:
    cut = SAMPLE.replace(" 445WWW/4 2224/2 t24\n2 B 12223345/3 344455/4 125/5 15/1 4 !", "{}")
    assert str(parse_record(cut.format("")).game.position) == "pkp1 classic 21-36 -/- A WW:-"
    assert str(parse_record(cut.format(" 445WWW")).game.position) == "pkp1 classic 21-36 -/- A WW:445WWW"
    assert str(parse_record(cut.format(" 445WWW/4")).game.position) == "pkp1 classic 21-36 -/- A 44WW:-"


# --- consequences ---

BUSTS = random_game("classic+fast", 3, "busts", uniform)
DERIVED = re.compile(r" [-~][0-9]{2}")


def test_the_writer_writes_consequences() -> None:
    text = format_record(record_of(BUSTS))
    assert len(DERIVED.findall(text)) > 20
    assert re.search(r" ! -\d\d ~\d\d\n", text)
    assert re.search(r" \. -\d\d ~\d\d\n", text)


def test_missing_consequences_are_accepted() -> None:
    text = format_record(record_of(BUSTS))
    for pattern in (r" [-~][0-9]{2}", r" -[0-9]{2}", r" ~[0-9]{2}"):
        record = parse_record(re.sub(pattern, "", text))
        assert format_record(record) == text
    for found in DERIVED.finditer(text):
        assert format_record(parse_record(text[: found.start()] + text[found.end() :])) == text


def test_wrong_consequences_are_refused() -> None:
    text = format_record(record_of(BUSTS))
    for found in list(DERIVED.finditer(text))[:30]:
        sign, tile = found[0][1], int(found[0][2:])
        swapped = "~-"["-~".index(sign)]
        for wrong in (f" {sign}{tile % 36 + 1:02}", f" {swapped}{tile}", found[0] * 2, f" {sign}{tile}x"):
            with pytest.raises((IllegalMoveError, NotationError)):
                parse_record(text[: found.start()] + wrong + text[found.end() :])
    both = re.search(r"(-\d\d) (~\d\d)\n", text)
    assert both
    with pytest.raises(IllegalMoveError):
        parse_record(text.replace(both[0], f"{both[2]} {both[1]}\n", 1))


def play(edition: str, turns: str, position: str = "") -> Record:
    """A record of two seats, or of as many as its position has."""
    seats = position.split()[3].count("/") + 1 if position else 2
    names = " ".join(f"{letter}:{letter}" for letter in SEATS[:seats])
    extra = f'[Position "{position}"]\n' if position else ""
    return parse_record(f'[PKGN "1"]\n[Edition "{edition}"]\n[Seats "{names}"]\n{extra}\n{turns}\n')


DEAD = "pkp1 deluxe 21-24,30 25/26/27 B 55WW:? weasel@B 2/3/2"
GIVERS = "pkp1 deluxe 21-24,30 25/26/27 B 1124:? - 3/0/4"
TURNS = [  # edition, position, turn lines, what stands afterwards
    ("deluxe", DEAD, "1 B 55WW !", "pkp1 deluxe 21-24,26 25/-/27 C -:? weasel@21 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW ! -26 ~30", "pkp1 deluxe 21-24,26 25/-/27 C -:? weasel@21 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW", "pkp1 deluxe 21-24,30 25/26/27 B 55WW:55WW weasel@B 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW/*", "pkp1 deluxe 21-24,30 25/26/27 B 55WW:? weasel@B* 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW/* 55WW !", "pkp1 deluxe 21-24,26 25/-/27 C -:? weasel@21 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW/* 1155/1", "pkp1 deluxe 21-24,30 25/26/27 B 1155WW:^ weasel@B* 2/3/2"),
    ("deluxe", DEAD, "1 B 55WW/* 1155/1 ^C t22", "pkp1 deluxe 21,23,24,30 25/26,22/27 C -:? weasel@B 2/4/1"),
    (
        "deluxe",
        "pkp1 deluxe 30 25/26/27 B 22334:? - 3/0/4",
        "1 B 111/1 ^A !",
        "pkp1 deluxe 26 25/-/27 C -:? - 2/1/4",
    ),
    (
        "deluxe",
        "pkp1 deluxe 21-24,30 25/26/27 B -:+? gold@B 0/0/0",
        "1 B 1123455W/1",
        "pkp1 deluxe 21-24,30 25/26/27 B 11:- gold@B 0/1/0",
    ),
    (
        "deluxe",
        "pkp1 deluxe 21-24,30 25/26/27 B -:+? gold@B 0/0/0",
        "1 B 1223455W+1/1",
        "pkp1 deluxe 21-24,30 25/26/27 B 1+1:- gold@B 0/1/0",
    ),
    (
        "deluxe",
        "pkp1 deluxe 23,30 25/26/27 B 55W:- can@B,crow@30,hen@C 0/0/0",
        "1 B 223WW/2 2WW !",
        "pkp1 deluxe 23,26 25/-/27 C -:? can@23,crow@26,hen@C 0/0/0",
    ),
    (
        "extrawurm",
        "pkp1 extrawurm 23,30 25/26/27 B 555WW:- can@B,hen@A 0/0/0",
        "1 B x25 <can",
        "pkp1 extrawurm 23,30 25/26/27 C -:? can@23,hen@B 0/0/0",
    ),
    ("classic", "pkp1 classic 30 25/26 B 333:-", "1 B . -26 ~30\n2 A", "pkp1 classic 26 25/- A -:?"),
    ("classic", "pkp1 classic 21 25/26 B 555WW:-", "1 B t21", "pkp1 classic - 25/26,21 - -:-"),
]


@pytest.mark.parametrize(("edition", "position", "turns", "after"), TURNS)
def test_turn_lines(edition: str, position: str, turns: str, after: str) -> None:
    assert str(play(edition, turns, position).game.position) == after


WRONG_TURNS: list[tuple[str, str, str, type[PickominoError]]] = [
    # syntax
    ("classic", "", "2 A 112345WW/W", NotationError),
    ("classic", "", "01 A 112345WW/W", NotationError),
    ("classic", "", "1 B 112345WW/W", NotationError),
    ("classic", "", "1 a 112345WW/W", NotationError),
    ("classic", "", "A 112345WW/W", NotationError),
    ("classic", "", "1 A W1123455/W", NotationError),
    ("classic", "", "1 A 112345WW/", NotationError),
    ("classic", "", "1 A 112345WW/6", IllegalMoveError),
    ("classic", "", "1 A 112345WW/WW", NotationError),
    ("classic", "", "1 A 112345WW/W/W", NotationError),
    ("classic", "", "1 A 112345WW W", NotationError),
    ("classic", "", "1 A 112345WW 445WWW/4", NotationError),
    ("classic", "", "1 A 112345WW t21", NotationError),
    ("classic", "", "1 A 112345WW/W r", NotationError),
    ("classic", "", "1 A 112345WW/W s", NotationError),
    ("classic", "", "1 A 112345WW/W kW", NotationError),
    ("classic", "", "1 A 112345WW/W t2", NotationError),
    ("classic", "", "1 A 112345WW/W =445WWW", NotationError),
    ("classic", "", "1 A 112345WW/W 445WWW/4{x}", NotationError),
    ("classic", "", "1 A 112345WW/W {x", NotationError),
    ("classic", "", "1 A 112345WW/W x}", NotationError),
    ("classic", "", "1 A 112345WW/W {x{y}}", NotationError),
    ("classic", "", "{x} 1 A 112345WW/W", NotationError),
    ("classic", "", "1 A 112345WW/W\n2 B 112345WW/W", NotationError),  # turn 1 is not finished
    ("classic", "", "1 A 112345WW\n2 B 112345WW/W", NotationError),
    ("classic", "", "1\n2 B 112345WW/W", NotationError),
    ("classic", "pkp1 classic 21 25/26 B 355WWW:?", "1 B 5W\n2 A 112345WW/W", NotationError),  # no '!'
    ("classic", "pkp1 classic 21 25/26 B 355WWW:?", "1 B 5W -26", NotationError),  # no '!'
    ("deluxe", DEAD, "1 B 55WW 55WW !", NotationError),
    # rules
    ("classic", "", "1 A 112345W/W", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/W", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/2", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 t23", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 x24", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 t24 ~36", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 t24 t23", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 .", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W 445WWW/4 2224/2 !", IllegalMoveError),
    ("classic", "", "1 A 112345WW/W !", IllegalMoveError),  # a stop that could roll on is '.'
    ("classic", "", "1 A .", IllegalMoveError),
    ("classic", "", "1 A !", IllegalMoveError),
    ("classic", "", "1 A t21", IllegalMoveError),
    ("classic", "", "1 A 112345WW/* 112345WW/W", IllegalMoveError),
    ("classic", "", "1 A 112345WW+1/W", IllegalMoveError),
    ("classic", "", "1 A ^B", IllegalMoveError),
    ("classic", "", "1 A <hen", IllegalMoveError),
    ("classic", "pkp1 classic 21 25/26 B 355WWW:?", "1 B 5W/5", IllegalMoveError),
    ("classic", "pkp1 classic 21 25/26 B 355WWW:?", "1 B 5W .", NotationError),
    ("classic", "pkp1 classic 21 25/26 B 355WWW:5", "1 B 5/5", InvalidPositionError),
    ("classic", "pkp1 classic 21 25/26 B 355WW:125", "1 B 124/1", IllegalMoveError),  # 125 lies on the table
    ("classic", "pkp1 classic 21 25/26 B 555WW:-", "1 B t21\n2 A 112345WW/W", IllegalMoveError),  # it is over
    ("deluxe", DEAD, "1 B 55WW/* 55WW/*", IllegalMoveError),
    ("deluxe", GIVERS, "1 B 1134/1", IllegalMoveError),
    ("deluxe", "pkp1 deluxe 21 25/26/27 B 24:? - 3/0/4", "1 B 113555/1 555W/5", IllegalMoveError),  # ^ is due
    ("deluxe", "pkp1 deluxe 21 25/26/27 B 24:? - 3/0/4", "1 B 113555/1 ^B", IllegalMoveError),
    ("course", "pkp1 course 21 -/- B 355WWW:?", "1 B 5W", NotationError),  # over by a flip, but no '!'
]


@pytest.mark.parametrize(("edition", "position", "turns", "error"), WRONG_TURNS)
def test_wrong_turn_lines(edition: str, position: str, turns: str, error: type[PickominoError]) -> None:
    with pytest.raises(error) as caught:
        play(edition, turns, position)
    assert type(caught.value) is error
    assert str(caught.value).startswith("line ")


# --- headers and names ---


def with_headers(*headers: str) -> Record:
    return parse_record("\n".join(headers) + "\n")


GOOD = ('[PKGN "1"]', '[Edition "classic"]', '[Seats "A:x B:y"]')


def test_headers_are_kept_in_their_order() -> None:
    record = with_headers(*GOOD, '[Zeta "1"]', r'[Event "a \"b\" \\ c; {d}"]', '[Alpha ""]', '[_x9 "ä 🎲"]')
    assert list(record.headers.items()) == [
        *(("Zeta", "1"), ("Event", 'a "b" \\ c; {d}'), ("Alpha", "")),
        ("_x9", "ä 🎲"),
    ]
    assert with_headers(*str(record).splitlines()).headers == record.headers


def test_position_header_names_the_starter() -> None:
    text = format_record(record_of(Game.new("course", 3, 2)))
    assert '[Position "pkp1 course 21-36 -/-/- C -:?"]\n[Result "*"]' in text
    assert "Position" not in format_record(record_of(Game.new("course", 3, 0)))


def test_termination_is_a_header_like_any_other() -> None:
    record = with_headers(*GOOD, '[Result "*"]', '[Termination "lunch"]')
    assert record.headers == {"Termination": "lunch"}


def test_the_result_may_be_missing_on_reading() -> None:
    game = random_game("course", 3, 1)
    text = format_record(record_of(game))
    without = re.sub(r'\[Result "[A-C]+"\]\n', "", text)
    assert without != text
    assert format_record(parse_record(without)) == text
    for wrong in ("*", "", "B A", "AB", "CA", "D", "a"):
        if f'"{wrong}"' not in text:
            with pytest.raises(NotationError, match=r"^line 4: Result"):
                parse_record(re.sub(r'Result "[A-C]+"', f'Result "{wrong}"', text))


WRONG_HEADERS: list[tuple[tuple[str, ...], type[PickominoError]]] = [
    (('[PKGN "2"]', *GOOD[1:]), NotationError),
    (('[PKGN ""]', *GOOD[1:]), NotationError),
    (GOOD[:1], NotationError),
    (GOOD[:2], NotationError),
    ((GOOD[0], GOOD[2], GOOD[1]), NotationError),
    ((GOOD[1], GOOD[0], GOOD[2]), NotationError),
    ((*GOOD, GOOD[1]), NotationError),
    ((*GOOD, '[Note "1"]', '[Note "1"]'), NotationError),
    ((*GOOD, '[Result "*"]', '[Result "*"]'), NotationError),
    ((*GOOD, '[Note "1"]', '[Result "*"]'), NotationError),
    ((*GOOD, '[Result "*"]', '[Position "pkp1 classic 21 -/- A -:?"]'), NotationError),
    ((*GOOD, '[Note "1"]', '[Position "pkp1 classic 21 -/- A -:?"]'), NotationError),
    ((*GOOD, '[Position "pkp1 classic 21-36 -/- A -:?"]'), NotationError),
    ((*GOOD, '[Position "pkp1 summary 21 -/- A -:?"]'), NotationError),
    ((*GOOD, '[Position "pkp1 classic 21 -/-/- A -:?"]'), NotationError),
    ((*GOOD, '[Position "pkp1 classic"]'), NotationError),
    ((*GOOD, '[Position "pkp1 classic - -/- A -:?"]'), InvalidPositionError),
    ((*GOOD, '[Result "A"]'), NotationError),
    ((GOOD[0], '[Edition "classical"]', GOOD[2]), InvalidEditionError),
    ((*GOOD, '[Note "1'), NotationError),
    ((*GOOD, "[Note 1]"), NotationError),
    ((*GOOD, '[Note"1"]'), NotationError),
    ((*GOOD, '[Note "1" ]'), NotationError),
    ((*GOOD, '[No te "1"]'), NotationError),
    ((*GOOD, '[Note "a"b"]'), NotationError),
    ((*GOOD, r'[Note "a\n"]'), NotationError),
    ((*GOOD, '[Note "a\tb"]'), NotationError),
    ((*GOOD, '[Note "a\x07b"]'), NotationError),
    ((*GOOD, '[Note "a\udcffb"]'), NotationError),
    ((*GOOD, '[Note "1"] x'), NotationError),
    ((*GOOD, '[9 "1"]'), NotationError),
    ((*GOOD, "1 A 112345WW/W"), NotationError),  # no blank line
    ((*GOOD, "", '[Note "1"]'), NotationError),
    ((*GOOD, "", "1 A 112345WW/W", '[Note "1"]'), NotationError),
]


@pytest.mark.parametrize(("headers", "error"), WRONG_HEADERS)
def test_wrong_headers(headers: tuple[str, ...], error: type[PickominoError]) -> None:
    with pytest.raises(error) as caught:
        with_headers(*headers)
    assert type(caught.value) is error


NAMES = [
    *("red", "", "a b", "100%", "%20", 'say "hi"', "back\\slash", "a:b:c", ":", "🎲 Ärger", "ß", "日本"),
    *("tab\there", "line\nbreak", "\x00", "\x85", "\x7f", "\u2028", "\u00a0", "\ufeff", "{x};[y]", "A:B C:D"),
]


@pytest.mark.parametrize("name", NAMES)
def test_names_there_and_back(name: str) -> None:
    for names in ((name, "x"), ("x", name, name)):
        text = format_record(Record(Game.new("classic", len(names)), names))
        assert parse_record(text).names == names
        assert text.count("\n") == 4


def test_names_as_they_are_written() -> None:
    text = format_record(Record(Game(), ("a b:%", 'é"\n')))
    assert '[Seats "A:a%20b:%25 B:é\\"%0A"]' in text


@pytest.mark.parametrize(
    "seats",
    [
        *("", "A:x", "A:x B", "A:x C:y", "B:x A:y", "a:x b:y", "A:x  B:y", " A:x B:y", "A:x B:y ", "A:x,B:y"),
        *(
            "A:% B:y",
            "A:%2 B:y",
            "A:%zz B:y",
            "A:%2f B:y",
            "A:%41 B:y",
            "A:%C3%A9 B:y",
            "A:%FF B:y",
            "A:%ED%A0%80 B:y",
        ),
        "A:a B:b C:c D:d E:e F:f G:g H:h",
        "A:a B:b C:c D:d E:e F:f G:g  :h",
    ],
)
def test_wrong_seats(seats: str) -> None:
    with pytest.raises(NotationError, match=r"^line \d: Seats "):
        with_headers(*GOOD[:2], f'[Seats "{seats}"]')


# --- the writer refuses what no reader would take ---


@pytest.mark.parametrize(
    "record",
    [
        Record(Game(), ("x",)),
        Record(Game(), ("x", "y", "z")),
        Record(Game(), ("x", "\ud800")),
        Record(Game(), ("x", "y"), {"Result": "*"}),
        Record(Game(), ("x", "y"), {"a b": "1"}),
        Record(Game(), ("x", "y"), {"ä": "1"}),
        Record(Game(), ("x", "y"), {"Note": "a\tb"}),
        Record(Game(), ("x", "y"), {"Note": "a\nb"}),
        Record(Game(), ("x", "y"), {"Note": "a\ud800b"}),
        Record(Game.new(PLAIN), ("x", "y")),
        *(
            Record(Game(plies=parse_record(SAMPLE).game.plies), ("x", "y"), {}, {(1, 2): (comment,)})
            for comment in ("{", "}", "a\nb", "a\rb", "a\x07b", "a\x85b", "a\ud800b")
        ),
    ],
)
def test_records_that_cannot_be_written(record: Record) -> None:
    with pytest.raises(NotationError):
        format_record(record)


# --- freedoms of a reader ---


def test_crlf_blanks_and_a_missing_newline() -> None:
    expected = format_record(parse_record(SAMPLE))
    for text in (
        SAMPLE.replace("\n", "\r\n"),
        SAMPLE.rstrip("\n"),
        SAMPLE.replace(" ", "  ").replace("A:red  B", "A:red B"),
        SAMPLE.replace("\n", " \t\n"),
        SAMPLE.replace("\n", "\n "),
        SAMPLE.replace("\n\n", "\n\n\n"),
        "\n\n" + SAMPLE + "\n\n",
        SAMPLE.replace("\n2 B", "\n\n2 B"),
        SAMPLE.replace("1 A 1", "1\tA\t1"),
    ):
        assert format_record(parse_record(text)) == expected, text


def test_semicolon_comments_are_dropped() -> None:
    text = SAMPLE.replace('"]\n', '"] ; header\n').replace("t24", "t24 ; turn {x").replace("4 !", "4 !;x")
    text = "; before\n" + text.replace("\n2 B", "\n; between [PKGN\n2 B") + "; after\n"
    assert format_record(parse_record(text)) == SAMPLE


def test_brace_comments_are_kept_behind_their_token() -> None:
    text = (
        SAMPLE.replace("1 A 112345WW/W", "1 {no} A {seat} 112345WW/W {#1 ab cd} {two; three}")
        .replace("t24", "t24 {}")
        .replace("4 !", "4 {dead} ! {bust}")
    )
    record = parse_record(text)
    assert record.comments == {
        (1, 0): ("no",),
        (1, 1): ("seat",),
        (1, 2): ("#1 ab cd", "two; three"),
        (1, 5): ("",),
        (2, 6): ("dead",),
        (2, 7): ("bust",),
    }
    assert format_record(record) == text


def test_comments_find_their_place_where_consequences_are_missing() -> None:
    start = "pkp1 classic 30 25/26 B 333:-"
    record = play("classic", "1 B . ~30 {x}\n2 A 12345WWW {y}", start)
    assert "1 B . -26 ~30 {x}\n2 A 12345WWW {y}\n" in format_record(record)
    assert "1 B . {x} -26 ~30\n" in format_record(play("classic", "1 B . {x}", start))


def test_turn_lines_of_a_game() -> None:
    lines = list(turn_lines(parse_record(SAMPLE).game))
    assert [str(line) for line in lines] == SAMPLE.splitlines()[5:]
    assert [line.complete for line in lines] == [True, True]
    assert list(turn_lines(Game(Position.start(), ()))) == []


def test_every_edition_and_table_has_a_record_of_its_start() -> None:
    for key, seats in product(all_keys(), range(2, 8)):
        record = record_of(Game.new(key, seats))
        assert parse_record(format_record(record)) == record


def test_a_record_in_a_notebook_and_at_the_prompt() -> None:
    record = play("classic", "1 A 112345WW/W 445WWW/4\n")
    shown = record._repr_svg_()
    assert shown.startswith("<svg")
    assert all(name in shown for name in record.names)
    assert repr(record) == f"<Record of {len(record.game)} plies by {', '.join(record.names)}, result *>"


@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_every_ply_goes_with_one_token(key: str) -> None:
    game = random_game(key, 3, "tokens", mixed)
    tokens = list(token_plies(game))
    assert [ply for _, _, plies in tokens for ply in plies] == list(range(len(game.plies)))
    written = format_record(
        Record(game, ("A", "B", "C"), {}, {(turn, token): ("x",) for turn, token, _ in tokens})
    )
    assert written.count("{x}") == len(tokens)
