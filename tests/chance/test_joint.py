"""Dice from every seat: a second verifier written from docs/dice.md alone, one change at a time, and cheats."""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from typing import Any

import pytest

from pickomino import NotationError
from pickomino.chance import (
    Contributor,
    GuestChain,
    GuestLinks,
    GuestTip,
    KeptValues,
    VoidRoll,
    check_dice,
    compare_kept,
    mix,
    parse_mix,
    who_starts,
)
from pickomino.chance.links import CHAIN_LENGTH
from pickomino.notation import format_record, parse_record
from tests.chance.joint_games import SmallServer, joint_text

ZEROS, ONES = "0" * 64, "1" * 64


def framed(*fields: str | bytes) -> bytes:
    raw = [field if isinstance(field, bytes) else field.encode() for field in fields]
    return b"".join(struct.pack(">I", len(field)) + field for field in raw)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def back(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = sha(value)
    return value


def naive_verify(text: str) -> int:
    """How many rolls of a record are right, who starts included; raises at the first that is not."""
    head, _, body = text.partition("\n\n")
    headers = dict(re.findall(r'\[(\w+) "(.*)"\]', head))
    tip, table = headers["Dice"].removeprefix("sha256-chains "), headers["Table"]
    tips = [re.fullmatch(r"(\w+):(\w+)(?:@(\d+))?", part) for part in headers["Tips"].split(" ")]
    right, lines = 0, ""
    before: tuple[int, bytes] | None = None

    def proved(text: str, so_far: str) -> tuple[bytes, list[str]]:
        """The blocks that a roll's bytes are taken from; links are followed on the way."""
        nonlocal before, right
        number, value_text, *mixed = text.removeprefix("#").split(" ")
        k, value = int(number), bytes.fromhex(value_text)
        if before is None:
            names = [headers.get(name, "") for name in ("Edition", "Seats")]
            fields = framed(
                "pickomino dice 2 tip", table, *names, "", headers["Bots"], "1", back(value, k + 1)
            )
            assert sha(fields).hex() == tip
        else:
            assert back(value, k - before[0]) == before[1]
        before = k, value
        for part in mixed:
            letter, _, added = part.partition(":")
            if added:
                ours = [
                    found for found in tips if found and found[1][0] == letter and int(found[3] or 0) <= k
                ][-1]
                assert ours is not None
                anchor = back(bytes.fromhex(added), k - int(ours[3] or 0) + 1)
                assert sha(framed("pickomino dice 2 guest", table, ours[1], tip, anchor)).hex() == ours[2]
        right += 1
        game = sha(so_far.encode()).hex()
        message = [framed(table, number, " ".join(mixed), game, str(counter)) for counter in range(3)]
        return b"".join(hmac.new(value, text, "sha256").digest() for text in message), mixed

    seats = headers["Seats"].count(":")
    blocks, _ = proved(headers["First"].split("; ")[-1], "")
    first = next(byte % seats for byte in blocks if byte < 256 // seats * seats)
    starter = re.search(r" ([A-G]) -:\?", headers.get("Position", " A -:?"))
    assert starter is not None
    assert "ABCDEFG"[first] == starter[1]
    for line in body.splitlines():
        tokens = re.findall(r"\{[^}]*\}|[^ ]+", line)
        done = tokens[:2]
        for place, token in enumerate(tokens):
            if token.startswith("{#") and " void " not in token:
                dice = done[-1].partition("/")[0]
                so_far = lines + (" ".join(done[:-1]) + "\n" if len(done) > 3 else "")
                blocks, _ = proved(token[1:-1], so_far)
                stream = [byte for byte in blocks if byte < 252]
                white, _, gold = dice.partition("+")
                fell = "".join(sorted("12345W"[stream[i] % 6] for i in range(len(white))))
                assert (fell, gold) == (white, "111WWW"[stream[len(white)] % 6] if gold else "")
            elif place > 1 and not token.startswith("{"):
                done.append(token)
        lines += " ".join(done) + "\n"
    return right


@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_a_second_verifier_agrees(edition: str) -> None:
    text = joint_text(edition)
    check = check_dice(parse_record(text))
    assert check.good, check.problem
    assert naive_verify(text) == check.rolls + 1  # who starts
    assert check.voids == [VoidRoll(5, "A")]
    # Anna slept through the one that did not fall, and came in again at once: both gave to all others.
    assert check.added == {"A": check.rolls + 1, "C": check.rolls + 1}
    assert (check.alone, check.first) == (0, True)
    assert format_record(parse_record(text)) == text


def _other(found: re.Match[str]) -> str:
    last = found[0][-1]
    return found[0][:-1] + ("0" if last != "0" else "1")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"sha256-chains \w{64}", "tip does not belong"),
        (r"Tips \"A:\w{64}", "value of A does not belong"),
        (r"#0 \w{64}", "tip does not belong"),
        (r"#0 \w+ A:\w{64}", "value of A does not belong"),
        (r"#3 \w{64}", "does not hash to the value before"),
        (r"#3 \w+ A:\w{64}", "the dice are|value of A"),
        (r"#3 \w+ A:\w+ C:\w{64}", "the dice are|value of C"),
        (r"#5 void A", None),
        (r"Nonces \"\w{64}", "header Nonces"),
        (r"Table \"t-2", "tip does not belong"),
    ],
)
def test_one_change_is_found(pattern: str, reason: str | None) -> None:
    text = joint_text()
    changed = re.sub(pattern, _other if reason else "#5 void C", text, count=1)
    assert changed != text
    problem = check_dice(parse_record(changed)).problem
    assert problem is not None
    assert re.search(reason or "within one round|Nonces", str(problem)), problem


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (r"{#5 void A} ", "", "expected {#5 value"),
        (r"{#5 void A} ", "{#5 void A} {#6 void A} ", "expected {#7 value"),
        (r"{#5 void A} ", "{#5 void B} ", "B has no tip"),
        (r"sha256-chains", "sha256-chain", "header Tips"),
        (r"\[Nonces", '[Void "#9 void A"]\n[Nonces', "expected roll"),
        (r"(#3 \w+ A:\w+) C:", r"\1 B:", "the dice are|value of B"),
        (r"(#0 \w+ A:\w+) C:", r"\1 B:", "value of B"),
        (r"(#0 \w+) A:\w+ C:\w+", r"\1 short", "expected {#0 value"),
    ],
)
def test_what_is_out_of_place_is_found(old: str, new: str, reason: str) -> None:
    text = joint_text()
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    problem = check_dice(parse_record(changed)).problem
    assert problem is not None
    assert re.search(reason, str(problem)), problem


