"""Counting plies and turns: every case of `tests/data/perft`, with the divide where a count is wrong."""

import pytest

from pickomino.notation import parse_position
from pickomino.rules import (
    InvalidPositionError,
    PickominoError,
    Position,
    all_keys,
    perft,
    perft_divide,
    turn_perft,
    turn_perft_divide,
)
from tests.rules import perft_data

CASES = tuple(perft_data.read())


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['position'][5:]} {case['count']} {case['depth']}"
)
def test_perft(case: perft_data.Case) -> None:
    found = perft_data.divide(case)
    wrong = {
        ply: f"{nodes}, expected {case['divide'].get(ply)}"
        for ply, nodes in found.items()
        if nodes != case["divide"].get(ply)
    }
    message = f"{case['source']}: {sum(found.values())} nodes, divide {wrong}"
    assert sum(found.values()) == case["nodes"], message
    assert case["divide"] in ({}, found), message  # a long divide is left out of the file
    count = perft if case["count"] == "plies" else turn_perft
    if case["depth"] < 5:
        assert count(parse_position(case["position"]), case["depth"]) == case["nodes"]


def test_every_edition_has_cases() -> None:
    assert {case["position"].split()[1] for case in CASES} == set(all_keys())
    assert {case["source"] for case in CASES} == {perft_data.KNOWN, perft_data.AGREED}


def test_known_numbers_stand_in_the_files() -> None:
    """The published rows themselves, so that making the files anew cannot lose them."""
    start = {(c["position"], c["count"], c["depth"]): c["nodes"] for c in CASES}
    for depth in range(1, 6):
        assert start["pkp1 classic 21-36 -/- A -:?", "plies", depth] == perft_data.KNOWN_PLIES[depth - 1]
        assert start["pkp1 classic 21-36 -/- A -:?", "turns", depth] == perft_data.KNOWN_TURNS[depth - 1]
        for key in ("summary", "course"):
            nodes = start[f"pkp1 {key} 21-36 -/- A -:?", "turns", depth]
            assert nodes == perft_data.KNOWN_FLIPPING_TURNS[depth - 1]


def test_depth_zero_is_one_node_and_has_no_divide() -> None:
    assert perft(Position.start(), 0) == turn_perft(Position.start(), 0) == 1
    assert perft_divide(Position.start(), 0) == {}
    assert turn_perft_divide(Position.start(), 0) == {}


def test_a_game_that_is_over_has_no_sequences() -> None:
    over = parse_position("pkp1 classic - 21/- - -:-")
    assert perft(over, 1) == turn_perft(over, 1) == 0
    assert perft(over, 2) == turn_perft(over, 2) == 0


def test_turns_begin_at_the_start_of_a_turn() -> None:
    for text in ("pkp1 classic 21-36 -/- A 5:?", "pkp1 classic 21-36 -/- A -:12345555"):
        with pytest.raises(InvalidPositionError, match="start of a turn"):
            turn_perft(parse_position(text), 1)


def test_turns_are_not_counted_with_specialists() -> None:
    with pytest.raises(InvalidPositionError, match="without specialists"):
        turn_perft_divide(Position.start("deluxe"), 1)


def test_negative_depths_are_refused() -> None:
    for count in (perft, perft_divide, turn_perft, turn_perft_divide):
        with pytest.raises(PickominoError, match="depth -1"):
            count(Position.start(), -1)


def test_a_divide_lists_the_bust_then_tiles_then_tops_each_ascending() -> None:
    """C's 25 before B's 30: by tile, whoever has it."""
    position = parse_position("pkp1 classic 21,36 -/30/25 A -:?")
    assert list(turn_perft_divide(position, 1)) == ["s", "t21", "t36", "x25", "x30"]
