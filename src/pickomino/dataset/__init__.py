"""Games of the champion against itself as tables of turns, with every seat's probability to win: see `games`."""
