"""A review in the terminal: curve, balance, turning points, slips; and profiles."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import Any, Final

from pickomino.analysis.annotation import MARKS
from pickomino.analysis.profile import Profile
from pickomino.analysis.telling import kind_words
from pickomino.analysis.words import Words, percent
from pickomino.cli.common import unicode_out
from pickomino.drawing.names import columns, pad

__all__ = ["profile_lines", "report_lines"]

_HEIGHT: Final = 11  # rows of the curve: 0, 10, … 100 %
_SLIPS: Final = 5
_ESTIMATE: Final = (
    "Estimate: what the forecast itself changed by between turns, without anybody doing anything."
)


def report_lines(shown: dict[str, Any], seats: Sequence[int], *, every: bool) -> list[str]:
    """The report of one game, about some of its seats."""
    width = min(shutil.get_terminal_size().columns, 100)
    players, win = shown["players"], shown["objective"] == "win"
    names = [player["name"] for player in players]
    title = ", ".join(f"{player['seat']} {player['name']} {player['score']}" for player in players)
    judged = "the chance to win" if win else "worms of the turn"
    end = "" if shown["over"] else ", broken off"
    lines = [f"{shown['edition']}, {len(shown['turns'])} turns{end}: {title}. Judged by {judged}.", ""]
    if win and shown["turns"]:
        lines += [*_curve(shown, width), ""]
    lines += [*_balance(shown, names), "", *_wrap(_ESTIMATE, width)]
    for seat in seats:
        lines += ["", *_player(shown, seat, width, every=every)]
    return lines if unicode_out() else [line.translate(_ASCII) for line in lines]


_ASCII: Final = str.maketrans(
    {"−": "-", "│": "|", "└": "+", "─": "-", "’": "'", "“": '"', "”": '"', "·": ".", "→": ">", "±": "~"}
)


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most so many columns; a number and its % stay together."""
    lines = textwrap.wrap(
        text.replace(" %", "\u00a0%"), width, initial_indent=indent, subsequent_indent=indent
    )
    return [line.replace("\u00a0", " ") for line in lines]


