"""What a ply brings about, told in the order of the table: the events of every way to end or to go on with a turn."""

import pytest

from pickomino.notation import parse_ply, parse_position
from pickomino.rules import SEATS, Outcome, Position
from pickomino.rules.events import (
    Busted,
    Event,
    Flipped,
    GameOver,
    GoldUsed,
    GotRoundWorm,
    GotSpecialist,
    Kept,
    Returned,
    Rolled,
    SpecialistLeft,
    SpecialistMoved,
    Stole,
    Took,
    TurnStarted,
    WeaselUsed,
)

DEAD = "355WWW"  # kept; a roll of 5W is then a bust (R2.3)
BUST: tuple[Event, ...] = (Rolled(0, "5W"), Busted(0))
B = TurnStarted(1)

CLASSIC = [
    ("R2.1 the first dice", "classic 21-36 -/- A -:?", "=112345WW", (Rolled(0, "112345WW"),)),
    ("R2.2 all dice of a face", "classic 21-36 -/- A 5:1124455", "k4", (Kept(0, "4", 2, 13),)),
    ("R2.4 on with the rest", "classic 21-36 -/- A 5:-", "r", ()),
    ("R2.5 nothing to claim", "classic 30 -/- A 44WWW:-", "s", (Busted(0), B)),
    ("R3.2 from the grill", "classic 21-24 -/25 A 4555W:-", "t24", (Took(0, 24), B)),
    ("R3.3 from another", "classic 21 22/36,25 A 5555W:-", "x25", (Stole(0, 25, 1), B)),
    ("R2.4 the last dice, and a claim", "classic 21-36 -/- A 1144WW:55", "k5", (Kept(0, "5", 2, 30),)),
    ("R3.5 the last die, no worm", "classic 21-36 -/- A 333444:55", "k5", (Kept(0, "5", 2, 31), Busted(0), B)),
    ("R4.1 the highest is what came back", f"classic 21 22,30/- A {DEAD}:?", "=5W", (*BUST, Returned(0, 30), B)),
    ("R4.2 another is the highest", f"classic 36 30/- A {DEAD}:?", "=5W", (*BUST, Returned(0, 30), Flipped(36), B)),
    ("R4.3 nothing came back", f"classic 36 -/30 A {DEAD}:?", "=5W", (*BUST, B)),
    ("R4.3 flipped all the same", f"summary 35,36 -/30 A {DEAD}:?", "=5W", (*BUST, Flipped(36), B)),
    ("R4.4 what came back is flipped", f"classic+fast 21 30/- A {DEAD}:?", "=5W",
     (*BUST, Returned(0, 30), Flipped(30), B)),
    ("R5.1 the last tile", "classic 21 22/23,36 A 1555W:-", "t21",
     (Took(0, 21), GameOver(Outcome((2, 5), (2, 1), (1,), "worms")))),
    ("R5.1 the last tile, flipped", f"course 21 -/30 A {DEAD}:?", "=5W",
     (*BUST, Flipped(21), GameOver(Outcome((0, 3), (2, 1), (1,), "worms")))),
]  # fmt: skip

