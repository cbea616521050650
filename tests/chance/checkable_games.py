"""Games with checkable dice, the same in every run."""

from __future__ import annotations

import hashlib
import random
from functools import cache

from pickomino import Game, Record
from pickomino.bots import make_bot
from pickomino.chance import CheckableRoll, DiceChain, GameSoFar, add_dice, bot_nonce
from pickomino.notation import format_record
from pickomino.rules import Keep, Phase, Position, Stop, UseGold

SECRET = hashlib.sha256(b"a secret for tests").digest()


def start_text(start: Position) -> str:
    return "" if start == Position.start(start.edition, len(start.stacks)) else str(start)


def play(
    start: Position, names: tuple[str, ...], *, bots: str = "B", seed: int = 1
) -> tuple[Game, DiceChain, list[CheckableRoll]]:
    """A whole game, persons with nonces out of the seed."""
    game, rng, player = Game(start), random.Random(seed), make_bot("cautious")
    chain = DiceChain.create("t-1", start.edition.key, names, SECRET, start=start_text(start), bots=bots)
    so_far, rolls = GameSoFar(game), list[CheckableRoll]()
    while not game.over:
        position = game.position
        if position.phase is not Phase.ROLL:
            use = UseGold()  # which the cautious bot never does
            game.apply(use if use in position.moves() else player.choose(position, rng))
            continue
        game_hash = so_far.at()
        nonce = bot_nonce(game_hash) if position.seat_letter in bots else f"{rng.getrandbits(128):032x}"
        rolls.append(chain.roll(len(rolls) + 1, nonce, game_hash, *position.dice_to_roll))
        game.apply(rolls[-1].roll)
    return game, chain, rolls


@cache
def record_text(edition: str = "classic", seats: int = 2, *, bots: str = "B", seed: int = 1) -> str:
    names = ("Anna B", "bøt", "100%")[:seats]
    game, chain, rolls = play(Position.start(edition, seats), names, bots=bots, seed=seed)
    return format_record(add_dice(Record(game, names), chain, rolls))


@cache
def long_record_text(count: int) -> str:
    """Two who never claim anything: a game that goes on for as many rolls as one likes."""
    names = ("idle", "idler")
    game, chain = Game(), DiceChain.create("t-long", "classic", names, SECRET)
    so_far, rolls = GameSoFar(game), list[CheckableRoll]()
    while len(rolls) < count:
        position = game.position
        if position.phase is Phase.ROLL:
            game_hash = so_far.at()
            rolls.append(chain.roll(len(rolls) + 1, bot_nonce(game_hash), game_hash, *position.dice_to_roll))
            game.apply(rolls[-1].roll)
        elif position.phase is Phase.KEEP:
            game.apply(next(move for move in position.moves() if isinstance(move, Keep)))
        else:
            game.apply(Stop())
    return format_record(add_dice(Record(game, names), chain, rolls))
