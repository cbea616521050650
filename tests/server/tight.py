"""``pickomino`` on a disk that is nearly full: no file may grow beyond what the first argument says, in bytes."""

from __future__ import annotations

import resource
import signal
import sys

from pickomino.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    sys.exit(main(sys.argv[2:]))