DELUXE = [
    ("D8.1 the golden die", "21-36 -/- A -:+? gold@A 0/0", "g", (GoldUsed(0),)),
    ("D8.1 without it", "21-36 -/- A -:+? gold@A 0/0", "n", ()),
    ("D8.2 the weasel", "21-36 -/- A 5:1112345 weasel@A 0/0", "w", (WeaselUsed(0),)),
    ("D8.2 a roll that only the weasel saves", f"21-36 -/- A {DEAD}:? weasel@A 0/0", "=5W", (Rolled(0, "5W"),)),
    ("D8.4 two ones", "21-36 -/- A -:112345WW - 0/0", "k1", (Kept(0, "1", 2, 2), GotRoundWorm(0, None))),
    ("D8.4 from the only giver", "21-36 -/- A -:112345WW - 0/7", "k1", (Kept(0, "1", 2, 2), GotRoundWorm(0, 1))),
    ("D8.4 others have some, the supply too", "21-36 -/-/- A -:112345WW - 0/1/1", "k1",
     (Kept(0, "1", 2, 2), GotRoundWorm(0, None))),
    ("D8.4 one's own do not count", "21-36 -/- A -:112345WW - 3/4", "k1", (Kept(0, "1", 2, 2), GotRoundWorm(0, 1))),
    ("D8.4 who has none cannot give", "21-36 -/-/- A -:112345WW - 0/7/0", "k1",
     (Kept(0, "1", 2, 2), GotRoundWorm(0, 1))),
    ("D8.4 from nobody", "21-36 -/- A -:112345WW hen@B 0/7", "k1", (Kept(0, "1", 2, 2),)),
    ("D8.4 two could give", "21-36 -/-/- A -:112345WW - 0/3/4", "k1", (Kept(0, "1", 2, 2),)),
    ("D8.4 one is not enough", "21-36 -/- A -:1234555W - 0/0", "k1", (Kept(0, "1", 1, 1),)),
    ("D8.4 no other face", "21-36 -/- A -:2234555W - 0/0", "k2", (Kept(0, "2", 2, 4),)),
    ("D10.1 the specialist of the tile", "21,24 -/- A 4555W:- weasel@24 0/0", "t24",
     (Took(0, 24), GotSpecialist(0, "weasel", None), B)),
    ("D10.1 a second one", "21,24 -/- A 4555W:- hen@A,weasel@24 0/0", "t24",
     (Took(0, 24), GotSpecialist(0, "weasel", None))),
    ("D10.2 the crow goes on", "21-24 -/- A 3555W:- crow@23 0/0", "t23",
     (Took(0, 23), GotRoundWorm(0, None), SpecialistMoved("crow", 21), B)),
    ("D10.2 from the only giver", "21-24 -/- A 3555W:- crow@23 0/7", "t23",
     (Took(0, 23), GotRoundWorm(0, 1), SpecialistMoved("crow", 21), B)),
    ("D10.2 from nobody", "21-24 -/- A 3555W:- crow@23,hen@B 0/7", "t23",
     (Took(0, 23), SpecialistMoved("crow", 21), B)),
    ("D10.2 two could give", "21-24 -/-/- A 3555W:- crow@23 0/3/4", "t23",
     (Took(0, 23), SpecialistMoved("crow", 21))),
    ("D10.3 with the owner's specialist", "21 -/24 A 4555W:- can@B 0/0", "x24",
     (Stole(0, 24, 1), GotSpecialist(0, "can", 1), B)),
    ("D10.3 the hen for the tile", "21 -/24 A 4555W:- hen@B 0/0", "x24", (GotSpecialist(0, "hen", 1), B)),
    ("D10.3 from who has none", "21 -/24 A 4555W:- can@21 0/0", "x24", (Stole(0, 24, 1), B)),
    ("D10.4 one goes back", "21,22 24/- A -:< can@A,hen@A 0/0", "<can", (SpecialistMoved("can", 21), B)),
    ("D10.4 no tile is free", "21 24/- A -:< can@A,crow@21,hen@A 0/0", "<can", (SpecialistLeft("can"), B)),
    ("D11.1 chosen in the turn", "21-24 -/-/- A 11:^ - 0/3/4", "^C", (GotRoundWorm(0, 2),)),
    ("D11.1 chosen, and the turn is a bust", "21-24 -/-/- A 11333444:^ - 0/3/4", "^B",
     (GotRoundWorm(0, 1), Busted(0), B)),
    ("D11.1 chosen after the crow", "21-24 25/-/- A -:^ crow@21 0/3/4", "^C", (GotRoundWorm(0, 2), B)),
    ("D12.1 the hen pays", f"21,36 24/- A {DEAD}:? hen@A 0/0", "=5W", (*BUST, SpecialistMoved("hen", 21), B)),
    ("D12.1 no tile to pay for", f"21,36 -/24 A {DEAD}:? hen@A 0/0", "=5W", (*BUST, B)),
    ("D12.2 tile and specialist go back", f"21,36 24/- A {DEAD}:? can@A,crow@21 0/0", "=5W",
     (*BUST, Returned(0, 24), SpecialistMoved("can", 24), Flipped(36), B)),
    ("D12.2 a specialist without a tile", f"21,36 -/24 A {DEAD}:? can@A 0/0", "=5W",
     (*BUST, SpecialistMoved("can", 21), B)),
    ("D13.1 from the flipped tile", f"21,36 24/- A {DEAD}:? gold@36 0/0", "=5W",
     (*BUST, Returned(0, 24), Flipped(36), SpecialistMoved("gold", 21), B)),
    ("D13.1 out of the game", f"21,36 24/- A {DEAD}:? can@A,crow@21,gold@36 0/0", "=5W",
     (*BUST, Returned(0, 24), SpecialistMoved("can", 24), Flipped(36), SpecialistLeft("gold"), B)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "ply", "told"),
    [
        *(pytest.param(f"pkp1 {before}", ply, told, id=name) for name, before, ply, told in CLASSIC),
        *(pytest.param(f"pkp1 deluxe {before}", ply, told, id=name) for name, before, ply, told in DELUXE),
    ],
)
def test_events(before: str, ply: str, told: tuple[Event, ...]) -> None:
    """What is told; and after each event the table is as it was, with just that event carried out."""
    start, way = parse_position(before), list[Position]()
    after, events = start.apply(parse_ply(ply), way)
    assert events == told
    where = places(start)
    for event, passed in zip(events, [*way, after] if events else [], strict=True):
        carry_out(event, where)
        assert places(passed) == where
    assert parse_position(str(after)) == after  # nothing else is out of place


