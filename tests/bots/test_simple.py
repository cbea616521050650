"""The two simple bots and the registry that knows them."""

import random
from collections import Counter

import pytest

from pickomino.bots import Bot, CautiousBot, RandomBot, bot_names, make_bot, register_bot
from pickomino.notation import parse_position
from pickomino.rules import PickominoError, all_keys
from pickomino.testing import check_bot


@pytest.mark.parametrize("spec", ["random", "cautious"])
def test_simple_bots_pass_the_kit_in_every_edition(spec: str) -> None:
    check_bot(make_bot(spec), all_keys())
    for seats in (2, 5, 7):
        check_bot(make_bot(spec), ("deluxe",), seats, seed=seats, plies=1500)


CHOICES = [  # the first tile it can; until then a worm, else the most points
    ("pkp1 classic 21-36 -/- A -:11122555", "k5"),
    ("pkp1 classic 21-36 -/- A -:111111WW", "kW"),
    ("pkp1 classic 21-36 -/- A -:11144444", "k4"),
    ("pkp1 classic 21-36 -/- A W:1112255", "k5"),
    ("pkp1 classic 21-36 -/- A WW:-", "r"),
    ("pkp1 classic 21-36 -/- A 1WWWW:-", "t21"),
    ("pkp1 classic 21-36 -/- A 4444:-", "r"),
    ("pkp1 classic 25,27 21/26 A 15555W:-", "x26"),
    ("pkp1 classic+any-lower 22,25,27 21/30 A 15555W:-", "t25"),
    ("pkp1 classic 30 21/- A 1122334:W", "kW"),
    ("pkp1 deluxe 21-36 -/- A -:+? gold@A 0/0", "n"),
    ("pkp1 deluxe 21-24,30 25/26/27 B 55WW:1123 weasel@B 2/3/2", "k3"),
]


@pytest.mark.parametrize(("text", "move"), CHOICES)
def test_what_the_cautious_bot_does(text: str, move: str) -> None:
    assert str(CautiousBot().choose(parse_position(text), random.Random(1))) == move


def test_the_random_bot_plays_every_move_about_equally_often() -> None:
    position, rng = parse_position("pkp1 classic 21-36 -/- A -:112345WW"), random.Random(1)
    count = Counter(str(RandomBot().choose(position, rng)) for _ in range(6000))
    assert count.keys() == {"k1", "k2", "k3", "k4", "k5", "kW"}
    assert all(
        abs(times - 1000) < 150 for times in count.values()
    )  # five standard deviations; the seed is fixed


def test_the_registry_makes_bots_by_name() -> None:
    assert {"random", "cautious"} <= set(bot_names())
    assert list(bot_names()) == sorted(bot_names())
    assert isinstance(make_bot("random"), RandomBot)
    assert isinstance(make_bot("cautious"), Bot)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("", "expected one of"),
        ("cautios", "did you mean cautious"),
        ("Random", "expected one of"),
        ("random:x=1", "does not take x"),
        ("random:x", "name:key=value"),
        ("random:=1", "name:key=value"),
        ("random:x=1,x=2", "name:key=value"),
        ("random:x=1,", "name:key=value"),
    ],
)
def test_specs_that_name_no_bot(spec: str, reason: str) -> None:
    with pytest.raises(PickominoError, match=reason):
        make_bot(spec)


@pytest.mark.parametrize("name", ["random", "", "two words", "a:b", "-"])
def test_names_that_cannot_be_registered(name: str) -> None:
    with pytest.raises(PickominoError, match="bot name"):
        register_bot(name, RandomBot)
