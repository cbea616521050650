"""A PostgreSQL and a Redis of the tests' own, on free ports, started when first asked for."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

DEBIAN = Path("/usr/lib/postgresql")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _postgres_binaries() -> Path | None:
    """Where initdb and postgres are: Debian keeps them off the path."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    return next((folder for folder in sorted(DEBIAN.glob("*/bin"), reverse=True)), None)


def _reachable(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _await_children(group: int) -> None:
    """Those of a killed server live on for a moment, may answer once more, and hold its memory."""
    for _ in range(500):  # where nobody collects the dead, they are all that is left by then
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


class _Engine:
    """A server process that can be stopped and started on the same port and folder."""

    ENDING = signal.SIGKILL

    def __init__(self, within: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pickomino-", dir=within))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL does not run as root.
        self._user = None if os.getuid() else pwd.getpwnam("nobody")
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        user = None if self._user is None else self._user.pw_uid
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=user,
                extra_groups=[] if user else None,
                process_group=0,
            )

    def _start(self, command: list[str]) -> None:
        self._process = self._run(command)
        for _ in range(2000):
            if _reachable(self.port):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError((self.folder / "log").read_text())

    def start(self) -> None:
        raise NotImplementedError

    def stop(self, by: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends both at once, with what clients do undone; SIGKILL is a crash."""
        if self._process is not None:
            self._process.send_signal(by)
            self._process.wait(20)
            _await_children(self._process.pid)
            self._process = None

    def remove(self) -> None:
        self.stop(self.ENDING)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(_Engine):
    ENDING = signal.SIGQUIT  # at once, its own children too

    def __init__(self, binaries: Path, *, fsync: bool = False, within: Path | None = None) -> None:
        """`fsync`: whether commits wait for the disk. What tests kill is processes, not the machine, so what the
        kernel has is safe enough."""
        super().__init__(within)
        self._binaries = binaries
        self._fsync = "on" if fsync else "off"
        made = self._run([str(binaries / "initdb"), "-D", str(self._data), "-U", "test", "-A", "trust", "-N"])
        assert made.wait(60) == 0, (self.folder / "log").read_text()
        self._count = 0

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        settings = [
            f"fsync={self._fsync}",
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=60",
        ]
        options = [part for setting in settings for part in ("-c", setting)]
        self._start([str(self._binaries / "postgres"), "-D", str(self._data), "-p", str(self.port), *options])
        self._ready()

    def _ready(self) -> None:
        import psycopg

        for _ in range(1000):
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:  # it is recovering
                time.sleep(0.02)
        raise AssertionError((self.folder / "log").read_text())

    def url(self, database: str) -> str:
        return f"postgresql://test@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of a database of its own."""
        import psycopg

        self._count += 1
        name = f"games{self._count}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.url(name)


class Redis(_Engine):
    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self._start(["redis-server", *options])


def ram_disk() -> Path | None:
    """A folder in memory with room for some databases, where there is one."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > 2**30 else None


def make_postgres(*, fsync: bool = False) -> Postgres:
    binaries = _postgres_binaries()
    if binaries is None:
        pytest.skip("needs PostgreSQL: install the package postgresql")
    engine = Postgres(binaries, fsync=fsync, within=ram_disk())
    engine.start()
    return engine


def make_redis() -> Redis:
    if shutil.which("redis-server") is None:
        pytest.skip("needs Redis: install the package redis-server")
    engine = Redis()
    engine.start()
    return engine
