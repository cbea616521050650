"""A child process that answers lines with lines, each by a deadline. Nothing of it is left behind."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from typing import IO, Final

from pickomino.rules import said

LINE: Final = 1000  # characters; a longer line comes in pieces, none of which is a move
_AHEAD: Final = 1000  # lines read ahead; a program that writes more waits
PATIENCE: Final = 1.0  # seconds to end by itself once its input is closed
_POSIX: Final = os.name == "posix"


class ChildError(Exception):
    """The process could not be started, ended, or did not answer in time."""


class Child:
    """One running program."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=_POSIX,  # so that what it starts can be ended with it
            )
        except (OSError, ValueError) as error:
            raise ChildError(said("cannot be started: {error}", error=error)) from None
        self._lines: queue.Queue[str | None] = queue.Queue(_AHEAD)
        self._closed = threading.Event()
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _listen(self, stream: IO[str]) -> None:
        """Lines into the queue, None at the end; in a thread of its own, as no pipe is read with a deadline."""
        with contextlib.suppress(ValueError, OSError):
            while line := stream.readline(LINE):
                self._put(line.strip())
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def write(self, line: str) -> None:
        """One line to the program."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise ChildError(self._how_it_ended()) from None

    def read(self, deadline: float) -> str:
        """The next line, by a time of `time.monotonic`."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise ChildError(said("no answer in time")) from None
        if line is None:
            raise ChildError(self._how_it_ended())
        return line

    def forget(self) -> None:
        """Drop what was read ahead."""
        with contextlib.suppress(queue.Empty):
            for _ in range(_AHEAD):
                if self._lines.get_nowait() is None:
                    raise ChildError(self._how_it_ended())

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(PATIENCE)
            if status < 0:
                return said("killed by signal {number}", number=-status)
            return said("ended with status {status}", status=status)
        return said("closed its output")

    def close(self, patience: float = PATIENCE) -> None:
        """End the process and whatever it has started, and wait until they are gone."""
        if self._closed.is_set():
            return
        self._closed.set()
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        self._kill()
        process.wait()
        self._reader.join(PATIENCE)
        if not self._reader.is_alive():  # else a grandchild got away with the pipe; the thread ends with it
            assert process.stdout is not None
            process.stdout.close()

    def _kill(self) -> None:
        """The process, and on POSIX its session: a script's children would keep the pipe open."""
        with contextlib.suppress(OSError):
            if _POSIX:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
