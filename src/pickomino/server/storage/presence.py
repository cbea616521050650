"""Who is there through which process, for databases that several share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql

if TYPE_CHECKING:
    from pickomino.server.storage.engine import Storage, Work


class Presence(Protocol):
    """What processes tell each other about their connections. It may be lost: they repeat it."""

    async def heard(self, process: str, at: float) -> bool:
        """A process lives; False if it was not known, and so nothing of what it noted is there either."""
        ...

    async def note(self, process: str, seats: Mapping[str, Collection[int] | None]) -> None:
        """Which seats are there at some tables through this process; None: it has no connection there."""
        ...

    async def seats(self, tables: Sequence[str], besides: str, since: float) -> dict[str, frozenset[int]]:
        """The seats that are there through other processes, as far as those were heard of since."""
        ...

    async def forget(self, heard_before: float) -> int:
        """Drop what processes noted that have died since; gives how many."""
        ...


class PresenceRows:
    """The `Presence` that rows keep."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def heard(self, process: str, at: float) -> bool:
        def note() -> Work[bool]:
            known = (yield sql.HEARD_OF, (at, process)).changed == 1
            if not known:
                yield sql.HEARD_ANEW, (at, process)
            return known

        return await self._storage.write(note())

    async def note(self, process: str, seats: Mapping[str, Collection[int] | None]) -> None:
        gone, here = [], []
        for table, there in sorted(seats.items()):
            if there is None:
                gone.append((table, process))
            else:
                here.append((table, process, values_of.seats_text(there)))

        def note() -> Work[None]:
            yield sql.NOTE_GONE, gone
            yield sql.NOTE_HERE, here

        await self._storage.write(note())

    async def seats(self, tables: Sequence[str], besides: str, since: float) -> dict[str, frozenset[int]]:
        among = self._storage.listed(tables)
        return values_of.seats_of(await self._storage.read(sql.PRESENCE, besides, since, among))

    async def forget(self, heard_before: float) -> int:
        def forget() -> Work[int]:
            gone = (yield sql.FORGET_PROCESSES, (heard_before,)).changed
            yield sql.FORGET_PRESENCE, ()
            return gone

        return await self._storage.write(forget())
