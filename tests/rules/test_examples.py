"""The worked examples of the rules, as positions and plies in the notation; the naive engine must agree."""

from typing import NamedTuple

import pytest

from pickomino.notation import parse_ply, parse_position
from tests.reference import engine as reference


class Example(NamedTuple):
    """From `before`, after `plies`: the moves, the total and the position, each where it is said."""

    name: str
    before: str
    plies: str
    after: str = ""
    moves: str = ""
    total: int | None = None


START = "pkp1 classic 21-36 -/- A -:?"
DEAD = "355WWW"  # kept; a roll of 5W is then a bust (V6a)

EXAMPLES = [
    Example("V3 the worm is kept already", START, "=112345WW kW r =445WWW", moves="k4 k5"),
    Example("V3 18 after two keeps", START, "=112345WW kW r =445WWW k4", total=18),
    Example("V3 five is forced", START, "=112345WW kW r =445WWW k4 r =445W", moves="k5"),
    Example(
        "V3 three dice left at 23",
        START,
        "=112345WW kW r =445WWW k4 r =445W k5 r",
        after="pkp1 classic 21-36 -/- A 445WW:?",
        total=23,
    ),
    Example("V3 a 1, 2 or 3 goes on", "pkp1 classic 21-36 -/- A 445WW:?", "=123", moves="k1 k2 k3"),
    Example(
        "V3 no 1, 2 or 3 is a bust",
        "pkp1 classic 21-36 -/- A 445WW:?",
        "=45W",
        "pkp1 classic 21-36 -/- B -:?",
    ),
    Example("V4a the 2 is forced", "pkp1 classic 21-36 -/- A 44WW:?", "=2224", moves="k2"),
    Example("V4a 24", "pkp1 classic 21-36 -/- A 44WW:?", "=2224 k2", moves="r t24", total=24),
    Example(
        "V4a takes 24",
        "pkp1 classic 21-36 -/- A 44WW:?",
        "=2224 k2 t24",
        "pkp1 classic 21-23,25-36 24/- B -:?",
    ),
    Example("V4b", "pkp1 classic 23,24,26,28,29 -/21 A 1555W:-", "", moves="r x21", total=21),
    Example(
        "V4b steals 21",
        "pkp1 classic 23,24,26,28,29 -/21 A 1555W:-",
        "x21",
        "pkp1 classic 23,24,26,28,29 21/- B -:?",
    ),
    Example("V4c", "pkp1 classic 21,24,25,27 23/- A 3555W:-", "", moves="r t21", total=23),
    Example(
        "V4c takes 21",
        "pkp1 classic 21,24,25,27 23/- A 3555W:-",
        "t21",
        "pkp1 classic 24,25,27 23,21/- B -:?",
    ),
    Example("V4d takes 28", "pkp1 classic 27,28,33,34 -/- A 15555WW:-", "", moves="r t28", total=31),
    Example("V4e optional", "pkp1 classic 25,27,29-31 21/26 A 15555W:-", "", moves="r t25 x26", total=26),
    Example("V4e mandatory", "pkp1 classic+mandatory-steal 25,27,29-31 21/26 A 15555W:-", "", moves="r x26"),
    Example("V4e summary", "pkp1 summary 25,27,29-31 21/26 A 15555W:-", "", moves="r x26"),
    Example("V4e course", "pkp1 course 25,27,29-31 21/26 A 15555W:-", "", moves="r x26"),
    Example("V6a", f"pkp1 classic 21-36 -/- A {DEAD}:?", "=5W", "pkp1 classic 21-36 -/- B -:?"),
    Example("V6b the 5 is forced", "pkp1 classic 21-36 -/- A 333444:?", "=55", moves="k5"),
    Example(
        "V6b 31 without a worm is a bust",
        "pkp1 classic 21-36 -/- A 333444:?",
        "=55 k5",
        "pkp1 classic 21-36 -/- B -:?",
    ),
    Example(
        "V6c 25 back, 30 flipped",
        "pkp1 classic 26,28,30 25/- A 23355W:?",
        "=11 k1",
        "pkp1 classic 25,26,28 -/- B -:?",
    ),
    Example("V7a", f"pkp1 classic 31,33,34 27/- A {DEAD}:?", "=5W", "pkp1 classic 27,31,33 -/- B -:?"),
    Example("V7b", f"pkp1 classic 28,29 30/- A {DEAD}:?", "=5W", "pkp1 classic 28-30 -/- B -:?"),
    Example(
        "V7b fast", f"pkp1 classic+fast 28,29 30/- A {DEAD}:?", "=5W", "pkp1 classic+fast 28,29 -/- B -:?"
    ),
    Example("VA 17 after two keeps", START, "=12344455 k4 r =2344W kW", total=17),
    Example("VA the 5 is forced", START, "=12344455 k4 r =2344W kW r =55WW", moves="k5"),
    Example("VA 27", START, "=12344455 k4 r =2344W kW r =55WW k5", moves="r t27", total=27),
    Example(
        "VA takes 27 with two dice left",
        "pkp1 classic 21-36 -/- A 444W:?",
        "=55WW k5 t27",
        "pkp1 classic 21-26,28-36 27/- B -:?",
    ),
    Example(
        "VB 26 after three keeps",
        "pkp1 classic 21-24,26-36 25/- A -:?",
        "=11223344 k3 r =124555 k5 r =22W kW",
        total=26,
    ),
    Example(
        "VB bust",
        "pkp1 classic 21-24,26-36 25/- A -:?",
        "=11223344 k3 r =124555 k5 r =22W kW r =3W",
        "pkp1 classic 21-35 -/- B -:?",
    ),
    Example("VL", START, "=1113355W", moves="k1 k3 k5 kW"),
    Example("VR1 28", START, "=11245WWW kW r =445WW k4 r =135 k5", moves="r t28", total=28),
    Example("VR1 else steal", "pkp1 summary 21,22,30 -/28 A 44WWW:?", "=135 k5", moves="r x28"),
    Example(
        "VR1 or take the lower one", "pkp1 classic 21,22,30 -/28 A 44WWW:?", "=135 k5", moves="r t22 x28"
    ),
    Example("VR1 else highest below", "pkp1 classic 21,22,30 -/- A 44WWW:?", "=135 k5", moves="r t22"),
    Example("VR1 else nothing", "pkp1 classic 30 -/- A 44WWW:?", "=135 k5", moves="r s"),
    Example("VR1 else bust", "pkp1 classic 30 -/- A 44WWW:?", "=135 k5 s", "pkp1 classic 30 -/- B -:?"),
    Example("VR2", START, "=222455WW kW r =1355WW k5 r =5WWW", "pkp1 classic 21-36 -/- B -:?"),
    Example("T36", "pkp1 classic 21 -/36 A 35555WWW:-", "", moves="t21", total=38),
    Example("T36 mandatory", "pkp1 summary 21 -/36 A 35555WWW:-", "", moves="t21", total=38),
    Example("T36 takes 21", "pkp1 classic 21 -/36 A 35555WWW:-", "t21", "pkp1 classic - 21/36 - -:-"),
    Example("T1", "pkp1 deluxe 23,24 -/- A 4455:- can@A 0/0", "", moves="r t23", total=23),
    Example("T2", "pkp1 deluxe 23,24 -/- A 4455W:- can@A 0/0", "", moves="r t23", total=23),
    Example("T3", "pkp1 deluxe 11,13 -/- A 5555W:- - 0/0", "", moves="r s", total=25),
    Example("T3 bust", "pkp1 deluxe 11,13 -/- A 5555W:- - 0/0", "s", "pkp1 deluxe 11,13 -/- B -:? - 0/0"),
    Example("T4", "pkp1 deluxe 21 -/13 A 35W:- - 0/0", "", moves="r s", total=13),
    Example("T4 bust", "pkp1 deluxe 21 -/13 A 35W:- - 0/0", "s", "pkp1 deluxe 21 -/13 B -:? - 0/0"),
    Example(
        "T5",
        f"pkp1 deluxe 21,22,36 24/- A {DEAD}:? hen@A 0/0",
        "=5W",
        "pkp1 deluxe 21,22,36 24/- B -:? hen@21 0/0",
    ),
    Example("T6", "pkp1 deluxe 21,36 -/24 A 4555W:- hen@B 0/0", "", moves="r x24", total=24),
    Example(
        "T6 the tile stays",
        "pkp1 deluxe 21,36 -/24 A 4555W:- hen@B 0/0",
        "x24",
        "pkp1 deluxe 21,36 -/24 B -:? hen@A 0/0",
    ),
    Example(
        "T7", f"pkp1 deluxe 21,36 -/24 A {DEAD}:? hen@A 0/0", "=5W", "pkp1 deluxe 21,36 -/24 B -:? hen@A 0/0"
    ),
    Example(
        "T8 earned", "pkp1 deluxe 21-36 -/- A -:? - 0/0", "=112345WW k1", "pkp1 deluxe 21-36 -/- A 11:- - 1/0"
    ),
    Example(
        "T8 kept through a bust",
        "pkp1 deluxe 21-36 -/- A -:? - 0/0",
        "=112345WW k1 r =111111",
        "pkp1 deluxe 21-36 -/- B -:? - 1/0",
    ),
    Example(
        "T9 dead, but for the weasel", f"pkp1 deluxe 21,36 -/- A {DEAD}:? weasel@A 0/0", "=5W", moves="s w"
    ),
    Example(
        "T9 used",
        f"pkp1 deluxe 21,36 -/- A {DEAD}:? weasel@A 0/0",
        "=5W w",
        f"pkp1 deluxe 21,36 -/- A {DEAD}:? weasel@A* 0/0",
    ),
    Example(
        "T9 dead again",
        f"pkp1 deluxe 21,36 -/- A {DEAD}:? weasel@A 0/0",
        "=5W w =5W",
        "pkp1 deluxe 21,36 -/- B -:? weasel@21 0/0",
    ),
    Example(
        "T10",
        "pkp1 deluxe 21-36 -/- A -:+? gold@A 0/0",
        "g =1234555W+1 k1",
        "pkp1 deluxe 21-36 -/- A 1+1:- gold@A 1/0",
    ),
    Example(
        "T11 the crow is gone, the giver is asked",
        "pkp1 deluxe 23 -/24/25 A 3555W:- crow@23 0/3/4",
        "t23",
        "pkp1 deluxe - 23/24/25 A -:^ - 0/3/4",
        moves="^B ^C",
    ),
    Example(
        "T11 over",
        "pkp1 deluxe 23 -/24/25 A 3555W:- crow@23 0/3/4",
        "t23 ^C",
        "pkp1 deluxe - 23/24/25 - -:- - 1/3/3",
    ),
    Example(
        "T12",
        f"pkp1 deluxe 30,36 25/- A {DEAD}:? can@A,crow@30,gold@36 0/0",
        "=5W",
        "pkp1 deluxe 25,30 -/- B -:? can@25,crow@30 0/0",
    ),
    Example(
        "T13 the choice",
        "pkp1 deluxe 21,22 -/24 A 4555W:- can@A,hen@B 0/0",
        "x24",
        "pkp1 deluxe 21,22 -/24 A -:< can@A,hen@A 0/0",
        moves="<can <hen",
    ),
    Example(
        "T13 the can goes back",
        "pkp1 deluxe 21,22 -/24 A 4555W:- can@A,hen@B 0/0",
        "x24 <can",
        "pkp1 deluxe 21,22 -/24 B -:? can@21,hen@A 0/0",
    ),
    Example(
        "T13 the hen goes back",
        "pkp1 deluxe 21,22 -/24 A 4555W:- can@A,hen@B 0/0",
        "x24 <hen",
        "pkp1 deluxe 21,22 -/24 B -:? can@A,hen@21 0/0",
    ),
    Example(
        "T14",
        "pkp1 deluxe 21-36 -/- A -:? hen@B 0/7",
        "=112345WW k1",
        "pkp1 deluxe 21-36 -/- A 11:- hen@B 0/7",
    ),
    Example(
        "T15",
        f"pkp1 deluxe 13 11/- A {DEAD}:? can@A,crow@13 0/0",
        "=5W",
        "pkp1 deluxe 11 -/- B -:? can@11 0/0",
    ),
    Example("T16", "pkp1 deluxe 11,21 -/- A 33:- can@A 0/0", "", moves="r t11", total=11),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_worked_example(example: Example) -> None:
    position, state = parse_position(example.before), reference.from_text(example.before)
    for ply in example.plies.split():
        position, state = position.apply(parse_ply(ply)).position, reference.apply(state, ply)
    moves = " ".join(map(str, position.moves()))
    assert moves == " ".join(reference.moves(state))
    assert str(position) == reference.text(state)
    if example.after:
        assert str(position) == example.after
    if example.moves:
        assert moves == example.moves
    if example.total is not None:
        assert position.total == reference.total(state) == example.total


def test_every_example_of_the_rules_is_here() -> None:
    named = {example.name.split()[0] for example in EXAMPLES}
    assert named == {
        *("V3", "V4a", "V4b", "V4c", "V4d", "V4e", "V6a", "V6b", "V6c", "V7a", "V7b"),
        *("VA", "VB", "VL", "VR1", "VR2", "T36"),
        *(f"T{number}" for number in range(1, 17)),
    }