def _curve(shown: dict[str, Any], width: int) -> list[str]:
    """Every seat's chance before each turn and after the last, as letters; where several meet, the first seat's."""
    points = [turn["before"] for turn in shown["turns"]] + [shown["turns"][-1]["after"]]
    room = width - 8
    step = max(1, min(3, room // len(points)))
    if len(points) > room:
        points = [points[round(at * (len(points) - 1) / (room - 1))] for at in range(room)]
    rows = [[" "] * (step * len(points)) for _ in range(_HEIGHT)]
    for column, values in enumerate(points):
        for seat in reversed(range(len(values))):
            row = _HEIGHT - 1 - round(values[seat] * (_HEIGHT - 1) / 100)
            rows[row][column * step] = shown["players"][seat]["seat"]
    labels = {0: "100 %", _HEIGHT // 2: " 50 %", _HEIGHT - 1: "  0 %"}
    lines = [f"{labels.get(index, ''):>5} │{''.join(row)}".rstrip() for index, row in enumerate(rows)]
    turns = len(shown["turns"])
    return [*lines, f"      └{'─' * (step * len(points))}", f"       turn 1 to {turns}"]


def _balance(shown: dict[str, Any], names: list[str]) -> list[str]:
    """One row per seat: from its start to its result."""
    width = max(4, *map(columns, names))
    win = shown["objective"] == "win"
    clock = any(player["balance"]["clock"] for player in shown["players"])
    parts = ["start", "dice", "choices", *(["clock"] if clock else []), "others", "estimate", "result"]
    keys = ["start", "luck", "errors", *(["clock"] if clock else []), "gifts", "estimate", "result"]
    lines = [f"    {pad('', width)} {''.join(f'{part:>9}' for part in parts)}  accuracy  without luck"]
    for player in shown["players"]:
        cells = [
            _number(player["balance"][key], win, signed=key not in ("start", "result"), unit=win)
            for key in keys
        ]
        right = "" if player["accuracy"] is None else f"{player['accuracy']} %"
        even = _number(player["adjusted"], win, signed=False, unit=win)
        row = "".join(f"{cell:>9}" for cell in cells)
        lines.append(f"  {player['seat']} {pad(player['name'], width)} {row}  {right:>8}  {even:>12}")
    return lines


def _number(value: float, win: bool, *, signed: bool, unit: bool) -> str:
    text = f"{abs(value):.0f}" if win else f"{abs(value):.1f}"
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    return f"{sign}{text}{' %' if unit and not signed else ''}"


def _player(shown: dict[str, Any], seat: int, width: int, *, every: bool) -> list[str]:
    player, win = shown["players"][seat], shown["objective"] == "win"
    spread = f" Luck in such a game: ±{_number(player['spread'], win, signed=False, unit=False)}."
    lines = [f"{player['name']} ({player['seat']}): {player['headline']}", ""]
    lines += _wrap(player["verdict"] + spread, width, "  ")
    grades = ", ".join(_count(count, name) for name, count in player["grades"].items() if count)
    level = f", {player['level']}" if player["level"] else ""
    right = "" if player["accuracy"] is None else f" Accuracy {player['accuracy']} %{level}."
    text = f"{player['choices']} choices: {grades}.{right}"
    lines += _wrap(text, width, "  ")
    if player["turning"]:
        lines += ["", "  Turning points"]
        size = max(len(point["words"]) for point in player["turning"])
        for point in player["turning"]:
            way = f"{_number(point['before'], win, signed=False, unit=win)} → "
            way += _number(point["after"], win, signed=False, unit=win)
            lines.append(f"    turn {point['turn']:>2}  {point['words']:<{size}}  {way:>13}  {point['why']}")
    if player["slips"]:
        lines += ["", f"  Slips: {len(player['slips'])} of {player['choices']} choices"]
    for index in player["slips"] if every else player["slips"][:_SLIPS]:
        lines += _slip(shown["decisions"][index], width, win=win)
    more = 0 if every else len(player["slips"]) - _SLIPS
    if more > 0:
        lines.append(f"    and {more} more (--all)")
    return lines


def _count(count: int, grade: str) -> str:
    """``5 fine``, ``2 inaccuracies``."""
    if count == 1 or grade in ("best", "fine"):
        return f"{count} {grade}"
    return f"{count} inaccuracies" if grade == "inaccuracy" else f"{count} {grade}s"


def _slip(one: dict[str, Any], width: int, *, win: bool) -> list[str]:
    mark = MARKS[one["grade"]]
    best, played = one["moves"][0], next(move for move in one["moves"] if move["move"] == one["played"])
    late = " · in a decided game" if one["decided"] else ""
    head = f"    {mark:<2} −{one['cost']:g}  turn {one['turn']}, {one['title'].lower()}{late}"
    figures = f"{played['move']} {_number(played['value'], win, signed=False, unit=win)}, "
    figures += f"{best['move']} {_number(best['value'], win, signed=False, unit=win)}"
    said = " ".join(filter(None, (one["sentence"], one["afterword"])))
    indent = " " * 11
    return [
        f"{head}  ({figures})",
        *_wrap(said, width, indent),
    ]


def profile_lines(found: Sequence[Profile], language: str) -> list[str]:
    """A table of players, then what each does wrong and against whom."""
    width = max(6, *(columns(profile.name) for profile in found))
    lines = [f"{pad('player', width)}  games    won  average dice  accuracy  given away     luck ± spread"]
    for profile in found:
        luck, spread = profile.luck
        win = profile.goal == "win"
        right = profile.accuracy
        even = f"{percent(profile.adjusted)} %" if win else ""
        lost = f"{profile.errors * 100:.1f} points" if win else f"{profile.errors:.2f} worms"
        lines.append(
            f"{pad(profile.name, width)}  {len(profile.games):>5}  {profile.won:>5.1f}  {even:>12}  "
            f"{'' if right is None else f'{percent(right)} %':>8}  {lost:>12}  {luck:+7.2f} ± {spread:.2f}"
        )
    lines += [
        "",
        "Given away: per game. Luck: games won by dice alone, and what chance usually does (2 of 3 players).",
    ]
    for profile in found:
        lines += ["", *_profile(profile, language)]
    return lines if unicode_out() else [line.translate(_ASCII) for line in lines]


def _profile(profile: Profile, language: str) -> list[str]:
    words = Words((profile.name,), language, profile.goal)
    lines = [f"{profile.name}"]
    trend = [f"{percent(found)} %" for games, found in profile.trend() if found is not None]
    if len(profile.games) >= 8:
        lines.append(f"  accuracy over time: {' → '.join(trend)}")
    unit = 100 if profile.goal == "win" else 1
    for kind, (count, cost) in profile.kinds.items():
        each = f"{cost * unit / count:.1f}"
        lines.append(
            f"  {kind_words(kind, words):<30} {count:>5} times  {cost * unit:>7.1f} in all, {each} each"
        )
    for name, one in profile.opponents.items():
        even = f", {percent(one.adjusted / one.games)} % with average dice" if profile.goal == "win" else ""
        lines.append(f"  against {name}: {one.games} games, won {one.won:g}, lost to them {one.lost:g}{even}")
    return lines
