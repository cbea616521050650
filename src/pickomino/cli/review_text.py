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
from pickomino.locale import figure, t, tn

_HEIGHT: Final = 11  # rows of the curve: 0, 10, … 100 %
_SLIPS: Final = 5


def report_lines(shown: dict[str, Any], seats: Sequence[int], *, every: bool) -> list[str]:
    """The report of one game, about some of its seats."""
    width = _room()
    players, win = shown["players"], shown["objective"] == "win"
    names = [player["name"] for player in players]
    title = ", ".join(f"{player['seat']} {player['name']} {player['score']}" for player in players)
    facts = {"edition": shown["edition"], "n": len(shown["turns"]), "players": title}
    if shown["over"]:
        lines = [t("{edition}, {n} turns: {players}.", **facts)]
    else:
        lines = [t("{edition}, {n} turns, not finished: {players}.", **facts)]
    lines += [t("Judged by the chance to win.") if win else t("Judged by the worms of the turn."), ""]
    if win and shown["turns"]:
        lines += [*_curve(shown, width), ""]
    estimate = t(
        "Estimate: how much the forecast itself changed between turns, without anybody doing anything."
    )
    lines += [*_balance(shown, names), "", *_wrap(estimate, width)]
    for seat in seats:
        lines += ["", *_player(shown, seat, width, every=every)]
    return lines if unicode_out() else [line.translate(_ASCII) for line in lines]


_ASCII: Final = str.maketrans(
    {"−": "-", "│": "|", "└": "+", "─": "-", "’": "'", "“": '"', "”": '"', "·": ".", "→": ">", "±": "~"}
)


def _room() -> int:
    """The width of the text: the terminal's, but lines that can be read."""
    return min(shutil.get_terminal_size().columns, 100)


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
    return [*lines, f"      └{'─' * (step * len(points))}", f"       {t('turn 1 to {n}', n=turns)}"]


def _balance(shown: dict[str, Any], names: list[str]) -> list[str]:
    """One row per seat: from its start to its result."""
    width = max(4, *map(columns, names))
    win = shown["objective"] == "win"
    clock = any(player["balance"]["clock"] for player in shown["players"])
    parts = [t("start"), t("dice"), t("choices"), *([t("clock")] if clock else []), t("others")]
    parts += [t("estimate"), t("result")]
    keys = ["start", "luck", "errors", *(["clock"] if clock else []), "gifts", "estimate", "result"]
    right_head, even_head = t("accuracy"), t("without luck")
    sizes = [max(9, len(part) + 1) for part in parts]
    head = "".join(f"{part:>{size}}" for part, size in zip(parts, sizes, strict=True))
    lines = [f"    {pad('', width)} {head}  {right_head}  {even_head}"]
    for player in shown["players"]:
        balance = player["balance"]
        cells = [_number(balance[key], win, signed=key not in ("start", "result")) for key in keys]
        right = "" if player["accuracy"] is None else f"{player['accuracy']} %"
        even = _number(player["adjusted"], win)
        row = "".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))
        ends = f"{right:>{len(right_head)}}  {even:>{len(even_head)}}"
        lines.append(f"  {player['seat']} {pad(player['name'], width)} {row}  {ends}")
    return lines


def _number(value: float, win: bool, *, signed: bool = False, unit: bool = True) -> str:
    """Per cent of winning chance, or worms; `signed`: a difference, without the unit."""
    text = f"{abs(value):.0f}" if win else figure(abs(value), ".1f")
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    return f"{sign}{text}{' %' if win and unit and not signed else ''}"


def _share(value: float) -> str:
    """``54 %``, ``−5 %``."""
    return _number(percent(value), win=True)


def _player(shown: dict[str, Any], seat: int, width: int, *, every: bool) -> list[str]:
    player, win = shown["players"][seat], shown["objective"] == "win"
    spread = t("Luck in such a game: ±{n}.", n=_number(player["spread"], win, unit=False))
    lines = [f"{player['name']} ({player['seat']}): {player['headline']}", ""]
    lines += _wrap(f"{player['verdict']} {spread}", width, "  ")
    grades = ", ".join(_count(count, name) for name, count in player["grades"].items() if count)
    text = tn("{n} choice: {grades}.", "{n} choices: {grades}.", player["choices"], grades=grades)
    if player["accuracy"] is not None:
        level = [player["level"]] if player["level"] else []
        text += " " + t("Accuracy {what}.", what=", ".join([f"{player['accuracy']} %", *level]))
    lines += _wrap(text, width, "  ")
    if player["turning"]:
        lines += ["", f"  {t('Turning points')}"]
        size = max(len(point["words"]) for point in player["turning"])
        for point in player["turning"]:
            way = f"{_number(point['before'], win)} → {_number(point['after'], win)}"
            turn = t("turn {number}", number=f"{point['turn']:>2}")
            lines.append(f"    {turn}  {point['words']:<{size}}  {way:>13}  {point['why']}")
    if player["slips"]:
        slips = t("Slips: {n} of {choices} choices", n=len(player["slips"]), choices=player["choices"])
        lines += ["", f"  {slips}"]
    for index in player["slips"] if every else player["slips"][:_SLIPS]:
        lines += _slip(shown["decisions"][index], width, win=win)
    more = 0 if every else len(player["slips"]) - _SLIPS
    if more > 0:
        lines.append(f"    {t('and {n} more (--all)', n=more)}")
    return lines


