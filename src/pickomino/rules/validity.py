"""Is this a position that a move could leave behind? Whether a game can reach it is not asked."""

from __future__ import annotations

from collections.abc import Iterator

from pickomino.rules.dice import all_faces_kept, chances, size
from pickomino.rules.edition import MAX_SEATS, MIN_SEATS, Edition
from pickomino.rules.errors import InvalidPositionError, NotationError, said
from pickomino.rules.moves import Roll
from pickomino.rules.phase import NOBODY, Phase
from pickomino.rules.position import Position
from pickomino.rules.specialists import Specialists
from pickomino.rules.turn import claims


def check(position: Position, shown: str = "") -> None:
    """Raise `InvalidPositionError` with the reason if the position is impossible.

    `shown` is how the error quotes it, for a text that says more than its position holds (``can@21,can@A``).
    """
    for problems in (_table, _places, _dice, _phase):
        for problem in problems(position):
            raise InvalidPositionError(
                "position {shown}: {problem}", shown=shown or repr(str(position)), problem=problem
            )


def _table(position: Position) -> Iterator[str]:
    edition, seats = position.edition, len(position.stacks)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        yield said(
            "{seats} stacks, expected {low} to {high}",
            seats=seats,
            low=MIN_SEATS,
            high=MAX_SEATS,
        )
    tiles = [*position.grill, *(tile for stack in position.stacks for tile in stack)]
    for tile in tiles:
        if tile not in edition.worms:
            yield said("{key} has no tile {tile}", key=edition.key, tile=tile)
        if tiles.count(tile) > 1:
            yield said("tile {tile} is in two places", tile=tile)
    if list(position.grill) != sorted(position.grill):
        yield said("the grill is not in ascending order")
    if position.phase is Phase.OVER:
        if position.seat != NOBODY:
            yield said("a seat to act although the game is over")
        if position.grill:
            yield said("the game is over although the grill is not empty")
    elif not 0 <= position.seat < seats:
        yield said("the seat to act has no stack")
    elif not position.grill and not (_choosing(position) and not position.kept):
        yield said("the grill is empty before the end of the game")


def _choosing(position: Position) -> bool:
    return position.phase in (Phase.GIVER, Phase.PUT_BACK)


def _places(position: Position) -> Iterator[str]:
    edition, specialists = position.edition, position.specialists
    if (specialists is None) == bool(edition.specialists):
        way = said("with specialists") if edition.specialists else said("without specialists")
        yield said("{key} is played {way}", key=edition.key, way=way)
    if specialists is None:
        return
    seats = len(position.stacks)
    if len(specialists.held) != seats or len(specialists.round_worms) != seats:
        yield said("specialists and round worms for {seats} seats expected", seats=seats)
    if min(specialists.round_worms) < 0 or specialists.supply(edition) < 0:
        yield said("more than {round_worms} round worms", round_worms=edition.round_worms)
    names = [name for _, name in specialists.standing] + [name for held in specialists.held for name in held]
    for name in names:
        if name not in dict(edition.specialists):
            yield said("{key} has no specialist {name!r}", key=edition.key, name=name)
        if names.count(name) > 1:
            yield said("the {name} is in two places", name=name)
    tiles = [tile for tile, _ in specialists.standing]
    for tile in tiles:
        if tile not in position.grill:
            yield said("a specialist stands on {tile}, which is not face up on the grill", tile=tile)
        if tiles.count(tile) > 1:
            yield said("two specialists on tile {tile}", tile=tile)
    if list(specialists.standing) != sorted(specialists.standing):
        yield said("standing specialists are not in ascending order")
    yield from _hands(position, specialists)


def _hands(position: Position, specialists: Specialists) -> Iterator[str]:
    for seat, held in enumerate(specialists.held):
        if "crow" in held:
            yield said("the crow is at a seat, but it is never owned")  # D10.2
        if list(held) != sorted(held):
            yield said("the specialists of a seat are not sorted")
        if len(held) > 1 and not (position.phase is Phase.PUT_BACK and seat == position.seat):
            yield said("two specialists at a seat that is not choosing")
    in_turn = not position.over and not (_choosing(position) and not position.kept)
    if specialists.weasel_used and not (in_turn and specialists.holds(position.seat, "weasel")):
        yield said("the used weasel is not with the seat whose turn it is")
    if specialists.gold_joined and not (in_turn and specialists.holds(position.seat, "gold")):
        yield said("the golden die is in the turn, but not with the seat to act")


