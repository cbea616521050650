"""Friendly answers: what a person may type, and what a wrong answer is told."""

from __future__ import annotations

import pytest

from pickomino import parse_position
from pickomino.terminal.answers import answer_for, question, understand
from tests.random_games import all_positions

NAMES = ["Anna", "Ben", "Cem"]
KEEP = "pkp1 classic 21-36 -/-/- A 55:1244WW"
GO = "pkp1 classic 25,27,29-31 21/26/- A 3355WW:-"
ANY = "pkp1 classic+any-lower 23-25,27 21/26/- A 3355WW:-"
WORMLESS = "pkp1 classic 25,27,29-31 21/26/- A 445:-"
GOLD = "pkp1 deluxe 21-23 25/24/- A -:+? gold@A 0/0/0"
GIVER = "pkp1 deluxe 21-23 25/24/- A -:^ crow@21 0/3/4"
PUT_BACK = "pkp1 deluxe 22,23 21/24/- A -:< can@A,hen@A 0/0/0"
WEASEL = "pkp1 deluxe 21-23 25/24/- A 55:1234WW weasel@A 0/0/0"
WEASEL_NO_WORM = "pkp1 deluxe 21-23 25/24/- A 5W:112344 weasel@A 0/0/0"
DEAD = "pkp1 deluxe 21-23 25/24/- A 55W:5555W weasel@A 0/0/0"


@pytest.mark.parametrize(
    ("position", "answers", "move"),
    [
        (KEEP, "4 k4 K4 keep4 keep_4", "k4"),
        (KEEP, "w W kw kW worm worms", "kW"),
        (GO, "r R roll", "r"),
        (GO, "t t25 T25 take take_25 25", "t25"),
        (GO, "x x26 steal steal26 26", "x26"),
        (ANY, "24 t24", "t24"),
        (WORMLESS, "s stop S", "s"),
        (WORMLESS, "r", "r"),
        (GOLD, "g y yes YES use", "g"),
        (GOLD, "n no", "n"),
        (GIVER, "B b ^B Ben ben", "^B"),
        (PUT_BACK, "hen <hen HEN", "<hen"),
        (WEASEL, "kW worms", "kW"),
        (WEASEL, "weasel reroll again", "w"),
        (WEASEL_NO_WORM, "w weasel", "w"),
        (DEAD, "w weasel", "w"),
        (DEAD, "s stop n no", "s"),
    ],
)
def test_friendly_answers(position: str, answers: str, move: str) -> None:
    for answer in answers.split(" "):
        spaced = answer.replace("_", "  ")
        assert str(understand(parse_position(position), spaced, NAMES)) == move, answer


@pytest.mark.parametrize(
    ("position", "answer", "told"),
    [
        (KEEP, "", "I need an answer. Say 1, 2, 4 or w, or ? for help."),
        (KEEP, "5", "You have already kept 5s in this turn. Say 1, 2, 4 or w, or ? for help."),
        (KEEP, "3", "This roll shows no 3s. Say 1, 2, 4 or w, or ? for help."),
        (KEEP, "r", "First keep a face of this roll. Say 1, 2, 4 or w, or ? for help."),
        (KEEP, "weasel", "You have no weasel to use. Say 1, 2, 4 or w, or ? for help."),
        (KEEP, "hello", "I do not understand 'hello'. Say 1, 2, 4 or w, or ? for help."),
        (GO, "5", "You have already kept dice from this roll. Say r, t or x, or ? for help."),
        (GO, "s", "With 2 claims possible, which? Say r, t or x, or ? for help."),
        (
            GO,
            "t27",
            "You could take 25 (2 worms) or steal 26 from Ben (2 worms). Say r, t or x, or ? for help.",
        ),
        (ANY, "t", "With 4 claims possible, which? Say r, t23, t24, t25 or x, or ? for help."),
        (WORMLESS, "t", "Nothing can be claimed with 13, as no worm is kept. Say r or s, or ? for help."),
        (GOLD, "maybe", "Yes or no? Say y or n, or ? for help."),
        (GIVER, "A", "Name a seat that can give. Say B or C, or ? for help."),
        (PUT_BACK, "crow", "Name the specialist that goes back. Say can or hen, or ? for help."),
        (WEASEL, "w", "w could mean the worms or the weasel. Say 1, 2, 3, 4, kW or weasel, or ? for help."),
    ],
)
def test_wrong_answers_are_told_what_fits(position: str, answer: str, told: str) -> None:
    assert understand(parse_position(position), answer, NAMES) == told


def test_every_legal_move_has_an_answer_and_its_notation_works_too() -> None:
    names = ["Anna", "Ben", "Cem", "Dora", "Emil", "Frida", "Gus"]
    for position in all_positions():
        moves = position.moves()
        if not moves:
            continue
        lines = question(position, names)
        assert len(lines) == 1 + len(moves)
        for move, line in zip(moves, lines[1:], strict=True):
            answer = answer_for(position, move)
            assert understand(position, answer, names) == move
            assert line.strip().startswith(f"{answer}  ")
            if str(move) != "w" or answer == "w":
                assert understand(position, str(move), names) == move


def test_questions_say_what_could_be_claimed_and_what_a_bust_costs() -> None:
    assert question(parse_position(GO), NAMES) == [
        "Kept [3] [3] [5] [5] [W] [W], total 26, with a worm. Roll on or stop?",
        "  r  roll 2 dice; a bust, 25 %, would return 21 and flip 31",
        "  t  take 25 (2 worms)",
        "  x  steal 26 from Ben (2 worms)",
    ]
    keep = question(parse_position("pkp1 classic 23-36 -/-/21 A 55W:11244"), NAMES)
    assert keep == [
        "Kept [5] [5] [W], total 15, with a worm. Keep which face?",
        "  1  2 × 1: total 17",
        "  2  1 × 2: total 17",
        "  4  2 × 4: total 23; then you could take 23 (1 worm)",
    ]
    assert question(parse_position(DEAD), NAMES)[0].endswith(". Nothing to keep. Use the weasel?")
