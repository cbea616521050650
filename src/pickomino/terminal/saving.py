"""Games kept in a file: written whole and atomically, so that neither Ctrl-C nor a kill loses a turn."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from pickomino.files import replacing
from pickomino.notation import Record, format_record, parse_record
from pickomino.rules import PickominoError


class SavingError(PickominoError):
    """A file that cannot be read or written, or holds no game to go on with."""


@dataclass(slots=True)
class Keeper:
    """Writes one record into a file again and again; what else the file holds stays as it is."""

    path: Path
    before: str = ""
    after: str = ""
    saved: bool = False  # at least once

    def save(self, record: Record) -> None:
        """The file as it should be, in one step: a reader sees the old text or the new one."""
        text = self.before + format_record(record) + self.after
        try:
            with replacing(self.path) as file:
                file.write(text.encode("utf-8", errors="surrogateescape"))
        except OSError as error:
            raise SavingError(
                "cannot write {path!r}: {reason}", path=str(self.path), reason=error.strerror or error
            ) from None
        self.saved = True


def _read(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise SavingError("{path!r} is not a regular file", path=str(path))
        return path.read_bytes().decode("utf-8", errors="surrogateescape")
    except (FileNotFoundError, SavingError):
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise SavingError("cannot read {path!r}: {reason}", path=str(path), reason=reason or error) from None


def _chunks(text: str) -> list[str]:
    """What stands before the first record, then the records: each begins with a line ``[PKGN …``."""
    return re.split(r"(?m)^(?=[ \t]*\[PKGN)", text)


def keep_after(path: Path) -> Keeper:
    """A keeper that adds its record behind those that the file holds already."""
    try:
        text = _read(path)
    except FileNotFoundError:
        return Keeper(path)
    if not text.strip():
        return Keeper(path)
    first, *records = _chunks(text)
    if not records or any(line.strip() and not line.lstrip().startswith(";") for line in first.splitlines()):
        raise SavingError("{path!r} exists and is not a file of game records", path=str(path))
    return Keeper(path, text.rstrip("\n") + "\n\n")


def unfinished(path: Path) -> tuple[Record, Keeper]:
    """The last unfinished game of a file, and a keeper that replaces just that record."""
    try:
        chunks = _chunks(_read(path))
    except FileNotFoundError:
        raise SavingError("cannot read {path!r}: no such file", path=str(path)) from None
    problem = ""
    for index in range(len(chunks) - 1, 0, -1):
        try:
            record = parse_record(chunks[index])
        except PickominoError as error:
            problem = problem or error.args[0]
            continue
        if not record.game.over:
            after = "".join(chunks[index + 1 :])
            return record, Keeper(path, "".join(chunks[:index]), f"\n{after}" if after else "")
    if problem:
        raise SavingError(
            "no unfinished game in {path!r}; a record in it is bad: {problem}",
            path=str(path),
            problem=problem,
        )
    raise SavingError("no unfinished game in {path!r}", path=str(path))


# --- games that are kept in a default place ---


def _folder() -> Path:
    """Where programs of this system keep what they do on their own."""
    return platformdirs.user_state_path("pickomino", appauthor=False).expanduser() / "games"


def new_game_file() -> Keeper | None:
    """A keeper for a game that begins now; None where there is no place for one."""
    try:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: nobody's home
        return None
    now = time.time()
    stamp = (
        f"{time.strftime('%Y-%m-%d-%H%M%S', time.localtime(now))}-{os.getpid()}-{int(now * 1000) % 1000:03}"
    )
    return Keeper(folder / f"{stamp}.pkgn") if os.access(folder, os.W_OK) else None


def last_game() -> tuple[Record, Keeper] | None:
    """The last game that was kept in the default place, if it is not over."""
    try:
        files = sorted(_folder().glob("*.pkgn"), key=lambda path: path.stat().st_mtime)
    except (OSError, RuntimeError):
        return None
    if not files:
        return None
    try:
        return unfinished(files[-1])
    except SavingError:
        return None
