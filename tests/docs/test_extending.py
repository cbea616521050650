"""The worked examples of docs/extending.md, put where the page says and tried."""

from __future__ import annotations

import importlib
import random
import re
import sys
from pathlib import Path

import pytest

from pickomino import load_edition, parse_position
from pickomino.cli import command_parser
from pickomino.testing import check_bot

ROOT = Path(__file__).parent.parent.parent


def example(language: str, start: str) -> str:
    """The one block of code on the page that contains this line."""
    text = (ROOT / "docs/extending.md").read_text("utf-8")
    (block,) = [code for code in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if start in code]
    assert isinstance(block, str)
    return block


def test_an_edition() -> None:
    edition = load_edition(example("toml", "Tiny worms"))
    assert (edition.dice, len(edition.tiles)) == (6, 12)  # the page: six dice, tiles 11 to 22


def test_a_bot() -> None:
    namespace: dict[str, type] = {}
    exec(example("python", "class Greedy"), namespace)
    bot = namespace["Greedy"]()
    check_bot(bot, editions=["classic"])
    claim = bot.choose(parse_position("pkp1 classic 21-36 -/- A 1WWWW:-"), random.Random(1))
    assert str(claim) == "t21"


def test_a_subcommand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import pickomino.cli

    (tmp_path / "worms.py").write_text(example("python", "Count the worms"), "utf-8")
    monkeypatch.setattr(pickomino.cli, "__path__", [*pickomino.cli.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    module, parser = command_parser("worms")
    del sys.modules["pickomino.cli.worms"]
    assert module.run(parser.parse_args(["pkp1 classic 23-36 21/22 A -:?"])) == 0
    assert capsys.readouterr().out == "A 1\nB 1\n"  # 21 and 22 have one worm each


def test_a_screen_of_the_terminal() -> None:
    from pickomino.terminal.skins import SKINS
    from pickomino.terminal.speech import Speech

    namespace: dict[str, type] = {}
    exec(example("python", "class AboutScreen"), namespace)
    screen = type("Shown", (namespace["AboutScreen"],), {"skin": SKINS["dark"], "speech": Speech("en")})()
    (part,) = screen.parts(80, 24)
    assert part.lines[0].plain == "Press any key for the menu."


def test_the_places_that_the_page_names_are_there() -> None:
    source = ROOT / "src/pickomino"
    for path, text in (
        ("web/js/main.js", '} else if (hash.has("practise")'),
        ("web/js/i18n.js", "export const LANGUAGES"),
        ("locale/__init__.py", "_NONE_IS_ONE"),
        ("locale/__init__.py", "_THOUSANDS"),
        ("terminal/app.py", "async def _switch(self, screen: StageScreen)"),
        ("terminal/menu.py", "def _rows("),
        ("terminal/menu.py", "async def _go("),
        ("cli/__init__.py", "COMMANDS"),
    ):
        assert text in (source / path).read_text("utf-8"), path
