"""The table on the screen: a game played by persons and bots, with rolling dice and a running story."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from pickomino.notation import Record
from pickomino.notation.turns import ends_turn
from pickomino.rules import Keep, Move, Ply, Position, Roll, RollOn
from pickomino.rules.events import Busted, Event, Stole
from pickomino.terminal.board import table
from pickomino.terminal.choosing import Choice, choices
from pickomino.terminal.panels import panel_lines
from pickomino.terminal.pieces import Lines, fit
from pickomino.terminal.scene import MIN_SIZE, Flight, Part, Showing, StoryRow, plan
from pickomino.terminal.session import GaveUp, Session
from pickomino.terminal.sprites import Sprite
from pickomino.terminal.stage import StageScreen
from pickomino.terminal.words import tell, verdict

if TYPE_CHECKING:
    from pickomino.terminal.remote import RemoteSession

_PACES = (0.15, 0.3, 0.45, 0.7, 1.2)  # seconds per row of a bot's turn; + and - choose
_FRAME = 0.09  # seconds per frame of rolling dice
_STEAL = 0.3  # seconds per frame of a stolen tile
_BUST = 0.2  # seconds per frame of dice that turn grey
_PANELS = {
    "o": "odds",
    "h": "hint",
    "l": "log",
    "f1": "rules",
    "i": "specialists",
    "a": "review",
    "e": "reactions",
}

AnySession: TypeAlias = "Session | RemoteSession"


class TableScreen(StageScreen):
    """One sitting at one table."""

    def __init__(self, session: AnySession, *, animate: bool = True) -> None:
        super().__init__()
        self.session = session
        self._moving = animate
        self._pace = 2
        self._skip = False  # bots play on unseen until a person is asked
        self._answer: asyncio.Future[Move] | None = None
        self._space: asyncio.Event = asyncio.Event()
        self._armed = ""
        self.showing = self._fresh()

    # --- what is shown ---

    def _fresh(self) -> Showing:
        seats = self.session.seats
        persons = [index for index, mine in enumerate(self.session.persons) if mine]
        return Showing(
            self.session.position,
            [seat.name for seat in seats],
            ["" if seat.bot is None else seat.bot for seat in seats],
            persons[0] if len(persons) == 1 else None,
            saved=self.session.keeper is not None,
            live=self.session.live,
        )

    def shown(self, width: int, height: int) -> Iterable[Part]:
        self.showing.can_undo = self.session.undo_point is not None
        return table(self.showing, width, height, self.skin, self.speech)

    def cursor(self) -> str:
        if self.showing.waits:
            return "space"
        sprites = [sprite.id or "" for sprite in self.sprites()]
        held = self.focused.id if isinstance(self.focused, Sprite) else ""
        return held if held in sprites else sprites[0] if sprites else ""

    async def on_mount(self) -> None:
        self._tell_so_far()
        self._start()

    def _start(self) -> None:
        self.run_worker(self._play(), group="game", exclusive=True)

    def _tell_so_far(self) -> None:
        self.showing.log = []
        for position, ply, events in self.session.match.game.steps():
            self._log(position, ply, events)

    def _tell(self, position: Position, ply: Ply, events: Sequence[Event]) -> list[str]:
        showing = self.showing
        return tell(position, ply, events, showing.names, self.speech, showing.you)

    def _log(self, position: Position, ply: Ply, events: tuple[Event, ...]) -> None:
        if not isinstance(ply, Roll) or ends_turn(events):
            self.showing.log += self._tell(position, ply, events)

    # --- the game ---

    async def _play(self) -> None:
        """Whoever is to act acts, until it is over."""
        while not self.session.match.over:
            position = self.session.position
            if not self.session.match.dice_due and self.session.decides(position.seat):
                await self._ask(position)
                continue
            try:
                ply, events = await self.session.advance()
            except GaveUp:
                break
            if isinstance(ply, Roll):
                await self._roll(position, ply, events)
            else:
                await self._played(position, ply, events)
        await self._over()

    async def _roll(self, position: Position, roll: Roll, events: tuple[Event, ...]) -> None:
        person = self.session.decides(position.seat)
        showing = self.showing
        showing.due, showing.panel = [], ""
        if not position.kept:
            showing.story, showing.said, showing.bust = [], [], False
        showing.story_of = None if person else position.seat
        showing.chip = self._chip(position)
        if person:
            await self._tumble(position, roll)
        else:
            showing.position = position
            showing.story.append(StoryRow(roll.dice, "", ""))
            await self._pause()
        await self._played(position, roll, events)

    async def _tumble(self, position: Position, roll: Roll) -> None:
        """Dice in the air, landing one by one."""
        last = _faces(roll.dice)
        self.showing.position = position
        for frame in range(4 if self._moving else 0):
            landed = len(last) * max(0, frame - 1) // 3
            turning = [random.choice("12345W") for _ in last]
            air = [
                (face if index < landed else (face[:-1] + turning[index]), "can" if index < landed else "air")
                for index, face in enumerate(last)
            ]
            self.showing.air = air
            await self.redraw()
            await asyncio.sleep(_FRAME)
        self.showing.air = []

    async def _ask(self, position: Position) -> None:
        showing = self.showing
        showing.position, showing.story_of, showing.said, showing.bust = position, None, [], False
        self._skip, self._armed = False, ""
        names = showing.names
        showing.due = await asyncio.to_thread(choices, position, names, self.speech)
        showing.chip = self._chip(position)
        self._answer = asyncio.get_running_loop().create_future()
        await self._panel()
        move = await self._answer
        self._answer = None
        showing.due, showing.panel = [], ""
        await self._played(position, move, await self.session.decide(move))

    async def _played(self, before: Position, ply: Ply, events: tuple[Event, ...]) -> None:
        """Tell what a ply brought about; at the end of a turn wait until it has been read."""
        showing, after = self.showing, self.session.position
        person = self.session.decides(before.seat)
        self._log(before, ply, events)
        lines = self._tell(before, ply, events)
        if not person:
            self._story(before, ply, lines)
        await self._moment(ply.dice if isinstance(ply, Roll) else before.rolled, events)
        if not ends_turn(events):
            showing.position = after if person else before
            if not person and not isinstance(ply, Roll | RollOn):
                await self._pause()
            return
        showing.bust = any(isinstance(event, Busted) for event in events)
        showing.said = lines[1:] if isinstance(ply, Roll) else lines
        showing.position = after
        showing.story_of = None if person else before.seat
        showing.chip = self.speech.t("BUST") if showing.bust else self._chip(before)
        if after.over:
            return
        nobody_watches = not any(self.session.persons)
        showing.next_up = self._turn_of(after)
        self._space.clear()  # before anyone can see that it is waited for
        showing.waits = not self._skip and not nobody_watches
        await self.redraw()
        if showing.waits:
            forever = not self.session.live and (person or not self._moving)
            await self._wait(None if forever else 6 * _PACES[self._pace] if self._moving else 0)
            showing.waits = False

    async def _moment(self, dice: str, events: tuple[Event, ...]) -> None:
        """A steal and a bust are worth a look: a tile that moves, dice that turn grey."""
        if not self._moving or self._skip:
            return
        showing = self.showing
        for event in events:
            if isinstance(event, Stole):
                for frame in range(3):
                    showing.flight = Flight(event.tile, event.victim, event.seat, frame)
                    await self.redraw()
                    await asyncio.sleep(_STEAL)
                showing.flight = None
            elif isinstance(event, Busted) and showing.story_of is None and dice:
                faces = _faces(dice)
                for grey in (1, len(faces)):
                    showing.air = [(face, "dead" if at < grey else "can") for at, face in enumerate(faces)]
                    await self.redraw()
                    await asyncio.sleep(_BUST)
                showing.air = []

    def _story(self, position: Position, ply: Ply, lines: list[str]) -> None:
        if isinstance(ply, Keep) and self.showing.story:
            row = self.showing.story[-1]
            face = self.speech.t("worms") if ply.face == "W" else ply.face
            total = position.apply(ply).position.total or None
            words = self.speech.t("keeps {face}", face=face) + (f" → {total}" if total else "")
            self.showing.story[-1] = row._replace(kept=ply.face, words=words)
        elif lines and not isinstance(ply, Roll):
            self.showing.said = lines

    def _turn_of(self, position: Position) -> str:
        if position.seat == self.showing.you:
            return self.speech.t("your turn")
        return self.speech.t("{name} is next", name=self.showing.names[position.seat])

    def _chip(self, position: Position) -> str:
        t = self.speech.t
        if position.seat == self.showing.you:
            return t("YOUR TURN")
        return t("{name} PLAYS", name=self.showing.names[position.seat].upper())

    async def _pause(self) -> None:
        if self._skip:
            return
        self._space.clear()
        await self.redraw()
        if self._moving:
            await self._wait(_PACES[self._pace])

    async def _wait(self, seconds: float | None) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._space.wait(), seconds)

    async def _over(self) -> None:
        showing = self.showing
        showing.position, showing.story_of, showing.due = self.session.position, None, []
        showing.waits = False
        showing.chip = self.speech.t("THE GAME IS OVER")
        if showing.position.over:
            showing.log.append(verdict(showing.position, showing.names, self.speech, showing.you))
        self._word_ends()
        await self._panel()
        if self.session.live:
            showing.said = [await asyncio.to_thread(self.session.check_dice, self.speech)]
            await self.redraw()

    def _word_ends(self) -> None:
        t = self.speech.t
        ends = [("m", t("rematch")), ("n", t("new game")), ("a", t("review")), ("q", t("leave"))]
        self.showing.ends = [end for end in ends if not (self.session.live and end[0] == "n")]

    # --- keys ---

    async def press(self, key: str) -> None:
        showing = self.showing
        if key == "escape":
            await self._escape()
        elif self.app.size.width < MIN_SIZE[0] or self.app.size.height < MIN_SIZE[1]:
            return
        elif showing.panel == "reactions" and key in tuple("12345678"):
            showing.panel = ""
            await self.game_app.react(int(key) - 1)
            await self._panel()
        elif key in [sign for sign, _ in showing.ends if sign != "a"] and not showing.waits:
            await self.game_app.after_game(key, self.session)
        elif found := next((choice for choice in showing.due if key in choice.keys), None):
            await self._choose(found)
        elif key in ("right", "down", "tab"):
            self.move_cursor(1)
        elif key in ("left", "up", "shift+tab"):
            self.move_cursor(-1)
        elif key == "enter" and isinstance(self.focused, Sprite) and self.focused.part.action:
            await self.press(self.focused.part.action)
        elif key in ("space", "enter"):
            self._space.set()
        elif key in _PANELS and (key != "a" or showing.ends) and (key != "e" or showing.live):
            showing.panel = "" if showing.panel == _PANELS[key] else _PANELS[key]
            if showing.panel == "review":
                showing.notes = [self.skin.text(self.speech.t("Looking at every choice…"))]
                await self.redraw()
            await self._panel()
        elif key == "u":
            await self._undo()
        elif key in ("+", "-"):
            self._pace = min(max(self._pace + (-1 if key == "+" else 1), 0), len(_PACES) - 1)
        elif key in ("skip", "v"):
            self._skip = True
            self._space.set()

    async def _choose(self, choice: Choice) -> None:
        if choice.kind == "plain" and choice.key == "g" and self._armed != "g":
            self._armed = "g"
            warned = choice._replace(note=self.speech.t("press g once more to give up"))
            self.showing.due = [warned if other is choice else other for other in self.showing.due]
            await self.redraw()
        elif self._answer is not None and not self._answer.done():
            self._answer.set_result(choice.move)

    async def _undo(self) -> None:
        if not self.session.undo():
            return
        self.workers.cancel_group(self, "game")
        self._answer = None
        self.showing = self._fresh()
        self._tell_so_far()
        self._start()

    async def _escape(self) -> None:
        if self.showing.panel:
            self.showing.panel = ""
            await self._panel()
        else:
            self.workers.cancel_group(self, "game")
            await self.game_app.open_menu()

    async def _panel(self) -> None:
        """Work out what the panel says and show it; the solver may take a moment, so it works beside the screen."""
        self.showing.notes = await asyncio.to_thread(self._notes)
        await self.redraw()

    def _notes(self) -> Lines:
        size = plan(*self.app.size, self.showing.position)
        return panel_lines(self.showing, size, self._record, self.game_app.reactions, self.skin, self.speech)

    def _record(self) -> Record:
        session = self.session
        return Record(session.match.game, session.record.names, session.record.headers)

    async def retell(self) -> None:
        """In another language or look."""
        showing = self.showing
        self._tell_so_far()
        if showing.due:
            showing.due = choices(showing.position, showing.names, self.speech)
        if showing.ends:
            self._word_ends()
        else:
            showing.chip = self._chip(showing.position)
        await self._panel()

    # --- the line under the dice ---

    async def redraw(self) -> None:
        await super().redraw()
        if isinstance(self.focused, Sprite):
            self._note(self.focused.part.action)

    def on_sprite_lit(self, message: Sprite.Lit) -> None:
        self._note(message.action)

    def _note(self, key: str) -> None:
        """What the keep under the cursor leads to."""
        for choice in self.showing.due:
            if choice.key == key and choice.kind == "keep":
                for sprite in self.query("#note").results(Sprite):
                    part, skin = sprite.part, self.skin
                    title = (f" {choice.title}  ", skin.style(bold=True))
                    line = skin.text(title, (choice.note, skin.style("muted")))
                    sprite.become(Part(part.id, part.place, part.ground, [fit(line, part.place.width)]), skin)


def _faces(dice: str) -> list[str]:
    """The dice one by one; the golden one with its plus."""
    white, _, gold = dice.partition("+")
    return [*white, *([f"+{gold}"] if gold else [])]
