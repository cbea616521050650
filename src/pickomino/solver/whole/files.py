"""A table that `WholeGame.save` wrote, read again."""

from __future__ import annotations

import json
import os
import zipfile
from typing import IO, Any

import numpy as np

from pickomino.rules import Edition, Phase, PickominoError, Position, find_edition
from pickomino.rules.specialists import Specialists
from pickomino.solver.whole.game import FORMAT, RESULTS, WholeGame
from pickomino.solver.whole.numbered import Group, Numbered
from pickomino.solver.whole.reached import Reached
from pickomino.solver.whole.reached_game import ReachedGame
from pickomino.solver.whole.space import Space
from pickomino.solver.whole.tile_game import TileGame

__all__ = ["load_whole"]


def load_whole(path: str | os.PathLike[str], edition: Edition | None = None) -> WholeGame:
    """A table that `WholeGame.save` wrote; an edition of your own making has no text form: name it."""
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            about, arrays = _read(file)
        known = edition if edition is not None else find_edition(about["edition"])
        if known.key != about["edition"]:
            raise PickominoError(f"{name!r} is for edition {about['edition']!r}, not {known.key!r}")
        return _game(known, about, arrays)
    except PickominoError:
        raise
    except (KeyError, IndexError, ValueError, zipfile.BadZipFile, EOFError, TypeError) as error:
        raise PickominoError(f"{name!r} is not a table of a small game: {error}") from None


def _read(file: IO[bytes]) -> tuple[dict[str, Any], dict[str, Any]]:
    with np.load(file, allow_pickle=False) as stored:
        about = json.loads(str(stored["about"]))
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise ValueError(f"expected the format {FORMAT!r}")
        return about, {name: stored[name] for name in stored.files}


def _game(edition: Edition, about: dict[str, Any], arrays: dict[str, Any]) -> WholeGame:
    values, results = arrays["values"], [about[name] for name in RESULTS]
    if about["players"] == 2:
        values = np.concatenate([values, 1 - values], axis=1)
    if "start" in about:
        reached = Reached(_start(edition, about["start"]), (arrays["rows"], arrays["links"]))
        _check(reached, values)
        return ReachedGame(reached, values, *results)
    groups = tuple(Group(*row) for row in arrays["groups"].tolist())
    space = Space(edition, about["tiles"], about["players"], (arrays["codes"], groups))
    _check(space, values)
    return TileGame(space, values, *results)


def _check(space: Numbered, values: Any) -> None:
    if values.shape != (space.count, space.players):
        raise ValueError("values are missing")


def _start(edition: Edition, about: dict[str, Any]) -> Position:
    specialists = None
    if "held" in about:
        standing = tuple((tile, name) for tile, name in about["standing"])
        specialists = Specialists(standing, tuple(map(tuple, about["held"])), tuple(about["round_worms"]))
    stacks = tuple(map(tuple, about["stacks"]))
    return Position(edition, tuple(about["grill"]), stacks, 0, Phase.ROLL, specialists=specialists)
