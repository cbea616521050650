"""The notebooks run from top to bottom, without Jupyter: their cells are Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def run(path: Path) -> dict[str, Any]:
    """What the cells leave behind."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        assert not cell.get("outputs")  # they are made by whoever runs it
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
    return names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    names = run(path)
    if path.stem == "learn-and-measure":
        assert names["losses"][-1] < 0.01  # `cautious` loses 0.29 there
    else:
        assert names["result"].outcome.winners
