"""The perft files of `tests/data/perft`: reading them, and making them anew from both engines.

``python -m tests.rules.perft_data`` counts every case with the rules and with `tests.reference`, compares the
two with each other and with the published numbers, and writes the files.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypedDict

from pickomino.notation import parse_position
from pickomino.rules import Position, all_keys, perft_divide, turn_perft_divide
from tests.reference import engine as reference

FOLDER = Path(__file__).parents[1] / "data" / "perft"
AGREED = "agreed by both engines"
KNOWN = "notation.md, known numbers"

# notation.md, "Known numbers": sequences of 1, 2, … plies or turns from the start with two seats.
KNOWN_PLIES = (1287, 4752, 15928, 8540691, 35525666)  # classic
KNOWN_TURNS = (17, 289, 4657, 70978, 1020833)  # without flip_when_nothing_returned
KNOWN_FLIPPING_TURNS = (17, 288, 4607, 69634, 991823)  # with it


class Case(TypedDict):
    source: str
    count: str  # "plies" or "turns"
    position: str
    depth: int
    nodes: int
    divide: dict[str, int]  # by first ply; left empty where it would have more than LONGEST entries


LONGEST = 130


def divide(case: Case) -> dict[str, int]:
    """The rules' own count, by first ply."""
    position = parse_position(case["position"])
    count: Callable[[Position, int], dict[str, int]] = (
        perft_divide if case["count"] == "plies" else turn_perft_divide
    )
    return count(position, case["depth"])


def read() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.json")):
        cases: list[Case] = json.loads(path.read_text("utf-8"))
        yield from cases


# --- what is counted ---

MID_TURN = (
    ("23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244", 5),
    ("25,27,29-31 21/26/28 A 155W:2345", 6),
    ("21,22,36 23/24 B 3344:-", 5),
    ("25,26,33,35 29,22/-/31/24 D 1WW:11335", 4),
    ("30 21/22/23/24/25/26/27 G 555WW:?", 4),
    ("36 -/- A 2345W:?", 4),
)
SWITCHED = (  # short ways to a steal, a lower tile, a bust with and without a tile, and the end
    ("25,27,29-31 21/26/28 A 155W:2345", 5),
    ("21,23,36 34/26 A 4555W:125", 3),
    ("36 -/- A 2345W:?", 3),
    ("22 36/- A 355WWW:?", 3),
)
TURNS = (("25,27,29 21/26/30 A -:?", 4), ("21,36 35/22 B -:?", 5), ("33 -/-/- C -:?", 6))
DELUXE_MID_TURN = (
    ("21-24,30-33 25,26/27/28 A -:? crow@21,hen@C,weasel@30 2/3/2", 2),
    ("21-24,30-33 25,26/27/28 A 55WW:? can@A,crow@21,gold@B,hen@C,weasel@30 2/3/2", 4),
    ("13,22,23 11,25/27/28/29 B -:+? can@A,crow@13,gold@B,hen@C,weasel@D 1/2/2/1", 2),
    ("13,22,23 11,25/27/28/29 B 335WW:?+ can@A,crow@13,gold@B,hen@C,weasel@D 1/2/2/1", 4),
    ("23 24/26/28 C 55WW:1133 crow@23,hen@B,weasel@C 3/2/2", 4),
    ("23 24/26/28 C 1135W:- crow@23,weasel@C* 3/2/2", 5),
    ("11,13 24/26/28 A 35:? can@A,crow@11,gold@B,hen@13,weasel@C 0/0/7", 3),
    ("21,22 -/24 A 4555W:- can@A,hen@B 0/0", 4),
    ("21,22 -/24 A -:< can@A,hen@A 0/0", 3),
    ("22-24 21/25/- B 11:^+ gold@B 3/0/4", 3),
    ("30 21/25/- B -:^ crow@30,gold@C 3/0/4", 3),
    ("30,36 25/- A 335WW:113 can@A,crow@30,gold@36 0/0", 5),
    ("29,33 25/21 B 555+1:1245W gold@B 0/1", 4),
    ("29,33 25/21 B 22335WW:1+1 gold@B 0/1", 4),
    ("36 21/-/- A 2345WWW:? can@A,hen@C 0/0/0", 5),
)
DELUXE_SWITCHED = (  # as `SWITCHED`, with and without the hen, and with a specialist on the tile that is flipped
    ("11,21,23,36 34/26 A 4555W:125 crow@11,hen@21 0/0", 3),
    ("13,36 -/24 A 2345WWW:? can@A,crow@36 0/0", 3),
    ("22 36/- A 355WWW:? hen@B,weasel@22 0/0", 3),
    ("22,25 -/- A 355WWW:? hen@A 0/0", 3),
)


