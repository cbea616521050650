"""A game in a few words: how turns ended, what decided it, and whether dice hid a mistake."""

from __future__ import annotations

from typing import Final

from pickomino.analysis.judgement import LIMITS, Kind, TurningPoint, shown_balance
from pickomino.analysis.model import Decision, Review, TurnReview
from pickomino.analysis.words import Words, percent
from pickomino.rules import Steal, Take

_ALIKE: Final = 4  # points of accuracy: from game to game a bot's varies by 2 to 5 (`benchmarks.review`)


def turn_words(review: Review, turn: TurnReview, language: str = "en", *, you: int | None = None) -> str:
    """``You bust and lose the 23``, ``Owl steals your 27``: how a turn ended, as a headline."""
    words = Words(review.names, language, review.goal)
    t, name = words.t, words.names[turn.seat]
    mine = turn.seat == you
    if not turn.complete:
        return t("the turn is not finished")
    match turn.claim:
        case Take(tile):
            return (
                t("you take the {tile}", tile=tile)
                if mine
                else t("{name} takes the {tile}", name=name, tile=tile)
            )
        case Steal(tile) if turn.victim is None:
            return t("you steal the hen") if mine else t("{name} steals the hen", name=name)
        case Steal(tile):
            assert turn.victim is not None
            other = words.names[turn.victim]
            if mine:
                return t("you steal {name}’s {tile}", name=other, tile=tile)
            if turn.victim == you:
                return t("{name} steals your {tile}", name=name, tile=tile)
            return t("{name} steals {other}’s {tile}", name=name, other=other, tile=tile)
    if turn.lost is None:
        return t("you bust") if mine else t("{name} busts", name=name)
    return (
        t("you bust and lose the {tile}", tile=turn.lost)
        if mine
        else t("{name} busts and loses the {tile}", name=name, tile=turn.lost)
    )


def afterword(review: Review, decision: Decision, language: str = "en") -> str:
    """How it went on: whether the dice hid the mistake. Empty where there is nothing to add."""
    words = Words(review.names, language, review.goal)
    turn = review.turns[decision.turn - 1]
    if not turn.complete or review.goal != "win":
        return ""
    now, best = percent(turn.after[decision.seat]), percent(decision.values[decision.best])
    played = percent(decision.values[decision.played])
    if now >= best and now == 100:
        return words.t("The dice hid it: this turn decided the game for you.")
    if now >= best:
        return words.t("The dice hid it: after this turn you stood at {p} %.", p=now)
    if now > played and best - now > 1:  # by one point: not worth a word
        return words.t("It went well, and still left you at {p} %, not {q} %.", p=now, q=best)
    return ""


def turning_words(review: Review, point: TurningPoint, language: str = "en") -> str:
    """``dice −14``, ``choices −10, dice −7``: what moved a seat's value; what is little is left out."""
    words = Words(review.names, language, review.goal)
    parts = [
        (words.t("dice"), point.luck),
        (words.t("your choices"), -point.error),
        (words.t("others’ choices"), point.gift),
    ]
    limit = LIMITS[review.goal][1]
    told = sorted((part for part in parts if abs(part[1]) >= limit), key=lambda part: -abs(part[1]))
    return ", ".join(f"{name} {words.signed(size)}" for name, size in told)


def verdict(review: Review, seat: int, language: str = "en") -> tuple[str, str]:
    """The game for one seat: a headline, and what dice and choices did in one or two sentences."""
    words = Words(review.names, language, review.goal)
    t, balance = words.t, review.balances[seat]
    limit = LIMITS[review.goal][3]
    luck, errors = balance.luck, balance.errors
    if not review.over:
        head = t("An unfinished game")
    elif review.ranks[seat] == 1:
        if errors < limit and luck <= balance.spread:
            head = t("Well played")
        elif luck > max(errors, limit):
            head = t("The dice were with you")
        else:
            head = t("You won anyway") if errors >= limit else t("Well played")
    elif errors > max(-luck, limit):
        head = t("It was not the dice")
    elif -luck > max(errors, limit):
        head = t("It was the dice")
    elif balance.gifts < -limit:
        head = t("The others decided it")
    else:
        head = t("A close game")
    shown = shown_balance(balance, review.goal)
    return head, f"{_dice(words, shown['luck'])} {_choices(words, review, seat, -shown['errors'])}"


def _dice(words: Words, luck: float) -> str:
    if not luck:
        return words.t("The dice favoured nobody.")
    size = words.told(abs(luck))
    return (
        words.t("The dice gave you {size}.", size=size)
        if luck > 0
        else words.t("The dice cost you {size}.", size=size)
    )


def _choices(words: Words, review: Review, seat: int, errors: float) -> str:
    if not errors:
        return words.t("Your choices gave away nothing to speak of.")
    worst = max(review.choices(seat), key=lambda one: one.error)
    size, one = words.told(errors), words.cost(worst.values[worst.best], worst.values[worst.played])
    if worst.error < LIMITS[review.goal][2] or one >= errors:
        return words.t("Your choices gave away {size}.", size=size)
    return words.t("Your choices gave away {size}, {one} of them in one.", size=size, one=words.shown(one))


def estimate_words(words: Words) -> str:
    """What the row “estimate” of a balance is."""
    if words.goal == "worms":
        return words.t("Estimate: what each new turn was expected to bring when it began.")
    return words.t(
        "Estimate: how much the forecast itself changed between turns, without anybody doing anything."
    )


def kind_words(kind: Kind, words: Words) -> str:
    """A kind of mistake as a title."""
    t = words.t
    return {
        "rolled on": t("Rolled too far"),
        "stopped early": t("Stopped too early"),
        "wrong face": t("Wrong face"),
        "missed steal": t("Missed steal"),
        "wrong steal": t("Stole where taking was better"),
        "wrong tile": t("Wrong tile"),
        "specialist": t("Specialist misused"),
    }[kind]


def level_words(found: float | None, bots: dict[str, float], words: Words) -> str:
    """Which of our bots chooses about as well, or comes nearest."""
    if found is None:
        return ""
    name = min(bots, key=lambda bot: abs(bots[bot] - found))
    shown = percent(bots[name])
    if abs(percent(found) - shown) <= _ALIKE:
        return words.t("about like the bot “{name}” ({p} %)", name=name, p=shown)
    if found > bots[name]:
        return words.t("better than the bot “{name}” ({p} %)", name=name, p=shown)
    return words.t("worse than the bot “{name}” ({p} %)", name=name, p=shown)
