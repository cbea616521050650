"""House editions: an edition as TOML and back, and the one place where an edition is found by its text.

A house edition is named after what is in it: ``house-`` and the first 8 hexadecimal digits of the SHA-256 of its
canonical TOML. So a name means the same everywhere, and the table of known ones below can hold no surprise: it says
whether a name is known here, never what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, NoReturn

from pickomino.rules.edition import (
    FACES,
    SPECIALISTS,
    SWITCHES,
    WORM,
    Edition,
    Face,
    printed_edition,
    switched,
)
from pickomino.rules.errors import InvalidEditionError, quote, said

HOUSE: Final = "house-"  # how the names of house editions begin
MAX_TEXT: Final = 8192  # characters; deluxe, written canonically, has 300
# Of a die: so 13 dice fall in fewer than 2**63 ways, which the solver's tables can count.
MAX_SIDES: Final = 20
_KNOWN_AT_ONCE: Final = 1024  # a server meets editions of strangers: 10 kB each, and no more than these
_MOST: Final = 99  # worms, pips and round worms: two digits, as the notation writes them
_PARTS: Final = (
    *("name", "dice", "switches", "exact_only", "round_worms"),
    *("tiles", "faces", "golden_die", "specialists"),  # tables
)
_known: dict[str, Edition] = {}


def find_edition(text: str) -> Edition:
    """The edition that a text names: a key (``classic``, ``deluxe+fast``), TOML, or a house edition known here.

    Known are those that this process has read, by `load_edition`, by this call or in a record.
    """
    if "\n" in text:
        return _remember(_HouseText(text).edition())
    if not text.startswith(HOUSE):
        return printed_edition(text)
    if text not in _known:
        raise InvalidEditionError(
            "edition {text} is not known here: expected its file to be loaded first, or a record that "
            "carries it in a header House",
            text=quote(text),
        )
    return _known[text]


def load_edition(source: str | PathLike[str]) -> Edition:
    """A house edition from a TOML file, or from TOML text: a `str` that has a line break.

    >>> load_edition('name = "two dice"\\ndice = 2\\ntiles = { 5-8 = 1 }')
    <Edition 'house-9749ce54' of 4 tiles and 2 dice>
    """
    if isinstance(source, str) and "\n" in source:
        return find_edition(source)
    try:
        text = Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidEditionError(said("edition: expected a text file in UTF-8")) from None
    return find_edition(text + "\n")


def edition_text(edition: Edition) -> str:
    """What `find_edition` finds the edition by in any process: the key of a printed one, the TOML of any other."""
    try:
        if edition == printed_edition(edition.key):
            return edition.key
    except InvalidEditionError:
        pass
    return format_edition(edition)


def format_edition(edition: Edition) -> str:
    """The canonical TOML of any edition, including the printed ones; empty parts are left out."""
    on = [name for name, changes in SWITCHES.items() if _is_on(edition, changes)]
    lines = [f"name = {_quoted(edition.name or edition.key)}", f"dice = {edition.dice}"]
    if on:
        lines.append(f"switches = [{', '.join(map(_quoted, on))}]")
    if edition.exact_only:
        lines.append(f"exact_only = [{', '.join(map(str, sorted(edition.exact_only)))}]")
    if edition.round_worms:
        lines.append(f"round_worms = {edition.round_worms}")
    for part, table in (
        ("tiles", {_run(low, high): worms for low, high, worms in _runs(edition)}),
        ("faces", {face.sign: _face_text(face) for face in edition.faces}),
        ("golden_die", {face.sign: face.sides for face in edition.golden_die}),
        ("specialists", dict(edition.specialists)),
    ):
        if table:
            lines += ["", f"[{part}]", *(f"{key} = {value}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _is_on(edition: Edition, changes: Mapping[str, object]) -> bool:
    return all(getattr(edition, part) == value for part, value in changes.items())


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _face_text(face: Face) -> str:
    return str(face.pips) if face.sides == 1 else f"{{ pips = {face.pips}, sides = {face.sides} }}"


def _runs(edition: Edition) -> Iterator[tuple[int, int, int]]:
    """Neighbouring tiles with equally many worms: lowest, highest, worms."""
    low, worms = edition.tiles[0]
    high = low
    for tile, count in edition.tiles[1:]:
        if (tile, count) != (high + 1, worms):
            yield low, high, worms
            low, worms = tile, count
        high = tile
    yield low, high, worms


def _run(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def _remember(edition: Edition) -> Edition:
    """A second edition of the same name would be another one with the same 8 digits: better none than the wrong one."""
    known = _known.setdefault(edition.key, edition)
    if known != edition:
        raise InvalidEditionError(
            "edition {key!r} is the name of another edition known here", key=edition.key
        )
    while len(_known) > _KNOWN_AT_ONCE:
        _known.pop(next(iter(_known)), None)
    return known


_TILES = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?")
_TABLE = re.compile(r"\s*\[\s*\"?([^\]\"\s]*)\"?\s*\]")
_ENTRY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]")


class _HouseText:
    """One text, and what TOML makes of it; errors name the line and what was expected."""

    def __init__(self, text: str) -> None:
        self._text = text
        if len(text) > MAX_TEXT:
            raise InvalidEditionError(
                "edition of {text} characters: expected at most {max_text}", text=len(text), max_text=MAX_TEXT
            )
        import tomllib  # here: most who import the rules read no house edition

        try:
            self._data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # ValueError: bad TOML, or a number without end
            raise InvalidEditionError("edition: expected TOML: {error}", error=error) from None

    def edition(self) -> Edition:
        for part in self._data:
            if part not in _PARTS:
                self._fail(said("one of {parts}", parts=", ".join(_PARTS)), part)
        name, faces = self._name(), self._faces()
        try:
            edition = Edition(
                "house",
                self._tiles(),
                self._number(8, 1, 12, "dice"),
                faces,
                exact_only=frozenset(self._exact_only()),
                specialists=tuple(self._specialists()),
                golden_die=tuple(self._golden_die(faces)),
                round_worms=self._number(0, 0, _MOST, "round_worms"),
                name=name,
                **switched(self._switches()),
            )
        except InvalidEditionError as error:
            if not error.part:
                raise
            self._fail(error.args[0].values["expected"], error.part)
        most, exact = _totals(edition)
        for tile in edition.values:
            if not (exact >> tile & 1 if tile in edition.exact_only else tile <= most):
                self._fail(said("tiles that the dice can reach, which {tile} is not", tile=tile), "tiles")
        from hashlib import sha256  # as above: it loads OpenSSL

        digits = sha256(format_edition(edition).encode()).hexdigest()[:8]
        return replace(edition, key=HOUSE + digits)

    def _name(self) -> str:
        name = self._data.get("name")
        if (
            not isinstance(name, str)
            or not name.isprintable()
            or name != name.strip()
            or not 1 <= len(name) <= 80
        ):
            self._fail(said("a name of 1 to 80 printable characters"), "name")
        return name

    def _switches(self) -> Sequence[str]:
        names = self._data.get("switches", [])
        if not isinstance(names, list) or not all(
            isinstance(name, str) and name in SWITCHES for name in names
        ):
            self._fail(said("a list of {switches}", switches=", ".join(SWITCHES)), "switches")
        return names

    def _exact_only(self) -> Sequence[int]:
        tiles = self._data.get("exact_only", [])
        if not isinstance(tiles, list) or not all(type(tile) is int for tile in tiles):
            self._fail(said("a list of tiles, as in [11, 13]"), "exact_only")
        return tiles

    def _tiles(self) -> tuple[tuple[int, int], ...]:
        worms: dict[int, int] = {}
        for key in self._table("tiles"):
            found = _TILES.fullmatch(key)
            low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
            if low > high:
                self._fail(said("a tile from 1 to 99, or a run of them, as in 21-24"), "tiles", key)
            for tile in range(low, high + 1):
                if tile in worms:
                    self._fail(said("every tile once, but {tile} is there already", tile=tile), "tiles", key)
                worms[tile] = self._number(0, 0, _MOST, "tiles", key)
        return tuple(sorted(worms.items()))

    def _faces(self) -> tuple[Face, ...]:
        if "faces" not in self._data:
            return printed_edition("classic").faces
        faces = []
        for sign, face in self._table("faces").items():
            if len(sign) != 1 or sign not in FACES:
                self._fail(said("the sign of a face, 1 to 9 or W"), "faces", sign)
            if isinstance(face, dict) and not face.keys() <= {"pips", "sides"}:
                self._fail(
                    said("what it counts and how many sides show it: {{ pips = 1, sides = 3 }}"),
                    "faces",
                    sign,
                )
            pips = face if not isinstance(face, dict) else face.get("pips")
            sides = 1 if not isinstance(face, dict) else face.get("sides", 1)
            faces.append(
                Face(
                    sign,
                    self._within(pips, 0, _MOST, "faces", sign),
                    self._within(sides, 1, MAX_SIDES, "faces", sign),
                )
            )
        if sum(face.sides for face in faces) > MAX_SIDES:
            self._fail(said("dice of at most {max_sides} sides", max_sides=MAX_SIDES), "faces")
        return tuple(sorted(faces))

    def _golden_die(self, faces: Sequence[Face]) -> Iterator[Face]:
        pips = {face.sign: face.pips for face in faces}
        sides = 0
        for sign in sorted(self._table("golden_die", needed=False)):
            if sign not in pips:
                self._fail(
                    said("a face that the other dice have, of {pips}", pips="".join(pips)), "golden_die", sign
                )
            sides += self._number(0, 1, MAX_SIDES, "golden_die", sign)
            yield Face(sign, pips[sign], self._data["golden_die"][sign])
        if sides > MAX_SIDES:
            self._fail(said("a golden die of at most {max_sides} sides", max_sides=MAX_SIDES), "golden_die")

    def _specialists(self) -> Iterator[tuple[str, int]]:
        for name in sorted(self._table("specialists", needed=False)):
            if name not in SPECIALISTS:
                self._fail(
                    said("one of {specialists}", specialists=", ".join(SPECIALISTS)), "specialists", name
                )
            yield name, self._number(0, 1, _MOST, "specialists", name)

    def _table(self, part: str, needed: bool = True) -> dict[str, Any]:
        table = self._data.get(part, None if needed else {})
        if not isinstance(table, dict):
            self._fail(said("a table, as in [{part}]", part=part), part)
        return table

    def _number(self, otherwise: int, low: int, high: int, part: str, key: str = "") -> int:
        """The number in a part of the edition, or in an entry of it."""
        value = self._data[part][key] if key else self._data.get(part, otherwise)
        return self._within(value, low, high, part, key)

    def _within(self, value: object, low: int, high: int, part: str, key: str) -> int:
        if type(value) is not int or not low <= value <= high:
            self._fail(
                said(
                    "a whole number from {low} to {high}, not {value}", low=low, high=high, value=quote(value)
                ),
                part,
                key,
            )
        return value

    def _fail(self, expected: str, part: str, key: str = "") -> NoReturn:
        place = f"{part}.{key}" if key else part
        line = self._line(part, key)
        where = quote(place)[1:-1]
        if line:
            raise InvalidEditionError(
                "edition: line {line}: {where}: expected {expected}",
                line=line,
                where=where,
                expected=expected,
            )
        raise InvalidEditionError("edition: {where}: expected {expected}", where=where, expected=expected)

    def _line(self, part: str, key: str) -> int:
        """Where an entry of a part stands, or else the part; 0 if it is not there."""
        table, found = "", 0
        for number, line in enumerate(self._text.split("\n"), 1):
            if header := _TABLE.match(line):
                table = header[1]
                found = number if table == part else found
            elif entry := _ENTRY.match(line):
                if table == part and entry[1] == key:
                    return number
                if not table and entry[1] == part:
                    found = number
        return found


def _totals(edition: Edition) -> tuple[int, int]:
    """The highest total with a worm in it, and all of them up to 99 as bits: what claims tiles (section 3, D9)."""
    white = {face.sign: face.pips for face in edition.faces}
    golden = {face.sign: face.pips for face in edition.golden_die}
    # Who is the worm, and which dice may lie beside it: a white die, the golden one, or the can (D9.1).
    ways = [[*[white] * (edition.dice - 1), golden]]
    if WORM in golden:
        ways.append([white] * edition.dice)
    if "can" in dict(edition.specialists):
        ways.append([{**die, WORM: 0} for die in (*[white] * edition.dice, golden)])
    most = exact = 0
    for dice in ways:
        totals = 1 << white[WORM]
        for die in dice:
            for shown in [totals << pips for pips in die.values()]:  # or it is not kept
                totals |= shown
        most, exact = max(most, totals.bit_length() - 1), exact | totals
    return most, exact
