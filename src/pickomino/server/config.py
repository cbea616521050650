"""Settings of a server: defaults, then a TOML file, then the environment, then flags; later ones win."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from pickomino.server.limits import Rate

PREFIX: Final = "PICKOMINO_"
_LISTS: Final = ("origins", "hosts", "proxies")
SECRET_LENGTH: Final = 32


class ConfigError(ValueError):
    """A setting that cannot be."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a sender may do. A rate of 0 a second, or a count of 0, means no limit."""

    body_bytes: int = 16_384
    record_bytes: int = 262_144
    message_bytes: int = 4_096
    messages: Rate = Rate(20, 60)  # per connection
    guest_messages: Rate = Rate(60, 180)  # per guest, all connections together
    requests: Rate = Rate(2, 60)  # per address
    connects: Rate = Rate(10, 200)  # connections begun, per address; not counted behind a proxy
    new_guests: Rate = Rate(10 / 60, 10)  # per address
    new_tables: Rate = Rate(20 / 60, 20)  # per address
    codes: Rate = Rate(10 / 60, 20)  # per address: looking up codes is how one would guess them
    heavy: Rate = Rate(1, 20)  # per address: advice and replay
    reviews: Rate = Rate(1 / 20, 6)  # per guest: those that must be worked out
    coach: Rate = Rate(2, 60)  # per guest: words before a move
    histories: Rate = Rate(2, 80)  # per address: long stretches of a game's log
    reactions: Rate = Rate(0.5, 5)  # per connection
    connections: int = 10_000  # of this process; newcomers are told to come back
    connections_per_guest: int = 32
    connections_per_address: int = 64
    tables_per_guest: int = 50


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "pickomino.db"  # a file, or postgresql://…
    database_connections: int = 8  # at most, of this process to PostgreSQL
    redis: str = ""  # redis://… for hints between processes
    origins: tuple[str, ...] = ()  # allowed besides the server's own, as https://host
    hosts: tuple[str, ...] = ()  # names it answers to, besides addresses, localhost and the hosts of origins
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For is believed
    admin_token: str = ""  # lets `pickomino admin` in from anywhere; without it only on this machine
    metrics_token: str = ""  # lets who sends it as a bearer token see the figures, from anywhere
    public_metrics: bool = False  # else only for callers on this machine that no proxy stands before
    log: Literal["auto", "json", "plain"] = "auto"  # auto: plain at a terminal
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    secret: str = ""  # signs tokens; by default one that the database keeps
    expire_hours: float = 72.0  # a table that nobody uses
    keep_days: float = 365.0  # games of closed tables, and who has no others; 0: for ever
    keep_bot_games_days: float = 2.0  # those that nobody but bots played
    housekeeping_seconds: float = 300.0
    request_seconds: float = 20.0  # for an HTTP request to arrive
    response_seconds: float = 60.0  # for the answer to be read
    hello_seconds: float = 10.0
    host_seconds: float = 60.0  # a host who is gone so long may be stood in for
    grace_seconds: float = 5.0  # after a restart nobody's time runs out earlier than this
    roll_seconds: float = 1.0  # a roll waits so long for the values of those who add to it
    drain_seconds: float = 5.0
    ping_seconds: float = 20.0
    web: str = ""  # folder of the page; by default the one in the package
    limits: Limits = Limits()


def load(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Config:
    """The settings, or a `ConfigError` that names what is wrong."""
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"settings file {str(file)!r}: {error}") from None
    from_environment = _from_environment(os.environ if environment is None else environment)
    limits = {**values.get("limits", {}), **from_environment.pop("limits")}
    values |= from_environment | ({"limits": limits} if limits else {})
    values |= {name: value for name, value in (flags or {}).items() if value is not None}
    try:
        config = msgspec.convert(values, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"settings: {error}") from None
    for name, powers in (("secret", "is anybody"), ("admin_token", "may do anything")):
        if 0 < len(getattr(config, name)) < SECRET_LENGTH:
            raise ConfigError(
                f"{name}: expected at least {SECRET_LENGTH} characters, since whoever guesses it {powers}"
            )
    return config


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """PICKOMINO_PORT=9000, PICKOMINO_ORIGINS=https://a,https://b, PICKOMINO_LIMITS_REQUESTS=2/60."""
    values: dict[str, Any] = {"limits": {}}
    known = {PREFIX + name.upper(): name for name in Config.__struct_fields__ if name != "limits"}
    limits = {f"{PREFIX}LIMITS_{name.upper()}": name for name in Limits.__struct_fields__}
    for variable, text in environment.items():
        if variable in known:
            name = known[variable]
            values[name] = [part for part in text.split(",") if part] if name in _LISTS else text
        elif variable in limits:
            values["limits"][limits[variable]] = _limit(variable, text)
        elif variable.startswith(PREFIX):
            raise ConfigError(f"{variable}: no such setting")
    return values


def _limit(variable: str, text: str) -> object:
    """A count, or a rate as per second / burst."""
    if not isinstance(getattr(Limits(), variable.removeprefix(f"{PREFIX}LIMITS_").lower()), Rate):
        return text
    try:
        per_second, burst = map(float, text.split("/"))
    except ValueError:
        raise ConfigError(
            f"{variable}: {text!r}: expected a rate per second and a burst, as in 2/60"
        ) from None
    return {"per_second": per_second, "burst": burst}
