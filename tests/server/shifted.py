"""``pickomino`` with a wall clock that somebody sets: off by the seconds in the file that the first argument names."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from pickomino.cli import main

if __name__ == "__main__":
    file, really = Path(sys.argv[1]), time.time
    time.time = lambda: really() + float(file.read_text())
    sys.exit(main(sys.argv[2:]))
