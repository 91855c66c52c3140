"""Tactic cards: section 3.7 of docs/protocol.md, in its words and in its order."""

from __future__ import annotations

from dataclasses import replace

from tests.independent.game import DISCARD, GIVE, RETURN, SCOUT, Game, Illegal, Transfer, need
from tests.independent.turns import played

POWERS = ("scout", "redeploy", "desert", "betray", "recruit", "blow up", "support", "exchange")  # moves 6 to 13


def one_more(new: Game, seat: int) -> None:
    """The seat has played one tactic card more."""
    count = new.tactics[seat] + 1
    new.tactics = (count, new.tactics[1]) if seat == 0 else (new.tactics[0], count)


def use(new: Game, kind: int, card: int, rest: list[int]) -> None:
    """A card that lies in the discard pile at once, before it does what follows."""
    seat = new.turn
    need(card < sum(map(len, new.rules.decks)) and new.power(card) == POWERS[kind - 6] and new.may_use(seat))
    one_more(new, seat)
    new.to_open(card)
    new.discard += (card,)
    match kind, rest:
        case 6, []:
            new.left = min(3, sum(new.piles))
            need(new.left > 0)
            scouting(new)
        case 7, [moved, *to] if len(to) < 2:
            _redeploy(new, moved, to)
        case 8, [target]:
            _take_off(new, 1 - seat, target)
            new.discard += (target,)
            _clear(new)
        case 9, [target, stone]:
            need(not _at_a_side(new, 1 - seat, target)[1] and stone in new.room(seat))
            new.leaves(1 - seat, target, _at_a_side(new, 1 - seat, target)[0])
            new.arrives(seat, target, stone)
            played(new)
        case 10, [target, stone]:
            need(target in new.discard and not new.power(target) and stone in new.room(seat))
            new.discard = tuple(other for other in new.discard if other != target)
            new.arrives(seat, target, stone)
            played(new)
        case 11, [stone, 0 | 1 as own]:
            side = seat if own else 1 - seat
            need(stone in new.open_stones() and bool(new.stones[stone].side(side)))
            new.discards([side], stone)
            played(new)
        case 12, [one, two]:
            _support(new, one, two)
        case 13, []:
            new.left = min(3, sum(new.hands[0]), sum(new.hands[1]))
            need(new.left > 0)
            new.ask(GIVE)
        case _:
            raise Illegal


def _at_a_side(new: Game, seat: int, card: int) -> tuple[int, str]:
    """The stone without owner at whose side of that seat the card lies, and its power; else Illegal."""
    for number in new.open_stones():
        if card in new.stones[number].side(seat):
            return number, new.power(card)
    raise Illegal


def _take_off(new: Game, seat: int, card: int) -> tuple[int, bool]:
    """A redeploy or a desert takes it: the stone where it lay, and whether it is a mode."""
    for number in new.open_stones():
        stone = new.stones[number]
        if new.rules.mode_targetable and (seat, card) in stone.modes:
            new.at_stone(number, replace(stone, modes=tuple(mode for mode in stone.modes if mode != (seat, card))))
            if new.power(card) == "mud":
                new.crowded = number
            return number, True
    number, power = _at_a_side(new, seat, card)
    need(not power or new.rules.ruse_takes == "any")
    new.leaves(seat, card, number)
    return number, False


def _redeploy(new: Game, moved: int, to: list[int]) -> None:
    seat = new.turn
    goals, rooms = new.open_stones(), new.room(seat)
    source, mode = _take_off(new, seat, moved)
    if not to:
        new.discard += (moved,)
    else:
        need(to[0] != source and to[0] in (goals if mode else rooms))
        if mode:
            there = new.stones[to[0]]
            new.at_stone(to[0], replace(there, modes=(*there.modes, (seat, moved))))
        else:
            new.arrives(seat, moved, to[0])
    _clear(new)


def _support(new: Game, one: int, two: int) -> None:
    need(one < two and {one, two} <= set(new.discard) and not new.power(one) and not new.power(two))
    need(new.piles[0] >= 2)
    new.discard = tuple(other for other in new.discard if other not in (one, two))
    new.unseen |= {one, two}
    new.piles = (new.piles[0] + 2, *new.piles[1:])
    new.restocked = 1
    new.transfers += (Transfer("restock", new.turn, 0, one), Transfer("restock", new.turn, 0, two))
    played(new)


def _clear(new: Game) -> None:
    if new.crowded is not None:
        size = new.tile(new.crowded).size
        for seat in (new.turn, 1 - new.turn):
            if len(new.stones[new.crowded].side(seat)) > size:
                new.to_move = seat
                new.ask(DISCARD)
                return
        new.crowded = None
    new.to_move = new.turn
    played(new)


def discard(new: Game, card: int) -> None:
    assert new.crowded is not None
    need((new.to_move, card) in new.stones[new.crowded].arrived)
    new.leaves(new.to_move, card, new.crowded)
    new.discard += (card,)
    _clear(new)


def scouting(new: Game) -> None:
    while new.left:
        decks = [deck for deck, count in enumerate(new.piles) if count]
        if len(decks) == 2:
            new.ask(SCOUT)
            return
        new.draw(decks[0])
        new.left -= 1
    new.left = min(2, sum(new.hands[new.turn]))
    new.ask(RETURN)


def put_back(new: Game, deck: int) -> None:
    need(deck < len(new.piles) and new.hands[new.turn][deck] > 0)
    new.counts(new.turn, deck, -1)
    new.piles = (*new.piles[:deck], new.piles[deck] + 1, *new.piles[deck + 1 :])
    new.transfers += (Transfer("back", new.turn, deck),)
    new.left -= 1
    if new.left:
        new.ask(RETURN)
    else:
        played(new)


def give(new: Game, decks: list[int]) -> None:
    seat, other = new.to_move, 1 - new.to_move
    need(len(decks) == new.left and decks == sorted(decks))
    need(all(deck < len(new.piles) and decks.count(deck) <= new.hands[seat][deck] for deck in decks))
    new.transfers += tuple(Transfer("named", seat, deck) for deck in decks)
    if seat == new.turn:
        new.given, new.to_move = tuple(decks), other
        new.ask(GIVE)
        return
    for giver, given in ((other, new.given), (seat, decks)):
        for deck in given:
            new.transfers += (Transfer("handed", giver, deck),)
            new.counts(giver, deck, -1)
            new.counts(1 - giver, deck, 1)
    new.left, new.given, new.to_move = 0, (), new.turn
    played(new)
