"""Records of the games: a part for every chunk while the arena runs, one file at the end."""

from __future__ import annotations

import os
import shutil

from pickomino.arena.chunk import Chunk
from pickomino.arena.spec import Spec
from pickomino.files import replacing
from pickomino.rules import PickominoError


def cannot_write(path: str, error: OSError | ValueError) -> PickominoError:
    """ValueError: a path that no system takes."""
    reason = error.strerror if isinstance(error, OSError) else None
    return PickominoError("cannot write {path!r}: {reason}", path=path, reason=reason or error)


class RecordParts:
    """The folder ``FILE.parts``; a part is written beside its place and moved there, so it is whole or not there."""

    def __init__(self, path: str, spec: Spec, limit: int | None = None, *, resume: bool = False) -> None:
        self.path = path
        self.folder = f"{path}.parts"
        games = spec.games_played if limit is None else min(limit, spec.games_played)
        a_chunk = spec.chunk_groups * spec.players
        self.wanted = {
            number: min(a_chunk, games - number * a_chunk) for number in range(-(-games // a_chunk))
        }
        try:
            if not resume:
                shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder, exist_ok=True)
        except (OSError, ValueError) as error:
            raise cannot_write(path, error) from None

    def _part(self, number: int) -> str:
        return os.path.join(self.folder, f"{number}.pkgn")

    def has(self, number: int) -> bool:
        """Whether a chunk's records are there, or not wanted."""
        return number not in self.wanted or os.path.exists(self._part(number))

    def add(self, chunk: Chunk) -> None:
        if chunk.records is None:
            return
        with replacing(self._part(chunk.number)) as file:
            file.write(chunk.records.encode())

    def join(self) -> None:
        """All parts in order as one file; a blank line between records."""
        with replacing(self.path) as file:
            for number in self.wanted:
                with open(self._part(number), "rb") as part:
                    if number:
                        file.write(b"\n")
                    shutil.copyfileobj(part, file)
        shutil.rmtree(self.folder, ignore_errors=True)
