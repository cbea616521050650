"""A table that `WholeGame.save` wrote, read again."""

from __future__ import annotations

import json
import os
import zipfile
from typing import IO, Any

import numpy as np

from pickomino.rules import Edition, Phase, PickominoError, Position, edition_text, find_edition, said
from pickomino.rules.errors import quote
from pickomino.rules.specialists import Specialists
from pickomino.solver.whole.game import FORMAT, RESULTS, WholeGame
from pickomino.solver.whole.small import small_start
from pickomino.solver.whole.space import Space

_OLD = "pickomino small game 1"  # as `FORMAT`, with the start described elsewhere and positions as rows of digits


def load_whole(path: str | os.PathLike[str], edition: Edition | None = None) -> WholeGame:
    """A table that `WholeGame.save` wrote; `edition`: which it should be, and its key if that is one of your own."""
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            about, arrays = _read(file)
        known = edition if edition is not None else find_edition(about["edition"])
        if about["edition"] not in (known.key, edition_text(known)):  # the key: of files from before
            raise PickominoError(
                "{name!r} is for another edition than {key!r}: {about}",
                name=name,
                key=known.key,
                about=quote(about["edition"]),
            )
        return _game(known, about, arrays)
    except PickominoError:
        raise
    except (KeyError, IndexError, ValueError, zipfile.BadZipFile, EOFError, TypeError) as error:
        raise PickominoError(
            "{name!r} is not a table of a small game: {error}", name=name, error=error
        ) from None


def _read(file: IO[bytes]) -> tuple[dict[str, Any], dict[str, Any]]:
    if not zipfile.is_zipfile(file):  # NumPy would speak of pickles
        raise ValueError(said("expected a file that WholeGame.save or solve --save wrote"))
    file.seek(0)
    with np.load(file, allow_pickle=False) as stored:
        about = json.loads(str(stored["about"]))
        if not isinstance(about, dict) or about.get("format") not in (FORMAT, _OLD):
            raise ValueError(said("expected the format {format!r}", format=FORMAT))
        return about, {name: stored[name] for name in stored.files}


def _game(edition: Edition, about: dict[str, Any], arrays: dict[str, Any]) -> WholeGame:
    values, results = arrays["values"], [about[name] for name in RESULTS]
    if about["players"] == 2:
        values = np.concatenate([values, 1 - values], axis=1)
    if about["format"] == _OLD and "start" not in about:
        start = small_start(edition, about["tiles"], about["players"])
    else:
        start = _start(edition, about.get("start", about))
    known = arrays["rows"] if "rows" in arrays else arrays["codes"]
    space = Space(start, known)
    if values.shape != (space.count, space.players):
        raise ValueError(said("values are missing"))
    codes = space.coded(known)
    order = np.argsort(codes)
    values = values[order[np.searchsorted(codes, space.codes, sorter=order)]]
    return WholeGame(space, values, *results)


def _start(edition: Edition, about: dict[str, Any]) -> Position:
    specialists = None
    if "held" in about:
        standing = tuple((tile, name) for tile, name in about["standing"])
        specialists = Specialists(standing, tuple(map(tuple, about["held"])), tuple(about["round_worms"]))
    stacks = tuple(map(tuple, about["stacks"]))
    return Position(edition, tuple(about["grill"]), stacks, 0, Phase.ROLL, specialists=specialists)
