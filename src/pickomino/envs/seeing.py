"""What the seats to act see in any batch of games: so a policy that was learned in an environment is a bot."""

from __future__ import annotations

import numpy as np

from pickomino.bots.protocol import Games
from pickomino.compact.tables import edition_tables
from pickomino.envs.forms import Form, Seen
from pickomino.envs.kernels import see
from pickomino.envs.layout import layout_of
from pickomino.simulate.dice import RUN


def observed(games: Games, observation: Form = "flat") -> Seen:
    """The observations of the seats to act and their legal moves, as every environment shows them."""
    seen = Seen(layout_of(games.edition, games.seats), observation, len(games))
    runs = np.zeros(len(games), dtype=RUN)
    rows = games.positions
    runs["viewer"], runs["legal"], runs["changed"] = rows["seat"], games.legal_bits, True
    see(edition_tables(games.edition), rows, runs, seen.sight)
    return seen
