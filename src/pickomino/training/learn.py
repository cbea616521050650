"""Fitted value iteration by self-play: play a turn exactly for the current estimate, learn what it was worth."""

from __future__ import annotations

import copy
import json
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pickomino.training.backup import TurnGraph
from pickomino.training.batch import Table
from pickomino.training.contests import Worms, contest, deeper, win, worms
from pickomino.training.families import FAMILIES, family_rules, scattered, start
from pickomino.training.features import WinNet, encode
from pickomino.training.turn import prepare

__all__ = ["Learner", "Settings"]


@dataclass(frozen=True)
class Settings:
    """Everything that makes one set of weights."""

    family: str = "classic"
    seats: int = 2
    seed: int = 1
    minutes: float = 4.0
    cycles: int = (
        2  # the rate falls to its end this often; each cycle starts at half the rate of the one before
    )
    batch: int = 8192
    width: int = 256
    depth: int = 3
    rate: float = 1e-3
    last_rate: float = 1e-5
    first_half_life: float = 4.0  # steps after which half of the target net is new, at the beginning
    last_half_life: float = 200.0  # and from the end of the first cycle on
    scattered: float = 0.3  # share of games that start from a scattered position
    explore: float = 0.03  # share of turns that end at random


_WARM_UP = 10  # plain steps before a step is recorded for replay


