"""A naive Pickomino engine, written from the clauses alone; slow, literal, and only for tests.

Text in, text out: moves and rolls are the texts of the notation, positions are `pkp1` texts.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import combinations_with_replacement
from math import factorial
from types import MappingProxyType
from typing import Literal, TypedDict

# What the seat to act is waiting for; the comment is the `pending` part of the position text.
Phase = Literal[
    "dice",  # ?   the dice are about to fall
    "keep",  # the rolled faces: choose one to keep
    "stop",  # -   roll on, claim, or stop with nothing
    "golden",  # +?  does the golden die join the turn (D8.1)
    "giver",  # ^   who gives the round worm (D11.1)
    "back",  # <   which of two specialists goes back (D10.4)
    "over",
]

SEATS = "ABCDEFG"  # R1.1
FACES = "12345W"  # R1.3


def worms_on(tile: int) -> int:
    """R1.2, D7.1."""
    if tile <= 24:
        return 1
    if tile <= 28:
        return 2
    if tile <= 32:
        return 3
    return 4


@dataclass(frozen=True)
class Rules:
    """One row of the table in section 6, or a house edition."""

    worms: Mapping[int, int]  # R1.2, D7.1: the tiles and what they carry
    pips: Mapping[str, int]  # R1.3: the faces and what they count
    sides: Mapping[str, int]  # how many sides of a die show each face
    dice: int = 8  # R1.3
    steal_mandatory: bool = False
    lower_any: bool = False
    fast: bool = False
    flip_when_nothing_returned: bool = False
    shared_ties: bool = False
    exact_only: tuple[int, ...] = ()  # D9.2, D9.3, D9.4
    specialists: tuple[tuple[str, int], ...] = ()
    golden_sides: Mapping[str, int] = field(default_factory=dict)  # D7.5
    supply: int = 0  # D7.3


_CLASSIC = Rules(
    worms={tile: worms_on(tile) for tile in range(21, 37)},
    pips={"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5},
    sides=dict.fromkeys(FACES, 1),
)
_FIVE = (("can", 11), ("hen", 21), ("crow", 23), ("weasel", 25), ("gold", 27))  # D7.2
_EXTRAWURM = replace(
    _CLASSIC,
    worms={tile: worms_on(tile) for tile in (11, 13, *range(21, 37))},  # D7.1
    steal_mandatory=True,
    exact_only=(11, 13),
    specialists=_FIVE,
    golden_sides={"1": 3, "W": 3},
    supply=7,
)
_PRINTED = {
    "classic": _CLASSIC,
    "summary": replace(_CLASSIC, steal_mandatory=True, lower_any=True, flip_when_nothing_returned=True),
    "course": replace(_CLASSIC, steal_mandatory=True, flip_when_nothing_returned=True, shared_ties=True),
    "deluxe": replace(_EXTRAWURM, specialists=(*_FIVE, ("apple", 29))),
    "extrawurm": _EXTRAWURM,
}
_HOUSES: dict[str, Rules] = {}


@cache
def _rules(key: str) -> Rules:
    """Section 6: the edition of a key."""
    if key in _HOUSES:
        return _HOUSES[key]
    base, *switches = key.split("+")
    known = {"any-lower", "fast", "flip-empty", "shared-ties"}
    if base == "classic":
        known.add("mandatory-steal")
    elif base not in ("deluxe", "extrawurm"):
        known = set()
    if base not in _PRINTED or switches != sorted(set(switches) & known):
        raise ValueError(f"no such edition: {key!r}")
    return _with_switches(_PRINTED[base], switches)


def _with_switches(rules: Rules, switches: list[str]) -> Rules:
    return replace(
        rules,
        steal_mandatory=rules.steal_mandatory or "mandatory-steal" in switches,
        lower_any=rules.lower_any or "any-lower" in switches,
        fast="fast" in switches,
        flip_when_nothing_returned=rules.flip_when_nothing_returned or "flip-empty" in switches,
        shared_ties=rules.shared_ties or "shared-ties" in switches,
    )


def house(toml: str) -> str:
    """Makes a house edition known; the answer is its key. The TOML is believed to be canonical."""
    data = tomllib.loads(toml)
    worms: dict[int, int] = {}
    for tiles, count in data["tiles"].items():
        low, _, high = tiles.partition("-")
        worms.update(dict.fromkeys(range(int(low), int(high or low) + 1), count))
    faces = {
        sign: face if isinstance(face, dict) else {"pips": face, "sides": 1}
        for sign, face in data["faces"].items()
    }
    rules = Rules(
        worms=worms,
        pips={sign: face["pips"] for sign, face in faces.items()},
        sides={sign: face["sides"] for sign, face in faces.items()},
        dice=data["dice"],
        exact_only=tuple(data.get("exact_only", ())),
        specialists=tuple(data.get("specialists", {}).items()),
        golden_sides=data.get("golden_die", {}),
        supply=data.get("round_worms", 0),
    )
    key = "house-" + sha256(toml.encode()).hexdigest()[:8]
    _HOUSES[key] = _with_switches(rules, data.get("switches", []))
    return key


@dataclass
class State:
    """A position. Nothing outside this module changes one."""

    edition: str
    grill: list[int]  # face-up tiles, ascending
    stacks: list[list[int]]  # per seat, bottom first
    seat: int  # -1 when the game is over
    phase: Phase
    kept: list[str]  # white dice, sorted
    kept_gold: str  # the golden die's face, "" = not kept
    roll: list[str]  # white dice just rolled, sorted
    roll_gold: str
    gold_joined: bool  # the golden die is in this turn
    weasel_used: bool
    specialists: dict[str, str]  # name -> place, a tile ("21") or a seat ("B"); absent = left the game
    round_worms: list[int]  # per seat; [] in editions without them


class Outcome(TypedDict):
    scores: list[int]
    winners: list[str]
    reason: str | None
    ranks: list[int]


def _copy(state: State) -> State:
    return State(
        state.edition,
        list(state.grill),
        [list(stack) for stack in state.stacks],
        state.seat,
        state.phase,
        list(state.kept),
        state.kept_gold,
        list(state.roll),
        state.roll_gold,
        state.gold_joined,
        state.weasel_used,
        dict(state.specialists),
        list(state.round_worms),
    )


def start(edition_key: str, seats: int, first: int = 0) -> State:
    """The position before the first roll."""
    rules = _rules(edition_key)
    if not 2 <= seats <= 7 or not 0 <= first < seats:  # R1.1
        raise ValueError(f"no such table: {seats} seats, seat number {first} first")
    return State(
        edition=edition_key,
        grill=list(rules.worms),  # R1.4, D7.1
        stacks=[[] for _ in range(seats)],
        seat=first,
        phase="dice",
        kept=[],
        kept_gold="",
        roll=[],
        roll_gold="",
        gold_joined=False,
        weasel_used=False,
        specialists={name: f"{tile:02}" for name, tile in rules.specialists},  # D7.2
        round_worms=[0] * seats if rules.specialists else [],
    )


# --- looking at a position ---


def _holds(state: State, seat: int, name: str) -> bool:
    return state.specialists.get(name) == SEATS[seat]


def _specialists_at(state: State, place: str) -> list[str]:
    return sorted(name for name, where in state.specialists.items() if where == place)


def _kept_faces(state: State) -> list[str]:
    """D8.3: white and golden alike."""
    return state.kept + ([state.kept_gold] if state.kept_gold else [])


def _rolled_faces(state: State) -> list[str]:
    return state.roll + ([state.roll_gold] if state.roll_gold else [])


def _can_helps(state: State) -> bool:
    """D9.1: the can stands in when no kept die is a worm."""
    return _holds(state, state.seat, "can") and "W" not in _kept_faces(state)


def total(state: State) -> int:
    """R2.6, with the can of D9.1; 0 while nothing is kept."""
    faces = _kept_faces(state)
    if not faces:
        return 0
    pips = _rules(state.edition).pips  # R1.3
    return sum(pips[face] for face in faces) + (pips["W"] if _can_helps(state) else 0)


def _white_left(state: State) -> int:
    return _rules(state.edition).dice - len(state.kept)


def _gold_left(state: State) -> bool:
    return state.gold_joined and not state.kept_gold


def _may_roll_on(state: State) -> bool:
    """R2.4; the can is no face (D9.1)."""
    dice_left = _white_left(state) > 0 or _gold_left(state)
    return dice_left and len(set(_kept_faces(state))) < len(_rules(state.edition).pips)


def _legal_keeps(state: State) -> list[str]:
    """R2.2."""
    return sorted(set(_rolled_faces(state)) - set(_kept_faces(state)))


def _weasel_ready(state: State) -> bool:
    """D8.2."""
    return _holds(state, state.seat, "weasel") and not state.weasel_used


def _steals(state: State, wanted: int) -> list[str]:
    """R3.3, R3.6: the wanted tile on top of another stack."""
    others = [stack for seat, stack in enumerate(state.stacks) if seat != state.seat]
    return [f"x{wanted:02}" for stack in others if stack and stack[-1] == wanted]


def _claims(state: State) -> list[str]:
    rules = _rules(state.edition)
    if "W" not in _kept_faces(state) and not _can_helps(state):  # R3.1, D9.1
        return []
    wanted = total(state)
    if wanted in state.grill:  # R3.2, D9.2
        return [f"t{wanted:02}"]
    steals = [] if wanted in rules.exact_only else _steals(state, wanted)  # R3.3, D9.3
    if steals and rules.steal_mandatory:
        return steals
    lower = [tile for tile in state.grill if tile < wanted and tile not in rules.exact_only]  # R3.4, D9.4
    if not rules.lower_any:
        lower = lower[-1:]  # the nearest: the grill is ascending
    return steals + [f"t{tile:02}" for tile in lower]  # optional: pass over the steal and take the lower tile


def _givers(state: State) -> list[int]:
    """D11.1: the other players who have a round worm, less the hen's holder."""
    return [
        seat
        for seat, count in enumerate(state.round_worms)
        if seat != state.seat and count > 0 and not _holds(state, seat, "hen")
    ]


