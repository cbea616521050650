"""Shares, errors and ratings against the textbook and against games made up to order."""

from __future__ import annotations

import csv
import io
import math
import random
import statistics
from xml.etree import ElementTree

import pytest

from pickomino.arena import (
    ArenaResult,
    Chunk,
    Spec,
    as_csv,
    plot_matrix,
    plot_ratings,
    win_matrix,
)
from pickomino.arena.ratings import rate
from pickomino.arena.student import t95
from pickomino.arena.tally import Tally


def made_up(spec: Spec, seed: int = 1) -> list[Chunk]:
    """Chunks of games that nobody played: one or two winners each, the others in some order."""
    rng, chunks = random.Random(seed), []
    for number in range(spec.chunks):
        games = []
        for _ in range(len(spec.groups_of(number)) * spec.players):
            ranks = list(range(spec.players))
            if rng.random() < 0.2:
                ranks[1] = 0
            rng.shuffle(ranks)
            games.append("".join(map(str, ranks)))
        chunks.append(Chunk(number, "".join(games)))
    return chunks


def tallied(spec: Spec, chunks: list[Chunk]) -> Tally:
    tally = Tally(spec)
    for chunk in chunks:
        tally.add(chunk)
    return tally


def test_one_against_copies() -> None:
    """A group's mean is one sample: mean and standard error as `statistics` has them."""
    spec = Spec(("ev", "random"), players=3, games=90, chunk_groups=10)
    chunks = made_up(spec)
    means = []
    for chunk in chunks:
        for group in range(len(spec.groups_of(chunk.number))):
            shares = []
            for rotation in range(3):  # the first entrant sits in seat `rotation` of that game
                at = 3 * (3 * group + rotation)
                ranks = chunk.ranks[at : at + 3]
                shares.append((ranks[rotation] == "0") / ranks.count("0"))
            means.append(sum(shares) / 3)
    first, copies = tallied(spec, chunks).shares()
    assert first.share == pytest.approx(statistics.mean(means), abs=1e-12)
    assert first.error == pytest.approx(statistics.stdev(means) / len(means) ** 0.5, abs=1e-12)
    assert (first.games, first.seats, copies.games, copies.seats) == (90, 90, 90, 180)
    assert first.wins + copies.wins == pytest.approx(90)
    assert copies.share == pytest.approx((1 - first.share) / 2)


@pytest.mark.parametrize(("entrants", "players"), [(5, 3), (3, 4), (3, 3)])
def test_all_wins_are_given_out_and_the_order_of_chunks_does_not_matter(entrants: int, players: int) -> None:
    spec = Spec(("ev",) * entrants, players=players, games=60 * players, chunk_groups=7)
    chunks = made_up(spec)
    tally = tallied(spec, chunks)
    assert sum(share.wins for share in tally.shares()) == pytest.approx(spec.games_played)
    assert sum(share.seats for share in tally.shares()) == spec.games_played * players
    assert tallied(spec, chunks[::-1]).shares() == tally.shares()  # to the last bit: sums of whole numbers


def test_the_error_is_honest_with_uneven_seats() -> None:
    """Five entrants at three seats sit in some groups only: the error covers the equal share as it should."""
    inside = 0
    for seed in range(60):
        spec = Spec(("ev",) * 5, players=3, games=600, chunk_groups=200, seed=seed)
        share = tallied(spec, made_up(spec, seed)).share(seed % 5)
        assert share.low is not None
        assert share.high is not None
        inside += share.low <= 1 / 3 <= share.high
    assert inside >= 52  # 57 expected; 51 or fewer once in a hundred


def drawn(spec: Spec, chance: float, rng: random.Random) -> Chunk:
    """Games of two entrants that nobody played: the first wins each with a chance that varies from group to group.

    Around 0.5 ± 0.2 and the like: a beta distribution whose two numbers sum to 9, so games of a group hang together.
    """
    games = []
    for _ in range(spec.groups):
        now = rng.betavariate(9 * chance, 9 * (1 - chance))
        for rotation in range(spec.players):
            winner = rotation if rng.random() < now else (rotation + 1) % spec.players
            games.append("".join("0" if seat == winner else "1" for seat in range(spec.players)))
    return Chunk(0, "".join(games))


