"""What a choice leads to, in the slow referee."""

from __future__ import annotations

from tests.engine import oracle
from tests.engine.perft.slow import Position
from tests.engine.perft.slow_choices import takeable

SCOUTED, RETURNED, GIVEN = 3, 2, 3


def carried_out(before: Position, words: str) -> Position:
    """The position after one of the `choices` of the asked seat. A pile that is restocked is not shuffled: the two
    cards lie at its bottom."""
    now = before.copy()
    seat = now.asked
    match words.split():
        case ["play", card, *rest]:
            _use(now, seat, card, rest)
        case ["claim", stone]:
            _claim(now, seat, int(stone) - 1)
        case ["draw", name]:
            _draw(now, seat, next(deck for deck in (0, 1) if now.game.deck_name(deck) == name))
            if now.phase == "scout":
                now.left -= 1
                _scout(now, seat)
            else:
                _over(now)
        case ["done"]:
            _close(now)
        case ["pass"]:
            now.acted = True
            now.idle += not now.took
            _after_play(now)
        case ["return", card]:
            now.hands[seat].remove(card)
            pile = now.piles[now.deck_of(card)]
            pile.insert(0 if now.game.back_on_top else len(pile), card)
            now.left -= 1
            if not now.left:
                _after_play(now)
        case ["give", *cards]:
            _give(now, seat, cards)
        case ["discard", card]:
            assert now.crowded is not None
            _leave(now, seat, now.crowded, card)
            now.discard.append(card)
            _clear(now)
        case ["oil", stone]:
            assert now.attacker is not None
            card = now.sides[int(stone) - 1][now.attacker][0]
            _leave(now, now.attacker, int(stone) - 1, card)
            now.discard.append(card)
            now.oil -= 1
            now.poured = True
            if now.phase == "pour":
                _close(now)
        case ["retreat", stone]:
            _empty(now, seat, int(stone) - 1)
    return now


# cards at the stones


def _arrive(now: Position, seat: int, stone: int, card: str) -> None:
    now.sides[stone][seat].append(card)
    now.came[stone].append(card)


def _leave(now: Position, seat: int, stone: int, card: str) -> None:
    now.sides[stone][seat].remove(card)
    now.came[stone].remove(card)


def _empty(now: Position, seat: int, stone: int) -> None:
    for card in now.sides[stone][seat][:]:
        _leave(now, seat, stone, card)
        now.discard.append(card)


# playing a card


def _use(now: Position, seat: int, card: str, rest: list[str]) -> None:
    now.hands[seat].remove(card)
    now.acted, now.idle = True, 0
    if now.numbered(card):
        _lay(now, seat, card, int(rest[0]) - 1)
        return
    now.used[seat] += 1
    kind = now.kind(card)
    if kind in ("joker", "elite"):
        _arrive(now, seat, int(rest[0]) - 1, card)
        now.joker[seat] = now.joker[seat] or kind == "joker"
        _after_play(now)
    elif kind in ("fog", "mud"):
        now.modes[int(rest[0]) - 1].append((seat, card))
        _after_play(now)
    else:
        now.discard.append(card)
        _ruse(now, seat, kind, rest)


def _lay(now: Position, seat: int, card: str, stone: int) -> None:
    _arrive(now, seat, stone, card)
    if now.game.siege and int(card[1:]) in (0, 11):
        against = f"{card[0]}{11 - int(card[1:])}"
        if against in now.sides[stone][1 - seat]:
            _leave(now, seat, stone, card)
            _leave(now, 1 - seat, stone, against)
            now.discard += [card, against]
    _after_play(now)


def _ruse(now: Position, seat: int, kind: str, rest: list[str]) -> None:
    match kind, rest:
        case "scout", []:
            now.left = min(SCOUTED, sum(map(len, now.piles)))
            _scout(now, seat)
        case "redeploy", [moved, goal]:
            source = dict(takeable(now, seat))[moved]
            _take_away(now, seat, moved, source)
            if goal == "discard":
                now.discard.append(moved)
            elif now.kind(moved) in ("fog", "mud"):
                now.modes[int(goal) - 1].append((seat, moved))
            else:
                _arrive(now, seat, int(goal) - 1, moved)
            _clear(now)
        case "desert", [target]:
            _take_away(now, 1 - seat, target, dict(takeable(now, 1 - seat))[target])
            now.discard.append(target)
            _clear(now)
        case "betray", [target, goal]:
            source = next(stone for stone, pair in enumerate(now.sides) if target in pair[1 - seat])
            _leave(now, 1 - seat, source, target)
            _arrive(now, seat, int(goal) - 1, target)
            _after_play(now)
        case "recruit", [target, goal]:
            now.discard.remove(target)
            _arrive(now, seat, int(goal) - 1, target)
            _after_play(now)
        case "blow up", [stone, whose]:
            _empty(now, seat if whose == "own" else 1 - seat, int(stone) - 1)
            _after_play(now)
        case "support", cards:
            for card in sorted(cards, key=now.game.place.deck().index):
                now.discard.remove(card)
                now.piles[0].append(card)
            now.restocked = True
            _after_play(now)
        case "exchange", []:
            now.left = min(GIVEN, len(now.hands[seat]), len(now.hands[1 - seat]))
            now.phase = "give"
        case _:
            raise AssertionError(kind)


