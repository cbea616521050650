"""Checkable dice: against a second verifier written from docs/dice.md alone, and one change at a time."""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pickomino import Game, NotationError, Record, load_edition
from pickomino.chance import DiceChain, GameSoFar, add_dice, bot_nonce, check_dice, fall, game_so_far
from pickomino.chance.checkable import MAX_ROLLS, chain_tip, last_value
from pickomino.chance.links import CHAIN_LENGTH, frame
from pickomino.notation import format_record, parse_position, parse_record, turn_lines
from pickomino.rules import IllegalMoveError, PickominoError, Position, Roll
from tests.chance.checkable_games import SECRET, long_record_text, play, record_text

NONCE = "0123456789abcdef"
EMPTY = hashlib.sha256(b"").hexdigest()
GAMES = [("classic", 2), ("classic+fast+shared-ties", 3), ("deluxe", 3), ("extrawurm", 2)]


# --- a second verifier: text in, no types of the project, written from the document ---


def framed(*fields: str | bytes) -> bytes:
    raw = [field if isinstance(field, bytes) else field.encode() for field in fields]
    return b"".join(struct.pack(">I", len(field)) + field for field in raw)


def naive_verify(text: str) -> int:
    """How many rolls of a record are right; raises at the first that is not."""
    head, _, body = text.partition("\n\n")
    headers = {
        name: value.replace('\\"', '"').replace("\\\\", "\\")
        for name, value in re.findall(r'\[(\w+) "(.*)"\]', head)
    }
    tip = headers["Dice"].removeprefix("sha256-chain ")
    lines, k, before, nonces = "", 0, b"", [b""]
    for line in body.splitlines():
        tokens = re.findall(r"\{[^}]*\}|[^ ]+", line)
        done = tokens[:2]
        for place, token in enumerate(tokens):
            if token.startswith("{#next"):
                tip, seed = token[7:-1].split(" ")
                assert (
                    hashlib.sha256(framed("pickomino dice 1 last", bytes.fromhex(seed), tip)).digest()
                    == before
                )
            elif token.startswith("{#"):
                k += 1
                number, value_text, nonce = token[2:-1].split(" ")
                assert number == str(k)
                value = bytes.fromhex(value_text)
                link = hashlib.sha256(value).digest()
                if k % 4096 == 1:
                    names = [
                        headers.get(name, "") for name in ("Table", "Edition", "Seats", "Position", "Bots")
                    ]
                    chain = str(k // 4096 + 1)
                    assert (
                        hashlib.sha256(framed("pickomino dice 1 tip", *names, chain, link)).hexdigest() == tip
                    )
                else:
                    assert link == before
                dice = tokens[place - 1].partition("/")[0]
                so_far = lines + (" ".join(done[:-1]) + "\n" if len(done) > 3 else "")
                game_hash = hashlib.sha256(so_far.encode()).hexdigest()
                stream, counter = b"", 0
                while len(stream) < 9:
                    message = framed(headers["Table"], str(k), nonce, game_hash, str(counter))
                    block = hmac.new(value, message, "sha256").digest()
                    stream += bytes(byte for byte in block if byte < 252)
                    counter += 1
                white = dice.partition("+")[0]
                fell = "".join(sorted("12345W"[stream[i] % 6] for i in range(len(white))))
                if "+" in dice:
                    fell += "+" + "111WWW"[stream[len(white)] % 6]
                assert fell == dice
                before = value
                nonces.append(nonce.encode())
            elif place > 1:
                done.append(token)
        lines += " ".join(done) + "\n"
    sealed = framed("pickomino dice 1 nonces", *nonces[1:])
    assert hashlib.sha256(sealed).hexdigest() == headers["Nonces"]
    return k


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_a_game_is_good_for_both_verifiers(edition: str, seats: int) -> None:
    text = record_text(edition, seats)
    record = parse_record(text)
    rolls = sum(isinstance(ply, Roll) for ply in record.game.plies)
    check = check_dice(record)
    assert (check.good, check.tip, check.nonces, check.rolls) == (True, True, True, rolls)
    assert 0 < check.bot_nonces < rolls
    assert check.stand_ins == check.hand_overs == 0
    assert naive_verify(text) == rolls
    assert format_record(record) == text


def test_golden_dice_were_among_them() -> None:
    assert re.search(r"\+[1W]", record_text("deluxe", 3).partition("\n\n")[2])


# --- the parts ---


def test_vectors_of_the_document() -> None:
    # docs/dice.md, "Test vectors"; computed with another implementation, in JavaScript.
    chain = DiceChain.create("t-1", "classic", ["Anna B", "bøt"], bytes(range(32)), bots="B")
    assert frame("ab", 7, b"\xff") == bytes.fromhex("00000002616200000001 3700000001ff")
    assert fall(bytes(range(32)), "t-1", 1, NONCE, EMPTY, 8, False) == Roll("1112223W")
    assert fall(bytes(range(32)), "t-1", 2, NONCE, EMPTY, 3, True) == Roll("35W+1")
    assert chain.tip == "c7b9b30fb9c55473a9229d13230485c4d530232820bb83a9ea405c121205d8cd"
    assert chain.value(1).hex() == "7150102144bc002745f6ea8befbda0a98fc59d2537c5b6a36dbc605389243160"


def test_fields_cannot_run_into_each_other() -> None:
    assert frame("ab", "c") != frame("a", "bc")
    assert frame("t", 11, "1") != frame("t", 1, "11")
    assert frame("") != frame()


@given(st.lists(st.text()), st.lists(st.text()))
def test_equal_frames_have_equal_fields(one: list[str], other: list[str]) -> None:
    assert (frame(*one) == frame(*other)) == (one == other)


def test_every_face_is_as_likely_as_its_sides() -> None:
    faces, golden = Counter[str](), Counter[str]()
    for k in range(1, 3001):
        dice, _, gold = fall(SECRET, "t", k, NONCE, EMPTY, 8, True).dice.partition("+")
        faces.update(dice)
        golden[gold] += 1
    # 24,000 white dice, 4,000 a face, deviation √(24000 · 5/36) ≈ 58. 3,000 golden, 1,500 a face, √750 ≈ 27.
    assert set(faces) == set("12345W")
    assert all(abs(count - 4000) < 5 * 58 for count in faces.values())
    assert set(golden) == {"1", "W"}
    assert abs(golden["W"] - 1500) < 5 * 27


@pytest.mark.parametrize("white", range(1, 9))
def test_white_dice_do_not_depend_on_the_golden_one(white: int) -> None:
    without = fall(SECRET, "t", 1, NONCE, EMPTY, white, False).dice
    assert fall(SECRET, "t", 1, NONCE, EMPTY, white, True).dice.partition("+")[0] == without


def test_a_roll_goes_on_with_the_next_block_when_bytes_run_out() -> None:
    many = fall(SECRET, "t", 1, NONCE, EMPTY, 100, False)  # a block has 32 bytes
    assert len(many.dice) == 100


def test_values_link_and_lead_to_the_tip() -> None:
    chain = DiceChain.create("t", "classic", ("a", "b"), SECRET)
    for k in range(2, MAX_ROLLS + 1):
        linked = hashlib.sha256(chain.value(k)).digest() == chain.value(k - 1)
        assert linked == (k != CHAIN_LENGTH + 1)
    anchor = hashlib.sha256(chain.value(1)).digest()
    assert chain.tip == chain_tip(anchor, 1, "t", "classic", "A:a B:b")
    over = chain.hand_over(CHAIN_LENGTH)
    assert over is not None
    assert chain.value(CHAIN_LENGTH) == last_value(bytes.fromhex(over.seed), over.tip)
    second = hashlib.sha256(chain.value(CHAIN_LENGTH + 1)).digest()
    assert over.tip == chain_tip(second, 2, "t", "classic", "A:a B:b")
    assert chain.hand_over(1) is None
    assert chain.hand_over(MAX_ROLLS) is None


def test_values_do_not_depend_on_the_order_of_asking() -> None:
    chain, other = (DiceChain.create("t", "classic", ("a", "b"), SECRET) for _ in range(2))
    places = [4096, 1, 64, 65, 4097, 8192, 2, 63]
    assert [chain.value(k) for k in places] == [other.value(k) for k in reversed(places)][::-1]


def test_the_secret_brings_the_chain_back_and_is_not_shown() -> None:
    chain = DiceChain.create("t", "classic", ("a", "b"))
    again = DiceChain.create("t", "classic", ("a", "b"), chain.secret)
    assert (again.tip, again.value(77)) == (chain.tip, chain.value(77))
    assert DiceChain.create("t", "classic", ("a", "b")).tip != chain.tip
    assert chain.secret.hex() not in repr(chain)


def test_everything_bound_changes_tip_and_values() -> None:
    chains = [
        DiceChain.create("t", "classic", ("a", "b"), SECRET),
        DiceChain.create("u", "classic", ("a", "b"), SECRET),
        DiceChain.create("t", "classic+fast", ("a", "b"), SECRET),
        DiceChain.create("t", "classic", ("a", "c"), SECRET),
        DiceChain.create("t", "classic", ("b", "a"), SECRET),
        DiceChain.create("t", "classic", ("a", "b", "c"), SECRET),
        DiceChain.create("t", "classic", ("a", "b"), SECRET, start="pkp1 classic 21-36 -/- B -:?"),
        DiceChain.create("t", "classic", ("a", "b"), SECRET, bots="B"),
    ]
    assert len({chain.tip for chain in chains}) == len({chain.value(1) for chain in chains}) == len(chains)


@pytest.mark.parametrize(
    ("table", "edition", "seats", "secret", "bots"),
    [
        ("", "classic", ("a", "b"), SECRET, ""),
        ("t\n", "classic", ("a", "b"), SECRET, ""),
        ("t", "nosuch", ("a", "b"), SECRET, ""),
        ("t", "classic", ("a",), SECRET, ""),
        ("t", "classic", ("a", "b"), b"short", ""),
        ("t", "classic", ("a", "b"), SECRET, "C"),
        ("t", "classic", ("a", "b"), SECRET, "BA"),
        ("t", "classic", ("a", "b"), SECRET, "AA"),
    ],
)
def test_bad_chains(table: str, edition: str, seats: tuple[str, ...], secret: bytes, bots: str) -> None:
    with pytest.raises(PickominoError, match="expected"):
        DiceChain.create(table, edition, seats, secret, bots=bots)


def test_bad_rolls() -> None:
    chain = DiceChain.create("t", "classic", ("a", "b"), SECRET)
    for k in (0, MAX_ROLLS + 1):
        with pytest.raises(IllegalMoveError, match=f"roll {k}"):
            chain.roll(k, NONCE, EMPTY, 8, False)
    for nonce in ("", "short", "x" * 65, NONCE + " ", NONCE + "}", NONCE + "é", NONCE + "\n"):
        with pytest.raises(NotationError, match="nonce"):
            chain.roll(1, nonce, EMPTY, 8, False)
    with pytest.raises(NotationError, match="game so far"):
        chain.roll(1, NONCE, "abc", 8, False)
    with pytest.raises(IllegalMoveError, match="expected dice"):
        chain.roll(1, NONCE, EMPTY, 0, False)
    with pytest.raises(IllegalMoveError, match="roll 1: classic has no golden die"):
        chain.roll(1, NONCE, EMPTY, 0, True)
    golden = DiceChain.create("t", "deluxe", ("a", "b"), SECRET)
    assert golden.roll(1, NONCE, EMPTY, 0, True).roll.dice in ("+1", "+W")


def test_dice_of_a_house_edition() -> None:
    """Three sides, of which two show a 2, and a golden die of four: bytes from 255 on are passed over, or none."""
    toml = (
        'name = "x"\ndice = 3\n[tiles]\n5-7 = 1\n[faces]\n2 = { pips = 2, sides = 2 }\nW = 5\n'
        "[golden_die]\n2 = 1\nW = 3\n[specialists]\ngold = 5\n"
    )
    seen: Counter[str] = Counter()
    for k in range(1, 2001):
        roll = fall(SECRET, "t", k, NONCE, EMPTY, 3, True, load_edition(toml))
        seen.update(roll.dice)
        block = hmac.digest(SECRET, frame("t", k, NONCE, EMPTY, 0), "sha256")
        places = [place for place, byte in enumerate(block) if byte < 255][:3]
        white = "".join(sorted("22W"[block[place] % 3] for place in places))
        assert roll.dice == f"{white}+{'2WWW'[block[places[-1] + 1] % 4]}"
    assert seen["+"] == 2000
    assert seen["2"] / 2000 == pytest.approx(3 * 2 / 3 + 1 / 4, abs=0.06)  # 3.6 standard errors


# --- the game so far ---


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_the_game_so_far_is_the_hash_of_the_turn_lines(edition: str, seats: int) -> None:
    whole = parse_record(record_text(edition, seats)).game
    game = Game(whole.start)
    growing, later = GameSoFar(game), GameSoFar(whole)
    assert game_so_far(game) == EMPTY
    for count, ply in enumerate(whole.plies, 1):
        game.apply(ply)
        lines = format_record(Record(game, ("",) * seats)).partition("\n\n")[2]
        expected = hashlib.sha256(lines.encode()).hexdigest()
        assert growing.at() == game_so_far(game) == later.at(count) == expected


def test_the_game_so_far_does_not_go_back() -> None:
    game = parse_record(record_text()).game
    so_far = GameSoFar(game)
    assert bot_nonce(so_far.at()) == game_so_far(game)
    with pytest.raises(ValueError, match="ply 1"):
        so_far.at(1)
    with pytest.raises(ValueError, match="expected"):
        so_far.at(len(game) + 1)


# --- records ---


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("deluxe", 3)])
def test_an_unfinished_game_is_good_up_to_where_it_is(edition: str, seats: int) -> None:
    names = ("a", "b", "c")[:seats]
    whole, chain, rolls = play(Position.start(edition, seats), names)
    game, count = Game(whole.start), 0
    for ply in whole.plies[:150]:
        game.apply(ply)
        count += isinstance(ply, Roll)
        text = format_record(add_dice(Record(game, names), chain, rolls[:count]))
        check = check_dice(parse_record(text))
        assert (check.good, check.rolls) == (True, count)
        assert naive_verify(text) == count


