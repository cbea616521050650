"""The plain table: what it tells, what it asks, and that it never asks for anything illegal."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest

from pickomino import Game, Keep, Move, Position, Roll, Steal, Take, parse_ply, parse_position
from pickomino.chance import ScriptedDice, SeededDice
from pickomino.play import Match, Quit, Seat, play_match
from pickomino.terminal.answers import answer_for
from pickomino.terminal.plain import InputEnded, PlainTable
from pickomino.terminal.words import bust_cost, ranking, tell
from tests.random_games import KEYS

NAMES = ["Anna", "Ben"]


def told(position: str, ply: str) -> list[str]:
    before = parse_position(position)
    move = parse_ply(ply)
    return tell(before, move, before.apply(move).events, ["Anna", "Ben", "Cem"])


@pytest.mark.parametrize(
    ("position", "ply", "lines"),
    [
        ("pkp1 classic 21-36 -/- A -:?", "=112345WW", ["Anna rolls [1] [1] [2] [3] [4] [5] [W] [W]"]),
        ("pkp1 classic 21-36 -/- A -:112345WW", "kW", ["Anna keeps 2 × worm: total 10"]),
        ("pkp1 classic 25-31 21/- A 3355WW:-", "t26", ["Anna takes 26 (2 worms)."]),
        ("pkp1 classic 25,27 21/26 A 3355WW:-", "x26", ["Anna steals 26 from Ben (2 worms)."]),
        (
            "pkp1 classic 26,28,30 25/- A 55W:?",
            "=555WW",
            [
                "Anna rolls [5] [5] [5] [W] [W]",
                "Bust, nothing to keep: 25 goes back to the grill; 30 is flipped.",
            ],
        ),
        ("pkp1 classic 26,28,30 -/25 A 55:-", "s", ["Bust, nothing to claim. It costs nothing."]),
        (
            "pkp1 deluxe 30,36 25/- A -:? can@A,crow@30,gold@36 0/0".replace("-:?", "3344:-"),
            "s",
            [
                "Bust, nothing to claim: 25 goes back to the grill; the can moves to 25; 36 is flipped; "
                "the golden die leaves the game."
            ],
        ),  # T12
        ("pkp1 deluxe 22,23 21/24 A -:< can@A,hen@A 0/0", "<hen", ["The hen moves to 22."]),
        ("pkp1 deluxe 21-23 25/24/- A -:^ crow@21 0/3/4", "^B", ["Anna gets a round worm from Ben."]),
        ("pkp1 deluxe 21-23 25/24 A -:+? gold@A 0/0", "g", ["Anna uses the golden die."]),
        ("pkp1 deluxe 21-23 25/24 A 55W:5555W weasel@A 0/0", "w", ["Anna lets the weasel roll again."]),
    ],
)
def test_telling(position: str, ply: str, lines: list[str]) -> None:
    assert told(position, ply) == lines


def test_the_end_names_winner_and_reason() -> None:
    assert ranking(parse_position("pkp1 classic - 21,22/36 - -:-"), NAMES) == [
        "  rank  seat    worms  tiles",
        "     1  B Ben       4  36",
        "     2  A Anna      2  21 22",
        "",
        "Ben wins with 4 worms.",
    ]
    tie = ranking(parse_position("pkp1 classic - 21,22/25 - -:-"), NAMES)
    assert tie[-1] == "Ben wins: 2 worms like another seat, but the highest single tile, 25."
    shared = ranking(parse_position("pkp1 course - 21,22/25 - -:-"), NAMES)
    assert shared[-1] == "Anna and Ben share the win with 2 worms each."
    assert ranking(Position.start(), NAMES)[-1].startswith("     1  B Ben")


def test_what_a_bust_would_cost() -> None:
    assert bust_cost(Position.start()) == "would cost nothing"
    assert bust_cost(Position.start("summary")) == "would flip 36"
    assert bust_cost(parse_position("pkp1 deluxe 22,23 21/24 A 55:- hen@A 0/0")) == "would lose the hen"
    assert bust_cost(parse_position("pkp1 classic - 21,22/36 - -:-")) == ""


def play(edition: str, seats: int, seed: int) -> str:
    """A game whose persons type the answers that the questions offer; every second seat is a bot."""
    game, rng, out = Game.new(edition, seats), random.Random(seed), io.StringIO()

    def move(position: Position) -> Move:
        """Any move, but three times in four a claim or the highest face, where there is one: such games are short."""
        claims = [move for move in position.moves() if isinstance(move, Take | Steal)]
        keeps = [move for move in position.moves() if isinstance(move, Keep)][-1:]
        return rng.choice(((claims or keeps) if rng.random() < 0.75 else ()) or position.moves())

    def typed() -> str:
        return f"{answer_for(game.position, move(game.position))}\n"

    persons = [seat % 2 == 0 for seat in range(seats)]
    table = PlainTable([f"P{seat}" for seat in range(seats)], persons, typed, out)
    match = Match(game, tuple(Seat(f"P{seat}") for seat in range(seats)))

    deciders = [table.decide if person else move for person in persons]
    table.open(game)
    play_match(match, deciders, SeededDice(seed), table.watch)
    table.close(game.position)
    return out.getvalue()


@pytest.mark.parametrize("edition", KEYS)
def test_whole_games_never_argue_with_a_legal_answer(edition: str) -> None:
    for seed, seats in enumerate((2, 3, 7)):
        out = play(edition, seats, seed)
        assert "or ? for help" not in out
        assert "The game is over." in out
        assert max(map(len, out.split("\n"))) <= 160


def table(answers: str, *, ascii_only: bool = False, echo: bool = False) -> tuple[PlainTable, io.StringIO]:
    lines: Iterator[str] = iter(answers.splitlines(keepends=True))
    out = io.StringIO()
    shown = PlainTable(NAMES, [True, False], lambda: next(lines, ""), out, ascii_only=ascii_only, echo=echo)
    return shown, out


def test_forced_moves_are_played_with_a_note() -> None:
    plain, out = table("")
    assert str(plain.decide(parse_position("pkp1 classic 21-36 -/- A 4WW:4455W"))) == "k5"
    assert str(plain.decide(parse_position("pkp1 classic 21,27 -/26 A 11113WWW:-"))) == "t21"
    assert out.getvalue() == "Only 5s can be kept.\nOnly one move is possible.\n"


def test_lines_that_are_broken_keep_their_indent() -> None:
    out, lines = io.StringIO(), iter(["?\n", "r\n"])
    plain = PlainTable(NAMES, [True, False], lambda: next(lines), out, echo=True, width=40)
    plain.decide(parse_position("pkp1 classic 21-36 -/- A 4WW:-"))
    rows = out.getvalue().split("\n")
    assert max(map(len, rows)) <= 40
    at = rows.index("  t or t25  stop and take a tile from")
    assert rows[at + 1] == "      the grill"


def test_quit_and_the_end_of_input() -> None:
    position = Position.start().apply(Roll("112345WW")).position
    with pytest.raises(Quit):
        table("q\n")[0].decide(position)
    with pytest.raises(InputEnded):
        table("what\n")[0].decide(position)


def test_answers_that_nobody_sees_being_typed_are_shown() -> None:
    plain, out = table("\x1b[2J\n5\n", echo=True, ascii_only=True)
    plain.decide(Position.start().apply(Roll("112345WW")).position)
    assert out.getvalue().isascii()
    assert "Anna> ?[2J\n" in out.getvalue()
    assert out.getvalue().endswith("Anna> 5\n")


def test_a_bot_tells_roll_and_keep_on_one_line() -> None:
    plain, out = table("")
    game = Game(parse_position("pkp1 classic 21-36 -/- B -:?"))
    script = ["11145WWW", "11445"]
    moves = iter(["kW", "r", "k5"])
    match = Match(game, (Seat("Anna"), Seat("Ben", "scripted")))

    def scripted(position: Position) -> object:
        return parse_ply(next(moves, "q"))

    with pytest.raises(ValueError, match="move 'q'"):
        play_match(match, [scripted, scripted], ScriptedDice(script), plain.watch)  # type: ignore[list-item]
    assert out.getvalue() == (
        "Ben rolls [1] [1] [1] [4] [5] [W] [W] [W], keeps 3 × worm: total 15\n"
        "Ben rolls [1] [1] [4] [4] [5], keeps 1 × 5: total 20\n"
    )
