"""Sentences: the right pattern for a mistake, figures that are true, every text in every language."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pickomino import parse_position
from pickomino.analysis import Decision, Review, review
from pickomino.analysis.advice import advise
from pickomino.analysis.judgement import slips
from pickomino.analysis.pair import Pair
from pickomino.analysis.sentences import best_sentence, mistake_sentence, second_sentence
from pickomino.analysis.words import Words, add_up, percent
from pickomino.bots import make_bot
from pickomino.locale import languages
from pickomino.locale.po import read_po
from pickomino.notation import Record, parse_move
from pickomino.rules import Steal, Take
from pickomino.testing import random_game
from tools.catalogue import LOCALE, python_texts

NAMES = ("Anna", "Owl", "Duck", "Crow", "Fox", "Cat", "Hen")


def decision(text: str, played: str) -> tuple[Decision, Words]:
    found = advise(parse_position(text))
    assert found.decision is not None
    words = Words(NAMES[: len(found.values)], "en", found.goal)
    return replace(found.decision, played=parse_move(played)), words


@pytest.mark.parametrize(
    ("text", "played", "said"),
    [
        (
            "classic 22-24,26-36 -/25,21 A 455WW:-",
            "t24",
            "The 24 is too little: rolling on is # for more, # to bust; …",
        ),
        (
            "classic 22,23,28-35 24,26,27/25,21 B -:1344555W",
            "k3",
            "The chance to steal Anna’s 27 is # with the 3, # with the three 5s; …",
        ),
        (
            "classic 22 24,26,33,34/25,21,23,29,27,30,28 A 344445W:-",
            "t22",
            "Taking the last tile ends the game with Owl ahead; only rolling on keeps a chance, #.",
        ),
        (
            "classic 22,31 24,26,33,34,28/25,21,23,29,27,30 A -:11233445",
            "k3",
            "Keeping the two 3s leaves # to bust, keeping the two 4s only #; …",
        ),
        (
            "classic 28-35 24,26,27,22/25,21,23 B 44455W:23",
            "k2",
            "With the 2 it is the 29 for sure, with the 3 the 30; …",
        ),
        ("classic 21 30/29 A 555WW:-", "r", "Taking the 21, the last one, wins; rolling on busts #; …"),
        (
            "classic 23 25/31,30,22,27/29,21,26 B 555WW:-",
            "x25",
            "Taking the 23, the last one, wins; stealing lets the others play on; …",
        ),
        ("classic 22,25,27 30/26 A 15555W:-", "t25", "Owl’s 26 counts twice: for you and against Owl; …"),
        (
            "classic 22,25,27 30/26 A 15555W:-",
            "r",
            "Owl’s 26 is there to steal; rolling on is # for the 27, # to bust and lose your 30; …",
        ),
        (
            "course 26 25,27/22,24,21,23,29 B -:1122355W",
            "kW",
            "Only the 26 is left on the grill: # for it with the worm, # with the two 5s; …",
        ),
        (
            "course 26,30 25,27/22,24,21,23,29,28 A -:1133455W",
            "kW",
            "The worm can wait: keeping the worm now leaves # to bust, the two 5s first #; …",
        ),
        (
            "course 22,24,26-36 25,23/21 B 444:12225",
            "k2",
            "Keeping the three 2s leaves two dice and # to bust, keeping the 5 leaves four dice and #; …",
        ),
        (
            "summary 21-25,28-30,32 31,26/27/-/- B 444:1134W",
            "k3",
            "No worm yet: keeping the 3 leaves # to bust, keeping the worm #; …",
        ),
        (
            "summary 21,22 31,26,29/27,25,24/-/23 A 255WW:-",
            "r",
            "Rolling on risks the 22 and your 29: # to do better, # to bust; …",
        ),
        (
            "deluxe 23,25,31 13,26,28,35,27,29/22,30,24,11/33,21 A -:+? can@25,gold@A,hen@31,weasel@23 0/1/3",
            "n",
            "Without the golden die it is # to bust, with it #; …",
        ),
        (
            "deluxe 11,21,23,27,29,31-36 13,26,28/22,30,24/25 C 12255W:25 "
            "apple@29,can@11,crow@23,gold@27,hen@21,weasel@C 0/0/1",
            "s",
            "Nothing to keep, but the weasel may roll again: # for a tile; …",
        ),
        (  # the last tile would end the game behind Duck
            "extrawurm 27 23,21,30,22/24,13/11,26,25,28 B 344WW:135 gold@A,hen@27,weasel@B 0/1/6",
            "k5",
            "With the 5 Anna’s 22 is out of reach, with the 1 it is yours for sure; …",
        ),
        (  # the weasel busts more often
            "deluxe 33 27,34,23/28,21,22,26,24,11,13 A -:133345WW apple@B,hen@33,weasel@A 6/1",
            "kW",
            "Sending the weasel does more than keeping the two worms; …",
        ),
        (
            "deluxe 11,13,23,25,26,30,32,33 27,22/-/31/29,28/24,21 B 33444W:- "
            "apple@A,can@11,crow@13,gold@26,hen@23,weasel@25 0/3/1/1/2",
            "r",
            "The 23 brings the hen; rolling on is # for a higher tile, # to bust; …",
        ),
        (  # the hen is on the 13
            "deluxe 13,23,33 27,34/28,21,22,26,24,11 A -:11234555 apple@B,hen@13,weasel@23 6/1",
            "k5",
            "The 13 and the hen: # with the 3, out of reach with the three 5s; …",
        ),
        (  # one tile for sure, or another
            "classic 22-36 21/- B 2555WW:14",
            "k1",
            "With the 1 it is the 28 for sure, with the 4 the 31; …",
        ),
        (
            "deluxe 11,13,22,24,25,27,28,31-35 -/21,29/26,23/30 C 455WW:223 "
            "apple@B,can@11,crow@13,gold@27,hen@22,weasel@25 2/0/1/0",
            "k2",
            "With the two 2s it is the 28 for sure, with the 3 the 27 and the golden die; …",
        ),
        (
            "classic 23-26 29/22,27,21 A 44WW:135W",
            "k5",
            "With the 5 Owl’s 21 is out of reach, with the 3 it is yours for sure; …",
        ),
        (
            "classic+fast 22-25 -/21,30,32,31 A 2WWWW:455",
            "k5",
            "With the two 5s Owl’s 31 is out of reach, with the 4 it is # to steal it; …",
        ),
        (  # of a guarded tile only the hen is to be had (D10.3)
            "deluxe 11,13,22,24,25,27-29,31-35 -/21/26,23/30 A 2234WW:- "
            "apple@29,can@11,crow@13,gold@27,hen@B,weasel@25 2/0/1/0",
            "r",
            "Owl’s hen is there to steal; rolling on is # for something better, # to bust; …",
        ),
        (  # nor is a sure steal out of reach because another is
            "deluxe 32-34 30,23,11,24/27,31/25/28,22/21/29,13,26 E WWWW:2223 "
            "apple@F,can@A,crow@32,gold@D,hen@E,weasel@C 3/3/0/1/0/0",
            "k2",
            "The risk pays off: with the three 2s it is Cat’s 26 and the apple for sure, "
            "but # for the 31 or more with the 3; …",
        ),
        (
            "classic 22,24-36 21/23 A -:115555WW",
            "kW",
            "The risk pays off: with the four 5s it is # for the 29 or more, not #, and # to bust, not #; …",
        ),
        (  # both bust about as often, and lead most often to the 13
            "extrawurm 13,23,30,31,33 28/11,27,24/26,25,29,22/32,21 B -:1334455W "
            "can@30,crow@31,gold@23,hen@13,weasel@D 3/0/1/3",
            "k4",
            "The chance of the 13 and the hen is # with the two 4s, # with the worm; …",
        ),
        (
            "extrawurm 11,23 32,27,21,13,26,25,22/28 A 4W:135WWW can@23,weasel@11 0/7",
            "k1",
            "Keeping the 3 leaves a pair of 1s possible, and its round worm; …",
        ),
        (
            "deluxe 26,30 13,24,27,21,23,11,28,22/32,25,29 B -:114455WW apple@A,crow@30,hen@26 7/0",
            "k5",
            "It is close: # to bust with the two 5s, # with the two worms; …",
        ),
        (
            "extrawurm 11,13,21,22,24,26 23,25/- B 44:115555 can@11,crow@26,gold@13,hen@24,weasel@22 6/1",
            "k5",
            "The four 5s and the two 1s bust about as often, but the two 1s earn a round worm; …",
        ),
        (  # the last tile decides, not the round worm
            "extrawurm 11 24,27/25,22/26,30 A W:11355WW - 2/2/1",
            "k5",
            "Only the 11 is left on the grill: out of reach with the two 5s, # with the two 1s; …",
        ),
        (  # the steals decide, not the last tile
            "summary 31 21,30,24/33,29,22/28,26,27/25,23 B 44:2345WW",
            "k5",
            "No worm yet: keeping the 5 leaves # to bust, keeping the two worms #; …",
        ),
        (
            "classic 21 29,25/34,27,26,22/31/-/30/23 C 3WWWW:-",
            "t21",
            "Taking the last tile ends the game with Owl ahead; stealing the 23 keeps a chance, #.",
        ),
        (  # ahead: the game should end
            "summary 21,24 29,26,23,22/-/27,25,30/-/- C 2WWWW:-",
            "x22",
            "Better to roll on for the 21: #, and # to bust; …",
        ),
        (
            "summary 21-24 -/-/-/-/-/-/- F 2555WW:-",
            "t22",
            "The 24 is harder to steal than the 22; …",
        ),
        (  # the 32 would end the game
            "deluxe 32 24,28,23,26/21,29,22,11,27/25/30,13,31 B 1455WW+W:- "
            "apple@A,can@32,gold@B,weasel@C 4/1/1/1",
            "r",
            "The 32 would end the game with you behind, and rolling on is # for it; …",
        ),
        (  # three worms each, but Owl's 25 would be the highest tile (R5.2)
            "summary 24 21,22/25,23 A 12355W:-",
            "r",
            "The 24 would end the game with you behind, and rolling on is # for it; …",
        ),
        (  # nine worms against Duck's ten: a bust for sure is better
            "deluxe 27 -/29,25,22,21/23,11,13,26/24,28 D 455WW:122 apple@C,can@27,weasel@B 1/0/2/4",
            "k2",
            "The 27 would end the game with you behind: # with the two 2s, # with the 1; …",
        ),
        (
            "deluxe 26,32 29/28,23,22,35,11,27/21,31,13,24,25,30 B 113:^ apple@A,crow@32,gold@26,hen@B 2/1/4",
            "^A",
            "Better to take the round worm from Duck, the greater threat; …",
        ),
        (
            "extrawurm 13,22,30,31 28/11,27,24,23/26,25,29/32,21 D 55:113333 "
            "can@30,crow@31,gold@B,hen@13,weasel@D 3/0/1/3",
            "w",
            "The two 1s earn a round worm at once; the weasel may lose it; …",
        ),
        (  # the 32 has one chance in a hundred: it is not named
            "course 22,32 24,27,25,23,26,28/30/29,21 A 155WW:-",
            "r",
            "Duck’s 21 is there to steal; rolling on is # for the 22, # to bust and lose your 28; …",
        ),
        (
            "extrawurm 11,22,24,26-29 23,21/25,13 A 155WWW:- can@11,crow@26,gold@27,hen@A,weasel@22 7/0",
            "r",
            "You lead, and the 26 is enough: rolling on is # for more, but # to bust and lose the hen; …",
        ),
        (
            "course 21,23,25,29-31 24,27,28,26/22 B 2225WW:-",
            "r",
            "The 21 is sure; rolling on is # for more, but # to bust and lose your 22; …",
        ),
        (
            "classic 21,25 22,24/23,29,27 A 12235WW:-",
            "t21",
            "Even with the 21 you stay behind Owl: rolling on is # for more, # to bust; …",
        ),
        (
            "deluxe 21,22 13,23,29,28,24/-/27,11,26 B 11335WW:- apple@21,can@22,gold@C 3/3/1",
            "t22",
            "Even with the 22 you stay behind Anna, and the end comes nearer; …",
        ),
        (
            "classic 21,24 22,25/23,29,27 B 244WWW:-",
            "x25",
            "You lead, and unlike a steal taking the 24 brings the end nearer; …",
        ),
        (
            "summary 21,23-27 28/22 B 4:-",
            "s",
            "Stopping with nothing is a bust and loses your 22; rolling on is # for a tile; …",
        ),
        (
            "summary 23,24,28-32 26/22,33/27/25,21 C 2255WWWW:-",
            "t28",
            "The 32 has more worms than the 28; …",
        ),
        (
            "course 22 29,24,21/27,26/25/23 A 55WWW:-",
            "x25",
            "Better to roll on for the 22, the last one: #, and # to bust; …",
        ),
        (  # the 24 is not enough against Anna's seven worms
            "course 24 29,26,21,23/22/27,25 C 333444:2W",
            "kW",
            "The 24 would end the game with you behind: # with the worm, # with the 2; …",
        ),
        (
            "classic 21-36 -/- B 55:123445",
            "k2",
            "Keeping the 2 adds only 2 and leaves # to bust, keeping the two 4s adds 8 and leaves #; …",
        ),
        (
            "classic 21-23,25-30,32 33,24/- B 5WWW:2235",
            "k3",
            "With the two 2s Anna’s 24 is yours for sure, with the 3 only #; …",
        ),
        (
            "extrawurm 11,13,21 27,22,24,29/26,23,31,25 B WW:122335 can@11,gold@21,weasel@13 5/2",
            "k3",
            "The 11 and the can: for sure with the 1, out of reach with the two 3s; …",
        ),
        (
            "deluxe 11,13,21 25,23,30/33,24,22,26,27/29/- C W:344555W apple@11,hen@13 1/3/2/1",
            "k3",
            "The 13 and the hen: for sure with the two 4s, # with the 3; …",
        ),
        (
            "deluxe 13,28 25,23,30,11/33,24,22,26,27,21/29/- D WW:111334 apple@B,hen@13 0/2/2/3",
            "k3",
            "The three 1s earn a round worm and make the 13 and the hen sure; with the two 3s it is # to bust; …",
        ),
        (  # the 13 without a specialist: by exactly 13 only (D9.2)
            "extrawurm 13,24 -/-/21,23/22,26/25,29,28,11 E -:1234444W can@E,gold@D,hen@24 1/0/4/0/2",
            "k4",
            "With the 3 you bust more often, # against #, but it is # for the 13, out of reach with the four 4s; "
            "keeping the 3 is a little better.",
        ),
        (
            "extrawurm 13 26,23/30,11,32,22,21/25,28,27,29/24 C -:13445555 gold@D,hen@13,weasel@C 2/3/2/0",
            "k4",
            "Sending the weasel is # for the 13 and the hen, keeping the two 4s #; …",
        ),
        (  # the crow's round worm
            "deluxe 13,22,26,30-35 29,25,23/11,21/24,28,27 B 344WW:125 "
            "apple@22,can@30,crow@26,gold@C,hen@B,weasel@13 1/3/1",
            "k1",
            "The 26 and a round worm: for sure with the 5, # with the 1; …",
        ),
        (  # a 5 would bring the 27 after the 3 too, but good play takes Duck's 22 before it
            "deluxe 27,29,30,32,34 24,26/31,11,33/13,21,22/23,28,25 B 4WWW:235W "
            "apple@29,can@30,crow@34,gold@27,hen@32,weasel@D 2/2/1/1",
            "k3",
            "With the 3 it is Duck’s 22 for sure, but # for the 27 and the golden die with the 5; …",
        ),
        (  # in one roll of 216
            "extrawurm 11,24,31-33 22,21,28,27,29/26,23,13,30,25 B 4555W:- "
            "can@11,crow@31,gold@A,hen@24,weasel@B* 5/2",
            "r",
            "Rolling on risks the 24 and your 25: # to do better, # to bust; …",
        ),
        (
            "deluxe 13,24-29,32-36 21,30,22/11,31,23 B 114:22234 "
            "apple@29,can@B,crow@13,gold@27,hen@A,weasel@25 3/2",
            "k3",
            "The chance to steal Anna’s hen is # with the 3, # with the three 2s; …",
        ),
        (
            "course 21-35 -/-/-/-/- B -:11222345",
            "k4",
            "There is little between the 4 and the 3; keeping the 3 is a little better.",
        ),
    ],
)
def test_each_mistake_has_its_sentence(text: str, played: str, said: str) -> None:
    """The figures are left out: they are the solver's, and `test_figures_are_those_of_the_choice` looks at them."""
    found = mistake_sentence(*decision(f"pkp1 {text}", played))
    pattern = re.sub(r"\d+ %", "#", found)
    assert re.sub(r"that (is worth|costs) \d+ points?( more)?\.$", "…", pattern) == said


