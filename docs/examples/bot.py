"""A Pickomino bot as a program of its own, in Python: a position line in, a move line out."""

import sys

from pickomino import parse_position
from pickomino.solver import Worms, move_values

print("ready", flush=True)  # optional
for line in sys.stdin:
    position = parse_position(line.rstrip("\n"))
    print(move_values(position, Worms(loss=1, steal=1)).best, flush=True)
