"""The app behind ``pickomino``: the menu, the table, and the way between them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from pickomino.game import Game
from pickomino.locale import languages
from pickomino.notation import Record
from pickomino.play import Seat
from pickomino.terminal.menu import MenuScreen, Setup
from pickomino.terminal.saving import last_game, new_game_file
from pickomino.terminal.session import Session, players_header
from pickomino.terminal.skins import SKINS, Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.stage import StageScreen
from pickomino.terminal.table import AnySession, TableScreen


class PickominoApp(App[None]):
    """Opens with the menu, or at once with a table."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", priority=True, show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
    ]

    def __init__(
        self,
        session: AnySession | None,
        seats_of: Callable[[Record], tuple[Seat, ...]],  # who plays on in a game that was kept
        *,
        theme: str = "dark",
        language: str = "en",
        animate: bool = True,
        warm_up: bool = True,
    ) -> None:
        super().__init__(ansi_color=theme not in ("dark", "light"))
        self.skin: Skin = SKINS[theme]
        self.speech = Speech(language)
        self.setup = Setup()
        self.kept = False  # a game is in its file, to go on with
        self.session = session
        self._seats_of = seats_of
        self._moving = animate
        self._warm_up = warm_up

    async def on_mount(self) -> None:
        if self.session is None:
            await self.open_menu()
        else:
            await self._open(self.session)
        if self._warm_up:  # the champion is loaded behind the first screen
            self.set_timer(0.3, lambda: threading.Thread(target=_load_champion, daemon=True).start())

    async def open_menu(self) -> None:
        waiting = last_game()
        await self._switch(MenuScreen(self.setup, None if waiting is None else waiting[0]))

    async def _switch(self, screen: StageScreen) -> None:
        if isinstance(self.screen, StageScreen):
            self.switch_screen(screen)  # not awaited: the old screen is still in the middle of this
        else:
            self.push_screen(screen)

    async def _open(self, session: AnySession) -> None:
        self.session = session
        session.save("" if session.match.over else "unfinished")
        await self._switch(TableScreen(session, animate=self._moving))

    async def new_game(self, setup: Setup) -> None:
        seats = setup.seating(self.speech)
        game = Game.new(setup.key, len(seats), setup.first())
        record = Record(game, tuple(seat.name for seat in seats), players_header(seats))
        await self._open(Session(record, seats, new_game_file()))

    async def go_on(self) -> None:
        waiting = last_game()
        if waiting is not None:
            record, keeper = waiting
            await self._open(Session(record, self._seats_of(record), keeper))

    async def after_game(self, key: str, session: AnySession) -> None:
        """Rematch with the next seat first, a new game, or leave."""
        if key == "m":
            start = session.match.game.start
            game = Game.new(start.edition, len(session.seats), (start.seat + 1) % len(session.seats))
            record = Record(game, session.record.names, players_header(session.seats))
            await self._open(Session(record, session.seats, new_game_file()))
        elif key == "n":
            await self.open_menu()
        else:
            self.leave()

    async def change(self, key: str) -> None:
        """F2: the next look; F3: the next language."""
        if key == "f2":
            names = [name for name in SKINS if not self.skin.ascii or name in ("ascii", "mono")]
            self.skin = SKINS[names[(names.index(self.skin.name) + 1) % len(names)]]
            self.ansi_color = self.skin.name not in ("dark", "light")
        else:
            known = languages()
            self.speech = Speech(known[(known.index(self.speech.language) + 1) % len(known)])
        if isinstance(self.screen, StageScreen):
            await self.screen.retell()

    reactions: Sequence[str] = ()

    async def react(self, number: int) -> None:
        """Nobody else is there to see it."""

    def action_leave(self) -> None:
        self.leave()

    def leave(self) -> None:
        session = self.session
        if (
            session is not None
            and session.keeper is not None
            and not session.match.over
            and len(session.match.game)
        ):
            session.save("unfinished")
            self.kept = True
        self.exit()


def _load_champion() -> None:
    from pickomino.analysis import evaluate
    from pickomino.rules import Position

    evaluate(Position.start(), "win")
