"""Small games with specialists and round worms: against enumeration by the rules, and what must hold in all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pickomino import parse_position
from pickomino.rules import WORM, Edition, Face, PickominoError, Position, find_edition
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole import (
    WholeGame,
    evaluate_policy,
    load_whole,
    small_start,
    solve_from,
    solve_whole,
)
from tests.solver.small_games import Naive, tiny_edition

KERNELS: tuple[Kernel, Kernel] = ("numpy", "numba")
GOLD = (Face("1", 1, 1), Face(WORM, 2, 1))


def tiny(key: str, specialists: dict[str, int], *, round_worms: int = 2, exact: int | None = None) -> Edition:
    """Two dice, tiles 2, 3 and 4: a worm and any other die take a tile, two ones bring a round worm."""
    return tiny_edition(
        key,
        {2: 1, 3: 1, 4: 2},
        2,
        {"1": 1, "2": 2, WORM: 2},
        steal="mandatory",
        exact_only=frozenset() if exact is None else frozenset({exact}),
        specialists=tuple(specialists.items()),
        golden_die=GOLD if "gold" in specialists else (),
        round_worms=round_worms,
    )


TINY = {
    edition.key: edition
    for edition in (
        tiny("hen and crow", {"crow": 2, "hen": 3}),
        tiny("can and weasel", {"can": 2, "weasel": 3}, exact=2),
        tiny("gold and apple", {"apple": 3, "gold": 2}),
        tiny("hen and gold", {"gold": 3, "hen": 2}, round_worms=1),
    )
}


def two_tiles(key: str, players: int = 2) -> Position:
    return small_start(TINY[key], (2, 3), players)


@pytest.mark.parametrize("key", TINY)
def test_a_turn_by_the_rules_moves_no_value(key: str) -> None:
    naive = Naive(TINY[key], 2, two_tiles(key))
    game = solve_from(two_tiles(key))
    assert game.converged
    assert game.positions == len({game.space.number(position) for position in naive.values})
    naive.values = {position: game.values(position) for position in naive.values}
    for position, values in naive.values.items():
        assert naive.play(position) == pytest.approx(values, abs=1e-12)
        assert sum(values) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("key", "tiles"),
    [
        pytest.param(key, tiles, marks=pytest.mark.soak if len(tiles) > 1 else ())
        for key in TINY
        for tiles in ((2,), (2, 3), (2, 3, 4))
    ],
)
def test_two_players_agree_with_enumeration(key: str, tiles: tuple[int, ...]) -> None:
    start = small_start(TINY[key], tiles)
    naive = Naive(TINY[key], 2, start)
    assert naive.solve(sweeps=2000)
    game = solve_from(start)
    assert game.converged
    for position, values in naive.values.items():
        assert game.values(position) == pytest.approx(values, abs=1e-10)


@pytest.mark.parametrize("key", TINY)
def test_both_kernels_agree(key: str) -> None:
    pytest.importorskip("numba")
    slow, fast = (solve_from(two_tiles(key), kernel=kernel) for kernel in KERNELS)
    assert fast.table == pytest.approx(slow.table, abs=1e-11)


def test_three_players_play_best_replies() -> None:
    """Where it settles: no seat has a better turn, with a giver to choose among two (D11.1)."""
    start = small_start(TINY["hen and crow"], (3,), 3)
    game = solve_from(start)
    assert game.converged
    naive = Naive(game.edition, 3, start)
    assert any(len(p.specialists.givers(p.edition, p.seat)) == 2 for p in naive.values if p.specialists)
    naive.values = {position: game.values(position) for position in naive.values}
    for position, values in naive.values.items():
        assert sum(values) == pytest.approx(1, abs=1e-9)
        assert naive.play(position)[position.seat] == pytest.approx(values[position.seat], abs=1e-9)


def test_every_point_of_every_turn() -> None:
    start = small_start(TINY["can and weasel"], (3,))
    game = solve_from(start)
    naive = Naive(game.edition, 2, start)
    naive.values = {position: game.values(position) for position in naive.values}
    for position, values, move_values in naive.points():
        assert game.values(position) == pytest.approx(values, abs=1e-10)
        for entry, expected in zip(game.moves(position), move_values, strict=True):
            assert entry.values == pytest.approx(expected, abs=1e-10)


def test_without_specialists_it_is_the_same_game() -> None:
    plain = solve_whole((21, 25, 29))
    reached = solve_from(small_start(find_edition("classic"), (21, 25, 29)))
    assert reached.positions == plain.positions
    for number in range(plain.positions):
        position = plain.space.position(number)
        assert reached.values(position) == pytest.approx(plain.values(position), abs=1e-11)


@pytest.fixture(scope="module")
def weasel_and_gold() -> WholeGame:
    return solve_whole((25, 27), "deluxe")


def test_deluxe_dice(weasel_and_gold: WholeGame) -> None:
    game = weasel_and_gold
    assert game.converged
    assert game.residual < 1e-12
    assert str(game.start) == "pkp1 deluxe 25,27 -/- A -:? gold@27,weasel@25 0/0"
    assert game.start_value == pytest.approx(0.63567930182, abs=1e-10)  # ours: `pickomino solve`
    here = parse_position("pkp1 deluxe 27 25/- B 11W:12345 gold@27,weasel@A 0/1")
    assert [str(entry.move) for entry in game.moves(here)] == ["k2", "k3", "k4", "k5"]
    assert game.value(here) == max(entry.value for entry in game.moves(here))
    assert sum(game.values(here)) == pytest.approx(1)
    turned = parse_position("pkp1 deluxe 27 -/25 A 11W:12345 gold@27,weasel@B 1/0")
    assert game.values(turned) == pytest.approx(game.values(here)[::-1])
    chosen = parse_position("pkp1 deluxe 27 -/25 B -:+? gold@B,weasel@A 0/0")
    with pytest.raises(PickominoError, match="does not arise"):
        game.value(chosen)  # whoever holds the weasel has the tile it stood on


def test_the_policy_of_the_game_wins_what_it_is_worth(weasel_and_gold: WholeGame) -> None:
    game = weasel_and_gold
    best = evaluate_policy(game, lambda p: [ending.values[p.seat] for ending in game.endings(p)])
    assert best.by_seat == pytest.approx(game.values(game.start), abs=1e-9)
    timid = evaluate_policy(game, lambda p: [float(str(e.move) == "t25") for e in game.endings(p)])
    assert timid.mean < 0.5 - 1e-3


def test_a_saved_table_is_the_game(tmp_path: Path) -> None:
    path, start = tmp_path / "table.npz", small_start(find_edition("deluxe"), (29, 30), round_worms=(3, 4))
    game = solve_from(start, save=path)
    again = load_whole(path)
    assert again.table == pytest.approx(game.table, abs=0)
    assert again.start == game.start == start
    assert solve_from(start, save=path, resume=True).iterations == game.iterations  # nothing left to do
    with pytest.raises(PickominoError, match="is the table of the small game from"):
        solve_whole((29, 30), "deluxe", save=path, resume=True)


@pytest.mark.parametrize(
    ("edition", "specialists", "round_worms", "message"),
    [
        ("deluxe", {"hen": 22}, None, "'hen' on 22"),
        ("deluxe", {"fox": 21}, None, "'fox'"),
        ("extrawurm", {"apple": 21}, None, "'apple'"),
        ("deluxe", {"hen": 21, "crow": 21}, None, "one on a tile"),
        ("deluxe", None, (4, 4), "at most 7"),
        ("deluxe", None, (1,), "expected 2 numbers"),
        ("classic", {"hen": 21}, None, "no specialists"),
    ],
)
def test_starts_that_cannot_be(
    edition: str, specialists: dict[str, int] | None, round_worms: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(PickominoError, match=message):
        small_start(find_edition(edition), (21, 25), 2, specialists, round_worms)
