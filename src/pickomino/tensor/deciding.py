"""One decision in each of many games, and what follows until the next one: sections 2 and 3 of the rules, D8 to D13.

Everything is masks over all games: no branch looks at a value, so that a step can be recorded on a GPU. A decision is
followed by two rolls at most. The first is that of the seat that decided; if nothing can be kept of it, the turn is
over and the next seat makes the second, which always leaves something to keep.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from pickomino.compact.packed import (
    NONE,
    PHASE_GIVER,
    PHASE_GO,
    PHASE_GOLD,
    PHASE_KEEP,
    PHASE_PUT_BACK,
)
from pickomino.compact.tables import edition_tables
from pickomino.rules import WORM
from pickomino.tensor.arrays import Array, Arrays
from pickomino.tensor.batch import Batch
from pickomino.tensor.rules import CAN, GOLD, HEN, WEASEL, Rules
from pickomino.tensor.running import RunningGames
from pickomino.tensor.settling import busted, claimed, givers, received
from pickomino.tensor.stopping import allowed

MOST_DECISIONS: Final = 20_000  # uniformly random games of classic take about 1,700
# Runs of the move table, as `pickomino.compact.tables` names them.
_MOVES: Final = ("keep", "roll_on", "stop", "take", "steal", "use_gold", "leave_gold", "reroll", "giver")


class Finished(NamedTuple):
    """Which games ended with a decision, and how; seats as they are named, A first."""

    over: Array  # (games,) bool: played to the end
    broken_off: Array  # (games,) bool: after too many decisions
    shares: Array  # (games, seats): of the win, 0 where no game was played to its end
    worms: Array  # (games, seats): what the seats have where a game ended, else 0


class _Due(NamedTuple):
    """What the seats to act may do: masks over the games, and over tiles or seats."""

    keeping: Array
    going: Array
    golden: Array  # does the golden die join?
    asking: Array  # who gives a round worm?
    choosing: Array  # which specialist goes back?
    onward: Array  # the dice may be rolled once more
    takes: Array  # (games, tiles)
    steals: Array  # (games, tiles)
    givers: Array  # (games, seats), counted from the one to act
    own: Array  # (games, specialists)


class Decisions:
    """Plays decisions of games by some rules. Where a game ends the next one begins, with the next seat."""

    def __init__(self, rules: Rules, most: int = MOST_DECISIONS) -> None:
        xp, edition = rules.xp, rules.edition
        self.rules, self.most = rules, most
        table: Any = edition_tables(edition)[0]
        self.moves = int(table["moves"])
        self.at = {name: int(table[name]) for name in _MOVES}
        self._put_back_at = table["put_back"][: rules.specialists].tolist()  # NONE for the crow
        signs = [face.sign for face in edition.faces]
        self._faces, self._dice, self._worm = len(signs), edition.dice, signs.index(WORM)
        self._one = signs.index("1") if "1" in signs and edition.round_worms else NONE  # D8.4
        self._face, self._die = xp.arange(self._faces), xp.arange(edition.dice)
        self._tile, self._seat = xp.arange(rules.tiles), xp.arange(rules.seats)
        self._put_back = xp.asarray(self._put_back_at, xp.int64)
        white = [index for index, face in enumerate(edition.faces) for _ in range(face.sides)]
        golden = [signs.index(face.sign) for face in edition.golden_die for _ in range(face.sides)]
        self._sides = [xp.asarray(sides, xp.int64) for sides in (white, golden) if sides]
        self._start = Batch.start(rules, 1) if len(rules.switches) == 1 else None

    def start(self, size: int, dice: Arrays | None = None) -> RunningGames:
        """The beginning of games; the seats take turns to begin. `dice`: whose random numbers to use."""
        xp, seats = self.rules.xp, self.rules.seats
        seat = xp.astype(xp.arange(size) % seats, xp.int8)
        return self.begin(Batch.start(self.rules, size), seat, self.draw(size, dice))

    def begin(self, batch: Batch, seat: Array, sides: Array) -> RunningGames:
        """Games that go on with a turn of these seats, seat 0 of the batch."""
        rules, xp, size = self.rules, self.rules.xp, len(batch)

        def none(dtype: Any, *shape: int) -> Array:
            return xp.full((size, *shape), 0, dtype)

        kept = none(xp.int8, len(self._sides), self._faces)
        no = none(xp.bool)
        golden = no | batch.holds(GOLD)[:, 0]
        rolled = self._rolled(kept, no, sides[:, 1]) * ~golden[:, None, None]
        nothing = (
            none(xp.bool, width) for width in (rules.tiles, rules.tiles, rules.seats, rules.specialists)
        )
        due = _Due(~golden, no, golden, no, no, no, *nothing)
        games = RunningGames(
            batch,
            seat,
            seat + none(xp.int8),
            self._phase(due),
            kept,
            rolled,
            no,
            none(xp.bool),
            none(xp.int32),
            no,
        )
        return replace(games, legal=self._legal(games, due))

    def draw(self, size: int, dice: Arrays | None = None) -> Array:
        """Sides of the dice for one decision in so many games, (games, two rolls, dice): the golden one last.

        The random numbers have steps of 2**-24, and sides are even to within that.
        """
        xp = self.rules.xp
        parts = zip((self._dice, 1), self._sides, strict=False)
        sides = [(dice or xp).random(size, 2, count) * len(faces) for count, faces in parts]
        return xp.astype(sides[0] if len(sides) == 1 else xp.concatenate(sides, -1), xp.int16)

    def random_moves(self, games: RunningGames, dice: Arrays | None = None) -> Array:
        """Uniform among the legal moves: (games,)."""
        xp = self.rules.xp
        upto = games.legal.cumsum(-1, dtype=xp.int8)
        wanted = xp.astype((dice or xp).random(len(games)) * upto[:, -1], xp.int8)
        return (upto <= wanted[:, None]).sum(-1)

    def decide(self, games: RunningGames, move: Array, sides: Array) -> tuple[RunningGames, Finished]:
        """The games after a legal move in each of them, by its index; `sides` of the dice as `draw` gives them."""
        rules, xp, at, batch = self.rules, self.rules.xp, self.at, games.batch

        def plays(name: str, count: int = 1) -> Array:
            return (move >= at[name]) & (move < at[name] + count) if at[name] != NONE else move < 0

        # Dice (section 2): a face is kept, or those that are left fall.
        keeping, rolling = plays("keep", self._faces), plays("roll_on")
        claiming = plays("take", rules.tiles) | plays("steal", rules.tiles)
        gain = games.rolled * ((move - at["keep"])[:, None] == self._face)[:, None]
        kept, joined, weasel_used = games.kept + gain, games.joined, games.weasel_used
        if rules.specialists:
            rolling = rolling | plays("reroll") | plays("use_gold") | plays("leave_gold")
            joined, weasel_used = joined | plays("use_gold"), weasel_used | plays("reroll")
        rolled = self._rolled(kept, joined, sides[:, 0]) * rolling[:, None, None]
        has = (kept > 0).any(1)  # (games, faces)
        weasel = batch.holds(WEASEL)[:, 0] & ~weasel_used  # D8.2
        dead = rolling & ~((rolled > 0).any(1) & ~has).any(-1) & ~weasel  # R2.3

        # Tiles and specialists that a claim is about (sections 3 and 10).
        tops, hen = batch.tops, batch.holds(HEN)
        taken = (move - at["take"])[:, None] == self._tile
        stolen = (move - at["steal"])[:, None] == self._tile
        stands = ((batch.place[..., None] == self._tile) & taken[:, None]).any(-1)  # (games, specialists)
        crow = stands & rules.is_crow
        robbed = (tops[:, 1:] & stolen[:, None]).any(-1)  # (games, other seats)
        theirs = (batch.place[:, None] == rules.tiles + rules.seat[1:, None]) & robbed[..., None]
        gained = taken | stolen & ~(hen[:, 1:] & robbed).any(-1, keepdims=True)  # D10.3

        # Round worms for two 1s (D8.4) or the crow (D10.2), and who gives them (D11.1).
        worms, giving, asking = batch.round_worms, plays("giver", rules.seats), move < 0
        able = givers(rules, 0, worms, hen)
        if rules.edition.round_worms:
            earns = crow.any(-1)
            if self._one != NONE:
                earns = earns | (gain[:, :, self._one].sum(-1) > 1)
            asking = earns & (able.sum(-1) > 1)
            named = (games.seat[:, None] + self._seat) % rules.seats == (move - at["giver"])[:, None]
            got = received(rules, 0, worms, hen, xp.astype(named, xp.float32))
            worms = xp.where((earns & ~asking | giving)[:, None], got, worms)

        # Going on (R2.4, R2.5): what may be claimed.
        going = keeping & ~asking | giving & has.any(-1)
        worm, total = has[:, self._worm], (kept.sum(1, dtype=xp.int32) * rules.pips).sum(-1)
        if rules.specialists:
            total = total + rules.can_pips * ~worm  # D9.1
            worm = worm | batch.holds(CAN)[:, 0]
        takes, robs = (part[:, 0] & (worm & going)[:, None] for part in allowed(batch, total[:, None]))
        steals = (tops[:, 1:] & robs[..., None]).any(1)
        left = self._dice - kept.sum((1, 2), dtype=xp.int32) + joined
        onward = going & (left > 0) & ~has.all(-1)

        # The end of a turn (sections 3, 4, 10 and 12).
        fails = dead | going & ~(onward | takes.any(-1) | steals.any(-1)) | plays("stop")
        goes = move[:, None] == self._put_back
        after = claimed(batch, 0, gained, stands & ~crow | theirs.any(1), crow | goes)
        after = replace(busted(batch, 0).where(fails, after), round_worms=worms)  # D11.2
        own = after.place == rules.tiles
        choosing = claiming & (own.sum(-1) > 1)  # D10.4
        ends = fails | claiming & ~choosing & ~asking | goes.any(-1) | giving & ~has.any(-1)

        # The next turn, or the next game (R5.1).
        over, decisions = ends & after.over, games.decisions + 1
        broken_off = ~over & (decisions >= self.most)
        reset = over | broken_off
        begins = ends | reset
        begun = Batch.start(rules, len(move)) if self._start is None else self._start
        batch = begun.where(reset, after.moved_up().where(ends, after))
        first = xp.where(reset, (games.first + 1) % rules.seats, games.first)
        seat = xp.where(ends, (games.seat + 1) % rules.seats, games.seat)
        golden = begins & batch.holds(GOLD)[:, 0]  # D8.1
        same = ~(begins | claiming)  # else the dice are forgotten
        kept, joined, weasel_used = kept * same[:, None, None], joined & same, weasel_used & same
        falls = begins & ~golden
        rolled = xp.where(
            falls[:, None, None], self._rolled(kept, joined, sides[:, 1]), rolled * same[:, None, None]
        )
        due = _Due(
            rolling & ~begins | falls,
            going & ~begins,
            golden,
            *(mask & ~begins for mask in (asking, choosing, onward)),
            *(mask & ~begins[:, None] for mask in (takes, steals, able, own)),
        )
        following = RunningGames(
            batch,
            xp.where(reset, first, seat),
            first,
            self._phase(due),
            kept,
            rolled,
            joined,
            weasel_used,
            decisions * ~reset,
            games.legal,
        )
        return (
            replace(following, legal=self._legal(following, due)),
            self._finished(after, games.seat, over, broken_off),
        )

    def _rolled(self, kept: Array, joined: Array, sides: Array) -> Array:
        """How many dice of each kind show every face, of those that are not kept: (games, kinds, faces)."""
        xp, white = self.rules.xp, self._dice
        parts = []
        for kind, faces in enumerate(self._sides):
            drawn, die = (sides[:, white:], self._die[:1]) if kind else (sides[:, :white], self._die)
            if len(faces) != self._faces or kind:  # else every face has one side
                drawn = faces[xp.astype(drawn, xp.int64)]
            left = -kept[:, kind].sum(-1, dtype=xp.int32) + (joined if kind else white)
            falls = (drawn[..., None] == self._face) & (die < left[:, None])[..., None]
            parts.append(falls.sum(1, dtype=xp.int8))
        return xp.stack(parts, 1)

    def _phase(self, due: _Due) -> Array:
        xp = self.rules.xp
        codes = (PHASE_KEEP, PHASE_GO, PHASE_GOLD, PHASE_GIVER, PHASE_PUT_BACK)
        return sum(xp.astype(mask, xp.int8) * code for mask, code in zip(due, codes, strict=False))

    def _legal(self, games: RunningGames, due: _Due) -> Array:
        """(games, moves)."""
        rules, xp, at = self.rules, self.rules.xp, self.at
        keeps = (games.rolled > 0).any(1) & ~(games.kept > 0).any(1)
        stops = due.onward & ~(due.takes.any(-1) | due.steals.any(-1))
        parts = {
            "keep": keeps,
            "roll_on": due.onward[:, None],
            "take": due.takes,
            "steal": due.steals,
            "stop": stops[:, None],
        }
        if rules.specialists:
            weasel = due.keeping & games.batch.holds(WEASEL)[:, 0] & ~games.weasel_used
            parts["reroll"] = weasel[:, None]
            parts["stop"] = (stops | weasel & ~keeps.any(-1))[:, None]
            parts["use_gold"] = parts["leave_gold"] = due.golden[:, None]
            named = (self._seat - games.seat[:, None]) % rules.seats
            parts["giver"] = xp.take(due.givers, named) & due.asking[:, None]
        legal = xp.full((len(games), self.moves), False, xp.bool)
        for name, part in parts.items():
            if at[name] != NONE:
                legal[:, at[name] : at[name] + part.shape[1]] = part
        for who, place in enumerate(self._put_back_at):
            if place != NONE:
                legal[:, place] = due.own[:, who] & due.choosing
        return legal

    def _finished(self, after: Batch, seat: Array, over: Array, broken_off: Array) -> Finished:
        """Scores are those of `after`, in which the seat that decided is still first."""
        rules, xp = self.rules, self.rules.xp
        tally = after.tally()
        behind = (self._seat - seat[:, None]) % rules.seats
        shares, worms = (xp.take(part, behind) for part in (tally.shares, tally.scores))
        return Finished(over, broken_off, shares * over[:, None], worms * (over | broken_off)[:, None])
