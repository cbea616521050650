"""Files that are written whole or not at all."""

import stat
from contextlib import suppress
from pathlib import Path

from pickomino.files import replacing


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("old")
    with suppress(InterruptedError), replacing(path) as file:
        file.write(b"half of the n")
        raise InterruptedError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    path, link, secret = tmp_path / "game", tmp_path / "link", tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"new\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with replacing(secret, mode=0o600):
        assert [stat.S_IMODE(found.stat().st_mode) for found in tmp_path.glob(".secret*")] == [0o600]
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