def moves(state: State) -> list[str]:
    """The legal moves, sorted by text; none when dice are due or the game is over."""
    found: list[str] = []
    if state.phase == "golden":
        found = ["g", "n"]
    elif state.phase == "keep":
        found = [f"k{face}" for face in _legal_keeps(state)]
        if not found:
            found = ["s"]  # only an unused weasel leaves a dead roll on the table
        if _weasel_ready(state):
            found.append("w")
    elif state.phase == "stop":
        found = _claims(state) or ["s"]  # R2.5: a possible claim must be made
        if _may_roll_on(state):
            found.append("r")
    elif state.phase == "giver":
        found = [f"^{SEATS[seat]}" for seat in _givers(state)]
    elif state.phase == "back":
        found = [f"<{name}" for name in _specialists_at(state, SEATS[state.seat])]
    return sorted(found)


@cache
def _outcomes(edition: str, white: int, gold: bool) -> Mapping[str, int]:
    """Every roll of so many white dice, with or without the golden one, and its weight out of sides**n."""
    rules = _rules(edition)
    result: dict[str, int] = {}
    for faces in combinations_with_replacement(rules.sides, white):
        weight = factorial(white)
        for face, sides in rules.sides.items():
            weight = weight // factorial(faces.count(face)) * sides ** faces.count(face)
        if gold:
            for face, sides in rules.golden_sides.items():  # D7.5
                result[f"={''.join(faces)}+{face}"] = sides * weight
        else:
            result[f"={''.join(faces)}"] = weight
    return MappingProxyType(result)


