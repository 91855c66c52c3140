"""The public position: all that both players, a verifier and a spectator know alike. No hidden face is in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.formation import Side, Terms, side_of, with_card, without_card
from p2p_schotten.engine.quick import quick
from p2p_schotten.engine.ruleset import Code, Contest, Ruleset
from p2p_schotten.engine.step import Outcome
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId


class Phase(Enum):
    """What the seat that is to move may choose."""

    PLAY = 0  # a card to play, and whatever may come before that
    CLAIM = 1  # a stone to claim, or what ends the turn: a deck to draw from where there is a choice, else Done
    OVER = 2  # nothing: the game has its outcome
    SCOUT = 3  # a deck to draw a scout's card from
    RETURN = 4  # a card to put back
    GIVE = 5  # cards to give away
    CLEAR = 6  # a card to discard from a side that has one too many
    POUR = 7  # a tile to pour oil at, or Done: there is nothing to play


@dataclass(frozen=True, slots=True)
class Ground:
    """What a stone is apart from its cards: the modes that lie there with who laid them, oldest first, and its face."""

    modes: tuple[tuple[Seat, CardId], ...] = ()
    damaged: bool = False


PLAIN = Ground()


class Stone(NamedTuple):
    """One stone of the row: both sides by seat, its owner once claimed, and the cards in the order of their arrival."""

    sides: tuple[Side, Side]
    owner: Seat | None
    arrived: tuple[CardId, ...]
    ground: Ground = PLAIN

    def first_complete(self, seat: Seat) -> bool:
        """Whether `seat` completed its side before the other did (A6: the latest arrival decides)."""
        mine, theirs = self.sides[seat], self.sides[1 - seat]
        return mine.full and (not theirs.full or self.arrived[-1] not in mine.cards)

    def cards(self, seat: Seat) -> tuple[CardId, ...]:
        """The cards on the side of `seat`, in the order of their arrival."""
        mine = self.sides[seat].cards
        return tuple(card for card in self.arrived if card in mine)

    def plus(self, seat: Seat, card: CardId) -> Stone:
        """The stone after a card came to the side of `seat`."""
        mine = with_card(self.sides[seat], card)
        sides = (self.sides[0], mine) if seat else (mine, self.sides[1])
        return _stone(sides, self.owner, self.arrived + (card,), self.ground)  # noqa: RUF005  (quicker than unpacking)

    def minus(self, seat: Seat, cards: tuple[CardId, ...]) -> Stone:
        """The stone after these cards left the side of `seat`; the others keep their order."""
        mine = self.sides[seat]
        for card in cards:
            mine = without_card(mine, card)
        sides = (self.sides[0], mine) if seat else (mine, self.sides[1])
        return Stone(sides, self.owner, tuple([card for card in self.arrived if card not in cards]), self.ground)


_stone = quick(Stone)


class Beside(NamedTuple):
    """What there is beside the stones; the game without tactics or siege never changes it."""

    discard: tuple[CardId, ...] = ()  # face up, oldest first
    tactics: tuple[int, int] = (0, 0)  # tactic cards played by each seat, ever
    jokers: tuple[bool, bool] = (False, False)  # who has laid a joker, ever
    attacker: Seat | None = None  # in a siege
    oil: int = 0  # the defender's tokens
    poured: bool = False  # oil was poured in this turn
    restocked: bool = False  # a pile was shuffled in this turn: the draw is a decision of its own
    left: int = 0  # SCOUT: draws to come; RETURN: cards to put back; GIVE: cards to give
    given: tuple[DeckId, ...] = ()  # GIVE: what the seat on turn has named
    crowded: StoneId | None = None  # CLEAR: where a side has a card too many


class State(NamedTuple):
    """A position between two decisions.

    `unseen` is the bit set of the cards that lie nowhere face up, the numbered ones and the tactics.
    `piles[deck]` and `hands[seat][deck]` are counts. `places[seat]` is the bit set of the stones where the seat has
    room for a card, `unclaimed` that of the stones without an owner. `claimable` holds what `to_move` may claim now.
    """

    rules: Ruleset
    turn: Seat  # whose turn it is
    to_move: Seat  # who must choose now; once the game is over, whose turn it was
    phase: Phase
    stones: tuple[Stone, ...]
    places: tuple[int, int]
    unclaimed: int
    unseen: int
    piles: tuple[int, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    claimable: tuple[StoneId, ...]
    acted: bool  # in this turn a card was played, or the seat passed, or it claimed before either
    skips: int  # turns in succession, this one so far included, without a card played, a claim or a draw
    ply: int  # cards played, passes and turns skipped so far
    beside: Beside
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


def unclaimed(stones: tuple[Stone, ...]) -> int:
    """The bit set of the stones that nobody owns."""
    return sum([1 << number for number, stone in enumerate(stones) if stone.owner is None])


@cache
def numbers(stones: int) -> tuple[StoneId, ...]:
    """The stones of a bit set, left to right."""
    return tuple([StoneId(number) for number in range(stones.bit_length()) if stones >> number & 1])


def places(stones: tuple[Stone, ...]) -> tuple[int, int]:
    """Per seat the bit set of the unclaimed stones where its side is not full."""
    sets = [0, 0]
    for number, stone in enumerate(stones):
        for seat in SEATS:
            if stone.owner is None and not stone.sides[seat].full:
                sets[seat] |= 1 << number
    return sets[0], sets[1]


def state_code(state: State) -> Code:
    """Everything that determines how the game may go on under `state.rules`, canonically: what the digest covers.

    Left out is only what follows from the rest (`places`, `unclaimed`).
    """
    outcome = state.outcome
    return (
        state.turn,
        state.to_move,
        state.phase.value,
        tuple(
            (
                stone.sides[0].cards,
                stone.sides[1].cards,
                0 if stone.owner is None else 1 + stone.owner,
                stone.arrived,
                () if stone.ground == PLAIN else (stone.ground.modes, int(stone.ground.damaged)),
            )
            for stone in state.stones
        ),
        (state.unseen & state.rules.grid.all, state.unseen >> len(state.rules.decks[0].cards)),  # 64 bits at the most
        state.piles,
        state.hands,
        state.claimable,
        int(state.acted),
        state.skips,
        state.ply,
        _beside_code(state.beside),
        ()
        if outcome is None
        else (0 if outcome.winner is None else 1 + outcome.winner, outcome.reason.value, outcome.points),
    )


def _beside_code(beside: Beside) -> Code:
    return (
        beside.discard,
        beside.tactics,
        (int(beside.jokers[0]), int(beside.jokers[1])),
        0 if beside.attacker is None else 1 + beside.attacker,
        beside.oil,
        (int(beside.poured), int(beside.restocked)),
        beside.left,
        beside.given,
        0 if beside.crowded is None else 1 + beside.crowded,
    )


@cache
def ground_terms(rules: Ruleset, stone: StoneId, ground: Ground) -> Terms:
    """By what the sides of that stone are judged: its tile, or the damaged one, as changed by the modes there."""
    tile = rules.tiles[stone]
    if ground.damaged:
        assert tile.damaged is not None
        tile = tile.damaged
    size, contest = tile.size, tile.contest
    for _seat, card in ground.modes:
        match rules.cards[card].power:
            case Power.MUD:
                size += 1
            case Power.FOG:
                contest = Contest.HIGH
    return Terms(rules.grid, size, contest, rules.wilds, rules.colour_run_bonus)


def grounded(rules: Ruleset, number: StoneId, stone: Stone, ground: Ground) -> Stone:
    """The stone with another ground, and its sides judged by that."""
    terms = ground_terms(rules, number, ground)
    one, two = stone.sides
    return Stone((side_of(terms, one.cards), side_of(terms, two.cards)), stone.owner, stone.arrived, ground)
