"""view(position): the one description of a position, checked against the rules over random games."""

from __future__ import annotations

import json

import pytest

from pickomino import Phase, parse_move, parse_position
from pickomino.rules import SEATS
from pickomino.rules.events import Busted, Flipped, Returned
from pickomino.testing import random_game, uniform
from pickomino.views import view
from tests.random_games import KEYS, all_positions

ALWAYS = (
    *(
        "edition",
        "position",
        "phase",
        "seat",
        "grill",
        "flipped",
        "stacks",
        "tops",
        "kept",
        "rolled",
        "total",
    ),
    *(
        "has_worm",
        "dice_left",
        "faces_left",
        "moves",
        "keeps",
        "claims",
        "bust",
        "bust_prob",
        "scores",
        "over",
        "winners",
        "reason",
        "ranks",
    ),
)


@pytest.mark.parametrize("edition", KEYS)
def test_every_position_of_random_games(edition: str) -> None:
    for seats in (2, 5):
        for position in random_game(edition, seats, seats).positions:
            shown = view(position)
            assert json.loads(json.dumps(shown)) == shown
            assert parse_position(shown["position"]) == position
            assert tuple(shown)[: len(ALWAYS)] == ALWAYS
            assert ("specialists" in shown) == (position.specialists is not None)
            assert sorted(sum(shown["stacks"], shown["grill"] + shown["flipped"])) == list(
                position.edition.values
            )
            assert shown["moves"] == [str(move) for move in position.moves()]
            assert (shown["seat"] is None) == shown["over"] == bool(shown["winners"]) == bool(shown["ranks"])


def test_claims_are_the_legal_claims_and_say_where_the_tile_is() -> None:
    seen = set()
    for position in all_positions():
        shown = view(position)
        legal = [move for move in shown["moves"] if move[0] in "tx"]
        assert [claim["move"] for claim in shown["claims"]] == legal
        for claim in shown["claims"]:
            seen.add(claim["move"][0])
            if claim["from"] == "grill":
                assert claim["tile"] in position.grill
            else:
                assert position.tops[SEATS.index(claim["from"])] == claim["tile"]
            gain = position.apply(parse_move(claim["move"])).position.scores[position.seat]
            assert gain >= position.scores[position.seat] + claim["worms"] - 3  # an apple may have to go back
    assert seen == {"t", "x"}


def test_keeps_foretell_what_keeping_does() -> None:
    seen = set()
    for position in all_positions():
        for keep in view(position)["keeps"]:
            after, events = position.apply(parse_move(keep["move"]))
            assert keep["bust"] == any(isinstance(event, Busted) for event in events)
            seen.add(keep["bust"])
            if not keep["bust"]:
                assert (keep["total"], keep["has_worm"]) == (after.total, after.has_worm)
                assert keep["claims"] == view(after)["claims"]
    assert seen == {False, True}


def test_a_bust_costs_what_was_foretold() -> None:
    busts = 0
    for edition in KEYS:
        for before, ply, events in random_game(edition, 3, 11, uniform).steps():
            if any(isinstance(event, Busted) for event in events):
                busts += 1
                cost = view(before)["bust"]
                assert cost is not None
                returned = [event.tile for event in events if isinstance(event, Returned)]
                flipped = [event.tile for event in events if isinstance(event, Flipped)]
                assert [tile for tile in (cost["returned"], cost["flipped"]) if tile] == returned + flipped
                after = before.apply(ply).position
                assert cost["worms"] == before.scores[before.seat] - after.scores[before.seat]
    assert busts > 50


@pytest.mark.parametrize(
    ("position", "claims"),
    [  # V4b to V4e and T6 of the rules' worked examples
        ("pkp1 classic 23,24,26,28,29 -/21 A 33555:-", []),
        ("pkp1 classic 23,24,26,28,29 -/21 A 3355W:-", [("x21", "B", 1)]),
        ("pkp1 classic 21,24,25,27 23/- A 4455W:-", [("t21", "grill", 1)]),
        ("pkp1 classic 25,27,29-31 21/26 A 3355WW:-", [("t25", "grill", 2), ("x26", "B", 2)]),
    ],
)
def test_worked_examples(position: str, claims: list[tuple[str, str, int]]) -> None:
    shown = view(parse_position(position))
    assert [(claim["move"], claim["from"], claim["worms"]) for claim in shown["claims"]] == claims


def test_specialists_in_a_claim_and_in_a_bust() -> None:
    where = "apple@21,can@A,crow@23,hen@B,weasel@22"
    hen = view(parse_position(f"pkp1 deluxe 21-23 25/24 A 3344WW:- {where} 0/2"))
    assert hen["claims"] == [{"move": "x24", "tile": 24, "worms": 0, "from": "B", "specialist": "hen"}]
    assert hen["bust"] == {"returned": 25, "flipped": None, "worms": 2, "specialist": "can"}
    assert hen["specialists"] == {"apple": 21, "can": "A", "crow": 23, "gold": None, "hen": "B", "weasel": 22}
    assert (hen["round_worms"], hen["supply"], hen["golden_die"]) == ([0, 2], 5, False)
    crow = view(parse_position(f"pkp1 deluxe 21-23 25/24 A 1334WWW:- {where} 0/2"))
    assert [claim["tile"] for claim in crow["claims"]] == [23]  # 26 is nowhere
    assert [claim.get("specialist") for claim in crow["claims"]] == ["crow"]


def test_nothing_can_bust_once_the_claim_is_made() -> None:
    position = parse_position("pkp1 deluxe 22,23 21/24 A -:< apple@22,can@A,hen@A 0/0")
    assert position.phase is Phase.PUT_BACK
    assert view(position)["bust"] is None
