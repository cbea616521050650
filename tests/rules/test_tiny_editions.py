"""Custom editions enumerated whole: every position that a game can reach keeps the invariants."""

import pytest

from pickomino.notation import parse_position
from pickomino.rules import SEATS, Edition, NotationError, Phase, Position
from pickomino.testing import check_position, check_refusals, check_step
from tests.rules.tiny import (
    CROW,
    FAST,
    FLIPPING,
    GOLDEN,
    LOADED,
    PLAIN,
    SPECIALISTS,
    THREE_DICE,
    TINY,
    WEASEL,
)


def reachable(start: Position) -> set[Position]:
    seen, frontier = {start}, [start]
    while frontier:
        position = frontier.pop()
        for ply in (*position.rolls(), *position.moves()):
            after = check_step(position, ply).position
            if after not in seen:
                seen.add(after)
                frontier.append(after)
    return seen


# Positions of a whole game, by edition and seats: counted by the walk below when it was written, so that a
# rule that changes by accident shows.
SIZES = {
    (PLAIN, 2): 1594,
    (LOADED, 2): 148,
    (LOADED, 3): 294,
    (FLIPPING, 2): 1295,
    (FAST, 2): 1468,
    (THREE_DICE, 2): 710,
    (SPECIALISTS, 2): 13344,
    (CROW, 3): 2850,
    (GOLDEN, 2): 100,
    (WEASEL, 2): 1714,
}


@pytest.mark.parametrize(("edition", "seats"), SIZES, ids=lambda value: getattr(value, "key", str(value)))
def test_every_reachable_position_keeps_the_invariants(edition: Edition, seats: int) -> None:
    positions = reachable(Position.start(edition, seats, seats - 1))
    for number, position in enumerate(sorted(positions, key=str)):
        check_position(position)
        if number % 10 == 0:
            check_refusals(position)
    assert len({str(position) for position in positions}) == len(positions), "one text for two positions"
    assert {position.seat_letter for position in positions} == {*SEATS[:seats], "-"}
    assert len(positions) == SIZES[edition, seats]


def test_the_tiny_deluxe_editions_have_every_phase() -> None:
    starts = (Position.start(CROW, 3), Position.start(GOLDEN))
    assert {position.phase for start in starts for position in reachable(start)} == set(Phase)


def test_texts_of_custom_editions_are_not_read() -> None:
    for edition in TINY:
        with pytest.raises(NotationError, match="expected one of classic"):
            parse_position(str(Position.start(edition)))
