"""The statements that both engines take. Values are marked with ``?``; words in braces differ:

``{AMONG}`` stands before a list of texts as one value, ``{SKIP}`` passes by rows that another process holds.
"""

from __future__ import annotations

from typing import Final

_TABLE: Final = "id, code, public, settings, created, phase, host, game, games, rev, used"
_GAME: Final = (
    "id, tbl, edition, first, started, secret, tip, timer, away, pace_ms, finished, result, wake, record, "
    "dice"
)


def worded(statement: str, words: dict[str, str]) -> str:
    for word, meaning in words.items():
        statement = statement.replace("{" + word + "}", meaning)
    return statement


def _insert(table: str, columns: str) -> str:
    marks = ", ".join("?" * len(columns.split(",")))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"


def _tables(where: str, order: str = "") -> str:
    """One statement, so that a table and its seats are of one moment; a row per seat."""
    limited = f" ORDER BY {order} LIMIT ?" if order else ""
    columns = ", ".join(f"t.{column}" for column in _TABLE.split(", "))
    return (
        f"SELECT {columns}, s.guest, s.name, s.bot, s.serial, s.look, s.coach "
        f"FROM (SELECT * FROM tables WHERE {where}{limited}) t JOIN seats s ON s.tbl = t.id "
        f"ORDER BY {'t.' + order + ', ' if order else ''}t.id, s.seat"
    )


def _games(where: str) -> str:
    columns = ", ".join(f"g.{column}" for column in _GAME.split(", "))
    return (
        f"SELECT {columns}, p.guest, p.name, p.bot, p.look, p.accuracy, p.luck "
        "FROM games g JOIN players p ON p.game = g.id "
        f"WHERE {where} ORDER BY g.started DESC, g.id, p.seat"
    )


NEW_KEY: Final = "INSERT INTO meta VALUES ('secret', ?) ON CONFLICT DO NOTHING"
KEY: Final = "SELECT value FROM meta WHERE name = 'secret'"

PUT_META: Final = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
PLACE: Final = "SELECT value FROM meta WHERE name = 'place'"

ADD_GUEST: Final = _insert("guests", "id, name, created")
GUEST: Final = (
    "SELECT id, name, created FROM guests WHERE id = ? "
    "AND NOT EXISTS (SELECT 1 FROM bans WHERE who = guests.id AND until > ?)"
)
BAN: Final = f"{_insert('bans', 'who, until')} ON CONFLICT (who) DO UPDATE SET until = excluded.until"
UNBAN: Final = "DELETE FROM bans WHERE who = ?"
BANS: Final = "SELECT who, until FROM bans WHERE until > ? ORDER BY who"
RENAME_GUEST: Final = "UPDATE guests SET name = ? WHERE id = ?"

GAMES_ALONE: Final = (
    "SELECT DISTINCT p.game FROM players p WHERE p.guest = ? AND NOT EXISTS "
    "(SELECT 1 FROM players o WHERE o.game = p.game AND o.guest IS NOT NULL AND o.guest <> p.guest)"
)
REWRITE: Final = "UPDATE games SET record = ? WHERE id = ?"
DROP_NAMES_OF: Final = (
    "UPDATE players SET name = '' WHERE guest = ? "
    "AND EXISTS (SELECT 1 FROM games WHERE games.id = players.game AND record IS NOT NULL)"
)
DROP_NAMES: Final = "UPDATE players SET name = '' WHERE game = ? AND guest IS NULL AND bot IS NULL"
NO_PLAYER: Final = "UPDATE players SET guest = NULL WHERE guest = ?"
NO_SEAT: Final = "UPDATE seats SET guest = NULL, name = '' WHERE guest = ?"
NO_HOST: Final = "UPDATE tables SET host = '' WHERE host = ?"
NOT_REMOVED: Final = "DELETE FROM removed WHERE guest = ?"
NOT_INVITED: Final = "DELETE FROM invitations WHERE guest = ?"