def test_who_starts_is_not_for_the_record_to_say() -> None:
    text = joint_text()
    starts = re.search(r'\[Position "pkp1 classic 21-36 -/-/- (.) -:\?"\]\n', text)
    changed = text.replace(starts[0], "") if starts else text
    lines = changed.split("\n\n")[0]  # without turns: they would not fit
    if not starts:
        lines += '\n[Position "pkp1 classic 21-36 -/-/- B -:?"]'
        head = lines.splitlines()
        lines = "\n".join([*head[:3], head[-1], *head[3:-1]])
    lines = re.sub(r'Result "\w+"', 'Result "*"', lines)
    problem = check_dice(parse_record(lines + "\n")).problem
    assert problem is not None
    assert "starts, the record does not" in str(problem)


def test_values_follow_from_the_tip_over_rolls_that_were_missed() -> None:
    chain = GuestChain("g", "AC", ONES)
    links = GuestLinks(GuestTip("AC", chain.tip, 10), "g", ONES)
    values = {k: chain.value(k, 10) or "" for k in (10, 14, 20)}
    assert chain.value(9, 10) is None
    assert chain.value(10 + CHAIN_LENGTH, 10) is None
    for k, value in values.items():
        assert links.holds(k, value)
        assert links.holds(k, value), "asked again"
    assert not links.holds(21, values[20]), "a value is shown for one roll"
    assert not links.holds(21, ZEROS)
    assert not links.holds(9, values[10])
    assert links.holds(14, values[14]), "an earlier one, again"
    other = GuestLinks(GuestTip("AC", chain.tip, 10), "another game", ONES)
    assert not other.holds(10, values[10])


def test_tips_and_mixes_are_text() -> None:
    for text in (f"A:{ONES}", f"ACG:{ONES}@17"):
        assert str(GuestTip.parse(text)) == text
    for text in (f"CA:{ONES}", f"A:{ONES}@0", f"H:{ONES}", "A:1"):
        with pytest.raises(NotationError):
            GuestTip.parse(text)
    for text in (f"A:{ONES}", f"A:{ONES} C:{ZEROS}", f"A:{ONES} 0123456789abcdef", "0123456789abcdef"):
        assert mix(*parse_mix(text)) == text
    for text in (
        "",
        f"C:{ONES} A:{ZEROS}",
        f"A:{ONES}  C:{ZEROS}",
        f"A:{ONES} A:{ONES}",
        f"A:{ONES} ",
        "short",
    ):
        with pytest.raises(NotationError):
            parse_mix(text)


