"""A review in the terminal: curve, balance, turning points, slips; and profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pickomino.analysis.annotation import MARKS
from pickomino.analysis.profile import Profile
from pickomino.analysis.telling import estimate_words, kind_words
from pickomino.analysis.words import Words, percent
from pickomino.cli.common import room, unicode_out, wrapped
from pickomino.drawing.names import columns, pad
from pickomino.locale import figure, t, tn

_HEIGHT: Final = 11  # rows of the curve: 0, 10, … 100 %
_SLIPS: Final = 5


def report_lines(shown: dict[str, Any], seats: Sequence[int], *, every: bool) -> list[str]:
    """The report of one game, about some of its seats."""
    width = room()
    players, win = shown["players"], shown["objective"] == "win"
    title = ", ".join(f"{player['seat']} {player['name']} {player['score']}" for player in players)
    facts, turns = {"edition": shown["edition"], "players": title}, len(shown["turns"])
    if shown["over"]:
        head = tn("{edition}, {n} turn: {players}.", "{edition}, {n} turns: {players}.", turns, **facts)
    else:
        head = tn(
            "{edition}, {n} turn, not finished: {players}.",
            "{edition}, {n} turns, not finished: {players}.",
            turns,
            **facts,
        )
    lines = wrapped(head, width)
    lines += [t("Judged by the chance to win.") if win else t("Judged by the worms of the turn."), ""]
    if win and shown["turns"]:
        lines += [*_curve(shown, width), ""]
    estimate = estimate_words(Words((), shown["language"], shown["objective"]))
    lines += [*_balance(shown, width), "", *wrapped(estimate, width)]
    for seat in seats:
        lines += ["", *_player(shown, seat, width, every=every)]
    return lines if unicode_out() else [line.translate(_ASCII) for line in lines]


_ASCII: Final = str.maketrans(
    {"−": "-", "│": "|", "└": "+", "─": "-", "’": "'", "“": '"', "”": '"', "·": ".", "→": ">", "±": "~"}
)


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


def _balance(shown: dict[str, Any], room: int) -> list[str]:
    """From its start to its result, one row per seat; where that is too wide, one column per seat."""
    players, win = shown["players"], shown["objective"] == "win"
    clock = any(player["balance"]["clock"] for player in players)
    parts = {"start": t("start"), "luck": t("dice"), "errors": t("choices")}
    parts |= {"clock": t("clock")} if clock else {}
    parts |= {"gifts": t("others"), "estimate": t("estimate"), "result": t("result")}
    heads = [*parts.values(), t("accuracy"), t("without luck")]
    seats = []
    for player in players:
        row = [_number(player["balance"][key], win, signed=key not in ("start", "result")) for key in parts]
        right = "" if player["accuracy"] is None else f"{player['accuracy']} %"
        seats.append([*row, right, _number(player["adjusted"], win)])
    names = [f"{player['seat']} {player['name']}" for player in players]
    wide = _table(heads, names, seats)
    if max(map(columns, wide)) <= room:
        return wide
    turned = [list(row) for row in zip(*seats, strict=True)]
    narrow = _table(names, heads, turned)
    if max(map(columns, narrow)) <= room:
        return narrow
    return _table([player["seat"] for player in players], heads, turned)


def _table(heads: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Names on the left, figures on the right of their columns."""
    left = max(map(columns, names))
    sizes = [max(6, columns(head), *(columns(row[at]) for row in rows)) + 2 for at, head in enumerate(heads)]
    lines = []
    for name, cells in zip(("", *names), (heads, *rows), strict=True):
        row = "".join(pad("", size - columns(cell)) + cell for cell, size in zip(cells, sizes, strict=True))
        lines.append(f"  {pad(name, left)}{row}".rstrip())
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
    lines += wrapped(f"{player['verdict']} {spread}", width, "  ")
    grades = ", ".join(_count(count, name) for name, count in player["grades"].items() if count)
    text = t("No choices.")
    if player["choices"]:
        text = tn("{n} choice: {grades}.", "{n} choices: {grades}.", player["choices"], grades=grades)
    if player["accuracy"] is not None:
        level = [player["level"]] if player["level"] else []
        text += " " + t("Accuracy {what}.", what=", ".join([f"{player['accuracy']} %", *level]))
    lines += wrapped(text, width, "  ")
    if player["turning"]:
        lines += ["", f"  {t('Turning points')}"]
        size = max(len(point["words"]) for point in player["turning"])
        for point in player["turning"]:
            way = f"{_number(point['before'], win)} → {_number(point['after'], win)}"
            turn = t("turn {number}", number=f"{point['turn']:>2}")
            line = f"    {turn}  {point['words']:<{size}}  {way:>13}"
            why = [f"{line}  {point['why']}"]
            lines += why if columns(why[0]) <= width else [line, *wrapped(point["why"], width, " " * 11)]
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
    head = f"    {mark:<2} −{cost}  {turn}: {one['title']}{late}"
    figures = ", ".join(f"{move['move']} {_number(move['value'], win)}" for move in (played, best))
    said = " ".join(filter(None, (one["sentence"], one["afterword"])))
    indent = " " * 11
    dice = [
        f"{name} {faces}" for name, faces in ((t("kept"), one["kept"]), (t("rolled"), one["rolled"])) if faces
    ]
    line = f"{head}  ({figures})"
    return [
        *([line] if columns(line) <= width else [head, f"{indent}({figures})"]),
        *wrapped(", ".join(dice), width, indent),
        *wrapped(said, width, indent),
    ]


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
    lines += ["", *wrapped(note, room())]
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
