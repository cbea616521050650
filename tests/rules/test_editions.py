"""Editions as data: the table of section 6, tiles and worms, and what custom data must not be."""

from dataclasses import replace
from typing import Any

import pytest

from pickomino.rules import (
    EDITIONS,
    SWITCHES,
    WORM,
    Edition,
    Face,
    InvalidEditionError,
    all_keys,
    find_edition,
)

# rules.md, section 6: steal, lower, flip_when_nothing_returned, tie_break
TABLE = {
    "classic": ("optional", "nearest", False, "highest_tile"),
    "summary": ("mandatory", "any", True, "highest_tile"),
    "course": ("mandatory", "nearest", True, "shared"),
    "deluxe": ("mandatory", "nearest", False, "highest_tile"),
    "extrawurm": ("mandatory", "nearest", False, "highest_tile"),
}


def test_the_printed_editions_are_the_table() -> None:
    assert {
        key: (edition.steal, edition.lower, edition.flip_when_nothing_returned, edition.tie_break)
        for key, edition in EDITIONS.items()
    } == TABLE
    assert not any(edition.fast for edition in EDITIONS.values())


def test_there_are_five_editions_and_61_sets_of_switches() -> None:
    keys = list(all_keys())
    assert len(keys) == len(set(keys)) == 5 + 31 + 15 + 15  # all but none of five switches, of four, of four
    for key in keys:
        edition = find_edition(key)
        assert edition.key == key
        assert find_edition(key) is edition
        assert "+".join((key.split("+")[0], *edition.switches)) == key


@pytest.mark.parametrize(
    ("switch", "field", "value"),
    [
        ("any-lower", "lower", "any"),
        ("fast", "fast", True),
        ("flip-empty", "flip_when_nothing_returned", True),
        ("mandatory-steal", "steal", "mandatory"),
        ("shared-ties", "tie_break", "shared"),
    ],
)
def test_a_switch_changes_one_thing(switch: str, field: str, value: Any) -> None:
    for key in all_keys():
        base, *switches = key.split("+")
        expected = value if switch in switches else getattr(EDITIONS[base], field)
        assert getattr(find_edition(key), field) == expected, key
    assert sorted(SWITCHES) == ["any-lower", "fast", "flip-empty", "mandatory-steal", "shared-ties"]


def test_worms_on_tiles() -> None:
    classic = EDITIONS["classic"].worms  # R1.2
    assert {value: classic[value] for value in (21, 24, 25, 28, 29, 32, 33, 36)} == {
        21: 1,
        24: 1,
        25: 2,
        28: 2,
        29: 3,
        32: 3,
        33: 4,
        36: 4,
    }
    assert (len(classic), sum(classic.values())) == (16, 40)
    deluxe = EDITIONS["deluxe"].worms  # D7.1
    assert (len(deluxe), deluxe[11], deluxe[13]) == (18, 1, 1)


def test_specialists_of_deluxe_and_extrawurm() -> None:
    deluxe = dict(EDITIONS["deluxe"].specialists)  # D7.2
    assert deluxe == {"can": 11, "hen": 21, "crow": 23, "weasel": 25, "gold": 27, "apple": 29}
    del deluxe["apple"]
    assert dict(EDITIONS["extrawurm"].specialists) == deluxe
    assert EDITIONS["deluxe"].golden_die == (Face("1", 1, 3), Face(WORM, 5, 3))  # D7.5
    assert EDITIONS["deluxe"].round_worms == 7  # D7.3


@pytest.mark.parametrize(
    "key",
    [
        *("", "Classic", "classic+", "+fast", "classic fast", "classic++fast", "classic+quick"),
        *("classic+fast+any-lower", "classic+fast+fast", "deluxe+mandatory-steal", "summary+"),
        *("course+fast", "extrawurm+mandatory-steal", "tiny", "house-", "house-00000000", "house-1"),
    ],
)
def test_unknown_keys_are_refused_by_name(key: str) -> None:
    with pytest.raises(InvalidEditionError) as caught:
        find_edition(key)
    assert repr(key) in str(caught.value)
    assert caught.value.part == ""  # of no part: there are no data


def test_an_edition_without_switches_says_which_take_them() -> None:
    with pytest.raises(InvalidEditionError, match="only classic, deluxe, extrawurm take switches"):
        find_edition("course+fast")


