"""Parts as widgets: each tile, group of dice and choice is one, with focus and mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from rich.text import Text
from textual.containers import Container
from textual.events import Click, Enter, Leave
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from pickomino.terminal.scene import Part
from pickomino.terminal.skins import Skin


class Sprite(Widget):
    """One part. It is drawn anew only if it has changed."""

    DEFAULT_CSS = "Sprite { position: absolute; }"

    class Pressed(Message):
        """A click on a part that does something."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    class Lit(Message):
        """The cursor has come to a part."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, part: Part, skin: Skin) -> None:
        super().__init__(id=part.id)
        self.part = part
        self._skin = skin
        self._hovered = False
        self._place()

    def _place(self) -> None:
        part = self.part
        self.can_focus = part.lit is not None
        self.styles.layer = part.layer
        self.styles.offset = (part.place.x, part.place.y)
        self.styles.width, self.styles.height = part.place.width, part.place.height
        self.styles.background = self._skin.ground(part.ground)

    def become(self, part: Part, skin: Skin) -> None:
        if part == self.part and skin is self._skin:
            return
        moved = (part.place, part.ground, part.layer, part.lit is None) != (
            self.part.place,
            self.part.ground,
            self.part.layer,
            self.part.lit is None,
        )
        changed = skin is not self._skin
        self.part, self._skin = part, skin
        if moved or changed:
            self._place()
        self.refresh()

    def render(self) -> Text:
        lines = self.part.lit if self.part.lit is not None and self.has_focus else self.part.lines
        text = Text("\n", no_wrap=True, end="").join(lines[: self.part.place.height])
        if self._hovered and self.part.action:
            text.stylize("underline")
        return text

    def on_click(self, event: Click) -> None:
        event.stop()
        if self.part.action:
            self.post_message(self.Pressed(self.part.action))

    def on_enter(self, _: Enter) -> None:
        self._hovered = True
        self.refresh()

    def on_leave(self, _: Leave) -> None:
        self._hovered = False
        self.refresh()

    def on_focus(self) -> None:
        self.post_message(self.Lit(self.part.action))


class Stage(Container):
    """Shows parts: those that stay keep their widget, so that only what changed is written to the terminal."""

    DEFAULT_CSS = "Stage { layers: ground piece panel; width: 100%; height: 100%; overflow: hidden; }"

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Parts that come and go are a new layout, which writes what it changes and not the whole window."""
        return super().refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)

    async def show(self, parts: Sequence[Part], skin: Skin) -> None:
        self.styles.background = skin.ground("bg")
        wanted = {part.id: part for part in parts}
        with self.app.batch_update():
            have = {child.id: child for child in self.children if isinstance(child, Sprite)}
            gone = [sprite for name, sprite in have.items() if name not in wanted]
            if gone:
                await self.remove_children(gone)
            for name, sprite in have.items():
                if name in wanted:
                    sprite.become(wanted[name], skin)
            new = [Sprite(part, skin) for part in parts if part.id not in have]
            if new:
                await self.mount(*new)
