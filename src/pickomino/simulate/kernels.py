"""The loops over games that Python calls: random games, a step in lockstep, replaying, counting worms."""

from __future__ import annotations

from typing import Any

from numba import njit

from pickomino.compact.bits import count_bits, nth_bit
from pickomino.compact.packed import NONE
from pickomino.simulate.decisions import decide, proceed
from pickomino.simulate.dice import choose, seed_game

__all__ = [
    "begin_replay",
    "pick",
    "random_moves",
    "replay",
    "reset",
    "run_random",
    "spread",
    "step",
]

_PLIES_OF_A_DECISION = 3  # see `LOG`


@njit(cache=True)
def _begin(
    tables: Any, positions: Any, runs: Any, starts: Any, at: int, seed: Any, number: int, log: Any
) -> None:
    """Game `number` of a seed begins in row `at`; games take turns with the starts."""
    positions[at] = starts[number % starts.size]
    seed_game(runs[at], seed, number)
    proceed(tables, positions[at], runs[at], log)


@njit(cache=True)
def _random_move(run: Any) -> int:
    """Uniform among the legal moves. A forced one takes no number from the stream."""
    options = count_bits(run.legal)
    return nth_bit(run.legal, choose(run, options) if options > 1 else 0)


@njit(cache=True, nogil=True)
def run_random(
    tables: Any,
    positions: Any,
    starts: Any,
    runs: Any,
    seed: Any,
    most: int,
    lengths: Any,
    log: Any,
) -> None:
    """Uniformly random games from beginning to end; `runs` is one row of working space."""
    run = runs[0]
    for game in range(positions.size):
        position = positions[game]
        positions[game] = starts[game % starts.size]
        seed_game(run, seed, game)
        proceed(tables, position, run, log)
        while run.legal and run.decisions < most:
            decide(tables, position, run, _random_move(run), log)
        lengths[game] = run.decisions


@njit(cache=True, nogil=True)
def random_moves(tables: Any, runs: Any, actions: Any) -> None:
    """A uniformly random legal move for every running game, and 0 where the game is over."""
    for index in range(runs.size):
        actions[index] = _random_move(runs[index]) if runs[index].legal else 0


@njit(cache=True, nogil=True)
def reset(tables: Any, positions: Any, runs: Any, starts: Any, seed: Any, log: Any) -> None:
    """Every lane at the beginning of the game of its own number."""
    for lane in range(positions.size):
        _begin(tables, positions, runs, starts, lane, seed, lane, log)


@njit(cache=True, nogil=True)
def step(
    tables: Any,
    positions: Any,
    runs: Any,
    starts: Any,
    seed: Any,
    limit: int,
    most: int,
    lanes: Any,
    actions: Any,
    done: Any,
    ended: Any,
    lengths: Any,
    log: Any,
) -> int:
    """One decision in each of the lanes; if one of them is illegal nothing happens, and its index comes back.

    A game that ends, or is broken off after `most` decisions, is noted in `done`, with its last position in
    `ended` and its decisions in `lengths`. The game whose number is higher by the number of lanes follows if
    it is below the limit; otherwise the lane stands still.
    """
    for index in range(lanes.size):
        legal, action = runs[lanes[index]].legal, actions[index]
        if legal and (action < 0 or action >= tables.moves or not legal >> action & 1):
            return index
    for index in range(lanes.size):
        lane = lanes[index]
        run = runs[lane]
        if not run.legal:
            continue
        done[lane] = False
        decide(tables, positions[lane], run, actions[index], log)
        if not run.legal or run.decisions >= most:
            done[lane] = True
            run.legal = 0
            ended[lane] = positions[lane]
            lengths[lane] = run.decisions
            number = run.number + positions.size
            if number < limit:
                _begin(tables, positions, runs, starts, lane, seed, number, log)
    return NONE


@njit(cache=True)
def begin_replay(
    tables: Any, positions: Any, runs: Any, starts: Any, seed: Any, number: int, log: Any
) -> None:
    """A game from its beginning, in row 0, to be replayed."""
    _begin(tables, positions, runs, starts, 0, seed, number, log)


@njit(cache=True)
def replay(tables: Any, positions: Any, runs: Any, actions: Any, most: int, log: Any) -> bool:
    """The game in row 0 goes on by the given actions, or at random without any; the log tells what happens.

    Answers whether it stopped only because the log is full.
    """
    run = runs[0]
    while run.legal and run.decisions < most:
        if log.count + _PLIES_OF_A_DECISION > log.plies.size:
            return True
        move = actions[run.decisions] if actions.size else _random_move(run)
        decide(tables, positions[0], run, move, log)
    return False


@njit(cache=True, nogil=True)
def spread(runs: Any, mask: Any) -> None:
    """The legal moves as a matrix of truth values, one row a game."""
    for index in range(runs.size):
        legal = runs[index].legal
        for move in range(mask.shape[1]):
            mask[index, move] = legal >> move & 1


@njit(cache=True, nogil=True)
def pick(mask: Any, uniforms: Any, actions: Any) -> None:
    """Per row the true entry that a number from [0, 1) points at, 0 where none is true."""
    for row in range(mask.shape[0]):
        options = 0
        for move in range(mask.shape[1]):
            options += mask[row, move]
        wanted = max(min(int(uniforms[row] * options), options - 1), 0)
        move = 0
        while wanted >= 0 and options:
            wanted -= mask[row, move]
            move += 1
        actions[row] = max(move - 1, 0)
