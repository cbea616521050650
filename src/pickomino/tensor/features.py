"""What a net sees of a game between two turns."""

from __future__ import annotations

from typing import Final

from pickomino.tensor.arrays import Array, Arrays
from pickomino.tensor.batch import Batch

_ROUND: Final = 16  # rows are filled with zeros to a multiple of this, which GPUs like
_DEPTHS: Final = (1, 2, 3)  # top, second, third


def encode(batch: Batch, *, switches: bool = False) -> Array:
    """(batch, features) in single precision; `switches`: for nets that were learned with any of them.

    First what is or is not: the grill, what else belongs to nobody, then for every seat its tiles, those on top, second
    and third, its specialist. Then numbers in the same order: the worms on the grill and left in the supply, for every
    seat one over the depth of each tile, worms, lead, share of the win, highest tile, number of tiles, round worms.
    """
    rules, xp = batch.rules, batch.rules.xp
    size, tiles = len(batch), rules.tiles
    owned, scores, highest, shares = batch.tally()
    depth = xp.amax(batch.heights, -1, keepdims=True) + 1 - batch.heights  # 1 on top
    marks = [batch.grill]
    numbers = [(xp.astype(batch.grill, xp.float32) @ rules.worms)[:, None] / 10]
    seat_marks = [owned, *(owned & (depth == place) for place in _DEPTHS)]
    seat_numbers = [scores / 10, _lead(xp, scores) / 10, shares, highest / tiles, owned.sum(-1) / 8]
    if rules.specialists:
        supply = rules.edition.round_worms - batch.round_worms.sum(-1, keepdims=True)
        on_tile = batch.place[..., None] == rules.numbers - 1
        marks += [on_tile.reshape(size, -1), batch.place < 0, supply == 0]
        numbers.append(supply / 7)
        seat_marks.append(batch.place[:, None] == tiles + rules.seat[:, None])
        seat_numbers.append(batch.round_worms / 7)
    if switches:
        marks.append(batch.switches)
    widths = [sum(part.shape[-1] for part in marks), sum(part.shape[-1] for part in seat_marks)]
    widths = [widths[0], rules.seats * widths[1], len(numbers), rules.seats * (tiles + len(seat_numbers))]
    width = sum(widths)
    features = xp.empty((size, width + -width % _ROUND), xp.float32)
    features[:, width:] = 0
    parts = [features[:, sum(widths[:index]) : sum(widths[: index + 1])] for index in range(len(widths))]
    _write(parts[0], marks)
    _write(parts[1].reshape(size, rules.seats, -1), seat_marks)
    _write(parts[2], numbers)
    by_seat = parts[3].reshape(size, rules.seats, -1)
    by_seat[..., :tiles] = owned / depth
    for index, number in enumerate(seat_numbers, tiles):
        by_seat[..., index] = number
    return features


def _write(row: Array, parts: list[Array]) -> None:
    at = 0
    for part in parts:
        row[..., at : at + part.shape[-1]] = part
        at += part.shape[-1]


def _lead(xp: Arrays, scores: Array) -> Array:
    """Each seat's score less the best of the others'."""
    best = xp.amax(scores, -1, keepdims=True)
    leads = scores == best
    second = xp.amax(xp.fill(scores, leads, -1), -1, keepdims=True)
    return scores - xp.where(leads & (leads.sum(-1, keepdims=True) == 1), second, best)
