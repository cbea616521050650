"""``view(position)``: the one description of a position for people and clients, ready for JSON.

Whatever is shown of a position comes from here: totals, claims, what a bust would cost. Nothing in it is
worked out a second time; consequences are found by applying the rules and looking at what changed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, NotRequired, TypedDict

from pickomino.rules import SEATS, WORM, Edition, Keep, Phase, Position, Specialists, Steal, Take, claims
from pickomino.rules.dice import add, chances, dice_to_roll, may_roll, tally
from pickomino.rules.events import Busted, Flipped, GotSpecialist, Kept, Returned, Stole, Took
from pickomino.rules.phase import GO_DUE, ROLL_DUE
from pickomino.rules.settle import bust
from pickomino.rules.turn import play

ClaimView = TypedDict(
    "ClaimView",
    {
        "move": str,
        "tile": int,
        "worms": int,  # on the tile; 0 where only the hen changes hands
        "from": str,  # "grill", or the letter of the seat that is robbed
        "specialist": NotRequired[str | None],  # who comes along; the crow brings a round worm, not itself
    },
)
"""A tile that stopping now would bring."""


class KeepView(TypedDict):
    """A face that may be kept, and where that leads."""

    move: str
    face: str
    count: int
    total: int
    has_worm: bool
    bust: bool  # the keep itself ends the turn with nothing to claim
    claims: list[ClaimView]  # what could be claimed right after it


class BustView(TypedDict):
    """What a bust would cost the seat to act now."""

    returned: int | None
    flipped: int | None
    worms: int  # how many fewer the seat would have
    specialist: NotRequired[str | None]


class View(TypedDict):
    edition: str
    position: str  # as notation; empty in passing
    phase: str  # "settling" in passing
    seat: str | None  # to act
    grill: list[int]
    flipped: list[int]
    stacks: list[list[int]]  # bottom first
    tops: list[int | None]
    kept: str
    rolled: str
    total: int
    has_worm: bool
    dice_left: int  # not yet kept, the golden die included
    faces_left: list[str]  # not yet kept: what a roll may still bring
    moves: list[str]
    keeps: list[KeepView]
    claims: list[ClaimView]
    bust: BustView | None  # None once the claim is made or the game is over
    bust_prob: float | None  # that the next roll ends the turn with nothing; None where none can come next
    scores: list[int]
    over: bool
    winners: list[str]
    reason: str | None
    ranks: list[int] | None
    specialists: NotRequired[dict[str, int | str | None]]  # tile, seat, or None when out of the game
    round_worms: NotRequired[list[int]]
    supply: NotRequired[int]
    golden_die: NotRequired[bool]  # it is in this turn
    golden_left: NotRequired[bool]  # and not yet kept
    weasel_left: NotRequired[bool]  # the seat to act can still send the weasel in this turn


def view(position: Position, *, passing: bool = False) -> View:
    """Everything that a person or a client is shown.

    `passing`: the game only comes through here on its way to the next position, so nothing is offered.
    """
    over, outcome, specialists = position.over, position.outcome, position.specialists
    lying = _lying(position.edition, position.grill, position.stacks, specialists)
    hand = _hand(position.edition, position.kept, position.has_can, position.gold_joined)
    moves = () if passing else position.moves()
    shown: View = {
        "edition": position.edition.key,
        "position": "" if passing else str(position),
        "phase": "settling" if passing else position.phase.value,
        "seat": None if over else position.seat_letter,
        "grill": list(position.grill),
        "flipped": list(lying.flipped),
        "stacks": list(map(list, position.stacks)),
        "tops": list(lying.tops),
        "kept": position.kept,
        "rolled": position.rolled,
        "total": hand.total,
        "has_worm": hand.has_worm,
        "dice_left": 0 if over else hand.dice_left,
        "faces_left": [] if over else list(hand.faces_left),
        "moves": list(map(str, moves)),
        "keeps": [_keep(position, move) for move in moves if type(move) is Keep],
        "claims": [] if passing else claim_views(position),
        "bust": None if passing else bust_view(position),
        "bust_prob": None if passing else bust_prob(position),
        "scores": list(lying.scores),
        "over": over,
        "winners": [] if outcome is None else [SEATS[seat] for seat in outcome.winners],
        "reason": None if outcome is None else outcome.reason,
        "ranks": None if outcome is None else list(outcome.ranks),
    }
    if specialists is not None:
        places: dict[str, int | str | None] = {name: None for name, _ in position.edition.specialists}
        places |= {name: tile for tile, name in specialists.standing}
        places |= {name: SEATS[seat] for seat, held in enumerate(specialists.held) for name in held}
        shown["specialists"] = places
        shown["round_worms"] = list(specialists.round_worms)
        shown["supply"] = specialists.supply(position.edition)
        shown["golden_die"] = specialists.gold_joined
        shown["golden_left"] = not over and position.dice_to_roll[1]
        shown["weasel_left"] = _weasel_left(position, specialists)
    return shown


class _Hand(NamedTuple):
    """What only the kept dice say."""

    total: int
    has_worm: bool
    dice_left: int
    faces_left: tuple[str, ...]


@lru_cache(maxsize=4096)  # two thousand sets of kept dice per edition
def _hand(edition: Edition, kept: str, can: bool, gold_joined: bool) -> _Hand:
    total, has_worm = tally(edition, kept, can) if kept else (0, False)
    faces = tuple(face.sign for face in edition.faces if face.sign not in kept)
    return _Hand(total, has_worm, sum(dice_to_roll(edition, kept, gold_joined)), faces)


class _Lying(NamedTuple):
    """What lies where between turns: only a turn's end changes it."""

    flipped: tuple[int, ...]
    tops: tuple[int | None, ...]
    scores: tuple[int, ...]


