"""The solver at any point of any turn, against brute force over the rules engine."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pickomino import Edition, Face, Phase, Position, Roll, parse_move, parse_position
from pickomino.rules import InvalidPositionError, Move
from pickomino.solver import SUPPLY, Ending, TurnSolver, after, endings, solve_position
from pickomino.solver.point import in_turn
from pickomino.testing import random_game
from tests.random_editions import random_edition
from tests.solver.brute import Brute, follow, some_value

# A game small enough to walk through whole turns: three dice of three faces, and all that deluxe has.
TINY = Edition(
    "tiny",
    tuple((value, 1 + value // 4) for value in range(3, 16)),
    dice=3,
    faces=(Face("1", 1, 2), Face("2", 2), Face("W", 5)),
    steal="mandatory",
    exact_only=frozenset({3, 4}),
    specialists=(("apple", 9), ("can", 3), ("crow", 6), ("gold", 8), ("hen", 5), ("weasel", 7)),
    golden_die=(Face("1", 1, 3), Face("W", 5, 2)),
    round_worms=2,
)

# Points of turns with few dice left: every phase, every specialist, every rule of claiming.
POINTS = {
    "classic, roll due": "pkp1 classic 21-36 -/- A 1155W:?",
    "classic, steal or lower": "pkp1 classic 21-25,27,29 28,30/26 A 55WWW:?",
    "classic, keep": "pkp1 classic 21-25,27,29 28,30/26 A 55WW:1123",
    "classic, go": "pkp1 classic 21-25,27,29 28,30/26 A 335WW:-",
    "classic, nothing to claim": "pkp1 classic 36 21/22 B 4444:125W",
    "any lower": "pkp1 summary 21,22,24,28 36,30/- A 55WWW:?",
    "fast": "pkp1 classic+fast 21,22,24 30/- A 55WWW:?",
    "deluxe, any lower": "pkp1 deluxe+any-lower 11,13,21,22,24 30/- A 55WWW:? crow@22 0/0",
    "deluxe, fast": "pkp1 deluxe+fast 21,22,24 30/- A 55WWW:? can@A,crow@24 0/0",
    "deluxe, flip when nothing returned": "pkp1 extrawurm+flip-empty 21,22,24 -/30 A 55WWW:? crow@24,weasel@A 0/0",
    "hen, flip when nothing returned": "pkp1 deluxe+flip-empty 21,22,24 -/30 A 55WWW:? hen@A 0/0",
    "flip when nothing returned": "pkp1 course 21,22,24 -/30 A 55WWW:?",
    "deluxe, nobody holds anything": "pkp1 deluxe 11,13,21-36 -/- A 55WWW:? "
    "apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0",
    "can": "pkp1 deluxe 13,21-36 11/- A 44455:? apple@29,can@A,crow@23,gold@27,hen@21,weasel@25 0/0",
    "can, exact only": "pkp1 deluxe 11,13,36 22/21 A 11222:245 can@A,crow@11 0/0",
    "weasel, roll due": "pkp1 deluxe 13,21-24,27-36 25/- A 4444W:? apple@29,crow@23,weasel@A 0/0",
    "weasel, keep": "pkp1 deluxe 13,21-24,27-36 25/- A 44WW:1123 apple@29,crow@23,weasel@A 0/0",
    "weasel, dead roll": "pkp1 deluxe 13,21-24,27-36 25/- A 1444W:144 apple@29,crow@23,weasel@A 0/0",
    "weasel, go": "pkp1 deluxe 13,21-24,27-36 25/- A 444WW:- apple@29,crow@23,weasel@A 0/0",
    "weasel used": "pkp1 deluxe 13,21-24,27-36 25/- A 444WW:? apple@29,crow@23,weasel@A* 0/0",
    "weasel of another": "pkp1 deluxe 13,21-24,27-36 -/25 A 444WW:? apple@29,crow@23,weasel@B 0/0",
    "golden die left": "pkp1 deluxe 13,21-26,28-36 27/- A 3355WW:?+ apple@29,crow@23,gold@A 0/0",
    "golden die rolled": "pkp1 deluxe 13,21-26,28-36 27/- A 55WW:1122+1 apple@29,crow@23,gold@A 0/0",
    "golden die kept": "pkp1 deluxe 13,21-26,28-36 27/- A 55WW+W:? apple@29,crow@23,gold@A 0/0",
    "golden die, go": "pkp1 deluxe 13,21-26,28-36 27/- A 355WW:-+ apple@29,crow@23,gold@A 0/0",
    "golden die alone": "pkp1 deluxe 13,21-26,28-36 27/- A 334455WW:?+ apple@29,crow@23,gold@A 0/0",
    "hen": "pkp1 deluxe 13,22-36 21/- A 4455W:? crow@23,hen@A 0/0",
    "hen of another": "pkp1 deluxe 13,22-30 -/31 A 455WW:? crow@23,hen@B 0/0",
    "steal a specialist": "pkp1 deluxe 13,22-30 21/31 A 455WW:? apple@B,can@A,crow@23 0/0",
    "crow": "pkp1 deluxe 13,23,36 -/- A 355WW:? crow@23 0/0",
    "crow, choice of giver": "pkp1 deluxe 13,23,36 -/-/- A 355WW:? crow@23 0/4/3",
    "two 1s, supply": "pkp1 deluxe 13,21-36 -/- A 555W:1112 crow@23 3/3",
    "two 1s, one giver": "pkp1 deluxe 13,21-36 -/- A 555W:1112 crow@23 3/4",
    "two 1s, choice of giver": "pkp1 deluxe 13,21-36 -/-/- A 555W:1112 crow@23 1/4/2",
    "two 1s, only the hen's holder": "pkp1 deluxe 13,21,23-36 -/22 A 555W:1112 crow@23,hen@B 0/7",
    "two 1s, roll due": "pkp1 deluxe 13,24-36 -/-/- A 55WWW:? crow@30 1/4/2",
    "two 1s kept": "pkp1 deluxe 13,21-36 -/- A 11555W:? crow@23 3/3",
    "giver": "pkp1 deluxe 13,21-36 -/-/- A 11555W:^ crow@23 1/4/2",
    "giver, golden die left": "pkp1 deluxe 13,21-26,28-36 27/-/- A 11555W:^+ crow@23,gold@A 1/4/2",
    "apple": "pkp1 deluxe 13,21-28,30-36 29/- A 555WW:? apple@A,crow@23 0/0",
}


def payoff_of(position: Position) -> dict[Ending, float]:
    return {
        ending: float(max(some_value(end) for end in after(position, ending))) for ending in endings(position)
    }


def assert_solved(position: Position) -> None:
    """Values and probabilities of the solver are those of the rules."""
    brute = Brute(some_value)
    payoff = payoff_of(position)
    solution = solve_position(position, payoff.__getitem__)
    assert solution.value == pytest.approx(float(brute.worth(position)), rel=1e-12)
    expected = {} if position.phase is Phase.ROLL else brute.moves(position)
    assert list(solution.moves) == list(position.moves())
    assert solution.moves == pytest.approx(
        {move: float(value) for move, value in expected.items()}, rel=1e-12
    )

    @cache
    def choose(point: Position) -> Move:
        move = solution.at(point).best
        assert move is not None
        return move

    reached = follow(position, choose)
    probs = dict(zip(solution.solver.endings, solution.probs.tolist(), strict=True))
    assert {end: prob for end, prob in probs.items() if prob} == pytest.approx(reached, abs=1e-11)
    assert set(reached) <= set(payoff)
    assert sum(probs.values()) == pytest.approx(1, abs=1e-12)
    assert sum(payoff[end] * prob for end, prob in probs.items()) == pytest.approx(solution.value, rel=1e-12)


@pytest.mark.parametrize("text", POINTS.values(), ids=POINTS)
def test_any_point_of_a_turn_is_worth_what_the_rules_make_of_it(text: str) -> None:
    assert_solved(parse_position(text))


def assert_house_solved(number: int, points: int) -> None:
    """A game of a house edition small enough for brute force, solved at some of its points."""
    edition = random_edition(number, dice=3, tiles=6)
    positions = random_game(edition, 2 + number % 2, number, plies=300).positions
    turns = [position for position in positions if in_turn(position)]
    for position in random.Random(number).sample(turns, min(points, len(turns))):
        assert_solved(position)


@pytest.mark.parametrize("number", range(6))
def test_house_editions(number: int) -> None:
    assert_house_solved(number, 3)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_soak_house_editions(number: int) -> None:
    assert_house_solved(number, 10)


@pytest.mark.parametrize(
    ("holder", "other"),
    [
        (holder, other)
        for holder in ("apple", "can", "gold", "hen", "weasel", None)
        for other in ("hen", "weasel", None)
        if holder != other or holder is None
    ],
)
@pytest.mark.parametrize("round_worms", [(0, 0, 0), (0, 1, 1), (2, 0, 0)], ids=str)
def test_whole_turns_of_a_tiny_deluxe_game(
    holder: str | None, other: str | None, round_worms: tuple[int, ...]
) -> None:
    assert_solved(tiny(holder, other, round_worms))


def tiny(holder: str | None, other: str | None, round_worms: tuple[int, ...]) -> Position:
    """A whole turn ahead of seat A, who holds a tile, with B behind it holding one too."""
    start = Position.start(TINY, seats=3)
    specialists = start.specialists
    assert specialists is not None
    held = (() if holder is None else (holder,), () if other is None else (other,), ())
    gone = {name for names in held for name in names}
    standing = tuple(
        (tile, name) for tile, name in specialists.standing if name not in gone and tile not in (9, 12)
    )
    changed = type(specialists)(standing, held, round_worms)
    grill = tuple(tile for tile in TINY.values if tile not in (9, 12))
    phase = Phase.GOLD if holder == "gold" else Phase.ROLL
    return Position(TINY, grill, ((9,), (12,), ()), 0, phase, specialists=changed)


@given(st.data())
def test_before_a_roll_is_the_mean_of_after_it(data: st.DataObject) -> None:
    """The value before the dice fall is the weighted mean of the values after, at any point on the way."""
    start = data.draw(
        st.sampled_from(
            ["pkp1 classic 21-30 31/32 A -:?", "pkp1 deluxe 13,21-24,27-36 25/- A -:? weasel@A 0/0"]
        )
    )
    position = parse_position(start)
    solution = solve_position(position, payoff_of(position).__getitem__)
    for _ in range(data.draw(st.integers(0, 3))):
        roll = data.draw(st.sampled_from(sorted(position.rolls(), key=str)))
        position = position.apply(roll).position
        assume(position.seat == 0)
        move = data.draw(st.sampled_from(position.moves()))
        position = position.apply(move).position
        if position.phase is Phase.GO and parse_move("r") in position.moves():
            position = position.apply(parse_move("r")).position
        assume(position.phase is Phase.ROLL and position.seat == 0)
    assume(position.kept.count("1") < 2)  # no round worm on the way: `busts` is right
    mean, total = 0.0, 0
    busts = solution.payoff[list(solution.solver.endings).index(Ending(None))]
    for roll, weight in position.rolls().items():
        after_roll = position.apply(roll).position
        mean += weight * (solution.at(after_roll).value if after_roll.rolled else busts)
        total += weight
    assert solution.at(position).value == pytest.approx(mean / total, rel=1e-12)


def test_many_payoffs_at_once_are_one_by_one() -> None:
    for text in ("pkp1 classic 21-25,27,29 28,30/26 A 55WW:1123", POINTS["two 1s, choice of giver"]):
        solver = TurnSolver(parse_position(text))
        payoffs = [[(7 * row + 3 * column) % 11 for column in range(len(solver.endings))] for row in range(5)]
        values, moves = solver.values(payoffs)
        for row, payoff in enumerate(payoffs):
            solution = solver.solve(payoff)
            assert solution.value == pytest.approx(values[row], rel=1e-14)
            assert solution.moves == pytest.approx(
                {move: column[row] for move, column in moves.items()}, rel=1e-14
            )


def test_kernels_agree_on_positions() -> None:
    pytest.importorskip("numba")
    for text in POINTS.values():
        position = parse_position(text)
        payoff = payoff_of(position)
        one, other = (
            solve_position(position, payoff.__getitem__, kernel=kernel) for kernel in ("numpy", "numba")
        )
        assert one.moves == pytest.approx(other.moves, rel=1e-12)
        assert one.value == pytest.approx(other.value, rel=1e-12)


def test_endings_name_what_can_happen() -> None:
    position = parse_position("pkp1 classic 21-25,27,29 28,30/26 A 155WWW:-")
    assert [str(end) for end in endings(position)] == ["t25", "t27", "t29", "x26", "bust"]
    earns = parse_position(POINTS["two 1s, choice of giver"])
    assert {end.giver for end in endings(earns)} == {None, 1, 2}
    supply = parse_position(POINTS["two 1s, supply"])
    assert str(Ending(None, SUPPLY)) in {str(end) for end in endings(supply)}


def test_after_an_ending_the_turn_is_over() -> None:
    position = parse_position("pkp1 classic 21-25,27,29 28,30/26 A 155WWW:-")
    ends = {str(end): [str(one) for one in after(position, end)] for end in endings(position)}
    assert ends["t25"] == ["pkp1 classic 21-24,27,29 28,30,25/26 B -:?"]
    assert ends["x26"] == ["pkp1 classic 21-25,27,29 28,30,26/- B -:?"]
    assert ends["bust"] == ["pkp1 classic 21-25,27,29,30 28/26 B -:?"]


def test_equal_moves_go_to_the_first_in_text_order() -> None:
    position = parse_position("pkp1 classic 21-36 -/- A -:112345WW")
    assert str(solve_position(position, lambda ending: 1).best) == "k1"


def test_no_turn_no_solution() -> None:
    over = parse_position("pkp1 classic - 21/22 - -:-")
    with pytest.raises(InvalidPositionError, match="no turn is being played"):
        endings(over)
    solution = solve_position(Position.start("classic"), lambda ending: 0)
    elsewhere = parse_position("pkp1 classic 22-36 21/- B -:?")
    with pytest.raises(InvalidPositionError, match="not in the turn"):
        solution.at(elsewhere.apply(Roll("112345WW")).position)
