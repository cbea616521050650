"""Columns of numbers as a Parquet file, and back: one row group, one gzip page per column, no value missing.

That much of the format is a hundred lines, and any reader of Parquet takes the files; a general library for it weighs
fifty megabytes. The footer and the heads of pages are Thrift structures in its compact form.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.files import replacing
from pickomino.rules import PickominoError

Columns = dict[str, NDArray[Any]]

_MAGIC: Final = b"PAR1"
_I32, _I64, _TEXT, _LIST, _STRUCT = 5, 6, 8, 9, 12  # types of Thrift's compact protocol
_GZIP, _PLAIN, _RLE = 2, 0, 3
_WBITS: Final = 31  # of zlib: a gzip head and the largest window
_KINDS: Final = {  # Parquet's physical type, its own type for small numbers, and what is stored
    "int8": (1, 15, "<i4"),
    "int16": (1, 16, "<i4"),
    "int32": (1, None, "<i4"),
    "int64": (2, None, "<i8"),
    "float32": (4, None, "<f4"),
    "float64": (5, None, "<f8"),
}


def write_columns(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Columns of one length, of whole numbers or floats."""
    rows = len(next(iter(columns.values())))
    for name, column in columns.items():
        if column.dtype.name not in _KINDS or column.shape != (rows,):
            raise PickominoError(
                f"column {name}: {column.dtype} {column.shape}, expected {', '.join(_KINDS)} and ({rows},)"
            )
    with replacing(path) as file:
        file.write(_MAGIC)
        at, chunks, total = len(_MAGIC), [], 0
        for name, column in columns.items():
            kind, _, stored = _KINDS[column.dtype.name]
            plain = column.astype(stored).tobytes()
            packer = zlib.compressobj(6, wbits=_WBITS)
            packed = packer.compress(plain) + packer.flush()
            values = _struct((1, _I32, rows), (2, _I32, _PLAIN), (3, _I32, _RLE), (4, _I32, _RLE))
            head = _struct((1, _I32, 0), (2, _I32, len(plain)), (3, _I32, len(packed)), (5, _STRUCT, values))
            file.write(head + packed)
            total += len(head) + len(plain)
            about = _struct(
                (1, _I32, kind),
                (2, _LIST, (_I32, [_PLAIN])),
                (3, _LIST, (_TEXT, [name])),
                (4, _I32, _GZIP),
                (5, _I64, rows),
                (6, _I64, len(head) + len(plain)),
                (7, _I64, len(head) + len(packed)),
                (9, _I64, at),
            )
            chunks.append(_struct((2, _I64, at), (3, _STRUCT, about)))
            at += len(head) + len(packed)
        schema = [_struct((4, _TEXT, "rows"), (5, _I32, len(columns)))]
        for name, column in columns.items():
            kind, small, _ = _KINDS[column.dtype.name]
            fields = [(1, _I32, kind), (3, _I32, 0), (4, _TEXT, name)]
            schema.append(_struct(*fields, *([] if small is None else [(6, _I32, small)])))
        group = _struct((1, _LIST, (_STRUCT, chunks)), (2, _I64, total), (3, _I64, rows))
        footer = _struct(
            (1, _I32, 1),
            (2, _LIST, (_STRUCT, schema)),
            (3, _I64, rows),
            (4, _LIST, (_STRUCT, [group])),
            (6, _TEXT, "pickomino"),
        )
        file.write(footer + len(footer).to_bytes(4, "little") + _MAGIC)


def read_columns(path: Path) -> Columns:
    """What `write_columns` wrote."""
    data = path.read_bytes()
    if len(data) < 12 or data[:4] != _MAGIC or data[-4:] != _MAGIC:
        raise PickominoError(f"{path}: expected a Parquet file")
    footer, _ = _read_struct(data, len(data) - 8 - int.from_bytes(data[-8:-4], "little"))
    found: Columns = {}
    kinds = {(kind, small): (stored, name) for name, (kind, small, stored) in _KINDS.items()}
    for about, chunk in zip(footer[2][1:], footer[4][0][1], strict=True):
        head, at = _read_struct(data, chunk[3][9])
        stored, name = kinds[about[1], about.get(6)]
        plain = zlib.decompress(data[at : at + head[3]], wbits=_WBITS)
        found[about[4].decode()] = np.frombuffer(plain, stored).astype(name)
    return found


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _value(kind: int, value: Any) -> bytes:
    """Numbers here are never negative, so that zigzag only doubles them."""
    if kind in (_I32, _I64):
        return _varint(2 * value)
    if kind == _TEXT:
        text = str(value).encode()
        return _varint(len(text)) + text
    if kind == _LIST:
        of, items = value
        size = bytes([len(items) << 4 | of]) if len(items) < 15 else bytes([0xF0 | of]) + _varint(len(items))
        return size + b"".join(_value(of, item) for item in items)
    return bytes(value)  # a structure, made already


def _struct(*fields: tuple[int, int, Any]) -> bytes:
    """(number, type, value) in ascending order."""
    found, last = b"", 0
    for number, kind, value in fields:
        found += bytes([number - last << 4 | kind]) + _value(kind, value)
        last = number
    return found + b"\0"


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    found, shift = 0, 0
    while data[at] > 127:
        found |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return found | data[at] << shift, at + 1


def _read(kind: int, data: bytes, at: int) -> tuple[Any, int]:
    if kind == _STRUCT:
        return _read_struct(data, at)
    if kind == _LIST:
        size, of, at = data[at] >> 4, data[at] & 15, at + 1
        if size == 15:
            size, at = _read_varint(data, at)
        items = []
        for _ in range(size):
            item, at = _read(of, data, at)
            items.append(item)
        return items, at
    number, at = _read_varint(data, at)
    return (data[at : at + number], at + number) if kind == _TEXT else (number >> 1, at)


def _read_struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    found: dict[int, Any] = {}
    number = 0
    while data[at]:
        number, kind = number + (data[at] >> 4), data[at] & 15
        found[number], at = _read(kind, data, at + 1)
    return found, at + 1
