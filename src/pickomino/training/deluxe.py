"""Thousands of deluxe games between two turns, as tensors: their endings, and the table after each.

As `pickomino.training.table`, with specialists and round worms. A turn's endings are numbered, for every tile t,
every other seat o and every specialist s that can be owned:

    take t | take the tile of s and put s back | steal from o | steal from o and put what came along back | bust

all of them twice: without and with the round worm that two 1s earn on the way (D8.4). Where an empty supply leaves a
choice of givers (D11.1) the leader among them gives; at the table all of them are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from pickomino.rules.edition import SPECIALISTS
from pickomino.rules.specialists import APPLE_WORMS
from pickomino.training.backup import GOLD_TURN, WEASEL_TURN
from pickomino.training.batch import Columns, Rules, final_shares, tile_worms
from pickomino.training.table import scattered_stacks

__all__ = ["DeluxeTable", "deluxe_endings"]

APPLE, CAN, CROW, GOLD, HEN, WEASEL = (
    SPECIALISTS.index(name) for name in ("apple", "can", "crow", "gold", "hen", "weasel")
)
OWNABLE: Final = (APPLE, CAN, GOLD, HEN, WEASEL)  # D10.2: never the crow
OUT: Final = -1


def deluxe_endings(rules: Rules) -> int:
    """Endings without the round worm on the way."""
    return rules.tiles + len(OWNABLE) + 2 * (rules.seats - 1) + 1


@dataclass
class DeluxeTable(Columns):
    """A batch of positions at the start of a turn."""

    grill: Tensor
    heights: Tensor
    place: Tensor  # (batch, 6) int8: of each specialist its tile, the number of tiles + its seat, or OUT
    round_worms: Tensor  # (batch, seats) int8

    @property
    def over(self) -> Tensor:
        return ~self.grill.any(-1)

    @property
    def kinds(self) -> Tensor:
        me = self.grill.shape[-1]
        gold, weasel = self.place[..., GOLD] == me, self.place[..., WEASEL] == me
        return gold.to(torch.int8) * GOLD_TURN + weasel.to(torch.int8) * WEASEL_TURN

    def scores(self, rules: Rules) -> Tensor:
        return _scores(rules, self.heights, self.place, self.round_worms)

    def shares(self, rules: Rules) -> Tensor:
        return final_shares(rules, self.scores(rules), self.heights)

    def endings(self, rules: Rules) -> tuple[DeluxeTable, Tensor]:
        got = _received(rules, self.heights, self.place, self.round_worms)
        without, possible = self._endings(rules, self.round_worms)
        with_worm, _ = self._endings(rules, got)
        pairs = zip(without.columns(), with_worm.columns(), strict=True)
        return DeluxeTable(*(torch.cat(pair, 1) for pair in pairs)), possible.repeat(1, 2)

    def _endings(self, rules: Rules, round_worms: Tensor) -> tuple[DeluxeTable, Tensor]:
        batch, seats, tiles = len(self.grill), rules.seats, rules.tiles
        count = deluxe_endings(rules)
        grill = self.grill[:, None].expand(batch, count, tiles).clone()
        heights = self.heights[:, None].expand(batch, count, seats, tiles).clone()
        place = self.place[:, None].expand(batch, count, -1).clone()
        worms = round_worms[:, None].expand(batch, count, seats).clone()
        back = torch.full((batch, count), OUT, dtype=torch.int8, device=rules.device)  # put back (D13.1)
        ends = _Endings(rules, self, grill, heights, place, worms, back)
        ends.takes()
        ends.steals()
        ends.bust()
        ends.put_back()
        ends.flip()
        moved = torch.where(place >= tiles, tiles + (place - tiles - 1) % seats, place)
        return DeluxeTable(grill, heights.roll(-1, dims=2), moved, worms.roll(-1, dims=2)), ends.possible()

    def claims(self, rules: Rules, max_total: int, mine: Tensor) -> Tensor:
        """Section 9, with the best of the two specialists kept where there is a choice (D10.4)."""
        count, totals = deluxe_endings(rules), max_total + 1
        has_can = self.place[:, CAN, None] == rules.tiles
        parts = []
        for first in (0, count):
            bust = torch.full((len(mine), totals), count - 1, device=rules.device)
            claim = self._claims(rules, totals, mine[:, first : first + count])
            more = claim[:, 5:]
            with_can = torch.cat((more, claim[:, -1:].expand(-1, 5)), 1)  # D9.1: 5 more, and a worm
            parts += [torch.where(has_can, with_can, bust) + first, claim + first]
        return torch.cat(parts, 1)

    def _claims(self, rules: Rules, totals: int, mine: Tensor) -> Tensor:
        tiles, value, bust = rules.tiles, rules.values, deluxe_endings(rules) - 1
        exact_only = _exact_only(rules)
        total = torch.arange(totals, device=rules.device)
        lower = (self.grill & ~exact_only)[:, None] & (value < total[:, None])  # (batch, totals, tiles)
        number = (lower * rules.numbers).amax(-1).long()  # 0: none
        take = self._best_takes(rules, mine)
        claim = take.gather(1, (number - 1).clamp(min=0)).masked_fill(number == 0, bust)  # D9.4, D9.5
        top, may = self._stealable(rules)
        first = tiles + len(OWNABLE)
        holds = (self.place == tiles).any(-1)
        for seat in range(1, rules.seats):  # D9.3
            plain = first + seat - 1
            other = plain + rules.seats - 1
            brings = (self.place == tiles + seat).any(-1)
            better = holds & brings & (mine[:, other] > mine[:, plain])
            steal = torch.full_like(top[:, seat], plain).masked_fill(better, other)[:, None]
            there = (value[top[:, seat]][:, None] == total) & may[:, seat, None]
            claim = torch.where(there, steal, claim)
        exact = value == total[:, None]  # (totals, tiles)
        tile = exact.float().argmax(-1)
        on_grill = (self.grill[:, None] & exact).any(-1)
        return torch.where(on_grill, take[:, tile], claim)  # D9.2

    def _best_takes(self, rules: Rules, mine: Tensor) -> Tensor:
        """The ending of taking each tile: with the choice of who goes back made (batch, tiles)."""
        tiles = rules.tiles
        take = torch.arange(tiles, device=rules.device).expand(len(mine), tiles).clone()
        holds = (self.place == tiles).any(-1, keepdim=True)
        for index, who in enumerate(OWNABLE):
            tile = self.place[:, who, None].long()
            stands = (tile >= 0) & (tile < tiles)
            tile = tile.clamp(0, tiles - 1)
            other = torch.full_like(tile, tiles + index)
            better = holds & stands & (mine.gather(1, other) > mine.gather(1, tile))
            take.scatter_(1, tile, torch.where(better, other, take.gather(1, tile)))
        return take

    def _stealable(self, rules: Rules) -> tuple[Tensor, Tensor]:
        """The tile on top of every stack, and whether it could be stolen (D9.3)."""
        height, top = self.heights.max(-1)
        return top, (height > 0) & ~_exact_only(rules)[top]

    @staticmethod
    def start(rules: Rules, batch: int) -> DeluxeTable:
        device, tiles = rules.device, rules.tiles
        grill = torch.ones(batch, tiles, dtype=torch.bool, device=device)
        heights = torch.zeros(batch, rules.seats, tiles, dtype=torch.int8, device=device)
        place = _homes(rules).expand(batch, -1).clone()
        if rules.mixed:
            place = _without_apple(place)
        worms = torch.zeros(batch, rules.seats, dtype=torch.int8, device=device)
        return DeluxeTable(grill, heights, place, worms)

    @staticmethod
    def scattered(rules: Rules, batch: int) -> DeluxeTable:
        """Positions nobody chose: any grill and stacks, any specialist anywhere, any round worms."""
        device, tiles, seats = rules.device, rules.tiles, rules.seats
        grill, heights = scattered_stacks(rules, batch)
        place = torch.full((batch, len(SPECIALISTS)), OUT, dtype=torch.int8, device=device)
        free = torch.ones(batch, seats, dtype=torch.bool, device=device)  # seats without a specialist
        some = torch.rand(batch, 1, device=device)  # how many of the specialists are in the game
        for who in range(len(SPECIALISTS)):
            chance = torch.rand(batch, 1, device=device)
            seat = torch.randint(seats, (batch, 1), device=device)
            held = (chance < 0.4) & free.gather(1, seat) & (who != CROW)
            free.scatter_(1, seat, free.gather(1, seat) & ~held)
            open_ = grill & ~_occupied(place, tiles)
            spot = (torch.rand(batch, tiles, device=device) * open_).argmax(1, keepdim=True)
            stands = open_.gather(1, spot) & ~held
            where = torch.where(held, tiles + seat, spot).masked_fill(~held & ~stands, OUT)
            in_game = torch.rand(batch, 1, device=device) < some + 0.3
            place[:, who] = where.masked_fill(~in_game, OUT)[:, 0]
        supply = rules.edition.round_worms
        owner = torch.randint(seats, (batch, supply), device=device)
        given = torch.rand(batch, supply, device=device) < torch.rand(batch, 1, device=device)
        owner = owner.masked_fill(~given, seats)
        worms = (owner[:, :, None] == torch.arange(seats, device=device)).sum(1, dtype=torch.int8)
        return DeluxeTable(grill, heights, place, worms)


@dataclass
class _Endings:
    """The tables after all endings of a turn in the making; written in place, seat 0 still first."""

    rules: Rules
    before: DeluxeTable
    grill: Tensor
    heights: Tensor
    place: Tensor
    worms: Tensor
    back: Tensor

    def __post_init__(self) -> None:
        tiles = self.rules.tiles
        mine = self.before.place == tiles
        self.own = _which(mine)  # the specialist of seat 0
        self.holds = self.own >= 0
        self.next_height = self.before.heights[:, 0].amax(-1) + 1
        self.top, self.may_steal = self.before._stealable(self.rules)
        height = self.before.heights[:, 0].amax(-1)
        self.has_hen = mine[:, HEN]
        self.returns = (height > 0) & ~self.has_hen

    def takes(self) -> None:
        """D10.1, D10.2, D10.4."""
        tiles, device = self.rules.tiles, self.rules.device
        part = slice(0, tiles)
        taken = torch.eye(tiles, dtype=torch.bool, device=device)
        self._to_stack(part, taken)
        came = self.before.place[:, None, :] == torch.arange(tiles, device=device)[:, None]
        crow = came[..., CROW].clone()
        came[..., CROW] = False
        self.place[:, part].masked_fill_(came, tiles)
        gains = came.any(-1)
        back = self.own[:, None].expand_as(gains).masked_fill(~gains, OUT)
        self.back[:, part] = back.masked_fill(crow, CROW)
        self.place[:, part, CROW] = self.place[:, part, CROW].masked_fill(crow, OUT)
        got = _received(
            self.rules, self.heights[:, part], self.place[:, part], self.worms[:, part].contiguous()
        )
        self.worms[:, part] = torch.where(crow[..., None], got, self.worms[:, part])
        # the other choice: who stood on the tile goes back at once
        part = slice(tiles, tiles + len(OWNABLE))
        tile = _ownable(self.before.place)
        self.stands = (tile >= 0) & (tile < tiles)
        self._to_stack(part, torch.arange(tiles, device=device) == tile[..., None])
        number = torch.arange(len(SPECIALISTS), device=device)
        self.back[:, part] = _ownable(number)
        self.place[:, part].masked_fill_(_ownable(number)[:, None] == number, OUT)

    def _to_stack(self, part: slice, taken: Tensor) -> None:
        """Tiles (endings, tiles) go from the grill to the stack of seat 0."""
        self.grill[:, part] &= ~taken
        mine = self.heights[:, part, 0]
        self.heights[:, part, 0] = torch.where(taken, self.next_height[:, None, None], mine)

    def steals(self) -> None:
        """D10.3, D10.4."""
        tiles, seats = self.rules.tiles, self.rules.seats
        first = tiles + len(OWNABLE)
        for seat in range(1, seats):
            theirs = self.before.place == tiles + seat
            brings = theirs.any(-1)
            tile = self.top[:, seat, None]
            moves = (self.may_steal[:, seat] & ~theirs[:, HEN])[:, None]
            for ending in (first + seat - 1, first + seats - 1 + seat - 1):
                heights = self.heights[:, ending]
                mine, old = heights[:, 0].gather(1, tile), heights[:, seat].gather(1, tile)
                heights[:, 0].scatter_(1, tile, torch.where(moves, self.next_height[:, None], mine))
                heights[:, seat].scatter_(1, tile, old.masked_fill(moves, 0))
                self.place[:, ending] = self.before.place.masked_fill(theirs, tiles)
            self.back[:, first + seat - 1] = self.own.masked_fill(~brings, OUT)
            self.back[:, first + seats - 1 + seat - 1] = _which(theirs)

    def bust(self) -> None:
        """D12: the top tile and the specialist go back; with the hen only she does, if there is a tile."""
        tile, returns = self.top[:, :1], self.returns[:, None]
        mine = self.heights[:, -1, 0]
        mine.scatter_(1, tile, mine.gather(1, tile).masked_fill(returns, 0))
        grill = self.grill[:, -1]
        grill.scatter_(1, tile, grill.gather(1, tile) | returns)
        hen_stays = self.has_hen & (self.next_height == 1)
        self.back[:, -1] = self.own.masked_fill(hen_stays, OUT)

    def put_back(self) -> None:
        """D13.1: to the smallest free tile, or out of the game."""
        self._place(self.grill, self.place, self.back)

    def _place(self, grill: Tensor, place: Tensor, back: Tensor) -> None:
        who = back.clamp(min=0)[..., None].long()
        goes = (back >= 0)[..., None]
        here = place.gather(-1, who)
        place.scatter_(-1, who, here.masked_fill(goes, OUT))
        tiles = self.rules.tiles
        free = grill & ~_occupied(place, tiles)
        spot = tiles - (free * self.rules.numbers.flip(0)).amax(
            -1, keepdim=True
        )  # the number of tiles for none
        spot = spot.masked_fill(spot == tiles, OUT)
        place.scatter_(-1, who, torch.where(goes, spot, here))

    def flip(self) -> None:
        """D12.2: the highest tile, unless it is the one that was returned."""
        grill, place = self.grill[:, -1], self.place[:, -1]
        highest = (grill * self.rules.numbers).amax(1, keepdim=True).long() - 1
        flips = self.returns[:, None] & (highest != self.top[:, :1])
        highest = highest.clamp(min=0)
        grill.scatter_(1, highest, grill.gather(1, highest) & ~flips)
        on_it = (place == highest) & flips
        self._place(grill, place, _which(on_it))

    def possible(self) -> Tensor:
        steals = self.may_steal[:, 1:]
        brings = torch.stack(
            [(self.before.place == self.rules.tiles + seat).any(-1) for seat in range(1, self.rules.seats)], 1
        )
        holds = self.holds[:, None]
        parts = (self.before.grill, self.stands & holds, steals, steals & brings & holds)
        return torch.cat((*parts, torch.ones_like(holds)), 1)


def _which(marked: Tensor) -> Tensor:
    """The marked specialist, OUT for none."""
    return marked.float().argmax(-1).to(torch.int8).masked_fill(~marked.any(-1), OUT)


def _ownable(columns: Tensor) -> Tensor:
    """Without the crow, which nobody owns (D10.2)."""
    return torch.cat((columns[..., :CROW], columns[..., CROW + 1 :]), -1)


def _occupied(place: Tensor, tiles: int) -> Tensor:
    """Tiles with a specialist on them: (…, tiles)."""
    number = torch.arange(tiles, device=place.device)
    found = place[..., 0, None] == number
    for who in range(1, place.shape[-1]):
        found = found | (place[..., who, None] == number)
    return found


def _scores(rules: Rules, heights: Tensor, place: Tensor, round_worms: Tensor) -> Tensor:
    seat = rules.tiles + torch.arange(rules.seats, device=rules.device)
    apple = (place[..., APPLE, None] == seat) * APPLE_WORMS
    return tile_worms(rules, heights) + round_worms + apple


def _received(rules: Rules, heights: Tensor, place: Tensor, round_worms: Tensor) -> Tensor:
    """D11.1: the round worms after seat 0 got one from the supply, from the leading giver, or from nobody."""
    seat = torch.arange(rules.seats, device=rules.device)
    supply = rules.edition.round_worms - round_worms.sum(-1, dtype=torch.int8)
    hen = place[..., HEN, None] == rules.tiles + seat
    may = (round_worms > 0) & ~hen & (seat > 0) & (supply == 0)[..., None]
    leading = _scores(rules, heights, place, round_worms).masked_fill(~may, -1)
    best, giver = leading.max(-1, keepdim=True)
    gives = (seat == giver) & (best >= 0)
    gets = (seat == 0) & ((supply > 0)[..., None] | (best >= 0))
    return round_worms + gets.to(torch.int8) - gives.to(torch.int8)


_KNOWN: dict[tuple[str, str, torch.device], Tensor] = {}


def _known(rules: Rules, what: str, values: list[int] | list[bool], dtype: torch.dtype) -> Tensor:
    """Made once: a recorded step must not copy from the host."""
    key = (rules.edition.key, what, rules.device)
    if key not in _KNOWN:
        _KNOWN[key] = torch.tensor(values, dtype=dtype, device=rules.device)
    return _KNOWN[key]


def _exact_only(rules: Rules) -> Tensor:
    exact = [value in rules.edition.exact_only for value in rules.edition.values]
    return _known(rules, "exact", exact, torch.bool)


def _homes(rules: Rules) -> Tensor:
    home = dict(rules.edition.specialists)
    values = rules.edition.values
    places = [values.index(home[name]) if name in home else OUT for name in SPECIALISTS]
    return _known(rules, "homes", places, torch.int8)


def _without_apple(place: Tensor) -> Tensor:
    """Extrawurm is deluxe without the apple: in a mixed batch every third game starts so."""
    gone = torch.rand(len(place), device=place.device) < 1 / 3
    place[:, APPLE] = place[:, APPLE].masked_fill(gone, OUT)
    return place
