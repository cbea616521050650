"""The reference engine by itself: worked examples, known numbers, random games."""

import random
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

from tests.reference import engine as ref

SWITCHES = ("any-lower", "fast", "flip-empty", "mandatory-steal", "shared-ties")
CLASSIC_KEYS = ["+".join(("classic", *some)) for size in range(6) for some in combinations(SWITCHES, size)]
OTHER_KEYS = ["summary", "course", "deluxe", "extrawurm", "deluxe+any-lower+flip-empty", "extrawurm+fast"]


def play(position: str, *plies: str) -> ref.State:
    state = ref.from_text(position)
    for ply in plies:
        state = ref.apply(state, ply)
    return state


def after(position: str, *plies: str) -> str:
    return ref.text(play(position, *plies))


def legal(position: str, *plies: str) -> list[str]:
    return ref.moves(play(position, *plies))


# --- editions ---


def test_switches_of_deluxe() -> None:
    """Section 6, with D12.1 before every switch and 11 and 13 never the lower tile."""
    bust = "=WWWWWWW"
    assert after("pkp1 deluxe+fast 22,23 25/- A W:? - 0/0", bust) == "pkp1 deluxe+fast 22,23 -/- B -:? - 0/0"
    flipping = "pkp1 deluxe+flip-empty"
    assert after(f"{flipping} 22,36 -/24 A W:? crow@36 0/0", bust) == f"{flipping} 22 -/24 B -:? crow@22 0/0"
    assert after(f"{flipping} 22,36 -/24 A W:? hen@A 0/0", bust) == f"{flipping} 22,36 -/24 B -:? hen@A 0/0"
    assert after(f"{flipping} 22 -/24 A W:? - 0/0", bust) == f"{flipping} - -/24 - -:- - 0/0"  # R5.1
    assert legal("pkp1 extrawurm+any-lower 11,22,24 -/- A 55WWW:- - 0/0") == ["r", "t22", "t24"]
    for key in ("deluxe+mandatory-steal", "summary+fast", "extrawurm+fast+any-lower"):
        with pytest.raises(ValueError, match="no such edition"):
            ref.start(key, 2)


def test_a_house_edition() -> None:
    toml = (
        'name = "x"\ndice = 2\nswitches = ["fast"]\n\n'
        "[tiles]\n7-9 = 2\n\n[faces]\n4 = { pips = 3, sides = 2 }\nW = 6\n"
    )
    state = ref.start(ref.house(toml), 2)
    assert ref.text(state) == "pkp1 house-43579dae 07-09 -/- A -:?"
    assert ref.rolls(state) == {"=44": 4, "=4W": 4, "=WW": 1}
    kept = ref.apply(ref.apply(state, "=4W"), "kW")
    assert (ref.total(kept), ref.moves(kept)) == (6, ["r", "s"])
    claim = ref.apply(ref.apply(ref.apply(kept, "r"), "=4"), "k4")
    assert (ref.total(claim), ref.moves(claim)) == (9, ["t09"])
    assert ref.outcome(ref.apply(claim, "t09"))["scores"] == [2, 0]


# --- text ---


@pytest.mark.parametrize(
    "position",
    [
        "pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244",
        "pkp1 deluxe 11,13,21-36 -/-/- A -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0",
        "pkp1 deluxe 22-24 21/25 B 55W+1:- gold@B 0/0",
        "pkp1 deluxe 22-24 21/25 B 55W:?+ gold@B 0/0",
        "pkp1 deluxe 22-24 21/25 B 55W:-+ gold@B 0/0",
        "pkp1 deluxe 22-24 21/25 B -:+? gold@B 0/0",
        "pkp1 deluxe 22-24 21/25/- B 11:^+ gold@B 3/0/4",
        "pkp1 deluxe - 21/25/- B -:^ gold@B 3/0/4",
        "pkp1 deluxe 22,23 21/25 B -:< gold@B,hen@B 0/0",
        "pkp1 deluxe 22,23 21/25 B 5:1124WWW weasel@B* 0/0",
        "pkp1 deluxe 22,23 21/25 B +1:1124WWWW gold@B 0/0",
        "pkp1 deluxe 22,23 21/25 B 1122244W:+W gold@B 0/0",
        "pkp1 extrawurm - 21/25 - -:- - 0/2",
    ],
)
def test_text_comes_back_as_it_was(position: str) -> None:
    assert ref.text(ref.from_text(position)) == position