def _count(count: int, grade: str) -> str:
    """``5 fine``, ``2 inaccuracies``."""
    return {
        "best": tn("{n} best", "{n} best", count),
        "fine": tn("{n} fine", "{n} fine", count),
        "inaccuracy": tn("{n} inaccuracy", "{n} inaccuracies", count),
        "mistake": tn("{n} mistake", "{n} mistakes", count),
        "blunder": tn("{n} blunder", "{n} blunders", count),
    }[grade]


def grade_words(grade: str) -> str:
    return {
        "best": t("best"),
        "fine": t("fine"),
        "inaccuracy": t("inaccuracy"),
        "mistake": t("mistake"),
        "blunder": t("blunder"),
    }[grade]


def _slip(one: dict[str, Any], width: int, *, win: bool) -> list[str]:
    mark = MARKS[one["grade"]]
    best, played = one["moves"][0], next(move for move in one["moves"] if move["move"] == one["played"])
    late = f" · {t('in a decided game')}" if one["decided"] else ""
    cost, turn = figure(one["cost"], "g"), t("turn {number}", number=one["turn"])
    head = f"    {mark:<2} −{cost}  {turn}, {one['title'].lower()}{late}"
    figures = ", ".join(f"{move['move']} {_number(move['value'], win)}" for move in (played, best))
    said = " ".join(filter(None, (one["sentence"], one["afterword"])))
    indent = " " * 11
    dice = [
        f"{name} {faces}" for name, faces in ((t("kept"), one["kept"]), (t("rolled"), one["rolled"])) if faces
    ]
    return [f"{head}  ({figures})", *_wrap(", ".join(dice), width, indent), *_wrap(said, width, indent)]


def profile_lines(found: Sequence[Profile], language: str) -> list[str]:
    """A table of players, then what each does wrong and against whom."""
    width = max(6, *(columns(profile.name) for profile in found))
    head = (t("player"), t("games"), t("won"), t("average dice"), t("accuracy"), t("given away"))
    rows = [(*head, t("luck ± spread"))]
    for profile in found:
        luck, spread = profile.luck
        win = profile.goal == "win"
        right = profile.accuracy
        even = _share(profile.adjusted) if win else ""
        if win:
            lost = t("{amount} points", amount=figure(profile.errors * 100, ".1f"))
        else:
            lost = t("{amount} worms", amount=figure(profile.errors, ".2f"))
        accuracy = "" if right is None else _share(right)
        chance = f"{figure(luck, '+.2f').replace('-', '−')} ± {figure(spread, '.2f')}"
        games = str(len(profile.games))
        rows.append((profile.name, games, figure(profile.won, ".1f"), even, accuracy, lost, chance))
    sizes = [max(len(row[column]) for row in rows) for column in range(1, len(rows[0]))]
    lines = []
    for name, *cells in rows:
        shown = (f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))
        lines.append("  ".join([pad(name, width), *shown]))
    note = t(
        "Given away: per game. Luck: games won by the dice alone, and the usual range (for two "
        "players in three)."
    )
    lines += ["", *_wrap(note, _room())]
    for profile in found:
        lines += ["", *_profile(profile, language)]
    return lines if unicode_out() else [line.translate(_ASCII) for line in lines]


def _profile(profile: Profile, language: str) -> list[str]:
    words = Words((profile.name,), language, profile.goal)
    lines = [f"{profile.name}"]
    trend = [_share(found) for games, found in profile.trend() if found is not None]
    if len(profile.games) >= 8:
        lines.append(f"  {t('accuracy over time: {trend}', trend=' → '.join(trend))}")
    unit = 100 if profile.goal == "win" else 1
    for kind, (count, cost) in profile.kinds.items():
        whole, each = figure(cost * unit, ".1f"), figure(cost * unit / count, ".1f")
        times = tn(
            "{n} time, {whole} in all, {each} each",
            "{n} times, {whole} in all, {each} each",
            count,
            whole=whole,
            each=each,
        )
        lines.append(f"  {kind_words(kind, words):<30} {times}")
    for name, one in profile.opponents.items():
        text = tn(
            "against {name}: {n} game, won {won}, lost to them {lost}",
            "against {name}: {n} games, won {won}, lost to them {lost}",
            one.games,
            name=name,
            won=figure(one.won, "g"),
            lost=figure(one.lost, "g"),
        )
        if profile.goal == "win":
            text += t(", {share} with average dice", share=_share(one.adjusted / one.games))
        lines.append(f"  {text}")
    return lines
