"""Shares and errors against the textbook, and ratings in a fixed order."""

from __future__ import annotations

import random
import statistics

import pytest

from pickomino.arena import Chunk, Spec
from pickomino.arena.ratings import Ratings
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
    assert first.low is not None
    assert first.high is not None
    assert first.error is not None
    assert first.high - first.low == pytest.approx(2 * 1.96 * first.error, rel=1e-4)


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


def test_nothing_won_is_no_certainty() -> None:
    spec = Spec(("ev", "random"), players=2, games=20)
    all_lost = "".join("10" if rotation == 0 else "01" for _ in range(10) for rotation in range(2))
    loser, winner = tallied(spec, [Chunk(0, all_lost)]).shares()
    assert (loser.share, winner.share, loser.error) == (0, 1, 0)
    assert loser.high == pytest.approx(1 - 0.025**0.1)  # Clopper–Pearson for 0 of 10
    assert winner.low == pytest.approx(0.025**0.1)


def test_one_group_has_no_error() -> None:
    share = tallied(spec := Spec(("ev", "random"), games=2), made_up(spec)).share(0)
    assert share.error is None


def test_ratings_follow_the_results_in_the_order_of_the_chunks() -> None:
    spec = Spec(("ev", "random"), players=4, games=400, chunk_groups=20)
    won = "0123" + "3012" + "2301" + "1230"  # the first entrant wins from every seat
    chunks = [Chunk(number, won * 20) for number in range(spec.chunks)]
    straight, reverse = Ratings(spec), Ratings(spec)
    for chunk in chunks:
        straight.add(chunk)
    for chunk in reversed(chunks):
        reverse.add(chunk)
    assert straight.ratings() == reverse.ratings()
    strong, weak = straight.ratings()
    assert strong.mu > 30 > 25 > weak.mu  # 25 is where everybody begins
    assert strong.sigma < 25 / 3


def test_ratings_keep_equals_together() -> None:
    spec = Spec(("ev",) * 3, players=3, games=3000, chunk_groups=100)
    ratings = Ratings(spec)
    for chunk in made_up(spec):
        ratings.add(chunk)
    for rating in ratings.ratings():
        assert rating.mu == pytest.approx(25, abs=4 * rating.sigma)
