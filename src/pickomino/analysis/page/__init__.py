"""A review as one page: it opens from disk without a network, in light and dark, by keyboard, and prints."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from pickomino.analysis.telling import estimate_words
from pickomino.analysis.values import Goal
from pickomino.analysis.words import Words

__all__ = ["page_of", "page_texts"]

_FOLDER = Path(__file__).parent
_STYLES = ("css/ground.css", "css/reviewparts.css")
_SCRIPTS = ("js/choiceparts.js", "js/reviewparts.js", "js/figures.js")


def page_of(shown: dict[str, Any], seat: int = 0) -> str:
    """The page of what `pickomino.analysis.reporting.report` gave; it begins with one seat, the reader may change."""
    names = [player["name"] for player in shown["players"]]
    words = Words(names, shown["language"], shown["objective"])
    lean = [_lean(one) for one in shown["decisions"]]
    packed = shown | {
        "turns": _table(shown["turns"]),
        "rolls": _table(shown["rolls"]),
        "moves": _table([move for one in lean for move in one["moves"]]),
        "decisions": _table([one | {"moves": len(one["moves"])} for one in lean]),
    }
    data = {"shown": packed, "seat": seat, "texts": page_texts(names, shown["language"], shown["objective"])}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    title = words.t("Review: {names}", names=", ".join(names))
    return (
        _own("page.html")
        .replace("@language", shown["language"].replace("_", "-"))
        .replace("@title", escape(title))
        .replace("@css", "".join(map(_shared, _STYLES)) + _own("page.css"))
        .replace("@js", "".join(map(_shared, _SCRIPTS)) + _own("page.js"))
        .replace("@data", text.replace("<", "\\u003c"))  # last: nothing of a name is looked at again
    )


def _own(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _shared(name: str) -> str:
    """A part that the server's page has too: a file of it, taken over as text into the one module."""
    text = (_FOLDER.parents[1] / "web" / name).read_text("utf-8")
    return re.sub(r"^(import .*\n|export )", "", text, flags=re.MULTILINE) + "\n"


def _lean(decision: dict[str, Any]) -> dict[str, Any]:
    """Without what the page does not show; bars only for the moves that one looks at."""
    best, played = decision["best"], decision["played"]
    moves = [
        move if "sentence" in decision or move["move"] in (best, played) else move | {"ends": []}
        for move in decision["moves"]
    ]
    return {key: value for key, value in decision.items() if key != "position"} | {"moves": moves}


def _table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows without their keys, and every text once for its column: the page of a long game stays small."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    columns: list[list[Any]] = [[row.get(key) for row in rows] for key in keys]
    texts: list[list[Any] | None] = [None] * len(keys)
    for place, column in enumerate(columns):
        if all(value is None or isinstance(value, str) for value in column):
            texts[place] = once = [text for text in dict.fromkeys(column) if text is not None]
            found = {text: at for at, text in enumerate(once)}
            columns[place] = [found.get(value) for value in column]
    return {"keys": keys, "texts": texts, "rows": list(zip(*columns, strict=True))}


def page_texts(names: Sequence[str], language: str, goal: Goal) -> dict[str, str]:
    """What a review's parts say besides the report's own words; `{places}` are filled where they are drawn."""
    words = Words(names, language, goal)
    t = words.t
    return {
        "review": t("Review"),
        "about": t("About"),
        "turns": t("{n} turns", n="{n}"),
        "one_turn": words.tn("{n} turn", "{n} turns", 1),
        "seats": t("{n} seats", n="{n}"),
        "unfinished": t("not finished"),
        "theme": t("Light or dark"),
        "print": t("Print"),
        "chart": t("Chance to win in %") if words.goal == "win" else t("Worms with this turn’s average"),
        "dice_strip": t("Dice: luck of each turn for {name}", name="{name}"),
        "choice_strip": t("Choices: what {name} gave away", name="{name}"),
        "turn": t("Turn {n}", n="{n}"),
        "in_turn": t("turn {number}", number="{n}"),
        "pick": t("Turn shown on the curve"),
        "by_dice": t("points by dice") if words.goal == "win" else t("worms by dice"),
        "usual": t("usual in such a game: ±{n}", n="{n}"),
        "by_choices": t("points by choices") if words.goal == "win" else t("worms by choices"),
        "good": t("choices best or fine"),
        "of": t("{n} of {all}", n="{n}", all="{all}"),
        "turning": t("Turning points"),
        "slips": t("Slips"),
        "no_slips": t("No slip: every choice was best or fine."),
        "decided": t("in a decided game"),
        "balance": t("Luck and skill"),
        "start": t("Start"),
        "luck": t("Dice"),
        "errors": t("Own choices"),
        "clock": t("Clock"),
        "gifts": t("Others’ choices"),
        "estimate": t("Estimate"),
        "result": t("Result"),
        "accuracy": t("accuracy {n} %", n="{n}"),
        "without": t("without luck {v}", v="{v}"),
        "estimate_is": estimate_words(words),
        "costs": t("gave away {n}", n="{n}"),
        "best": t("best"),
        "played": t("played"),
        "kept": t("kept"),
        "rolled": t("rolled"),
        "total": t("total"),
        "nothing": t("nothing yet"),
        "bust": t("bust"),
        "other": t("other"),
        "sure": t("sure"),
        "steal": t("steal {tile}", tile="{tile}"),
        "roll_by_roll": t("The turn, roll by roll"),
        "all_turns": t("Every turn and choice"),
        "by_clock": t("by the clock"),
        "forced": t("forced"),
        "grill": t("Grill"),
        "apple": t("apple"),
        "can": t("can"),
        "crow": t("crow"),
        "gold": t("golden die"),
        "hen": t("hen"),
        "weasel": t("weasel"),
        "next": t("Next slip"),
        "g_best": t("best"),
        "g_fine": t("fine"),
        "g_inaccuracy": t("inaccuracy"),
        "g_mistake": t("mistake"),
        "g_blunder": t("blunder"),
        "under": t("under {n}", n="{n}"),
        "from_to": t("{a} to {b}", a="{a}", b="{b}"),
        "and_more": t("{n} and more", n="{n}"),
        "rounded": t(
            "Grades go by exact costs. They are shown rounded, so a {n} may still be a mistake.", n="{n}"
        ),
        "points": t("points of winning chance") if words.goal == "win" else t("worms"),
    }
