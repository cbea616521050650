"""``python -m pickomino`` is the command ``pickomino``."""

from __future__ import annotations

import sys

from pickomino.cli import main

if __name__ == "__main__":
    sys.exit(main())
