"""The drawn positions of the documentation:   python tools/drawings.py

`docs/how-to-play.md` and others show them; a test draws them again and compares.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pickomino import Position, parse_position, svg

PICTURES: Final = Path(__file__).parent.parent / "docs/pictures"
DRAWINGS: Final = {
    "play-start": str(Position.start()),
    "play-roll": "pkp1 classic 21-36 -/- A -:112345WW",
    "play-kept": "pkp1 classic 21-36 -/- A 55WW:-",
    "play-steal": "pkp1 classic 21-24,26-36 -/25 A 555WW:-",
    "position": "pkp1 classic 21,23,24,26-28,30-32,34 25,22/29/33 A 2244WW:-",
}


def drawing(name: str) -> str:
    return svg(parse_position(DRAWINGS[name]), ["Anna", "Ben", "Cleo"])


if __name__ == "__main__":
    for name in DRAWINGS:
        (PICTURES / f"{name}.svg").write_text(drawing(name), "utf-8")
