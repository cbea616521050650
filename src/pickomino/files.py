"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends


@contextmanager
def replacing(path: str | os.PathLike[str], *, mode: int | None = None) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` in one step once the block is done; if the block fails, what was
    there stays. The new file has `mode` from its first byte, or the permissions of the old one; a link stays a link."""
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    if mode is None and target.exists():
        mode = target.stat().st_mode & 0o7777
    try:
        with open(
            os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, mode or 0o666), "wb"
        ) as file:
            if mode is not None:
                draft.chmod(mode)  # whatever the process's mask says
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
