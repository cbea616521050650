"""What the seats to act see in games that are arrays: the rows of `pickomino.envs.layout`, on any device."""

from __future__ import annotations

from pickomino.compact.packed import PHASES
from pickomino.envs.layout import Layout
from pickomino.tensor import Array, RunningGames


def sight(layout: Layout, games: RunningGames) -> Array:
    """The observation ``counts`` of every game: (games, layout.size)."""
    batch, rules, xp = games.batch, games.batch.rules, games.batch.rules.xp
    owned = batch.heights > 0
    cover = (xp.amax(batch.heights, -1, keepdims=True) - batch.heights) * owned
    white_and_gold = [dice.sum(1, dtype=xp.int8) for dice in (games.kept, games.rolled)]
    parts = {
        "grill": batch.grill,
        "stacks": owned,
        "tops": batch.tops,
        "cover": cover.sum(1, dtype=xp.int8),
        "worms": batch.tally().scores,
        "round_worms": batch.round_worms,
        "turn": rules.seat == 0,
        "phase": games.phase[:, None] == xp.arange(len(PHASES)),
        "kept": white_and_gold[0],
        "rolled": white_and_gold[1],
        "total": (white_and_gold[0] * rules.pips).sum(-1)[:, None],
        "weasel_used": games.weasel_used[:, None],
    }
    if "specialists" in layout.slices:
        parts["specialists"] = batch.place[..., None] == xp.arange(rules.tiles + rules.seats)
    if "gold" in layout.slices:
        golden = games.kept[:, 1] > 0
        known = xp.stack((~games.joined, games.joined & ~golden.any(-1)), -1)
        parts["gold"], parts["gold_rolled"] = xp.concatenate((known, golden), -1), games.rolled[:, 1]
    rows = xp.empty((len(games), layout.size), getattr(xp, layout.integers.name))
    for part in layout.parts:
        shown = parts[part.name]
        rows[:, layout.slices[part.name]] = shown.reshape(len(shown), -1) if shown.ndim > 2 else shown
    return rows
