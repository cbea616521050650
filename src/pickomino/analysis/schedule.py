"""When a drill comes back: spaced repetition by FSRS (extra ``drill``). A card in, a card out; nobody stores it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pickomino.analysis.judgement import Grade
from pickomino.rules import PickominoError, said

if TYPE_CHECKING:
    from fsrs import Scheduler

_RATINGS: Final[dict[Grade, int]] = {"blunder": 1, "mistake": 1, "inaccuracy": 2, "fine": 3, "best": 3}
"""FSRS knows again, hard, good and easy. An answer that took no effort cannot be told from a good one."""


def _scheduler() -> Scheduler:
    try:
        from fsrs import Scheduler
    except ImportError:
        raise PickominoError(said("drill needs the extra drill: pip install pickomino[drill]")) from None
    # In days, not in minutes within a sitting; the same answers give the same dates for everybody.
    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def next_card(card: dict[str, Any] | None, grade: Grade, now: datetime) -> dict[str, Any]:
    """The card after an answer, ready for JSON; None is a drill that was never seen. `now` is in UTC."""
    scheduler = _scheduler()
    from fsrs import Card, Rating

    before = Card(card_id=0, due=now) if card is None else Card.from_json(json.dumps(card))
    after, _ = scheduler.review_card(before, Rating(_RATINGS[grade]), now)
    found: dict[str, Any] = json.loads(after.to_json())
    return found


def due(card: dict[str, Any]) -> datetime:
    """When a card is due."""
    return datetime.fromisoformat(card["due"])
