"""What happened, on the board: how a turn ended, the turn of somebody else, the end of the game."""

from __future__ import annotations

from collections.abc import Iterable

from pickomino.terminal.pieces import banner, chip, fit, wrap, wrapped
from pickomino.terminal.scene import Part, Place, Showing, button
from pickomino.terminal.skins import Skin
from pickomino.terminal.speech import Speech
from pickomino.terminal.words import level_name, verdict


def turn_ended(showing: Showing, rest: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    """How the person's own turn ended."""
    fg = "lost" if showing.bust else "text"
    word = banner(skin, speech.t("BUST")) if showing.bust and rest.height >= 8 else []
    if word:
        yield Part("word", Place(rest.x + 2, rest.y + 1, rest.width - 2, 3), "board", word)
        rest = rest._replace(y=rest.y + 4, height=rest.height - 4)
    rows = [row for line in showing.said for row in wrap(line, rest.width - 4)][: rest.height - 3]
    lines = [
        skin.text(("  " + row, skin.style(fg if not index else "text", bold=not index)))
        for index, row in enumerate(rows)
    ]
    yield Part("said", Place(rest.x, rest.y + 1, rest.width, len(lines)), "board", lines)
    if showing.waits:
        yield _space(showing, Place(rest.x + 2, rest.y + len(lines) + 2, rest.width - 4, 1), skin, speech)


def _space(showing: Showing, where: Place, skin: Skin, speech: Speech) -> Part:
    lines = button(skin, speech.t("Space"), showing.next_up)
    return Part("space", where, "board", lines, lines, "space")


def turn_watched(showing: Showing, board: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    """A turn of somebody else: a row per roll, then how it ended."""
    seat = showing.story_of or 0
    title = speech.t("The turn of {name}", name=showing.names[seat])
    head = skin.text((f" {title} ", skin.style("call", bold=True)))
    if showing.levels[seat]:
        level = f"· {level_name(showing.levels[seat], speech)}"
        head.append_text(skin.text((level, skin.style("muted"))))
    gap = 1 if board.height >= 12 else 0
    rows = showing.story[-(max(2, board.height - 6 - gap)) :]
    wide = 40 if board.width >= 78 else 34
    said = [row for line in showing.said for row in wrap(line, board.width - 6)]
    room = board.height - 2 * gap - 2 - len(rows)
    lines = [head]
    roomy = board.height >= len(rows) * 2 + len(said) + 5
    for row in rows:
        lines += [skin.text("")] if roomy or row is rows[0] else []
        white, _, gold = row.dice.partition("+")
        dice = skin.text("  ")
        for face in white:
            dice.append_text(chip(skin, face, used=face == row.kept))
        if gold:
            dice.append_text(chip(skin, gold, used=gold == row.kept, gold=True))
        lines.append(fit(dice, wide) + skin.text(row.words))
    lines.append(skin.text(""))
    for index, text in enumerate(said[: max(1, room)]):
        fg = "lost" if showing.bust and not index else "text"
        lines.append(skin.text("  ", ("▌ ", skin.style("gold")), (text, skin.style(fg, bold=not index))))
    lines = lines[: board.height - 1]
    where = Place(board.x, board.y + gap, board.width, min(len(lines), board.height - gap))
    yield Part("story", where, "board", [fit(line, board.width) for line in lines])
    if showing.waits:
        y = min(where.y + where.height + gap, board.y + board.height - 1)
        yield _space(showing, Place(board.x + 2, y, board.width - 4, 1), skin, speech)


def game_ended(showing: Showing, board: Place, skin: Skin, speech: Speech) -> Iterable[Part]:
    """Who won, the ranking, and what one can do now."""
    t, position = speech.t, showing.position
    outcome = position.standings
    gap = 1 if board.height >= 12 else 0
    won = verdict(position, showing.names, speech, showing.you)
    lines = [*wrapped(skin, won, board.width - 4, "name", bold=True, lead="  "), skin.text("")]
    counts = [speech.worms(score) for score in outcome.scores]
    wide = max(map(len, counts)) + 2
    for seat in (seat for place in outcome.ranking for seat in place):
        first = outcome.ranks[seat] == 1
        name = (f"{showing.names[seat]:<12.12}", skin.style("call" if first else "text", bold=first))
        worms = (f" {counts[seat]:<{wide}}", skin.style(bold=True))
        tiles = (" ".join(map(str, position.stacks[seat])) or t("none"), skin.style("muted"))
        lines.append(skin.text(f"  {outcome.ranks[seat]}  ", name, worms, tiles))
    where = Place(board.x, board.y + gap, board.width, len(lines))
    yield Part("end", where, "board", [fit(line, board.width) for line in lines])
    y, x = board.y + gap + len(lines) + gap, board.x + 2
    if showing.said:
        told = wrapped(skin, showing.said[0], board.width - 4, "muted", lead="  ")[:2]
        yield Part("checked", Place(board.x, y, board.width, len(told)), "board", told)
        y += len(told) + gap
    for sign, word in showing.ends:
        plain, lit = button(skin, sign, word, on="line"), button(skin, sign, word)
        width = plain[0].cell_len
        yield Part(f"end-{sign}", Place(x, y, width, 1), "board", plain, lit, sign)
        x += width + 3
