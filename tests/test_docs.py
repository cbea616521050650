"""What the documentation says to type. Python in it is doctest, and its links are followed when the site is built."""

import re
import shlex
from pathlib import Path

import pytest

from pickomino.cli import COMMANDS, command_parser

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TYPED = re.compile(r"^(?: {4}|\s*)(?:\$ )?pickomino( [^\n]*)?$", re.MULTILINE)


def test_every_command_line_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command exists and takes these options; house editions are found from the root, as a reader would type it."""
    monkeypatch.chdir(ROOT)
    names, seen = {command.name for command in COMMANDS}, 0
    for page in PAGES:
        for line in TYPED.findall(page.read_text("utf-8")):
            words = shlex.split(re.split(r"\s#\s|\s[<>]\s", line)[0])
            if not words or words[0].startswith("-"):
                continue
            where = f"{page.relative_to(ROOT)}: pickomino{line}"
            assert words[0] in names, where
            try:
                command_parser(words[0])[1].parse_intermixed_args(words[1:])
            except Exception as error:
                raise AssertionError(where) from error
            seen += 1
    assert seen > 40  # the pattern still finds them