def test_start_texts() -> None:
    assert ref.text(ref.start("classic+fast", 3, first=2)) == "pkp1 classic+fast 21-36 -/-/- C -:?"
    assert ref.text(ref.start("deluxe", 2)) == (
        "pkp1 deluxe 11,13,21-36 -/- A -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0"
    )
    assert ref.text(ref.start("extrawurm", 2)) == (
        "pkp1 extrawurm 11,13,21-36 -/- A -:? can@11,crow@23,gold@27,hen@21,weasel@25 0/0"
    )


@pytest.mark.parametrize("key", ["", "Classic", "classic+", "classic+fast+any-lower", "deluxe+quick"])
def test_unknown_editions_are_refused(key: str) -> None:
    with pytest.raises(ValueError, match="edition"):
        ref.start(key, 2)


@pytest.mark.parametrize(("seats", "first"), [(1, 0), (8, 0), (2, 2), (2, -1)])
def test_impossible_tables_are_refused(seats: int, first: int) -> None:
    with pytest.raises(ValueError, match="table"):
        ref.start("classic", seats, first)


def test_unknown_plies_are_refused() -> None:
    state = ref.start("classic", 2)
    for ply in ("k1", "=1", "=1123455W+1", "r", ""):
        with pytest.raises(ValueError, match="no such"):
            ref.apply(state, ply)


# --- worked examples, classic ---


def test_v3_a_face_is_kept_once() -> None:
    position = "pkp1 classic 21-36 -/- A -:?"
    first = ("=112345WW", "kW", "r", "=445WWW")
    assert legal(position, *first) == ["k4", "k5"]
    second = (*first, "k4")
    assert ref.total(play(position, *second)) == 18
    third = (*second, "r", "=445W")
    assert legal(position, *third) == ["k5"]
    state = play(position, *third, "k5")
    assert ref.total(state) == 23
    alive = [
        roll for roll in ref.rolls(ref.apply(state, "r")) if ref.moves(ref.apply(ref.apply(state, "r"), roll))
    ]
    assert len(alive) == 56 - 10  # all rolls of three dice less those of 4, 5 and W alone
    assert all(set(roll) & set("123") for roll in alive)


def test_v4a_exact_total_takes() -> None:
    position = "pkp1 classic 23-25 -/- A 44WW:?"
    assert legal(position, "=2224") == ["k2"]
    assert legal(position, "=2224", "k2") == ["r", "t24"]
    assert after(position, "=2224", "k2", "t24") == "pkp1 classic 23,25 24/- B -:?"


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("pkp1 classic 23,24,26,28,29 -/21 A 33WWW:-", ["r", "x21"]),  # V4b
        ("pkp1 classic 21,24,25,27 23/- A 44WWW:-", ["r", "t21"]),  # V4c
        ("pkp1 classic 27,28,33,34 -/- A 33WWWWW:-", ["r", "t28"]),  # V4d
        ("pkp1 classic 25,27,29-31 21/26 A 33WWWW:-", ["r", "t25", "x26"]),  # V4e
        ("pkp1 classic+mandatory-steal 25,27,29-31 21/26 A 33WWWW:-", ["r", "x26"]),  # V4e
        ("pkp1 classic 21 -/36 A 44WWWWWW:-", ["t21"]),  # T36
        ("pkp1 classic 21-23,26 -/- A 334WWW:-", ["r", "t23"]),  # R3.4, total 25
        ("pkp1 summary 21-23,26 -/- A 334WWW:-", ["r", "t21", "t22", "t23"]),  # R3.4, any lower
        ("pkp1 summary 21-23,25 -/- A 334WWW:-", ["r", "t25"]),  # R3.2 leaves no choice
        ("pkp1 summary 21-23,26 -/25 A 334WWW:-", ["r", "x25"]),
        ("pkp1 classic+any-lower 21-23,26 -/25 A 334WWW:-", ["r", "t21", "t22", "t23", "x25"]),
        ("pkp1 classic 26 -/25,24 A 334WWW:-", ["r", "s"]),  # R3.6: only the top; R3.5
        ("pkp1 classic 21-36 -/- A 45555:-", ["r", "s"]),  # R3.1
    ],
)
def test_claims(position: str, expected: list[str]) -> None:
    assert ref.moves(ref.from_text(position)) == expected


