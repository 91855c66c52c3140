"""Laws of every ruleset, flags included: where the cards are, and that the state says the same of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import pairwise

import pytest

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.claim import claimable
from p2p_schotten.engine.formation import Terms
from p2p_schotten.engine.move import Resign, public
from p2p_schotten.engine.rules import apply, legal_moves
from p2p_schotten.engine.ruleset import ClaimWindow, Code, Contest, Ruleset, Tile
from p2p_schotten.engine.rulesets import SIEGE_TACTIC
from p2p_schotten.engine.state import Beside, Ground, Phase, State, Stone, state_code, unclaimed
from p2p_schotten.engine.step import Discarded, Drew, Played, Used
from p2p_schotten.ids import SEATS, CardId, DeckId, Seat, StoneId, other
from tests.engine.random_games import any_kind, claimer, games, spender
from tests.engine.variants import VARIANTS, named

over_variants = pytest.mark.parametrize("rules", VARIANTS, ids=named)
SEED = 23
SCOUTED = 2  # cards over the limit that a scout may hold until it has put two back


def terms_by_hand(rules: Ruleset, stone: Stone, tile: Tile) -> Terms:
    """Cards per side and contest as the tile, its back and the modes say."""
    if stone.ground.damaged:
        assert tile.damaged is not None
        tile = tile.damaged
    powers = [rules.cards[card].power for _, card in stone.ground.modes]
    contest = Contest.HIGH if Power.FOG in powers else tile.contest
    return Terms(rules.grid, tile.size + powers.count(Power.MUD), contest, rules.wilds, rules.colour_run_bonus)


@over_variants
def test_every_card_is_in_exactly_one_place_and_the_state_counts_them(rules: Ruleset) -> None:
    for table in games(rules, SEED, any_kind, spender)[0]:
        state = table.state
        on_sides = [card for stone in state.stones for side in stone.sides for card in side.cards]
        modes = [card for stone in state.stones for _, card in stone.ground.modes]
        open_cards = [*on_sides, *modes, *state.beside.discard]
        hidden = [card for pile in table.piles for card in pile] + [card for hand in table.hands for card in hand]
        assert sorted(open_cards + hidden) == list(range(len(rules.cards)))
        assert state.unseen == sum(1 << card for card in hidden)
        assert state.piles == tuple(map(len, table.piles))
        assert all(rules.deck_of(card) == deck for deck, pile in enumerate(table.piles) for card in pile)
        for seat in SEATS:
            counts = Counter(rules.deck_of(card) for card in table.hands[seat])
            assert state.hands[seat] == tuple(counts[DeckId(deck)] for deck in range(len(rules.decks)))
            assert set(table.named[seat]) <= set(table.hands[seat])
            more = SCOUTED if state.phase in (Phase.SCOUT, Phase.RETURN) and seat == state.to_move else 0
            assert len(table.hands[seat]) <= rules.hand_size + more
        assert {rules.cards[card].power for card in modes} <= {Power.FOG, Power.MUD}
        assert {rules.cards[card].power for card in on_sides} <= {None, Power.JOKER, Power.ELITE}


@over_variants
def test_each_stone_agrees_with_itself(rules: Ruleset) -> None:
    for table in games(rules, SEED + 1, any_kind, spender)[0]:
        state = table.state
        room, nobodys = [0, 0], 0
        for number, stone in enumerate(state.stones):
            assert sorted(stone.arrived) == sorted(stone.sides[0].cards + stone.sides[1].cards)
            assert stone.owner is None or rules.siege is None
            assert not stone.ground.damaged or rules.siege is not None
            terms = terms_by_hand(rules, stone, rules.tiles[number])
            for seat in SEATS:
                side = stone.sides[seat]
                assert list(side.cards) == sorted(side.cards) == sorted(stone.cards(seat))
                if number != state.beside.crowded:
                    assert side.terms == terms
                    assert len(side.cards) <= terms.size
                    assert side.full is (len(side.cards) == terms.size)
                if stone.owner is None and not side.full:
                    room[seat] |= 1 << number
            if stone.owner is None:
                nobodys |= 1 << number
        assert state.places == tuple(room)
        assert state.unclaimed == nobodys


@over_variants
def test_the_order_of_arrival_is_kept_and_whatever_comes_is_the_last(rules: Ruleset) -> None:
    tables, _ = games(rules, SEED + 2, any_kind, any_kind)
    for before, after in pairwise(tables):
        for old, new in zip(before.state.stones, after.state.stones, strict=True):
            stayed = [card for card in old.arrived if card in new.arrived]
            assert list(new.arrived[: len(stayed)]) == stayed
            assert len(new.arrived) <= len(stayed) + 1


@over_variants
def test_what_may_be_claimed_is_worked_out_when_the_ruleset_says_so(rules: Ruleset) -> None:
    for seed in (SEED + 3, SEED + 4):
        for table in games(rules, seed, any_kind, claimer)[0]:
            state = table.state
            now = claimable(state.stones, state.to_move, state.unseen, unclaimed(state.stones))
            match rules.claims:
                case ClaimWindow.AFTER_PLAY:
                    is_open = state.phase is Phase.CLAIM
                case ClaimWindow.START:
                    is_open = state.phase is Phase.PLAY or (state.phase is Phase.CLAIM and not state.acted)
                case ClaimWindow.ATTACKER:
                    is_open = state.phase in (Phase.PLAY, Phase.CLAIM) and state.to_move == state.beside.attacker
            assert state.claimable == (now if is_open else ())


@over_variants
def test_nobody_is_ever_more_than_one_tactic_card_ahead_or_lays_a_joker_too_many(rules: Ruleset) -> None:
    for seed in (SEED + 5, SEED + 6):
        tables, steps = games(rules, seed, spender, spender)
        played, jokers = [0, 0], [0, 0]
        for table, (_, events) in zip(tables[1:], steps, strict=True):
            for event in events:
                if isinstance(event, Played | Used) and rules.deck_of(event.card) == 1:
                    played[event.seat] += 1
                    jokers[event.seat] += rules.cards[event.card].power is Power.JOKER
            assert tuple(played) == table.state.beside.tactics
            assert abs(played[0] - played[1]) <= 1
            assert table.state.beside.jokers == (jokers[0] > 0, jokers[1] > 0)
            if rules.tactics is not None and rules.tactics.joker_limit:
                assert max(jokers) <= 1
        if rules.tactics is not None:
            assert min(played) >= 2


@over_variants
def test_the_events_tell_every_card_that_was_drawn_or_discarded(rules: Ruleset) -> None:
    tables, steps = games(rules, SEED + 7, any_kind, any_kind)
    for before, after, (_, events) in zip(tables, tables[1:], steps, strict=False):
        drawn = Counter((event.seat, event.deck) for event in events if isinstance(event, Drew))
        taken = Counter[tuple[Seat, DeckId]]()
        for seat in SEATS:
            new = set(after.hands[seat]) - set(before.hands[seat])
            taken.update((seat, rules.deck_of(card)) for card in new if card not in before.hands[other(seat)])
        assert drawn == taken
        said = {card for event in events if isinstance(event, Discarded) for card in event.cards}
        assert said <= set(after.state.beside.discard)


def integers(code: Code) -> list[int]:
    match code:
        case int():
            return [code]
        case str():
            return []
    return [number for part in code for number in integers(part)]


@over_variants
def test_different_states_have_different_codes_whose_integers_fit_64_bits(rules: Ruleset) -> None:
    tables = games(rules, SEED + 8, any_kind, any_kind)[0]
    states: list[State] = []
    for table in tables[:: max(1, len(tables) // 12)]:
        state, hand = table.state, table.hands[table.state.to_move]
        states.append(state)
        if not state.over:
            states += [apply(state, public(rules, move)).state for move in (*legal_moves(state, hand)[:60], Resign())]
    by_code: dict[Code, State] = {}
    for state in states:
        code = state_code(state)
        assert by_code.setdefault(code, state) == state
        assert all(-(2**63) <= number < 2**64 for number in integers(code))
    assert all(-(2**63) <= number < 2**64 for number in integers(rules.code()))
    assert len(by_code) > 100


def a_busy_state() -> State:
    """A state of a siege with tactics where cards lie, and some are discarded."""
    tables = games(SIEGE_TACTIC, 1, any_kind, any_kind)[0]
    return next(table.state for table in tables if table.state.ply == 25)


def test_every_field_of_what_lies_beside_the_stones_shows_in_the_code() -> None:
    state = a_busy_state()
    beside = state.beside
    changed = {
        "discard": beside.discard[::-1],
        "tactics": (beside.tactics[1] + 1, beside.tactics[0]),
        "jokers": (not beside.jokers[0], beside.jokers[1]),
        "attacker": None,
        "oil": beside.oil + 1,
        "poured": not beside.poured,
        "restocked": not beside.restocked,
        "left": beside.left + 1,
        "given": (DeckId(0),),
        "crowded": StoneId(0),
    }
    assert len(beside.discard) > 1
    assert set(Beside._fields) == set(changed)
    others = [beside._replace(**{name: value}) for name, value in changed.items()]  # type: ignore[arg-type]  # by name
    others += [beside._replace(jokers=(beside.jokers[0], not beside.jokers[1])), beside._replace(crowded=StoneId(6))]
    others += [beside._replace(given=(DeckId(1),)), beside._replace(given=(DeckId(0), DeckId(0)))]
    codes = {state_code(state._replace(beside=each)) for each in (beside, *others)}
    assert len(codes) == 1 + len(others)


def test_every_field_of_the_ground_shows_in_the_code() -> None:
    state = a_busy_state()
    one, two = CardId(60), CardId(61)
    grounds = [
        Ground(modes, damaged)
        for damaged in (False, True)
        for modes in (
            (),
            ((SEATS[0], one),),
            ((SEATS[1], one),),
            ((SEATS[0], two),),
            ((SEATS[0], one), (SEATS[0], two)),
            ((SEATS[0], two), (SEATS[0], one)),
        )
    ]
    assert {field.name for field in fields(Ground)} == {"modes", "damaged"}
    codes = {
        state_code(
            state._replace(stones=(*state.stones[:3], state.stones[3]._replace(ground=ground), *state.stones[4:]))
        )
        for ground in grounds
    }
    assert len(codes) == len(grounds)
