"""Who sits where: ``--seat A=me:Anna --seat B=bot:random``, and the seats of a game that goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pickomino.bots import bot_names, make_bot
from pickomino.bots.registry import FILE
from pickomino.cli.parsing import CommandError
from pickomino.locale import t
from pickomino.notation import Record
from pickomino.play import Seat
from pickomino.rules import MIN_SEATS, SEATS, PickominoError

DEFAULT_BOT: Final = "cautious"
MAX_NAME: Final = 40


def seats_of(specs: Sequence[str], count: int | None) -> tuple[Seat, ...]:
    """The seats of a new game: A is a person and the others are bots unless a spec says otherwise."""
    given = _given(specs)
    highest = 1 + max(given, default=0)
    if count is None:
        count = max(MIN_SEATS, highest)
    elif highest > count:
        raise CommandError(
            "--seat {seats}: there are only {count} seats", seats=SEATS[highest - 1], count=count
        )
    whole = {seat: Seat("") if seat == 0 else Seat("", DEFAULT_BOT) for seat in range(count)} | given
    return _named([whole[seat] for seat in range(count)])


def resumed_seats(record: Record, specs: Sequence[str]) -> tuple[Seat, ...]:
    """The seats of a game that goes on: as the record says, by name where it does not say, or as told now."""
    given = _given(specs)
    if given and max(given) >= len(record.names):
        raise CommandError(
            "--seat {seats}: the game has {names} seats", seats=SEATS[max(given)], names=len(record.names)
        )
    bots = _bots(record)
    seats = []
    for seat, name in enumerate(record.names):
        told = given.get(seat)
        if told is None:
            seats.append(Seat(name, bots.get(seat)))
        else:
            seats.append(Seat(told.name or (name if told.bot is None else ""), told.bot))
    return _named(seats)


def _bots(record: Record) -> dict[int, str]:
    """Which seats are bots: as the header says; without one, those that have a bot's name."""
    try:
        # A record may come from anyone: it does not get to start programs here.
        found = _given(record.headers["Players"].split(" "), programs=False)
    except (KeyError, CommandError, PickominoError):  # records from elsewhere mean something else by it
        known = bot_names()
        return {
            seat: name.split("-")[0] for seat, name in enumerate(record.names) if name.split("-")[0] in known
        }
    return {seat: told.bot for seat, told in found.items() if told.bot is not None}


def _given(specs: Sequence[str], *, programs: bool = True) -> dict[int, Seat]:
    given: dict[int, Seat] = {}
    for spec in specs:
        letter, equals, who = spec.partition("=")
        if not equals or len(letter) != 1 or letter.upper() not in SEATS:
            raise CommandError(
                "--seat {spec!r}: expected A=me, A=me:Anna or B=bot:{default_bot}",
                spec=spec,
                default_bot=DEFAULT_BOT,
            )
        seat = SEATS.index(letter.upper())
        if seat in given:
            raise CommandError(
                "--seat {spec!r}: seat {upper} is given twice", spec=spec, upper=letter.upper()
            )
        given[seat] = _occupant(spec, who, programs)
    return given


def _occupant(spec: str, who: str, programs: bool) -> Seat:
    kind, colon, rest = who.partition(":")
    if kind == "me":
        if colon and (not rest.strip() or not rest.isprintable() or len(rest) > MAX_NAME):
            raise CommandError(
                "--seat {spec!r}: expected a printable name of at most {max_name} characters",
                spec=spec,
                max_name=MAX_NAME,
            )
        return Seat(rest.strip())
    if kind == "bot":
        bot = rest or DEFAULT_BOT
        make_bot(bot, programs=programs)  # complains about an unknown one
        return Seat("", bot)
    raise CommandError(
        "--seat {spec!r}: expected me, me:NAME or bot:{bot_names} after the =",
        spec=spec,
        bot_names="|".join(bot_names()),
    )


def _bot_name(bot: str) -> str:
    """``ev`` of ``ev:loss=1``, ``Thief`` of ``my_bot.py:Thief``."""
    return bot.partition(FILE)[2].partition(":")[0] if FILE in bot else bot.partition(":")[0]


def _named(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Everyone gets a name; where two would share one, the seat's letter tells them apart."""
    plain = [seat.name or (t("Player") if seat.bot is None else _bot_name(seat.bot)) for seat in seats]
    alike = [name.casefold() for name in plain]
    given = [seat.name.casefold() for seat in seats if seat.name]

    def shared(seat: Seat, name: str) -> bool:
        return (given if seat.name else alike).count(name.casefold()) > 1

    return tuple(
        Seat(f"{name}-{letter}" if shared(seat, name) else name, seat.bot)
        for letter, name, seat in zip(SEATS, plain, seats, strict=False)
    )
