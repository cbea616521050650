"""The bots by name: what each plays for, and how strong the levels for people are."""

from __future__ import annotations

import argparse

from pickomino.bots import bot_descriptions
from pickomino.cli.common import print_json
from pickomino.cli.parsing import Parser
from pickomino.locale import local, t


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("The bots by name: what each plays for, and how strong the levels for people are."),
        t(
            "Use a name wherever a bot is asked for, as in pickomino play --seat B=bot:hard or "
            "pickomino arena hard medium. A class of your own in a file works too: pickomino arena "
            "my_bot.py:Thief hard."
        ),
    )
    parser.flag("--json", '{"champion": "plays the whole game to win, …", …}')


def run(args: argparse.Namespace) -> int:
    described = bot_descriptions()
    if args.json:
        print_json(described)
        return 0
    width = max(map(len, described))
    print("\n".join(f"{name:<{width}}  {local(text)}" for name, text in described.items()))
    # The figures of docs/bots.md: classic with two seats.
    print()
    print(
        t(
            "Of 100 games with two seats medium wins 64 against easy, hard 65 against medium, champion 60 against hard."
        )
    )
    return 0
