"""Licences of what the package is made of and uses:   python tools/licences.py

Writes ``docs/licences.md`` from the metadata of what is installed.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["licence", "page", "runtime"]

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs/licences.md"
LOCKED: Final = ("arena", "drill", "envs", "fast", "openspiel", "postgres", "redis", "table", "terminal")
"""The extras whose packages are in requirements/test.txt."""
# Other spellings of the same licence in the wild, by the text that stands in the metadata.
_SPELLED: Final = {
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}


def declared() -> dict[str, list[Requirement]]:
    """What the project asks for, by extra; "" is what it always needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: [Requirement(need) for need in needs] for extra, needs in wanted.items()}


def runtime(extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """Every distribution that the package needs with these extras, theirs included, by name."""
    wanted = declared()
    waiting = [need for extra in ("", *extras) for need in wanted[extra]]
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        if need.marker is not None and not need.marker.evaluate({"extra": ""}):
            continue
        found[name] = distribution(name)
        for extra in ({""} | need.extras) - {extra for known, extra in seen if known == name}:
            seen.add((name, extra))
            for text in found[name].requires or ():
                inner = Requirement(text)
                if inner.marker is None or inner.marker.evaluate({"extra": extra}):
                    inner.marker = None
                    waiting.append(inner)
    return found


def licence(found: Distribution) -> str:
    """As an SPDX expression where the package or the table above has one."""
    about = found.metadata.json
    classified = [
        line.rsplit(" :: ", 1)[1] for line in about.get("classifier", []) if line.startswith("License ::")
    ]
    text = about.get("license_expression") or (classified[0] if classified else about.get("license", ""))
    text = str(text).split("\n")[0]
    return _SPELLED.get(text, text)


_INTRO: Final = """\
# Licences

Pickomino is under the [MIT licence](../LICENSE). The page's typeface, Fredoka, is under the SIL Open Font License 1.1;
its text is in `src/pickomino/web/fonts/LICENSE` and in the package.

What the package uses with any of its extras, as these packages say themselves (Ray, extra `cluster`, is Apache-2.0;
PyTorch, extra `train`, is BSD-3-Clause). Written by `python tools/licences.py`.

| package | licence |
|---|---|
"""


def page() -> str:
    lines = (f"| {name} | {licence(found)} |\n" for name, found in sorted(runtime(LOCKED).items()))
    return _INTRO + "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
