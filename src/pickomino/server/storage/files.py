"""Files that are their owner's only, and the right to serve a database."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there it is the operator's care
    fcntl = None  # type: ignore[assignment]


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def make_private(path: Path) -> None:
    """A database holds the signing key and the dice secrets: its owner's only, from the first byte. SQLite gives the
    files beside it the same mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            beside(path, suffix).chmod(0o600)


def lock(path: Path) -> int:
    """The right to serve a database, held while the file that is given is open: games live in a process's memory, and
    two processes would each play their own. A file beside it, since SQLite keeps locks on its own files."""
    held = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    if fcntl is not None:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            raise RuntimeError("another process is using it") from None
    return held
