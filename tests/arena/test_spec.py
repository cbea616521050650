"""Who sits where: everybody everywhere, equally often, the same in every run."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pickomino.arena import Spec
from pickomino.rules import PickominoError

CASES = [(2, 2), (2, 4), (2, 7), (3, 2), (3, 3), (3, 5), (5, 3), (7, 7), (4, 6)]  # entrants, seats


def names(count: int) -> tuple[str, ...]:
    return ("ev",) * count


@pytest.mark.parametrize(("entrants", "seats"), CASES)
def test_every_entrant_sits_equally_often_in_every_seat(entrants: int, seats: int) -> None:
    """A group takes everybody through all seats, so seat by seat the counts are the same."""
    spec = Spec(names(entrants), players=seats, games=seats * entrants * 4, chunk_groups=entrants * 4)
    seating = spec.seating(0)
    assert seating.shape == (seats, entrants * 4, seats)
    for seat in range(seats):
        in_seat = Counter(seating[:, :, seat].ravel().tolist())
        assert in_seat == Counter(seating[:, :, 0].ravel().tolist())
    sits = Counter(seating.ravel().tolist())
    if entrants == 2:
        assert sits[1] == sits[0] * (seats - 1)  # one against copies
    else:
        assert len(set(sits.values())) == 1  # equally many seats over the blocks of a shuffled order


@pytest.mark.parametrize(("entrants", "seats"), CASES)
def test_the_games_of_a_group_are_one_line_up_moved_on(entrants: int, seats: int) -> None:
    seating = Spec(names(entrants), players=seats, games=200, chunk_groups=20).seating(1)
    for rotation in range(seats):
        np.testing.assert_array_equal(np.roll(seating[0], rotation, axis=1), seating[rotation])


@pytest.mark.parametrize("size", [4, 7, 25])
def test_chunks_cut_the_same_groups(size: int) -> None:
    """However the groups are cut into chunks, their line-ups are the same."""
    whole = Spec(names(5), players=3, games=300, chunk_groups=100).seating(0)
    cut = Spec(names(5), players=3, games=300, chunk_groups=size)
    parts = [cut.seating(chunk) for chunk in range(cut.chunks)]
    np.testing.assert_array_equal(np.concatenate(parts, axis=1), whole)


def test_all_meet_all() -> None:
    """Seven entrants at tables of two: every pair, and either order."""
    seating = Spec(names(7), players=2, games=4000, chunk_groups=2000).seating(0)
    pairs = Counter(map(tuple, seating[0].tolist()))
    assert len(pairs) == 42
    assert min(pairs.values()) > 20


def test_games_come_in_whole_groups() -> None:
    spec = Spec(names(2), players=3, games=100, chunk_groups=10)
    assert (spec.groups, spec.games_played, spec.chunks) == (34, 102, 4)
    assert [len(spec.groups_of(chunk)) for chunk in range(4)] == [10, 10, 10, 4]


def test_chunks_have_dice_and_lots_of_their_own() -> None:
    spec, other = Spec(names(2)), Spec(names(2), seed=1)
    seeds = [one.chunk_seed(chunk) for one in (spec, other) for chunk in range(50)]
    seeds += [one.bot_seed(chunk, bot) for one in (spec, other) for chunk in range(50) for bot in range(2)]
    assert len(set(seeds)) == 300
    assert spec.chunk_seed(3) == Spec(names(2), games=7).chunk_seed(3)  # more games, same dice


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"entrants": ("ev",)}, "expected 2 to 64 of them, .* found 1"),
        ({"entrants": ("ev",) * 65}, "found 65"),
        ({"players": 1}, "1 players: expected 2 to 7"),
        ({"players": 8}, "8 players"),
        ({"games": 0}, "0 games: expected 1"),
        ({"seed": -1}, "seed -1: expected 0"),
        ({"seed": 1 << 63}, "expected 0 to 2"),
        ({"chunk_groups": -1}, "-1 groups per chunk"),
        ({"edition": "nonsense"}, "nonsense"),
    ],
)
def test_nonsense_is_refused(change: dict[str, object], expected: str) -> None:
    values: dict[str, object] = {"entrants": ("ev", "random")} | change
    with pytest.raises(PickominoError, match=expected):
        Spec(**values)  # type: ignore[arg-type]  # wrong on purpose
