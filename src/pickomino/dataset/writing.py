"""A folder of Parquet files with a card: what it is, what made it, every file's checksum. It can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from pickomino import __version__
from pickomino.bots.champion.net import weights_digest
from pickomino.dataset.games import ChampionGames, meanings
from pickomino.dataset.parquet import Columns, write_columns
from pickomino.files import replacing
from pickomino.rules import PickominoError

CARD = "_card.json"  # readers of a folder pass over names that begin so

Part: TypeAlias = tuple[str, dict[str, int], Callable[[], Columns]]
"""A file: its name, what it counts beside rows, and what makes its columns."""


def write_games(
    out: Path,
    played: ChampionGames,
    games: int,
    per_file: int,
    seed: int,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
) -> dict[str, Any]:
    """Write what is missing of so many games; the card."""
    if games < 1 or per_file < 1 or games % per_file:
        raise PickominoError(f"{games} games, {per_file} per file: expected at least one, and whole files")
    edition, seats = played.edition, played.rules.seats
    card: dict[str, Any] = {
        "title": f"Turns of games that pickomino's champion plays against itself: {edition.key}, {seats} seats",
        "made_with": {"version": __version__, "weights": weights_digest(edition, seats)},
        "edition": edition.key,
        "seats": seats,
        "seed": seed,
        "games_per_file": per_file,
        "columns": meanings(edition, seats),
        "endings": played.endings,
        "known_errors": "Values are estimates by a learned net one turn ahead, not exact; see docs/champion.md. On "
        "another machine, or a GPU, sums are rounded otherwise, and games come apart where two moves are nearly equal.",
    }

    def part(first: int) -> Part:
        return (
            f"games-{first // per_file:05}.parquet",
            {"games": per_file},
            lambda: played.play(first, per_file, seed),
        )

    return write_folder(out, card, map(part, range(0, games, per_file)), report)


def write_folder(
    out: Path,
    card: dict[str, Any],
    parts: Iterable[Part],
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
) -> dict[str, Any]:
    """Write the files that are missing; the card, with every file's checksum and the sums of what they count."""
    out.mkdir(parents=True, exist_ok=True)
    files, whole = _kept(out, card), card
    for name, counts, columns in parts:
        if name not in files:
            found = columns()
            write_columns(out / name, found)
            rows = len(next(iter(found.values())))
            files[name] = {**counts, "rows": rows, "sha256": _digest(out / name)}
            report({"file": name, **files[name]})
        sums = {key: sum(file[key] for file in files.values()) for key in (*counts, "rows")}
        whole = card | sums | {"files": files}
        with replacing(out / CARD) as file:
            file.write(json.dumps(whole, indent=1).encode())
    return whole


def _kept(out: Path, card: dict[str, Any]) -> dict[str, Any]:
    """The files that are there and as the card says."""
    try:
        before = json.loads((out / CARD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise PickominoError(f"{out / CARD}: expected a card, found {error}") from None
    different = [key for key, value in card.items() if before.get(key) != value]
    if different:
        raise PickominoError(
            f"{out}: it holds other data ({', '.join(different)}); expected the same settings or an empty folder"
        )
    entries = before["files"].items()
    return {name: entry for name, entry in entries if _digest(out / name) == entry["sha256"]}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
