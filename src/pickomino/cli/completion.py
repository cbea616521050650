"""What makes a shell complete commands, options and their values: a script made from the parsers themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from pickomino.cli.parsing import Parser
from pickomino.locale import local, t


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Print a script that makes your shell complete commands, options and their values."),
        examples=(
            ("source <(pickomino completion bash)", t("in ~/.bashrc")),
            ("source <(pickomino completion zsh)", t("in ~/.zshrc, after compinit")),
            ("pickomino completion fish | source", t("in ~/.config/fish/config.fish")),
        ),
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help=t("for which shell"))


def run(args: argparse.Namespace) -> int:
    print(_fish() if args.shell == "fish" else _bash(zsh=args.shell == "zsh"))
    return 0


class _Option(NamedTuple):
    name: str
    values: tuple[str, ...]  # that it takes, where they are few
    file: bool  # or the name of a file
    help: str


def _commands() -> Iterator[tuple[str, str, list[_Option]]]:
    """Every command with its summary and its options."""
    from pickomino.cli import COMMANDS, command_parser  # this module is one of them

    for command in COMMANDS:
        _, parser = command_parser(command.name)
        yield command.name, local(command.summary), list(_options(parser))


def _options(parser: Parser) -> Iterator[_Option]:
    for action in parser._actions:  # argparse has no public way to list them
        if action.help == argparse.SUPPRESS:
            continue
        values = tuple(map(str, action.choices or ()))
        for name in [option for option in action.option_strings if option.startswith("--")] or [""]:
            if name or values:
                yield _Option(name, values, action.metavar == "FILE", action.help or "")


def _bash(*, zsh: bool) -> str:
    words, known, valued = [], [], []
    for name, _, options in _commands():
        words.append(name)
        listed = " ".join(option.name for option in options if option.name)
        plain = " ".join(value for option in options if not option.name for value in option.values)
        known.append(f"        {name}) words='{listed}' plain='{plain}' ;;")
        valued += [
            f"        {name}:{option.name}) values='{' '.join(option.values)}' ;;"
            for option in options
            if option.name and option.values
        ]
    head = ["autoload -U +X bashcompinit && bashcompinit"] if zsh else []
    return "\n".join(
        [
            *head,
            "_pickomino() {",
            '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '    local words="" plain="" values=""',
            "    if [ $COMP_CWORD -eq 1 ]; then",
            f"        COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return",
            "    fi",
            '    case "${COMP_WORDS[1]}:$before" in',
            *valued,
            "    esac",
            '    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word")); return; fi',
            '    case "${COMP_WORDS[1]}" in',
            *known,
            "    esac",
            '    case "$word" in',
            '        -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;',
            '        *) COMPREPLY=($(compgen -W "$plain" -- "$word") $(compgen -f -- "$word")) ;;',
            "    esac",
            "}",
            "complete -o filenames -F _pickomino pickomino",
        ]
    )


def _fish() -> str:
    lines = ["complete -c pickomino -f"]
    for name, summary, options in _commands():
        quoted = summary.replace("'", "\\'")
        lines.append(f"complete -c pickomino -n __fish_use_subcommand -a {name} -d '{quoted}'")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for option in options:
            text = option.help.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'")
            takes = (
                f" -x -a '{' '.join(option.values)}'" if option.values else " -r -F" if option.file else ""
            )
            flag = f"-l {option.name[2:]}" if option.name else ""
            lines.append(f"complete -c pickomino {seen} {flag}{takes} -d '{text}'".replace("  ", " "))
    return "\n".join(lines)
