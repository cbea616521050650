"""One real run: the app in a terminal of its own, from the menu to Ctrl+C."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

Tmux = Callable[..., str]


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """Commands to a tmux server that nobody else has."""

    def run(*argv: str) -> str:
        command = ["tmux", "-S", str(tmp_path / "socket"), "-f", os.devnull, *argv]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout

    yield run
    run("kill-server")


def seen(tmux: Tmux, words: str) -> str:
    """What is on the screen once the words are."""
    for _ in range(600):
        screen = tmux("capture-pane", "-p")
        if words in screen:
            return screen
        time.sleep(0.1)
    raise AssertionError(f"{words!r} does not come:\n{screen}")


def test_a_sitting(tmux: Tmux, tmp_path: Path) -> None:
    command = f"{sys.executable} -m pickomino; exec cat"
    settings = {
        "LANG": "fr_FR.UTF-8",
        "LC_ALL": "",
        "XDG_STATE_HOME": str(tmp_path),
        "TERM": "screen-256color",
    }
    given = [word for name, value in settings.items() for word in ("-e", f"{name}={value}")]
    tmux("new-session", "-d", "-x", "80", "-y", "24", *given, command)
    seen(tmux, "Nouvelle partie")
    tmux("send-keys", "n")
    seen(tmux, "Garder quelle face ?")
    tmux("send-keys", "Enter")  # keeps the group under the cursor
    seen(tmux, "▸ Lancer")
    tmux("send-keys", "l")
    assert "Tu gardes" in seen(tmux, "CE QUI S'EST PASSÉ")
    tmux("send-keys", "C-c")
    assert "Traceback" not in seen(tmux, "Enregistré. Pour continuer : pickomino")
    assert len(list(tmp_path.rglob("*.pkgn"))) == 1