def test_a_game_without_dice_yet_has_nothing_wrong() -> None:
    chain = DiceChain.create("t", "classic", ("a", "b"), SECRET)
    check = check_dice(add_dice(Record(Game(), ("a", "b")), chain, []))
    assert (check.good, check.rolls, check.tip) == (True, 0, False)


@pytest.mark.parametrize(
    "start",
    [
        "pkp1 classic 21-36 -/- B -:?",
        "pkp1 classic 22-24 21/25 A 55W:-",
        "pkp1 classic 22-24 21/25 A 55W:?",
        "pkp1 deluxe 22-24 21/25 B -:+? gold@B 0/0",
    ],
)
def test_other_starts_are_bound_too(start: str) -> None:
    names = ("a", "b")
    game, chain, rolls = play(parse_position(start), names)
    text = format_record(add_dice(Record(game, names), chain, rolls))
    assert check_dice(parse_record(text)).good
    assert naive_verify(text) == len(rolls)
    unbound = DiceChain.create("t-1", game.start.edition.key, names, SECRET, bots="B")
    with pytest.raises(NotationError, match="bound"):
        add_dice(Record(game, names), unbound, rolls)


def test_rolls_and_record_must_match() -> None:
    game, chain, rolls = play(Position.start(), ("a", "b"))
    for names, some in (
        (("a", "b"), rolls[:-1]),
        (("a", "b"), [*rolls, rolls[-1]]),
        (("a", "b"), rolls[::-1]),
        (("a", "x"), rolls),
    ):
        with pytest.raises(NotationError):
            add_dice(Record(game, names), chain, some)


