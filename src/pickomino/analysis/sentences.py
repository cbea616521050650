"""Plain sentences from the solver's figures: why one move beats another, and what the best one does.

They are in the present tense, so that one wording serves a review, a hint, the coach's question and a drill. Every
figure is the one that the screen shows beside it: percentages are rounded once, and costs are their differences.
"""

from __future__ import annotations

from pickomino.analysis.comparing import Comparison
from pickomino.analysis.model import Decision
from pickomino.analysis.pair import EndOdds, Pair
from pickomino.analysis.words import Words
from pickomino.rules import Move, RollOn, Steal, Take


def mistake_sentence(decision: Decision, words: Words) -> str:
    """Why the best move beats the one that was played."""
    return Comparison(decision, decision.played, words).text()


def tempting(decision: Decision) -> Move | None:
    """The best of the moves that are not equal to the best one: what a player might do instead."""
    best = decision.values[decision.best]
    others = {move: value for move, value in decision.values.items() if best - value > 1e-9}
    return max(others, key=others.__getitem__) if others else None


def second_sentence(decision: Decision, words: Words) -> str:
    """What the tempting second move overlooks; empty where there is none."""
    other = tempting(decision)
    return "" if other is None else Comparison(decision, other, words).text()


def best_sentence(decision: Decision, words: Words) -> str:
    """What the best move does, in the figures that speak for it."""
    position, best, t = decision.position, decision.best, words.t
    doing = words.doing(position, best)
    if not decision.odds[best]:
        return words.sentence(t("{move} leaves you at {v}", move=doing, v=words.value(decision.values[best])))
    pair = Pair(decision, best, words)
    ends = pair.best
    if isinstance(best, Take | Steal):
        if pair.wins_at_once(best):
            return words.sentence(t("{move}, the last one, wins the game", move=doing))
        if RollOn() not in decision.odds:
            return words.sentence(t("{move} is sure", move=doing))
        return words.sentence(
            t("{move} is sure; rolling on busts {b} %", move=doing, b=EndOdds(decision, RollOn()).bust)
        )
    likely = ends.likely
    if likely is None or not ends.tile:
        if RollOn() in decision.odds:
            return words.sentence(t("{move} is a bust, and here still better than rolling on", move=doing))
        return words.sentence(t("{move} is as good as any: a bust is all but sure", move=doing))
    figures = {"p": ends.tile, "prize": pair.prize(likely), "q": ends.chance(likely), "b": ends.bust}
    if ends.sure is not None:
        return words.sentence(t("{move}: {prize} for sure", move=doing, **figures))
    if figures["p"] == figures["q"]:
        return words.sentence(t("{move}: {p} % for {prize}, {b} % to bust", move=doing, **figures))
    return words.sentence(
        t("{move}: {p} % for a tile, most likely {prize} ({q} %), {b} % to bust", move=doing, **figures)
    )
