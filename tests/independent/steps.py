"""What each move leads to: sections 3.4, 3.6 and 3.8 of docs/protocol.md, in their words and in their order."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from tests.independent.game import (
    CLAIM,
    DISCARD,
    GIVE,
    OIL,
    OVER,
    PLAY,
    RETURN,
    SCOUT,
    Game,
    Illegal,
    Transfer,
    need,
)
from tests.independent.tactics import discard, give, one_more, put_back, scouting, use
from tests.independent.turns import close, finish, played


def move(game: Game, code: Sequence[int]) -> tuple[Game, list[Transfer]]:
    """The position after the move and its transfers; Illegal, and then nothing has changed."""
    need(game.phase != OVER)
    new = copy.copy(game)
    new.transfers = ()
    seat, phase = new.to_move, new.phase
    match tuple(code):
        case (0, card, stone) if phase == PLAY:
            _play(new, card, stone)
        case (1, stone) if phase in (PLAY, CLAIM):
            _claim(new, stone)
        case (2, deck) if phase in (CLAIM, SCOUT):
            _draw(new, deck)
        case (3,) if phase in (CLAIM, OIL):
            need(phase == OIL or not new.draw_is_choice())
            close(new)
        case (4,) if phase == PLAY:
            need(not new.may_lay(seat))
            new.acted, new.skips, new.ply = 1, new.skips + (not new.acted), new.ply + 1
            played(new)
        case (5,):
            new.end(1 - seat, 3)
        case (6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 as kind, card, *rest) if phase == PLAY:
            use(new, kind, card, rest)
        case (14, deck) if phase == RETURN:
            put_back(new, deck)
        case (15, *decks) if phase == GIVE:
            give(new, decks)
        case (16, stone) if phase in (PLAY, OIL):
            _oil(new, stone)
        case (17, stone) if phase == PLAY:
            need(seat == new.attacker and stone < len(new.stones) and bool(new.stones[stone].side(seat)))
            new.discards([seat], stone)
            new.ask(PLAY, new.claims())
        case (18, card) if phase == DISCARD:
            discard(new, card)
        case _:
            raise Illegal
    return new, list(new.transfers)


# -- cards, claims, draws (3.6) ----------------------------------------------------------------------------------------


def _play(new: Game, card: int, stone: int) -> None:
    seat, rules = new.turn, new.rules
    need(card < sum(map(len, rules.decks)) and stone < len(new.stones))
    power = new.power(card)
    need(stone in (new.open_stones() if power in ("fog", "mud") else new.room(seat)))
    if power:
        need(power in ("joker", "elite", "fog", "mud") and new.may_use(seat))
        need(not (power == "joker" and rules.joker_limit and new.jokers[seat]))
        one_more(new, seat)
    new.to_open(card)
    if power in ("fog", "mud"):
        there = new.stones[stone]
        new.at_stone(stone, replace(there, modes=(*there.modes, (seat, card))))
    else:
        new.arrives(seat, card, stone)
    if power == "joker":
        new.jokers = (1, new.jokers[1]) if seat == 0 else (new.jokers[0], 1)
    if rules.siege and not power:
        _meet(new, card, stone)
    played(new)


def _meet(new: Game, card: int, stone: int) -> None:
    """A lowest and a highest card of one colour, opposite each other."""
    rules, seat = new.rules, new.turn
    played = rules.card(card)
    for other in new.stones[stone].side(1 - seat):
        there = rules.card(other)
        if not there.power and there.colour == played.colour and {there.value, played.value} == {rules.low, rules.high}:
            new.leaves(seat, card, stone)
            new.leaves(1 - seat, other, stone)
            new.discard += (card, other)


def _claim(new: Game, number: int) -> None:
    seat = new.turn
    need(number in new.claimable)
    new.skips = 0
    stone = new.stones[number]
    if new.rules.siege:
        new.discards([0, 1], number)
        new.at_stone(number, replace(new.stones[number], modes=(), damaged=True))
        if stone.damaged or sum(one.damaged for one in new.stones) == 4:
            new.end(seat, 5 if stone.damaged else 4)
        elif new.phase == PLAY:
            new.acted = 1
            new.ask(PLAY, new.claims())
        else:
            finish(new, new.claims())
        return
    new.at_stone(number, replace(stone, owner=seat))
    reason = new.pattern(seat)
    if reason is not None:
        new.end(seat, reason)
        return
    rest = tuple(other for other in new.claimable if other != number)
    if new.phase == CLAIM:
        finish(new, rest)
    else:
        new.acted = 1
        new.ask(PLAY, rest)


def _draw(new: Game, deck: int) -> None:
    if new.phase == CLAIM:
        need(new.draw_is_choice() and deck in new.may_draw())
        new.draw(deck)
        close(new, drawn=True)
    else:
        need(deck < len(new.piles) and new.piles[deck] > 0)
        new.draw(deck)
        new.left -= 1
        scouting(new)


# -- the siege (3.8) ---------------------------------------------------------------------------------------------------


def _oil(new: Game, number: int) -> None:
    need(new.may_pour(new.to_move) and number < len(new.stones))
    assert new.attacker is not None
    there = new.stones[number].side(new.attacker)
    need(bool(there))
    new.leaves(new.attacker, there[0], number)
    new.discard += (there[0],)
    new.oil, new.poured = new.oil - 1, 1
    if new.phase == OIL:
        close(new)
