"""``pickomino`` with a server that forgets unused tables at once, and says at its end what it still holds."""

from __future__ import annotations

import gc
import sys

from pickomino.cli import main
from pickomino.server import driver
from pickomino.server.connection import Connection
from pickomino.server.live import LiveGame
from pickomino.server.live_table import LiveTable

if __name__ == "__main__":
    driver.POLL_SECONDS = 0.1  # type: ignore[misc]  # half a minute is long for a test
    driver.IDLE_SECONDS = 0.2  # type: ignore[misc]
    status = main(sys.argv[1:])
    gc.unfreeze()
    gc.collect()
    held = sum(isinstance(found, LiveTable | LiveGame | Connection) for found in gc.get_objects())
    print(f"still held: {held}", file=sys.stderr)
    sys.exit(status)
