"""Argparse in the language of the person: its own words translated, its errors one line, its help in paragraphs."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NoReturn

from pickomino.locale import languages, t


class CommandError(Exception):
    """Ends the command with one line on stderr; values fill the text's ``{places}`` in the language spoken here."""

    def __init__(self, text: str, status: int = 2, /, **values: object) -> None:
        super().__init__(t(text, **values) if values else text)
        self.status: Final = status


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest of the known words; empty where none is near."""
    from difflib import get_close_matches  # only where something went wrong

    near = get_close_matches(word, list(known), n=1)
    return t("; did you mean {near}?", near=near[0]) if near else ""


def short(text: str) -> str:
    """What was given, as an error shows it: not endless."""
    return repr(text) if len(text) <= 60 else f"{text[:50]!r}…"


def number(low: int, high: int) -> Callable[[str], int]:
    """An argparse type: a plain decimal number within limits."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                t("{text}: expected a number from {low} to {high}", text=short(text), low=low, high=high)
            )
        return int(text)

    return parse


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, t("usage: ") if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """The parser of one command."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog=prog, formatter_class=_Formatter, allow_abbrev=False, add_help=False)
        self._positionals.title = t("arguments")
        self._optionals.title = t("options")
        self.add_argument("-h", "--help", action="help", help=t("show this help and exit"))
        text = t("language (default: from LANG)")
        self.add_argument("--lang", choices=languages(), help=text)
        self.add_argument("--language", dest="lang", choices=languages(), help=argparse.SUPPRESS)

    def explain(self, head: str, *paragraphs: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """What the help says before and after the options: paragraphs, lists with their line breaks, examples."""
        width = min(shutil.get_terminal_size().columns - 2, 110)
        self.description = textwrap.fill(head, width)
        parts = [
            text if text.startswith("  ") or "\n" in text else textwrap.fill(text, width)
            for text in paragraphs
        ]
        if examples:
            room = max((len(command) for command, remark in examples if remark), default=0)
            lines = [f"  {command:<{room}}  {remark}".rstrip() for command, remark in examples]
            parts.append("\n".join([t("examples:"), *lines]))
        self.epilog = "\n\n".join(parts)

    def flag(self, name: str, what: str) -> None:
        """An option that is given or not."""
        self.add_argument(name, action="store_true", help=what)

    def file(self, name: str, what: str) -> None:
        """An option with the name of a file."""
        self.add_argument(name, metavar="FILE", help=what)

    def number(self, name: str, low: int, high: int, what: str, default: int | None = None) -> None:
        """An option with a number."""
        self.add_argument(name, metavar="N", type=number(low, high), default=default, help=what)

    def error(self, message: str) -> NoReturn:
        found = re.fullmatch(r"unrecognized arguments: (--[a-z-]+)(?:[= ].*)?", message, re.DOTALL)
        near = did_you_mean(found[1], self._option_string_actions) if found else ""
        told = _told(message)
        raise CommandError("{message}{near} (see {prog} --help)", message=told, near=near, prog=self.prog)


def _told(message: str) -> str:
    """One of argparse's own messages in the language that is spoken here; others are ours already."""
    argument = re.fullmatch(r"argument ([^:]+): (.*)", message, re.DOTALL)
    if argument:
        return t("argument {name}: {problem}", name=argument[1], problem=_told(argument[2]))

    def found(pattern: str) -> tuple[str, ...]:
        match = re.fullmatch(pattern, message, re.DOTALL)
        return match.groups() if match else ()

    if parts := found(r"the following arguments are required: (.*)"):
        return t("missing: {names}", names=parts[0])
    if parts := found(r"unrecognized arguments: (.*)"):
        return t("unrecognized arguments: {names}", names=parts[0])
    if parts := found(r"invalid choice: (.*) \(choose from (.*)\)"):
        return t("{value}: expected one of {known}", value=parts[0], known=parts[1].replace("'", ""))
    if parts := found(r"ignored explicit argument (.*)"):
        return t("takes no value, found {value}", value=parts[0])
    if parts := found(r"(expected one argument|expected at least one argument)()"):
        return t("expected a value")
    return message
