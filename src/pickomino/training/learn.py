"""Learning by self-play: play turns exactly for the current estimate, learn what they were worth.

A turn is worth what the solver backs up from the estimates of its endings, corrected by how far later turns were worth
more or less than their estimates said (`pickomino.training.window`).
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pickomino.files import replacing
from pickomino.rules import PickominoError
from pickomino.tensor import Batch, Rules, endings, scattered
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.tensor.torch_net import TorchNet, sight
from pickomino.training.backup import TurnGraph
from pickomino.training.contests import WormsValue, contest, deeper, win
from pickomino.training.families import FAMILIES, family_rules
from pickomino.training.turn import TurnPlay, giver_liking, prepare
from pickomino.training.window import Window


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that makes one set of weights."""

    family: str = "classic"
    seats: int = 2
    seed: int = 1
    minutes: float = 4.0
    # The rate falls to its end this often; each cycle starts at half the rate of the one before.
    cycles: int = 2
    batch: int = 8192
    width: int = 256
    depth: int = 3
    rate: float = 1e-3
    last_rate: float = 1e-5
    first_half_life: float = 4.0  # steps after which half of the target net is new, at the beginning
    last_half_life: float = 200.0  # and from the end of the first cycle on
    scattered: float = 0.3  # share of games that start from a scattered position
    explore: float = 0.03  # share of turns that end at random
    window: int = 48  # turns that are played before they are learned from
    lessons: int = 1  # steps of the net for every turn played: a turn is learned from this often
    focus: int = 0  # of these lessons, so many are drawn by how far the net is from one exact turn
    trace: float = 0.95  # how much of a correction reaches the turn before


_WARM_UP = 10  # plain steps before a step is recorded for replay