@lru_cache(maxsize=1024)  # a table in play asks for one
def _lying(
    edition: Edition,
    grill: tuple[int, ...],
    stacks: tuple[tuple[int, ...], ...],
    specialists: Specialists | None,
) -> _Lying:
    position = Position(edition, grill, stacks, 0, Phase.ROLL, specialists=specialists)
    return _Lying(position.flipped, position.tops, position.scores)


def claim_views(position: Position) -> list[ClaimView]:
    """What may be claimed now; nothing unless roll or stop is due."""
    return [_claim(position, claim) for claim in claims(position)] if position.phase is GO_DUE else []


def _claim(position: Position, claim: Take | Steal) -> ClaimView:
    shown: ClaimView = {
        "move": str(claim),
        "tile": claim.tile,
        "worms": position.edition.worms[claim.tile],
        "from": "grill" if isinstance(claim, Take) else SEATS[position.tops.index(claim.tile)],
    }
    if position.specialists is not None:
        events = play(position, claim)[1]  # without specialists the tile itself is all there is to gain
        if not any(isinstance(event, Took | Stole) for event in events):
            shown["worms"] = 0
        came = [event.specialist for event in events if isinstance(event, GotSpecialist)]
        if isinstance(claim, Take) and position.specialists.on(claim.tile) == "crow":
            came.append("crow")
        shown["specialist"] = came[0] if came else None
    return shown


def keep_views(position: Position) -> list[KeepView]:
    """The faces that may be kept, each with the total and the claims that it leads to."""
    return [_keep(position, move) for move in position.moves() if isinstance(move, Keep)]


def _keep(position: Position, move: Keep) -> KeepView:
    after, events = play(position, move)
    kept = events[0]
    assert isinstance(kept, Kept)
    return {
        "move": str(move),
        "face": move.face,
        "count": kept.count,
        "total": kept.total,
        "has_worm": move.face == WORM or WORM in position.kept or position.has_can,
        "bust": len(events) > 1 and any(isinstance(event, Busted) for event in events),
        "claims": claim_views(after),
    }


def bust_view(position: Position) -> BustView | None:
    """What the rules would do to the seat to act if it bust now."""
    if position.over or (not position.kept and position.phase in (Phase.GIVER, Phase.PUT_BACK)):
        return None  # the claim is made
    specialists = position.specialists
    returned, flipped, worms, lost = _bust_cost(
        position.edition, position.grill, position.stacks, position.seat, specialists
    )
    shown: BustView = {"returned": returned, "flipped": flipped, "worms": worms}
    if specialists is not None:
        shown["specialist"] = lost
    return shown


@lru_cache(maxsize=1024)  # the dice do not matter, so a turn asks this many times
def _bust_cost(
    edition: Edition,
    grill: tuple[int, ...],
    stacks: tuple[tuple[int, ...], ...],
    seat: int,
    specialists: Specialists | None,
) -> tuple[int | None, int | None, int, str | None]:
    """The tile returned, the tile flipped, the worms lost and the specialist lost."""
    position = Position(edition, grill, stacks, seat, Phase.ROLL, specialists=specialists)
    after, events = bust(position)
    returned = next((event.tile for event in events if isinstance(event, Returned)), None)
    flipped = next((event.tile for event in events if isinstance(event, Flipped)), None)
    lost: set[str] = set()
    if specialists is not None and after.specialists is not None:
        lost = set(specialists.held[seat]) - set(after.specialists.held[seat])
    return returned, flipped, position.scores[seat] - after.scores[seat], min(lost, default=None)


def bust_prob(position: Position) -> float | None:
    """How likely the next roll ends the turn with nothing, whatever is kept of it.

    A weasel gives every such roll a second try (D8.2).
    """
    phase, specialists = position.phase, position.specialists
    if not (phase is ROLL_DUE or phase is Phase.GOLD or (phase is GO_DUE and position.can_roll)):
        return None
    chance = roll_bust_prob(position)
    return chance**2 if specialists is not None and _weasel_left(position, specialists) else chance


def roll_bust_prob(position: Position) -> float:
    """The same of that roll alone, whatever the weasel may do after it.

    It ends the turn if no new face comes up, and if the only new one must be kept as the turn's last and leads to no
    claim.
    """
    edition = position.edition
    lost, of, lasts = _hopeless(edition, *position.dice_to_roll, position.kept)
    for kept, weight in lasts:
        stop = Position(
            edition, position.grill, position.stacks, position.seat, GO_DUE, kept, "", position.specialists
        )
        lost += 0 if claims(stop) else weight
    return lost / of


def _weasel_left(position: Position, specialists: Specialists) -> bool:
    return not (position.over or specialists.weasel_used) and specialists.holds(position.seat, "weasel")


@lru_cache(maxsize=4096)
def _hopeless(edition: Edition, white: int, gold: bool, kept: str) -> tuple[int, int, list[tuple[str, int]]]:
    """The weight of the rolls without a new face, that of all rolls, and what is kept after those rolls whose keep
    is the turn's last: all dice show one new face, or it is the only face left.
    """
    rolls = chances(edition, white, gold)
    none, lasts = 0, dict[str, int]()
    for roll, weight in rolls.items():
        new = set(roll.dice).difference(kept, "+")
        if not new:
            none += weight
        elif len(new) == 1:
            after = add(kept, roll.dice, *new)
            if not may_roll(edition, after, gold or "+" in kept):
                lasts[after] = lasts.get(after, 0) + weight
    return none, sum(rolls.values()), list(lasts.items())
