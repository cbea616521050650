"""What the champion's nets see of a table, spelled out, and which weights serve which edition."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pickomino import Phase, Position, parse_position
from pickomino.bots.champion.net import cards, families, has_weights, learned, load_net
from pickomino.compact.packed import pack
from pickomino.rules import EDITIONS, PickominoError, find_edition, format_edition, load_edition
from pickomino.rules.edition import all_keys
from pickomino.tensor import Arrays, Rules, batch_of, encode, packed_batch, scattered
from pickomino.testing import random_game

APPLE, CAN, CROW, GOLD, HEN, WEASEL = range(6)


def marks(count: int, *at: int) -> list[float]:
    return [float(place in at) for place in range(count)]


def numbers(count: int, **at: float) -> list[float]:
    """By place, as ``_3=0.5``."""
    return [at.get(f"_{place}", 0.0) for place in range(count)]


def check(text: str, expected: list[float], *, switches: bool = False) -> None:
    """The features are these, and zeros to the next multiple of 16."""
    found = encode(batch_of([parse_position(text)]), switches=switches)
    assert found.dtype == np.float32
    assert found.shape == (1, -(-len(expected) // 16) * 16)
    assert found[0].tolist() == pytest.approx(expected + [0.0] * (found.shape[1] - len(expected)), abs=1e-6)


# Seat B is to act and has 30 alone: 3 worms. A has 21, 36, 25 and 22 on top: 1 + 4 + 2 + 1 worms.
_CLASSIC_MARKS = [
    *(marks(16, 9) + marks(16, 9) + marks(16) + marks(16)),  # B: tiles, top, second, third
    *(marks(16, 0, 1, 4, 15) + marks(16, 1) + marks(16, 4) + marks(16, 15)),  # A
]
_CLASSIC_NUMBERS = [
    *numbers(16, _9=1),  # one over the depth
    *(0.3, -0.5, 0, 10 / 16, 1 / 8),  # worms, lead, share of the win, highest tile, number of tiles
    *numbers(16, _0=1 / 4, _15=1 / 3, _4=1 / 2, _1=1),
    *(0.8, 0.5, 1, 16 / 16, 4 / 8),
]


def test_classic_features() -> None:
    check(
        "pkp1 classic 23,33 21,36,25,22/30 B -:?",
        [*marks(16, 2, 12), *_CLASSIC_MARKS, 0.5, *_CLASSIC_NUMBERS],  # 1 + 4 worms on the grill
    )


@pytest.mark.parametrize(
    ("key", "bits"),
    [
        ("classic", ()),
        ("classic+fast", (1,)),
        ("summary", (0, 2, 3)),
        ("course", (2, 3, 4)),
    ],
)
def test_features_with_switches(key: str, bits: tuple[int, ...]) -> None:
    check(
        f"pkp1 {key} 23,33 21,36,25,22/30 B -:?",
        [*marks(16, 2, 12), *marks(5, *bits), *_CLASSIC_MARKS, 0.5, *_CLASSIC_NUMBERS],
        switches=True,
    )


def test_deluxe_features() -> None:
    """C to act: 13 and the apple; A: 21, 26 and 2 round worms, B: the hen and 5 of them. The weasel left."""
    check(
        "pkp1 deluxe 11,23,36 21,26/-/13 C -:? apple@C,can@11,crow@23,gold@36,hen@B 2/5/0",
        [
            *marks(18, 0, 4, 17),  # the grill
            *marks(18),  # the apple stands nowhere
            *marks(18, 0),
            *marks(18, 4),
            *marks(18, 17),
            *marks(18),
            *marks(18),
            *marks(6, WEASEL),  # left the game
            1,  # no round worm in the supply
            *(marks(18, 1) + marks(18, 1) + marks(18) + marks(18) + marks(6, APPLE)),  # C
            *(marks(18, 2, 7) + marks(18, 7) + marks(18, 2) + marks(18) + marks(6)),  # A
            *(marks(18) + marks(18) + marks(18) + marks(18) + marks(6, HEN)),  # B
            (1 + 1 + 4) / 10,  # worms on the grill
            0 / 7,  # round worms in the supply
            *(*numbers(18, _1=1), 0.4, -0.1, 0, 2 / 18, 1 / 8, 0 / 7),  # C: 1 + 3 worms
            *(
                *numbers(18, _2=1 / 2, _7=1),
                0.5,
                0,
                1,
                8 / 18,
                2 / 8,
                2 / 7,
            ),  # A: 1 + 2 + 2, and the higher tile
            *(*numbers(18), 0.5, 0, 0, 0, 0, 5 / 7),  # B: 5
        ],
    )


@pytest.mark.parametrize("key", ["classic", "course", "summary", "deluxe", "extrawurm"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_shares_of_finished_games_are_those_of_the_rules(key: str, seats: int) -> None:
    """Any position counts as finished here."""
    positions = random_game(key, seats, seats).positions[::9]
    rows = pack(positions)
    found = packed_batch(find_edition(key), rows, np.zeros(len(rows), dtype=np.int8)).tally().shares
    for shares, position in zip(found.tolist(), positions, strict=True):
        winners = position.standings.winners
        assert shares == pytest.approx([(seat in winners) / len(winners) for seat in range(seats)])


def test_a_golden_die_on_offer_changes_nothing() -> None:
    position = parse_position("pkp1 deluxe 11,23,36 21,26/13 B -:+? gold@B 0/0")
    assert position.phase is Phase.GOLD
    plain = replace(position, phase=Phase.ROLL)
    assert (encode(batch_of([position])) == encode(batch_of([plain]))).all()


def test_families() -> None:
    found = {key: families(find_edition(key)) for key in all_keys()}
    assert found.pop("classic") == ("classic", "switches")
    for key, names in found.items():
        assert names == (("deluxe",) if key.startswith(("deluxe", "extrawurm")) else ("switches",)), key
    house = load_edition(format_edition(EDITIONS["extrawurm"]))
    assert families(house) == ("deluxe",)
    assert families(replace(EDITIONS["classic"], key="mine", fast=True)) == ("switches",)
    assert families(replace(EDITIONS["classic"], key="mine", dice=7)) == ()
    assert families(replace(EDITIONS["deluxe"], key="mine", round_worms=3)) == ()


def test_switches_of_deluxe_are_played_without_having_been_learned() -> None:
    unlearned = {key for key in all_keys() if not learned(find_edition(key))}
    assert unlearned == {key for key in all_keys() if key.startswith(("deluxe+", "extrawurm+"))}
    assert all(has_weights(find_edition(key), 3) for key in unlearned)
    assert not learned(replace(EDITIONS["classic"], key="mine", dice=7))


def some_weights(folder: Path, name: str, key: str, seed: int) -> None:
    """A small net for two seats, and a card."""
    rng, family = np.random.default_rng(seed), name.partition("-")[0]
    features = encode(batch_of([Position.start(key, 2)]), switches=family == "switches").shape[1]
    sizes = (features, 8, 8, 2)
    arrays = {f"bias{index}": np.zeros(size, dtype=np.float16) for index, size in enumerate(sizes[1:])}
    for index, (inputs, outputs) in enumerate(pairwise(sizes)):
        arrays[f"weight{index}"] = rng.standard_normal((inputs, outputs)).astype(np.float16)
    np.savez(folder / f"{name}.npz", **arrays)  # type: ignore[arg-type]  # arrays by name
    (folder / f"{name}.json").write_text(json.dumps({"name": name}))


def names(key: str, folder: Path) -> list[str]:
    return [card["name"] for card in cards(find_edition(key), 2, folder)]


def test_weights_by_edition_and_seats(tmp_path: Path) -> None:
    some_weights(tmp_path, "switches-2", "summary", 1)
    some_weights(tmp_path, "deluxe-2", "deluxe", 2)
    assert names("classic", tmp_path) == names("classic+fast", tmp_path) == ["switches-2"]
    assert names("deluxe", tmp_path) == names("extrawurm", tmp_path) == ["deluxe-2"]
    assert load_net(find_edition("classic"), 2, tmp_path).family == "switches"
    assert load_net(find_edition("course"), 2, tmp_path) is load_net(find_edition("summary"), 2, tmp_path)
    assert not has_weights(find_edition("course"), 3, tmp_path)
    with pytest.raises(PickominoError, match="no learned estimate for deluxe with 5 seats"):
        load_net(find_edition("deluxe"), 5, tmp_path)
    with_own = tmp_path / "own"
    with_own.mkdir()
    for part in ("", "-b"):
        some_weights(with_own, f"classic-2{part}", "classic", 3)
    assert names("classic", with_own) == ["classic-2", "classic-2-b"]
    assert not has_weights(find_edition("summary"), 2, with_own)


def test_of_several_nets_the_mean_counts(tmp_path: Path) -> None:
    table = batch_of([parse_position("pkp1 classic 23,33 21,36,25,22/30 B -:?")])
    edition, parts = find_edition("classic"), []
    for seed in range(3):
        alone = tmp_path / str(seed)
        alone.mkdir()
        some_weights(alone, "classic-2", "classic", seed)
        some_weights(tmp_path, f"classic-2{('', '-b', '-c')[seed]}", "classic", seed)
        parts.append(load_net(edition, 2, alone).shares(table))
    together = load_net(edition, 2, tmp_path).shares(table)
    assert together == pytest.approx(np.mean(parts, axis=0), abs=1e-6)
    assert not np.allclose(parts[0], parts[1])


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("deluxe", 3)])
def test_many_games_at_once_are_worth_the_same(key: str, seats: int) -> None:
    """The compiled layers (from 256 games) and NumPy's; 303 are no whole number of fours."""
    import_module("numba")  # where it is not loaded, it is not used
    rules = Rules(find_edition(key), seats, Arrays(1))
    games = scattered(rules, 303)
    net = load_net(rules.edition, seats)
    parts = [net.shares(games[np.arange(first, first + 101)]) for first in (0, 101, 202)]
    assert net.shares(games) == pytest.approx(np.concatenate(parts), abs=1e-6)
