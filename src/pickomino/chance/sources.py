"""Dice sources: each answers with a roll that fits the position whose dice are due."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Protocol

from pickomino.notation import parse_roll
from pickomino.rules import Face, IllegalMoveError, Phase, Position, Roll


class DiceSource(Protocol):
    """Anything that rolls."""

    def roll(self, position: Position) -> Roll:
        """Dice for a position where dice are due."""
        ...


class _RandomDice:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def roll(self, position: Position) -> Roll:
        _demand_dice_due(position)
        white, gold = position.dice_to_roll
        edition = position.edition
        dice = "".join(sorted(self._side(edition.faces) for _ in range(white)))
        return Roll(f"{dice}+{self._side(edition.golden_die)}" if gold else dice)

    def _side(self, faces: tuple[Face, ...]) -> str:
        # random() is the one method whose sequence Python promises to keep for a seed.
        side = int(self._rng.random() * sum(face.sides for face in faces))
        for face in faces:
            side -= face.sides
            if side < 0:
                break
        return face.sign


class SystemDice(_RandomDice):
    """Dice from the operating system's randomness: nobody can foresee or repeat them."""

    def __init__(self) -> None:
        super().__init__(random.SystemRandom())


class SeededDice(_RandomDice):
    """Dice that fall the same way for the same seed, game after game."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(random.Random(f"dice {seed}"))


class ScriptedDice:
    """Dice from a list: rolls, or their texts with or without ``=``."""

    def __init__(self, rolls: Iterable[Roll | str]) -> None:
        self._rolls: Iterator[Roll | str] = iter(rolls)

    def roll(self, position: Position) -> Roll:
        _demand_dice_due(position)
        found = next(self._rolls, None)
        if found is None:
            raise IllegalMoveError("the script has no more dice for {position!r}", position=str(position))
        roll = found if isinstance(found, Roll) else parse_roll("=" + found.removeprefix("="))
        if roll not in position.rolls():
            raise IllegalMoveError(
                "scripted roll {roll!r} does not fit {position!r}", roll=str(roll), position=str(position)
            )
        return roll


def _demand_dice_due(position: Position) -> None:
    if position.phase is not Phase.ROLL:
        raise IllegalMoveError("no dice are due in {position!r}", position=str(position))