def test_other_headers_and_comments_stay_and_writing_twice_changes_nothing() -> None:
    game, chain, rolls = play(Position.start(), ("a", "b"))
    record = Record(game, ("a", "b"), {"Event": "evening"}, {(1, 2): ("what a roll",), (1, 1): ("# hm",)})
    once = add_dice(record, chain, rolls)
    assert list(once.headers) == ["Event", "Dice", "Table", "Bots", "Nonces"]
    assert once.comments[(1, 2)][1:] == ("what a roll",)
    assert record.headers == {"Event": "evening"}
    assert format_record(add_dice(once, chain, rolls)) == format_record(once)
    assert check_dice(parse_record(format_record(once))).good


def test_bots_and_stand_ins() -> None:
    record = parse_record(record_text(bots="B"))
    check = check_dice(record)
    of_b = sum(isinstance(ply, Roll) and at.seat == 1 for at, ply, _ in record.game.steps())
    assert (check.bot_nonces, check.stand_ins) == (of_b, 0)
    # The server rolls for a person whose time ran out.
    honest = DiceChain.create("t-1", "classic", ("a", "b"), SECRET)
    so_far = GameSoFar(first := Game())
    nonce = bot_nonce(so_far.at())
    roll = honest.roll(1, nonce, nonce, 8, False)
    first.apply(roll.roll)
    check = check_dice(add_dice(Record(first, ("a", "b")), honest, [roll]))
    assert (check.good, check.bot_nonces, check.stand_ins) == (True, 0, 1)


