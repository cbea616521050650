"""Judgement, the report that screens show, annotated records, profiles and the page."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from pickomino import Game, parse_position
from pickomino.analysis import Review, review
from pickomino.analysis.annotation import annotate
from pickomino.analysis.judgement import accuracy, grade, grade_of, is_decided, kind_of, slips, turning_points
from pickomino.analysis.page import page_of
from pickomino.analysis.profile import played_games, profiles
from pickomino.analysis.reporting import report
from pickomino.analysis.telling import afterword, level_words
from pickomino.analysis.words import Words
from pickomino.bots import make_bot
from pickomino.notation import Record, format_record, parse_move, parse_record
from pickomino.testing import random_game


@pytest.fixture(scope="module")
def record() -> Record:
    bots = [make_bot(name) for name in ("easy", "champion", "cautious")]
    game = random_game(
        "classic", 3, "report", lambda position, rng: bots[position.seat].choose(position, rng)
    )
    return Record(game, ("Anna", "Owl", "Brace {x}"))


@pytest.fixture(scope="module")
def found(record: Record) -> Review:
    return review(record)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (0, "best"),
        (0.0019, "best"),
        (0.002, "fine"),
        (0.01, "inaccuracy"),
        (0.02, "mistake"),
        (0.05, "blunder"),
    ],
)
def test_grades(error: float, name: str) -> None:
    assert grade(error) == name


@pytest.mark.parametrize(
    ("stands", "said"),  # the best move: 40 %, the one played: 30 %
    [
        (0.41, "The dice hid it: after this turn you stood at 41 %."),
        (0.39, ""),  # a point is not worth a word
        (0.35, "It went well, and still left you at 35 %, not 40 %."),
        (0.29, ""),
    ],
)
def test_how_it_went_on(found: Review, stands: float, said: str) -> None:
    one = next(one for one in found.decisions if one.error > 0 and found.turns[one.turn - 1].complete)
    shares = tuple(stands if seat == one.seat else 0.0 for seat in range(found.seats))
    turns = tuple(replace(turn, after=shares) if turn.number == one.turn else turn for turn in found.turns)
    slip = replace(one, values=one.values | {one.best: 0.4, one.played: 0.3})
    assert afterword(replace(found, turns=turns), slip) == said


@pytest.mark.parametrize(
    ("text", "played", "kind"),
    [
        ("pkp1 classic 22,25,27 30/26 A 15555W:-", "t25", "missed steal"),
        ("pkp1 classic 22,25,27 30/26 A 15555W:-", "r", "missed steal"),
        ("pkp1 classic 21-24 25/- A 555WW:-", "r", "rolled on"),
        ("pkp1 classic 22-24,26-36 -/25,21 A 455WW:-", "t24", "stopped early"),
        ("pkp1 classic 23 25/31,30,22,27/29,21,26 B 555WW:-", "x25", "wrong steal"),
        ("pkp1 classic 21-36 -/- A -:1333445W", "k1", "wrong face"),
        (
            "pkp1 deluxe 23,25,31 13,26,28,35,27,29/22,30,24,11/33,21 A -:+? can@25,gold@A,hen@31,weasel@23 0/1/3",
            "n",
            "specialist",
        ),
    ],
)
def test_kinds(text: str, played: str, kind: str) -> None:
    game = Game(parse_position(text), [parse_move(played)])
    (decision,) = review(game).decisions
    assert kind_of(decision) == kind


def test_a_decided_game_has_no_blunders() -> None:
    """Behind by far, with the last tile in hand: the best move wins one game in twenty, and none after the take."""
    game = Game(parse_position("pkp1 classic 22 24,26/25,21,23,29,27,30,28 A 344445W:-"), [parse_move("t22")])
    found = review(game)
    (decision,) = found.decisions
    assert is_decided(decision, "win") == (decision.values[decision.best] <= 0.05)
    assert grade_of(decision, "win") in ("best", "fine", "inaccuracy") or not is_decided(decision, "win")
    assert not is_decided(decision, "worms")


def test_accuracy_is_nearly_1_for_the_champion_and_0_for_blind_choice(found: Review) -> None:
    assert 0.99 < (accuracy(found.choices(1)) or 0) <= 1  # a review looks further than it does
    assert 0.4 < (accuracy(found.choices(0)) or 0) < 1
    blind = review(random_game("classic", 2, "blind", make_bot("random").choose, plies=900))
    assert abs(accuracy(blind.choices(0)) or 1) < 0.25  # some hundred choices
    assert accuracy([]) is None


@pytest.mark.parametrize(
    ("right", "said"),
    [
        (0.76, "worse than the bot “easy” (86 %)"),
        (0.83, "about like the bot “easy” (86 %)"),
        (0.45, "better than the bot “random” (10 %)"),
    ],
)
def test_a_level_is_a_bot_that_is_near_or_says_on_which_side(right: float, said: str) -> None:
    assert level_words(right, {"random": 0.1, "easy": 0.86}, Words(("Anna", "Owl"))) == said


def test_turning_points_are_large_and_in_order(found: Review) -> None:
    for seat in range(3):
        points = turning_points(found, seat)
        assert len(points) <= 4
        assert [point.turn.number for point in points] == sorted(point.turn.number for point in points)
        for point in points:
            assert abs(point.after - point.before) >= 0.05
            assert point.luck - point.error + point.gift == pytest.approx(
                point.after - point.before, abs=1e-9
            )


@pytest.mark.parametrize("objective", ["win", "worms"])
def test_what_is_shown_adds_up(record: Record, objective: str) -> None:
    shown = report(review(record, objective))
    for player in shown["players"]:
        parts = player["balance"]
        total = sum(parts[name] for name in ("start", "luck", "errors", "clock", "gifts", "estimate"))
        assert total == pytest.approx(parts["result"])
        assert sum(player["grades"].values()) == player["choices"]
        costs = [shown["decisions"][index]["cost"] for index in player["slips"]]
        assert all(cost > 0 for cost in costs)
    for one in shown["decisions"]:
        best = one["moves"][0]
        assert best["move"] == one["best"]
        for move in one["moves"]:
            assert move["cost"] == pytest.approx(best["value"] - move["value"])
            assert sum(share for _, share in move["ends"]) == (100 if move["ends"] else 0)
    assert json.loads(json.dumps(shown)) == shown


def test_slips_come_with_words(found: Review) -> None:
    shown = report(found, "fr")
    listed = [shown["decisions"][index] for player in shown["players"] for index in player["slips"]]
    assert len(listed) == sum(len(slips(found, seat)) for seat in range(3)) > 0
    assert all(one["sentence"] and one["title"] for one in listed)
    assert not shown["players"][1]["slips"]


def test_an_annotated_record_replays_and_reads_back(record: Record, found: Review) -> None:
    noted = annotate(record, found)
    again = parse_record(format_record(noted))
    assert again.game == record.game
    assert again.comments == noted.comments
    texts = [text for texts in noted.comments.values() for text in texts]
    assert sum(text.startswith("?") for text in texts) == sum(len(slips(found, seat)) for seat in range(3))
    assert annotate(again, review(again)).comments == noted.comments
    assert not any(set("{}") & set(text) for text in texts)


def test_comments_that_were_there_stay(record: Record, found: Review) -> None:
    own = Record(record.game, record.names, {}, {(1, 2): ("mine",)})
    assert annotate(own, found).comments[1, 2][0] == "mine"


def test_profiles(record: Record, found: Review) -> None:
    short = review(Record(random_game("classic", 2, 1), ("Anna", "Owl")))
    all_of_them = profiles([*played_games(found), *played_games(short)])
    anna = all_of_them[0]
    assert (anna.name, len(anna.games)) == ("Anna", 2)
    assert anna.won == pytest.approx(found.balances[0].result + short.balances[0].result)
    assert anna.luck[0] == pytest.approx(found.balances[0].luck + short.balances[0].luck)
    assert anna.errors == pytest.approx((found.balances[0].errors + short.balances[0].errors) / 2)
    assert sum(count for count, _ in anna.kinds.values()) == len(slips(found, 0)) + len(slips(short, 0))
    assert anna.opponents["Owl"].games == 2
    lost = found.balances[1].result + short.balances[1].result
    assert anna.opponents["Owl"].lost == pytest.approx(lost)
    assert json.loads(json.dumps(anna.to_json()))["games"] == 2


def test_slips_stand_in_the_order_of_what_is_shown(found: Review) -> None:
    """Costs are differences of rounded percentages: 9.6 points are shown as 50 − 41, 9.4 as 51 − 41."""
    one, other = [choice for choice in found.choices(0) if choice.best != choice.played][:2]
    made = tuple(
        replace(choice, values=choice.values | {choice.best: best, choice.played: played})
        for choice, best, played in ((one, 0.5049, 0.4089), (other, 0.5051, 0.4111))
    )
    assert [slip.ply for slip in slips(replace(found, decisions=made), 0)] == [other.ply, one.ply]


def test_the_page_is_one_file(found: Review) -> None:
    text = page_of(report(found))
    assert len(text.encode()) < 300_000
    assert not re.search(r"""(src|href)=["']?(https?:)?//|@import|url\(""", text)
    assert "Brace {x}" in text
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["seat"] == 0


def test_the_page_of_a_long_game_stays_small() -> None:
    """Seven seats with specialists, 94 turns: few games are longer."""
    game = random_game("extrawurm", 7, "size1", make_bot("easy").choose)
    found = review(Record(game, tuple(f"A long name {number}" for number in range(7))))
    assert len(found.turns) > 90
    assert len(page_of(report(found, "fr")).encode()) < 300_000


def test_a_page_is_not_broken_by_a_name() -> None:
    game = random_game("classic", 2, 1, plies=60)
    text = page_of(report(review(Record(game, ("</script><b>", "@css @js @data")))))
    assert "</script><b>" not in text
    assert text.count("</script>") == 2
