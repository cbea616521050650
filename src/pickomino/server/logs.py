"""Structured logs: one JSON object a line on stderr. No tokens, secrets, names or table ids ever go in:
what happened is logged by route and code, not by address."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from typing import Any, Final

from pickomino.locale import local, speaking, spoken
from pickomino.rules import said

log: Final = logging.getLogger("pickomino.server")

_QUIET: Final = ("Invalid UTF-8 sequence received from client.",)
"""What a library reports with a traceback though it is only a client's mistake."""


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        line |= getattr(record, "facts", {})
        if record.exc_info and message not in _QUIET:
            line["error"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


_LEVELS: Final = {logging.INFO: "", logging.WARNING: said("warning"), logging.ERROR: said("error")}


class PlainLines(logging.Formatter):
    """For people at a terminal: what was `said` in the language of the command, the rest as it is."""

    def __init__(self) -> None:
        super().__init__()
        self._language = spoken()

    def format(self, record: logging.LogRecord) -> str:
        with speaking(self._language):
            word = local(_LEVELS.get(record.levelno, record.levelname.lower()))
            message = record.getMessage() if record.args else local(record.msg)
        level = f"{word}: " if word else ""
        facts = "; ".join(f"{name} {_told(value)}" for name, value in getattr(record, "facts", {}).items())
        when = time.strftime("%H:%M:%S", time.localtime(record.created))
        text = f"{when} {level}{message}" + (f" ({facts})" if facts else "")
        if record.exc_info and record.getMessage() not in _QUIET:
            text += "\n" + "".join(traceback.format_exception(*record.exc_info))
        return text


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


class _NoAddresses(logging.Filter):
    """uvicorn logs every WebSocket with its address; our own counters do without addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "WebSocket" not in str(record.msg) and record.getMessage() not in (
            "connection open",
            "connection closed",
        )


def set_up(level: str, style: str) -> None:
    """Everything, the libraries' words included, goes through one handler."""
    handler = logging.StreamHandler(sys.stderr)
    plain = style == "plain" or (style == "auto" and sys.stderr is not None and sys.stderr.isatty())
    handler.setFormatter(PlainLines() if plain else JsonLines())
    handler.addFilter(_NoAddresses())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "asyncio"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
        if level == "info":  # that they start is told by us
            logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True


def facts(**values: object) -> dict[str, dict[str, object]]:
    """For ``log.info("text", extra=facts(code="x"))``."""
    return {"facts": values}
