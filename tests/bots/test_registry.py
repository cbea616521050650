"""Names, descriptions, bots of other packages, and how little an import costs."""

import logging
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pickomino.bots import Bot, CautiousBot, bot_descriptions, bot_names, make_bot, register_bot, registry
from pickomino.bots.games import PackedGames
from pickomino.bots.guarded import GuardedBot
from pickomino.notation import parse_position
from pickomino.rules import Move, PickominoError, Position, Stop

POSITION = parse_position("pkp1 classic 21-36 -/- A -:11122555")

PLUGINS = """
from pickomino.bots import CautiousBot, RandomBot

class Good(CautiousBot):
    def __init__(self, colour="red"):
        self.colour = colour

class Crashing:
    def choose(self, position, rng):
        raise RuntimeError("one\\ntwo")

class Illegal:
    def choose(self, position, rng):
        return "nonsense"

class BadBatch(CautiousBot):
    def choose_many(self, games, rng):
        return [99] * len(games)

def broken():
    raise KeyError("no such thing")
"""

ENTRY_POINTS = """[pickomino.bots]
good = some_bots:Good
crashing = some_bots:Crashing
illegal = some_bots:Illegal
bad-batch = some_bots:BadBatch
broken = some_bots:broken
missing = no_such_module:Bot
empty = some_bots:nothing
notabot = builtins:dict
random = some_bots:Good
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with bots, as an installation leaves it."""
    info = tmp_path / "some_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "some_bots.py").write_text(PLUGINS)
    monkeypatch.syspath_prepend(tmp_path)
    registry._installed.cache_clear()
    yield
    registry._installed.cache_clear()
    sys.modules.pop("some_bots", None)


def guarded(spec: str) -> GuardedBot:
    bot = make_bot(spec)
    assert isinstance(bot, GuardedBot)
    return bot


@pytest.mark.usefixtures("plugins")
def test_bots_of_other_packages_have_names() -> None:
    assert {"good", "crashing", "cautious"} <= set(bot_names())
    assert bot_descriptions()["good"] == "from some-bots"
    bot = guarded("good:colour=blue")
    assert bot.choose(POSITION, random.Random(1)) == CautiousBot().choose(POSITION, random.Random(1))
    assert not bot.reports
    assert not isinstance(make_bot("random"), GuardedBot)  # names of ours stay ours


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("broken", "from some-bots is broken: KeyError"),
        ("missing", "from some-bots is broken: ModuleNotFoundError"),
        ("empty", "from some-bots is broken: AttributeError"),
        ("notabot", "neither choose nor choose_many"),
        ("good:size=1", "good does not take size; it takes colour"),
    ],
)
def test_broken_ones_are_told_in_one_line(spec: str, reason: str) -> None:
    with pytest.raises(PickominoError, match=reason) as caught:
        make_bot(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("plugins")
def test_what_goes_wrong_while_playing_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "pickomino.bots"):
        for name, problem in (("crashing", "RuntimeError: one two"), ("illegal", "illegal move 'nonsense'")):
            bot = guarded(name)
            assert str(bot.choose(POSITION, random.Random(1))) == "k5"
            assert bot.reports[0].problem == problem
            assert bot.failures == 1
    assert caplog.text.count("cautious played k5") == 2


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize("name", ["good", "bad-batch", "crashing"])
def test_batches_are_guarded_too(name: str) -> None:
    games = PackedGames([POSITION] * 3)
    chosen = guarded(name).choose_many(games, np.random.default_rng(1))
    assert chosen.tolist() == CautiousBot().choose_many(games, np.random.default_rng(1)).tolist()


def test_every_bot_says_what_it_is() -> None:
    descriptions = bot_descriptions()
    assert tuple(descriptions) == bot_names()
    assert {"random", "cautious", "easy", "medium", "hard", "ev", "soft"} <= set(descriptions)
    assert all(
        0 < len(line) < 100 for line in map(descriptions.get, ("random", "easy", "ev")) if line is not None
    )


def test_a_bot_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))

    class Stopping:
        def __init__(self, when: str = "always") -> None:
            if when != "always":
                raise PickominoError(f"when={when}: expected always")

        def choose(self, position: Position, rng: random.Random) -> Move:
            return Stop()

    register_bot("stopping", Stopping, "stops")
    register_bot("lazy", "pickomino.bots.simple:CautiousBot")
    assert isinstance(make_bot("stopping:when=always"), Stopping)
    assert isinstance(make_bot("lazy"), CautiousBot)
    assert isinstance(make_bot("lazy"), Bot)
    with pytest.raises(PickominoError, match="bot 'stopping:when=x': when=x: expected always"):
        make_bot("stopping:when=x")
    with pytest.raises(PickominoError, match="bot name 'program'"):
        register_bot("program", Stopping)


def test_the_example_in_ten_lines_runs_and_wins() -> None:
    example = Path(__file__).parents[2] / "docs" / "examples" / "ten_lines.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[0]) >= 10  # of 20: as the README shows, an equal share and more


def test_importing_bots_is_light() -> None:
    code = "import sys, pickomino.bots as b; b.make_bot('cautious'); b.bot_names()\n"
    code += "print([name for name in ('numpy', 'numba', 'subprocess') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