def test_figures_are_those_of_the_choice() -> None:
    one, words = decision("pkp1 summary 21,22 31,26,29/27,25,24/-/23 A 255WW:-", "r")
    odds = one.odds[one.played]
    better = sum(chance for end, chance in odds.items() if isinstance(end, Steal) or (end and end.tile > 22))
    cost = percent(one.values[one.best]) - percent(one.values[one.played])
    assert mistake_sentence(one, words) == (
        f"Rolling on risks the 22 and your 29: {percent(better)} % to do better, {percent(odds[None])} % to bust; "
        f"that costs {cost} points."
    )


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    found = []
    for number, key in enumerate(("classic", "deluxe", "summary", "extrawurm", "course", "classic+fast")):
        bot = make_bot("easy" if number % 2 else "cautious")
        game = random_game(key, 2 + number % 4, f"sentences {number}", bot.choose, plies=300)
        found.append(review(Record(game, NAMES[: 2 + number % 4]), "worms" if number == 4 else "win"))
    return found


@pytest.mark.parametrize("language", languages())
def test_sentences_are_short_and_whole(reviews: list[Review], language: str) -> None:
    count = 0
    for found in reviews:
        words = Words(found.names, language, found.goal)
        for seat in range(found.seats):
            for one in slips(found, seat):
                for text in (
                    mistake_sentence(one, words),
                    best_sentence(one, words),
                    second_sentence(one, words),
                ):
                    count += 1
                    assert text.endswith("."), text
                    assert text[0].isupper(), text
                    assert not set("{}") & set(text), text
                    assert len(text.split()) <= 38, text  # per cent signs and colons of French count as words
    assert count > 100