ADD_TABLE: Final = _insert("tables", _TABLE)
PUT_SEAT: Final = (
    f"{_insert('seats', 'tbl, seat, guest, name, bot, serial, look, coach')} ON CONFLICT (tbl, seat) "
    "DO UPDATE SET guest = excluded.guest, name = excluded.name, bot = excluded.bot, serial = excluded.serial, "
    "look = excluded.look, coach = excluded.coach"
)
REMOVE: Final = f"{_insert('removed', 'tbl, guest')} ON CONFLICT DO NOTHING"
REMOVED: Final = "SELECT 1 FROM removed WHERE tbl = ? AND guest = ?"
DROP_REMOVED: Final = "DELETE FROM removed WHERE tbl = ?"
INVITE: Final = f"{_insert('invitations', 'tbl, guest')} ON CONFLICT DO NOTHING"
DROP_INVITATIONS: Final = "DELETE FROM invitations WHERE tbl = ?"
TABLE: Final = _tables("id = ?")
TABLE_OF_CODE: Final = "SELECT id FROM tables WHERE code = ? AND phase <> 'closed'"
SAVE_TABLE: Final = (
    "UPDATE tables SET phase = ?, host = ?, game = ?, games = ?, rev = ?, used = ? WHERE id = ? AND rev = ?"
)
LOBBY: Final = _tables("public = 1 AND phase IN ('open', 'playing')", "created DESC")
TABLES_OF: Final = _tables(
    "phase <> 'closed' AND (host = ? OR id IN (SELECT tbl FROM seats WHERE guest = ?))", "used DESC"
)
INVITED_TO: Final = _tables(
    "phase = 'open' AND id IN (SELECT tbl FROM invitations WHERE guest = ?)", "used DESC"
)

OPEN_TABLES: Final = _tables("phase <> 'closed'", "used DESC")
ALL_TABLES: Final = _tables("1 = 1", "used DESC")

COUNT_TABLES: Final = "SELECT phase, count(*) FROM tables GROUP BY phase"
COUNTS: Final = (
    "SELECT (SELECT count(*) FROM guests), count(*), count(finished), "
    "COALESCE(SUM(CASE WHEN started > ? THEN 1 ELSE 0 END), 0), (SELECT count(*) FROM entries) FROM games"
)
GIVE_GAME: Final = "UPDATE players SET guest = ? WHERE game = ? AND seat = ?"

ADD_GAME: Final = _insert("games", _GAME)
ADD_PLAYER: Final = _insert("players", "game, seat, guest, name, bot, look, accuracy, luck, started")
GAME: Final = _games("g.id = ?")
HISTORY: Final = _games(
    "g.id IN (SELECT game FROM players WHERE guest = ? AND started < ? "
    "GROUP BY game, started ORDER BY started DESC LIMIT ?)"
)
ENTRIES: Final = "SELECT seq, at, entry, cid, proof FROM entries WHERE game = ? AND seq > ? ORDER BY seq"
ANSWERED: Final = "SELECT seq FROM entries WHERE game = ? AND cid = ?"
ADD_ENTRY: Final = _insert("entries", "game, seq, at, entry, cid, proof")
ADD_VALUE: Final = _insert("reveals", "game, k, guest, value")
OFFER_VALUE: Final = f"{ADD_VALUE} ON CONFLICT DO NOTHING"
VALUES: Final = "SELECT guest, value FROM reveals WHERE game = ? AND k = ?"
WAKING: Final = "SELECT tbl, id, wake FROM games WHERE wake IS NOT NULL AND wake <= ? ORDER BY wake LIMIT ?"
CLAIM: Final = (
    "UPDATE games SET wake = ? WHERE id IN (SELECT id FROM games "
    "WHERE wake IS NOT NULL AND wake <= ? ORDER BY wake LIMIT ?{SKIP}) RETURNING tbl, id"
)
HEADS: Final = (
    "SELECT id, rev, game, COALESCE((SELECT max(seq) FROM entries WHERE entries.game = tables.game), 0) "
    "FROM tables WHERE id {AMONG}"
)