def _dice(position: Position) -> Iterator[str]:
    edition, kept, rolled = position.edition, position.kept, position.rolled
    white, gold = kept.partition("+")[0], kept.partition("+")[2]
    signs = edition.pips.keys() - {"+"}
    if kept != "".join(sorted(white)) + ("+" + gold if gold else "") or not set(white) | set(gold) <= signs:
        yield said("kept dice {kept!r}: expected sorted faces of {key}", kept=kept, key=edition.key)
    if gold and (gold not in {face.sign for face in edition.golden_die} or not position.gold_joined):
        yield said("kept dice {kept!r}: no golden die in this turn shows {gold!r}", kept=kept, gold=gold)
    if len(white) > edition.dice:
        yield said("{white} white dice kept, but there are {dice}", white=len(white), dice=edition.dice)
    if position.phase is Phase.KEEP:
        count, golden = position.dice_to_roll
        if not _may_fall(edition, max(count, 0), golden, rolled):
            if golden:
                yield said(
                    "rolled {rolled!r}: expected {count} white dice, sorted, and the golden one (kept are {kept})",
                    rolled=rolled,
                    count=count,
                    kept=size(kept),
                )
            yield said(
                "rolled {rolled!r}: expected {count} white dice, sorted (kept are {kept})",
                rolled=rolled,
                count=count,
                kept=size(kept),
            )
        if not any((count, golden)):
            yield said("no die is left to roll")
    elif rolled:
        yield said("rolled dice although no keep is due")


def _may_fall(edition: Edition, white: int, gold: bool, dice: str) -> bool:
    """Whether the text is a roll of these dice, and sorted; none at all, where there are none."""
    try:
        roll = Roll(dice)
    except NotationError:
        return not dice and not white and not gold
    return roll.dice == dice and roll in chances(edition, white, gold)


def _phase(position: Position) -> Iterator[str]:
    specialists = position.specialists
    match position.phase:
        case Phase.ROLL if not position.can_roll:
            yield said("the dice are about to fall, but no die or no face is left")
        case Phase.KEEP:
            if all_faces_kept(position.edition, position.kept):
                yield said("a keep is due, but every face is kept")
            if not position.moves():
                yield said(
                    "rolled {rolled!r} has nothing to keep and no weasel to help: the turn is over",
                    rolled=position.rolled,
                )
        case Phase.GO:
            if not position.kept:
                yield said("roll or stop, but nothing is kept")
            elif not position.can_roll and not claims(position):
                yield said("roll or stop, but the turn is over: nothing to roll, nothing to claim")
        case Phase.GOLD if specialists is None or not specialists.holds(position.seat, "gold"):
            yield said("the seat to act does not hold the golden die")
        case Phase.GOLD | Phase.PUT_BACK | Phase.OVER if position.kept or position.gold_joined:
            yield said("kept dice although no dice are in play")
        case Phase.GIVER:
            yield from _giver(position)
        case Phase.PUT_BACK:
            yield from _put_back(position)
        case _:
            pass


def _giver(position: Position) -> Iterator[str]:
    if len(position.moves()) < 2:
        yield said("a giver is to be chosen, but the supply is not empty or fewer than two seats can give")
    elif position.kept:
        if position.kept.count("1") < 2:
            yield said("a giver is to be chosen, but fewer than two ones are kept")
    else:
        yield from _after_claim(position)
        yield from _crow_moved(position)


def _crow_moved(position: Position) -> Iterator[str]:
    """The crow whose tile was just taken stands on the smallest free tile, or there was none (D10.2, D13.1)."""
    assert position.specialists is not None
    taken = dict(position.specialists.standing)
    if "crow" not in dict(position.edition.specialists):
        yield said("a giver is to be chosen after a claim, but there is no crow")
    for tile in position.grill:
        if taken.get(tile) == "crow":
            return
        if tile not in taken:
            yield said("the crow has not moved on to the smallest free tile, {tile}", tile=tile)


def _after_claim(position: Position) -> Iterator[str]:
    if not position.stacks[position.seat]:
        yield said("a tile was just taken, but the seat to act has none")


def _put_back(position: Position) -> Iterator[str]:
    if len(position.moves()) != 2:
        yield said("a specialist is to be put back, but the seat to act does not hold two")
    elif not _hen_was_stolen(position):
        yield from _after_claim(position)


def _hen_was_stolen(position: Position) -> bool:
    """Only a stolen hen comes without a tile, from a seat whose top tile can be stolen (D10.3)."""
    assert position.specialists is not None
    exact_only = position.edition.exact_only
    tops = (top for seat, top in enumerate(position.tops) if seat != position.seat and top is not None)
    return position.specialists.holds(position.seat, "hen") and any(top not in exact_only for top in tops)