def test_costs_are_the_differences_of_what_is_shown(reviews: list[Review]) -> None:
    for found in reviews:
        words = Words(found.names, goal=found.goal)
        for seat in range(found.seats):
            for one in slips(found, seat):
                said = re.search(r"([\d.]+) (points?|worms) ?(more)?\.$", mistake_sentence(one, words))
                best, played = one.values[one.best], one.values[one.played]
                if found.goal == "win":
                    assert said is None or int(said[1]) == percent(best) - percent(played)
                else:
                    assert said is None or float(said[1]) == round(
                        words.figure(best) - words.figure(played), 1
                    )


def test_every_text_is_in_every_catalogue() -> None:
    texts = python_texts()
    assert "that costs {worth}" in texts
    for path in LOCALE.glob("*.po"):
        catalogue = read_po(path.read_text("utf-8"))
        assert set(texts) <= set(catalogue), path.name
        for key in texts:
            value = catalogue[key]
            for form in [value] if isinstance(value, str) else value:
                places = set(re.findall(r"\{\w+\}", form))
                assert places <= set(re.findall(r"\{\w+\}", key + (texts[key] or ""))), key


def test_advice_speaks_the_decimals_that_it_shows() -> None:
    found = advise(parse_position("pkp1 classic 21-24 25/- A 555WW:-"))
    ranked = found.ranked
    cost = round(ranked[0].value * 100, 1) - round(ranked[1].value * 100, 1)
    assert f"that costs {cost:.1f} points" in found.sentences(("Anna", "Owl"), digits=1)[1]


