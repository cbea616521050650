from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games that are kept by themselves go to a folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))  # also for processes that a test starts
    if sys.platform in ("win32", "darwin"):  # where such places are not told by the environment
        monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path / "state" / "pickomino")
        monkeypatch.setattr(
            "platformdirs.user_state_dir", lambda *_, **__: str(tmp_path / "state" / "pickomino")
        )