def test_a_bot_with_a_nonce_of_its_own_is_caught() -> None:
    chain = DiceChain.create("t", "classic", ("a", "b"), SECRET, bots="A")
    roll = chain.roll(1, NONCE, EMPTY, 8, False)
    problem = check_dice(add_dice(Record(Game(plies=[roll.roll]), ("a", "b")), chain, [roll])).problem
    assert str(problem) == "turn 1, roll 1: the nonce of a bot is not the hash of the game so far"


# --- one change at a time ---


def is_good(text: str) -> bool:
    try:
        return check_dice(parse_record(text)).good
    except PickominoError:
        return False


def other(sign: str) -> str:
    return "1" if sign == "0" else "0"


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("deluxe", 3)])
def test_every_changed_value_and_nonce_is_caught(edition: str, seats: int) -> None:
    record = parse_record(record_text(edition, seats))
    for key, (text,) in record.comments.items():
        _, value, _nonce = text.split(" ")
        begin, end = text.index(value), text.index(value) + len(value)
        places = (begin, end - 1, end + 1)
        changed = [(text[:place] + other(text[place]) + text[place + 1 :],) for place in places]
        for texts in (*changed, (text[:-1],), (text, text), ()):
            record.comments[key] = texts
            assert not check_dice(record).good, texts
        record.comments[key] = (text,)
    assert check_dice(record).good


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("deluxe", 3)])
def test_every_changed_die_is_caught(edition: str, seats: int) -> None:
    """Dice that the rules do not mind: the record still replays, and the check finds the roll."""
    whole = parse_record(record_text(edition, seats))
    replayed = 0
    for index, (position, ply, _) in enumerate(whole.game.steps()):
        if not isinstance(ply, Roll):
            continue
        for swap in position.rolls():
            if (Counter(swap.dice) - Counter(ply.dice)).total() != 1:
                continue
            plies = list(whole.game.plies)
            plies[index] = swap
            try:
                game = Game(whole.game.start, plies)
            except PickominoError:
                continue
            # Only the dice change, so values and nonces stay behind the same tokens.
            if [len(line.tokens) for line in turn_lines(game)] != [
                len(line.tokens) for line in turn_lines(whole.game)
            ]:
                continue
            replayed += 1
            changed = Record(game, whole.names, whole.headers, whole.comments)
            problem = check_dice(changed).problem
            assert problem is not None
            assert "the dice are" in problem.reason
            assert isinstance(game.plies[index], Roll)
            break
    assert replayed > 20


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Table "t-1"]', '[Table "t-2"]'),
        ('[Table "t-1"]\n', ""),
        ('[Edition "classic"]', '[Edition "classic+fast"]'),
        ('[Edition "classic"]', '[Edition "classic+shared-ties"]'),
        ("A:Anna%20B", "A:Anna%20C"),
        ("B:bøt", "B:bot"),
        ('[Bots "B"]\n', ""),
        ('[Bots "B"]', '[Bots "A"]'),
        ('[Bots "B"]', '[Bots "AB"]'),
        ('[Nonces "', '[Nonces "0'),
        ("sha256-chain ", "sha256-chain  "),
        ("sha256-chain ", "sha512-chain "),
        ('[Seats "A:Anna%20B B:bøt"]', '[Seats "A:bøt B:Anna%20B"]'),
        ("{#1 ", "{#2 "),
        ("{#1 ", "{#01 "),
        ("{#1 ", "{ #1 "),
        ("1 A ", "1 A {#1 spare} "),
    ],
)
def test_changed_headers_and_comments_are_caught(old: str, new: str) -> None:
    text = record_text()
    assert is_good(text)
    assert old in text
    assert not is_good(text.replace(old, new, 1))


