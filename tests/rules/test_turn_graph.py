"""The turn graph of eight dice, walked by `rolls`, `moves` and `apply` (notation.md, "Known numbers")."""

from pickomino.rules import Phase, Position, RollOn
from pickomino.rules.events import Busted


def test_turn_graph_has_the_known_numbers_of_nodes_and_edges() -> None:
    start = Position.start()
    due, seen = [start], {""}  # positions with dice due; kept dice, as a turn's grill does not matter
    roll_counts: dict[int, int] = {}
    choices = busts = keeps = 0
    compressed = set()
    while due:
        position = due.pop()
        rolls = position.rolls()
        roll_counts[position.dice_to_roll[0]] = len(rolls)
        for roll in rolls:
            rolled, events = position.apply(roll)
            if any(isinstance(event, Busted) for event in events):
                busts += 1
                continue
            choices += 1
            for keep in rolled.moves():
                keeps += 1
                after = rolled.apply(keep).position
                face = str(keep)[1]
                kept = "".join(sorted(rolled.kept + face * rolled.rolled.count(face)))
                if kept not in seen:
                    seen.add(kept)
                    if after.can_roll and after.phase is Phase.GO:
                        due.append(after.apply(RollOn()).position)
    for kept in seen:
        total = sum(start.edition.pips[face] for face in kept)
        compressed.add((frozenset(kept), 8 - len(kept), total))
    assert roll_counts == {1: 6, 2: 21, 3: 56, 4: 126, 5: 252, 6: 462, 7: 792, 8: 1287}
    assert len(seen) == 3003
    assert (choices + busts, choices, busts, keeps) == (74_238, 62_886, 11_352, 116_688)
    assert len(compressed) == 1939