@pytest.mark.parametrize(
    ("before", "plies", "result"),
    [
        # V6a: every rolled face was kept before
        ("21-36 -/- A 355WWW:?", ["=5W"], "21-36 -/- B -:?"),
        # V6b: 31 without a worm
        ("21-36 -/- A 333444:?", ["=55", "k5"], "21-36 -/- B -:?"),
        # V6c: 25 is the own top, no lower tile
        ("26,28,30 25/- A 23355W:?", ["=11", "k1"], "25,26,28 -/- B -:?"),
        # V7a
        ("31,33,34 27/- A W:?", ["=WWWWWWW"], "27,31,33 -/- B -:?"),
        # V7b
        ("28,29 30/- A W:?", ["=WWWWWWW"], "28-30 -/- B -:?"),
        # VB: 26 after three keeps, then 3W
        ("22,27 21/- A 33555W:?", ["=3W"], "21,22 -/- B -:?"),
    ],
)
def test_busts(before: str, plies: list[str], result: str) -> None:
    assert after(f"pkp1 classic {before}", *plies) == f"pkp1 classic {result}"


def test_v7b_fast_flips_the_returned_tile() -> None:
    assert after("pkp1 classic+fast 28,29 30/- A W:?", "=WWWWWWW") == "pkp1 classic+fast 28,29 -/- B -:?"


def test_flip_when_nothing_returned() -> None:
    assert after("pkp1 classic 28,29 -/- A W:?", "=WWWWWWW") == "pkp1 classic 28,29 -/- B -:?"
    for key in ("summary", "course", "classic+flip-empty", "classic+fast+flip-empty"):
        assert after(f"pkp1 {key} 28,29 -/- A W:?", "=WWWWWWW") == f"pkp1 {key} 28 -/- B -:?"
    over = play("pkp1 classic+flip-empty 28 -/- A W:?", "=WWWWWWW")  # R5.1, R5.3
    assert ref.text(over) == "pkp1 classic+flip-empty - -/- - -:-"
    assert ref.outcome(over) == {"scores": [0, 0], "winners": ["A", "B"], "reason": "shared", "ranks": [1, 1]}


def test_va_stops_with_dice_left() -> None:
    position = "pkp1 classic 21-36 -/- A -:?"
    plies = ["=1244455W", "k4", "r", "=2344W", "kW"]
    state = play(position, *plies)
    assert ref.total(state) == 17
    rolled = ref.apply(ref.apply(state, "r"), "=55WW")
    assert ref.moves(rolled) == ["k5"]
    kept = ref.apply(rolled, "k5")
    assert ref.total(kept) == 27
    assert ref.moves(kept) == ["r", "t27"]


def test_vl_first_roll() -> None:
    assert legal("pkp1 classic 21-36 -/- A -:?", "=1113355W") == ["k1", "k3", "k5", "kW"]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("21-36 -/-", ["r", "t28"]),
        ("21-27,29-36 -/28", ["r", "x28"]),
        ("21-27,29-36 28/-", ["r", "t27"]),
        ("29-36 -/21", ["r", "s"]),
    ],
)
def test_vr1_where_28_leads(table: str, expected: list[str]) -> None:
    plies = ("=11245WWW", "kW", "r", "=445WW", "k4", "r", "=135", "k5")
    assert legal(f"pkp1 course {table} A -:?", *plies) == expected


def test_vr2_dead_roll() -> None:
    plies = ("=222455WW", "kW", "r", "=1355WW", "k5", "r", "=5WWW")
    assert after("pkp1 classic 21-36 -/- A -:?", *plies) == "pkp1 classic 21-36 -/- B -:?"


