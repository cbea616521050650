"""Many reviewed games: a profile of each player by name."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pickomino.analysis.judgement import KINDS, LIMITS, Kind, kind_of
from pickomino.analysis.model import Review
from pickomino.analysis.values import Goal


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What a profile keeps of one player in one game. Small: it travels between processes."""

    name: str
    goal: Goal
    won: float  # share of the win; of an unfinished game the chance as it stood
    fair: float  # an even share
    luck: float
    variance: float
    errors: float
    stake: float
    choices: int
    estimate: float
    kinds: dict[Kind, tuple[int, float]]  # how many slips, and what they gave away
    others: dict[str, float]  # name -> its share of the win


def played_games(review: Review) -> list[PlayedGame]:
    """The game of every player of a review. Players of one name in one game count as one seat after the other."""
    found = []
    winners = [seat for seat, rank in enumerate(review.ranks) if rank == 1]
    for seat, name in enumerate(review.names):
        kinds: dict[Kind, tuple[int, float]] = {}
        choices, balance = review.choices(seat), review.balances[seat]
        for one in choices:
            if one.error >= LIMITS[review.goal][1]:
                count, sum_ = kinds.get(kind_of(one), (0, 0.0))
                kinds[kind_of(one)] = count + 1, sum_ + one.error
        shares = [
            balance.result if review.goal == "win" else (seat in winners) / len(winners)
            for seat, balance in enumerate(review.balances)
        ]
        found.append(
            PlayedGame(
                name=name,
                goal=review.goal,
                won=shares[seat],
                fair=1 / review.seats,
                luck=balance.luck,
                variance=balance.spread**2,
                errors=balance.errors,
                stake=sum(one.stake for one in choices),
                choices=len(choices),
                estimate=balance.estimate,
                kinds=kinds,
                others={other: shares[at] for at, other in enumerate(review.names) if at != seat},
            )
        )
    return found


@dataclass(slots=True)
class Opponent:
    """Games against one other player."""

    games: int = 0
    won: float = 0.0
    lost: float = 0.0  # what the other won
    adjusted: float = 0.0  # wins without luck, summed


@dataclass(slots=True)
class Profile:
    """A player over many games of one objective."""

    name: str
    goal: Goal
    games: list[PlayedGame] = field(default_factory=list)

    @property
    def won(self) -> float:
        return sum(game.won for game in self.games)

    @property
    def adjusted(self) -> float:
        """Wins with average dice, a share of all games; only the goal ``win`` knows it."""
        return sum(game.won - game.luck for game in self.games) / len(self.games)

    @property
    def accuracy(self) -> float | None:
        return _accuracy(self.games)

    @property
    def luck(self) -> tuple[float, float]:
        """Luck in games, or in worms, and the standard deviation that chance gives it."""
        return sum(game.luck for game in self.games), math.sqrt(sum(game.variance for game in self.games))

    @property
    def errors(self) -> float:
        """Given away per game."""
        return sum(game.errors for game in self.games) / len(self.games)

    def trend(self, parts: int = 4) -> list[tuple[int, float | None]]:
        """Accuracy over time: so many parts of the games in their order, each with its number of games."""
        size = math.ceil(len(self.games) / parts)
        slices = [self.games[at : at + size] for at in range(0, len(self.games), size)]
        return [(len(part), _accuracy(part)) for part in slices]

    @property
    def kinds(self) -> dict[Kind, tuple[int, float]]:
        """Kinds of slips, the dearest first."""
        found = {
            kind: (
                sum(game.kinds.get(kind, (0, 0.0))[0] for game in self.games),
                sum(game.kinds.get(kind, (0, 0.0))[1] for game in self.games),
            )
            for kind in KINDS
        }
        return {
            kind: found[kind] for kind in sorted(KINDS, key=lambda kind: -found[kind][1]) if found[kind][0]
        }

    @property
    def opponents(self) -> dict[str, Opponent]:
        """Head to head, the most games first."""
        found: defaultdict[str, Opponent] = defaultdict(Opponent)
        for game in self.games:
            for name, share in game.others.items():
                one = found[name]
                one.games += 1
                one.won += game.won
                one.lost += share
                one.adjusted += game.won - game.luck
        return dict(sorted(found.items(), key=lambda item: -item[1].games))

    def to_json(self) -> dict[str, Any]:
        luck, spread = self.luck
        return {
            "name": self.name,
            "objective": self.goal,
            "games": len(self.games),
            "won": self.won,
            "adjusted": self.adjusted if self.goal == "win" else None,
            "accuracy": self.accuracy,
            "trend": [{"games": games, "accuracy": found} for games, found in self.trend()],
            "given_away": self.errors,
            "luck": luck,
            "luck_spread": spread,
            "kinds": {
                kind: {"count": count, "given_away": cost} for kind, (count, cost) in self.kinds.items()
            },
            "opponents": {
                name: {
                    "games": one.games,
                    "won": one.won,
                    "lost": one.lost,
                    "adjusted": one.adjusted / one.games if self.goal == "win" else None,
                }
                for name, one in self.opponents.items()
            },
        }


def _accuracy(games: Iterable[PlayedGame]) -> float | None:
    games = list(games)
    stake = sum(game.stake for game in games)
    return 1 - sum(game.errors for game in games) / stake if stake > 1e-9 else None


def profiles(games: Iterable[PlayedGame]) -> list[Profile]:
    """A profile for each name and objective, the most games first."""
    found: dict[tuple[str, Goal], Profile] = {}
    for game in games:
        found.setdefault((game.name, game.goal), Profile(game.name, game.goal)).games.append(game)
    return sorted(found.values(), key=lambda profile: -len(profile.games))