def rolls(state: State) -> dict[str, int]:
    """The rolls that can fall and their weights; empty when no dice are due."""
    if state.phase != "dice":
        return {}
    return dict(_outcomes(state.edition, _white_left(state), _gold_left(state)))  # R2.1


# --- one ply ---


def apply(state: State, ply: str) -> State:
    """The position after a move or a roll and all its consequences; the argument is left alone."""
    new = _copy(state)
    if ply.startswith("="):
        if ply not in rolls(state):
            raise ValueError(f"no such roll: {ply!r} in {text(state)}")
        _fall(new, ply)
        return new
    if ply not in moves(state):
        raise ValueError(f"no such move: {ply!r} in {text(state)}")
    kind, rest = ply[0], ply[1:]
    if kind == "k":
        _keep(new, rest)
    elif kind == "r":
        new.phase = "dice"
    elif kind == "w":  # D8.2: the same dice fall again
        new.weasel_used = True
        new.roll, new.roll_gold = [], ""
        new.phase = "dice"
    elif kind in ("g", "n"):  # D8.1
        new.gold_joined = kind == "g"
        new.phase = "dice"
    elif kind == "s":  # R2.5, and a dead roll left as it is
        _bust(new)
    elif kind == "t":
        _take(new, int(rest))
    elif kind == "x":
        _steal(new, int(rest))
    elif kind == "^":
        _take_round_worm_from(new, SEATS.index(rest))
        if new.kept:  # the turn goes on, or ends with nothing to claim
            _after_keep(new)
        else:  # the claim was made
            _end_turn(new)
    elif kind == "<":
        _put_back(new, rest)  # D10.4
        _end_turn(new)
    return new


def _fall(state: State, ply: str) -> None:
    white, _, gold = ply[1:].partition("+")
    state.roll, state.roll_gold = list(white), gold
    state.phase = "keep"
    if not _legal_keeps(state) and not _weasel_ready(state):  # R2.3, D8.2
        _bust(state)


