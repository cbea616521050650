"""Polish a champion's weights on a CPU: exact turn values on self-play positions, learned until the net agrees with itself.

The GPU training of `pickomino.training` gets near; this takes its weights and removes the last thousandths of noise.
Needs PyTorch and the extra fast:   python tools/polish.py --seats 2 --rounds 6
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from pickomino.bots.champion import bot as champion_bot
from pickomino.bots.champion.bot import ChampionBot
from pickomino.bots.champion.endings import _unpack, win_payoffs
from pickomino.bots.champion.net import WinNet, encode
from pickomino.bots.champion.table import Table
from pickomino.bots.games import as_policy
from pickomino.bots.payoffs import Payoffs, stop_values
from pickomino.compact.packed import Packed
from pickomino.compact.turn import turn_tables
from pickomino.rules import Edition, find_edition
from pickomino.simulate import play_games
from pickomino.solver import solve_tables

CLASSIC = find_edition("classic")
WEIGHTS = Path(champion_bot.__file__).parent / "weights"


class Collector(ChampionBot):
    """A champion that remembers every turn it had to think about."""

    def __init__(self, net: WinNet) -> None:
        super().__init__()
        self.net = net
        self.seen: list[Packed] = []

    def payoffs(self, edition: Edition, starts: Packed) -> Payoffs:
        self.seen.append(starts.copy())
        return win_payoffs(self.net, edition, starts)


def turn_values(net: WinNet, rows: Packed) -> NDArray[np.float64]:
    """The value of every turn played best for the net's estimate, to the seat whose turn it is."""
    tables = turn_tables(CLASSIC)
    values = np.empty(len(rows))
    for first in range(0, len(rows), 1024):
        part = rows[first : first + 1024]
        payoffs = win_payoffs(net, CLASSIC, part)
        stop = stop_values(CLASSIC, part, payoffs)
        without = np.broadcast_to(payoffs.bust, (stop.shape[1], len(part)))
        stops = np.concatenate([without, stop.T])
        for lane in range(0, len(part), 128):
            lanes = slice(lane, lane + 128)
            bust = np.ascontiguousarray(payoffs.bust[lanes])[None]
            solved = solve_tables(tables, np.ascontiguousarray(stops[:, lanes]), bust, kernel="bulk")
            values[first + lane : first + lane + bust.shape[1]] = solved.roll[tables.start()]
    return values


class Net(torch.nn.Module):
    """The same net as `pickomino.training.features.WinNet`, from exported arrays."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        super().__init__()
        self.weights = torch.nn.ParameterDict({name: torch.tensor(array).float() for name, array in arrays.items()})
        self.depth = len(arrays) // 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(x @ self.weights["weight0"] + self.weights["bias0"])
        for index in range(1, self.depth - 1):
            x = x + torch.relu(x @ self.weights[f"weight{index}"] + self.weights[f"bias{index}"])
        last = self.depth - 1
        return x @ self.weights[f"weight{last}"] + self.weights[f"bias{last}"]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        return {name: value.detach().numpy().astype(np.float32) for name, value in self.weights.items()}


def features(rows: Packed) -> NDArray[np.float32]:
    turns = _unpack(CLASSIC, rows)
    return encode(Table(CLASSIC, turns.grill, turns.heights))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seats", type=int, default=2, choices=[2], help="the other seats' shares need two seats")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--games", type=int, default=3000, help="self-play games a round")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    name = f"classic-{arguments.seats}"
    with np.load(WEIGHTS / f"{name}.npz") as file:
        net = Net(dict(file))
    steady = Net(net.arrays())  # a running mean of the net: what is exported
    optimizer = torch.optim.Adam(net.parameters(), lr=arguments.rate)
    pool: list[Packed] = []
    steps = 0
    for number in range(arguments.rounds):
        began = time.monotonic()
        current = WinNet(steady.arrays())
        collector = Collector(current)
        play_games(as_policy(collector), "classic", arguments.seats, arguments.games, seed=1000 * arguments.seed + number)
        fresh = np.unique(np.concatenate(collector.seen))
        guess, value = current.shares_of(features(fresh))[:, 0], turn_values(current, fresh)
        print(f"round {number}: residual {np.abs(guess - value).mean():.5f} on {len(fresh)} new turns", flush=True)
        pool = [*pool[-3:], fresh]
        rows = np.concatenate(pool)
        x = torch.from_numpy(features(rows))
        y = torch.from_numpy(turn_values(current, rows)).float()
        goal = torch.stack((y, 1 - y), 1)
        for epoch in range(arguments.epochs):
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * (1 - (number + epoch / arguments.epochs) / arguments.rounds) + 2e-6
            for batch in torch.randperm(len(x)).split(1024):
                loss = torch.nn.functional.cross_entropy(net(x[batch]), goal[batch])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                steps += 1
                with torch.no_grad():
                    for slow, quick in zip(steady.parameters(), net.parameters(), strict=True):
                        slow.lerp_(quick, 0.01)
        arguments.out.mkdir(parents=True, exist_ok=True)
        np.savez(arguments.out / f"{name}.npz", **steady.arrays())
        print(f"  {len(x)} turns, {time.monotonic() - began:.0f} s", flush=True)
    card = json.loads((WEIGHTS / f"{name}.json").read_text())
    card["polished"] = {"command": "python tools/polish.py", "rounds": arguments.rounds, "games": arguments.games, "steps": steps}
    (arguments.out / f"{name}.json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
