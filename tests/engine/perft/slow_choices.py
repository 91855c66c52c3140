"""Every choice in a position of the slow referee, as words."""

from __future__ import annotations

from itertools import combinations

from tests.engine.perft.slow import Position


def choices(now: Position) -> list[str]:
    """What the asked seat may choose with the cards that it holds, Resign apart."""
    seat, hand = now.asked, now.hands[now.asked]
    if now.won is not None:
        return []
    match now.phase:
        case "play":
            return _to_play(now, seat)
        case "claim":
            draws = [f"draw {now.game.deck_name(deck)}" for deck in now.drawable(seat)]
            return [f"claim {stone + 1}" for stone in now.claims(seat)] + (
                draws if now.draw_is_asked(seat) else ["done"]
            )
        case "scout":
            return [f"draw {now.game.deck_name(deck)}" for deck, pile in enumerate(now.piles) if pile]
        case "return":
            return [f"return {card}" for card in hand]
        case "give":
            return [" ".join(["give", *cards]) for cards in combinations(sorted(hand), now.left)]
        case "clear":
            assert now.crowded is not None
            return [f"discard {card}" for card in now.sides[now.crowded][seat]]
        case "pour":
            return [*_oils(now), "done"]
    raise AssertionError(now.phase)


def _to_play(now: Position, seat: int) -> list[str]:
    found = []
    if now.game.window != "after the play":
        found += [f"claim {stone + 1}" for stone in now.claims(seat)]
    if now.may_pour(seat):
        found += _oils(now)
    if seat == now.attacker:
        found += [f"retreat {stone + 1}" for stone, pair in enumerate(now.sides) if pair[seat]]
    for card in now.hands[seat]:
        if now.numbered(card):
            found += [f"play {card} {stone + 1}" for stone in now.rooms(seat)]
        elif now.may_use(seat):
            found += [f"play {card}{what}" for what in _uses(now, card, seat)]
    return found if now.may_lay(seat) else [*found, "pass"]


def _oils(now: Position) -> list[str]:
    assert now.attacker is not None
    return [f"oil {stone + 1}" for stone, pair in enumerate(now.sides) if pair[now.attacker]]


def _uses(now: Position, card: str, seat: int) -> list[str]:
    foe, kind = 1 - seat, now.kind(card)
    rooms = now.rooms(seat)
    match kind:
        case "joker" | "elite":
            barred = kind == "joker" and now.game.one_joker and now.joker[seat]
            return [] if barred else [f" {stone + 1}" for stone in rooms]
        case "fog" | "mud":
            return [f" {stone + 1}" for stone in now.open_stones()]
        case "scout":
            return [""] if any(now.piles) else []
        case "redeploy":
            found = []
            for moved, source in takeable(now, seat):
                goals = now.open_stones() if now.kind(moved) in ("fog", "mud") else rooms
                found += [f" {moved} {stone + 1}" for stone in goals if stone != source] + [f" {moved} discard"]
            return found
        case "desert":
            return [f" {target}" for target, _ in takeable(now, foe)]
        case "betray":
            return [f" {target} {stone + 1}" for target, _ in clan_cards(now, foe) for stone in rooms]
        case "recruit":
            return [f" {target} {stone + 1}" for target in clan_discards(now) for stone in rooms]
        case "blow up":
            return [
                f" {stone + 1} {whose}"
                for stone, pair in enumerate(now.sides)
                for whose, side in (("own", pair[seat]), ("other", pair[foe]))
                if side
            ]
        case "support":
            enough = len(now.piles[0]) >= 2
            return [f" {one} {two}" for one, two in combinations(sorted(clan_discards(now)), 2)] if enough else []
        case "exchange":
            return [""] if len(now.hands[seat]) > 1 and now.hands[foe] else []
    raise AssertionError(kind)


def clan_discards(now: Position) -> list[str]:
    """The numbered cards of the discard pile."""
    return [card for card in now.discard if now.numbered(card)]


def clan_cards(now: Position, seat: int) -> list[tuple[str, int]]:
    """The numbered cards of the seat at unclaimed stones, each with its stone."""
    return [(card, stone) for stone in now.open_stones() for card in now.sides[stone][seat] if now.numbered(card)]


def takeable(now: Position, seat: int) -> list[tuple[str, int]]:
    """What a redeploy or a desert may take of the seat's: cards, elite ones too, and modes where they lie on sides."""
    if now.game.takes == "clan":
        found = clan_cards(now, seat)
    else:
        found = [(card, stone) for stone in now.open_stones() for card in now.sides[stone][seat]]
    if now.game.modes_lie_on_sides:
        found += [(mode, stone) for stone in now.open_stones() for owner, mode in now.modes[stone] if owner == seat]
    return found
