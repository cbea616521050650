"""The WebSocket at /ws, on plain ASGI: every message is answered, whatever it is."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pickomino.protocol import shapes
from pickomino.rules import SEATS
from pickomino.server.connection import Connection, Outbox
from pickomino.server.errors import Refused
from pickomino.server.http import address_of, refusal_response
from pickomino.server.limits import Bucket
from pickomino.server.live_table import LiveTable
from pickomino.server.logs import log
from pickomino.server.playing import Sent
from pickomino.server.registry import encode
from pickomino.server.security import origin_allowed
from pickomino.server.wire import Receive, Send

if TYPE_CHECKING:
    from pickomino.server.app import Server

MAX_BAD: Final = 20
"""Messages that are not even messages, before the connection is closed."""
MAX_LIMITED: Final = 200
"""Messages in a row that are refused for their rate, before it is."""
_DECODER: Final = msgspec.json.Decoder(shapes.ClientMessage)
STRETCH: Final = 64
"""Entries: more than a reconnect finds new."""
POLICY: Final = 1008
TOO_LARGE: Final = 1009
RESTART: Final = 1012


class _WithId(msgspec.Struct):
    id: str


class WebSockets:
    """All live connections of this process."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.open: Final[set[Connection]] = set()
        self._outbox = Outbox()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        server, address = self._server, address_of(scope)
        ours = server.hosts.allowed(scope) and origin_allowed(scope, server.config.origins)
        if scope["path"] != "/ws" or not ours or server.draining:
            await send({"type": "websocket.close", "code": POLICY})  # before accepting: HTTP 403
            return
        if 0 < server.config.limits.connections <= len(self.open):
            await _turn_away(receive, send)
            return
        try:
            server.demand_welcome(address)
            welcome = server.limits.addresses.enter(address)
        except Refused:
            welcome = False
        if not welcome:
            await send({"type": "websocket.close", "code": POLICY})
            return
        now = time.monotonic()
        limits = server.config.limits
        messages, reactions = Bucket(limits.messages, now), Bucket(limits.reactions, now)
        connection = Connection(send, address, messages, reactions, self._outbox)
        try:
            await send({"type": "websocket.accept"})
            self.open.add(connection)
            await self._serve(connection, receive)
        finally:
            self.open.discard(connection)
            server.limits.addresses.leave(address)
            if connection.guest is not None:
                server.limits.guests.leave(connection.guest)
            self._detach(connection)
            connection.open = False

    async def _serve(self, connection: Connection, receive: Receive) -> None:
        timer = asyncio.get_running_loop().call_later(
            self._server.config.hello_seconds, self._no_hello, connection
        )
        bad = limited = 0
        try:
            while connection.open:
                event = await receive()
                if event["type"] == "websocket.disconnect":
                    return
                text = event.get("text")
                if text is not None and len(text) > self._server.config.limits.message_bytes:
                    await connection.close(TOO_LARGE, _bye("too_large"))
                    return
                code = await self._message(connection, text)
                bad += code == "bad_message"
                limited = limited + 1 if code == "rate_limited" else 0
                if bad > MAX_BAD or limited > MAX_LIMITED:
                    await connection.close(POLICY, _bye(code))
                    return
                if limited:
                    await asyncio.sleep(0)  # what is refused is no reason to let others wait
        finally:
            timer.cancel()

    def _no_hello(self, connection: Connection) -> None:
        if connection.table is None:
            self._server.spawn(connection.close(POLICY, _bye("bad_message")))

    async def _message(self, connection: Connection, text: str | None) -> str:
        """Deal with one message; gives the code of a refusal, or ok."""
        server = self._server
        wait = connection.messages.take(time.monotonic())
        try:
            if text is None:
                raise Refused("bad_message", "expected text frames")
            message = _DECODER.decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, Refused) as error:
            refused = Refused("bad_message", str(error)[:300])
            connection.push(_failed(_id_of(text), refused))
            server.figures.messages.inc("bad", refused.code)
            return refused.code
        kind = type(message).__struct_config__.tag
        code = "ok"
        try:
            if wait:
                raise Refused("rate_limited", "too many messages", retry=wait)
            if connection.guest is not None:
                server.limits.named["guest_messages"].check(connection.guest)
            if server.draining:
                raise Refused("unavailable", "the server is restarting; nothing has happened", retry=1.0)
            await self._deal(connection, message)
        except Refused as refused:
            code = refused.code
            connection.push(_failed(message.id, refused))
        except Exception:
            code = "internal"
            log.exception("a message failed")
            connection.push(_failed(message.id, Refused("unavailable", "an error in the server")))
        server.figures.messages.inc(kind, code)
        return code

    async def _deal(self, connection: Connection, message: shapes.ClientMessage) -> None:
        if isinstance(message, shapes.Hello):
            await self._hello(connection, message)
            return
        if isinstance(message, shapes.Ping):
            connection.push(encode(shapes.Ok(message.id, d={"time": time.time()})))
            return
        live = connection.table
        if live is None:
            raise Refused("unauthorized", "say hello first")
        if isinstance(message, shapes.AskState):
            async with self._server.registry.current(live):
                self._demand_stretch(connection, live, message.d.since)
                state = await self._server.playing.state(live, message.d.since)
                connection.push(
                    encode(shapes.Ok(message.id, None if state is None else state.v, {"state": state}))
                )
            return
        if isinstance(message, shapes.React):
            self._react(connection, live, message)
            return
        playing, rolling = self._server.playing, self._server.rolling
        seat = await self._seat_now(connection, live, message.seat)
        sent = Sent(seat, message.id, lambda version: connection.push(encode(shapes.Ok(message.id, version))))
        match message:
            case shapes.MoveMessage(v=version, d=data):
                await playing.move(live, sent, data.move, version, data.nonce)
            case shapes.GiveValue(d=data):
                await rolling.give_value(live, sent, data.k, data.value)
            case shapes.GiveTip(d=data):
                await rolling.give_tip(live, sent, data.tip)
            case shapes.ComeIn():
                await rolling.come_in(live, sent)
            case shapes.Resign():
                await playing.resign(live, sent)

    # --- hello ---

    async def _hello(self, connection: Connection, message: shapes.Hello) -> None:
        server, data = self._server, message.d
        guest = None if data.token is None else (await server.guest_of(data.token)).id
        secrets: dict[tuple[str, int], int] = {}
        table = data.table
        for secret in data.seats:
            found = server.signer.seat_of(secret)
            if found is None:
                raise Refused("unauthorized", "a seat's secret is not genuine")
            secrets[found[0], found[1]] = found[2]
            table = table or found[0]
        if table is None:
            raise Refused("bad_message", "hello: expected a table, or a seat's secret")
        live = await server.registry.find(table)
        async with server.registry.current(live):
            for (of_table, seat), serial in secrets.items():
                if of_table == live.id and not _holds(live, seat, serial):
                    raise Refused("unauthorized", f"the secret of seat {SEATS[seat]} is no longer valid")
            self._demand_stretch(connection, live, data.since)
        self._become(connection, guest)
        self._detach(connection)
        async with live.lock:
            live = server.registry.tables.setdefault(live.id, live)  # it may have been forgotten meanwhile
            seats = live.seats_of(guest, secrets)
            await server.playing.welcome(live, seats)
            state = await server.playing.state(live, data.since)
            if state is not None and not live.connections:
                live.told = state.game, state.v  # whoever comes first is everybody
            connection.table, connection.secrets, connection.seats = live, secrets, seats
            connection.chains = data.chains
            live.connections.add(connection)
            for seat in seats:
                live.left_at.pop(seat, None)
            answer = {
                "table": live.info(),
                "seats": [SEATS[seat] for seat in sorted(seats)],
                "state": state,
                "time": time.time(),
            }
            connection.push(encode(shapes.Ok(message.id, None if state is None else state.v, answer)))
            if seats:
                self._tell_others(live, connection)
            server.registry.visited(live)
        await server.rolling.look(live)

    def _demand_stretch(self, connection: Connection, live: LiveTable, since: int | None) -> None:
        """What memory has not, and a long stretch, is read and described anew for whoever asks, so not as often as
        they like."""
        past = 0 if live.game is None else live.game.match.past
        if since is not None and (since < past or live.known[1] - since > STRETCH):
            self._server.limits.named["histories"].check(connection.address)

    def _become(self, connection: Connection, guest: str | None) -> None:
        if guest == connection.guest:
            return
        counter = self._server.limits.guests
        if guest is not None and not counter.enter(guest):
            raise Refused("rate_limited", "too many connections for this guest", retry=30.0)
        if connection.guest is not None:
            counter.leave(connection.guest)
        connection.guest = guest

    def _tell_others(self, live: LiveTable, connection: Connection) -> None:
        live.connections.discard(connection)
        self._server.registry.tell_table(live)
        live.connections.add(connection)

    def _detach(self, connection: Connection) -> None:
        live = connection.table
        if live is None:
            return
        connection.table = None
        live.connections.discard(connection)
        gone = [seat for seat in connection.seats if not live.present(seat)]
        for seat in gone:
            live.left_at[seat] = time.monotonic()
        connection.seats = frozenset()
        if gone and live.connections:
            self._server.registry.tell_table(live)
        self._server.registry.visited(live)

    # --- the rest ---

    async def _seat_now(self, connection: Connection, live: LiveTable, letter: str | None) -> int:
        try:
            return self._seat(connection, live, letter)
        except Refused:
            async with self._server.registry.current(live):  # it may have been given through another process
                return self._seat(connection, live, letter)

    @staticmethod
    def _seat(connection: Connection, live: LiveTable, letter: str | None) -> int:
        """Which seat a message is for: the one it names, the only one, or the one to act."""
        if letter is not None:
            seat = SEATS.index(letter)
            if seat not in connection.seats:
                raise Refused("forbidden", f"seat {letter} is not yours")
            return seat
        if not connection.seats:
            raise Refused(
                "unauthorized", "you are watching; to play you need a seat's secret or a seated guest's token"
            )
        if len(connection.seats) == 1:
            return next(iter(connection.seats))
        turn = None if live.game is None else live.game.match.turn_of
        if turn is not None and turn in connection.seats:
            return turn
        raise Refused("not_your_turn", "none of your seats is to act; name the seat")

    def _react(self, connection: Connection, live: LiveTable, message: shapes.React) -> None:
        if message.seat is None and connection.seats:
            seat = min(connection.seats)
        else:
            seat = self._seat(connection, live, message.seat)
        if wait := connection.reactions.take(time.monotonic()):
            raise Refused("rate_limited", "too many reactions", retry=wait)
        connection.push(encode(shapes.Ok(message.id)))
        reaction = shapes.ReactionData(SEATS[seat], message.d.reaction)
        self._server.registry.push_all(live, encode(shapes.ReactionPush(reaction)))
        self._server.following.tell(live, reaction=reaction)

    def show_out(self, who: str) -> None:
        """A guest, or an address, that is not welcome any more."""
        for connection in self.open:
            if who in (connection.guest, connection.address):
                self._server.spawn(connection.close(POLICY, _bye("unauthorized")))

    async def drain(self) -> None:
        """Tell everybody to come back in a moment, and close. With other processes there to take them, the
        moment is short, and another one for each, so that they do not come all at once."""
        shared = self._server.storage.shared

        def last() -> bytes:
            return _bye("restarting", random.randint(50, 400) if shared else 1000)

        closing = [connection.close(RESTART, last()) for connection in list(self.open)]
        if closing:
            await asyncio.wait_for(asyncio.gather(*closing, return_exceptions=True), 5.0)


