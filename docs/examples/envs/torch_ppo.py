"""Beat `hard` after five minutes on one GPU: masked PPO in self-play on `pickomino.envs.torch`.

    python torch_ppo.py --minutes 4.5 --out ppo.json

One net plays both seats. It gives a probability for each move and for a win of the seat to act. The decisions of a
lane follow one another whoever makes them: the next one is worth its value to me if I act again, otherwise one minus
that value. Every so often the net, playing its likeliest moves, meets the bot `hard`, which plays on the device with
the trainer's turn solver.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import torch
from torch import Tensor, nn

from pickomino.envs.torch import PickominoTorchEnv
from pickomino.rules import find_edition
from pickomino.tensor import endings
from pickomino.tensor.batch import WEASEL_TURN
from pickomino.training.backup import BackedUp, TurnGraph, solve
from pickomino.training.contests import WormsValue
from pickomino.training.turn import prepare

CLIP, TRACE, ENTROPY, EPOCHS = 0.2, 0.95, 0.01, 2


class Net(nn.Module):
    """Logits of the moves and the probability to win."""

    def __init__(self, most: Tensor, moves: int, width: int) -> None:
        super().__init__()
        self.register_buffer("most", most)
        self.body = nn.Sequential(
            nn.Linear(len(most), width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(width, moves), nn.Linear(width, 1)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(observation / self.most)
        logits = self.policy(hidden).float().masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(hidden)[:, 0].float().sigmoid()


class Hard:
    """`pickomino.bots.hard` for two seats in classic: logits by what moves are worth in worms of this turn."""

    temperature, most = 0.15, 0.4

    def __init__(self) -> None:
        self.env: PickominoTorchEnv | None = None  # whose games it looks at
        self.value = WormsValue(loss=1, steal=0.5)

    def sit_down(self, env: PickominoTorchEnv) -> None:
        self.env, self.graph = env, TurnGraph(env.edition, env.xp)
        tables, xp = self.graph.tables, env.xp
        known = torch.zeros(64, tables.dice + 1, tables.max_total + 1, dtype=torch.int64)
        known[tuple(torch.as_tensor(part) for part in (tables.mask, tables.white, tables.total))] = (
            torch.arange(tables.states)
        )
        self.state_of = known.to(env.games.seat.device)
        self.bit = xp.asarray([1 << face for face in range(len(env.edition.faces))], xp.int64)
        self.pips = xp.asarray([face.pips for face in env.edition.faces], xp.int64)

    def __call__(self, observation: Tensor, mask: Tensor) -> Tensor:
        assert self.env is not None
        games, graph, moves = self.env.games, self.graph, self.env.moves
        batch, lane = games.batch, torch.arange(len(mask), device=mask.device)
        worth = self.value(batch, endings(batch)[0])
        # As if everybody had the weasel, used up: then the worth of rolling is known apart from that of stopping.
        turn = prepare(graph, batch, worth)
        solved = solve_with_rolls(graph, turn.stop)
        kept = games.kept[:, 0].long()
        state = self.state_of[
            ((kept > 0) * self.bit).sum(-1), graph.tables.dice - kept.sum(-1), (kept * self.pips).sum(-1)
        ]
        face = torch.arange(kept.shape[1], device=mask.device)
        child = graph.child_of[state[:, None], face, games.rolled[:, 0].long(), 0].clamp(min=0)
        found = torch.full(mask.shape, -torch.inf, device=mask.device)
        keep, take, steal = moves.index("k1"), moves.index("t21"), moves.index("x21")
        rules = batch.rules
        found[:, keep : keep + len(face)] = solved.value[child, 0, lane[:, None]]
        found[:, moves.index("r")] = solved.roll[state, 0, lane]
        found[:, moves.index("s")] = worth[:, rules.bust, 0]
        found[:, take : take + rules.tiles] = worth[:, : rules.tiles, 0]
        found[:, steal : steal + rules.tiles] = worth[:, rules.steal_at, 0, None]
        found = found.masked_fill(~mask, -torch.inf)
        away = found.amax(-1, keepdim=True) - found
        return (-away / self.temperature).masked_fill(away > self.most, -torch.inf)


def solve_with_rolls(graph: TurnGraph, stop: Tensor) -> BackedUp:
    """Values of states and, apart, of rolling in them."""
    return solve(graph, stop, torch.full((stop.shape[-1],), WEASEL_TURN, device=stop.device))


def contest(player: Net | Hard, games: int, device: str, seed: int, most: int = 3000) -> tuple[float, float]:
    """The share of first games won against `hard`, one per lane, and its standard error."""
    hard = Hard()
    env = PickominoTorchEnv(games, device=device, players=[player, hard], compiled=False)
    hard.sit_down(env)
    if isinstance(player, Hard):
        player.sit_down(env)
    env.reset(seed)
    won = torch.full((games,), -1.0, device=env.games.seat.device)
    nothing = torch.zeros(games, dtype=torch.int64, device=won.device)
    for step in range(most):
        seen = env.step(nothing)
        won = torch.where(seen.over & (won < 0), seen.rewards[:, 0], won)
        if step % 50 == 0 and bool((won >= 0).all()):
            break
    won = won[won >= 0]
    return float(won.mean()), float(won.std()) / len(won) ** 0.5


class Learner:
    """PPO over lanes in which both seats are this net."""

    def __init__(
        self, games: int, steps: int, width: int, device: str, seed: int, compiled: bool | None
    ) -> None:
        torch.manual_seed(seed)
        self.env = PickominoTorchEnv(games, device=device, compiled=compiled)
        self.device, self.steps = self.env.games.seat.device, steps
        most = torch.as_tensor(self.env.layout.most, dtype=torch.float32, device=self.device)
        self.net = Net(most, len(self.env.moves), width).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), 1e-3, eps=1e-5)
        self.seen = self.env.reset(seed)

    def autocast(self) -> torch.autocast:
        return torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda")

    @torch.no_grad()
    def best(self, observation: Tensor, mask: Tensor) -> Tensor:
        with self.autocast():
            return self.net(observation, mask)[0].argmax(-1)

    @torch.no_grad()
    def rollout(self) -> tuple[Tensor, ...]:
        """(observations, masks, moves, log probabilities, advantages, goals), one row per decision."""
        rows: list[tuple[Tensor, ...]] = []
        for _ in range(self.steps):
            observation, mask, seat = self.seen[:3]
            with self.autocast():
                odds, value = self.net(observation, mask)
            move = self.env.draw(odds)
            self.seen = self.env.step(move)
            reward = self.seen.rewards.gather(1, seat[:, None].long())[:, 0]
            ended = self.seen.over | self.seen.broken_off
            log = odds.gather(1, move[:, None])[:, 0]
            rows.append((observation, mask, move, log, value, reward, ended, seat == self.seen.seat))
        with self.autocast():
            following = self.net(self.seen.observation, self.seen.action_mask)[1]
        advantage = torch.zeros_like(following)
        advantages = []
        for _, _, _, _, value, reward, ended, same in reversed(rows):
            later = torch.where(same, following, 1 - following)
            target = torch.where(ended, reward, later)
            carried = torch.where(ended, 0.0, torch.where(same, advantage, -advantage))
            advantage = target - value + TRACE * carried
            advantages.append(advantage)
            following = value
        found = [torch.stack(part).flatten(0, 1) for part in list(zip(*rows, strict=True))[:5]]
        gained = torch.stack(advantages[::-1]).flatten()
        return (*found[:4], gained, gained + found[4])

    def learn(self, share_left: float) -> None:
        data = self.rollout()
        for group in self.optimizer.param_groups:
            group["lr"] = 1e-3 * max(share_left, 0.02)
        size = len(data[0])
        part = max(size // 16, 256)
        for _ in range(EPOCHS):
            order = torch.randperm(size, device=self.device)
            for first in range(0, size, part):
                observation, mask, move, old, gained, goal = (
                    column[order[first : first + part]] for column in data
                )
                gained = (gained - gained.mean()) / (gained.std() + 1e-8)
                with self.autocast():
                    odds, value = self.net(observation, mask)
                ratio = (odds.gather(1, move[:, None])[:, 0] - old).exp()
                gain = torch.minimum(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained).mean()
                entropy = -(odds.exp() * odds.clamp(min=-30)).sum(-1).mean()
                loss = (value - goal).square().mean() - gain - ENTROPY * share_left * entropy
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()


def main(argv: list[str] | None = None) -> list[dict[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4.5)
    parser.add_argument("--games", type=int, default=16384, help="lanes")
    parser.add_argument("--steps", type=int, default=32, help="decisions in each lane between two updates")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--contest", type=int, default=8192, help="games against hard at each look")
    parser.add_argument("--looks", type=int, default=6)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--plain", action="store_true", help="do not compile the environment's step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the curve there as JSON")
    arguments = parser.parse_args(argv)
    torch.set_float32_matmul_precision("high")
    find_edition("classic")
    began = time.monotonic()
    even = contest(Hard(), arguments.contest, arguments.device, seed=9)
    print(f"hard against itself: {even[0]:.1%} ± {even[1]:.1%}", flush=True)
    learner = Learner(
        arguments.games,
        arguments.steps,
        arguments.width,
        arguments.device,
        arguments.seed,
        False if arguments.plain else None,
    )
    limit, looked, decisions, curve = arguments.minutes * 60, 0, 0, []
    while True:
        past = time.monotonic() - began
        if past >= limit * (looked + 1) / arguments.looks or past >= limit:
            looked += 1
            share, error = contest(learner.best, arguments.contest, arguments.device, seed=looked)
            line = {"seconds": round(past, 1), "decisions": decisions, "share": share, "error": error}
            curve.append(line)
            print(
                f"{past:6.0f} s  {decisions:>13,} decisions  {share:.1%} ± {error:.1%} against hard",
                flush=True,
            )
            if arguments.out is not None:
                arguments.out.write_text(json.dumps({"hard_against_itself": even, "curve": curve}, indent=1))
            if past >= limit:
                return curve
        learner.learn(1 - past / limit)
        decisions += arguments.games * arguments.steps


if __name__ == "__main__":
    main()
