"""Copies of a SQLite database: made while it is in use, kept in turn, put back."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from pickomino.server.storage import sql
from pickomino.server.storage.files import beside, lock, make_private
from pickomino.server.storage.sqlite import connect
from pickomino.server.tokens import new_id


def copy_database(source: Path, target: Path) -> None:
    """A consistent copy of a database that may be in use. It appears under its name only when it is whole, and
    does not pass for the original: see `SqliteStorage.was_restored`."""
    if not source.is_file():
        raise FileNotFoundError(2, "no such database", str(source))
    part = beside(target, ".part")
    part.unlink(missing_ok=True)
    make_private(part)
    with closing(connect(source)) as reader, closing(sqlite3.connect(part)) as copy:
        reader.backup(copy, pages=1024)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        copy.execute(sql.PUT_META, ("place", f"copy {new_id()}"))
        copy.commit()
    part.replace(target)


def back_up(source: Path, target: Path, keep: int | None = None) -> None:
    """A copy as a file; or in a folder, by its time, and of those there the newest stay."""
    if not target.is_dir():
        copy_database(source, target)
        return
    now = time.time()
    stamp = time.strftime("%Y-%m-%dT%H-%M-%S", time.gmtime(now)) + f"-{now % 1 * 1e6:06.0f}"
    copy_database(source, target / f"{source.stem}-{stamp}Z{source.suffix}")
    copies = sorted(target.glob(f"{source.stem}-????-??-??T??-??-??-??????Z{source.suffix}"))
    for old in copies[:-keep] if keep else ():
        old.unlink()


def restore(copy: Path, target: Path) -> None:
    """Put a copy in the place of a database that nobody serves."""
    held = lock(target)
    try:
        copy_database(copy, new := beside(target, ".restored"))
        for suffix in ("-wal", "-shm"):  # of what was there before
            beside(target, suffix).unlink(missing_ok=True)
        new.replace(target)
    finally:
        os.close(held)