def test_six_faces_stop_the_turn() -> None:
    # R2.4, with or without dice left; with nothing to claim (20) in the ply of the keep
    assert legal("pkp1 classic 21-36 -/- A 12345:?", "=WWW", "kW") == ["t30"]
    assert after("pkp1 classic 21-36 -/- A 2345W:?", "=115", "k1") == "pkp1 classic 21-36 -/- A 112345W:-"
    assert legal("pkp1 classic 21-36 -/- A 2345W:?", "=115", "k1") == ["t21"]
    assert after("pkp1 classic 21-36 -/- A 1234W:?", "=5WW", "k5") == "pkp1 classic 21-36 -/- B -:?"


def test_stop_with_nothing_is_a_bust() -> None:
    assert after("pkp1 classic 22,26 21/- A 5555:-", "s") == "pkp1 classic 21,22 -/- B -:?"


def test_standings_before_the_end() -> None:
    state = ref.from_text("pkp1 classic 26 21,25/27/33 B -:?")
    assert ref.total(state) == 0
    standings = ref.outcome(state)
    assert (standings["scores"], standings["ranks"]) == ([3, 2, 4], [2, 3, 1])
    assert standings["winners"] == []
    assert standings["reason"] is None


def test_end_and_ties() -> None:
    over = play("pkp1 classic 26 21,22,23/27/- A 133WWWW:-", "t26")
    assert ref.text(over) == "pkp1 classic - 21,22,23,26/27/- - -:-"
    assert ref.outcome(over) == {"scores": [5, 2, 0], "winners": ["A"], "reason": "worms", "ranks": [1, 2, 3]}
    assert ref.moves(over) == []
    assert ref.rolls(over) == {}
    tied = "- 21,22/27/25/-/- - -:-"
    assert ref.outcome(ref.from_text(f"pkp1 classic {tied}")) == {
        "scores": [2, 2, 2, 0, 0],
        "winners": ["B"],
        "reason": "tie-break",
        "ranks": [3, 1, 2, 4, 4],
    }
    assert ref.outcome(ref.from_text(f"pkp1 course {tied}")) == {
        "scores": [2, 2, 2, 0, 0],
        "winners": ["A", "B", "C"],
        "reason": "shared",
        "ranks": [1, 1, 1, 4, 4],
    }


# --- worked examples, deluxe ---


def deluxe(position: str, *plies: str) -> str:
    return after(f"pkp1 deluxe {position}", *plies).removeprefix("pkp1 deluxe ")


def deluxe_legal(position: str, *plies: str) -> list[str]:
    return legal(f"pkp1 deluxe {position}", *plies)


def test_t1_can_is_a_worm() -> None:
    position = "pkp1 deluxe 21-25 -/- A 4455:- can@A 0/0"
    assert ref.total(ref.from_text(position)) == 23
    assert legal(position) == ["r", "t23"]


def test_t2_can_is_silent_beside_a_worm() -> None:
    assert ref.total(ref.from_text("pkp1 deluxe 21-25 -/- A 44WWW:- can@A 0/0")) == 23


def test_t3_exact_only_tiles_are_no_lower_tiles() -> None:
    assert deluxe_legal("11,13 -/- A 334WWW:- - 0/0") == ["r", "s"]
    assert deluxe("11,13 -/- A 334WWW:- - 0/0", "s") == "11,13 -/- B -:? - 0/0"


def test_t4_exact_only_tiles_are_not_stolen() -> None:
    assert deluxe_legal("21-24 -/13 A 44W:- hen@B 0/0") == ["r", "s"]  # D10.3: the hen neither
    assert deluxe_legal("13 -/- A 44W:- - 0/0") == ["r", "t13"]


def test_t5_hen_saves_the_tile() -> None:
    assert deluxe("22,36 24/- A W:? can@22,hen@A 0/0", "=WWWWWWW") == "22,36 24/- B -:? can@22,hen@36 0/0"
    assert deluxe("22 24/- A W:? can@22,hen@A 0/0", "=WWWWWWW") == "22 24/- B -:? can@22 0/0"