# A game that is being played keeps its table's `used` in its entries, and connections keep it too.
UNUSED: Final = (
    "SELECT id FROM tables WHERE phase <> 'closed' AND used < ? "
    "AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.game = tables.game AND at >= ?) "
    "AND NOT EXISTS (SELECT 1 FROM presence WHERE tbl = tables.id) LIMIT ?{SKIP}"
)
CLOSE_TABLE: Final = "UPDATE tables SET phase = 'closed', rev = rev + 1 WHERE id = ?"
NO_WAKE: Final = "UPDATE games SET wake = NULL WHERE tbl = ?"
ARCHIVABLE: Final = (
    "SELECT games.id FROM games JOIN tables ON tables.id = games.tbl "
    "WHERE tables.phase = 'closed' AND games.record IS NULL "
    "AND EXISTS (SELECT 1 FROM entries WHERE game = games.id) LIMIT ?"
)
RUNNING: Final = "SELECT game FROM tables WHERE phase = 'playing' AND game IS NOT NULL"
ABANDON: Final = "UPDATE tables SET phase = 'open', rev = rev + 1 WHERE game = ? AND phase = 'playing'"
SET_WAKE: Final = "UPDATE games SET wake = ? WHERE id = ?"
FINISH: Final = "UPDATE games SET finished = ?, result = ?, wake = NULL WHERE id = ?"
TABLE_OVER: Final = "UPDATE tables SET phase = 'over', rev = rev + 1, used = ? WHERE id = ?"
ARCHIVE: Final = "UPDATE games SET record = ?, wake = NULL WHERE id = ?"
DROP_ENTRIES: Final = "DELETE FROM entries WHERE game = ?"
DROP_VALUES: Final = "DELETE FROM reveals WHERE game = ?"

# What has been kept long enough: games that are records, tables without games, guests without either.
OLD_GAMES: Final = (
    "SELECT games.id FROM games JOIN tables ON tables.id = games.tbl WHERE tables.phase = 'closed' "
    "AND NOT EXISTS (SELECT 1 FROM entries WHERE game = games.id) AND COALESCE(finished, started) < "
    "CASE WHEN EXISTS (SELECT 1 FROM players WHERE game = games.id AND guest IS NOT NULL) "
    "THEN CAST(? AS DOUBLE PRECISION) ELSE CAST(? AS DOUBLE PRECISION) END LIMIT ?"
)
DROP_PLAYERS: Final = "DELETE FROM players WHERE game = ?"
DROP_REVIEWS_OF: Final = "DELETE FROM reviews WHERE game IN (SELECT game FROM players WHERE guest = ?)"
DROP_REVIEWS: Final = "DELETE FROM reviews WHERE game = ?"
DROP_GAME: Final = "DELETE FROM games WHERE id = ?"
OLD_TABLES: Final = (
    "SELECT id FROM tables WHERE phase = 'closed' AND used < ? "
    "AND NOT EXISTS (SELECT 1 FROM games WHERE tbl = tables.id) LIMIT ?"
)
DROP_SEATS: Final = "DELETE FROM seats WHERE tbl = ?"
DROP_TABLE: Final = "DELETE FROM tables WHERE id = ?"
OLD_GUESTS: Final = (
    "SELECT id FROM guests WHERE created < ? AND NOT EXISTS (SELECT 1 FROM players WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM seats WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM tables WHERE host = guests.id AND phase <> 'closed') LIMIT ?"
)
DROP_GUEST: Final = "DELETE FROM guests WHERE id = ?"

REVIEW: Final = "SELECT body FROM reviews WHERE game = ? AND language = ? AND version = ?"
KEEP_REVIEW: Final = (
    f"{_insert('reviews', 'game, language, version, body')} ON CONFLICT (game, language) "
    "DO UPDATE SET version = excluded.version, body = excluded.body"
)
NOTE_REVIEW: Final = "UPDATE players SET accuracy = ?, luck = ? WHERE game = ? AND seat = ?"

HEARD_OF: Final = "UPDATE processes SET heard = ? WHERE id = ?"
HEARD_ANEW: Final = "INSERT INTO processes (heard, id) VALUES (?, ?) ON CONFLICT DO NOTHING"
NOTE_HERE: Final = (
    f"{_insert('presence', 'tbl, process, seats')} "
    "ON CONFLICT (tbl, process) DO UPDATE SET seats = excluded.seats"
)
NOTE_GONE: Final = "DELETE FROM presence WHERE tbl = ? AND process = ?"
PRESENCE: Final = (
    "SELECT presence.tbl, presence.seats FROM presence JOIN processes ON processes.id = presence.process "
    "WHERE processes.id <> ? AND processes.heard >= ? AND presence.tbl {AMONG}"
)
FORGET_PROCESSES: Final = "DELETE FROM processes WHERE heard < ?"
FORGET_PRESENCE: Final = "DELETE FROM presence WHERE process NOT IN (SELECT id FROM processes)"
