"""The loops over games that Python calls: random games, beginning and stepping many in lockstep, replaying.

`begin` and `step` take the state of a simulator, as one tuple. What is one record in it (the tables of
an edition, a plan, a log) comes as an array of one row: to recognise a record costs a call up to three microseconds, an
array a tenth of one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from pickomino.compact.bits import count_bits, nth_bit
from pickomino.compact.cautious import cautious_move
from pickomino.rules import MAX_SEATS
from pickomino.simulate.decisions import decide, proceed
from pickomino.simulate.dice import choose, seed_game

AGENT: Final = 0  # who chooses for a seat: somebody outside, one step for each decision,
ASKED: Final = 1  # a bot outside, whose decisions come between the steps,
CAUTIOUS: Final = 2  # or a bot in here: `pickomino.bots.CautiousBot`, move for move,
RANDOM: Final = 3  # or any legal move, all equally likely, by the game's own stream

RUNNING: Final = 0  # how a step leaves a game
OVER: Final = 1
BROKEN_OFF: Final = 2  # after too many decisions
ILLEGAL: Final = 3  # ended by a move that was not legal

PLAN: Final = np.dtype(
    [
        ("stride", np.int64),  # from the number of a game to that of the next in its lane
        ("limit", np.int64),  # games from this number on do not follow by themselves
        ("most", np.int64),  # decisions of one game
        ("bots", np.int64),  # whether there are any bots in here
        ("players", np.int64, MAX_SEATS + 1),  # who chooses for each seat; the last place is nobody's
    ],
    align=True,
)
"""How the lanes of a simulator are played. A record for the reason that `LOG` is one."""

# Decisions that six bots make in a row: each 8 + 1 keeps, as many rolls, a few choices.
BOTS_MOST: Final = 256
_PLIES_OF_A_DECISION = 3  # see `LOG`


@njit(cache=True)
def _deal(
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
def random_moves(runs: Any, actions: Any) -> None:
    """A uniformly random legal move for every running game, and 0 where the game is over."""
    for index in range(runs.size):
        actions[index] = _random_move(runs[index]) if runs[index].legal else 0


@njit(cache=True)
def _answer(tables: Any, plan: Any, position: Any, run: Any, lane: int, history: Any, log: Any) -> None:
    """The bots in here move until somebody outside is to act, or the game ends."""
    while run.legal:
        player = plan.players[position.seat]
        if player == CAUTIOUS:
            move = cautious_move(tables, position, run.legal)
        elif player == RANDOM:
            move = _random_move(run)
        else:
            return
        if history.shape[1]:
            history[lane, run.decisions] = move
        decide(tables, position, run, move, log)


@njit(cache=True)
def _begin(
    tables: Any,
    plan: Any,
    positions: Any,
    runs: Any,
    starts: Any,
    lane: int,
    number: int,
    history: Any,
    log: Any,
) -> None:
    """Game `number` of the lane's seed; one that bots end before anybody else acts gives way to the next."""
    position, run = positions[lane], runs[lane]
    while True:
        _deal(tables, positions, runs, starts, lane, run.seed, number, log)
        if not plan.bots:
            break
        _answer(tables, plan, position, run, lane, history, log)
        if run.legal:
            break
        number += plan.stride
    run.viewer, run.acted, run.changed = position.seat, False, True


@njit(cache=True, nogil=True)
def begin(state: Any, lanes: Any) -> None:
    """In each of the lanes the game of its seed and number."""
    tables, plan, positions, runs, starts, _, history, _, log = state
    for lane in lanes:
        runs[lane].state = RUNNING
        _begin(tables[0], plan[0], positions, runs, starts, lane, runs[lane].number, history, log[0])


@njit(cache=True)
def _allows(tables: Any, run: Any, action: int) -> bool:
    return 0 <= action < tables.moves and bool(run.legal >> action & 1)


@njit(cache=True, nogil=True)
def step(state: Any, lanes: Any, actions: Any, strict: bool) -> int:
    """One decision in each of the lanes and the answers of the bots in here; how many games ended.

    An illegal move ends its game; if it is `strict` nothing happens instead, and the complement of its index
    comes back. Where a game ends `runs` say how, its last position stays in `ended` and its moves in `played`. The
    next one follows if its number is below the limit; otherwise the lane stands still. Games that bots end
    before anybody else has acted in them do not count: the next one follows always.
    """
    table_row, plans, positions, runs, starts, ended, history, played, logs = state
    tables, plan, log = table_row[0], plans[0], logs[0]
    if strict:
        for index in range(lanes.size):
            run = runs[lanes[index]]
            if run.legal and not _allows(tables, run, actions[index]):
                return ~index
    count, writes = 0, history.shape[1] > 0
    for index in range(lanes.size):
        lane = lanes[index]
        position, run, action = positions[lane], runs[lane], actions[index]
        if not run.legal:
            continue
        seat, how = position.seat, RUNNING
        if plan.players[seat] == AGENT:
            run.actor, run.acted = seat, True
        if _allows(tables, run, action):
            if writes:
                history[lane, run.decisions] = action
            decide(tables, position, run, action, log)
            if tables.specialists or position.seat != seat:
                run.changed = True
            if plan.players[position.seat] > ASKED:
                _answer(tables, plan, position, run, lane, history, log)
            if not run.legal:
                how = OVER
            elif run.acted and run.decisions >= plan.most:
                how = BROKEN_OFF
        else:
            how = ILLEGAL
        if how == RUNNING:
            run.viewer = position.seat
            continue
        if run.acted:
            count += 1
            run.state, run.ended_number, run.ended_length = how, run.number, run.decisions
            ended[lane] = position
            for place in range(run.decisions if writes else 0):
                played[lane, place] = history[lane, place]
        run.legal = 0
        run.viewer = run.actor
        run.changed = True
        number = run.number + plan.stride
        if number < plan.limit or not run.acted:
            _begin(tables, plan, positions, runs, starts, lane, number, history, log)
    return count


@njit(cache=True)
def begin_replay(
    tables: Any, positions: Any, runs: Any, starts: Any, seed: Any, number: int, log: Any
) -> None:
    """A game from its beginning, in row 0, to be replayed."""
    _deal(tables, positions, runs, starts, 0, seed, number, log)


@njit(cache=True)
def replay(tables: Any, positions: Any, runs: Any, actions: Any, most: int, log: Any) -> bool:
    """The game in row 0 goes on by the given actions, or at random without any; the log records what happens.

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
    """The legal moves as a matrix of truth values, one row per game."""
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
