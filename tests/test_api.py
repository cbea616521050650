"""The one way in: what `from pickomino import …` gives, what it costs, and what may not stand in its way."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import pickomino
from pickomino import (
    Game,
    MoveValues,
    Record,
    RollOn,
    advise,
    evaluate,
    exact_odds,
    odds,
    parse_position,
    play_game,
    review,
)
from pickomino.rules import events
from pickomino.solver import TurnSolver, solve_position

SOURCE = Path(pickomino.__file__).parent


def in_a_fresh_process(code: str) -> object:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


# --- names ---


def test_every_name_can_be_had_and_is_listed() -> None:
    for name in pickomino.__all__:
        assert getattr(pickomino, name) is not None
    assert set(pickomino.__all__) <= set(dir(pickomino))
    assert len(set(pickomino.__all__)) == len(pickomino.__all__)
    with pytest.raises(AttributeError, match="module 'pickomino' has no attribute 'banana'"):
        getattr(pickomino, "banana")  # noqa: B009  # as a user would mistype it; a type checker would not have it


def test_what_users_of_the_library_need_is_there() -> None:
    assert set(events.__all__) <= set(pickomino.__all__)
    needed = (
        "Specialists view evaluate advise review perft make_bot play_game "
        "SystemDice SeededDice ScriptedDice DiceSource"
    )
    assert set(needed.split()) <= set(pickomino.__all__)


def test_type_checkers_see_the_names_that_are_loaded_later() -> None:
    """What `__getattr__` serves is what the imports under TYPE_CHECKING say."""
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    seen = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(seen.test) == "TYPE_CHECKING"
    declared = {
        (alias.name, node.module)
        for node in seen.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == set(pickomino._LATER.items())


def test_importing_it_needs_the_standard_library_alone() -> None:
    code = """
import sys, json
before = set(sys.modules)
import pickomino
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    loaded = in_a_fresh_process(code)
    assert isinstance(loaded, list)
    assert "pickomino.rules" in loaded
    assert {name.partition(".")[0] for name in loaded} - {"pickomino"} <= sys.stdlib_module_names
    for later in ("analysis", "bots", "chance", "compact", "drawing", "play", "solver", "views"):
        assert f"pickomino.{later}" not in loaded, f"{later} is loaded before anyone asks for it"


def test_names_are_loaded_when_first_asked_for() -> None:
    code = """
import sys, json, pickomino
before = "pickomino.views" in sys.modules
shown = pickomino.view(pickomino.Position.start())
print(json.dumps([before, "pickomino.views" in sys.modules, "view" in vars(pickomino), shown["dice_left"]]))
"""
    assert in_a_fresh_process(code) == [False, True, True, 8]


# --- modules ---


def test_a_class_name_occurs_once() -> None:
    found = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in found.items() if count > 1] == []


def test_no_module_shares_its_name_with_what_it_or_its_package_defines() -> None:
    """`from pickomino.rules import perft` must mean one thing, whatever was imported before."""
    places = {path: path.parent if path.name == "__init__.py" else path for path in SOURCE.rglob("*.py")}
    shared = []
    for path, place in places.items():
        tree = ast.parse(path.read_text())
        defined = {
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        }
        if place.stem in defined:
            shared.append(str(path))
        if path.name == "__init__.py":
            imported = {
                alias.asname or alias.name
                for node in tree.body
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
            inside = {other.stem for other in places.values() if other.parent == place and other != place}
            shared += [f"{place}: {name}" for name in (defined | imported) & inside]
    assert shared == []
    packages = {place.stem for place in places.values() if place.parent == SOURCE}
    assert packages & set(pickomino.__all__) == set()


def test_bots_and_objectives_are_registered_by_no_import() -> None:
    code = """
import json, pickomino.bots as bots
before = list(bots.bot_descriptions())
import pickomino.analysis, pickomino.play, pickomino.bots.champion, pickomino.bots.ev, pickomino.bots.levels
print(json.dumps([before, list(bots.bot_descriptions())]))
"""
    found = in_a_fresh_process(code)
    assert isinstance(found, list)
    assert found[0] == found[1]
    assert "champion" in found[0]


# --- results in a notebook or at the prompt ---

POSITION = parse_position("pkp1 classic 21-36 -/- A -:1333445W")
LAST = parse_position("pkp1 classic 21 30/29 A 555WW:-")


def test_long_results_have_a_short_repr() -> None:
    game = play_game(["cautious", "random"], seed=1)
    solution = solve_position(POSITION, lambda ending: float(ending.claim is not None))
    judged = review(Game(LAST, [RollOn()]))
    slip = judged.decisions[0]
    shown = {
        repr(evaluate(POSITION)): "<MoveValues 1.3847, best k4 of 5 moves>",  # the value is in docs/solver.md
        repr(MoveValues(0.25, None, {})): "<MoveValues 0.25, dice are due>",
        repr(odds("classic")): "<Odds of 16 totals>",
        repr(exact_odds("classic", [36])): "<Odds of 1 totals>",
        repr(solution): f"<TurnSolution of {str(POSITION)!r}: {solution.here!r}>",
        repr(
            TurnSolver(POSITION)
        ): f"<TurnSolver of {str(POSITION)!r} with 17 endings>",  # 16 tiles and the bust
        repr(game): f"<Game of {len(game)} plies at {str(game.position)!r}>",
        repr(Record(game, ("Anna", "Ben"))): f"<Record of {len(game)} plies by Anna, Ben, result A>",
        repr(POSITION.edition): "<Edition 'classic' of 16 tiles and 8 dice>",
        # Whoever takes the last tile has the most worms: 1 against what rolling two dice is worth.
        repr(judged): f"<Review of classic, 1 turns, errors: seat A {slip.error:.5g}, seat B 0>",
        repr(slip): f"<Decision r in turn 1, best t21, error {1 - slip.values[slip.played]:.5g}>",
        repr(advise(LAST)): "<MoveAdvice 1, best t21>",
        repr(advise(LAST.apply("r").position)): f"<MoveAdvice {1 - slip.error:.5g}, dice are due>",
    }
    for found, expected in shown.items():
        assert found == expected
        assert len(found) < 160


def test_games_and_records_show_themselves_in_notebooks_as_positions_do() -> None:
    game = Game(POSITION)
    assert POSITION._repr_svg_() == game._repr_svg_()
    record = Record(game, ("Anna", "Ben"))._repr_svg_()
    assert record.startswith("<svg")
    assert "Anna" in record
    assert "Ben" in record
