"""Small games of the real dice: known values, queries, the table as a file, interrupting and going on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pickomino import parse_position
from pickomino.rules import InvalidPositionError, PickominoError, Position, find_edition
from pickomino.solver.whole import SolvingProgress, count_bound, load_whole, solve_from, solve_whole
from tests.solver.small_games import TINY

AT_LEAST_21 = 4113019191611091399863 / 4605706660848611622912  # notation, known numbers: P(>= 21)


@pytest.mark.parametrize(
    ("tiles", "value"),
    [  # notation, solved small games
        ((21,), 1 / (2 - AT_LEAST_21)),
        ((21,), 0.9033641855),
        ((21, 22), 0.6367178497),
        ((21, 25), 0.6127857238),
    ],
)
def test_known_values(tiles: tuple[int, ...], value: float) -> None:
    game = solve_whole(tiles)
    assert game.converged
    assert game.start_value == pytest.approx(value, abs=1e-10)


def test_last_tile_alone_with_the_rule_that_flips_for_an_empty_hand() -> None:
    """A bust flips 21 and ends the game without a tile: a shared win (R4.3, R5.1, R5.3)."""
    game = solve_whole((21,), "classic+flip-empty")
    assert game.start_value == pytest.approx(AT_LEAST_21 + (1 - AT_LEAST_21) / 2, abs=1e-12)
    third = solve_whole((21,), "classic+flip-empty", players=3)
    assert third.values(third.start) == pytest.approx(
        (AT_LEAST_21 + (1 - AT_LEAST_21) / 3, (1 - AT_LEAST_21) / 3, (1 - AT_LEAST_21) / 3), abs=1e-12
    )


def test_nobody_wants_to_take_the_low_tile() -> None:
    """Plain value iteration would need thousands of sweeps here: both pass until somebody throws 36."""
    game = solve_whole((21, 36))
    assert game.converged
    assert game.iterations < 30
    assert 0.5 < game.start_value < 0.51


def test_both_kernels_agree() -> None:
    pytest.importorskip("numba")
    slow = solve_whole((21, 25, 29), kernel="numpy")
    fast = solve_whole((21, 25, 29), kernel="numba")
    assert fast.table == pytest.approx(slow.table, abs=1e-13)


def test_values_do_not_depend_on_who_sits_where() -> None:
    game = solve_whole((21, 25), players=3)
    values = game.values(parse_position("pkp1 classic 25 21/-/- B -:?"))
    turned = game.values(parse_position("pkp1 classic 25 -/21/- C -:?"))
    assert turned == (values[2], values[0], values[1])
    assert sum(values) == pytest.approx(1)


def test_a_position_in_the_middle_of_a_turn() -> None:
    game = solve_whole((21, 25))
    position = parse_position("pkp1 classic 21 25/- B 55W:11244")
    assert [str(entry.move) for entry in game.moves(position)] == ["k1", "k2", "k4"]
    assert game.value(position) == max(entry.value for entry in game.moves(position))
    assert str(game.policy(position)) == "k4"
    assert game.values(position)[0] == pytest.approx(1 - game.value(position))


def test_a_steal_may_be_passed_over_only_where_the_rules_say_so() -> None:
    text = "pkp1 {} 21 25/- B 5555W:-"  # total 25: steal it, or take 21 (R3.3, figure 4e)
    for edition, moves in (("classic", ["r", "t21", "x25"]), ("classic+mandatory-steal", ["r", "x25"])):
        game = solve_whole((21, 25), edition)
        assert [str(entry.move) for entry in game.moves(parse_position(text.format(edition)))] == moves


def test_finished_games_and_foreign_positions() -> None:
    game = solve_whole((21, 25))
    assert game.values(parse_position("pkp1 classic - 21/25 - -:-")) == (0.0, 1.0)
    assert game.values(parse_position("pkp1 classic - -/- - -:-")) == (0.5, 0.5)
    assert game.moves(game.start) == ()
    with pytest.raises(InvalidPositionError, match="no seat is to act"):
        game.value(parse_position("pkp1 classic - 21/25 - -:-"))
    with pytest.raises(InvalidPositionError, match="no move is due"):
        game.policy(game.start)
    for text in (
        "pkp1 classic 21,25,29 -/- A -:?",  # another tile
        "pkp1 classic 25 -/- A -:?",  # 21 cannot be flipped while 25 is there (R4.2)
        "pkp1 classic 21,25 -/-/- A -:?",  # another seat
        "pkp1 classic+fast 21,25 -/- A -:?",  # other rules
    ):
        with pytest.raises(InvalidPositionError, match="small game classic 21,25 for 2"):
            game.value(parse_position(text))


def test_a_saved_table_is_the_game(tmp_path: Path) -> None:
    for players in (2, 3):
        game = solve_whole((21, 25), players=players, save=tmp_path / "table.npz")
        again = load_whole(tmp_path / "table.npz")
        assert again.table == pytest.approx(game.table, abs=0)
        assert (again.residual, again.converged, again.tiles) == (game.residual, True, (21, 25))
        position = parse_position(f"pkp1 classic 25 21/-{'/-' * (players - 2)} B W:1234555")
        assert again.moves(position) == game.moves(position)
        assert list(tmp_path.iterdir()) == [tmp_path / "table.npz"]  # nothing half-written is left


def test_interrupted_work_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    stops = iter(range(20))

    def interrupt(progress: SolvingProgress) -> None:
        if progress.level == progress.levels and next(stops, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_whole((21, 25, 29), save=path, progress=interrupt)
    half = load_whole(path)
    assert not half.complete
    assert half.levels_solved == 2
    levels = []
    game = solve_whole((21, 25, 29), save=path, resume=True, progress=lambda p: levels.append(p.level))
    assert set(levels) == {3}  # the solved ones are not solved again
    assert game.converged
    assert game.start_value == pytest.approx(solve_whole((21, 25, 29)).start_value, abs=1e-13)
    assert (
        solve_whole((21, 25, 29), save=path, resume=True).iterations == game.iterations
    )  # nothing left to do
    with pytest.raises(PickominoError, match="is the table of the small game classic 21,25,29 for 2"):
        solve_whole((21, 25), save=path, resume=True)


def test_what_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(b"not a table")
    with pytest.raises(PickominoError, match="not a table of a small game"):
        load_whole(path)
    edition = next(iter(TINY.values()))
    game = solve_whole(edition.values, edition, save=path)
    with pytest.raises(PickominoError, match="edition"):
        load_whole(path, find_edition("classic"))
    for again in (load_whole(path), load_whole(path, edition)):  # the file has the edition's own text
        assert again.start_value == game.start_value


@pytest.mark.parametrize(
    ("tiles", "edition", "players", "message"),
    [
        ((), "classic", 2, "at least one"),
        ((21, 21), "classic", 2, "none twice"),
        ((20,), "classic", 2, "classic has no tile 20"),
        ((21,), "deluxe", 8, "expected 2 to 7"),
        (range(21, 30), "deluxe", 2, "more than the"),
        ((21,), "classic", 8, "expected 2 to 7"),
        (range(21, 37), "classic", 2, "more than the"),
    ],
)
def test_games_that_cannot_be_solved(
    tiles: tuple[int, ...], edition: str, players: int, message: str
) -> None:
    with pytest.raises(PickominoError, match=message):
        solve_whole(tiles, edition, players)


def test_three_seats_may_go_in_circles_and_then_say_so() -> None:
    edition = TINY["tiny1-optional-nearest-keep-slow-shared"]
    game = solve_whole(edition.values, edition, players=3)
    assert game.complete
    assert not game.converged
    assert game.residual > 0.01


def test_the_bound_is_one() -> None:
    for tiles in (1, 2):
        for players in (2, 3):
            game = solve_whole(list(range(21, 21 + tiles)), players=players)
            assert game.positions <= count_bound(tiles, players)
    assert count_bound(1, 2) == 1
    assert Position.start("classic").moves() == ()


@pytest.mark.parametrize(("name", "value"), [("classic-21-25", 0.6127857238), ("deluxe-25", 0.7583296249)])
def test_tables_of_the_first_format_are_read(name: str, value: float) -> None:
    """Written by version 0.1.0, before positions of all editions were numbered alike; values of docs/small-games.md."""
    game = load_whole(Path(__file__).parents[1] / "data" / "small-games" / f"{name}.npz")
    assert game.complete
    assert game.start_value == pytest.approx(value, abs=1e-10)
    again = solve_from(game.start)
    for number in range(game.positions):
        position = again.space.position(number)
        assert game.values(position) == pytest.approx(again.values(position), abs=1e-11)