def _scout(now: Position, seat: int) -> None:
    now.phase = "scout"
    while now.left:
        full = [deck for deck, pile in enumerate(now.piles) if pile]
        if len(full) > 1:
            return
        _draw(now, seat, full[0])
        now.left -= 1
    now.phase, now.left = "return", RETURNED


def _give(now: Position, seat: int, cards: list[str]) -> None:
    if seat == now.turn:
        now.given, now.asked = cards, 1 - seat
        return
    for giver, given in ((now.turn, now.given), (seat, cards)):
        for card in given:
            now.hands[giver].remove(card)
            now.hands[1 - giver].append(card)
    now.given, now.left, now.asked = [], 0, now.turn
    _after_play(now)


def _take_away(now: Position, seat: int, card: str, stone: int) -> None:
    if now.kind(card) in ("fog", "mud"):
        now.modes[stone].remove((seat, card))
        if now.kind(card) == "mud":
            now.crowded = stone
    else:
        _leave(now, seat, stone, card)


def _clear(now: Position) -> None:
    """A mud has left: whoever has a card too many discards one, the seat on turn first."""
    if now.crowded is not None:
        for seat in (now.turn, 1 - now.turn):
            if len(now.sides[now.crowded][seat]) > now.tile(now.crowded)[0]:
                now.phase, now.asked = "clear", seat
                return
        now.crowded = None
    now.asked = now.turn
    _after_play(now)


# claims


def _claim(now: Position, seat: int, stone: int) -> None:
    now.idle, now.took = 0, True
    if now.game.siege:
        worn = now.fallen[stone]
        for side in (seat, 1 - seat):
            _empty(now, side, stone)
        now.fallen[stone] = True
        if worn or sum(now.fallen) == 4:
            now.won = str(seat)
            return
    else:
        now.owner[stone] = seat
        if pattern(now, seat):
            now.won = str(seat)
            return
    if now.phase == "play" and (now.may_lay(seat) or now.may_use(seat)):
        return
    _window(now, now.claims(seat))


def pattern(now: Position, seat: int) -> bool:
    """Three stones side by side, or five."""
    mine = [owner == seat for owner in now.owner]
    return sum(mine) >= 5 or any(all(mine[start : start + 3]) for start in range(7))


# how a turn ends and the next begins


def _after_play(now: Position) -> None:
    _window(now, now.claims(now.turn))


def _window(now: Position, claims: list[int]) -> None:
    now.phase = "claim"
    if not claims and not now.draw_is_asked(now.turn):
        _close(now)


def _draw(now: Position, seat: int, deck: int) -> None:
    now.hands[seat].append(now.piles[deck].pop(0))
    now.idle = 0


def _close(now: Position) -> None:
    for deck in now.drawable(now.turn):
        _draw(now, now.turn, deck)
    _over(now)


def _over(now: Position) -> None:
    if now.attacker is not None:
        if (now.turn == now.attacker and now.began_empty) or now.idle >= 2:
            now.won = str(1 - now.attacker)
            return
    elif now.idle >= 2:
        _stuck(now)
        return
    now.turn = now.asked = 1 - now.turn
    now.acted = now.took = now.poured = now.restocked = False
    now.began_empty = not now.piles[0]
    _begin(now, now.turn)


def _begin(now: Position, seat: int) -> None:
    now.phase = "play"
    if now.game.full_defender_wins and seat != now.attacker and not now.rooms(seat):
        now.won = str(seat)
        return
    if now.may_lay(seat) or now.may_use(seat):
        return
    now.idle += 1
    claims = now.claims(seat)
    if claims or now.draw_is_asked(seat):
        now.phase = "claim"
    elif now.may_pour(seat):
        now.phase = "pour"
    else:
        _close(now)


def _stuck(now: Position) -> None:
    """Ruling A8: the complete sides take their stones; then the only pattern, or more stones."""
    for stone in now.open_stones():
        complete = [seat for seat in (0, 1) if now.full(stone, seat)]
        if len(complete) == 2:
            keys: list[oracle.Key] = [now.key(stone, seat) for seat in (0, 1)]
            if keys[0] == keys[1]:
                now.owner[stone] = 0 if now.first_complete(stone, 0) else 1
            else:
                now.owner[stone] = int(keys[1] > keys[0])
        elif complete:
            now.owner[stone] = complete[0]
    patterns = [seat for seat in (0, 1) if pattern(now, seat)]
    stones = [now.owner.count(seat) for seat in (0, 1)]
    if len(patterns) == 1:
        now.won = str(patterns[0])
    elif stones[0] == stones[1]:
        now.won = "drawn"
    else:
        now.won = str(int(stones[1] > stones[0]))