class Learner:
    """One net in the making; `run` trains it for the time that is left."""

    def __init__(self, settings: TrainingSettings, folder: Path, device: torch.device) -> None:
        self.settings = settings
        self.folder = folder
        self.xp = TorchArrays(device)
        self.rules = family_rules(settings.family, settings.seats, self.xp)
        self.graph = TurnGraph(self.rules.edition, self.xp)
        torch.manual_seed(settings.seed)
        self.batch = self._fresh(settings.batch)
        features = sight(settings.family, self.batch).shape[1]
        self.net = TorchNet(settings.family, features, settings.seats, settings.width, settings.depth).to(
            device
        )
        self.target = copy.deepcopy(self.net)
        self._rate = torch.tensor(settings.rate, device=device)
        self._renewal = torch.tensor(0.0, device=device)  # share of the target net that a step makes new
        on_gpu = self.xp.on_gpu
        self._random = torch.cuda if on_gpu else torch  # whose generator makes the random numbers
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=self._rate, capturable=on_gpu, fused=on_gpu or None, foreach=False
        )
        self.recorded = on_gpu  # replay a recorded step instead of launching its parts
        self._plain_steps = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._residual = torch.zeros((), device=device)
        self._played = Window.room(settings.window, self.batch)  # turns being played,
        self._lesson = Window.room(settings.window, self.batch)  # and those that are learned from meanwhile
        self._goal = torch.zeros_like(self._lesson.backed)
        self._sample = torch.zeros(
            settings.window, settings.lessons, settings.batch, dtype=torch.int64, device=device
        )
        self._at = torch.zeros(1, dtype=torch.int64, device=device)  # the turn of the window
        self._windows = 0
        self.steps = 0
        self.spent = 0.0  # seconds
        self.begun_from: dict[str, int] = {}  # what the weights had learned before
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

    def run(
        self,
        log_every: int = 250,
        save_every: float = 60.0,
        games: int = 0,
        told: Callable[[str], None] | None = None,
        tell_every: float = 5.0,
    ) -> None:
        """Train until the time is spent and write the weights on the way. `games`: of contests between cycles.

        A net that diverges ends it with an error. `told` hears how far it is, every few seconds.
        """
        settings = self.settings
        began, before, saved = time.monotonic(), self.spent, time.monotonic()
        shown = began
        while self.progress < 1:
            cycle = self.cycle
            residual = self.step()
            if self.steps % log_every == 0:
                found = residual.item()  # waits for the device, so that time is counted right
                if not math.isfinite(found):
                    raise PickominoError(
                        f"{self.name}: the net has diverged after {self.steps} steps; "
                        f"expected a rate below {settings.rate}"
                    )
                self.log(residual=found)
            self.spent = before + time.monotonic() - began
            if told is not None and time.monotonic() - shown > tell_every:
                shown = time.monotonic()
                told(
                    f"{self.name}: {100 * self.progress:.0f} %, {self.steps:,} steps, "
                    f"{self.steps * settings.batch:,} turns, residual {residual.item():.4f}"
                )
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
        self._at.fill_(self.steps % settings.window)
        if self._graph is not None:
            self._graph.replay()
        else:
            self._residual = self._turn()
            self._plain_steps += self._windows > 0
            if self._plain_steps == _WARM_UP and self.recorded:
                self._capture()
        self.steps += 1
        if self.steps % settings.window == 0:
            self._next_lesson()
        return self._residual

    def _capture(self) -> None:
        """Record a step once and replay it from then on: hundreds of small launches become one."""
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):  # the same turn of the window once more: it is written over
                self._turn()
        torch.cuda.synchronize()
        self.optimizer.zero_grad(set_to_none=True)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._residual = self._turn()

    def _turn(self) -> Tensor:
        self._play()
        return self._learn() if self._windows else self._residual

    @torch.no_grad()
    def _play(self) -> None:
        """One turn of every game, written down."""
        turn, values, ends, possible = self._prepared(self.target, self.batch)
        best = turn.play()
        ending = self._explored(best, possible)
        after, game = ends.pick(ending), self.xp.arange(len(ending))
        over = after.over
        after = after.where(~over, self._fresh(len(after)))
        kinds = after.kinds  # turns of a kind side by side: the solver skips what a block does not need
        order = game if kinds is None else kinds.argsort()
        cut = over | (ending != best)
        self._played.write(self._at, self.batch, turn.shares, values[game, ending], cut, order)
        self.batch.write(after[order])

    def _learn(self) -> Tensor:
        """Steps towards what turns of the window before were worth. Returns the mean Bellman residual."""
        for chosen in self._sample[self._at][0]:
            logits = self.net.logits(self._lesson.batch[chosen])
            loss = cross_entropy(logits, self._goal.flatten(0, 1)[chosen])
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
        with torch.no_grad():
            for slow, quick in zip(self.target.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(quick, self._renewal)
            backed = self._lesson.backed.flatten(0, 1)[chosen, 0]
            return (logits.softmax(-1)[:, 0] - backed).abs().mean()

    @torch.no_grad()
    def _next_lesson(self) -> None:
        """The window that was played is learned from next, its turns in any order."""
        self._lesson.take_over(self._played)
        self._goal.copy_(self._lesson.goals(self.settings.trace))
        every = self.settings.lessons - self.settings.focus
        for lesson in self._sample[:, :every].unbind(1):
            lesson.copy_(torch.randperm(lesson.numel(), device=lesson.device).view_as(lesson))
        if self.settings.focus:
            drawn = self._sample[:, every:]
            drawn.copy_(torch.multinomial(self._distance(), drawn.numel(), replacement=True).view_as(drawn))
        self._windows += 1

    def _distance(self) -> Tensor:
        """How far the net is from one exact turn, for every turn of the lesson.

        It depends on the position alone and not on what came of it, so drawing by it leaves the goals true on average.
        """
        backed, parts = self._lesson.backed.flatten(0, 1), []
        for first in range(0, len(backed), self.settings.batch):
            part = slice(first, first + self.settings.batch)
            guess = self.net.estimate(self._lesson.batch[part])
            parts.append((guess - backed[part]).abs().sum(-1))
        return torch.cat(parts)

    def _prepared(self, net: TorchNet, batch: Batch) -> tuple[TurnPlay, Tensor, Batch, Tensor]:
        """The turn of every game for a net's estimate; what its ends are worth, the games there, which there are."""
        ends, possible = endings(batch, giver_liking(net.estimate, batch))
        values = win(net.estimate)(batch, ends)
        turn = prepare(self.graph, batch, values[..., :-1])  # the last seat's share follows
        return turn, values, ends, possible

    def _explored(self, ending: Tensor, possible: Tensor) -> Tensor:
        chance = torch.rand(len(ending), device=ending.device)
        liking = torch.rand(possible.shape, device=ending.device) * possible
        return torch.where(chance < self.settings.explore, liking.argmax(1), ending)

    def _fresh(self, size: int) -> Batch:
        pick = self.xp.random(size) < self.settings.scattered
        return scattered(self.rules, size).where(pick, Batch.start(self.rules, size))

    @torch.no_grad()
    def residual(self, rules: Rules, steps: int = 40) -> float:
        """Mean |estimate − value backed up by one exact turn| over self-play positions, without exploring."""
        batch = Batch.start(rules, min(4096, self.settings.batch))
        dice = self.xp.seeded(99)
        total, count = 0.0, 0
        for _ in range(steps):
            turn, _, ends, _ = self._prepared(self.net, batch)
            guess = self.net.logits(batch).softmax(-1)[:, 0]
            total += (guess - turn.start_value[:, 0]).abs().sum().item()
            count += len(guess)
            after = ends.pick(turn.play(dice))
            batch = after.where(~after.over, Batch.start(rules, len(after)))
        return total / count

    def measure(self, games: int = 50_000, deep_games: int = 0) -> dict[str, object]:
        """Residual and, with games, strength of the net as it is now, in the editions of the family."""
        settings, graph = self.settings, self.graph
        figures: dict[str, object] = {}
        for key in FAMILIES[settings.family]:
            rules = family_rules(settings.family, settings.seats, self.xp, key)
            me = win(self.net.estimate)
            found: dict[str, object] = {"bellman_residual": self.residual(rules)}
            for loss, steal in ((1, 1), (1, 0)) if games else ():
                other = WormsValue(loss, steal)
                found[f"ev:loss={loss},steal={steal}"] = asdict(
                    contest(graph, rules, me, other, games, seed=settings.seed)
                )
            if deep_games:
                deep = deeper(self.net.estimate, graph)
                found["one turn deeper"] = asdict(
                    contest(graph, rules, deep, me, deep_games, seed=8, at_once=2500)
                )
            figures[key] = found
        return figures

    def log(self, **figures: object) -> None:
        line = {"steps": self.steps, "minutes": round(self.spent / 60, 3), **figures}
        with (self.folder / f"{self.name}.curve.jsonl").open("a") as curve:
            curve.write(json.dumps(line) + "\n")

    def save(self) -> None:
        """A checkpoint that `resume` takes up, written whole or not at all."""
        path = self.folder / f"{self.name}.checkpoint.pt"
        state = {
            "settings": asdict(self.settings),
            "net": self.net.state_dict(),
            "target": self.target.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self._random.get_rng_state(),
            "steps": self.steps,
            "spent": self.spent,
            "halfway": self.halfway,
            "batch": self.batch.columns(),
        }
        with replacing(path) as file:
            torch.save(state, file)

    def begin(self, folder: Path) -> None:
        """Start from weights that were exported before, of this net or of a narrower one."""
        with np.load(folder / f"{self.name}.npz") as arrays:
            self.net.take_over(TorchNet.of(self.settings.family, dict(arrays)))
        self.target.load_state_dict(self.net.state_dict())
        card = json.loads((folder / f"{self.name}.json").read_text())
        self.begun_from = {"steps": card["steps"], "turns": card["turns"]}

    def resume(self) -> bool:
        """Take up the checkpoint of this name, if there is one."""
        path = self.folder / f"{self.name}.checkpoint.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location=self.xp.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.target.load_state_dict(state["target"])
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate
        self._random.set_rng_state(state["generator"].cpu())
        self.steps, self.spent, self.halfway = state["steps"], state["spent"], state["halfway"]
        for mine, its in zip(self.batch.columns(), state["batch"], strict=True):
            mine.copy_(its)
        return True

    def export(self, **figures: object) -> None:
        """The weights in half precision, and a card that says where they come from."""
        np.savez(self.folder / f"{self.name}.npz", **self.net.arrays())
        card = {
            "weights": f"{self.name}.npz",
            "learned from": "self-play with the exact turn solver, turns valued with the luck of the dice taken out",
            "settings": asdict(self.settings),
            "steps": self.steps,
            "turns": self.steps * self.settings.batch,
            "figures": figures,
        }
        if self.begun_from:
            card["begun from"] = self.begun_from
        if self.halfway:
            card["figures on the way"] = self.halfway
        (self.folder / f"{self.name}.json").write_text(json.dumps(card, indent=2) + "\n")
