"""What both engines are asked in the same words: one statement each, rows out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql
from pickomino.server.storage.base import GameRow, GuestRow, TableRow

__all__ = ["Queries"]


class Queries(ABC):
    """The reading half of `Storage`, as far as engines do not differ."""

    @abstractmethod
    async def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that a statement of `sql` finds."""

    async def guest(self, guest: str) -> GuestRow | None:
        found = await self._all(sql.GUEST, (guest,))
        return GuestRow(*found[0]) if found else None

    async def table(self, table: str) -> TableRow | None:
        found = values_of.tables_of(await self._all(sql.TABLE, (table,)))
        return found[0] if found else None

    async def table_of_code(self, code: str) -> str | None:
        found = await self._all(sql.TABLE_OF_CODE, (code,))
        return str(found[0][0]) if found else None

    async def lobby(self, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self._all(sql.LOBBY, (limit,)))

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self._all(sql.TABLES_OF, (guest, guest, limit)))

    async def game(self, game: str) -> GameRow | None:
        found = values_of.games_of(await self._all(sql.GAME, (game,)))
        return found[0] if found else None

    async def waking(self, before: float, limit: int) -> list[tuple[str, str, float]]:
        return await self._all(sql.WAKING, (before, limit))

    async def history(self, guest: str, before: float, limit: int) -> list[GameRow]:
        return values_of.games_of(await self._all(sql.HISTORY, (guest, before, limit)))

    async def archivable(self, limit: int) -> list[str]:
        return [row[0] for row in await self._all(sql.ARCHIVABLE, (limit,))]
