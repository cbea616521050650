"""What is played: entrants, seats and games, cut into chunks that anyone can play anywhere.

A *group* is a handful of games with the same dice: the same line-up, moved on by one seat from game to game, until
everybody has sat everywhere. A *chunk* is a fixed number of groups. Which games a chunk holds follows from the
specification and the chunk's number alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import MAX_SEATS, MIN_SEATS, PickominoError, edition_text, find_edition

# Games, about: half as many cost a quarter more time a game, twice as many leave cores idle.
CHUNK: Final = 2048

MAX_ENTRANTS: Final = 64
MAX_GAMES: Final = 10**9


@dataclass(frozen=True)
class Spec:
    """An arena's games as plain values, so that it can be sent as text."""

    entrants: tuple[str, ...]  # bots as `pickomino.bots.make_bot` names them
    edition: str = "classic"  # a key, or the TOML of a house edition
    players: int = 2
    games: int = 20_000  # at least; whole groups are played
    seed: int = 0
    chunk_groups: int = 0  # 0: as many as make a chunk of about 2,048 games
    luck_adjusted: bool = False  # measure luck too, where there are values for it

    def __post_init__(self) -> None:
        object.__setattr__(self, "entrants", tuple(self.entrants))
        object.__setattr__(self, "edition", edition_text(find_edition(self.edition)))
        if not 2 <= len(self.entrants) <= MAX_ENTRANTS:
            raise PickominoError(
                "bots: expected 2 to {max_entrants} of them, as in champion ev; found {entrants}",
                max_entrants=MAX_ENTRANTS,
                entrants=len(self.entrants),
            )
        if not MIN_SEATS <= self.players <= MAX_SEATS:
            raise PickominoError(
                "{players} players: expected {low} to {high}",
                players=self.players,
                low=MIN_SEATS,
                high=MAX_SEATS,
            )
        if not 1 <= self.games <= MAX_GAMES:
            raise PickominoError(
                "{games} games: expected 1 to {max_games:,}", games=self.games, max_games=MAX_GAMES
            )
        if not 0 <= self.seed < 1 << 63:
            raise PickominoError("seed {seed}: expected 0 to 2**63 - 1", seed=self.seed)
        if self.chunk_groups < 0:
            raise PickominoError(
                "{chunk_groups} groups per chunk: expected at least one", chunk_groups=self.chunk_groups
            )
        object.__setattr__(self, "chunk_groups", self.chunk_groups or CHUNK // self.players)

    def as_json(self) -> dict[str, Any]:
        """Everything that determines the games, except how many there are."""
        shown = asdict(self) | {"entrants": list(self.entrants)}
        del shown["games"]
        return shown

    @property
    def alone(self) -> bool:
        """Whether the first entrant sits alone against copies of the second."""
        return len(self.entrants) == 2

    @property
    def groups(self) -> int:
        """The number of groups: as many as are needed for the requested games."""
        return -(-self.games // self.players)

    @property
    def games_played(self) -> int:
        return self.groups * self.players

    @property
    def chunks(self) -> int:
        return -(-self.groups // self.chunk_groups)

    def groups_of(self, chunk: int) -> range:
        """The numbers of a chunk's groups; the last chunk may have fewer."""
        first = chunk * self.chunk_groups
        return range(first, min(first + self.chunk_groups, self.groups))

    def chunk_seed(self, chunk: int) -> int:
        """The simulator's seed for a chunk; a group's number in the chunk is its game number there."""
        return _hashed(self.seed, chunk, "dice")

    def bot_seed(self, chunk: int, entrant: int) -> int:
        """For a bot that uses randomness."""
        return _hashed(self.seed, chunk, f"bot {entrant}")

    def seating(self, chunk: int) -> NDArray[np.int8]:
        """Which entrant sits where: (rotations, groups, seats).

        With more than two entrants they sit down in rotation round the table, in an order that is shuffled for
        every so many groups as there are entrants; in each of these groups another one begins. So all entrants
        get equally many seats, and over time every neighbour.
        """
        numbers, count = np.array(self.groups_of(chunk)), len(self.entrants)
        if self.alone:
            base = np.ones((len(numbers), self.players), dtype=np.int8)
            base[:, 0] = 0
        else:
            blocks = numbers // count
            orders = {block: self._order(block) for block in range(int(blocks[0]), int(blocks[-1]) + 1)}
            places = (numbers[:, None] + np.arange(self.players)) % count
            base = np.array(
                [orders[block][row] for block, row in zip(blocks.tolist(), places, strict=True)], np.int8
            )
        return np.stack([np.roll(base, rotation, axis=1) for rotation in range(self.players)])

    def _order(self, block: int) -> NDArray[np.intp]:
        return np.random.default_rng(_hashed(self.seed, block, "order")).permutation(len(self.entrants))


def _hashed(seed: int, number: int, purpose: str) -> int:
    """A number of 63 bits: streams of different chunks and purposes have nothing in common."""
    digest = blake2b(f"{seed} {number} {purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