@pytest.mark.parametrize(("groups", "seats"), [(2, 2), (5, 2), (10, 4), (20, 2)])
@pytest.mark.parametrize("chance", [0.5, 0.1])
def test_intervals_hold_what_they_promise_with_few_groups(groups: int, seats: int, chance: float) -> None:
    """1.96 errors cover 0.45 to 0.93 here."""
    spec, rng = Spec(("ev", "random"), players=seats, games=groups * seats), random.Random(groups)
    inside, runs = 0, 300
    for _ in range(runs):
        share = tallied(spec, [drawn(spec, chance, rng)]).share(0)
        assert share.low is not None
        assert share.high is not None
        assert 0 <= share.low <= share.share <= share.high <= 1
        assert share.low < share.high
        inside += share.low <= chance <= share.high
    assert inside >= 274  # 285 expected; fewer than 274 once in 500 at a coverage of 95 %


def test_students_t() -> None:
    """The 97.5 % points, as any table has them."""
    points = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 10**6: 1.960}
    assert {freedom: t95(freedom) for freedom in points} == pytest.approx(points, rel=2e-3)


@pytest.mark.parametrize("won", ["1001", "0101"])  # the second always; the one that begins always
def test_groups_that_are_all_alike_are_no_certainty(won: str) -> None:
    loser, winner = tallied(Spec(("ev", "random"), games=20), [Chunk(0, won * 10)]).shares()
    assert loser.error == 0
    assert loser.low is not None
    assert loser.high is not None
    assert 0.05 < loser.high - loser.low < 0.3
    assert winner.low == pytest.approx(1 - loser.high)


def test_one_group_says_next_to_nothing() -> None:
    share = tallied(spec := Spec(("ev", "random"), games=2), made_up(spec)).share(0)
    assert (share.error, share.low, share.high) == (None, 0, 1)


# --- ratings ---


def test_ratings_of_two_are_the_odds_of_their_wins() -> None:
    """300 of 400 won: odds of 3 to 1 are 400 · log10(3) = 190.8 on Elo's scale, the made-up games aside."""
    spec = Spec(("ev", "random"), games=400, chunk_groups=50)
    both, one = "0110", "0101"  # the seats are exchanged from game to game
    chunks = [Chunk(number, (both + one) * 25) for number in range(4)]
    strong, weak = rate(spec, chunks)
    assert strong.elo - weak.elo == pytest.approx(400 * math.log10(3), abs=2)
    assert strong.elo == pytest.approx(-weak.elo)
    assert rate(spec, chunks[::-1]) == [strong, weak]


def test_ratings_come_out_as_they_went_in() -> None:
    """Three at a table win as Plackett and Luce say, 1 : 2 : 4; the ratings find 400 · log10(2) between them."""
    spec, rng = Spec(("ev",) * 3, players=3, games=6000, chunk_groups=2000), random.Random(4)
    games = []
    for group in spec.seating(0).transpose(1, 0, 2).tolist():
        for seated in group:
            winner = rng.choices(range(3), [(1, 2, 4)[entrant] for entrant in seated])[0]
            games.append("".join("0" if seat == winner else "1" for seat in range(3)))
    weak, middle, strong = rate(spec, [Chunk(0, "".join(games))])
    for one, other in ((strong, middle), (middle, weak)):
        assert one.error is not None
        assert other.error is not None
        assert one.elo - other.elo == pytest.approx(400 * math.log10(2), abs=4 * (one.error + other.error))
        assert 2 < one.error < 10  # 2,000 groups: a share is known to 0.01, which is 6 on this scale


def test_who_lost_everything_has_a_rating_too() -> None:
    spec = Spec(("ev", "random"), players=4, games=400, chunk_groups=100)
    strong, weak = rate(spec, [Chunk(0, ("0123" + "3012" + "2301" + "1230") * 100)])
    assert strong.elo > 300 > -300 > weak.elo
    assert rate(spec, [])[0].elo == 0


# --- who beat whom ---


def test_the_win_matrix() -> None:
    spec = Spec(("ev", "random"), games=8, chunk_groups=4)
    chunk = Chunk(0, "0110" + "0101" + "0110" + "0101")  # wins of the first: 2, 1, 2, 1 of 2
    tally = tallied(spec, [chunk])
    outcome = ArenaResult(
        spec, tally.shares(), [None, None], rate(spec, [chunk]), [3, 0], tally.unfinished, 0.0, [chunk]
    )
    assert win_matrix(outcome)[0, 1] == pytest.approx(0.75)
    first, second = csv.DictReader(io.StringIO(as_csv(outcome)))
    assert (first["against random"], second["against ev"]) == ("0.75", "0.25")
    assert (first["decisions_by_cautious"], first["share"]) == ("3", "0.75")
    for draw in (plot_matrix, plot_ratings):
        ElementTree.fromstring(draw(outcome))
