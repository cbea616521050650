"""Editions with specialists in batches: ends of turns as the rules have them, values as the single form."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from pickomino.bots.ends import CHOICE, Ends, turn_ends, turn_starts
from pickomino.bots.ev import EvBot
from pickomino.bots.games import PackedGames, as_policy
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.loops import BUST, NO_GIVER, TAKE
from pickomino.compact.moves import move_table
from pickomino.compact.packed import pack, unpack
from pickomino.notation import parse_position
from pickomino.rules import Edition, Phase, Position, Steal, Take, find_edition
from pickomino.simulate import Simulator
from pickomino.solver import Ending, Objective, Worms, after, move_values
from pickomino.testing import random_game, random_positions
from tests.solver.brute import some_value

# Where the rare things happen: turns begin here, every specialist is held by somebody, round worms are short.
SCENES = (
    "pkp1 deluxe 11,13,23,25,30-36 21,26/22,27/24 A -:? apple@B,can@11,crow@23,gold@13,hen@C,weasel@25 1/4/2",
    "pkp1 deluxe 11,23,30-36 26/22,27/24,28/- B -:? apple@C,can@B,crow@23,hen@A,weasel@11 2/0/3/2",
    "pkp1 deluxe 13,22,23,31,36 21/26/27/24 C -:? apple@B,can@13,crow@22,gold@D,hen@31,weasel@C 0/3/1/3",
    "pkp1 deluxe 23,31,36 21,30/26/27,28/24 D -:+? can@A,crow@36,gold@D,hen@B,weasel@C 1/3/2/1",
    "pkp1 deluxe 23 26,29/24 A -:? crow@23,hen@B 3/4",
    "pkp1 extrawurm 21-23,36 24/25/26/27/28/29/30 E -:? can@D,crow@22,gold@21,hen@G,weasel@E 1/1/1/1/1/1/1",
    "pkp1 extrawurm 22,23,35 24/25,36/26/27/28/29/30 F -:+? can@D,crow@22,gold@F,hen@A,weasel@B 0/2/1/1/1/1/1",
)

ODD = Worms(loss=1.3, steal=0.5, round=0.7, apple=2.5, can=0.4, gold=0.9, hen=1.1, weasel=0.6)


def scene_positions(text: str, seed: int, games: int) -> list[Position]:
    """Points of the first turns of some games that begin at a scene."""
    start = parse_position(text)
    found = (random_game(seed=f"{seed} {n}", start=start, plies=25).positions for n in range(games))
    return [position for positions in found for position in positions if not position.over]


def starts_of(positions: Sequence[Position]) -> list[Position]:
    return [
        position for position in positions if position.phase in (Phase.ROLL, Phase.GOLD) and not position.kept
    ]


def check_ends(positions: list[Position]) -> Counter[str]:
    """Every end of every turn against `after`; what kinds of ends there were."""
    edition = positions[0].edition
    found = turn_ends(edition, turn_starts(pack(positions)))
    ends, kinds = found.ends, Counter[str]()
    groups: dict[tuple[int, Ending], set[Position]] = {}
    for index, turn in enumerate(ends.turn.tolist()):
        how, tile, giver = int(ends.how[index]), edition.values[ends.tile[index]], int(ends.giver[index])
        claim = None if how == BUST else Take(tile) if how == TAKE else Steal(tile)
        key = turn, Ending(claim, None if giver == NO_GIVER else giver)
        groups.setdefault(key, set()).add(unpack(ends.rows[index], edition))
    for (turn, ending), rows in groups.items():
        assert rows == set(after(positions[turn], ending)), (str(positions[turn]), str(ending))
        kinds["choice"] += len(rows) > 1
        kinds["given"] += ending.giver is not None and ending.giver >= 0
        kinds["hen stolen"] += isinstance(ending.claim, Steal) and any(
            row.stacks == positions[turn].stacks for row in rows
        )
    return kinds


@pytest.mark.parametrize("edition", ["deluxe", "extrawurm"])
@pytest.mark.parametrize("seats", [2, 3, 5, 7])
def test_ends_of_random_turns_are_those_of_the_rules(edition: str, seats: int) -> None:
    check_ends(starts_of(list(random_positions(edition, seats, seats, count=240))))


def test_ends_of_rare_turns_are_those_of_the_rules() -> None:
    kinds: Counter[str] = Counter()
    for text in SCENES:
        kinds += check_ends([parse_position(text)])
    assert kinds["choice"] > 10
    assert kinds["given"] > 10
    assert kinds["hen stolen"] > 3


@dataclass(frozen=True)
class Details:
    """Values the position after the turn by every detail of it."""

    def payoff(self, position: Position, endings: Sequence[Ending]) -> list[float]:
        return [float(max(map(some_value, after(position, ending)))) for ending in endings]

    def choice(self, position: Position, end: Position) -> float:
        return float(some_value(end))


class DetailsBot(TurnValueBot):
    """The same by packed positions."""

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        return np.array([float(some_value(unpack(row, edition))) for row in ends.rows])


def check_values(bot: TurnValueBot, positions: list[Position], objective: Objective) -> None:
    table = move_table(positions[0].edition)
    found = bot.explain_many(PackedGames(positions))
    for row, position in zip(found.values, positions, strict=True):
        expected = np.full(len(table), -np.inf)
        for move, value in move_values(position, objective).moves.items():
            expected[table.index(move)] = value
        np.testing.assert_allclose(row, expected, rtol=0, atol=1e-9, err_msg=str(position))


def odd_ev() -> EvBot:
    return EvBot(ODD.loss, ODD.steal, ODD.round, ODD.apple, ODD.can, ODD.gold, ODD.hen, ODD.weasel)


@pytest.mark.parametrize("edition", ["deluxe", "extrawurm"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_values_are_those_of_the_single_form(edition: str, seats: int) -> None:
    positions = [
        position for position in random_positions(edition, seats, 10 + seats, count=120) if position.moves()
    ]
    check_values(odd_ev(), positions, ODD)
    check_values(DetailsBot(Details()), positions[::4], Details())


@pytest.mark.parametrize("text", SCENES)
def test_values_of_rare_points_are_those_of_the_single_form(text: str) -> None:
    positions = [position for position in scene_positions(text, 1, 8) if position.moves()]
    check_values(odd_ev(), positions, ODD)
    check_values(DetailsBot(Details()), positions[::3], Details())
    check_values(TurnValueBot(ODD), positions[::8], ODD)


def test_the_rare_points_have_every_choice() -> None:
    seen: Counter[str] = Counter()
    for text in SCENES:
        for position in scene_positions(text, 1, 8):
            moves = set(map(str, position.moves()))
            seen[f"{position.phase.name}{' in the turn' if position.kept else ''}"] += 1
            seen["weasel after a dead roll"] += {"s", "w"} <= moves
            seen["golden die in the turn"] += position.gold_joined
    for kind in ("GOLD", "GIVER", "GIVER in the turn", "PUT_BACK", "golden die in the turn"):
        assert seen[kind], (kind, seen)
    assert seen["weasel after a dead roll"]


def test_whole_games_by_the_batch_form_are_those_of_the_single_form() -> None:
    """Every decision of simulated games is asked again, one at a time."""
    bot, rng = EvBot(1, 1, weasel=1, gold=1), random.Random(1)
    simulator = Simulator("deluxe", 3, games=3, seed=3, log=True)
    results = simulator.play(as_policy(bot))
    for number in range(3):
        for position, ply, _ in results.game(number).steps():
            if position.moves():
                assert ply == bot.choose(position, rng), str(position)


def test_old_turns_are_forgotten_and_solved_again() -> None:
    bot, fresh = EvBot(1, 1), EvBot(1, 1)
    positions = [position for position in random_positions("deluxe", 4, 9, count=2600) if position.moves()]
    first = bot.explain_many(PackedGames(positions[:50])).values
    for at in range(0, len(positions), 600):
        bot.explain_many(PackedGames(positions[at : at + 600]))
    again = bot.explain_many(PackedGames(positions[:50])).values
    np.testing.assert_allclose(again, first, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        fresh.explain_many(PackedGames(positions[:50])).values, first, rtol=0, atol=1e-12
    )


def test_choices_are_told_apart_from_ends_of_turns() -> None:
    seen: list[int] = []

    class Asked(EvBot):
        def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
            assert (ends.seats == ends.starts["seat"][ends.turn]).all()
            seen.extend(ends.how.tolist())
            return super().end_values(edition, ends)

    position = parse_position("pkp1 deluxe 13,21-28 29/- A -:< apple@A,can@A 0/0")
    Asked().explain_many(PackedGames(position))
    assert seen == [CHOICE, CHOICE]


def test_batches_need_numpy_only() -> None:
    """The same values in a process that cannot import numba."""
    positions = [position for position in scene_positions(SCENES[0], 2, 2) if position.moves()]
    code = f"""
import sys
sys.modules["numba"] = None
import numpy as np
from pickomino import parse_position
from pickomino.bots.ev import EvBot
from pickomino.bots.games import PackedGames
positions = [parse_position(text) for text in {[str(position) for position in positions]!r}]
print(EvBot(1, 1).choose_many(PackedGames(positions), np.random.default_rng(1)).tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    chosen = EvBot(1, 1).choose_many(PackedGames(positions), np.random.default_rng(1))
    assert done.stdout.strip() == str(chosen.tolist())


def test_editions_of_ones_own() -> None:
    """Specialists with other switches: several claims to choose from, nothing to earn."""
    other = replace(
        find_edition("deluxe"), key="other", steal="optional", lower="any", fast=True, round_worms=0
    )
    positions = [position for position in random_positions(other, 3, 1, count=60) if position.moves()]
    check_values(odd_ev(), positions, ODD)