def _cases(key: str) -> Iterator[tuple[str, str, str, int]]:
    """(source, what is counted, position, depth)."""
    start = str(Position.start(key))
    if key.startswith(("deluxe+", "extrawurm+")):
        for tail, depth in DELUXE_SWITCHED:
            yield AGREED, "plies", f"pkp1 {key} {tail}", depth
        return
    if key in ("deluxe", "extrawurm"):
        for depth in (1, 2, 3):
            yield AGREED, "plies", start, depth
        yield AGREED, "plies", str(Position.start(key, 5, 3)), 3
        for tail, depth in DELUXE_MID_TURN:
            yield AGREED, "plies", f"pkp1 {key} {tail}", depth
        return
    for depth in range(1, 6):
        if key == "classic":
            yield KNOWN, "plies", start, depth
        if depth < 4 or "+" not in key:
            yield KNOWN, "turns", start, depth
    if "+" not in key:
        yield AGREED, "plies", str(Position.start(key, 3, 2)), 3
        yield AGREED, "turns", str(Position.start(key, 7, 6)), 3
        yield AGREED, "turns", str(Position.start(key, 3, 1)), 3
    for tail, depth in MID_TURN if "+" not in key else SWITCHED:
        yield AGREED, "plies", f"pkp1 {key} {tail}", depth
    for tail, depth in TURNS:
        yield AGREED, "turns", f"pkp1 {key} {tail}", depth


# --- the same counts by the naive engine ---


def reference_divide(position: str, depth: int, count: str) -> dict[str, int]:
    successors = reference_plies if count == "plies" else reference_turns
    known: dict[tuple[str, int], int] = {}

    def nodes(text: str, left: int) -> int:
        if left == 0:
            return 1
        if (text, left) not in known:
            known[text, left] = sum(nodes(after, left - 1) for _, after in successors(text))
        return known[text, left]

    return {ply: nodes(after, depth - 1) for ply, after in successors(position)}


def reference_plies(text: str) -> Iterator[tuple[str, str]]:
    state = reference.from_text(text)
    for ply in (*reference.rolls(state), *reference.moves(state)):
        yield ply, reference.text(reference.apply(state, ply))


def reference_turns(text: str) -> Iterator[tuple[str, str]]:
    """A turn is any take, any steal, or a bust. Each is played by dice that allow exactly it."""
    _, edition, grill, stacks, seat, _ = text.split(" ")
    if seat == "-":
        return
    dead = reference.from_text(f"pkp1 {edition} {grill} {stacks} {seat} 355WWW:?")
    yield "s", reference.text(reference.apply(dead, "=5W"))
    for tile in range(21, 37):
        kept = _kept_for(tile)
        state = reference.from_text(f"pkp1 {edition} {grill} {stacks} {seat} {kept}:-")
        for move in (f"t{tile}", f"x{tile}"):
            if move in reference.moves(state):
                yield move, reference.text(reference.apply(state, move))


def _kept_for(total: int) -> str:
    """Kept dice with that total, one of them a worm."""
    rest = total - 5
    return (str(rest % 5) if rest % 5 else "") + "5" * (rest // 5) + "W"


# --- making the files ---


def _known_nodes(key: str, count: str, depth: int) -> int:
    if count == "plies":
        return KNOWN_PLIES[depth - 1]
    flipping = key in ("summary", "course") or "flip-empty" in key
    return (KNOWN_FLIPPING_TURNS if flipping else KNOWN_TURNS)[depth - 1]


def main() -> None:
    files: dict[str, list[Case]] = {}
    for key in all_keys():
        for source, count, position, depth in _cases(key):
            case = Case(source=source, count=count, position=position, depth=depth, nodes=0, divide={})
            found = divide(case)
            slow = source == KNOWN and depth > 3  # the naive engine needs minutes; the number is known anyway
            if not slow and found != reference_divide(position, depth, count):
                raise SystemExit(f"the engines disagree: {case}")
            case["nodes"] = sum(found.values())
            if source == KNOWN and case["nodes"] != _known_nodes(key, count, depth):
                raise SystemExit(f"not the known number: {case}")
            if len(found) <= LONGEST or (key == "classic" and depth == 5):
                case["divide"] = found
            files.setdefault(f"{key.split('+')[0]}-switches" if "+" in key else key, []).append(case)
    for name, cases in files.items():
        lines = ",\n".join(json.dumps(case) for case in cases)
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", "utf-8")
        print(f"{name}: {len(cases)} cases")


if __name__ == "__main__":
    main()