def test_every_seat_starts_as_often() -> None:
    """1,000 rolls each: five standard deviations of a count are 5·√(n·p·(1−p))."""
    for seats in (2, 3, 7):
        counts = [0] * seats
        for k in range(1000):
            counts[who_starts(k.to_bytes(32, "big"), "t", 0, f"A:{ONES}", seats)] += 1
        spread = 5 * (1000 / seats * (1 - 1 / seats)) ** 0.5
        assert all(abs(count - 1000 / seats) < spread for count in counts), counts


# --- a client ---


def asked(server: SmallServer, k: int = 0, seq: int = 1, **more: Any) -> dict[str, Any]:
    return server.state({"seq": seq, "k": k, "seats": ["A", "C"], "nonce": None}) | more


def begun() -> tuple[SmallServer, Contributor]:
    server = SmallServer()
    server.tell(server.state(None))
    return server, server.clients["A"]


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["t"] for message in messages]


def test_a_value_is_shown_once_and_for_one_entry_only() -> None:
    server, anna = begun()
    shown = anna.hear(asked(server), ["A"])
    assert kinds(shown) == ["value"]
    assert anna.hear(asked(server), ["A"]) == []
    assert anna.hear(asked(server), ["A"], hello=True) == shown, "again over a new connection"
    for other in (asked(server, seq=2), asked(server, position="pkp1 classic 21-36 -/-/- B -:?")):
        again, client = begun()
        client.hear(asked(again), ["A"])
        assert kinds(
            client.hear(other | {"dice": f"sha256-chains {again.chain.tip}"} | _tips(again), ["A"])
        ) == ["tip"], "the log is another one: a new chain"


def _tips(server: SmallServer) -> dict[str, Any]:
    chains = server.state({"seq": 9, "k": 0, "seats": ["A", "C"], "nonce": None})["chains"]
    return {"chains": chains}


def test_a_client_that_is_ahead_of_the_log_commits_anew() -> None:
    server, anna = begun()
    assert kinds(anna.hear(asked(server, k=7), ["A"])) == ["value"]
    assert kinds(anna.hear(asked(server, k=3, seq=2), ["A"])) == ["tip"]


def test_a_second_device_takes_over_and_the_first_does_not_fight() -> None:
    server, anna = begun()
    phone = Contributor()
    (tip,) = phone.hear(server.state(None), ["A"], hello=True)
    server.hear("A", tip, {})
    assert anna.hear(asked(server), ["A"]) == []
    assert kinds(phone.hear(asked(server), ["A"])) == ["value"]
    server.out = {"A": 0}  # the phone sleeps
    assert kinds(anna.hear(server.state(None), ["A"])) == ["tip"]


def test_who_was_missing_asks_to_be_in_again_when_it_may() -> None:
    server, anna = begun()
    server.out = {"A": 2}
    assert anna.hear(server.state(None), ["A"]) == []
    server.out = {"A": 0}
    assert kinds(anna.hear(server.state(None), ["A"])) == ["in"]


def test_watchers_and_old_tables_are_left_alone() -> None:
    server, _ = begun()
    assert Contributor().hear(server.state(None), []) == []
    assert Contributor().hear(server.state(None) | {"chains": None}, ["A"]) == []


# --- cheats: docs/dice.md says how each one shows ---


def played(server: SmallServer) -> SmallServer:
    server.start()
    server.play(turns=4)
    return server


def test_what_honest_people_kept_is_all_in_the_record() -> None:
    server = played(SmallServer())
    for letter, client in server.clients.items():
        assert client.complaints == []
        kept = KeptValues.parse(str(client.kept))
        assert kept == client.kept
        check = compare_kept(server.record, kept)
        assert (check.problems, check.unknown, check.tip, check.tips) == ([], [], True, 1)
        assert check.values == len(server.rolls) + 1, letter


class LeavesOut(SmallServer):
    """Asks C, and lets the dice fall without what C said."""

    def tell(self, state: dict[str, Any]) -> dict[str, str]:
        values = super().tell(state)
        if self.k == 4:
            values["C"] = self.chain.value(4).hex()  # something else
        return values


