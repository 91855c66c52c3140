"""A slow second referee for tests: it knows every face, copies everything, and finds claims by trying every reply.

Moves are the words that a player types, with JOK2 for the second joker. One decision is one move; what leaves no choice
happens by itself (an empty claim window, a draw from the only deck, a turn without anything to do, the end).
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.engine import oracle
from tests.engine.perft.games import Game


class Position:
    """A position with all cards. `sides[stone][seat]` holds cards in the order in which they came."""

    def __init__(self, game: Game, first: int, decks: Sequence[Sequence[str]]) -> None:
        self.game = game
        self.piles = [list(deck) for deck in decks]
        self.hands = [[self.piles[0].pop(0) for _ in range(game.hand)] for _ in range(2)]
        self.sides: list[list[list[str]]] = [[[], []] for _ in game.tiles]
        self.came: list[list[str]] = [[] for _ in game.tiles]  # both sides together, oldest first
        self.modes: list[list[tuple[int, str]]] = [[] for _ in game.tiles]
        self.owner: list[int | None] = [None for _ in game.tiles]
        self.fallen = [False for _ in game.tiles]
        self.discard: list[str] = []
        self.used = [0, 0]
        self.joker = [False, False]
        self.attacker = first if game.siege else None
        self.oil = 3
        self.turn = self.asked = first
        self.phase = "play"
        self.poured = self.restocked = self.acted = self.took = False  # in this turn; took: a stone was claimed
        self.idle = 0  # turns in succession without a card, a claim or a draw
        self.began_empty = False  # the turn began without a siege deck
        self.left = 0
        self.given: list[str] = []
        self.crowded: int | None = None
        self.won: str | None = None  # "0", "1" or "drawn"

    def copy(self) -> Position:
        new = Position.__new__(Position)
        new.__dict__.update(self.__dict__)
        new.piles = [pile[:] for pile in self.piles]
        new.hands = [hand[:] for hand in self.hands]
        new.sides = [[side[:] for side in pair] for pair in self.sides]
        new.came = [cards[:] for cards in self.came]
        new.modes = [modes[:] for modes in self.modes]
        new.owner, new.fallen = self.owner[:], self.fallen[:]
        new.discard, new.used, new.joker, new.given = self.discard[:], self.used[:], self.joker[:], self.given[:]
        return new

    # what the table shows

    def numbered(self, card: str) -> bool:
        return card not in self.game.kinds

    def kind(self, card: str) -> str:
        return self.game.kinds.get(card, "numbered")

    def deck_of(self, card: str) -> int:
        return int(card in self.game.kinds)

    def tile(self, stone: int) -> tuple[int, str]:
        size, contest = (self.game.damaged if self.fallen[stone] else self.game.tiles)[stone]
        for _, mode in self.modes[stone]:
            size, contest = (size + 1, contest) if self.kind(mode) == "mud" else (size, "+")
        return size, contest

    def full(self, stone: int, seat: int) -> bool:
        return len(self.sides[stone][seat]) == self.tile(stone)[0]

    def open_stones(self) -> list[int]:
        return [stone for stone in range(len(self.sides)) if self.owner[stone] is None]

    def rooms(self, seat: int) -> list[int]:
        return [stone for stone in self.open_stones() if not self.full(stone, seat)]

    def unseen(self) -> list[str]:
        lying = {card for cards in self.came for card in cards} | set(self.discard)
        return [card for card in self.game.place.deck() if card not in lying]

    def place(self, stone: int) -> oracle.Place:
        known, (size, contest) = self.game.place, self.tile(stone)
        return oracle.Place(known.letters, known.low, known.high, size, contest, self.game.bonus)

    def faces(self, stone: int, seat: int) -> list[str]:
        return ["JOK" if card == "JOK2" else card for card in self.sides[stone][seat]]

    def key(self, stone: int, seat: int) -> oracle.Key:
        return oracle.key(self.faces(stone, seat), self.place(stone))

    def first_complete(self, stone: int, seat: int) -> bool:
        return self.came[stone][-1] not in self.sides[stone][seat]

    def may_claim(self, stone: int, seat: int) -> bool:
        if self.owner[stone] is not None or not self.full(stone, seat):
            return False
        place, unseen = self.place(stone), self.unseen()
        if place.contest != "-":
            unseen.reverse()  # the reply that refutes most claims is tried soonest
        first = self.first_complete(stone, seat)
        return oracle.may_claim(self.faces(stone, seat), self.faces(stone, 1 - seat), first, unseen, place)

    def claims(self, seat: int) -> list[int]:
        """What the seat on turn may claim; where claims come after the play this is asked only then."""
        if self.game.window == "by the attacker" and seat != self.attacker:
            return []
        if self.game.window == "at the start" and self.acted:
            return []
        return [stone for stone in self.open_stones() if self.may_claim(stone, seat)]

    # what the counts show

    def may_lay(self, seat: int) -> bool:
        return any(map(self.numbered, self.hands[seat])) and (bool(self.rooms(seat)) or seat == self.attacker)

    def may_use(self, seat: int) -> bool:
        return not all(map(self.numbered, self.hands[seat])) and self.used[seat] <= self.used[1 - seat]

    def may_pour(self, seat: int) -> bool:
        if self.attacker is None or seat == self.attacker or self.poured or not self.oil:
            return False
        return any(pair[self.attacker] for pair in self.sides)

    def drawable(self, seat: int) -> list[int]:
        if len(self.hands[seat]) >= self.game.hand or (self.game.siege and not self.piles[0]):
            return []
        return [deck for deck, pile in enumerate(self.piles) if pile]

    def draw_is_asked(self, seat: int) -> bool:
        return self.restocked or len(self.drawable(seat)) > 1