@pytest.mark.parametrize(
    ("parts", "total", "shown"),
    [
        ([0.335, 0.335, 0.33], 1.0, [34, 33, 33]),  # 33.5 twice: one of them gives way
        ([0.349, 0.0298, -0.3778, 0.0519, -0.053], 0.0, [35, 3, -38, 5, -5]),
        ([0.004] * 5, 0.02, [1, 1, 0, 0, 0]),
    ],
)
def test_rounded_parts_add_up(parts: list[float], total: float, shown: list[int]) -> None:
    assert sum(add_up(parts, total)) == percent(total)
    assert sorted(add_up(parts, total)) == sorted(shown)


def test_of_a_guarded_tile_a_thief_gets_the_hen() -> None:
    """D10.3, in the name of the move, in what the best move does, and in the chance of a tile."""
    position = parse_position(
        "pkp1 extrawurm 11,13,22-24,26-34,36 -/35/25/21/- E 114WW:35W can@11,crow@23,gold@27,hen@D,weasel@C 1/0/0/0/1"
    )
    found = advise(position)
    assert found.decision is not None
    words = Words(NAMES[:5])
    assert best_sentence(found.decision, words) == "Keeping the 5: Crow’s hen for sure."
    after = parse_position(
        "pkp1 extrawurm 11,13,22-24,26-34,36 -/35/25/21/- E 1145WW:- can@11,crow@23,gold@27,hen@D,weasel@C 1/0/0/0/1"
    )
    assert words.naming(after, Steal(21)) == "Steal Crow’s hen"
    assert words.doing(after, Steal(21)) == "stealing the hen"
    assert Words(NAMES[:5], "de").naming(after, Steal(21)) == "Die Glucke von Crow klauen"


