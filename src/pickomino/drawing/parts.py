"""The pieces of the SVG: tiles, dice, worms and the style they share."""

from __future__ import annotations

from typing import Final

from pickomino.rules import WORM

TILE: Final = (72, 96)
DIE: Final = 60

_RULES: Final = (
    (".bar", "stroke:#000;stroke-opacity:.22;stroke-width:4"),
    (".body", "fill:#f0e3c6;stroke:#000;stroke-opacity:.14"),
    (".inner", "fill:#fbf4e3"),
    (".marked", "fill:#f4b740"),
    (".shade", "fill:#000;fill-opacity:.3"),
    (".edge", "fill:#e0d0ac;stroke:#000;stroke-opacity:.3"),
    (".rule", "stroke:#33291f;stroke-opacity:.2;stroke-width:1.6"),
    (".value", "font-weight:800;font-size:27px;fill:#33291f;text-anchor:middle"),
    (".back", "fill:#5b4a3f"),
    (".grid", "stroke:#fff;stroke-opacity:.14;stroke-width:2.4;fill:none"),
    (".gap", "fill:none;stroke:#fff;stroke-opacity:.14;stroke-width:2;stroke-dasharray:6 6"),
    (".worm", "fill:none;stroke:#d9614c;stroke-width:4.4;stroke-linecap:round"),
    (".eye", "fill:#4a1d14"),
    (".guest", "fill:#f4b740"),
    (".guest-name", "font-size:12.5px;font-weight:800;fill:#3b2704;text-anchor:middle"),
    (".panel", "fill:#2c3639;stroke:#3b474a"),
    (".active", "stroke:#ff7a3c;stroke-width:2.5"),
    (".name", "font-size:16px;font-weight:800;fill:#f2ece1"),
    (".small", "font-size:12.5px;fill:#a9b3ac"),
    (".end", "text-anchor:end"),
    (".score", "font-size:20px;font-weight:800;fill:#f2ece1"),
    (".total", "font-size:44px;font-weight:800;fill:#f2ece1;text-anchor:end"),
    (".die", "fill:#fffdf8;stroke:#000;stroke-opacity:.15"),
    (".golden", "fill:#f4b740"),
    (".pip", "fill:#2b2622"),
    (".blank", "fill:none;stroke:#a9b3ac;stroke-opacity:.6;stroke-width:2.4;stroke-dasharray:6 6"),
    (".blank.golden", "stroke:#f4b740;fill:none"),
)
STYLE: Final = (
    '<defs><linearGradient id="pickomino-coals" x1="0" y1="0" x2="0" y2="1">'
    '<stop offset="0" stop-color="#2a2220"/><stop offset=".65" stop-color="#3a2820"/>'
    '<stop offset="1" stop-color="#6a3a22"/></linearGradient></defs>'
    # Every rule is bound to our own pictures: a notebook puts this style into its page.
    f"<style>{''.join(f'.pickomino {where}{{{what}}}' for where, what in _RULES)}</style>"
)

# Where the worms of a tile lie: x, y, scale, turn. More than four are written as a number.
_PLACES: Final = {
    1: ((23.0, 54.0, 1.0, 0),),
    2: ((23.0, 46.0, 0.9, -6), (25.0, 66.0, 0.9, 8)),
    3: ((12.0, 46.0, 0.8, -8), (37.0, 56.0, 0.8, 6), (12.0, 68.0, 0.8, 10)),
    4: ((11.0, 46.0, 0.78, -8), (37.0, 48.0, 0.78, 10), (11.0, 67.0, 0.78, 6), (37.0, 69.0, 0.78, -6)),
}
_PIPS: Final = {
    "1": ((30, 30),),
    "2": ((18, 18), (42, 42)),
    "3": ((17, 17), (30, 30), (43, 43)),
    "4": ((18, 18), (42, 18), (18, 42), (42, 42)),
    "5": ((18, 18), (42, 18), (30, 30), (18, 42), (42, 42)),
}


def text(shown: str, x: float | None = None, y: float | None = None, kind: str = "") -> str:
    """Escaped text; as an element where a place is given."""
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if x is None:
        return escaped
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escaped}</text>'


def group(x: float, y: float, content: str, scale: float = 1.0) -> str:
    """The content at another place and size."""
    size = "" if scale == 1.0 else f" scale({scale:.3g})"
    return f'<g transform="translate({x:g} {y:g}){size}">{content}</g>'


def worm() -> str:
    """A grilled worm, 26 wide."""
    return (
        '<path class="worm" d="M3 14c3-8 7-8 10-3s7 5 10-4"/><circle class="eye" cx="22.6" cy="7.4" r="1.1"/>'
    )


def tile(value: int, worms: int, *, marked: bool = False) -> str:
    """A face-up tile: number, rule, worms laid out like pips."""
    places = _PLACES.get(worms, ())
    lying = "".join(
        f'<g transform="translate({x:g} {y:g}) rotate({turn} 13 12) scale({size:g})">{worm()}</g>'
        for x, y, size, turn in places
    )
    if not places:
        lying = text(f"{worms}", 36, 76, "value")
    return (
        '<rect class="shade" x="1.5" y="5" width="69" height="93" rx="11"/>'
        f'<rect class="body{" marked" if marked else ""}" x="1.5" y="1.5" width="69" height="93" rx="11"/>'
        '<rect class="inner" x="6" y="6" width="60" height="84" rx="7"/>'
        f'{text(f"{value:02}", 36, 35, "value")}<path class="rule" d="M14 42.5h44"/>{lying}'
    )


def back() -> str:
    """A tile lying face down."""
    return (
        '<rect class="back" x="1.5" y="1.5" width="69" height="93" rx="11"/>'
        '<path class="grid" d="M18 14v68M36 14v68M54 14v68M12 28h48M12 48h48M12 68h48"/>'
    )


def gap() -> str:
    """Where a tile was taken, so that the row does not jump."""
    return '<rect class="gap" x="2.5" y="2.5" width="67" height="91" rx="11"/>'


def die(face: str, *, golden: bool = False) -> str:
    """A die that shows a face: pips, a worm, or the sign of a custom edition's face."""
    body = f'<rect class="die{" golden" if golden else ""}" x="2" y="2" width="56" height="56" rx="13"/>'
    if face == WORM:
        return body + group(10, 14, worm(), 1.55)
    if face not in _PIPS:
        return body + text(face, 30, 40, "value")
    return body + "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="5.2"/>' for x, y in _PIPS[face])


def empty_die(*, golden: bool) -> str:
    """A die that is still to be rolled."""
    return f'<rect class="blank{" golden" if golden else ""}" x="2" y="2" width="56" height="56" rx="13"/>'
