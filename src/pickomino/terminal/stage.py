"""A screen that shows parts and listens to keys: what menu and table have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self, cast

from textual.app import ComposeResult
from textual.events import Key, Resize
from textual.geometry import Region
from textual.screen import Screen

from pickomino.terminal.scene import MIN_SIZE, Part, too_small
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.sprites import Sprite, Stage

if TYPE_CHECKING:
    from pickomino.terminal.app import PickominoApp


class StageScreen(Screen[None]):
    """Parts in, keys out."""

    CSS = "StageScreen { overflow: hidden; }"

    def __init__(self) -> None:
        super().__init__()
        self._drawing = asyncio.Lock()
        self._laying_out = False

    def compose(self) -> ComposeResult:
        yield Stage()

    @property
    def game_app(self) -> PickominoApp:
        return cast("PickominoApp", self.app)

    @property
    def skin(self) -> Skin:
        return self.game_app.skin

    @property
    def speech(self) -> Speech:
        return self.game_app.speech

    def parts(self, width: int, height: int) -> Sequence[Part]:
        """What is to be seen in a window of that size."""
        if width < MIN_SIZE[0] or height < MIN_SIZE[1]:
            return too_small(width, height, self.skin, self.speech)
        return list(self.shown(width, height))

    def shown(self, width: int, height: int) -> Iterable[Part]:
        """The same where there is room: nothing, unless a screen says otherwise."""
        return ()

    async def press(self, key: str) -> None:
        """A key, or a click on a part that has one."""

    async def retell(self) -> None:
        """In another language or look."""
        await self.redraw()

    async def redraw(self) -> None:
        """One at a time: the game, a key and a server may all have something new to show."""
        async with self._drawing:
            self.styles.background = self.skin.ground("bg")
            self._laying_out = True
            try:
                for stage in self.query(Stage):
                    await stage.show(self.parts(*self.app.size), self.skin)
                    self.light(self.cursor())
            finally:
                self._laying_out = False

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Parts that change say so themselves: a cursor that moves with them is no reason to write the whole window."""
        return super().refresh(
            *regions, repaint=repaint and not self._laying_out, layout=layout, recompose=recompose
        )

    def cursor(self) -> str:
        """The part that should be lit; empty to leave that as it is."""
        return ""

    def light(self, name: str) -> None:
        if name and (self.focused is None or self.focused.id != name):
            for sprite in self.query(f"#{name}").results(Sprite):
                self.set_focus(sprite, scroll_visible=False)

    def sprites(self) -> list[Sprite]:
        """Those that the cursor can be on, in reading order."""
        found = [sprite for sprite in self.query(Sprite) if sprite.can_focus]
        return sorted(found, key=lambda sprite: (sprite.part.place.y, sprite.part.place.x))

    def move_cursor(self, step: int) -> None:
        sprites = self.sprites()
        if sprites:
            at = (
                sprites.index(self.focused)
                if isinstance(self.focused, Sprite) and self.focused in sprites
                else -step
            )
            self.set_focus(sprites[(at + step) % len(sprites)], scroll_visible=False)

    async def on_resize(self, _: Resize) -> None:
        await self.redraw()

    async def on_screen_resume(self) -> None:
        await self.redraw()

    async def on_key(self, event: Key) -> None:
        event.stop()
        event.prevent_default()
        named = {"question_mark": "f1", "plus": "+", "minus": "-", "equals_sign": "+"}
        key = named.get(event.key, event.key)
        if key in ("f2", "f3"):
            await self.game_app.change(key)
        else:
            await self.press(key.lower())

    async def on_sprite_pressed(self, message: Sprite.Pressed) -> None:
        await self.press(message.action)