def _keep(state: State, face: str) -> None:
    count = _rolled_faces(state).count(face)
    state.kept = sorted(state.kept + [die for die in state.roll if die == face])  # R2.2
    if state.roll_gold == face:  # D8.3
        state.kept_gold = face
    state.roll, state.roll_gold = [], ""
    if _rules(state.edition).specialists and face == "1" and count >= 2:  # D8.4
        _earn_round_worm(state)
        if state.phase == "giver":
            return
    _after_keep(state)


def _after_keep(state: State) -> None:
    """R2.4: a turn that stops with nothing to claim is a bust in the same ply."""
    state.phase = "stop"
    if not _may_roll_on(state) and not _claims(state):
        _bust(state)


def _earn_round_worm(state: State) -> None:
    """D11.1. Leaves the phase "giver" where there is a choice."""
    if sum(state.round_worms) < _rules(state.edition).supply:
        state.round_worms[state.seat] += 1
        return
    givers = _givers(state)
    if len(givers) == 1:
        _take_round_worm_from(state, givers[0])
    elif len(givers) > 1:
        state.phase = "giver"


def _take_round_worm_from(state: State, giver: int) -> None:
    state.round_worms[giver] -= 1
    state.round_worms[state.seat] += 1


def _put_back(state: State, name: str) -> None:
    """D13.1: to the smallest free tile (D7.4), or out of the game."""
    free = [tile for tile in state.grill if not _specialists_at(state, f"{tile:02}")]
    if free:
        state.specialists[name] = f"{free[0]:02}"
    else:
        del state.specialists[name]


def _clear_dice(state: State) -> None:
    state.kept, state.kept_gold = [], ""
    state.roll, state.roll_gold = [], ""
    state.gold_joined = False
    state.weasel_used = False


def _take(state: State, tile: int) -> None:
    _clear_dice(state)
    state.grill.remove(tile)
    state.stacks[state.seat].append(tile)  # R3.6
    for name in _specialists_at(state, f"{tile:02}"):  # one at most (D7.2)
        if name == "crow":  # D10.2; the crow has moved on by the time the giver is asked
            _put_back(state, "crow")
            _earn_round_worm(state)
            if state.phase == "giver":
                return
        else:
            state.specialists[name] = SEATS[state.seat]  # D10.1
    _after_claim(state)


def _steal(state: State, tile: int) -> None:
    _clear_dice(state)
    owner = next(
        seat for seat, stack in enumerate(state.stacks) if seat != state.seat and stack and stack[-1] == tile
    )
    if _holds(state, owner, "hen"):  # D10.3: only the hen changes hands
        state.specialists["hen"] = SEATS[state.seat]
    else:
        state.stacks[owner].pop()
        state.stacks[state.seat].append(tile)  # R3.6
        for name in _specialists_at(state, SEATS[owner]):  # D10.3
            state.specialists[name] = SEATS[state.seat]
    _after_claim(state)


def _after_claim(state: State) -> None:
    if len(_specialists_at(state, SEATS[state.seat])) > 1:  # D10.4
        state.phase = "back"
    else:
        _end_turn(state)


def _return_top(state: State) -> int | None:
    """R4.1, D12.2."""
    if not state.stacks[state.seat]:
        return None
    tile = state.stacks[state.seat].pop()
    state.grill = sorted([*state.grill, tile])
    return tile


def _bust(state: State) -> None:
    _bust_costs(state)
    _end_turn(state)


def _bust_costs(state: State) -> None:
    rules = _rules(state.edition)
    if _holds(state, state.seat, "hen"):  # D12.1 comes before every switch
        if state.stacks[state.seat]:
            _put_back(state, "hen")
        return
    returned = _return_top(state)  # R4.1; D12.2, in its order
    for name in _specialists_at(state, SEATS[state.seat]):
        _put_back(state, name)
    highest = state.grill[-1]
    if returned is None:
        flips = rules.flip_when_nothing_returned  # R4.3
    elif returned == highest:
        flips = rules.fast  # R4.2, R4.4
    else:
        flips = True  # R4.2
    if flips:
        state.grill.remove(highest)
        for name in _specialists_at(state, f"{highest:02}"):
            _put_back(state, name)


def _end_turn(state: State) -> None:
    _clear_dice(state)
    if not state.grill:  # R5.1
        state.phase, state.seat = "over", -1
        return
    state.seat = (state.seat + 1) % len(state.stacks)  # R1.1: clockwise
    state.phase = "golden" if _holds(state, state.seat, "gold") else "dice"  # D8.1


# --- result ---


