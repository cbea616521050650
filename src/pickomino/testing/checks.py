"""What must hold of every position, ply, game and bot, whatever the edition."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import TypeVar

from pickomino.game import Game
from pickomino.notation import Record, format_record, parse_move, parse_position, parse_record
from pickomino.rules import (
    SEATS,
    IllegalMoveError,
    InvalidPositionError,
    LeaveGold,
    Move,
    Phase,
    Ply,
    Position,
    Roll,
    RollOn,
    Step,
    UseGold,
    check,
)
from pickomino.rules.events import (
    Busted,
    Event,
    Flipped,
    GameOver,
    GotRoundWorm,
    Returned,
    SpecialistLeft,
    TurnStarted,
)
from pickomino.testing.games import Chooser, Policy, all_moves, has_text, random_game

E = TypeVar("E")


class ConformanceError(AssertionError):
    """Something breaks the contract of the rules."""


def _demand(holds: bool, position: Position, expected: str) -> None:
    if not holds:
        raise ConformanceError(f"{str(position)!r}: expected {expected}")


def check_position(position: Position) -> None:
    """Everything is in one place only, moves and rolls follow the contract, and the text can be read back."""
    try:
        check(position)
    except InvalidPositionError as error:
        raise ConformanceError(f"the rules reject a position that was reached: {error}") from error
    _check_places(position)
    _check_choices(position)
    _demand((position.outcome is not None) == position.over, position, "an outcome if and only if it is over")
    if has_text(position.edition):
        back = parse_position(str(position))
        _demand(back == position, position, f"to be read back as itself, not as {back!r}")
        _demand(hash(back) == hash(position), position, "equal positions to have equal hashes")


def _check_places(position: Position) -> None:
    edition = position.edition
    tiles = Counter(
        [*position.grill, *position.flipped, *(tile for stack in position.stacks for tile in stack)]
    )
    _demand(tiles == Counter(edition.values), position, "every tile in exactly one place")
    specialists = position.specialists
    _demand(
        (specialists is not None) == bool(edition.specialists),
        position,
        "specialists where the edition has them",
    )
    if specialists is None:
        return
    names = Counter(name for _, name in specialists.standing) + Counter(sum(specialists.held, ()))
    _demand(max(names.values(), default=1) == 1, position, "every specialist in one place or out")
    _demand("crow" not in sum(specialists.held, ()), position, "the crow at no seat")
    for seat, held in enumerate(specialists.held):
        choosing = position.phase is Phase.PUT_BACK and seat == position.seat
        _demand(len(held) == 2 if choosing else len(held) < 2, position, "two specialists only at a put-back")
    supply = specialists.supply(edition)
    _demand(
        supply >= 0 and supply + sum(specialists.round_worms) == edition.round_worms,
        position,
        "all round worms",
    )


def _check_choices(position: Position) -> None:
    moves, rolls = position.moves(), position.rolls()
    texts = [str(move) for move in moves]
    _demand(texts == sorted(set(texts)), position, f"moves sorted by text, none twice, not {texts}")
    idle = position.over or position.phase is Phase.ROLL
    _demand(bool(moves) != idle, position, "moves, unless dice are due or the game is over")
    _demand(bool(rolls) == (position.phase is Phase.ROLL), position, "rolls if and only if dice are due")
    if rolls:
        white, gold = position.dice_to_roll
        edition = position.edition
        sides = sum(face.sides for face in edition.faces) ** white
        sides *= sum(face.sides for face in edition.golden_die) if gold else 1
        _demand(sum(rolls.values()) == sides, position, f"weights that sum to {sides}")
        _demand(min(rolls.values()) > 0, position, "no roll that cannot fall")
    if has_text(position.edition):
        for move in moves:
            _demand(parse_move(str(move)) == move, position, f"{str(move)!r} to be read back as itself")


def check_refusals(position: Position) -> None:
    """Every ply that is not listed is refused, by an error that names the ply and the position."""
    legal: set[Ply] = {*position.moves(), *position.rolls()}
    odd = [Roll("1"), Roll("W" * 9), Roll("W" * position.edition.dice + "+W"), Roll("9")]
    for ply in (*all_moves(position.edition), *odd):
        if ply in legal:
            continue
        try:
            position.apply(ply)
        except IllegalMoveError as error:
            named = str(ply) in str(error) and str(position) in str(error)
            _demand(named, position, f"the refusal of {str(ply)!r} to name it and the position: {error}")
        else:
            raise ConformanceError(f"{str(position)!r}: expected {str(ply)!r} to be refused")


def check_step(position: Position, ply: Ply) -> Step:
    """One ply, and what it must keep: the position before it, all material, the order of turns."""
    text, hashed = str(position), hash(position)
    step = position.apply(ply)
    _demand(
        str(position) == text and hash(position) == hashed, position, f"{str(ply)!r} to change nothing in it"
    )
    _demand(position.apply(ply) == step, position, f"{str(ply)!r} to bring the same every time")
    _demand(not position.over, position, "no ply after the end")
    _check_conserved(position, ply, step)
    _check_turn_order(position, ply, step)
    return step


def _check_conserved(position: Position, ply: Ply, step: Step) -> None:
    after, events = step
    flipped = [event.tile for event in _all(events, Flipped)]
    returned = _all(events, Returned)
    busted = _all(events, Busted)
    _demand(
        len(flipped) <= 1 and len(returned) <= 1,
        position,
        f"{str(ply)!r} to return and flip one tile at most",
    )
    _demand(
        bool(busted) or not (flipped or returned),
        position,
        f"tiles returned or flipped by {str(ply)!r} in a bust",
    )
    _demand(
        {*after.flipped} == {*position.flipped, *flipped}, position, f"the flips of {str(ply)!r} to be told"
    )
    before_worms = position.specialists.round_worms if position.specialists is not None else ()
    after_worms = after.specialists.round_worms if after.specialists is not None else ()
    supplied = sum(event.giver is None for event in _all(events, GotRoundWorm))
    _demand(sum(after_worms) == sum(before_worms) + supplied, position, f"round worms kept by {str(ply)!r}")
    left = {event.specialist for event in _all(events, SpecialistLeft)}
    _demand(_names(after) | left == _names(position), position, f"specialists kept by {str(ply)!r}")
    _demand(not _names(after) & left, position, f"what left at {str(ply)!r} to be gone")


def _check_turn_order(position: Position, ply: Ply, step: Step) -> None:
    after, events = step
    started, ended = _all(events, TurnStarted), _all(events, GameOver)
    _demand(len(started) + len(ended) <= 1, position, "one turn to end at most")
    _demand(bool(ended) == after.over, position, f"the end to be told by {str(ply)!r}")
    if started:
        following = (position.seat + 1) % len(position.stacks)
        _demand(events[-1] == TurnStarted(following), position, f"seat {SEATS[following]} to follow")
        _demand(after.seat == following and not after.kept, position, "a turn to begin with no dice kept")
        _demand(after.phase in (Phase.ROLL, Phase.GOLD), position, "a turn to begin with dice")
    elif ended:
        _demand(events[-1] == GameOver(after.standings), position, "the outcome to be told at the end")
        _demand(not after.grill, position, "the game to go on while a tile lies face up")
        by_flip = bool(_all(events, Flipped))
        allowed = position.edition.flip_when_nothing_returned
        _demand(allowed or not by_flip, position, "no end by a flip in this edition (R5.1)")
    else:
        _demand(after.seat == position.seat, position, "the same seat while the turn goes on")


def _all(events: Iterable[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _names(position: Position) -> set[str]:
    if position.specialists is None:
        return set()
    return {*sum(position.specialists.held, ()), *(name for _, name in position.specialists.standing)}


def check_game(game: Game) -> None:
    """Every position and ply of a game, undoing plies, and its record if the edition has a text form."""
    for position, ply, events in game.steps():
        check_position(position)
        _demand(
            check_step(position, ply).events == events, position, f"the events of {str(ply)!r} to be kept"
        )
    check_position(game.position)
    again = Game(game.start, game.plies)
    assert_same_game(again, game)
    if game.plies:
        undone = again.undo()
        _demand(again.position == game.positions[-2], game.position, f"undo to take {str(undone)!r} back")
    if has_text(game.start.edition):
        _check_record(game)


def _check_record(game: Game) -> None:
    names = tuple(f'{seat} %\\"{{;' for seat in SEATS[: len(game.start.stacks)])
    text = format_record(Record(game, names, {"Note": 'a "b" \\ c'}))
    record = parse_record(text)
    _demand(str(record) == text, game.position, "a record to be written as it was read")
    told = list(game.plies)
    while told and isinstance(told[-1], RollOn | UseGold | LeaveGold):
        told.pop()  # announced, but the dice have not fallen: a record does not tell of it
    assert_same_game(record.game, Game(game.start, told))


def assert_same_game(a: Game, b: Game) -> None:
    """The two games are the same, ply for ply; the error shows the first difference."""
    for number, (one, other) in enumerate(zip_longest(a.steps(), b.steps())):
        if one is None or other is None:
            raise ConformanceError(f"one game ends after {number} plies, the other goes on")
        for what, left, right in zip(("position", "ply", "events"), one, other, strict=True):
            _same(number, what, left, right)
    _same(len(a), "position", a.position, b.position)
    _same(len(a), "outcome", a.outcome, b.outcome)


def _same(number: int, what: str, one: object, other: object) -> None:
    if one != other:
        raise ConformanceError(f"after {number} plies: {what} {one!r} in one game, {other!r} in the other")


def check_bot(
    bot: Chooser,
    editions: Iterable[str] = ("classic", "summary", "course", "deluxe", "extrawurm"),
    seats: int = 3,
    seed: int | str = 0,
    plies: int = 300,
) -> None:
    """A bot at every seat: only legal moves, and the same moves again for the same generator."""
    for edition in editions:
        game = random_game(edition, seats, seed, _only_legal(bot), plies=plies)
        assert_same_game(game, random_game(edition, seats, seed, _only_legal(bot), plies=plies))


def _only_legal(bot: Chooser) -> Policy:
    def choose(position: Position, rng: random.Random) -> Move:
        before = str(position)
        move = bot.choose(position, rng)
        _demand(move in position.moves(), position, f"a legal move of the bot, not {str(move)!r}")
        _demand(str(position) == before, position, "the bot to leave the position alone")
        return move

    return choose