class Learner:
    """One net in the making; `run` trains it for the time that is left."""

    def __init__(self, settings: Settings, folder: Path, device: torch.device) -> None:
        self.settings = settings
        self.folder = folder
        self.rules = family_rules(settings.family, settings.seats, device)
        self.graph = TurnGraph.build(self.rules.edition, device)
        torch.manual_seed(settings.seed)
        self.table = self._fresh(settings.batch)
        features = encode(self.table, self.rules).shape[1]
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
        self.halfway: dict[str, object] = {}  # figures at the end of every cycle but the last
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def name(self) -> str:
        return f"{self.settings.family}-{self.settings.seats}"

    @property
    def progress(self) -> float:
        return min(1.0, self.spent / (60 * self.settings.minutes))

    @property
    def cycle(self) -> int:
        return min(int(self.progress * self.settings.cycles), self.settings.cycles - 1)

    def run(self, log_every: int = 250, save_every: float = 60.0, games: int = 0) -> None:
        """Train until the time is spent and write the weights on the way. `games`: of contests between cycles."""
        began, before, saved = time.monotonic(), self.spent, time.monotonic()
        while self.progress < 1:
            cycle = self.cycle
            residual = self.step()
            if self.steps % log_every == 0:
                self.log(residual=residual.item())  # waits for the device, so that time is counted right
            self.spent = before + time.monotonic() - began
            if time.monotonic() - saved > save_every:
                self.save()
                self.export()
                saved = time.monotonic()
            if self.cycle > cycle:
                paused = time.monotonic()
                self.halfway[f"steps {self.steps}"] = self.measure(games)
                began += time.monotonic() - paused
        self.save()
        self.export()

    def step(self) -> Tensor:
        """One turn of every game: learn its value, then move on. Returns the mean Bellman residual."""
        settings = self.settings
        inner = self.progress * settings.cycles - self.cycle  # 0 to 1 within the cycle
        wave = 0.5 * (1 + math.cos(math.pi * inner))
        peak = settings.rate * 0.5**self.cycle
        self._rate.fill_(settings.last_rate + (peak - settings.last_rate) * wave)
        growth = settings.last_half_life / settings.first_half_life
        aged = inner if self.cycle == 0 else 1.0
        self._renewal.fill_(1 - 0.5 ** (1 / (settings.first_half_life * growth**aged)))
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
        rules = self.rules
        with torch.no_grad():
            ends, possible = self.table.endings(rules)
            values = win(self.target, rules)(self.table, ends)
            turn = prepare(self.graph, rules, self.table, values[..., :-1])  # the last seat's share follows
            known = turn.start_value
            goal = torch.cat((known, 1 - known.sum(1, keepdim=True)), 1)
            ending = self._explored(turn.play(), possible)
        logits = self.net(encode(self.table, rules))
        loss = cross_entropy(logits, goal)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            residual = (logits.softmax(-1)[:, 0] - goal[:, 0]).abs().mean()
            for slow, quick in zip(self.target.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(quick, self._renewal)
            self._advance(ends.pick(ending))
        return residual

    def _explored(self, ending: Tensor, possible: Tensor) -> Tensor:
        chance = torch.rand(len(ending), device=ending.device)
        liking = torch.rand(possible.shape, device=ending.device) * possible
        return torch.where(chance < self.settings.explore, liking.argmax(1), ending)

    def _advance(self, table: Table) -> None:
        table = table.where(~table.over, self._fresh(len(table)))
        kinds = table.kinds
        if kinds is not None:
            table = table[
                kinds.argsort()
            ]  # turns of a kind side by side: the solver skips what a block does not need
        self.table.copy_(table)

    def _fresh(self, batch: int) -> Table:
        pick = torch.rand(batch, device=self.rules.device) < self.settings.scattered
        return scattered(self.rules, batch).where(pick, start(self.rules, batch))

    @torch.no_grad()
    def residual(self, edition: str, steps: int = 40) -> float:
        """Mean |estimate − value backed up by one exact turn| over self-play positions, without exploring."""
        rules = family_rules(self.settings.family, self.settings.seats, self.rules.device, edition)
        table = start(rules, min(4096, self.settings.batch))
        generator = torch.Generator(rules.device).manual_seed(99)
        total, count = 0.0, 0
        for _ in range(steps):
            ends, _ = table.endings(rules)
            turn = prepare(self.graph, rules, table, win(self.net, rules)(table, ends)[..., :1])
            guess = self.net(encode(table, rules)).softmax(-1)[:, 0]
            total += (guess - turn.start_value[:, 0]).abs().sum().item()
            count += len(guess)
            after = ends.pick(turn.play(generator))
            table = after.where(~after.over, start(rules, len(after)))
        return total / count

    def measure(self, games: int = 50_000, deep_games: int = 0) -> dict[str, object]:
        """Residual and, with games, strength of the net as it is now, in the editions of the family."""
        settings, graph = self.settings, self.graph
        figures: dict[str, object] = {}
        for key in FAMILIES[settings.family]:
            rules = family_rules(settings.family, settings.seats, self.rules.device, key)
            me = win(self.net, rules)
            found: dict[str, object] = {"bellman_residual": self.residual(key)}
            for loss, steal in ((1, 1), (1, 0)) if games else ():
                other = worms(rules, Worms(loss, steal))
                found[f"ev:loss={loss},steal={steal}"] = asdict(
                    contest(graph, rules, me, other, games, seed=settings.seed)
                )
            if deep_games:
                deep = contest(
                    graph, rules, deeper(self.net, rules, graph), me, deep_games, seed=8, at_once=2500
                )
                found["one turn deeper"] = asdict(deep)
            figures[key] = found
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
                "halfway": self.halfway,
                "table": self.table.columns(),
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
        self.steps, self.spent, self.halfway = state["steps"], state["spent"], state["halfway"]
        for mine, its in zip(self.table.columns(), state["table"], strict=True):
            mine.copy_(its)
        return True

    def export(self, **figures: object) -> None:
        """The weights in half precision, and a card that says where they come from."""
        np.savez(self.folder / f"{self.name}.npz", **self.net.arrays())
        card = {
            "weights": f"{self.name}.npz",
            "learned from": "self-play with the exact turn solver, fitted value iteration",
            "settings": asdict(self.settings),
            "steps": self.steps,
            "turns": self.steps * self.settings.batch,
            "figures": figures,
        }
        if self.halfway:
            card["figures on the way"] = self.halfway
        (self.folder / f"{self.name}.json").write_text(json.dumps(card, indent=2) + "\n")


def _generator_state(device: torch.device) -> Tensor:
    return torch.cuda.get_rng_state(device) if device.type == "cuda" else torch.get_rng_state()


def _set_generator_state(device: torch.device, state: Tensor) -> None:
    if device.type == "cuda":
        torch.cuda.set_rng_state(state, device)
    else:
        torch.set_rng_state(state)
