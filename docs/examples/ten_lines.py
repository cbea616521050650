"""A bot in ten lines, and twenty games of it: python docs/examples/ten_lines.py."""

from pickomino import Stop, Take, play_game


class Thief:
    """Keeps what counts most, worms above all; steals at once, but takes only when few dice are left."""

    def choose(self, position, rng):  # type: ignore[no-untyped-def]  # short on purpose
        moves = position.moves()
        if position.rolled:
            points = {**position.edition.pips, "W": 7}  # nothing can be claimed without a worm
            return max(
                moves, key=lambda move: sum(points[die] for die in position.rolled if die in str(move))
            )
        if isinstance(moves[-1], Stop) or (isinstance(moves[-1], Take) and position.dice_left > 2):
            return moves[0]
        return moves[-1]


if __name__ == "__main__":
    games = [play_game([Thief(), "cautious"], seed=seed) for seed in range(20)]
    print(f"{sum(0 in game.position.standings.winners for game in games)} of {len(games)} games won")
