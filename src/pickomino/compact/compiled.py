"""The bulk form of the rules under numba (extra ``fast``). Importing this lets other compiled code call it too."""

from __future__ import annotations

from inspect import isfunction

from numba import njit
from numba.extending import register_jitable

from pickomino.compact import bits, cautious, legal, loops, settle

for _module in (bits, legal, settle, cautious, loops):
    for _function in list(vars(_module).values()):
        if isfunction(_function) and _function.__module__ == _module.__name__:
            register_jitable(_function)

_compile = njit(cache=True, nogil=True)
turn_variants = _compile(loops.turn_variants)
end_turns = _compile(loops.end_turns)
claim_values = _compile(loops.claim_values)
choose_rows = _compile(loops.choose_rows)
best_claims = _compile(loops.best_claims)
stop_values = _compile(loops.stop_values)
count_worms = _compile(loops.count_worms)
cautious_moves = _compile(loops.cautious_moves)
legal_moves = _compile(loops.legal_moves)