async def _turn_away(receive: Receive, send: Send) -> None:
    """Before accepting, in words: those who play must not become slow for those who come."""
    refused = refusal_response(Refused("unavailable", "the server is full; try again", retry=10.0))
    start = {
        "type": "websocket.http.response.start",
        "status": refused.status_code,
        "headers": refused.raw_headers,
    }
    await send(start)
    await send({"type": "websocket.http.response.body", "body": refused.body})
    for _ in range(2):  # uvicorn says that it ends, and then that it has ended; before that it would complain
        await receive()


def _holds(live: LiveTable, seat: int, serial: int) -> bool:
    row = live.row.seats[seat] if seat < len(live.row.seats) else None
    return row is not None and row.guest is not None and row.serial == serial


def _failed(cid: str | None, refused: Refused) -> bytes:
    return encode(
        shapes.Failed(
            cid,
            refused.code,
            str(refused),
            msgspec.UNSET if refused.version is None else refused.version,
            msgspec.UNSET if refused.retry is None else max(1, round(refused.retry * 1000)),
        )
    )


def _id_of(text: str | None) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which one it was."""
    try:
        found = msgspec.json.decode(text or "", type=_WithId).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if 1 <= len(found) <= 64 else None


def _bye(code: str, retry_ms: int = 5000) -> bytes:
    return encode(shapes.Bye(shapes.ByeData(code, retry_ms)))
