"""At a table of a server: who sits there, the game, reactions, and the dice checked at its end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from pickomino.locale import local
from pickomino.protocol import ServerRefusal, TableClient, TableHost
from pickomino.rules import said
from pickomino.terminal.app import PickominoApp
from pickomino.terminal.pieces import wrapped
from pickomino.terminal.remote import RemoteSession, starter
from pickomino.terminal.scene import Part, Place, button, logo
from pickomino.terminal.stage import StageScreen
from pickomino.terminal.table import AnySession, TableScreen
from pickomino.terminal.words import level_name

REACTIONS: Final = {
    "worm": said("Worms!"),
    "clap": said("Well done!"),
    "laugh": said("Ha ha!"),
    "wow": said("Wow!"),
    "cry": said("Oh no!"),
    "fire": said("Hot!"),
    "thanks": said("Thank you!"),
    "hurry": said("Hurry up!"),
}


_SEEN: Final = 6.0  # seconds that a reaction stands


class LobbyScreen(StageScreen):
    """Before the game: who sits where, and the way to begin."""

    def __init__(self, app: JoinApp) -> None:
        super().__init__()
        self._joined = app

    def cursor(self) -> str:
        return "start"

    def shown(self, width: int, height: int) -> Iterable[Part]:
        skin, t, table = self.skin, self.speech.t, self._joined.table
        if table is None:
            yield logo(width, 5, t("connecting…"), skin)
            return
        edition = table["house"]["name"] if table["house"] is not None else table["edition"]
        told = t("table {code}, {edition}", code=table["code"], edition=edition)
        yield logo(width, 5, told, skin)
        lines = []
        for seat in table["seats"]:
            name = seat["name"] or t("a free seat")
            mine = t("you") if seat["seat"] in self._joined.client.seats else ""
            here = "" if seat["kind"] != "person" or seat["connected"] else t("away")
            note = ", ".join(filter(None, (level_name(seat["bot"] or "", self.speech), mine, here)))
            style = skin.style("call" if mine else "text", bold=bool(mine))
            lines.append(
                skin.text(f"  {seat['seat']}  ", (f"{name:<24.24}", style), (note, skin.style("muted")))
            )
        yield Part("seats", Place(0, 6, width, len(lines)), "bg", lines)
        y = 7 + len(lines)
        if table["host"] in self._joined.client.seats:
            plain = button(skin, t("Enter"), t("begin the game"))
            yield Part("start", Place(2, y, plain[0].cell_len, 1), "bg", plain, plain, "enter")
        else:
            wait = skin.text((f"  {t('waiting for the host to begin')}", skin.style("muted")))
            yield Part("wait", Place(0, y, width, 1), "bg", [wait])
        remark = skin.text((f"  {self._joined.remark}", skin.style("lost")))
        yield Part("remark", Place(0, y + 1, width, 1), "bg", [remark])
        link = f"{self._joined.client.server.url}/#table={self._joined.client.table}"
        invited = t("Others join with pickomino join {link}, or open it in a browser.", link=link)
        lines = wrapped(skin, invited, width - 4, "muted", lead="  ")
        yield Part("invited", Place(0, y + 2, width, len(lines)), "bg", lines)
        keys = skin.text((f" {t('q leave   F2 look   F3 language')}", skin.style("muted")))
        yield Part("footer", Place(0, height - 1, width, 1), "panel", [keys])

    async def press(self, key: str) -> None:
        if key in ("q", "escape"):
            self.game_app.leave()
        elif key == "enter":
            await self._joined.begin()


class JoinApp(PickominoApp):
    """The app at one table of a server."""

    def __init__(
        self,
        host: TableHost,
        table: str,
        secret: str = "",
        *,
        theme: str,
        language: str,
        animate: bool = True,
    ) -> None:
        super().__init__(None, lambda _: (), theme=theme, language=language, animate=animate, warm_up=False)
        self.client: Final = TableClient(host, table, secret, self._heard)
        self.table: dict[str, Any] | None = None
        self.remark = ""
        self._early: list[dict[str, Any]] = []  # of a game that waits for its starter
        self.reactions = tuple(REACTIONS.values())

    async def on_mount(self) -> None:
        self.run_worker(self.client.run(), group="client", exit_on_error=False)
        await self.open_menu()

    async def open_menu(self) -> None:
        """There is no menu here: who waits sees the table."""
        await self._switch(LobbyScreen(self))

    async def begin(self) -> None:
        await self._ask("start")

    async def _ask(self, what: str) -> None:
        host, table = self.client.server, self.client.table
        try:
            await asyncio.to_thread(host.ask, "POST", f"/api/tables/{table}/{what}")
            self.say("")
        except ServerRefusal as error:
            self.say(local(error))

    def say(self, text: str) -> None:
        """One line for whoever is looking."""
        self.remark = text
        if isinstance(self.screen, TableScreen):
            self.screen.showing.remark = text
        if isinstance(self.screen, TableScreen | LobbyScreen):
            self.call_later(self.screen.redraw)

    def _heard(self, kind: str, data: Any) -> None:
        t = self.speech.t
        if kind == "table":
            self.table = data
            self.say(self.remark)
        elif kind == "state":
            session = self.session
            if isinstance(session, RemoteSession) and session.game_id == data["game"]:
                session.hear(data)
            elif self.table is not None:
                self._begun(self.table, data)
        elif kind == "reaction":
            text = REACTIONS.get(data["reaction"])
            if text is not None and self.table is not None:
                names = {seat["seat"]: seat["name"] for seat in self.table["seats"]}
                told = t("{name}: {what}", name=names.get(data["seat"], "?"), what=t(text))
                self.say(told)
                self.set_timer(_SEEN, lambda: self.say("") if self.remark == told else None)
        elif kind == "lost":
            self.say(t("The connection is lost; trying again. Nothing is lost."))
        elif kind == "back":
            self.say("")
        elif kind == "refused" and data["code"] not in ("stale_version", "not_your_turn"):
            self.say(t("The server refused that: {why}", why=data["message"]))

    def _begun(self, table: dict[str, Any], state: dict[str, Any]) -> None:
        """A game is there; it is opened once it is known who starts."""
        entries = [*self._early, *state["entries"]]
        if starter({**state, "entries": entries}) is None:
            self._early = entries
            return
        self._early = []
        session = RemoteSession(self.client, table, {**state, "entries": entries})
        self.session = session
        self.call_later(self._open, session)

    async def react(self, number: int) -> None:
        await self.client.react(tuple(REACTIONS)[number])

    async def after_game(self, key: str, session: AnySession) -> None:
        """Once more with the same people, or leave."""
        if key == "m":
            await self._ask("rematch")
            await self._ask("start")
        else:
            self.leave()
