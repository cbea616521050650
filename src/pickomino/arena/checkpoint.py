"""What is finished, on disk: a line of JSON for the specification, then one for every chunk, only ever added to.

A process that is killed can at worst leave half a line at the end, which is cut off when the run goes on.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any, Final

from pickomino.arena.chunk import Chunk
from pickomino.arena.origin import made_with
from pickomino.arena.records import cannot_write
from pickomino.arena.spec import Spec
from pickomino.rules import PickominoError

FORMAT: Final = "pickomino arena 1"


class Checkpoint:
    """A checkpoint file that is open for more; `finished` are the chunks that it held."""

    def __init__(self, path: str, spec: Spec, *, resume: bool = False) -> None:
        self.path = path
        self.finished: dict[int, Chunk] = {}
        header = {"format": FORMAT, **spec.as_json(), **made_with(spec)}
        size = os.path.getsize(path) if os.path.exists(path) else 0
        if size and not resume:
            raise PickominoError(
                "{path!r} exists: add --resume to continue from it, or name another file", path=path
            )
        try:
            self._file = open(path, "a+b")  # noqa: SIM115 (closed by close)
        except (OSError, ValueError) as error:
            raise cannot_write(path, error) from None
        try:
            if not (size and self._load(spec, header)):
                self._append(header)
        except BaseException:
            self._file.close()
            raise

    def _load(self, spec: Spec, header: dict[str, Any]) -> bool:
        """Reads what is there; False where not even the first line was finished."""
        self._file.seek(0)
        whole, found = 0, None
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line)
            except ValueError:
                entry = None
            if found is None:
                found = entry
                self._check(found, header)
            else:
                chunk = _chunk(entry)
                if chunk is None:
                    raise PickominoError(
                        "{path!r}, line {number}: expected a finished chunk", path=self.path, number=number
                    )
                if chunk.fits(spec):  # the last chunk of fewer games does not serve more of them
                    self.finished[chunk.number] = chunk
            whole += len(line)
        if found is None and self._file.seek(0) == 0 and not self._looks_ours():
            raise PickominoError("{path!r} is not a checkpoint of an arena", path=self.path)
        self._file.truncate(whole)
        return found is not None

    def _looks_ours(self) -> bool:
        begin = json.dumps({"format": FORMAT})[:-1].encode()
        return begin.startswith(head := self._file.read(len(begin))) or head.startswith(begin)

    def _check(self, found: object, header: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise PickominoError("{path!r} is not a checkpoint of an arena", path=self.path)
        for key, value in header.items():
            if found.get(key) != value:
                raise PickominoError(
                    "{path!r} belongs to another arena: its {key} is {get!r}, not {value!r}",
                    path=self.path,
                    key=key,
                    get=found.get(key),
                    value=value,
                )

    def add(self, chunk: Chunk) -> None:
        """On disk when this returns."""
        self._append(chunk.as_json())

    def _append(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry).encode("ascii") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _chunk(entry: object) -> Chunk | None:
    if not isinstance(entry, dict):
        return None
    number, ranks, unfinished = (entry.get(key) for key in ("chunk", "ranks", "unfinished"))
    luck, failures = entry.get("luck", ""), entry.get("failures", [])
    if not isinstance(number, int) or not isinstance(ranks, str) or not isinstance(unfinished, int):
        return None
    if not isinstance(luck, str) or not re.fullmatch(r"(-?\d+( -?\d+)*)?", luck):
        return None
    if not isinstance(failures, list) or not all(isinstance(count, int) for count in failures):
        return None
    return Chunk(number, ranks, unfinished, luck=luck, failures=tuple(failures))