def test_t6_thief_of_the_hen() -> None:
    position = "22,36 21/25,24 A 45WWW:- hen@B 0/0"
    assert deluxe_legal(position) == ["r", "x24"]
    assert deluxe(position, "x24") == "22,36 21/25,24 B -:? hen@A 0/0"


def test_t7_hen_without_tile() -> None:
    assert deluxe("22,36 -/24 A W:? hen@A 0/0", "=WWWWWWW") == "22,36 -/24 B -:? hen@A 0/0"


def test_t8_round_worm_survives_a_bust() -> None:
    assert deluxe("22 -/24 A -:? - 0/0", "=11234555", "k1", "r", "=111111") == "22 -/24 B -:? - 1/0"
    # the keep that earns it may be the bust (R2.4)
    assert deluxe("22 -/24 A 222222:? - 0/0", "=11", "k1") == "22 -/24 B -:? - 1/0"


def test_t9_weasel() -> None:
    position = "22,36 24/- A 4W:? weasel@A 0/0"
    assert deluxe_legal(position, "=4444WW") == ["s", "w"]
    assert deluxe(position, "=4444WW", "w") == "22,36 24/- A 4W:? weasel@A* 0/0"
    assert deluxe(position, "=4444WW", "w", "=4444WW") == "22,24 -/- B -:? weasel@22 0/0"
    assert deluxe(position, "=4444WW", "s") == "22,24 -/- B -:? weasel@22 0/0"
    assert deluxe_legal(position, "=1144WW") == ["k1", "w"]
    assert deluxe_legal(position, "=1144WW", "w", "=1144WW") == ["k1"]
    kept = deluxe(position, "=1144WW", "w", "=2224WW", "k2")
    assert kept == "22,36 24/- A 2224W:- weasel@A* 0/0"
    claimed = deluxe("22,36 24/- A 22WWWW:- weasel@A* 0/0", "t22")
    assert claimed == "36 24,22/- B -:? weasel@A 0/0"


def test_t10_golden_one_and_white_one() -> None:
    position = "22 24/- A -:+? gold@A 0/0"
    assert deluxe_legal(position) == ["g", "n"]
    assert deluxe(position, "n") == "22 24/- A -:? gold@A 0/0"
    assert deluxe(position, "g") == "22 24/- A -:?+ gold@A 0/0"
    assert deluxe(position, "g", "=12345555+1") == "22 24/- A -:12345555+1 gold@A 0/0"
    assert deluxe(position, "g", "=12345555+1", "k1") == "22 24/- A 1+1:- gold@A 1/0"
    assert deluxe(position, "g", "=12345555+1", "k5") == "22 24/- A 5555:-+ gold@A 0/0"
    assert deluxe(position, "g", "=22345555+1", "k1") == "22 24/- A +1:- gold@A 0/0"


def test_golden_die_alone() -> None:
    position = "22 24/- A 22233445:?+ gold@A 0/0"
    assert ref.rolls(ref.from_text(f"pkp1 deluxe {position}")) == {"=+1": 3, "=+W": 3}
    assert deluxe_legal(position, "=+W", "kW") == ["t22"]
    # six faces with the golden die unkept: the text shows it, but it cannot be rolled
    assert deluxe("30,36 24/- A 12345:?+ gold@A 0/0", "=WWW+1", "kW") == (
        "30,36 24/- A 12345WWW:-+ gold@A 0/0"
    )
    assert deluxe_legal("30,36 24/- A 12345:?+ gold@A 0/0", "=WWW+1", "kW") == ["t30"]


def test_t11_last_tile_with_the_crow() -> None:
    position = "23 21/24/25 A 44WWW:- crow@23 2/2/3"
    asked = "- 21,23/24/25 A -:^ - 2/2/3"
    assert deluxe(position, "t23") == asked
    assert deluxe_legal(asked) == ["^B", "^C"]
    assert deluxe(asked, "^C") == "- 21,23/24/25 - -:- - 3/2/2"


