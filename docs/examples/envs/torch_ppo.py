"""As good as `hard` after three minutes on one GPU: masked PPO in self-play on `pickomino.envs.torch`.

    python torch_ppo.py --out ppo.json

One net plays both seats. It gives a probability for each move and for a win of the seat to act. The decisions of a
lane follow one another whoever makes them: the next one is worth its value to me if I act again, otherwise one minus
that value. Every so often the net, playing its likeliest moves, meets the bot `hard`, which plays on the device with
the trainer's turn solver.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from pickomino.envs.batch import BatchPlayer
from pickomino.envs.torch import PickominoTorchEnv
from pickomino.tensor import endings
from pickomino.tensor.batch import WEASEL_TURN
from pickomino.training.backup import BackedUp, TurnGraph, solve
from pickomino.training.contests import WormsValue
from pickomino.training.turn import prepare

CLIP, TRACE, RATE, ENTROPY, EPOCHS = 0.2, 0.95, 1e-3, 0.01, 2
MINIBATCH = 8192  # small: at this size what counts is the number of steps


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
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(hidden)[:, 0].sigmoid()


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


def contest(player: BatchPlayer, games: int, device: str, seed: int, most: int = 3000) -> tuple[float, float]:
    """The share of first games won against `hard`, one per lane, and its standard error."""
    hard = Hard()
    env = PickominoTorchEnv(games, device=device, players=[player, hard], compiled=False)
    hard.sit_down(env)
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


class Recorded:
    """Work of one shape on tensors that stay where they are: a GPU records it once and replays it from then on.

    So hundreds of small launches become one, which is most of the time otherwise.
    """

    def __init__(self, work: Callable[[], None], device: torch.device) -> None:
        self.work, self.on_gpu, self.plain = work, device.type == "cuda", 3
        self.graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        if not self.on_gpu:
            self.work()
        elif self.graph is not None:
            self.graph.replay()
        elif self.plain:
            self.plain -= 1
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.work()
            torch.cuda.current_stream().wait_stream(stream)
        else:
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.work()
            self.graph.replay()


class Learner:
    """PPO over lanes in which both seats are this net."""

    def __init__(self, games: int, steps: int, width: int, device: str, seed: int) -> None:
        torch.manual_seed(seed)
        self.env = env = PickominoTorchEnv(games, device=device, compiled=False)
        self.seen = env.reset().observation
        self.device, moves = self.seen.device, len(env.moves)
        most = torch.as_tensor(env.layout.most, dtype=torch.float32, device=self.device)
        self.net = Net(most, moves, width).to(self.device)
        on_gpu = self.device.type == "cuda"
        self.rate, self.entropy = torch.zeros(2, device=self.device).unbind()  # both fall as time goes by
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), self.rate, eps=1e-5, capturable=on_gpu, fused=on_gpu or None, foreach=False
        )

        def room(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(steps, games, *shape, dtype=dtype, device=self.device)

        self.at = torch.zeros(1, dtype=torch.int64, device=self.device)  # the step that is being played
        # A row for every step: what was seen, could be done, was done, how likely that was and what was expected;
        self.played = [
            room(self.seen.dtype, self.seen.shape[1]),
            room(torch.bool, moves),
            room(torch.int64),
            room(torch.float32),
            room(torch.float32),
        ]
        # what came of it: the reward, whether the game ended, whether the same seat goes on.
        self.came = [room(torch.float32), room(torch.bool), room(torch.bool)]
        self.gained, self.goal = room(torch.float32), room(torch.float32)
        self.some = torch.zeros(min(MINIBATCH, games * steps), dtype=torch.int64, device=self.device)
        self.step, self.update = Recorded(self._step, self.device), Recorded(self._update, self.device)

    @property
    def decisions(self) -> int:
        """Of one call of `learn`."""
        return self.goal.numel()

    @torch.no_grad()
    def best(self, observation: Tensor, mask: Tensor) -> Tensor:
        return self.net(observation, mask)[0].argmax(-1)

    @torch.no_grad()
    def _step(self) -> None:
        """A decision in every lane."""
        env, games = self.env, self.env.games
        odds, value = self.net(self.seen, games.legal)
        move = env.draw(odds)
        log, seat = odds.gather(1, move[:, None])[:, 0], games.seat.long()
        for column, row in zip(self.played, (self.seen, games.legal, move, log, value), strict=True):
            column.index_copy_(0, self.at, row[None])
        after = env.step(move)
        reward, ended = after.rewards.gather(1, seat[:, None])[:, 0], after.over | after.broken_off
        for column, row in zip(self.came, (reward, ended, after.seat == seat), strict=True):
            column.index_copy_(0, self.at, row[None])
        games.write(env.games)  # in place
        env.games = games
        self.seen.copy_(after.observation)
        self.at += 1

    @torch.no_grad()
    def play(self) -> None:
        """As many decisions as there are rows, and what each of them gained."""
        self.at.zero_()
        for _ in range(len(self.goal)):
            self.step()
        following = self.net(self.seen, self.env.games.legal)[1]
        advantage = torch.zeros_like(following)
        for at in reversed(range(len(self.goal))):
            value, (reward, ended, same) = self.played[4][at], (column[at] for column in self.came)
            later = torch.where(same, following, 1 - following)
            carried = torch.where(same, advantage, -advantage).masked_fill(ended, 0.0)
            advantage = torch.where(ended, reward, later) - value + TRACE * carried
            self.gained[at], following = advantage, value
        self.goal.copy_(self.gained + self.played[4])
        self.gained.sub_(self.gained.mean()).div_(self.gained.std() + 1e-8)

    def _update(self) -> None:
        """One step of the net for some of the decisions."""
        columns = (*self.played[:4], self.gained, self.goal)
        observation, mask, move, old, gained, goal = (column.flatten(0, 1)[self.some] for column in columns)
        self.optimizer.zero_grad(set_to_none=True)
        odds, value = self.net(observation, mask)
        ratio = (odds.gather(1, move[:, None])[:, 0] - old).exp()
        gain = torch.minimum(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained).mean()
        entropy = -(odds.exp() * odds.clamp(min=-30)).sum(-1).mean()
        loss = (value - goal).square().mean() - gain - self.entropy * entropy
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.optimizer.step()

    def learn(self, share_left: float) -> None:
        self.play()
        self.rate.fill_(RATE * max(share_left, 0.02))
        self.entropy.fill_(ENTROPY * share_left)
        for _ in range(EPOCHS):
            for some in torch.randperm(self.decisions, device=self.device).view(-1, len(self.some)):
                self.some.copy_(some)
                self.update()
        if self.device.type == "cuda":
            torch.cuda.synchronize()  # so that the clock is right


def main(argv: list[str] | None = None) -> list[dict[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4.5)
    parser.add_argument("--games", type=int, default=8192, help="lanes, a power of two")
    parser.add_argument(
        "--steps", type=int, default=32, help="decisions in each lane between two updates, too"
    )
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--contest", type=int, default=8192, help="games against hard at each look")
    parser.add_argument("--looks", type=int, default=3)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the curve there as JSON")
    arguments = parser.parse_args(argv)
    torch.set_float32_matmul_precision("high")
    began = time.monotonic()
    learner = Learner(arguments.games, arguments.steps, arguments.width, arguments.device, arguments.seed)
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
                arguments.out.write_text(json.dumps(curve, indent=1))
            if past >= limit:
                return curve
        learner.learn(1 - past / limit)
        decisions += learner.decisions


if __name__ == "__main__":
    main()
