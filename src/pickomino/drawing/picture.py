"""A position as a self-contained SVG: cream tiles with coral worms on a glowing grill, seats, dice."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pickomino.drawing.names import pad, seat_names
from pickomino.drawing.parts import DIE, STYLE, TILE, back, die, empty_die, gap, group, text, tile, worm
from pickomino.rules import SEATS, Position, claims
from pickomino.rules.phase import Phase

MARGIN, STEP_X, STEP_Y = 16, TILE[0] + 12, TILE[1] + 22
SEAT = (168, 104)  # at least so wide, and so high
TRAY = 136


def svg(position: Position, names: Sequence[str] | None = None) -> str:
    """The table as a picture; `names` are the seats' names."""
    count = len(position.edition.tiles)
    in_row = ceil(count / ceil(count / 9))
    seats = len(position.stacks)
    in_seat_row = min(4, seats)
    seat_rows = ceil(seats / in_seat_row)
    width = max(in_row * STEP_X + 24, in_seat_row * (SEAT[0] + 12) - 12, 480) + 2 * MARGIN
    grill_height = ceil(count / in_row) * STEP_Y + 24
    seats_top = MARGIN + grill_height + 12
    tray_top = seats_top + seat_rows * (SEAT[1] + 12)
    height = tray_top + (0 if position.over else TRAY) + MARGIN - 12 * position.over
    inner = width - 2 * MARGIN
    seat_width = (inner + 12) / in_seat_row - 12
    parts = [
        f'<svg class="pickomino" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="Nunito, Avenir Next, Segoe UI, system-ui, sans-serif">',
        f"<title>{text(str(position))}</title>",
        STYLE,
        f'<rect width="{width}" height="{height}" rx="22" fill="#1d2326"/>',
        _grill(position, in_row, inner, grill_height),
    ]
    shown = seat_names(seats, names)
    for seat in range(seats):
        x = MARGIN + (seat % in_seat_row) * (seat_width + 12)
        y = seats_top + (seat // in_seat_row) * (SEAT[1] + 12)
        parts.append(group(x, y, _seat(position, seat, shown[seat], seat_width)))
    if not position.over:
        parts.append(group(MARGIN, tray_top, _tray(position, inner)))
    return "".join((*parts, "</svg>"))


def _grill(position: Position, in_row: int, width: float, height: float) -> str:
    bars = "".join(f'<path class="bar" d="M{x} 6v{height - 12}"/>' for x in range(28, int(width) - 8, 30))
    parts = [f'<rect width="{width}" height="{height}" rx="22" fill="url(#pickomino-coals)"/>', bars]
    flipped = set(position.flipped)
    claimable = {claim.tile for claim in claims(position)} if position.phase is Phase.GO else set()
    left = (width - in_row * STEP_X + 12) / 2
    for index, (value, worms) in enumerate(position.edition.tiles):
        x, y = left + (index % in_row) * STEP_X, 24 + (index // in_row) * STEP_Y
        if value in position.grill:
            parts.append(group(x, y, tile(value, worms, marked=value in claimable)))
            name = position.specialists.on(value) if position.specialists is not None else None
            if name is not None:
                parts.append(group(x, y, _label(name)))
        else:
            parts.append(group(x, y, back() if value in flipped else gap()))
    return group(MARGIN, MARGIN, "".join(parts))


def _label(name: str) -> str:
    """A specialist standing on a tile."""
    return (
        f'<rect class="guest" x="5" y="-11" width="62" height="20" rx="10"/>{text(name, 36, 3, "guest-name")}'
    )


def _seat(position: Position, seat: int, name: str, width: float) -> str:
    stack, specialists = position.stacks[seat], position.specialists
    active = " active" if seat == position.seat else ""
    outcome = position.outcome
    crown = " · winner" if outcome is not None and seat in outcome.winners else ""
    parts = [
        f'<rect class="panel{active}" width="{width:g}" height="{SEAT[1]}" rx="14"/>',
        text(pad(name, max(10, int(width - 84) // 10)).rstrip(), 14, 28, "name"),
        text(f"{SEATS[seat]}{crown}", 14, 46, "small"),
        text(str(position.scores[seat]), 14, 86, "score"),
        group(22 + 13 * len(str(position.scores[seat])), 66, worm(), 0.9),
    ]
    if specialists is not None:
        owned = [*specialists.held[seat]]
        if specialists.round_worms[seat]:
            owned.append(f"{specialists.round_worms[seat]} round")
        parts.append(text(", ".join(owned), 14, 62, "small"))
    if stack:
        edges = "".join(
            f'<rect class="edge" x="0" y="{4 * under}" width="{TILE[0]}" height="{TILE[1]}" rx="11"/>'
            for under in range(min(len(stack) - 1, 4), 0, -1)
        )
        top = edges + tile(stack[-1], position.edition.worms[stack[-1]])
        parts.append(group(width - 66, 12, top, 0.74))
    else:
        parts.append(text("no tile", width - 62, 56, "small"))
    return "".join(parts)


def _tray(position: Position, width: float) -> str:
    """Kept dice and the total above, the dice of the roll below."""
    parts = [f'<rect class="panel" width="{width}" height="{TRAY - 12}" rx="22"/>']
    kept = _dice(position.kept)
    parts.append(text("kept" if kept else "nothing kept", 20, 42, "small"))
    parts += [group(70 + index * 40, 16, sign, 36 / DIE) for index, sign in enumerate(kept)]
    if kept:
        parts.append(text(str(position.total), width - 20, 56, "total"))
        parts.append(text("with a worm" if position.has_worm else "no worm yet", width - 20, 76, "small end"))
    rolled = _dice(position.rolled)
    if not rolled and position.phase in (Phase.ROLL, Phase.GO):
        white, gold = position.dice_to_roll
        rolled = [empty_die(golden=False)] * white + [empty_die(golden=True)] * gold
    parts += [group(20 + index * 52, 66, sign, 46 / DIE) for index, sign in enumerate(rolled)]
    return "".join(parts)


def _dice(dice: str) -> list[str]:
    white, _, gold = dice.partition("+")
    return [die(face) for face in white] + ([die(gold, golden=True)] if gold else [])
