"""The schema, as numbered steps that run once each, in order, on every engine.

Plain SQL that SQLite and PostgreSQL both take, and a runner of a dozen lines: the schema is a dozen tables, and
a migration tool of its own would be the server's largest dependency. A step that is out is never changed;
the next one changes what it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

# {CLUSTERED}: SQLite keeps the rows in the order of the primary key, so that a game's log is one range.
# {BLOB}: bytes. {FLEETING}: may be lost in a crash of the database.
MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE guests (id TEXT PRIMARY KEY, name TEXT NOT NULL, created DOUBLE PRECISION NOT NULL)",
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY,
            code TEXT NOT NULL UNIQUE,
            phase TEXT NOT NULL,
            public INTEGER NOT NULL,
            host TEXT NOT NULL,
            settings TEXT NOT NULL,
            game TEXT,
            games INTEGER NOT NULL,
            rev BIGINT NOT NULL,
            created DOUBLE PRECISION NOT NULL,
            used DOUBLE PRECISION NOT NULL
        )""",
        "CREATE INDEX tables_lobby ON tables (created) WHERE public = 1 AND phase IN ('open', 'playing')",
        "CREATE INDEX tables_host ON tables (host) WHERE phase <> 'closed'",
        "CREATE INDEX tables_used ON tables (used) WHERE phase <> 'closed'",
        """CREATE TABLE seats (
            tbl TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            serial INTEGER NOT NULL,
            PRIMARY KEY (tbl, seat)
        ){CLUSTERED}""",
        "CREATE INDEX seats_guest ON seats (guest) WHERE guest IS NOT NULL",
        """CREATE TABLE games (
            id TEXT PRIMARY KEY,
            tbl TEXT NOT NULL,
            edition TEXT NOT NULL,
            first INTEGER NOT NULL,
            started DOUBLE PRECISION NOT NULL,
            secret {BLOB} NOT NULL,
            tip TEXT NOT NULL,
            timer INTEGER,
            away INTEGER,
            pace_ms INTEGER NOT NULL,
            finished DOUBLE PRECISION,
            result TEXT,
            wake DOUBLE PRECISION,
            record TEXT
        )""",
        "CREATE INDEX games_wake ON games (wake) WHERE wake IS NOT NULL",
        "CREATE INDEX games_table ON games (tbl)",
        """CREATE TABLE players (
            game TEXT NOT NULL,
            seat INTEGER NOT NULL,
            guest TEXT,
            name TEXT NOT NULL,
            bot TEXT,
            started DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (game, seat)
        ){CLUSTERED}""",
        "CREATE INDEX players_guest ON players (guest, started) WHERE guest IS NOT NULL",
        """CREATE TABLE entries (
            game TEXT NOT NULL,
            seq INTEGER NOT NULL,
            at DOUBLE PRECISION NOT NULL,
            entry TEXT NOT NULL,
            cid TEXT,
            proof TEXT,
            PRIMARY KEY (game, seq)
        ){CLUSTERED}""",
    ),
    (
        # Who is there, across processes: a row per table that a process has connections at. It counts while
        # the process is heard of.
        "CREATE {FLEETING}TABLE processes (id TEXT PRIMARY KEY, heard DOUBLE PRECISION NOT NULL)",
        """CREATE {FLEETING}TABLE presence (
            tbl TEXT NOT NULL,
            process TEXT NOT NULL,
            seats TEXT NOT NULL,
            PRIMARY KEY (tbl, process)
        ){CLUSTERED}""",
        "CREATE INDEX presence_process ON presence (process)",
    ),
    (
        # Whom a table's host has removed.
        """CREATE TABLE removed (
            tbl TEXT NOT NULL,
            guest TEXT NOT NULL,
            PRIMARY KEY (tbl, guest)
        ){CLUSTERED}""",
    ),
    (
        # Bird and colour of who sits there, as two letters; and who is asked to a table.
        "ALTER TABLE seats ADD COLUMN look TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE invitations (
            tbl TEXT NOT NULL,
            guest TEXT NOT NULL,
            PRIMARY KEY (guest, tbl)
        ){CLUSTERED}""",
    ),
    (
        # Reviews as they are sent, one per language; `version`: of the program that made it.
        """CREATE TABLE reviews (
            game TEXT NOT NULL,
            language TEXT NOT NULL,
            version TEXT NOT NULL,
            body {BLOB} NOT NULL,
            PRIMARY KEY (game, language)
        )""",
        # Who agrees to a coach.
        "ALTER TABLE seats ADD COLUMN coach BOOLEAN NOT NULL DEFAULT FALSE",
    ),
    (
        # Guests and addresses that are shut out.
        "CREATE TABLE bans (who TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL)",
    ),
    (
        # Dice from every seat: what guests gave to rolls, by the first seat of each. An empty value: too late.
        "ALTER TABLE games ADD COLUMN dice TEXT NOT NULL DEFAULT 'sha256-chain'",
        """CREATE TABLE reveals (
            game TEXT NOT NULL,
            k INTEGER NOT NULL,
            guest INTEGER NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (game, k, guest)
        ){CLUSTERED}""",
    ),
    (
        # Bird and colour of who played, for replays and reviews; and what the review amounts to, for their statistics.
        "ALTER TABLE players ADD COLUMN look TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE players ADD COLUMN accuracy INTEGER",
        "ALTER TABLE players ADD COLUMN luck DOUBLE PRECISION",
    ),
)


def pending(version: int) -> Iterable[tuple[int, tuple[str, ...]]]:
    """What brings a database from a version to the newest: (the version reached, statements). The caller runs
    and notes them in one transaction, alone."""
    if version > len(MIGRATIONS):
        raise RuntimeError(f"the database has version {version}; this program knows {len(MIGRATIONS)}")
    return enumerate(MIGRATIONS[version:], version + 1)
