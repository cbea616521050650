"""Many records in one stream: bad ones in between, line numbers, and memory."""

import gc
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pickomino.notation import Record, format_record, parse_record, read_records
from pickomino.rules import IllegalMoveError, NotationError, all_keys
from pickomino.testing import careful, random_game

TEXTS = [
    format_record(Record(random_game(key, 2 + number % 6, key, careful), tuple("ABCDEFG"[: 2 + number % 6])))
    for number, key in enumerate(all_keys())
]
HEAD = '[PKGN "1"]\n[Edition "classic"]\n[Seats "A:x B:y"]\n'


def read(text: str) -> tuple[list[str], list[str]]:
    """The records of a text, written again, and the errors."""
    errors: list[str] = []
    records = read_records(io.StringIO(text, newline="\n"), lambda error: errors.append(str(error)))
    return [format_record(record) for record in records], errors


def test_many_records_in_one_file() -> None:
    assert read("\n".join(TEXTS)) == (TEXTS, [])
    assert read("".join(TEXTS)) == (TEXTS, []), (
        "the blank line between records is not needed to tell them apart"
    )
    assert read("\r\n".join(text.replace("\n", "\r\n") for text in TEXTS)) == (TEXTS, [])
    assert read("\n; a remark\n\n" + "\n; another\n".join(TEXTS)) == (TEXTS, [])
    assert read("") == read("\n \n; nothing\n\t\n") == ([], [])


def test_lines_may_come_from_anywhere() -> None:
    lines = "\n".join(TEXTS).split("\n")
    assert [format_record(record) for record in read_records(lines)] == TEXTS


def test_text_a_path_or_an_open_file(tmp_path: Path) -> None:
    """A `str` with a line break, or one that begins like a record, is text; any other is a path."""
    text = "\n".join(TEXTS)
    path = tmp_path / "games.pkgn"
    path.write_text(text, newline="\n")
    with path.open(newline="\n") as file:
        for source in (text, path, str(path), file):
            assert [format_record(record) for record in read_records(source)] == TEXTS
    assert list(read_records("")) == []
    with pytest.raises(NotationError, match=r"line 1: .*missing: Edition, Seats"):
        list(read_records('[PKGN "1"]'))
    for missing in (tmp_path / "none.pkgn", str(tmp_path / "none.pkgn")):
        with pytest.raises(FileNotFoundError, match=r"none\.pkgn"):
            list(read_records(missing))
    with path.open("rb") as binary:
        wrong: Any
        for wrong in (text.encode(), binary):
            with pytest.raises(NotationError, match=r"line 1: expected text, not .*open files without 'b'"):
                list(read_records(wrong))


def test_a_file_that_is_not_utf8_is_reported_and_the_rest_read(tmp_path: Path) -> None:
    path = tmp_path / "games.pkgn"
    path.write_bytes(b'[PKGN "1\xff"]\n\n' + TEXTS[0].encode())
    errors: list[str] = []
    records = read_records(path, lambda error: errors.append(str(error)))
    assert [format_record(record) for record in records] == TEXTS[:1]
    assert len(errors) == 1
    assert "not UTF-8" in errors[0]


def test_a_text_on_one_line_is_no_path_for_parse_record() -> None:
    with pytest.raises(NotationError, match="expected a record to begin with"):
        parse_record("games.pkgn")


BAD = [  # a bad record, the line of it that is to blame, and a word of the reason
    (f"{HEAD}\n1 A 112345WW/6\n", 5, "k6"),
    (f"{HEAD}\n1 A 112345WW/W 445WWW/W\n", 5, "kW"),
    (f"{HEAD}\n\n1 A 112345WW/W 445WWW/4 2224/2 t24\n2 A\n", 7, "seat B"),
    (f'{HEAD}[Result "A"]\n\n1 A 112345WW/W\n', 4, "Result"),
    (f'{HEAD}[Position "pkp1 classic"]\n\n1 A 112345WW/W\n', 4, "position"),
    (f"{HEAD}[Note]\n", 4, "Note"),
    ('[PKGN "1"]\n[Edition "klassik"]\n[Seats "A:x B:y"]\n\n1 A 112345WW/W\n', 2, "klassik"),
    ('[PKGN "1"]\n[Edition "classic"]\n[Seats "A:x"]\n\n1 A\n', 3, "Seats"),
    ('[PKGN "3"]\n[Edition "classic"]\n[Seats "A:x B:y"]\n', 1, "version 1"),
    ('[PKGN "1"]\n[Edition "classic"]\n', 3, "Seats"),  # where the headers end
    ("[PKGNX]\n", 1, "PKGNX"),
    ('[PKGN "1"]\n', 2, "Edition"),
    (f"{HEAD}\n1 A 112345WW/W \x07\n", 5, "control character"),
    (f"{HEAD}\n1 A 112345WW/W \udcff\n", 5, "not UTF-8"),
    (f'{HEAD}\n[Note "1"]\n', 5, "blank line"),
]


@pytest.mark.parametrize(("bad", "line", "word"), BAD)
def test_a_bad_record_does_not_hide_the_others(bad: str, line: int, word: str) -> None:
    first, last = TEXTS[0], TEXTS[-1]
    records, errors = read(f"{first}\n{bad}\n{last}")
    assert records == [first, last]
    (error,) = errors
    assert error.startswith(f"line {first.count(chr(10)) + 1 + line}: "), error
    assert word in error


def test_without_a_handler_the_first_error_is_raised() -> None:
    stream = read_records((TEXTS[0] + BAD[1][0] + TEXTS[1]).splitlines())
    assert format_record(next(stream)) == TEXTS[0]
    with pytest.raises(IllegalMoveError, match=rf"^line {TEXTS[0].count(chr(10)) + 5}: "):
        next(stream)


@pytest.mark.parametrize(
    "junk", ["hello", '[Edition "classic"]', "1 A 112345WW/W", "{x}", "\ufeff" + TEXTS[0]]
)
def test_text_before_the_first_record_is_an_error_of_its_own(junk: str) -> None:
    records, errors = read(f"\n{junk}\nmore of it\n\n{TEXTS[0]}")
    assert records == [TEXTS[0]]
    (error,) = errors
    assert error.startswith("line 2: ")
    assert "expected a record to begin" in error


@pytest.mark.parametrize(("text", "count"), [("", 0), ("; x\n", 0), (TEXTS[0] + TEXTS[1], 2)])
def test_parse_record_wants_one(text: str, count: int) -> None:
    with pytest.raises(NotationError, match=f"found {count}"):
        parse_record(text)


def test_memory_does_not_grow_with_the_number_of_records() -> None:
    text = format_record(Record(random_game("classic", 2, 1, careful, plies=60), ("x", "y")))
    bad = f"{HEAD}\n1 A 112345WW/6\n"

    def endless(count: int) -> Iterator[str]:
        for number in range(count):
            yield from (bad if number % 10 == 0 else text).splitlines(keepends=True)

    sizes = []
    errors: list[int] = []
    tracemalloc.start()
    try:
        for number, _ in enumerate(read_records(endless(330), lambda _: errors.append(1))):
            if number in (49, 249):
                gc.collect()  # also empties the interpreter's lists of tuples to use again
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert (number + 1, len(errors)) == (297, 33)
    few, many = sizes
    assert many < few + 20_000, f"{few} bytes in use after 50 records, {many} after 250"
