"""The command ``pickomino``: one module per subcommand, imported only when that subcommand is asked for.

A subcommand module has ``add_arguments(parser)``, which also explains it, and ``run(args) -> int``.
It raises `CommandError`, or lets a `PickominoError` through for a bad argument (exit status 2).
"""

from __future__ import annotations

import codecs
import importlib
import io
import os
import sys
from collections.abc import Sequence
from itertools import groupby
from types import ModuleType
from typing import Final, NamedTuple

from pickomino import __version__
from pickomino.cli.common import one_line, reason
from pickomino.cli.parsing import CommandError, Parser, did_you_mean
from pickomino.drawing.names import spelled
from pickomino.locale import chosen_language, languages, local, speaking, t
from pickomino.rules import PickominoError, said

__all__ = ["COMMANDS", "Command", "command_parser", "main", "overview"]


class Command(NamedTuple):
    """A subcommand, as the overview shows it."""

    name: str
    group: str
    summary: str


_PLAY, _LOOK, _THINK = (
    said("Play games:"),
    said("Look at games and positions:"),
    said("Odds, advice, experiments:"),
)

COMMANDS: Final = (
    Command("play", _PLAY, said("play against bots or with friends, here in the terminal")),
    Command("join", _PLAY, said("play at a table on a server, with people in the browser")),
    Command("serve", _PLAY, said("run a table server: friends open a link, sit down and play")),
    Command("admin", _PLAY, said("look after a table server: who plays, close, ban, delete")),
    Command("show", _LOOK, said("draw a position and list its legal moves")),
    Command("replay", _LOOK, said("replay game records: check them, say how they ended")),
    Command("review", _LOOK, said("dice or choices? luck, mistakes and what would have been better")),
    Command("verify", _LOOK, said("recompute the dice of records that carry checkable dice")),
    Command("bots", _LOOK, said("the bots by name, and what the levels mean")),
    Command("editions", _LOOK, said("the editions of the game, their tiles and switches")),
    Command("completion", _LOOK, said("print what your shell needs to complete commands and options")),
    Command("odds", _THINK, said("the exact chances of a turn")),
    Command("advise", _THINK, said("what each move of a position is worth")),
    Command("drill", _THINK, said("practise: choose, and see what it costs; today's ten")),
    Command("solve", _THINK, said("solve a small game completely: perfect play with a few tiles")),
    Command("arena", _THINK, said("thousands of games between bots: shares of the wins, ratings")),
    Command("bench", _THINK, said("measure a policy: against a ladder of bots, and exactly in solved games")),
    Command("perft", _THINK, said("count move sequences, to check an engine")),
)
"""Every subcommand, each group in one piece."""

_EXAMPLES: Final = (
    ("pickomino", said("the menu: play against bots, or continue where you stopped")),
    ("pickomino play --seat A=me:Anna --seat B=me:Ben --seat C=bot:random", ""),
    ("pickomino play --edition deluxe --record game.pkgn", ""),
    ("pickomino play --resume game.pkgn", said("continue where you stopped")),
    ("pickomino replay game.pkgn", said("what happened, turn by turn")),
    ('pickomino show "pkp1 classic 21-36 -/- A 55W:11244"', ""),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; gives the exit status and never lets an exception through."""
    _accept_any_text()
    words = sys.argv[1:] if argv is None else list(argv)
    with speaking(_language(words)):
        return _run(words)


def _language(argv: list[str]) -> str:
    """What ``--lang`` says, else the environment; before the command it is taken out, its parser knows the others."""
    asked = None
    for index, word in enumerate(argv):
        option, equals, value = word.partition("=")
        if option not in ("--lang", "--language"):
            continue
        if not equals:
            value = argv[index + 1] if index + 1 < len(argv) else ""
        asked = value if value in languages() else None
        if index == 0 and asked is not None:
            del argv[: 1 if equals else 2]
        break
    return chosen_language(asked)


def _run(argv: list[str]) -> int:
    try:
        status = _dispatch(argv)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, so that a closed pipe or a full disk is noticed inside this try
        return status
    except SystemExit as stop:  # argparse: --help, --version
        return stop.code if isinstance(stop.code, int) else 0
    except CommandError as error:
        return _complain(str(error), error.status)
    except PickominoError as error:
        return _complain(local(error), 2)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130  # what a shell expects after Ctrl-C
    except BrokenPipeError:
        _silence_stdout()
        return 1
    except OSError as error:
        _silence_stdout()
        return _complain(reason(error), 1)


def _dispatch(argv: list[str]) -> int:
    if not argv and all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        argv = ["play"]
    if not argv or argv[0] in ("-h", "--help", "help"):
        if argv[1:] and argv[0] == "help":
            return _dispatch([argv[1], "--help"])
        print(overview())
        return 0
    if argv[0] in ("-V", "--version"):
        print(f"pickomino {__version__}")
        return 0
    name, rest = argv[0], argv[1:]
    names = [command.name for command in COMMANDS]
    if name not in names:
        told = {"name": name, "known": ", ".join(names), "near": did_you_mean(name, names)}
        if name.startswith("-"):
            raise CommandError("unknown option {name!r}: expected one of {known}, or --help{near}", **told)
        raise CommandError("unknown command {name!r}: expected one of {known}, or --help{near}", **told)
    module, parser = command_parser(name)
    status: int = module.run(parser.parse_intermixed_args(_quoted(rest)))
    return status


def command_parser(name: str) -> tuple[ModuleType, Parser]:
    """The module of a command, and its parser in the language that is spoken here."""
    module = importlib.import_module(f"{__name__}.{name}")
    parser = Parser(f"pickomino {name}")
    module.add_arguments(parser)
    return module, parser


def _quoted(argv: list[str]) -> list[str]:
    """A position without quotes as one argument: its ``-/-`` would look like an option."""
    if "pkp1" not in argv:
        return argv
    first = argv.index("pkp1")
    end = next((index for index in range(first, len(argv)) if argv[index].startswith("--")), len(argv))
    return [*argv[:first], " ".join(argv[first:end]), *argv[end:]]


def overview() -> str:
    """What ``pickomino --help`` prints."""
    lines = [t("Pickomino, the dice game of grilled worms."), "", t("usage: pickomino COMMAND ..."), ""]
    for group, commands in groupby(COMMANDS, lambda command: command.group):
        lines += [local(group), *(f"  {one.name:<12}{local(one.summary)}" for one in commands), ""]
    lines.append(t("Examples:"))
    lines += [f"  {line:<36}{local(remark)}".rstrip() for line, remark in _EXAMPLES]
    last = t("pickomino COMMAND --help says more about a command; pickomino --version gives the version.")
    return "\n".join([*lines, "", last])


def _complain(message: str, status: int) -> int:
    print(t("pickomino: error: {message}", message=one_line(message)), file=sys.stderr)
    return status


def _accept_any_text() -> None:
    """Text that the terminal cannot show is spelled with what it has, not an error."""
    codecs.register_error("pickomino", _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="pickomino")


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(map(spelled, bad)), error.end


def _silence_stdout() -> None:
    """Nobody can read stdout any more: what is still buffered goes nowhere, with no second error at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no real file behind stdout
        pass
