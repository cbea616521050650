"""A bot in ten lines: it claims whatever it can, and otherwise keeps the face with the fewest points."""

from pickomino.bots import make_bot, register_bot


class Stingy:
    def choose(self, position, rng):  # type: ignore[no-untyped-def]  # short on purpose
        moves = [str(move) for move in position.moves()]
        claims = [move for move in moves if move[0] in "tx"]
        return position.moves()[moves.index(max(claims, default=moves[0]))]


register_bot("stingy", Stingy)
assert "stingy" in str(type(make_bot("stingy"))).lower()
