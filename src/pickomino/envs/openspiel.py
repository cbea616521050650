"""``python_pickomino`` for OpenSpiel: importing this registers the game, ``pyspiel.load_game`` finds it then.

Dice are a chance player with explicit outcomes, one for each multiset of faces. Actions are indices into
`pickomino.compact.moves.move_table`. Needs the extra ``openspiel``; numba is not needed.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.moves import MoveTable, move_table
from pickomino.compact.packed import PHASES
from pickomino.envs.errors import need
from pickomino.envs.layout import Layout, layout_of
from pickomino.envs.parameters import edition_parameter, read_edition
from pickomino.notation import parse_position
from pickomino.rules import (
    MAX_SEATS,
    MIN_SEATS,
    SPECIALISTS,
    Edition,
    Phase,
    PickominoError,
    Ply,
    Position,
    Roll,
)
from pickomino.rules.dice import chances, tally

pyspiel: Any = need("pyspiel", "openspiel")

__all__ = ["SHORT_NAME", "PickominoGame", "PickominoState", "edition_parameter", "observation_of"]

SHORT_NAME: Final = "python_pickomino"
MAX_LENGTH: Final = 1_000_000  # OpenSpiel wants a number; random games of classic take about 1,700 moves

_kind = partial(
    pyspiel.GameType,
    short_name=SHORT_NAME,
    long_name="Pickomino (Heckmeck)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=MIN_SEATS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": MIN_SEATS,
        "edition": "classic",
        "first": 0,
        "start": "",
        "zero_sum": False,
    },
)
_CONSTANT_SUM: Final = _kind(utility=pyspiel.GameType.Utility.CONSTANT_SUM)
_ZERO_SUM: Final = _kind(utility=pyspiel.GameType.Utility.ZERO_SUM)


@cache
def _rolls(
    edition: Edition, white: int, gold: bool
) -> tuple[tuple[Roll, ...], tuple[tuple[int, float], ...]]:
    """The rolls of so many dice in one fixed order, and OpenSpiel's outcomes for them."""
    weights = chances(edition, white, gold)
    rolls = tuple(sorted(weights, key=str))
    all_of_them = sum(weights.values())
    return rolls, tuple((index, weights[roll] / all_of_them) for index, roll in enumerate(rolls))


class PickominoGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """Parameters: ``players``; ``edition``, a key or an `edition_parameter`; ``first``, the seat to begin; ``start``, a
    position's text, in which ``;`` may stand for ``,``; ``zero_sum``.

    Every seat gets its share of the win, so the utilities sum to 1. In the form of ``zero_sum`` who wins alone
    gets 1 and the others share -1 among them: of n seats each gets (n * share - 1) / (n - 1).
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        text = str(params.get("start", "")).replace(";", ",")
        params["start"] = text.replace(",", ";")  # a comma ends a parameter where games are written as text
        if text:
            self.start = parse_position(text)
        else:
            self.start = Position.start(
                read_edition(str(params.get("edition", "classic"))),
                int(params.get("players", MIN_SEATS)),
                int(params.get("first", 0)),
            )
        if self.start.over:
            raise PickominoError(f"start {text!r}: the game is over already")
        edition, seats = self.start.edition, len(self.start.stacks)
        self.moves = move_table(edition)
        self.layout = layout_of(edition, seats)
        self.zero_sum = bool(params.get("zero_sum", False))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.moves),
            max_chance_outcomes=len(_rolls(edition, edition.dice, bool(edition.golden_die))[0]),
            num_players=seats,
            min_utility=-1 / (seats - 1) if self.zero_sum else 0.0,
            max_utility=1.0,
            utility_sum=0.0 if self.zero_sum else 1.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(_ZERO_SUM if self.zero_sum else _CONSTANT_SUM, info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return PickominoGame, (self.get_parameters(),)  # OpenSpiel's way leaves out what is Python's

    def new_initial_state(self) -> PickominoState:
        return PickominoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        return _Observer(self.layout, params)

    def max_chance_nodes_in_history(self) -> int:
        return MAX_LENGTH


class _Shared(NamedTuple):
    """What copies of a state may share, since nothing of it ever changes: OpenSpiel copies states deeply."""

    position: Position
    moves: MoveTable
    zero_sum: bool

    def __deepcopy__(self, memo: Any) -> _Shared:
        return self


class PickominoState(pyspiel.State):  # type: ignore[misc]
    """A position of the rules behind OpenSpiel's calls."""

    def __init__(self, game: PickominoGame) -> None:
        super().__init__(game)
        self._shared = _Shared(game.start, game.moves, game.zero_sum)

    @property
    def position(self) -> Position:
        """The game as the rules see it."""
        return self._shared.position

    def current_player(self) -> int:
        phase = self.position.phase
        if phase is Phase.ROLL:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if phase is Phase.OVER else self.position.seat

    def _legal_actions(self, player: int) -> list[int]:
        return [self._shared.moves.index(move) for move in self.position.moves()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(_rolls(self.position.edition, *self.position.dice_to_roll)[1])

    def _apply_action(self, action: int) -> None:
        position, moves, zero_sum = self._shared
        ply: Ply
        if position.phase is Phase.ROLL:
            ply = _rolls(position.edition, *position.dice_to_roll)[0][action]
        else:
            ply = moves[action]
        self._shared = _Shared(position.apply(ply).position, moves, zero_sum)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(_rolls(self.position.edition, *self.position.dice_to_roll)[0][action])
        return self._shared.moves.texts[action]

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        outcome = self.position.outcome
        seats = len(self.position.stacks)
        if outcome is None:
            return [0.0] * seats
        if not self._shared.zero_sum:
            return list(outcome.shares)
        return [(seats * share - 1) / (seats - 1) for share in outcome.shares]

    def __str__(self) -> str:
        return str(self.position)


class _Observer:
    """OpenSpiel's PyObserver: the same parts as in the other environments, scaled to [0, 1]."""

    def __init__(self, layout: Layout, params: Any) -> None:
        if params:
            raise PickominoError(f"observation parameters {params}: expected none")
        self._layout = layout
        self.tensor: NDArray[np.float32] = np.zeros(layout.size, dtype=np.float32)
        self.dict = layout.split(self.tensor)

    def set_from(self, state: PickominoState, player: int) -> None:
        self.tensor[:] = observation_of(state.position, player, self._layout) / self._layout.most

    def string_from(self, state: PickominoState, player: int) -> str:
        return str(state.position)


def observation_of(position: Position, viewer: int, layout: Layout) -> NDArray[np.int64]:
    """What a seat sees, worked out from a position of the rules: the slow twin of the kernel."""
    row: NDArray[np.int64] = np.zeros(layout.size, dtype=np.int64)
    parts: dict[str, Any] = layout.split(row)
    edition, seats = position.edition, len(position.stacks)
    tile_at = {tile: index for index, tile in enumerate(edition.values)}
    signs = [face.sign for face in edition.faces]
    for tile in position.grill:
        parts["grill"][tile_at[tile]] = 1
    for seat, stack in enumerate(position.stacks):
        relative = (seat - viewer) % seats
        parts["worms"][relative] = position.scores[seat]
        for depth, tile in enumerate(reversed(stack)):
            parts["stacks"][relative, tile_at[tile]] = 1
            parts["cover"][tile_at[tile]] = depth
            if depth == 0:
                parts["tops"][relative, tile_at[tile]] = 1
    if not position.over:
        parts["turn"][(position.seat - viewer) % seats] = 1
    parts["phase"][:] = [phase is position.phase for phase in PHASES]
    for index, sign in enumerate(signs):
        parts["kept"][index] = position.kept.count(sign)
        parts["rolled"][index] = position.rolled.count(sign)
    if position.kept:
        parts["total"][0] = tally(edition, position.kept, can=False)[0]
    if position.specialists is not None:
        _observe_specialists(position, viewer, parts, signs, tile_at)
    return row


def _observe_specialists(
    position: Position, viewer: int, parts: dict[str, Any], signs: list[str], tile_at: dict[int, int]
) -> None:
    specialists, seats = position.specialists, len(position.stacks)
    if specialists is None:
        return
    for tile, name in specialists.standing:
        parts["specialists"][SPECIALISTS.index(name), tile_at[tile]] = 1
    for seat, held in enumerate(specialists.held):
        relative = (seat - viewer) % seats
        parts["round_worms"][relative] = specialists.round_worms[seat]
        for name in held:
            parts["specialists"][SPECIALISTS.index(name), len(tile_at) + relative] = 1
    parts["weasel_used"][0] = specialists.weasel_used
    if position.edition.golden_die:
        kept, rolled = position.kept.partition("+")[2], position.rolled.partition("+")[2]
        state = 2 + signs.index(kept) if kept else int(specialists.gold_joined)
        parts["gold"][state] = 1
        if rolled:
            parts["gold_rolled"][signs.index(rolled)] = 1


pyspiel.register_game(_CONSTANT_SUM, PickominoGame)
