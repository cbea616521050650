"""Tables of champion games: each turn is one of the rules, values are the champion's, and files can be gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pickomino import parse_position
from pickomino.bots.champion.win import win_shares
from pickomino.dataset.__main__ import main
from pickomino.dataset.games import ChampionGames
from pickomino.dataset.parquet import Columns, read_columns, write_columns
from pickomino.dataset.solved import write_solved
from pickomino.dataset.writing import CARD, write_games
from pickomino.rules import PickominoError, Position, find_edition
from pickomino.solver import TurnSolver, after
from pickomino.solver.whole import solve_whole
from pickomino.tensor import Arrays

CLASSIC = find_edition("classic")
START = parse_position("pkp1 classic 21-36 -/- A -:?")


@pytest.fixture(scope="module")
def played() -> ChampionGames:
    return ChampionGames(CLASSIC, 2, Arrays())


@pytest.fixture(scope="module")
def folder(played: ChampionGames, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("games")
    write_games(out, played, games=1, per_file=1, seed=7)
    return out


def position(columns: Columns, row: int) -> Position:
    """From the columns as they are documented."""
    codes = {tile: int(columns[f"tile{tile}"][row]) for tile in CLASSIC.values}
    return placed(codes, int(columns["seat"][row]))


def placed(codes: dict[int, int], seat: int) -> Position:
    stacks: list[tuple[int, ...]] = [(), ()]
    for ahead in range(2):
        heights = {code - 16 * ahead: tile for tile, code in codes.items() if 0 < code - 16 * ahead <= 16}
        stacks[(seat + ahead) % 2] = tuple(heights[at] for at in sorted(heights))
    return replace(
        START, grill=tuple(tile for tile in codes if not codes[tile]), stacks=tuple(stacks), seat=seat
    )


def test_turns_are_those_of_the_rules_and_values_the_champions(played: ChampionGames, folder: Path) -> None:
    columns = read_columns(folder / "games-00000.parquet")
    rows = len(columns["game"])
    assert (columns["turn"] == np.arange(rows)).all()
    positions = [position(columns, row) for row in range(rows)]
    assert positions[0] == START
    for row, (before, following) in enumerate(pairwise(positions)):
        tiles = [before.stacks[before.seat], following.stacks[before.seat]]
        ending = played.endings[columns["ending"][row]]
        ends = [str(end) for found in TurnSolver(before).endings for end in after(before, found)]
        assert str(following) in ends
        gained = {"b": -1 if tiles[0] else 0}.get(ending[0], 1)
        assert len(tiles[1]) - len(tiles[0]) == gained, ending
        assert ending[0] != "t" or ending == f"t{tiles[1][-1]}"
    for row in (0, rows // 2, rows - 1):
        seat, shares = positions[row].seat, win_shares(positions[row])
        found = [columns["value0"][row], columns["value1"][row]]
        assert found == pytest.approx([shares[seat], shares[1 - seat]], abs=1e-5)
    winner = columns["seat"][columns["won"] == 1]
    assert len(set(winner.tolist())) == 1
    assert len(winner) == (columns["seat"] == winner[0]).sum()


def test_it_goes_on_where_it_was(played: ChampionGames, folder: Path) -> None:
    file = folder / "games-00000.parquet"
    before = file.read_bytes(), file.stat().st_mtime_ns
    fresh: list[str] = []
    card = write_games(folder, played, 2, 1, 7, lambda entry: fresh.append(entry["file"]))
    assert fresh == ["games-00001.parquet"]
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert card == json.loads((folder / CARD).read_text())
    assert card["files"][file.name]["sha256"] == sha256(before[0]).hexdigest()
    assert list(card["columns"]) == list(read_columns(file))
    file.write_bytes(before[0][:-1])  # broken: it is made again, to the byte
    write_games(folder, played, 2, 1, 7)
    assert file.read_bytes() == before[0]
    with pytest.raises(PickominoError, match=r"it holds other data \(seed\)"):
        write_games(folder, played, 2, 1, 8)


def test_what_cannot_be_written_is_refused(played: ChampionGames, tmp_path: Path) -> None:
    with pytest.raises(PickominoError, match="whole files"):
        write_games(tmp_path, played, 3, 2, 1)
    with pytest.raises(PickominoError, match="without specialists"):
        ChampionGames(find_edition("deluxe"), 2, Arrays())
    with pytest.raises(PickominoError, match="column a: uint8"):
        write_columns(tmp_path / "a.parquet", {"a": np.zeros(2, dtype=np.uint8)})


def test_solved_games_have_exact_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command, from a table that was saved; every row is a turn start with the solver's values."""
    game = solve_whole((21, 25, 29))
    game.save(tmp_path / "table.npz")
    out = str(tmp_path / "solved")
    assert main(["--solved", str(tmp_path / "table.npz"), "--out", out]) == 0
    assert "36 turn starts" in capsys.readouterr().out  # as docs/bench.md counts them
    card = json.loads(Path(out, CARD).read_text())
    columns = read_columns(Path(out, "solved-00000.parquet"))
    assert list(card["columns"]) == list(columns)
    assert (card["rows"], card["converged"]) == (36, True)
    found = set()
    for row in range(card["rows"]):
        codes = {tile: int(columns[f"tile{tile}"][row]) for tile in card["tiles"]}
        start = placed({tile: codes.get(tile, -1) for tile in CLASSIC.values}, 0)
        found.add(str(start))
        values = columns["value0"][row], columns["value1"][row]
        assert values == pytest.approx(game.values(start), abs=1e-15)
    assert len(found) == 36
    with pytest.raises(PickominoError, match="without specialists"):
        write_solved(tmp_path, solve_whole((21,), "deluxe"))
    assert main(["--solved", str(tmp_path / "nothing.npz"), "--out", out]) == 2


def test_parquet_to_the_byte(tmp_path: Path) -> None:
    """Many columns of all types come back; head and footer are what pyarrow 26 reads such columns from."""
    path, random = tmp_path / "a.parquet", np.random.default_rng(1)
    columns = {
        name: random.integers(-100, 100, 50).astype(name)
        for name in ("int8", "int16", "int32", "int64", "float32", "float64")
    }
    columns |= {f"more{index}": columns["int8"] for index in range(20)}
    write_columns(path, columns)
    found = read_columns(path)
    assert list(found) == list(columns)
    for name, column in columns.items():
        assert found[name].dtype == column.dtype
        assert (found[name] == column).all()
    data = path.read_bytes()
    assert data.startswith(b"PAR1\x15\x00\x15\x90\x03")  # a data page of 200 bytes
    path.write_bytes(data[:-1])
    with pytest.raises(PickominoError, match="expected a Parquet file"):
        read_columns(path)