GOOD = Edition(
    "good",
    tiles=((3, 1), (4, 2)),
    dice=2,
    faces=(Face("1", 1), Face(WORM, 3)),
    specialists=(("gold", 3),),
    golden_die=(Face(WORM, 3),),
    round_worms=1,
)


@pytest.mark.parametrize(
    ("change", "part", "reason"),
    [
        ({"tiles": ()}, "tiles", "at least one tile"),
        ({"tiles": ((4, 1), (3, 1))}, "tiles", "ascending"),
        ({"tiles": ((3, 1), (3, 1))}, "tiles", "none twice"),
        ({"tiles": ((0, 1), (3, 1))}, "tiles", "between 1 and 99"),
        ({"tiles": ((3, 1), (100, 1))}, "tiles", "between 1 and 99"),
        ({"tiles": ((3, -1), (4, 1))}, "tiles", "negative worms"),
        ({"dice": 0}, "dice", "1 to 12 dice"),
        ({"dice": 13}, "dice", "1 to 12 dice"),
        ({"faces": (Face(WORM, 3), Face("1", 1))}, "faces", "order of their signs"),
        ({"faces": (Face("1", 1), Face("1", 1), Face(WORM, 3))}, "faces", "none twice"),
        ({"faces": (Face("1", 1),)}, "faces", "W among them"),
        ({"faces": (Face("0", 1), Face(WORM, 3))}, "faces", "face signs"),
        ({"faces": (Face("1", 1, 0), Face(WORM, 3))}, "faces", "faces with sides"),
        ({"faces": (Face("1", -1), Face(WORM, 3))}, "faces", "faces with sides"),
        ({"steal": "sometimes"}, "switches", "steal"),
        ({"lower": "some"}, "switches", "lower"),
        ({"tie_break": "luck"}, "switches", "tie_break"),
        ({"exact_only": frozenset({5})}, "exact_only", "exact_only"),
        ({"specialists": (("cook", 3), ("gold", 4))}, "specialists", "specialists of"),
        ({"specialists": (("hen", 3), ("gold", 4))}, "specialists", "sorted"),
        ({"specialists": (("gold", 3), ("hen", 3))}, "specialists", "one specialist per tile"),
        ({"specialists": (("gold", 9),)}, "specialists", "one specialist per tile"),
        ({"golden_die": (Face("2", 2),)}, "golden_die", "golden faces"),
        ({"golden_die": (Face(WORM, 4),)}, "golden_die", "golden faces"),
        ({"golden_die": ()}, "golden_die", "if and only if"),
        ({"specialists": (("hen", 3),)}, "golden_die", "if and only if"),
        ({"round_worms": -1}, "round_worms", "negative supply"),
        ({"specialists": (), "golden_die": ()}, "round_worms", "round worms only with specialists"),
    ],
)
def test_contradictory_data_are_refused(change: dict[str, Any], part: str, reason: str) -> None:
    with pytest.raises(InvalidEditionError, match=reason) as caught:
        replace(GOOD, **change)
    assert caught.value.part == part  # where an editor shows it


def test_the_limits_themselves_are_allowed() -> None:
    faces = tuple(Face(sign, 0) for sign in "123456789W")
    for dice in (1, 12):
        edition = Edition("limits", ((1, 0), (99, 1)), dice, faces, exact_only=frozenset({1, 99}))
        assert (edition.values, edition.dice, len(edition.pips)) == ((1, 99), dice, 11)  # ten signs and "+"
    every_tile = replace(GOOD, specialists=(("gold", 3), ("hen", 4)), golden_die=GOOD.faces, round_worms=0)
    assert every_tile.golden_die == GOOD.faces
    assert replace(EDITIONS["deluxe"]) == EDITIONS["deluxe"]  # all six specialists


def test_equal_data_are_equal_editions() -> None:
    assert replace(GOOD) == GOOD
    assert hash(replace(GOOD)) == hash(GOOD)
    assert replace(GOOD, dice=3) != GOOD


def test_the_repr_of_an_edition_is_short() -> None:
    assert repr(EDITIONS["deluxe"]) == "<Edition 'deluxe' of 18 tiles and 8 dice>"
