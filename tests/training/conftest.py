"""Without PyTorch one file says so, for all of this folder."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["test_champion_features.py"]
