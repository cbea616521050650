from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.engines import Postgres, Redis, make_postgres, make_redis
from tests.server.parts import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server without limits, shared by the tests of a module; its log must stay clean."""
    process = ServerProcess(tmp_path_factory.mktemp("server")).start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill and start again."""
    process = ServerProcess(tmp_path).start()
    yield process
    process.stop()
    process.no_mistakes()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    engine = make_postgres()
    yield engine
    engine.remove()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    engine = make_redis()
    yield engine
    engine.remove()
