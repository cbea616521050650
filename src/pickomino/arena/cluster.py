"""Chunks as tasks of a Ray cluster. Ray plays a task again whose worker or machine is lost."""

from __future__ import annotations

import re
import socket
from collections.abc import Generator, Iterable, Mapping
from typing import Any, Final

from pickomino.arena.chunk import Chunk
from pickomino.arena.processes import one_thread, played
from pickomino.arena.spec import Spec
from pickomino.rules import PickominoError, said

RETRIES: Final = 10  # of one chunk
PATIENCE: Final = 10.0  # seconds for a cluster to answer at all


def play_on_cluster(
    spec: Spec, chunks: Iterable[int], address: str = "", records: Mapping[int, int] | None = None
) -> Generator[Chunk, None, None]:
    """The chunks as they are finished. Without an address: the cluster of RAY_ADDRESS, or one of this machine."""
    try:
        import ray
    except ImportError:
        raise PickominoError(said("--cluster needs Ray: pip install pickomino[cluster]")) from None
    _reach(address)
    try:
        ray.init(
            address=address or None,
            logging_level="ERROR",
            log_to_driver=False,
            include_dashboard=None if address else False,
            runtime_env={"env_vars": one_thread()},
        )
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise PickominoError(
            "no Ray cluster at {address}: {error}",
            address=address or "this machine",
            error=_first_line(error),
        ) from None
    try:
        task: Any = ray.remote(num_cpus=1, max_retries=RETRIES)(played)
        waiting = [task.remote(spec, chunk, (records or {}).get(chunk, 0)) for chunk in chunks]
        while waiting:
            ready, waiting = ray.wait(waiting)
            for reference in ready:
                try:
                    answer = ray.get(reference)
                except ray.exceptions.RayError as error:
                    raise PickominoError(
                        "the cluster gave up on a chunk: {error}", error=_first_line(error)
                    ) from None
                if isinstance(answer, str):
                    raise PickominoError(answer)
                yield answer
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Ray tries an address where nobody listens for minutes, and fills the screen with it."""
    found = re.fullmatch(r"(?:ray://)?\[?([^\s/]+?)\]?:([0-9]{1,5})", address)
    if not address or address in ("auto", "local"):
        return
    if found is None:
        raise PickominoError(
            "--cluster {address!r}: expected an address, as in 10.0.0.7:6379", address=address
        )
    try:
        socket.create_connection((found[1], int(found[2])), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise PickominoError(
            "no Ray cluster at {address}: {error}", address=address, error=_first_line(error)
        ) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