def test_a_server_that_swaps_a_value_is_caught() -> None:
    server = played(LeavesOut())
    assert server.clients["C"].complaints == ["roll 4: the value of C is not in it"]
    problem = check_dice(server.record).problem
    assert problem is not None
    assert (problem.roll, problem.reason) == (4, "the value of C does not belong to its tip")


class AsksOthers(SmallServer):
    """Tells C of a roll with C, and lets it fall without C, as if it had never been asked."""

    def told(self, kind: str, k: int, mixed: str) -> None:
        super().told(kind, k, mixed.split(" C:")[0] if k == 4 else mixed)


def test_a_server_that_leaves_somebody_out_is_noticed() -> None:
    server = played(AsksOthers())
    assert server.clients["C"].complaints == ["roll 4: the value of C is not in it"]
    assert server.clients["A"].complaints == ["roll 4: it is not the roll that A was asked for"]


class ForgetsToAsk(SmallServer):
    """Lets a roll fall without asking C, who is there."""

    def ask(self, nonce: str | None = None) -> tuple[int, str]:
        if self.k == 4:
            self.out["C"] = 9
            found = super().ask(nonce)
            del self.out["C"]
            return found
        return super().ask(nonce)


def test_a_server_that_does_not_ask_somebody_is_noticed() -> None:
    server = played(ForgetsToAsk())
    check = check_dice(server.record)
    assert (check.added["A"], check.added["C"]) == (check.rolls + 1, check.rolls), "the record shows it"
    compared = compare_kept(server.record, server.clients["C"].kept)
    assert (compared.problems, compared.unknown) == ([], ["roll 4: C was there and was not asked"])


class CallsMissing(SmallServer):
    """Knows the dice first, and makes rolls void that it does not like, in Anna's name."""

    def tell(self, state: dict[str, Any]) -> dict[str, str]:
        values = super().tell(state)
        if self.k in (3, 4):
            values.pop("A", None)
        return values


def test_a_server_that_calls_somebody_missing_who_is_not_is_noticed() -> None:
    server = played(CallsMissing())
    anna = server.clients["A"]
    assert anna.complaints[0] == "roll 3: A is called missing, but the server had its value"
    assert check_dice(server.record).voids[0] == VoidRoll(3, "A"), "on record, with a name"
    assert compare_kept(server.record, anna.kept).problems[0] == anna.complaints[0]


def test_a_friend_of_the_server_can_make_rolls_void_once_per_round_only() -> None:
    server = played(SmallServer(sleeping=lambda k, letter: letter == "C" and k in (3, 5)))
    problem = check_dice(server.record).problem
    assert server.voids == [VoidRoll(3, "C"), VoidRoll(5, "C")]
    assert problem is not None
    assert "twice within one round" in problem.reason


class ReplaysTip(SmallServer):
    """Goes back on its tip after it has seen the guests': tries chains until it starts itself."""

    def start(self) -> None:
        self.tell(self.state(None))
        tips = dict(self.tips)
        super().__post_init__()
        self.chain = type(self.chain).create(
            self.table, self.edition, self.names, bytes(32), bots=self.bots, joint=True
        )
        self.tips, self.all_tips = tips, list(tips.values())
        super().start()


def test_a_server_that_changes_its_tip_afterwards_is_caught() -> None:
    server = played(ReplaysTip())
    problem = check_dice(server.record).problem
    assert problem is not None
    assert problem.reason == "the value of A does not belong to its tip"
    assert (
        "the tip is not the one that was shown before the game"
        in compare_kept(server.record, server.clients["A"].kept).problems
    )


def test_a_record_that_lost_its_end_is_noticed() -> None:
    server = played(SmallServer())
    kept = server.clients["A"].kept
    text = format_record(server.record)
    last = text.rstrip("\n").rsplit("\n", 1)[0] + "\n"  # without the last turn
    found = compare_kept(parse_record(last), kept).problems
    assert found
    assert all("the record ends before it" in problem for problem in found)


def test_a_kept_file_of_something_else_says_so() -> None:
    server = played(SmallServer())
    assert "of game" in compare_kept(server.record, KeptValues("other")).problems[0]
    assert "none was kept" in compare_kept(server.record, KeptValues("t-2")).unknown[0]
    for text in ("", "[]", '{"kept": 2}', '{"kept": 1}', '{"kept": 1, "game": "g", "tips": ["x"]}'):
        with pytest.raises(NotationError, match="kept file"):
            KeptValues.parse(text)