def test_seats_of_one_name_are_told_apart() -> None:
    """Bots of a server are often called alike."""
    assert Words(("Anna", "easy", "easy")).names == ["Anna", "easy B", "easy C"]
    one, _ = decision("pkp1 classic 23-26 29/22,27,21 A 44WW:135W", "k5")
    assert mistake_sentence(one, Words(("easy", "easy"))).startswith("With the 5 easy B’s 21 is out of reach")


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("crow@26,hen@A 6/0", "a round worm"),
        ("crow@26 6/0", "two round worms"),
        ("crow@26,hen@A 3/0", "two round worms"),
    ],
)
def test_the_crow_and_two_1s_bring_a_round_worm_each(rest: str, said: str) -> None:
    """D8.4 and D10.2: as many as the supply has, then those of others without the hen (D11.1)."""
    one, words = decision(f"pkp1 deluxe 26,30-36 24/21,22 B 5555:11WW {rest}", "kW")
    pair = Pair(one, one.best, words)
    assert pair.prize(Take(26)) == "the 26 and a round worm"
    assert pair.prize(Take(26), "1") == f"the 26 and {said}"


def test_nobody_earns_a_round_worm_that_nobody_can_give() -> None:
    """D11.1: the supply is empty, and all seven lie with the holder of the hen."""
    said = mistake_sentence(*decision("pkp1 deluxe 28,36 24/22,27/21,23 A 5555W:113 hen@C 0/0/7", "k3"))
    assert said.startswith("With the 3 it is the 28 for sure, with the two 1s Owl’s 27; ")
