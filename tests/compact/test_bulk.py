"""The bulk form of the rules against the rules themselves, as it stands and compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pickomino.bots import CautiousBot
from pickomino.compact import bulk
from pickomino.compact.loops import BUST, NO_GIVER, STEAL, SUPPLY, TAKE
from pickomino.compact.moves import move_table
from pickomino.compact.packed import NONE, pack, unpack
from pickomino.rules import (
    EDITIONS,
    Keep,
    Phase,
    Position,
    PutBack,
    Take,
    TakeRoundWorm,
    claims,
    settle,
)
from pickomino.rules.turn import play
from pickomino.testing import random_positions

KEYS = (*EDITIONS, "classic+fast", "classic+any-lower", "classic+mandatory-steal", "classic+shared-ties")


@pytest.fixture(params=["plain", "compiled"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    made = bulk._Plain() if request.param == "plain" else bulk._Compiled()
    monkeypatch.setattr(bulk, "_form", lambda rows: made)
    return str(request.param)


def turn_starts(key: str, seats: int) -> list[Position]:
    found = [
        position
        for seed in range(4)
        for position in random_positions(key, seats, seed=f"{key} {seats} {seed}", count=150)
        if position.phase in (Phase.ROLL, Phase.GOLD) and not position.kept
    ]
    assert len(found) > 5
    return found


def _choices(position: Position) -> Iterator[Position]:
    """Positions after a claim, every choice that it leaves made."""
    if position.phase in (Phase.GIVER, Phase.PUT_BACK):
        for move in position.moves():
            assert isinstance(move, TakeRoundWorm | PutBack)
            yield from _choices(position.apply(move).position)
    else:
        yield position


def _ends(position: Position) -> Counter[tuple[int, int, str]]:
    """By the rules: how the turn can end, with which tile, and where that leads."""
    tiles = position.edition.values
    found: Counter[tuple[int, int, str]] = Counter()
    for tile in position.grill:
        found.update((TAKE, tiles.index(tile), str(end)) for end in _choices(settle.take(position, tile)[0]))
    for seat, top in enumerate(position.tops):
        if top is not None and seat != position.seat and top not in position.edition.exact_only:
            ends = _choices(settle.steal(position, top, seat)[0])
            found.update((STEAL, tiles.index(top), str(end)) for end in ends)
    found[BUST, NONE, str(settle.bust(position)[0])] += 1
    return found


@pytest.mark.parametrize("seats", [2, 4, 7])
@pytest.mark.parametrize("key", KEYS)
def test_ends_of_turns(key: str, seats: int, form: str) -> None:
    positions = turn_starts(key, seats)
    edition = positions[0].edition
    ended, of, how, tile = bulk.end_turns(edition, pack(positions))
    for index, position in enumerate(positions):
        at = np.flatnonzero(of == index)
        mine = Counter(
            (int(how[end]), int(tile[end]), str(unpack(ended[end], edition))) for end in at.tolist()
        )
        assert mine == _ends(position)


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("key", ["classic", "deluxe", "extrawurm"])
def test_round_worms_on_the_way(key: str, seats: int, form: str) -> None:
    """A keep of two 1s earns a round worm from whoever the rules say (D8.4, D11.1)."""
    positions = turn_starts(key, seats)
    edition = positions[0].edition
    rows, turn, giver = bulk.turn_variants(edition, pack(positions))
    assert turn[: len(positions)].tolist() == list(range(len(positions)))
    assert (giver[: len(positions)] == NO_GIVER).all()
    for index, position in enumerate(positions):
        mine = {
            int(giver[at]): tuple(rows["round_worms"][at][:seats].tolist())
            for at in np.flatnonzero(turn == index).tolist()
            if giver[at] != NO_GIVER
        }
        assert mine == _earned(position)


def _earned(position: Position) -> dict[int, tuple[int, ...]]:
    """By the rules: everybody's round worms after two 1s, for each who could give."""
    if position.specialists is None:
        return {}
    before = position.specialists.round_worms
    kept = play(replace(position, phase=Phase.KEEP, rolled="11"), Keep("1"))[0]
    options = kept.moves() if kept.phase is Phase.GIVER else ()
    found = {}
    for after in [kept.apply(move).position for move in options] or [kept]:
        assert after.specialists is not None
        worms = after.specialists.round_worms
        lost = [seat for seat, had in enumerate(before) if worms[seat] < had]
        if worms != before:
            found[lost[0] if lost else SUPPLY] = worms
    return found


@pytest.mark.parametrize("key", KEYS)
def test_values_of_stopping(key: str, form: str) -> None:
    """The best of what `claims` allows, whatever the values."""
    positions = turn_starts(key, 3)
    edition = positions[0].edition
    rng = np.random.default_rng(1)
    tiles, totals = edition.values, 46
    take, steal = rng.random((2, len(positions), len(tiles)))
    bust = rng.random(len(positions)) - 1
    stop = bulk.stop_values(edition, pack(positions), take, steal, bust, totals)
    for index, position in enumerate(positions):
        for total in range(edition.pips["W"], totals):
            values = [
                (take if isinstance(claim, Take) else steal)[index, tiles.index(claim.tile)]
                for claim in claims(replace(position, phase=Phase.GO, kept=_made(total)))
            ]
            assert stop[index, total] == max(values, default=bust[index])


def _made(total: int) -> str:
    """Dice with a worm that make a total; more than eight of them serve as well here."""
    return "1" * (total % 5) + "5" * (total // 5 - 1) + "W"


@pytest.mark.parametrize("seats", [2, 3, 7])
@pytest.mark.parametrize("key", KEYS)
def test_scores_and_winners(key: str, seats: int, form: str) -> None:
    positions = [
        position
        for seed in range(3)
        for position in random_positions(key, seats, seed=f"{key} {seed}", count=60)
    ]
    scores, leaders = bulk.worm_counts(positions[0].edition, seats, pack(positions))
    shares = bulk.win_shares(leaders, seats)
    for index, position in enumerate(positions):
        assert tuple(scores[index].tolist()) == position.scores
        won = position.standings.winners
        assert shares[index].tolist() == [(seat in won) / len(won) for seat in range(seats)]


def test_choices_after_claims(form: str) -> None:
    """D10.4 and D11.1, by the move table."""
    asked = [
        position
        for seed in range(40)
        for position in random_positions("deluxe", 4, seed=f"choices {seed}", count=100)
        if position.phase is Phase.PUT_BACK or (position.phase is Phase.GIVER and not position.kept)
    ]
    pairs = [(position, move) for position in asked for move in position.moves()]
    assert {position.phase for position in asked} == {Phase.GIVER, Phase.PUT_BACK}
    edition = asked[0].edition
    moves = np.array([move_table(edition).index(move) for _, move in pairs])
    ended = bulk.choose_rows(edition, pack([position for position, _ in pairs]), moves)
    for row, (position, move) in zip(ended, pairs, strict=True):
        assert unpack(row, edition) == position.apply(move).position


@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_moves_of_the_cautious_bot(key: str, form: str) -> None:
    positions = [position for position in random_positions(key, 3, seed=5, count=300) if position.moves()]
    edition, bot = positions[0].edition, CautiousBot()
    index = move_table(edition).index
    legal = np.array([sum(1 << index(move) for move in position.moves()) for position in positions])
    moves = bulk.cautious_moves(edition, pack(positions), legal)
    assert moves.tolist() == [index(bot.choose(position, Random(1))) for position in positions]
    assert bulk.cautious_moves(edition, pack(positions[0]), np.array([0])).tolist() == [0]