def test_t12_bust_order() -> None:
    assert deluxe("30,36 25/- A W:? can@A,crow@30,gold@36 0/0", "=WWWWWWW") == (
        "25,30 -/- B -:? can@25,crow@30 0/0"
    )


def test_t13_two_specialists() -> None:
    position = "22,36 21/25,24 A 45WWW:- can@A,crow@22,hen@B 0/0"
    asked = "22,36 21/25,24 A -:< can@A,crow@22,hen@A 0/0"
    assert deluxe(position, "x24") == asked
    assert deluxe_legal(asked) == ["<can", "<hen"]
    assert deluxe(asked, "<can") == "22,36 21/25,24 B -:? can@36,crow@22,hen@A 0/0"
    assert deluxe(asked, "<hen") == "22,36 21/25,24 B -:? can@A,crow@22,hen@36 0/0"


def test_two_specialists_before_the_end() -> None:
    # D10.4: the choice comes first, and with no tile left the loser leaves the game
    asked = deluxe("29 21/- A 4WWWWW:- apple@29,can@A 0/0", "t29")
    assert asked == "- 21,29/- A -:< apple@A,can@A 0/0"
    over = play(f"pkp1 deluxe {asked}", "<can")
    assert ref.text(over) == "pkp1 deluxe - 21,29/- - -:- apple@A 0/0"
    assert ref.outcome(over)["scores"] == [1 + 3 + 3, 0]
    assert ref.outcome(play(f"pkp1 deluxe {asked}", "<apple"))["scores"] == [1 + 3, 0]


def test_t14_nobody_can_give() -> None:
    assert deluxe("22,36 21/24 A -:? hen@B 0/7", "=11234555", "k1") == "22,36 21/24 A 11:- hen@B 0/7"


def test_t15_thirteen_is_flipped() -> None:
    assert deluxe("13 11/- A W:? can@A,crow@13 0/0", "=WWWWWWW") == "11 -/- B -:? can@11 0/0"


def test_t16_can_makes_eleven() -> None:
    assert deluxe_legal("11,13 21/- A 33:- can@A 0/0") == ["r", "t11"]


def test_specialist_goes_back_without_a_tile() -> None:
    # D12.2: no tile to return, so no flip, but the specialist is lost
    assert deluxe("22,36 -/- A W:? apple@A 0/0", "=WWWWWWW") == "22,36 -/- B -:? apple@22 0/0"


def test_flipped_tile_sends_its_specialist_on() -> None:
    assert deluxe("22,36 25,24/- A W:? crow@36 0/0", "=WWWWWWW") == "22,24 25/- B -:? crow@22 0/0"


def test_steal_brings_the_specialist() -> None:
    assert deluxe("22,36 21/25,24 A 45WWW:- gold@B 0/0", "x24") == "22,36 21,24/25 B -:? gold@A 0/0"
    assert deluxe("22,36 21/25,24 A 45WWW:- gold@B,hen@A 0/0", "x24", "<hen") == (
        "22,36 21,24/25 B -:? gold@A,hen@22 0/0"
    )


def test_next_holder_of_the_golden_die_is_asked() -> None:
    assert deluxe("22,36 21/25 A 45WWW:- gold@B 0/0", "t22") == "36 21,22/25 B -:+? gold@B 0/0"


def test_givers_during_the_turn() -> None:
    one = deluxe("22,36 21/24/25 A -:? hen@B 0/3/4", "=11234555", "k1")
    assert one == "22,36 21/24/25 A 11:- hen@B 1/3/3"  # one possible giver gives
    own = deluxe("22,36 21/24/25 A -:? hen@A 0/3/4", "=11234555", "k1")
    assert own == "22,36 21/24/25 A 11:^ hen@A 0/3/4"
    assert deluxe(own, "^B") == "22,36 21/24/25 A 11:- hen@A 1/2/4"
    gold = deluxe("22,36 21/24/25 A -:?+ gold@A 0/3/4", "=11234555+W", "k1")
    assert gold == "22,36 21/24/25 A 11:^+ gold@A 0/3/4"
    assert deluxe(gold, "^B") == "22,36 21/24/25 A 11:-+ gold@A 1/2/4"


