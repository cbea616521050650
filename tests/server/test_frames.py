"""What a state message shows in motion: every new event with the view after it, of one turn at most."""

from __future__ import annotations

import random

import msgspec
import pytest

from pickomino.bots import RandomBot
from pickomino.protocol.shapes import EventInfo
from pickomino.server.describe import describe_event
from pickomino.server.live import LiveGame
from pickomino.server.recording import record_of
from pickomino.server.replaying import replay
from pickomino.server.storage.base import EntryRow, GameRow, PlayerRow
from pickomino.testing import random_game
from pickomino.views import frames, view
from tests.random_games import KEYS


def new_game(edition: str) -> LiveGame:
    players = tuple(PlayerRow(None, name, "random") for name in "XYZ")
    return LiveGame(GameRow("g", "t", edition, 0, 0.0, b"s" * 32, "tip", players, None, None, 0))


@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_a_state_brings_the_frames_of_what_is_new(edition: str) -> None:
    game, rng, bot = new_game(edition), random.Random(5), RandomBot()
    rows: list[EntryRow] = []
    turn: list[EventInfo] = []  # events since the turn began, as they were told
    while not game.match.over and game.version < 120:
        position = game.position
        text = "roll" if game.match.dice_due else str(bot.choose(position, rng))
        step = game.move(position.seat, text, game.version, None, 0.0, bot=True)
        rows += step.rows
        state = game.state(step, 0.0)
        assert [frame.event for frame in state.frames] == state.events
        assert all(frame.view for frame in state.frames[:-1])
        if state.frames:
            assert state.frames[-1].view is None  # it is the state's own
        assert state.view == view(game.position)
        turn = state.events if turn and turn[-1]["event"] == "turn_started" else [*turn, *state.events]
        # Whoever comes back after any time gets this turn's frames, or the last one's, and all events.
        missed = game.state(game.since(0, rows), 0.0)
        assert [frame.event for frame in missed.frames] == turn
        assert len(missed.events) >= len(missed.frames)
    remembering = LiveGame(game.row, rows, whole=True)
    film, whole = list(replay(record_of(game.row, rows))[1]), remembering.match.game
    assert [scene.view for scene in film] == [view(position) for position in whole.positions]
    for before, ply, scene in zip(whole.positions[:-1], whole.plies, film[1:], strict=True):
        shown = [frame.view or scene.view for frame in scene.frames]
        assert shown == [frame.view for frame in frames(before, ply)]
        assert [frame.event for frame in scene.frames] == scene.events


def test_what_is_forgotten_is_told_again_from_the_rows() -> None:
    game, rng, bot = new_game("classic"), random.Random(6), RandomBot()
    rows: list[EntryRow] = []
    while game.version < 300:
        text = "roll" if game.match.dice_due else str(bot.choose(game.position, rng))
        rows += game.move(game.position.seat, text, game.version, None, 0.0, bot=True).rows
    # At most 32 entries are kept when a turn ends, and a turn of eight dice has 17 at most.
    assert 0 < game.version - game.match.past <= 32 + 17
    remembering = LiveGame(game.row, rows, whole=True)
    for version in (0, 100, game.match.past - 1, game.match.past, game.version - 1):
        assert game.first_row(version) == (version if version >= game.match.past else 0)
        told = game.since(version, rows[game.first_row(version) :])
        assert game.state(told, 0.0) == remembering.state(remembering.since(version, rows[version:]), 0.0)
    behind, known = LiveGame(game.row, rows), len(rows)
    for _ in range(20):  # dice fall from the same game so far
        seat, version = game.position.seat, game.version
        text = "roll" if game.match.dice_due else str(bot.choose(game.position, rng))
        more, again = (one.move(seat, text, version, None, 0.0, bot=True) for one in (game, remembering))
        assert more.rows == again.rows
        rows += more.rows
    for version in (0, behind.match.past):  # another process has stored more meanwhile
        told = behind.since(version, rows[behind.first_row(version) :])
        assert [entry.seq for entry in told.entries] == list(range(version + 1, known + 1))


def test_events_have_the_shape_of_the_description() -> None:
    for edition in KEYS:
        for events in random_game(edition, 4, 4).events:
            for told in map(describe_event, events):
                assert msgspec.convert(told, EventInfo) == told
