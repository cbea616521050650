"""Hypothesis drives whole games of any edition; after every step the invariants of the kit must hold."""

import random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pickomino.game import Game
from pickomino.notation import Record, format_record, parse_record
from pickomino.rules import SEATS, Edition, Phase, Ply, Position, all_keys, find_edition
from pickomino.testing import (
    Policy,
    careful,
    check_position,
    check_refusals,
    check_step,
    has_text,
    mixed,
    random_game,
    uniform,
)
from tests.rules.tiny import TINY

EDITIONS: tuple[Edition, ...] = (*map(find_edition, all_keys()), *TINY)
numbers = st.integers(0, 10**6)


class AnyGame(RuleBasedStateMachine):
    """Rolls, moves, long strides, refusals and undo in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.game = Game()

    @initialize(edition=st.sampled_from(EDITIONS), seats=st.integers(2, 7), first=st.integers(0, 6))
    def begin(self, edition: Edition, seats: int, first: int) -> None:
        self.game = Game.new(edition, seats, first % seats)

    @property
    def position(self) -> Position:
        return self.game.position

    @precondition(lambda self: self.position.phase is Phase.ROLL)
    @rule(number=numbers)
    def roll(self, number: int) -> None:
        rolls = tuple(self.position.rolls())
        self._step(rolls[number % len(rolls)])

    @precondition(lambda self: self.position.moves())
    @rule(number=numbers)
    def move(self, number: int) -> None:
        moves = self.position.moves()
        self._step(moves[number % len(moves)])

    @rule(seed=numbers, plies=st.integers(1, 200), policy=st.sampled_from([uniform, careful, mixed]))
    def stride(self, seed: int, plies: int, policy: Policy) -> None:
        for ply in random_game(start=self.position, seed=seed, policy=policy, plies=plies).plies:
            self._step(ply)

    @precondition(lambda self: self.game.plies)
    @rule(count=st.integers(1, 30))
    def undo(self, count: int) -> None:
        count = min(count, len(self.game))
        positions, plies = self.game.positions, self.game.plies
        for back in range(1, count + 1):
            assert self.game.undo() == plies[-back]
            assert self.position == positions[-1 - back]

    @rule()
    def refuse(self) -> None:
        before = self.position
        check_refusals(before)
        assert self.position is before

    @precondition(lambda self: has_text(self.position.edition))
    @rule()
    def record(self) -> None:
        names = tuple(SEATS[: len(self.position.stacks)])
        text = format_record(Record(self.game, names))
        assert format_record(parse_record(text)) == text

    def _step(self, ply: Ply) -> None:
        step = check_step(self.position, ply)
        assert self.game.apply(ply) == step
        assert self.position == step.position

    @invariant()
    def holds(self) -> None:
        check_position(self.position)


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=40, stateful_step_count=20)


class DeluxeGame(AnyGame):
    """The same with specialists at every seat and a supply that is nearly empty."""

    @initialize(seed=numbers, seats=st.integers(2, 7), key=st.sampled_from(["deluxe", "extrawurm"]))
    def begin(self, seed: int, seats: int, key: str) -> None:
        rng = random.Random(seed)
        self.game = Game(random_game(key, seats, seed, plies=rng.randrange(100, 800)).position)


TestDeluxeGame = DeluxeGame.TestCase
TestDeluxeGame.settings = settings(max_examples=25, stateful_step_count=25)
