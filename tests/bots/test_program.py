"""Programs as bots, with real processes: good ones, and ones that crash, hang, dawdle or talk nonsense."""

import gc
import logging
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pickomino.bots import CautiousBot, make_bot
from pickomino.bots.guarded import MOST_REPORTS
from pickomino.bots.program import ProgramBot, program_bot
from pickomino.notation import parse_position
from pickomino.rules import PickominoError
from pickomino.testing import random_game

POSITION = parse_position("pkp1 classic 21-36 -/- A -:11122555")  # k1, k2 or k5; cautious keeps the fives
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

HEAD = "import sys, time, os\nask = lambda: sys.stdin.readline() or sys.exit(0)\n"
HEAD += "say = lambda line: print(line, flush=True)\n"
FIRST = "while ask(): say('k1')\n"

Make = Callable[..., ProgramBot]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[ProgramBot] = []

    def build(body: str, **options: float) -> ProgramBot:
        script = tmp_path / f"bot{len(made)}.py"
        script.write_text(HEAD + body)
        restarts = int(options.pop("restarts", 3))
        made.append(ProgramBot([sys.executable, "-I", str(script)], restarts=restarts, **options))
        return made[-1]

    yield build
    for bot in made:
        bot.close()


def ask(bot: ProgramBot) -> str:
    return str(bot.choose(POSITION, random.Random(1)))


def test_a_program_is_asked_and_answers(make: Make) -> None:
    bot = make(FIRST)
    assert [ask(bot) for _ in range(5)] == ["k1"] * 5
    assert bot.reports == []
    assert bot.failures == 0


def test_a_program_sees_the_position_line(make: Make) -> None:
    bot = make(f"line = ask()\nsay('k2' if line == {str(POSITION) + chr(10)!r} else 'what')\nask()\n")
    assert ask(bot) == "k2"


def test_a_ready_line_is_welcome(make: Make) -> None:
    bot = make("say('ready my bot 1.0')\n" + FIRST)
    assert [ask(bot), ask(bot)] == ["k1", "k1"]
    assert not bot.reports


