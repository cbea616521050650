from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games that are kept by themselves go to a folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
