"""The champion's strength on a GPU: its weights against the hardest `ev` of a grid, in every edition of a family.

python -m benchmarks.strength_gpu WEIGHTS --family switches --seats 2,3,4,7 [--games 100000]

Needs PyTorch. Prints one JSON line a row. The games are those of the trainer's contest: the same rules, turn solver and
nets as at the table, in single precision, tests hold them together; with seven round worms given away the trainer's
champion takes further ones from the leader, where the one at the table looks at every giver.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from time import monotonic

import torch

from pickomino.tensor import Rules
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.tensor.torch_net import TorchNet
from pickomino.training.backup import TurnGraph
from pickomino.training.contests import WormsValue, blind, contest, deeper, win
from pickomino.training.families import FAMILIES, family_rules

TRIED: dict[str, tuple[float, ...]] = {
    "steal": (0, 0.5, 1),
    "loss": (0.5, 1, 1.5),
    "hen": (0, 1, 2),
    "can": (0, 1, 2),
    "weasel": (0, 1, 2),
    "gold": (0, 1, 2),
    "apple": (3, 4),
    "round": (1, 1.5),
}
"""Settings of `ev` to try, one after the other, the others kept; classic has the first two only."""


TUNED: dict[tuple[str, int], WormsValue] = {}
"""(edition, seats) -> the hardest settings found; in deluxe the first found with three or more seats serve for all."""


class Bench:
    """One net in one edition."""

    def __init__(self, net: TorchNet, rules: Rules, graph: TurnGraph) -> None:
        self.net, self.rules, self.graph = net, rules, graph
        self.me = win(net.estimate)

    def row(self, what: str, games: int, **more: object) -> None:
        print(
            json.dumps(
                {"edition": self.rules.edition.key, "seats": self.rules.seats, "match": what, "games": games}
                | more
            ),
            flush=True,
        )

    def against(self, settings: WormsValue, games: int, seed: int) -> tuple[float, float]:
        result = contest(self.graph, self.rules, self.me, settings, games, seed)
        return result.share, result.error

    def strength(self, family: str, games: int, tune_games: int) -> None:
        """Against the setting that does best against the champion, found with fewer games."""
        began = monotonic()
        key = (self.rules.edition.key, 2 if self.rules.seats == 2 else 4)
        if key not in TUNED or family != "deluxe":
            TUNED[key] = self.hardest(tune_games)
        hardest = TUNED[key]
        tuned = monotonic() - began
        others = (WormsValue(1, 1), WormsValue(1, 0), WormsValue(0, 0)) if family == "classic" else ()
        for settings in dict.fromkeys((hardest, *others)):
            share, error = self.against(settings, games, seed=4)
            self.row("ev", games, share=share, error=error, ev=asdict(settings), hardest=settings == hardest)
        self.row("took", games, tuning=round(tuned, 1), all=round(monotonic() - began, 1))

    def hardest(self, games: int) -> WormsValue:
        """The settings that leave the champion the least, one coordinate after the other, on the same dice."""
        best = chosen = WormsValue()
        least = 1.0
        for name, values in TRIED.items():
            if name not in ("loss", "steal") and not self.rules.edition.specialists:
                continue
            for value in values:
                settings = replace(best, **{name: value})
                share = self.against(settings, games, seed=3)[0]
                if share < least:
                    chosen, least = settings, share
            best = chosen
        return best

    def switches(self, games: int) -> None:
        """Does it matter that the net sees the switches? One that sees none, among champions that do."""
        result = contest(self.graph, self.rules, blind(self.net.estimate), self.me, games, seed=5)
        self.row("without its switches among champions", games, share=result.share, error=result.error)

    def other_weights(self, other: TorchNet, games: int) -> None:
        """One of these among copies of others: is it any stronger?"""
        result = contest(self.graph, self.rules, self.me, win(other.estimate), games, seed=9)
        self.row("among champions of other weights", games, share=result.share, error=result.error)

    def deeper(self, games: int) -> None:
        other = deeper(self.net.estimate, self.graph)
        result = contest(self.graph, self.rules, other, self.me, games, seed=6, at_once=2500)
        self.row("one turn deeper among champions", games, share=result.share, error=result.error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--family", default="classic", choices=list(FAMILIES))
    parser.add_argument("--seats", default="2")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--tune-games", type=int, default=10_000)
    parser.add_argument("--switch-games", type=int, default=0)
    parser.add_argument("--deep-games", type=int, default=0)
    parser.add_argument("--against", type=Path, metavar="WEIGHTS", help="a match with other weights instead")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    for seats, key in product(map(int, arguments.seats.split(",")), FAMILIES[arguments.family]):
        rules = family_rules(arguments.family, seats, TorchArrays(device), key)
        name = f"{arguments.family}-{seats}.npz"
        net = TorchNet.load(arguments.family, arguments.weights / name).to(device)
        bench = Bench(net, rules, TurnGraph(rules.edition, rules.xp))
        if arguments.against is not None:
            other = TorchNet.load(arguments.family, arguments.against / name).to(device)
            bench.other_weights(other, arguments.games)
        elif arguments.games:
            bench.strength(arguments.family, arguments.games, arguments.tune_games)
        if arguments.switch_games and arguments.family == "switches":
            bench.switches(arguments.switch_games)
        if arguments.deep_games:
            bench.deeper(arguments.deep_games)


if __name__ == "__main__":
    main()