def places(position: Position) -> dict[int | str, int | str]:
    """Tile or specialist -> the grill, a tile there, a seat's letter or "out"; and how many round worms a seat has."""
    where: dict[int | str, int | str] = dict.fromkeys(position.flipped, "out")
    where |= dict.fromkeys(position.grill, "grill")
    for letter, stack in zip(SEATS, position.stacks, strict=False):
        where |= dict.fromkeys(stack, letter)
    if (specialists := position.specialists) is not None:
        where |= {name: "out" for name, _ in position.edition.specialists}
        where |= {name: tile for tile, name in specialists.standing if tile in position.grill}
        for letter, held, worms in zip(SEATS, specialists.held, specialists.round_worms, strict=False):
            where |= {**dict.fromkeys(held, letter), f"worms of {letter}": worms}
    return where


def carry_out(event: Event, where: dict[int | str, int | str]) -> None:
    """What an event says, and no more. Who stands on a tile that goes is nowhere until told where."""
    match event:
        case Took(_, tile) | Flipped(tile):
            where |= {name: "out" for name, place in where.items() if place == tile}
            where[tile] = SEATS[event.seat] if isinstance(event, Took) else "out"
        case Stole(seat, tile, _):
            where[tile] = SEATS[seat]
        case Returned(_, tile):
            where[tile] = "grill"
        case GotSpecialist(seat, name, _):
            where[name] = SEATS[seat]
        case SpecialistMoved(name, tile):
            where[name] = tile
        case SpecialistLeft(name):
            where[name] = "out"
        case GotRoundWorm(seat, giver):
            for letter, more in ((SEATS[seat], 1), ("" if giver is None else SEATS[giver], -1)):
                if isinstance(worms := where.get(f"worms of {letter}"), int):
                    where[f"worms of {letter}"] = worms + more


@pytest.mark.parametrize(
    ("before", "ply", "after"),
    [  # where the events are silent
        ("A -:+? gold@A 0/0/0", "g", "A -:?+ gold@A 0/0/0"),  # D8.1
        ("A -:+? gold@A 0/0/0", "n", "A -:? gold@A 0/0/0"),
        ("A -:112345WW - 0/3/4", "k1", "A 11:^ - 0/3/4"),  # D11.1: two could give
        ("A 11:^ - 0/3/4", "^C", "A 11:- - 1/3/3"),
        (
            "A 1+1:223455W gold@A 0/0/0",
            "k5",
            "A 155+1:- gold@A 0/0/0",
        ),  # D8.3: the golden die is kept already
        ("A 1:223455W+1 gold@A 0/0/0", "k5", "A 155:-+ gold@A 0/0/0"),
        ("A 2:113455W+1 gold@A 0/0/0", "k1", "A 112+1:- gold@A 1/0/0"),
        ("A 12:345555 can@B,weasel@A 0/0/0", "w", "A 12:? can@B,weasel@A* 0/0/0"),  # D8.2: what is kept stays
    ],
)
def test_what_a_ply_leaves(before: str, ply: str, after: str) -> None:
    position = parse_position(f"pkp1 deluxe 21-36 -/-/- {before}")
    assert str(position.apply(parse_ply(ply)).position) == f"pkp1 deluxe 21-36 -/-/- {after}"


@pytest.mark.parametrize(
    ("before", "ply", "after", "moves"),
    [  # what belongs to a turn is forgotten at its end (D8.1, D8.2); what is held and what stands is in order
        ("26,36 -/- A 5555W+1:- gold@A 0/0", "t26", "36 26/- B -:? gold@A 0/0", ""),
        ("25,36 -/- A 5555W:- weasel@A* 0/0", "t25", "36 25/- B -:? weasel@A 0/0", ""),
        ("21 -/24 A 4555W:- can@B,hen@A 0/0", "x24", "21 24/- A -:< can@A,hen@A 0/0", "<can <hen"),
        (
            "21,22 24/- A -:< can@A,hen@A,weasel@22 0/0",
            "<can",
            "21,22 24/- B -:? can@21,hen@A,weasel@22 0/0",
            "",
        ),
    ],
)
def test_the_end_of_a_deluxe_turn(before: str, ply: str, after: str, moves: str) -> None:
    position = parse_position(f"pkp1 deluxe {before}").apply(parse_ply(ply)).position
    assert str(position) == f"pkp1 deluxe {after}"
    assert position == parse_position(str(position))
    assert " ".join(map(str, position.moves())) == moves


def test_tiles_below_the_top_stay() -> None:
    stolen = parse_position("pkp1 classic 21 22/36,24,25 A 5555W:-").apply(parse_ply("x25")).position  # R3.6
    assert str(stolen) == "pkp1 classic 21 22,25/36,24 B -:?"
    busted = parse_position(f"pkp1 classic 21 24,22,30/- A {DEAD}:?").apply(parse_ply("=5W")).position  # R4.1
    assert str(busted) == "pkp1 classic 21,30 24,22/- B -:?"
