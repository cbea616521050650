"""Fitted value iteration by self-play: play a turn exactly for the current estimate, learn what it was worth."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pickomino.rules.edition import find_edition
from pickomino.training.backup import TurnGraph
from pickomino.training.contest import contest, deeper, win, worms
from pickomino.training.features import WinNet, encode, feature_count
from pickomino.training.table import Rules, Table
from pickomino.training.turn import prepare

__all__ = ["Learner", "Settings"]


@dataclass(frozen=True)
class Settings:
    """Everything that makes one set of weights."""

    edition: str = "classic"
    seats: int = 2
    seed: int = 1
    minutes: float = 4.0
    batch: int = 16384
    width: int = 256
    depth: int = 3
    rate: float = 1e-3
    last_rate: float = 1e-5
    first_half_life: float = 4.0  # steps after which half of the target net is new, at the beginning
    last_half_life: float = 200.0  # and at the end
    scattered: float = 0.3  # share of games that start from a scattered position
    explore: float = 0.03  # share of turns that end at random


_WARM_UP = 10  # plain steps before a step is recorded for replay


class Learner:
    """One net in the making; `run` trains it for the time that is left."""

    def __init__(self, settings: Settings, folder: Path, device: torch.device) -> None:
        self.settings = settings
        self.folder = folder
        self.rules = Rules(find_edition(settings.edition), settings.seats, device)
        self.graph = TurnGraph.build(self.rules.edition, device)
        torch.manual_seed(settings.seed)
        features = feature_count(self.rules.tiles, settings.seats)
        self.net = WinNet(features, settings.seats, settings.width, settings.depth).to(device)
        self.target = copy.deepcopy(self.net)
        self._rate = torch.tensor(settings.rate, device=device)
        self._renewal = torch.tensor(0.0, device=device)  # share of the target net that a step makes new
        on_gpu = device.type == "cuda"
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=self._rate, capturable=on_gpu, fused=on_gpu or None, foreach=False
        )
        self.recorded = on_gpu  # replay a recorded step instead of launching its parts
        self._plain_steps = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._residual = torch.zeros((), device=device)
        self.steps = 0
        self.spent = 0.0  # seconds
        self.table = self._fresh(settings.batch)
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def name(self) -> str:
        return f"{self.settings.edition}-{self.settings.seats}"

    @property
    def progress(self) -> float:
        return min(1.0, self.spent / (60 * self.settings.minutes))

    def run(self, log_every: int = 250, save_every: float = 60.0) -> None:
        """Train until the time is spent, then write weights and card."""
        began, before, saved = time.monotonic(), self.spent, time.monotonic()
        while self.progress < 1:
            residual = self.step()
            self.spent = before + time.monotonic() - began
            if self.steps % log_every == 0:
                self.log(residual=residual.item())
            if time.monotonic() - saved > save_every:
                self.save()
                saved = time.monotonic()
        self.save()
        self.export()

    def step(self) -> Tensor:
        """One turn of every game: learn its value, then move on. Returns the mean Bellman residual."""
        settings = self.settings
        wave = 0.5 * (1 + math.cos(math.pi * self.progress))
        self._rate.fill_(settings.last_rate + (settings.rate - settings.last_rate) * wave)
        growth = settings.last_half_life / settings.first_half_life
        self._renewal.fill_(1 - 0.5 ** (1 / (settings.first_half_life * growth**self.progress)))
        if self._graph is not None:
            self._graph.replay()
        else:
            self._residual = self._turn()
            self._plain_steps += 1
            if self._plain_steps == _WARM_UP and self.recorded:
                self._capture()
        self.steps += 1
        return self._residual

    def _capture(self) -> None:
        """Record a step once and replay it from then on: hundreds of small launches become one."""
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._turn()
        torch.cuda.synchronize()
        self.optimizer.zero_grad(set_to_none=True)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._residual = self._turn()

    def _turn(self) -> Tensor:
        with torch.no_grad():
            ends, possible = self.table.endings(self.rules)
            values = win(self.target, self.rules)(self.table, ends, possible)
            turn = prepare(self.graph, self.rules, self.table, possible, values)
            goal = turn.start_value
            ending = self._explored(turn.play(), possible)
        logits = self.net(encode(self.table, self.rules))
        loss = cross_entropy(logits, goal)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            residual = (logits.softmax(-1)[:, 0] - goal[:, 0]).abs().mean()
            for slow, quick in zip(self.target.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(quick, self._renewal)
            self._advance(ends, ending)
        return residual

    def _explored(self, ending: Tensor, possible: Tensor) -> Tensor:
        chance = torch.rand(len(ending), device=ending.device)
        liking = torch.rand(possible.shape, device=ending.device) * possible
        return torch.where(chance < self.settings.explore, liking.argmax(1), ending)

    def _advance(self, ends: Table, ending: Tensor) -> None:
        lane = torch.arange(len(ending), device=ending.device)
        table = Table(ends.grill[lane, ending], ends.heights[lane, ending])
        over = table.over
        fresh = self._fresh(len(ending))
        self.table.grill.copy_(torch.where(over[:, None], fresh.grill, table.grill))
        self.table.heights.copy_(torch.where(over[:, None, None], fresh.heights, table.heights))

    def _fresh(self, batch: int) -> Table:
        start = Table.start(self.rules, batch)
        scattered = Table.scattered(self.rules, batch)
        pick = torch.rand(batch, device=start.grill.device) < self.settings.scattered
        return Table(
            torch.where(pick[:, None], scattered.grill, start.grill),
            torch.where(pick[:, None, None], scattered.heights, start.heights),
        )

    @torch.no_grad()
    def residual(self, steps: int = 64) -> float:
        """Mean |estimate − value backed up by one exact turn| over self-play positions, without exploring."""
        table = Table.start(self.rules, 8192)
        generator = torch.Generator(self.rules.device).manual_seed(99)
        total, count = 0.0, 0
        for _ in range(steps):
            ends, possible = table.endings(self.rules)
            turn = prepare(
                self.graph, self.rules, table, possible, win(self.net, self.rules)(table, ends, possible)
            )
            guess = self.net(encode(table, self.rules)).softmax(-1)
            going = ~table.over
            total += (guess[:, 0] - turn.start_value[:, 0]).abs()[going].sum().item()
            count += int(going.sum())
            ending = turn.play(generator)
            lane = torch.arange(len(ending), device=ending.device)
            after = Table(ends.grill[lane, ending], ends.heights[lane, ending])
            over = after.over
            start = Table.start(self.rules, len(ending))
            table = Table(
                torch.where(over[:, None], start.grill, after.grill),
                torch.where(over[:, None, None], start.heights, after.heights),
            )
        return total / count

    def measure(self, games: int = 50_000, deep_games: int = 0) -> dict[str, object]:
        """Residual and strength of the net as it is now."""
        rules, graph = self.rules, self.graph
        me = win(self.net, rules)
        figures: dict[str, object] = {"bellman_residual": self.residual()}
        for loss, steal in ((1, 1), (1, 0), (0, 0)):
            result = contest(graph, rules, me, worms(rules, loss, steal), games, seed=7)
            figures[f"ev:loss={loss},steal={steal}"] = asdict(result)
        if deep_games:
            deep = contest(graph, rules, deeper(self.net, rules, graph), me, deep_games, seed=8)
            figures["one turn deeper"] = asdict(deep)
        return figures

    def log(self, **figures: object) -> None:
        line = {"steps": self.steps, "minutes": round(self.spent / 60, 3), **figures}
        with (self.folder / f"{self.name}.curve.jsonl").open("a") as curve:
            curve.write(json.dumps(line) + "\n")

    def save(self) -> None:
        """A checkpoint that `resume` takes up, written whole or not at all."""
        path = self.folder / f"{self.name}.checkpoint.pt"
        partial = path.with_suffix(".partial")
        torch.save(
            {
                "settings": asdict(self.settings),
                "net": self.net.state_dict(),
                "target": self.target.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "generator": _generator_state(self.rules.device),
                "steps": self.steps,
                "spent": self.spent,
                "grill": self.table.grill,
                "heights": self.table.heights,
            },
            partial,
        )
        partial.replace(path)

    def resume(self) -> bool:
        """Take up the checkpoint of this name, if there is one."""
        path = self.folder / f"{self.name}.checkpoint.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location=self.rules.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.target.load_state_dict(state["target"])
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate
        _set_generator_state(self.rules.device, state["generator"].cpu())
        self.steps, self.spent = state["steps"], state["spent"]
        self.table = Table(state["grill"], state["heights"])
        return True

    def export(self, **figures: object) -> None:
        """The weights in half precision, and a card that says where they come from."""
        arrays = {name: value.half().cpu().numpy() for name, value in self._layers()}
        np.savez(self.folder / f"{self.name}.npz", **arrays)
        card = {
            "weights": f"{self.name}.npz",
            "learned from": "self-play with the exact turn solver, fitted value iteration",
            "settings": asdict(self.settings),
            "steps": self.steps,
            "turns": self.steps * self.settings.batch,
            "figures": figures,
        }
        (self.folder / f"{self.name}.json").write_text(json.dumps(card, indent=2) + "\n")

    def _layers(self) -> Iterator[tuple[str, Tensor]]:
        layers = [self.net.first, *self.net.middle, self.net.last]
        for index, layer in enumerate(layers):
            yield f"weight{index}", layer.weight.detach().T
            yield f"bias{index}", layer.bias.detach()


def _generator_state(device: torch.device) -> Tensor:
    return torch.cuda.get_rng_state(device) if device.type == "cuda" else torch.get_rng_state()


def _set_generator_state(device: torch.device, state: Tensor) -> None:
    if device.type == "cuda":
        torch.cuda.set_rng_state(state, device)
    else:
        torch.set_rng_state(state)
