"""Mutated and random text: either an error of ours, or a reading that is written as it was read."""

import random
import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pickomino.notation import (
    Record,
    format_record,
    parse_move,
    parse_ply,
    parse_position,
    parse_record,
    parse_roll,
    read_records,
)
from pickomino.rules import PickominoError, all_keys
from pickomino.testing import careful, mixed, random_game, random_positions

KEYS = tuple(all_keys())
SIGNS = "0123456789WABCDEFGHaknrstxgw?+-*^<>=!.~@/:,;{}[]\"'\\%# \t\n\r\0é🎲\u0661\ud800"


def mutated(text: str, rng: random.Random) -> str:
    """One character put in, taken out, changed, doubled or swapped with its neighbour."""
    place = rng.randrange(len(text) + 1)
    sign = rng.choice(SIGNS) if rng.random() < 0.6 else rng.choice(text)
    match rng.randrange(5):
        case 0:
            return text[:place] + sign + text[place:]
        case 1:
            return text[:place] + text[place + 1 :]
        case 2:
            return text[:place] + sign + text[place + 1 :]
        case 3:
            return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]
        case _:
            other = rng.randrange(len(text) + 1)
            low, high = sorted((place, other))
            return text[:low] + text[high:] if rng.random() < 0.5 else text[:high] + text[low:]


POSITIONS = [
    str(position)
    for number, key in enumerate((*KEYS, *["deluxe", "extrawurm"] * 10))
    for position in random_positions(key, 2 + number % 6, number, mixed, count=8)
]


def read_position(text: str) -> bool:
    try:
        position = parse_position(text)
    except PickominoError:
        return False
    assert str(position) == text
    return True


@pytest.mark.parametrize("seed", range(4))
def test_mutated_positions(seed: int) -> None:
    rng = random.Random(seed)
    read = sum(read_position(mutated(rng.choice(POSITIONS), rng)) for _ in range(4000))
    assert read > 100, "some mutations are positions too"


RECORDS = [
    format_record(
        Record(
            random_game(
                key, 2 + number % 3, number, careful if number % 2 else mixed, plies=25 + number * 7 % 80
            ),
            ("a b", 'c"d', "e%f", "g:h")[: 2 + number % 3],
            {"Event": 'x \\ "y"', "Date": "2024"} if number % 2 else {},
            {(1, 2): ("note", "#1 ab cd")} if number % 3 else {},
        )
    )
    for number, key in enumerate((*KEYS, *["deluxe", "extrawurm"] * 8))
]


def plain(text: str) -> str:
    """A record without what a reader may overlook: blanks, CR, ; comments, and tokens that can be derived.

    What is derived are consequences, the result, a ``!`` behind a last bare roll, and a line without dice.
    """
    lines = []
    for line in text.split("\n"):
        if not line.lstrip(" \t").startswith("["):
            line = re.sub(r"(\{[^{}]*\})|;.*", lambda found: found[1] or "", line)
        else:
            line = re.sub(r'("\])[ \t]*;.*', r"\1", line.strip(" \t\r"))
            line = re.sub(r'^(\[\w+)[ \t]+"', r'\1 "', line)
            lines.append(line)
            continue
        words = re.findall(r"\{[^{}]*\}|[^ \t\r{}]+", line)
        lines.append(" ".join(word for word in words if not re.fullmatch(r"[-~][0-9]{2}", word)))
    lines = [line for line in lines if line and not line.startswith("[Result ")]
    if re.fullmatch(r"[0-9]+( [A-G])?( \{[^{}]*\})*", lines[-1]) or re.fullmatch(
        r"[0-9]+( \{.*\})* [A-G]( \{.*\})*", lines[-1]
    ):
        lines.pop()
    return "\n".join(lines).removesuffix(" !")


def read_record(text: str) -> bool:
    try:
        record = parse_record(text)
    except PickominoError:
        return False
    written = format_record(record)
    assert format_record(parse_record(written)) == written
    assert plain(written) == plain(text), f"{text!r} was read as {written!r}"
    return True


@pytest.mark.parametrize("seed", range(4))
def test_mutated_records(seed: int) -> None:
    rng = random.Random(seed)
    read = sum(read_record(mutated(rng.choice(RECORDS), rng)) for _ in range(800))
    assert read > 20, "some mutations are records too"


def test_the_records_themselves_are_read_as_they_are() -> None:
    for text in RECORDS:
        assert read_record(text)
    for text in POSITIONS:
        assert read_position(text)


@pytest.mark.soak
def test_soak_mutations() -> None:
    rng = random.Random("soak")
    for _ in range(200_000):
        read_position(mutated(rng.choice(POSITIONS), rng))
    for _ in range(40_000):
        read_record(mutated(rng.choice(RECORDS), rng))


garbage = st.text(max_size=60) | st.text(alphabet=SIGNS, max_size=60)
words = st.sampled_from(
    sorted({word for text in (*POSITIONS, *RECORDS) for word in text.split(" ") if len(word) < 40})
)
shuffled = st.lists(words, max_size=8).map(" ".join)


@given(garbage | shuffled | shuffled.map("pkp1 ".__add__))
@example("pkp1 classic")
@example("pkp1 deluxe - - - -:- - -")
def test_random_text_as_a_position(text: str) -> None:
    read_position(text)


@given(garbage)
@example("^")
@example("<")
@example("=")
def test_random_text_as_a_ply(text: str) -> None:
    for parse in (parse_move, parse_roll, parse_ply):
        with suppress(PickominoError):
            assert str(parse(text)) == text


HEAD = '[PKGN "1"]\n[Edition "deluxe"]\n[Seats "A:x B:y"]\n'


@given(
    st.lists(garbage | shuffled, max_size=6).map("\n".join),
    st.sampled_from(["", "[PKGN ", HEAD, HEAD + "\n1 A "]),
)
def test_random_text_as_records(text: str, head: str) -> None:
    errors: list[PickominoError] = []
    for record in read_records((head + text).split("\n"), errors.append):
        written = format_record(record)
        assert format_record(parse_record(written)) == written
    assert all(re.match(r"line \d+: ", str(error)) for error in errors)