def test_giver_after_a_keep_that_ends_the_turn() -> None:
    bust = deluxe("22,36 21/24/25 A 222222:? - 0/3/4", "=11", "k1")
    assert bust == "22,36 21/24/25 A 11222222:^ - 0/3/4"
    assert deluxe(bust, "^C") == "21,22 -/24/25 B -:? - 1/3/3"
    claim = deluxe("22,36 21/24/25 A 44WWWW:? - 0/3/4", "=11", "k1")
    assert claim == "22,36 21/24/25 A 1144WWWW:^ - 0/3/4"
    assert deluxe(claim, "^C") == "22,36 21/24/25 A 1144WWWW:- - 1/3/3"
    assert deluxe_legal(claim, "^C") == ["t22"]


def test_crow_pays_from_the_supply_and_moves_on() -> None:
    assert deluxe("22,23,36 21/24 A 44WWW:- can@A,crow@23 0/6", "t23") == (
        "22,36 21,23/24 B -:? can@A,crow@22 1/6"
    )


def test_round_worms_alone_can_share_the_win() -> None:
    # R5.3: tied without any tile
    over = ref.from_text("pkp1 deluxe - -/-/24 - -:- - 2/2/0")
    assert ref.outcome(over) == {
        "scores": [2, 2, 1],
        "winners": ["A", "B"],
        "reason": "shared",
        "ranks": [1, 1, 3],
    }
    beaten = ref.outcome(ref.from_text("pkp1 deluxe - -/-/24 - -:- - 2/2/1"))
    assert (beaten["winners"], beaten["reason"], beaten["ranks"]) == (["C"], "tie-break", [2, 2, 1])


# --- known numbers (notation, last section) ---


@cache
def perft(position: str, depth: int) -> int:
    state = ref.from_text(position)
    plies = ref.moves(state) or list(ref.rolls(state))
    if depth == 1:
        return len(plies)
    return sum(perft(ref.text(ref.apply(state, ply)), depth - 1) for ply in plies)


def test_perft_from_the_classic_start() -> None:
    begin = ref.text(ref.start("classic", 2))
    assert [perft(begin, depth) for depth in range(1, 6)] == [1287, 4752, 15928, 8540691, 35525666]


def test_turn_graph() -> None:
    kept_count = nodes = busts = edges = 0
    for size in range(9):
        for kept in combinations_with_replacement(ref.FACES, size):
            kept_count += 1
            if size == 8 or len(set(kept)) == 6:
                continue
            state = ref.from_text(f"pkp1 classic 21-36 -/- A {''.join(kept) or '-'}:?")
            for roll in ref.rolls(state):
                keeps = ref.moves(ref.apply(state, roll))
                nodes += 1
                busts += not keeps
                edges += len(keeps)
    assert kept_count == 3003
    assert (nodes, nodes - busts, busts, edges) == (74238, 62886, 11352, 116688)


@pytest.mark.parametrize("white", range(1, 9))
def test_roll_weights(white: int) -> None:
    state = ref.from_text(f"pkp1 classic 21-36 -/- A {'5' * (8 - white) or '-'}:?")
    assert len(ref.rolls(state)) == [6, 21, 56, 126, 252, 462, 792, 1287][white - 1]
    assert sum(ref.rolls(state).values()) == 6**white
    golden = ref.from_text(f"pkp1 deluxe 21-36 -/- A {'5' * (8 - white) or '-'}:?+ gold@A 0/0")
    assert len(ref.rolls(golden)) == 2 * len(ref.rolls(state))
    assert sum(ref.rolls(golden).values()) == 6 ** (white + 1)


def dice_for(wanted: int) -> str:
    """Kept dice with a worm that make a total and leave a die to roll."""
    for size in range(5, 8):
        for faces in combinations_with_replacement(ref.FACES, size):
            if "W" in faces and sum(5 if face == "W" else int(face) for face in faces) == wanted:
                return "".join(faces)
    raise AssertionError(wanted)


DICE_FOR = {wanted: dice_for(wanted) for wanted in range(21, 36)} | {36: "1WWWWWWW"}


