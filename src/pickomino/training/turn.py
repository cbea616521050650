"""One turn of every game: from the value of its endings to the best play, and to the ending that the dice bring."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pickomino.training.backup import GOLD_TURN, WEASEL_TURN, Solved, TurnGraph, solve
from pickomino.training.batch import Rules, Table, lanes

__all__ = ["Turn", "prepare"]


@dataclass
class Turn:
    """A solved turn: what it is worth, and how to play it. Only the first seats' values are carried along."""

    graph: TurnGraph
    stop: Tensor  # (slots, seats, batch): the value of stopping
    claim: Tensor  # (batch, slots): the ending that stopping brings
    solved: Solved
    kinds: Tensor | None

    @property
    def start_value(self) -> Tensor:
        """(batch, seats), seat 0 first: it is the one that plays the turn."""
        value, graph = self.solved.value, self.graph
        found = value[graph.start]
        if self.kinds is not None and self.solved.unused is not None:
            found = torch.where(self.kinds == WEASEL_TURN, self.solved.unused[graph.start], found)
            found = torch.where(self._joins_gold, value[graph.gold_start], found)
        return found.T

    @property
    def _joins_gold(self) -> Tensor:
        """D8.1: the golden die comes along where it is held and helps."""
        value, graph = self.solved.value, self.graph
        return (self.kinds == GOLD_TURN) & (value[graph.gold_start, 0] > value[graph.start, 0])

    def play(self, generator: torch.Generator | None = None) -> Tensor:
        """Roll the dice and follow the best play to its ending: (batch,)."""
        graph, stopped = self.graph, self.stop[:, 0]
        lane = lanes(self.claim)
        state = torch.full_like(lane, graph.start)
        fresh = torch.zeros_like(lane, dtype=torch.bool)  # the weasel is there and not used
        if self.kinds is not None:
            state = state.masked_fill(self._joins_gold, graph.gold_start)
            fresh = self.kinds == WEASEL_TURN
        ending = torch.full_like(lane, -1)
        for _ in range(graph.face_open.shape[1]):
            best, child = self._keep(state, self._rolled(state, generator), fresh)
            dead = best == -torch.inf  # R2.3
            bust_slot = graph.dead_slot[state].long()
            if self.solved.roll is not None:
                again = fresh & (
                    self.solved.roll[state, 0, lane] > torch.where(dead, stopped[bust_slot, lane], best)
                )
                fresh = fresh & ~again
                second, other = self._keep(state, self._rolled(state, generator), fresh)
                dead = torch.where(again, second == -torch.inf, dead)
                child = torch.where(again, other, child)
            open_turn = ending < 0
            bust = self.claim.gather(1, bust_slot[:, None])[:, 0]
            ending = torch.where(open_turn & dead, bust, ending)
            state = child
            slot = graph.slot[state].long()
            stops = self._mine(state, fresh) <= stopped[slot, lane]
            brings = self.claim.gather(1, slot[:, None])[:, 0]
            ending = torch.where(open_turn & ~dead & stops, brings, ending)
        return ending

    def _mine(self, state: Tensor, fresh: Tensor) -> Tensor:
        """What states (batch,) or (batch, options) are worth to seat 0."""
        lane = lanes(state)
        if state.dim() == 2:
            lane, fresh = lane[:, None], fresh[:, None]
        value = self.solved.value[state, 0, lane]
        if self.solved.unused is None:
            return value
        return torch.where(fresh, self.solved.unused[state, 0, lane], value)

    def _keep(self, state: Tensor, count: tuple[Tensor, Tensor], fresh: Tensor) -> tuple[Tensor, Tensor]:
        """The best keep of a roll: its value, -inf for none, and the state after it."""
        graph, (white, gold) = self.graph, count
        open_ = graph.face_open[state] & (white + gold > 0)
        faces = torch.arange(white.shape[1], device=white.device)
        child = graph.child_of[state[:, None], faces, white, gold].clamp(min=0)
        worth = self._mine(child, fresh).masked_fill(~open_, -torch.inf)
        best, face = worth.max(1)
        return best, child.gather(1, face[:, None])[:, 0]

    def _rolled(self, state: Tensor, generator: torch.Generator | None) -> tuple[Tensor, Tensor]:
        """How many white and golden dice show every face: (batch, faces) each."""
        graph, device = self.graph, state.device
        faces, dice = graph.face_open.shape[1], graph.child_of.shape[2] - 1
        number, face = torch.arange(dice, device=device), torch.arange(faces, device=device)
        sides = torch.randint(faces, (len(state), dice), generator=generator, device=device)
        sides = sides.masked_fill(number >= graph.dice_left[state][:, None], faces)
        white = (sides[:, :, None] == face).sum(1)
        side = torch.randint(len(graph.gold_faces), (len(state),), generator=generator, device=device)
        shown = graph.gold_faces[side][:, None] == face
        return white, (shown & (graph.gold_left[state] > 0)[:, None]).long()


def prepare(graph: TurnGraph, rules: Rules, table: Table, values: Tensor) -> Turn:
    """Solve the turn of every game for the value of each ending to some seats, seat 0 first.

    values: (batch, endings, seats).
    """
    claim = table.claims(rules, graph.max_total, values[..., 0])
    seats = values.shape[-1]
    stop = values.gather(1, claim[..., None].expand(*claim.shape, seats)).permute(1, 2, 0).contiguous()
    return Turn(graph, stop, claim, solve(graph, stop, table.kinds), table.kinds)