def test_a_crash_is_reported_and_the_program_started_again(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    bot = make("ask()\nsay('k1')\nask()\nsys.exit(7)\n")
    with caplog.at_level(logging.WARNING, "pickomino.bots"):
        assert [ask(bot) for _ in range(4)] == ["k1", "k5", "k1", "k5"]
    assert [report.problem for report in bot.reports] == ["ended with status 7"] * 2
    assert bot.reports[0].instead == "k5"
    assert bot.reports[0].position == str(POSITION)
    assert "ended with status 7; cautious played k5" in caplog.text


def test_a_program_that_fails_too_often_is_left_alone(make: Make, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    bot = make(f"open({str(starts)!r}, 'a').write('x')\nsys.exit(1)\n", restarts=2)
    assert [ask(bot) for _ in range(6)] == ["k5"] * 6
    assert starts.read_text() == "xxx"
    assert bot.failures == 6
    assert "too often" in bot.reports[-1].problem


def test_a_killed_program(make: Make) -> None:
    bot = make("ask()\nos.kill(os.getpid(), 9)\n")
    assert ask(bot) == "k5"
    assert bot.reports[0].problem == "killed by signal 9"


def test_a_program_that_hangs_runs_out_of_time(make: Make) -> None:
    bot = make("ask()\nsay('k1')\nask()\ntime.sleep(60)\n", limit=0.3)
    assert ask(bot) == "k1"
    assert ask(bot) == "k5"
    assert bot.reports[0].problem == "no answer in time"
    assert ask(bot) == "k1"  # started again


def test_a_program_that_hangs_at_its_start(make: Make) -> None:
    bot = make("time.sleep(60)\n", limit=0.2, start=0.2, restarts=0)
    assert [ask(bot), ask(bot)] == ["k5", "k5"]


def test_a_late_answer_does_not_pass_for_the_next_one(make: Make) -> None:
    bot = make("ask()\nsay('k1')\nask()\nask()\nsay('k2')\n", limit=0.3)  # k2 comes once more has been asked
    assert [ask(bot), ask(bot)] == ["k1", "k5"]
    assert ask(bot) == "k1"  # not the k2 of before


def test_a_slow_program_within_its_limit(make: Make) -> None:
    bot = make("while ask():\n    time.sleep(0.2)\n    say('k2')\n", limit=20)
    assert [ask(bot), ask(bot)] == ["k2", "k2"]
    assert not bot.reports


@pytest.mark.parametrize("answer", ["", "k3", "hello", "k1 k2", "K1", "t21", "\\0", "k" * 5000, "\\xff\\xfe"])
def test_nonsense_is_reported_and_the_program_goes_on(make: Make, answer: str) -> None:
    bot = make(f"ask()\nsay('{answer}')\n" + FIRST)
    assert [ask(bot), ask(bot)] == ["k5", "k1"]
    assert bot.failures == 1
    assert "expected one of k1, k2, k5" in bot.reports[0].problem
    assert len(bot.reports[0].problem) < 200


def test_lines_nobody_asked_for_are_dropped(make: Make) -> None:
    bot = make("while ask(): say('k1\\nchatter\\nk2')\n")  # in one go, so that no load of the machine matters
    answers = []
    for _ in range(3):
        answers.append(ask(bot))
        time.sleep(0.3)
    assert answers == ["k1", "k1", "k1"]


def test_a_flood_of_lines_is_held_back(make: Make) -> None:
    bot = make("while True: say('x' * 100)\n")
    assert ask(bot) == "k5"
    bot.close()


def test_a_program_that_cannot_be_started() -> None:
    bot = ProgramBot(["/nowhere/to/be/found"])
    assert ask(bot) == "k5"
    assert "cannot be started" in bot.reports[0].problem


def test_reports_are_counted_beyond_a_hundred() -> None:
    bot = ProgramBot(["/nowhere/to/be/found"], restarts=0)
    for _ in range(MOST_REPORTS + 20):
        ask(bot)
    assert len(bot.reports) == MOST_REPORTS
    assert bot.failures == MOST_REPORTS + 20


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:  # a zombie would count as alive otherwise
        return stat.read().rpartition(")")[2].split()[0] != "Z"


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")


@needs_proc
@pytest.mark.parametrize("how", ["close", "with", "forget"])
def test_nothing_is_left_behind(make: Make, tmp_path: Path, how: str) -> None:
    """Neither a program that ignores the end of its input nor a process that it has started."""
    pids = tmp_path / "pids"
    body = "import signal, subprocess\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    body += "child = subprocess.Popen(['sleep', '60'])\n"
    body += f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
    body += "ask()\nsay('k1')\ntime.sleep(60)\n"
    script = tmp_path / "stubborn.py"
    script.write_text(HEAD + body)
    bot = ProgramBot([sys.executable, "-I", str(script)])
    assert ask(bot) == "k1"
    parent, child = map(int, pids.read_text().split())
    assert _alive(parent)
    assert _alive(child)
    if how == "close":
        bot.close()
        bot.close()
    elif how == "with":
        with bot:
            pass
    else:
        del bot
        gc.collect()
    assert not Path(f"/proc/{parent}").exists()  # reaped: no zombie
    for _ in range(50):
        if not _alive(child):
            break
        time.sleep(0.1)
    assert not _alive(child)


@needs_proc
def test_the_end_of_this_program_ends_the_other(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(HEAD + FIRST)
    code = f"""
import random
from pickomino.bots.program import ProgramBot
from pickomino import parse_position
bot = ProgramBot([{sys.executable!r}, "-I", {str(script)!r}])
bot.choose(parse_position({str(POSITION)!r}), random.Random(1))
print(bot._child._process.pid)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(f"/proc/{int(done.stdout)}").exists()


# --- naming one ---


def test_programs_by_name(tmp_path: Path) -> None:
    script = tmp_path / "my bot.py"
    script.write_text(HEAD + FIRST)
    spec = f"program:limit=20,start=30 -- {shlex.join([sys.executable, '-I', str(script)])}"
    bot = make_bot(spec, programs=True)
    assert isinstance(bot, ProgramBot)
    with bot:
        assert bot.limit == 20
        assert bot.start == 30
        assert ask(bot) == "k1"


def test_programs_are_only_run_where_that_is_allowed() -> None:
    with pytest.raises(PickominoError, match="programs are not allowed here"):
        make_bot("program:echo k1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a command"),
        ("limit=2 -- ", "expected a command"),
        ("limit=0 -- ./bot", "limit=0: expected seconds"),
        ("start=x -- ./bot", "start=x: expected seconds"),
        ("restarts=-1 -- ./bot", "restarts=-1: expected a whole number"),
        ("'./bot", "No closing quotation"),
    ],
)
def test_texts_that_name_no_program(text: str, reason: str) -> None:
    with pytest.raises(PickominoError, match=reason):
        program_bot(text)


def test_double_dashes_of_ones_own() -> None:
    assert program_bot("./bot --flag -- more").command == ["./bot", "--flag", "--", "more"]


# --- the examples in the documentation ---


@pytest.mark.skipif(shutil.which("perl") is None, reason="needs perl")
@pytest.mark.parametrize("edition", ["classic", "summary", "course", "classic+any-lower"])
def test_the_example_in_perl_plays_whole_games(edition: str) -> None:
    with ProgramBot(["perl", str(EXAMPLES / "bot.pl")]) as bot:
        assert random_game(edition, 3, 1, bot.choose).over
        assert bot.reports == []


def test_the_example_in_python_plays_like_ev() -> None:
    with ProgramBot([sys.executable, str(EXAMPLES / "bot.py")], limit=20) as bot:
        game = random_game("classic", 2, 1, bot.choose, plies=60)
        assert bot.reports == []
    assert game.plies == random_game("classic", 2, 1, make_bot("ev:loss=1,steal=1").choose, plies=60).plies


def test_the_stand_in_is_the_cautious_bot(make: Make) -> None:
    bot = make("while ask(): say('none')\n")
    game = random_game("classic", 2, 5, bot.choose, plies=60)
    other = random_game("classic", 2, 5, CautiousBot().choose, plies=60)
    assert game.plies == other.plies