def outcome(state: State) -> Outcome:
    """Worms and ranks as they stand; winners and the reason only when the game is over."""
    scores = []
    for seat, stack in enumerate(state.stacks):
        score = sum(_rules(state.edition).worms[tile] for tile in stack)
        if state.round_worms:
            score += state.round_worms[seat]  # D11.2, D13.2
        if _holds(state, seat, "apple"):
            score += 3  # D13.2
        scores.append(score)
    if _rules(state.edition).shared_ties:
        order = [(score, 0) for score in scores]
    else:  # R5.2; R5.3: no tile ranks below any tile
        order = [(score, max(stack, default=0)) for score, stack in zip(scores, state.stacks, strict=True)]
    ranks = [1 + sum(other > mine for other in order) for mine in order]
    if state.phase != "over":
        return {"scores": scores, "winners": [], "reason": None, "ranks": ranks}
    winners = [SEATS[seat] for seat, rank in enumerate(ranks) if rank == 1]
    if len(winners) > 1:
        reason = "shared"
    elif scores.count(max(scores)) > 1:
        reason = "tie-break"
    else:
        reason = "worms"
    return {"scores": scores, "winners": winners, "reason": reason, "ranks": ranks}


# --- position text ---


def _grill_text(grill: list[int]) -> str:
    runs: list[list[int]] = []
    for tile in grill:
        if runs and runs[-1][-1] == tile - 1:
            runs[-1].append(tile)
        else:
            runs.append([tile])
    parts: list[str] = []
    for run in runs:
        if len(run) >= 3:
            parts.append(f"{run[0]:02}-{run[-1]:02}")
        else:
            parts.extend(f"{tile:02}" for tile in run)
    return ",".join(parts) or "-"


def _dice_text(white: list[str], gold: str) -> str:
    return "".join(white) + (f"+{gold}" if gold else "") or "-"


def _pending_text(state: State) -> str:
    plus = "+" if _gold_left(state) else ""
    if state.phase == "keep":
        return _dice_text(state.roll, state.roll_gold)
    if state.phase == "golden":
        return "+?"
    return {"dice": "?", "stop": "-", "giver": "^", "back": "<", "over": "-"}[state.phase] + plus


def _specialist_text(state: State) -> str:
    parts = []
    for name, place in sorted(state.specialists.items()):
        star = "*" if name == "weasel" and state.weasel_used else ""
        parts.append(f"{name}@{place}{star}")
    return ",".join(parts) or "-"


def text(state: State) -> str:
    """The canonical `pkp1` text."""
    fields = [
        "pkp1",
        state.edition,
        _grill_text(state.grill),
        "/".join(",".join(f"{tile:02}" for tile in stack) or "-" for stack in state.stacks),
        "-" if state.phase == "over" else SEATS[state.seat],
        f"{_dice_text(state.kept, state.kept_gold)}:{_pending_text(state)}",
    ]
    if _rules(state.edition).specialists:
        fields.append(_specialist_text(state))
        fields.append("/".join(str(count) for count in state.round_worms))
    return " ".join(fields)


def _parse_tiles(field: str) -> list[int]:
    tiles: list[int] = []
    for part in field.split(",") if field != "-" else []:
        low, _, high = part.partition("-")
        tiles.extend(range(int(low), int(high or low) + 1))
    return tiles


def from_text(position: str) -> State:
    """The state of a canonical `pkp1` text. Nothing is checked."""
    _, edition, grill, stacks, seat, dice, *deluxe = position.split(" ")
    kept, _, pending = dice.partition(":")
    kept_white, _, kept_gold = kept.removeprefix("-").partition("+")
    signs: dict[str, Phase] = {"?": "dice", "-": "stop", "^": "giver", "<": "back"}
    phase: Phase = "keep"
    roll_white = roll_gold = ""
    if seat == "-":
        phase = "over"
    elif pending == "+?":
        phase = "golden"
    elif pending.removesuffix("+") in signs:
        phase = signs[pending.removesuffix("+")]
    else:
        roll_white, _, roll_gold = pending.partition("+")
    specialists: dict[str, str] = {}
    if deluxe and deluxe[0] != "-":
        specialists = dict(item.removesuffix("*").split("@") for item in deluxe[0].split(","))
    return State(
        edition=edition,
        grill=_parse_tiles(grill),
        stacks=[_parse_tiles(stack) for stack in stacks.split("/")],
        seat=SEATS.find(seat),  # -1 when the game is over
        phase=phase,
        kept=list(kept_white),
        kept_gold=kept_gold,
        roll=list(roll_white),
        roll_gold=roll_gold,
        gold_joined="+" in dice and phase != "golden",
        weasel_used=bool(deluxe) and "*" in deluxe[0],
        specialists=specialists,
        round_worms=[int(count) for count in deluxe[1].split("/")] if deluxe else [],
    )
