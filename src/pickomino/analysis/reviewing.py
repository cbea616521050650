"""``review(record_or_game)``: luck, errors and their sum, for every ply of a game.

For every seat *result − start = Σ luck − Σ own errors + Σ gifts + Σ estimate*. Luck is a roll's value less its exact
expectation; an error is the best move's value less that of the move played; a gift is what another's error did to the
seat; the estimate is what the value of one and the same position changes by when a new turn is solved from it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pickomino.analysis.model import Balance, Decision, Review, RollReview, Shares, TurnReview
from pickomino.analysis.values import Goal, PointValues, TurnValues, goal_for, value_turns
from pickomino.drawing import seat_names
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.notation.turns import token_plies
from pickomino.rules import InvalidPositionError, Move, Position, Roll, Steal, Take
from pickomino.rules.events import Event, GameOver, Returned, Stole, TurnStarted
from pickomino.solver.point import Claim

_SHOWN = 1e-9  # chances below this are rounding, not ways to end a turn


def review(played: Record | Game, objective: str = "win", *, deep: bool = False) -> Review:
    """Review a game; `objective` is ``win`` or ``worms``. Where nothing was learned for the edition it is ``worms``.

    `deep` values every end of a turn one turn deeper: the estimate term halves, and it takes ten times as long.
    """
    record = played if isinstance(played, Record) else None
    game = played.game if isinstance(played, Record) else played
    goal = goal_for(game.start, objective)
    seats = len(game.start.stacks)
    standing = game.position.standings
    parts = _Parts(game, goal, frozenset() if record is None else not_charged(record), deep)
    return Review(
        edition=game.start.edition.key,
        names=tuple(seat_names(seats, None if record is None else record.names)),
        goal=goal,
        over=game.over,
        scores=standing.scores,
        ranks=standing.ranks,
        positions=game.positions,
        turns=tuple(parts.turns),
        rolls=tuple(parts.rolls),
        decisions=tuple(parts.decisions),
        balances=tuple(parts.balance(seat) for seat in range(seats)),
    )


def not_charged(record: Record) -> frozenset[int]:
    """Plies that a clock or a stand-in made: those of tokens with a comment ``{by clock}``, ``{by stand-in}``, ….

    Behind a turn's number or its seat the comment is for the whole turn.
    """
    marks = {
        at for at, texts in record.comments.items() if any(text.strip().startswith("by ") for text in texts)
    }
    return frozenset(
        ply
        for turn, token, plies in (token_plies(record.game) if marks else ())
        if marks & {(turn, 0), (turn, 1), (turn, token)}
        for ply in plies
    )


class _Parts:
    """The parts of a review, turn by turn."""

    def __init__(self, game: Game, goal: Goal, uncharged: frozenset[int], deep: bool) -> None:
        self._game, self._uncharged = game, uncharged
        self._positions, self._plies, self._events = game.positions, game.plies, game.events
        self.turns: list[TurnReview] = []
        self.rolls: list[RollReview] = []
        self.decisions: list[Decision] = []
        firsts = _turn_starts(game)
        valued = value_turns([self._positions[first] for first in firsts], goal, deep=deep)
        self._last: Shares | None = None
        self._seats = len(game.start.stacks)
        for number, (first, turn) in enumerate(zip(firsts, valued, strict=True), 1):
            end = firsts[number] if number < len(firsts) else len(self._plies)
            self._turn(number, first, end, turn)
        if self._last is None:  # the game is over before it begins
            self._last = self._final(goal)
        self._start = self.turns[0].before if self.turns else self._last

    def _final(self, goal: Goal) -> Shares:
        standing = self._game.position.standings
        return tuple(map(float, standing.scores)) if goal == "worms" else standing.shares

    def _turn(self, number: int, first: int, end: int, turn: TurnValues) -> None:
        before = self._shares(turn.at(self._positions[first]))
        estimate = (0.0,) * self._seats
        if self._last is not None:
            estimate = tuple(new - old for new, old in zip(before, self._last, strict=True))
        luck, error = np.zeros(self._seats), 0.0
        here = turn.at(self._positions[first])
        for ply in range(first, end):
            after = turn.at(self._positions[ply + 1])
            one = self._plies[ply]
            if isinstance(one, Roll):
                rolled = self._roll(number, ply, one, here, after, turn)
                luck += rolled.luck
            else:
                error += self._decide(number, ply, one, here, turn).error
            here = after
        self._last = self._shares(here)
        events = [event for some in self._events[first:end] for event in some]
        self.turns.append(
            TurnReview(
                number,
                turn.start.seat,
                first,
                end - 1,
                estimate,
                before,
                self._last,
                tuple(luck.tolist()),
                error,
                next((one for one in self._plies[first:end] if isinstance(one, Take | Steal)), None),
                next((event.tile for event in events if isinstance(event, Returned)), None),
                next((event.victim for event in events if isinstance(event, Stole)), None),
                bool(events) and isinstance(events[-1], TurnStarted | GameOver),
            )
        )

    @staticmethod
    def _shares(point: PointValues) -> Shares:
        return tuple(point.value.tolist())

    def _roll(
        self, number: int, ply: int, roll: Roll, here: PointValues, after: PointValues, turn: TurnValues
    ) -> RollReview:
        variance: NDArray[np.float64] = turn.spread(self._positions[ply])
        found = RollReview(
            ply,
            number,
            turn.start.seat,
            roll.dice,
            self._shares(here),
            self._shares(after),
            tuple(variance.tolist()),
        )
        self.rolls.append(found)
        return found

    def _decide(self, number: int, ply: int, played: Move, here: PointValues, turn: TurnValues) -> Decision:
        decision = decide(
            self._positions[ply], here, turn, played, ply, number, charged=ply not in self._uncharged
        )
        self.decisions.append(decision)
        return decision

    def balance(self, seat: int) -> Balance:
        own = [decision for decision in self.decisions if decision.seat == seat]
        assert self._last is not None
        return Balance(
            start=self._start[seat],
            luck=sum(roll.luck[seat] for roll in self.rolls),
            errors=sum(decision.error for decision in own if decision.charged),
            clock=sum(decision.error for decision in own if not decision.charged),
            gifts=sum(decision.gifts[seat] for decision in self.decisions),
            estimate=sum(turn.estimate[seat] for turn in self.turns),
            result=self._last[seat],
            spread=float(np.sqrt(sum(roll.variance[seat] for roll in self.rolls))),
        )


def decide(
    position: Position,
    here: PointValues,
    turn: TurnValues,
    played: Move | None = None,
    ply: int = 0,
    number: int = 1,
    *,
    charged: bool = True,
) -> Decision:
    """A choice with all its figures; without a move played it is the best one."""
    best = here.best
    if best is None:
        raise InvalidPositionError(f"{str(position)!r}: there is nothing to choose")
    seat, seats = position.seat, turn.seats
    move = best if played is None else played
    return Decision(
        ply=ply,
        turn=number,
        seat=seat,
        position=position,
        played=move,
        best=best,
        charged=charged,
        values={move: float(columns[seat]) for move, columns in here.moves.items()},
        odds={move: _odds(turn, columns[seats:]) for move, columns in here.moves.items()},
        before=tuple(here.value.tolist()),
        after=tuple(here.moves[move][:seats].tolist()),
    )


def _odds(turn: TurnValues, chances: Iterable[float]) -> dict[Claim | None, float]:
    """None of them after the claim: then the end is there."""
    return {
        claim: float(chance) for claim, chance in zip(turn.claims, chances, strict=False) if chance > _SHOWN
    }


def _turn_starts(game: Game) -> list[int]:
    """The first ply of every turn, the one that is being played included."""
    starts = [0, *(index + 1 for index, events in enumerate(game.events) if _starts_turn(events))]
    return [start for start in starts if not game.positions[start].over and start < max(len(game), 1)]


def _starts_turn(events: tuple[Event, ...]) -> bool:
    return bool(events) and isinstance(events[-1], TurnStarted)
