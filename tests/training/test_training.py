"""The trainer's tensors against the rules: endings, claims, and a first step of learning. Needs PyTorch."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from pickomino.rules import Phase, Position, Steal, Stop, Take, claims, find_edition  # noqa: E402
from pickomino.training.backup import TurnGraph, solve_plain  # noqa: E402
from pickomino.training.learn import Learner, Settings  # noqa: E402
from pickomino.training.table import Rules, Table  # noqa: E402
from pickomino.training.turn import _claims  # noqa: E402

CPU = torch.device("cpu")
KEYS = ["classic", "summary", "course", "classic+fast", "classic+any-lower+shared-ties"]
# Kept dice with a worm for every total: enough to ask for each claim.
KEPT = {
    sum(5 if face == "W" else int(face) for face in dice): "".join(sorted(dice))
    for dice in itertools.combinations_with_replacement("12345W", 8)
    if "W" in dice and len(set(dice)) < 6
}


def positions(table: Table, rules: Rules) -> list[Position]:
    values = rules.edition.values
    found = []
    for grill, heights in zip(table.grill, table.heights, strict=True):
        stacks = tuple(
            tuple(values[i] for i in sorted(torch.nonzero(row)[:, 0].tolist(), key=lambda i: int(row[i])))
            for row in heights
        )
        up = tuple(value for value, there in zip(values, grill.tolist(), strict=True) if there)
        found.append(Position(rules.edition, up, stacks, 0, Phase.ROLL))
    return found


def rotated(position: Position) -> tuple[object, ...]:
    """What a table knows of a position, the next seat first."""
    return position.grill, position.stacks[1:] + position.stacks[:1]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_endings_and_claims_are_those_of_the_rules(key: str, seats: int) -> None:
    rules = Rules(find_edition(key), seats, CPU)
    graph = TurnGraph.build(rules.edition, CPU)
    table = Table.scattered(rules, 40, torch.Generator().manual_seed(5))
    ends, possible = table.endings(rules)
    liking = torch.rand(possible.shape, generator=torch.Generator().manual_seed(6))
    claim = _claims(graph, rules, table, possible, liking)
    for index, position in enumerate(positions(table, rules)):
        after = positions(Table(ends.grill[index], ends.heights[index]), rules)
        for total, dice in KEPT.items():
            stopped = Position(position.edition, position.grill, position.stacks, 0, Phase.GO, dice)
            legal = claims(stopped)
            endings = {_ending(stopped, move, rules): move for move in legal}
            best = max(endings, key=lambda number: liking[index, number].item(), default=rules.endings - 1)
            assert int(claim[index, total]) == best
            move = endings.get(best, Stop())
            if isinstance(move, Stop):
                stopped = Position(position.edition, position.grill, position.stacks, 0, Phase.GO, "1")
            assert bool(possible[index, best])
            assert rotated(stopped.apply(move).position) == (after[best].grill, after[best].stacks)


def _ending(position: Position, move: Take | Steal, rules: Rules) -> int:
    if isinstance(move, Take):
        return rules.edition.values.index(move.tile)
    return rules.tiles + position.tops.index(move.tile) - 1


def test_the_turn_is_solved_exactly() -> None:
    """Most expected worms on a full grill, nothing to lose: a known number of the notation."""
    graph = TurnGraph.build(find_edition("classic"), CPU)
    totals = graph.max_total + 1
    stop = torch.zeros(2 * totals, 1, 1, dtype=torch.float64)
    for total in range(21, totals):
        stop[totals + total] = (min(total, 36) - 21) // 4 + 1
    assert solve_plain(graph, stop)[graph.start].item() == pytest.approx(1.6447296740, abs=1e-9)


def test_learning_runs_saves_and_resumes(tmp_path: Path) -> None:
    settings = Settings(seats=3, batch=16, width=16, minutes=1e-9)
    learner = Learner(settings, tmp_path, CPU)
    learner.step()
    learner.run()
    again = Learner(settings, tmp_path, CPU)
    assert again.resume()
    assert again.steps == learner.steps
    assert (tmp_path / "classic-3.npz").exists()
