"""A record with the review in its comments: it replays and reads back like any other."""

from __future__ import annotations

from typing import Final

from pickomino.analysis.judgement import LIMITS, Grade, grade_of
from pickomino.analysis.model import Review
from pickomino.analysis.sentences import mistake_sentence
from pickomino.analysis.words import Words
from pickomino.notation import Record
from pickomino.notation.turns import TurnLine, turn_lines
from pickomino.rules import SEATS

MARKS: Final[dict[Grade, str]] = {
    "best": "",
    "fine": "",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
}
"""As in chess; a slip's comment begins with one."""


def annotate(record: Record, review: Review, language: str = "en") -> Record:
    """The record with a comment for every slip, behind its token, and every seat's value after each turn.

    A roll on and the golden die's choice show only in the dice that follow, so they are commented where they were due.
    Comments that are there already stay; annotating twice adds nothing.
    """
    words = Words(review.names, language, review.goal)
    lines = {line.number: line for line in turn_lines(record.game)}
    comments = {at: list(texts) for at, texts in record.comments.items()}

    def add(at: tuple[int, int], text: str) -> None:
        text = text.replace("{", "(").replace(
            "}", ")"
        )  # of a name: the notation has no braces inside a comment
        if text not in comments.setdefault(at, []):
            comments[at].append(text)

    for one in review.decisions:
        if one.error >= LIMITS[review.goal][1] and one.turn in lines:
            mark = MARKS[grade_of(one, review.goal)]
            add((one.turn, _token(lines[one.turn], one.ply)), f"{mark} {mistake_sentence(one, words)}")
    for turn in review.turns:
        if turn.complete and turn.number in lines:
            shares = ", ".join(
                f"{seat} {words.value(value)}" for seat, value in zip(SEATS, turn.after, strict=False)
            )
            add((turn.number, 1 + len(lines[turn.number].tokens)), shares)
    return Record(
        record.game,
        record.names,
        dict(record.headers),
        {at: tuple(texts) for at, texts in sorted(comments.items())},
    )


def _token(line: TurnLine, ply: int) -> int:
    """The token behind which a ply is told: the last that began before it, or the seat."""
    return 1 + sum(origin <= ply for origin in _first_origins(line))


def _first_origins(line: TurnLine) -> list[int]:
    """Where each token began, without the consequences that the last ply wrote behind its own."""
    origins = line.origins
    return [origin for index, origin in enumerate(origins) if not index or origin != origins[index - 1]]
