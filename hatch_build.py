"""What the package says about itself that depends on where the project lives.

`home` in pyproject.toml is the one place for that address. From it come the project's links and, in the
long description, the addresses of pictures and pages. While there is none, the description does without them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Documentation": "docs/reference.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}


def description(readme: str, home: str) -> str:
    """The README for a package index, where a link to a file beside it would lead nowhere."""
    if home:
        readme = re.sub(r"(!\[[^]]*\])\((?!https?:|#)", rf"\1({home}/raw/main/", readme)
        return re.sub(r"((?<!!)\[[^]]*\])\((?!https?:|#)", rf"\1({home}/blob/main/", readme)
    readme = re.sub(r"^!\[[^]]*\]\([^)]*\)\n\n", "", readme, flags=re.MULTILINE)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", readme)


def links(home: str) -> dict[str, str]:
    return (
        {"Homepage": home, **{name: f"{home}/blob/main/{page}" for name, page in PAGES.items()}}
        if home
        else {}
    )


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        home = self.config["home"]
        text = description((Path(self.root) / "README.md").read_text("utf-8"), home)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = links(home)
