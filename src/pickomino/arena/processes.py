"""Chunks in processes of this machine. A chunk whose process dies is played again by another one."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, NamedTuple

from pickomino.arena.chunk import Chunk
from pickomino.arena.spec import Spec
from pickomino.rules import PickominoError

MAX_DEATHS: Final = 3  # of the same chunk; then it is the chunk that kills
_THREADS: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


def one_thread() -> dict[str, str]:
    """The environment of a worker: one thread each, also so that sums are rounded the same everywhere."""
    return dict.fromkeys(_THREADS, "1")


def cores() -> int:
    """Processor cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class _Worker(NamedTuple):
    process: BaseProcess
    pipe: Connection


def play_in_processes(
    spec: Spec, chunks: Iterable[int], workers: int, records: Mapping[int, int] | None = None
) -> Generator[Chunk, None, None]:
    """The chunks as they are finished; `records` says for how many games of a chunk they are wanted.

    Close the iterator to stop: processes are ended then, and what they were playing is lost.
    """
    todo = list(chunks)[::-1]
    deaths: Counter[int] = Counter()
    busy: dict[Connection, tuple[_Worker, int]] = {}

    def give(worker: _Worker) -> None:
        if todo:
            chunk = todo.pop()
            busy[worker.pipe] = worker, chunk
            with suppress(OSError):  # died meanwhile: its end is read below
                worker.pipe.send((chunk, (records or {}).get(chunk, 0)))
        else:
            _end(worker)

    try:
        for _ in range(min(workers, len(todo))):
            give(_start(spec))
        while busy:
            ready = set(wait(list(busy)))
            for pipe in [pipe for pipe in busy if pipe in ready]:
                worker, chunk = busy.pop(pipe)
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    deaths[chunk] += 1
                    code = _end(worker)
                    if deaths[chunk] >= MAX_DEATHS:
                        raise PickominoError(
                            "chunk {chunk}: its process died {max_deaths} times (exit status {code})",
                            chunk=chunk,
                            max_deaths=MAX_DEATHS,
                            code=code,
                        ) from None
                    todo.append(chunk)
                    worker = _start(spec)
                    give(worker)
                    continue
                if isinstance(answer, str):
                    _end(worker)
                    raise PickominoError(answer)
                give(worker)
                yield answer
    finally:
        for worker, _ in busy.values():
            worker.process.kill()
            _end(worker)


def _end(worker: _Worker) -> int | None:
    worker.pipe.close()  # the process reads the end of its work
    worker.process.join()
    return worker.process.exitcode


def _start(spec: Spec) -> _Worker:
    """A new process: it begins from nothing, whatever threads and locks there are here."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, spec), daemon=True)
    with quiet_interrupts(), environment(one_thread()):
        process.start()
    there.close()
    return _Worker(process, here)


@contextmanager
def environment(more: Mapping[str, str]) -> Iterator[None]:
    """Processes started in here inherit it."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def quiet_interrupts() -> Iterator[None]:
    """A process started in here never hears of Ctrl-C, from its first moment on; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, spec: Spec) -> None:
    """A worker's life: chunk numbers in, chunks out, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(played(spec, *pipe.recv()))


def played(spec: Spec, number: int, records: int) -> Chunk | str:
    """A chunk, or what is wrong with it: a bot's own mistake is reported once, only a lost worker is replaced."""
    try:
        from pickomino.arena.games import play_chunk  # here: only workers load the compiled kernels

        return play_chunk(spec, number, records)
    except PickominoError as error:
        return str(error)
    except Exception as error:
        return f"chunk {number}: {type(error).__name__}: {error}"