@pytest.mark.parametrize("place", range(64))
def test_a_changed_tip_is_caught(place: int) -> None:
    text = record_text()
    place += text.index("sha256-chain ") + len("sha256-chain ")
    assert not is_good(text[:place] + other(text[place]) + text[place + 1 :])


@given(st.data())
def test_any_changed_sign_that_the_dice_hang_on_is_caught(data: st.DataObject) -> None:
    """Tip, table, seats, seal, dice, values and nonces. Moves behind the last roll are not bound by it."""
    text = record_text(*data.draw(st.sampled_from(GAMES)))
    parts = [
        found.span(1)
        for pattern in (
            r'\[(?:Dice|Table|Seats|Bots|Nonces) "(.*)"\]',
            r"\{(#.*?)\}",
            r" ([1-5W+]+)(?=/| \{)",
        )
        for found in re.finditer(pattern, text)
    ]
    start, end = data.draw(st.sampled_from(parts))
    place = data.draw(st.integers(start, end - 1))
    sign = data.draw(st.sampled_from("0123456789abcdefW+ AB").filter(lambda sign: sign != text[place]))
    assert not is_good(text[:place] + sign + text[place + 1 :])


# --- from chain to chain ---


def test_a_long_game_goes_on_with_the_next_chain() -> None:
    text = long_record_text(CHAIN_LENGTH + 2)
    check = check_dice(parse_record(text))
    assert (check.good, check.rolls, check.hand_overs) == (True, CHAIN_LENGTH + 2, 1)
    assert naive_verify(text) == CHAIN_LENGTH + 2
    found = re.search(r" \{#next ([0-9a-f]{64}) ([0-9a-f]{64})\}", text)
    assert found
    record = parse_record(text)
    key = next(key for key, texts in record.comments.items() if len(texts) == 2)
    own, following = record.comments[key]
    _, tip, seed = following.split(" ")
    for changed in (
        (own,),
        (following, own),
        (own, f"#next {other(tip[0])}{tip[1:]} {seed}"),
        (own, f"#next {tip} {other(seed[0])}{seed[1:]}"),
        (own, following, following),
    ):
        record.comments[key] = changed
        assert not check_dice(record).good
    record.comments[key] = (own, following)
    assert check_dice(record).good


def test_a_hand_over_in_the_middle_of_a_chain_is_caught() -> None:
    text = record_text()
    found = re.search(r"\{#5 .*?\}", text)
    assert found
    assert not is_good(text.replace(found[0], f"{found[0]} {{#next {'0' * 64} {'0' * 64}}}"))