def turn_perft(state: ref.State, depth: int) -> int:
    """A turn is one take of any face-up tile, one steal of any top, or a bust."""
    if depth == 0:
        return 1
    table = ref.text(state).rpartition(" ")[0]
    targets = [f"t{tile}" for tile in state.grill]
    targets += [f"x{stack[-1]}" for seat, stack in enumerate(state.stacks) if stack and seat != state.seat]
    count = turn_perft(play(f"{table} W:?", "=WWWWWWW"), depth - 1)
    for claim in targets:
        count += turn_perft(play(f"{table} {DICE_FOR[int(claim[1:])]}:-", claim), depth - 1)
    return count


@pytest.mark.parametrize(("key", "expected"), [("course", [17, 288, 4607]), ("classic", [17, 289, 4657])])
def test_turn_perft(key: str, expected: list[int]) -> None:
    assert [turn_perft(ref.start(key, 2), depth) for depth in (1, 2, 3)] == expected


# --- random games ---


def throw(state: ref.State, rng: random.Random) -> str:
    """A fair roll as text, without drawing from the whole table."""
    faces = "".join(sorted(rng.choices(ref.FACES, k=8 - len(state.kept))))
    golden = state.gold_joined and not state.kept_gold
    return f"={faces}+{rng.choice('1W')}" if golden else f"={faces}"


def check(state: ref.State, tiles: list[int], face_down: set[int]) -> set[int]:
    """Every tile in one place, every specialist where it may be; returns the face-down tiles."""
    placed = state.grill + [tile for stack in state.stacks for tile in stack]
    assert len(placed) == len(set(placed))
    assert set(placed) <= set(tiles)
    down = set(tiles) - set(placed)
    assert face_down <= down
    assert len(down - face_down) <= 1
    places = list(state.specialists.values())
    for place in places:
        assert place.isalpha() or int(place) in state.grill
    assert len(places) - len(set(places)) == (state.phase == "back")
    assert state.specialists.get("crow", "0").isdigit()
    assert sum(state.round_worms) <= 7
    assert min(state.round_worms, default=0) >= 0
    return down


def some_move(state: ref.State, rng: random.Random) -> str:
    """Mostly sensible, because games of blind chance are long; every legal move has its chance."""
    choices = ref.moves(state)
    if rng.random() < 0.2:
        return rng.choice(choices)
    claims = [move for move in choices if move[0] in "tx"]
    keeps = [move for move in choices if move[0] == "k"]
    if claims:
        return rng.choice(claims)
    if keeps:  # the worm first, then the face that brings most
        return max(keeps, key=lambda move: 99 if move == "kW" else state.roll.count(move[1]) * int(move[1]))
    return rng.choice([move for move in choices if move != "s"] or choices)


def random_game(key: str, seats: int, rng: random.Random) -> ref.State:
    state = ref.start(key, seats, rng.randrange(seats))
    tiles, face_down = list(state.grill), set[int]()
    while state.phase != "over":
        ply = throw(state, rng) if state.phase == "dice" else some_move(state, rng)
        spot_check = rng.random() < 0.1
        before = ref.text(state) if spot_check else ""
        following = ref.apply(state, ply)
        if spot_check:
            assert ref.text(state) == before
            assert ref.from_text(ref.text(following)) == following
        face_down = check(following, tiles, face_down)
        state = following
    assert state.grill == []
    result = ref.outcome(state)
    assert result["winners"]
    assert min(result["ranks"]) == 1
    assert result["reason"] in ("worms", "tie-break", "shared")
    return state


@pytest.mark.parametrize("key", CLASSIC_KEYS + OTHER_KEYS)
def test_random_games_end(key: str) -> None:
    rng = random.Random(key)
    games = 2 if key.startswith("classic+") else 12
    for seats in range(2, 8):
        for _ in range(games):
            state = random_game(key, seats, rng)
            if not key.startswith(("deluxe", "extrawurm")):
                down = 40 - sum(ref.outcome(state)["scores"])
                assert down == sum(
                    map(ref.worms_on, set(range(21, 37)) - {t for s in state.stacks for t in s})
                )
