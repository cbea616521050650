"""A review as one plain value for screens: figures rounded as they are shown, and every sentence in one language.

Terminal, JSON, the HTML page and the table in the browser show this; nobody rounds or words anything a second time.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from pickomino.analysis.judgement import (
    GRADES,
    LIMITS,
    accuracy,
    grade,
    grade_of,
    is_decided,
    kind_of,
    shown_balance,
    slips,
    turning_points,
)
from pickomino.analysis.model import Decision, Review, TurnReview
from pickomino.analysis.sentences import mistake_sentence
from pickomino.analysis.telling import afterword, kind_words, level_words, turn_words, turning_words, verdict
from pickomino.analysis.words import Words, add_up, percent
from pickomino.rules import SEATS, Move, Steal
from pickomino.solver.point import Claim

_SMALL: Final = (
    0.07  # an ending less likely than this is merged into "other": its label would not fit its bar
)


def report(review: Review, language: str = "en") -> dict[str, Any]:
    """Everything that is shown of a review; its shape is in docs/review.md."""
    words = Words(review.names, language, review.goal)
    listed = [one for one in review.decisions if not one.forced]
    place = {one.ply: index for index, one in enumerate(listed)}
    return {
        "edition": review.edition,
        "objective": review.goal,
        "over": review.over,
        "language": language,
        "tiles": {str(tile): worms for tile, worms in review.positions[0].edition.tiles},
        "limits": [limit * (100 if review.goal == "win" else 1) for limit in LIMITS[review.goal]],
        "players": [_player(review, seat, place, words) for seat in range(review.seats)],
        "turns": [_turn(review, turn, words) for turn in review.turns],
        "rolls": [
            {
                "ply": roll.ply,
                "turn": roll.turn,
                "dice": roll.dice,
                "luck": [words.figure(value) for value in roll.luck],
            }
            for roll in review.rolls
        ],
        "decisions": [_decision(review, one, words) for one in listed],
    }


def _player(review: Review, seat: int, place: dict[int, int], words: Words) -> dict[str, Any]:
    choices, balance = review.choices(seat), review.balances[seat]
    found = slips(review, seat)
    right = accuracy(choices)
    head, text = verdict(review, seat, words.language)
    return {
        "seat": SEATS[seat],
        "name": words.names[seat],
        "score": review.scores[seat],
        "rank": review.ranks[seat],
        "headline": head,
        "verdict": text,
        "choices": len(choices),
        "grades": {name: sum(grade_of(one, review.goal) == name for one in choices) for name in GRADES},
        "accuracy": None if right is None else min(percent(max(right, 0.0)), 99 if found else 100),
        "level": level_words(right, bot_table(review.edition, review.seats), words),
        "balance": shown_balance(balance, review.goal),
        "spread": words.figure(balance.spread),
        "adjusted": words.figure(
            min(max(balance.adjusted, 0.0), 1.0) if review.goal == "win" else balance.adjusted
        ),
        "turning": [
            {
                "turn": point.turn.number,
                "words": words.sentence(turn_words(review, point.turn, words.language, you=seat))[:-1],
                "why": turning_words(review, point, words.language),
                "before": words.figure(point.before),
                "after": words.figure(point.after),
            }
            for point in turning_points(review, seat)
        ],
        "slips": [place[one.ply] for one in found],
    }


def _turn(review: Review, turn: TurnReview, words: Words) -> dict[str, Any]:
    start = review.positions[turn.first]
    shown: dict[str, Any] = {
        "turn": turn.number,
        "seat": SEATS[turn.seat],
        "words": words.sentence(turn_words(review, turn, words.language))[:-1],
        "before": [words.figure(value) for value in turn.before],
        "after": [words.figure(value) for value in turn.after],
        "luck": [words.figure(value) for value in turn.luck],
        "error": words.figure(turn.error),
        "bust": turn.complete and turn.claim is None,
        "grill": list(start.grill),
        "flipped": list(start.flipped),
        "stacks": [list(stack) for stack in start.stacks],
        "scores": list(start.scores),
    }
    if start.specialists is not None:
        standing = {str(tile): name for tile, name in start.specialists.standing}
        shown["specialists"] = {
            "standing": standing,
            "held": [list(names) for names in start.specialists.held],
        }
        shown["round_worms"] = list(start.specialists.round_worms)
    return shown


def _decision(review: Review, decision: Decision, words: Words) -> dict[str, Any]:
    goal, position = review.goal, decision.position
    slip = decision.error >= LIMITS[goal][1]
    best = decision.values[decision.best]
    shown: dict[str, Any] = {
        "ply": decision.ply,
        "turn": decision.turn,
        "seat": SEATS[decision.seat],
        "position": str(position),
        "kept": position.kept,
        "rolled": position.rolled,
        "total": position.total,
        "played": str(decision.played),
        "best": str(decision.best),
        "charged": decision.charged,
        "grade": grade_of(decision, goal),
        "cost": words.cost(best, decision.values[decision.played]),
        "moves": shown_moves(decision, words),
    }
    if slip:
        kind = kind_of(decision)
        shown |= {
            "kind": kind,
            "title": kind_words(kind, words),
            "decided": is_decided(decision, goal),
            "sentence": mistake_sentence(decision, words),
            "afterword": afterword(review, decision, words.language),
        }
    return shown


def shown_moves(decision: Decision, words: Words) -> list[dict[str, Any]]:
    """Every legal move of a choice, best first, with its value, its cost and how the turn may end after it."""
    best = decision.values[decision.best]
    ranked = sorted(decision.values.items(), key=lambda item: (item[0] != decision.best, -item[1]))
    return [
        {
            "move": str(move),
            "words": words.naming(decision.position, move),
            "value": words.figure(value),
            "cost": words.cost(best, value),
            "grade": grade(best - value, words.goal),
            "ends": _ends(decision, move),
        }
        for move, value in ranked
    ]


def _ends(decision: Decision, move: Move) -> list[list[Any]]:
    """How the turn ends after a move, as bars: [what, per cent]; likely claims by tile, ``other``, ``bust``."""
    odds = decision.odds[move]
    large = {end: chance for end, chance in odds.items() if end is not None and chance >= _SMALL}
    names: dict[str, float] = {str(end): large[end] for end in sorted(large, key=_claim_order)}
    names["other"] = sum(chance for end, chance in odds.items() if end is not None and end not in large)
    names["bust"] = odds.get(None, 0.0)
    shown = add_up(list(names.values()), 1.0) if odds else []
    return [[name, share] for name, share in zip(names, shown, strict=False) if share]


def _claim_order(claim: Claim) -> tuple[bool, int]:
    return isinstance(claim, Steal), -claim.tile


@cache
def _bot_tables() -> dict[str, dict[str, dict[str, float]]]:
    tables: dict[str, dict[str, dict[str, float]]] = json.loads(
        Path(__file__).with_name("bots.json").read_text("utf-8")
    )
    return tables


def bot_table(edition: str, seats: int) -> dict[str, float]:
    """The accuracy of our bots as ``benchmarks.review`` measured it: of the edition, or of `classic`."""
    tables = _bot_tables()
    found = tables.get(edition, tables["classic"])
    return found.get(str(seats)) or found[max(found, key=int)]
