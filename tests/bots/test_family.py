"""Greedy plays every ruleset with sense, and the base game as it always did."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from random import Random

import pytest

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.greedy import Greedy
from p2p_schotten.bots.outlook import Outlook
from p2p_schotten.bots.ruses import gain, gains, price
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Betray, Claim, Discard, Draw, Give, Move, Oil, Play, Retreat, Return
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE, BATTLE_LINE, EXPERT, RULESETS, SIEGE, SIEGE_TACTIC, TACTIC
from p2p_schotten.engine.state import Beside, Phase, State
from p2p_schotten.engine.table import Table, play
from p2p_schotten.engine.view import Memory, View, view
from p2p_schotten.ids import SEATS, DeckId, StoneId, other
from tests.bots.games import QUICK, course, dealt, seen_by, won
from tests.engine.positions import ME, YOU, cards, position, stone


def choice(state: State, hand: str) -> Move:
    """What greedy does with that hand, the seat that is to move."""
    return make_bot("greedy", 0).choose(view(state, state.to_move, cards(hand, state.rules), Memory()))


# Played by the first greedy, before it knew any other game: seed, moves, and the hash of their texts.
RECORDED = (
    (1, 53, "6def9ed0aa7ff6d9"),
    (2, 52, "b07d63abcb181dba"),
    (4, 49, "24facaaf7df3a1b9"),
    (5, 54, "b72e4810d24d884d"),
    (7, 55, "153889b3554ea53b"),
    (10, 43, "94741f124f1fdb11"),
)


@pytest.mark.parametrize(("seed", "count", "digest"), RECORDED)
def test_the_base_game_is_played_as_before(seed: int, count: int, digest: str) -> None:
    bots = make_bot("greedy", 2 * seed), make_bot("greedy", 2 * seed + 1)
    moves, _ = course(dealt(BASE, SEATS[seed % 2], seed), bots, seed)
    written = "\n".join(move_text(BASE, move) for move in moves)
    assert (len(moves), hashlib.sha256(written.encode()).hexdigest()[:16]) == (count, digest)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_greedy_beats_uniform_in_every_ruleset_from_both_seats(rules: Ruleset) -> None:
    assert won(rules, Greedy, Uniform, pairs=8, seed=3000) >= 15


class EachStone(Outlook):
    """Values also a stone that is just like another."""

    def _paired(self) -> list[StoneId]:
        return list(map(StoneId, range(len(self.state.stones))))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_what_greedy_does_not_look_at_gains_less_than_what_it_plays(rules: Ruleset) -> None:
    # Each gain worked out for itself, from nothing, beside the gains of the whole choice after those before it.
    random, table, last = Random(3), dealt(rules, ME, 21), list[Outlook | None]((None, None))
    met = 0
    for _ in range(40):
        if table.state.over:
            break
        me, seen = table.state.to_move, seen_by(table, table.state.to_move)
        moves = seen.choices()
        met += (plays := table.state.phase is Phase.PLAY)
        if plays and met % 3 == 0:  # so that both seats are looked at
            last[me] = outlook = Outlook(seen, last[me])
            quick, slow = gains(outlook, moves), [gain(EachStone(seen), move) for move in moves]
            before = [number for number, move in enumerate(moves) if isinstance(move, Oil | Retreat)]
            others = [number for number in range(len(moves)) if number not in before]
            assert [quick[number] for number in before] == [slow[number] for number in before]
            most = max(slow[number] for number in others)
            assert [quick[number] == most for number in others] == [slow[number] == most for number in others]
        table = course_step(table, random.choice(moves), random)
    assert met >= 12


class NeverUses(Greedy):
    """Greedy that draws as it does, but whose tactic cards the limit always holds back."""

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        state = view.state
        if state.phase is Phase.PLAY:
            ahead = (99, 0) if view.seat == ME else (0, 99)
            view = replace(view, state=state._replace(beside=state.beside._replace(tactics=ahead)))
            legal = view.choices()
        return super().act(view, legal)


@pytest.mark.parametrize("rules", [TACTIC, BATTLE_LINE], ids=["tactic", "battle-line"])
def test_greedy_beats_a_greedy_that_never_plays_its_tactic_cards(rules: Ruleset) -> None:
    # Over 200 other pairs it won 67 and 61 of 100 games; without use of its cards it would win 50.
    assert won(rules, Greedy, NeverUses, pairs=40, seed=6000) > 40


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_same_seed_plays_the_same_game_in_every_ruleset(rules: Ruleset, name: str) -> None:
    one, two = (course(dealt(rules, ME, 5), (make_bot(name, 1), make_bot(name, 2)), 5) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_greedy_chooses_the_same_whatever_the_hidden_faces_are(rules: Ruleset) -> None:
    random, table, bot = Random(7), dealt(rules, ME, 11), make_bot("uniform", 3)
    for _ in range(60):
        if table.state.over:
            break
        me = table.state.to_move
        theirs, piles = list(table.hands[other(me)]), [list(pile) for pile in table.piles]
        for deck, pile in enumerate(piles):
            held = [card for card in theirs if rules.deck_of(card) == deck]
            mixed = random.sample(held + pile, len(held) + len(pile))
            theirs = [card for card in theirs if rules.deck_of(card) != deck] + mixed[: len(held)]
            pile[:] = mixed[len(held) :]
        hands = (table.hands[0], tuple(theirs)) if me == 0 else (tuple(theirs), table.hands[1])
        twin = Table(table.state, tuple(map(tuple, piles)), hands, ((), ()), table.memories)
        assert make_bot("greedy", 1).choose(seen_by(table, me)) == make_bot("greedy", 1).choose(seen_by(twin, me))
        table = course_step(table, bot.choose(seen_by(table, me)), random)


def course_step(table: Table, move: Move, random: Random) -> Table:
    return play(table, move, lambda pile: random.sample(pile, len(pile)))[0]


def test_expert_claims_at_the_start_of_the_turn() -> None:
    state = position({3: stone("R7 R8 R9", rules=EXPERT)}, rules=EXPERT, hands=((7, 0), (7, 0)), pile=(20, 10))
    assert choice(state, "G1 G2 B4 Y5 P6 N7 N1") == Claim(StoneId(3))


def test_the_attacker_controls_a_tile_before_he_plays() -> None:
    state = position({3: stone("B10 B11", rules=SIEGE)}, rules=SIEGE)
    assert choice(state, "G1 G2 R4 Y5 P6 P7") == Claim(StoneId(3))


def test_the_attacker_retreats_where_only_an_empty_side_can_win() -> None:
    # Against R9 R10 at the gate B2 can make no more than a pair or B2 B3; an empty side can make Y10 Y11.
    state = position({3: stone("B2", "R9 R10", rules=SIEGE)}, rules=SIEGE)
    assert choice(state, "Y10 Y11 G1 G5 P6 R4") == Retreat(StoneId(3))


def test_the_attacker_stays_where_he_can_still_win() -> None:
    state = position({3: stone("Y10", "R9 R10", rules=SIEGE)}, rules=SIEGE)
    assert choice(state, "Y11 B2 G1 G5 P6 R4") == Play(SIEGE.card("Y11"), StoneId(3))


def test_the_defender_pours_oil_on_the_card_of_a_colour_run() -> None:
    wall = {2: stone("R9 R10 R11", "B2", rules=SIEGE)}
    state = position(wall, rules=SIEGE, to_move=YOU)
    assert choice(state, "G1 G5 B4 Y5 P6 P7") == Oil(StoneId(2))


def test_the_defender_keeps_oil_where_there_is_nothing_to_stop() -> None:
    # A sum of 6 against a colour run: the attacker can never take the wall.
    state = position({2: stone("R1 B2 Y3", "G9 G10 G11", rules=SIEGE)}, rules=SIEGE, to_move=YOU)
    assert isinstance(choice(state, "G1 G5 B4 Y5 P6 P7"), Play)


def test_a_traitor_takes_the_card_that_completes_a_colour_run() -> None:
    row = {2: stone("R8 R9", "B1", rules=TACTIC), 5: stone("", "R7 B7", rules=TACTIC)}
    state = position(row, rules=TACTIC, hands=((6, 1), (7, 0)), pile=(20, 9))
    assert choice(state, "G1 B4 Y2 P6 N3 N1 TRA") == Betray(TACTIC.card("TRA"), TACTIC.card("R7"), StoneId(2))


@pytest.mark.parametrize(
    ("hand", "tactics", "deck"),
    [
        ("G1 B4 Y2 P6 N3 N1", (0, 0), 1),
        ("G1 B4 Y2 P6 N3 SPY", (0, 0), 0),
        ("G1 B4 Y2 P6 N3 N1", (1, 0), 0),
    ],
    ids=["holds none and may play one", "holds one", "is one ahead"],
)
def test_a_tactic_card_is_drawn_only_for_use(hand: str, tactics: tuple[int, int], deck: int) -> None:
    held = sum(word.isalpha() for word in hand.split())
    state = position(
        {},
        rules=TACTIC,
        phase=Phase.CLAIM,
        hands=((6 - held, held), (7, 0)),
        pile=(20, 9),
        beside=Beside(tactics=tactics),
    )
    assert choice(state, hand) == Draw(DeckId(deck))


def test_a_joker_that_can_never_be_laid_is_put_back_first() -> None:
    state = position(
        {4: stone("JOK", rules=TACTIC)},
        rules=TACTIC,
        phase=Phase.RETURN,
        hands=((8, 1), (7, 0)),
        pile=(20, 6),
        acted=True,
        beside=Beside(tactics=(2, 1), jokers=(True, False), left=2),
    )
    second = TACTIC.named("JOK")[1]
    hand = (*cards("R7 R8 G9 B4 Y2 P6 N3 N1", TACTIC), second)
    assert make_bot("greedy", 0).choose(view(state, ME, hand, Memory())) == Return(second)


def test_an_exchange_gives_away_what_helps_no_side() -> None:
    # Y9 Y10 wait for Y11 and Y8: a card of these is missed, zeros and ones of other colours are not.
    state = position(
        {2: stone("Y9 Y10", rules=SIEGE_TACTIC)},
        rules=SIEGE_TACTIC,
        phase=Phase.GIVE,
        hands=((6, 0), (6, 0)),
        pile=(20, 5),
        acted=True,
        beside=Beside(attacker=ME, oil=3, tactics=(1, 0), left=3),
    )
    given = choice(state, "Y11 Y8 R1 B2 G4 P6")
    assert isinstance(given, Give)
    assert not set(given.cards) & set(cards("Y11 Y8", SIEGE_TACTIC))


def test_of_four_cards_the_one_goes_that_leaves_the_best_three() -> None:
    row = {4: stone("R8 R9 R10 B3", "G1", rules=BATTLE_LINE)}
    state = position(
        row, rules=BATTLE_LINE, phase=Phase.CLEAR, hands=((6, 0), (7, 0)), pile=(20, 6), acted=True,
        beside=Beside(tactics=(1, 0), crowded=StoneId(4)),
    )  # fmt: skip
    assert choice(state, "G2 G5 B4 Y5 P6 P7") == Discard(BATTLE_LINE.card("B3"))


def test_a_tactic_card_waits_for_less_as_the_pile_runs_out() -> None:
    # 40 of 54 clan cards are in the pile after the deal: 0.3 of a stone then, a quarter of that with 10 left.
    def asked(pile: int, card: str) -> float:
        return price(position({}, rules=TACTIC, hands=(7, 7), pile=(pile, 10)), TACTIC.card(card))

    assert [asked(40, "TRA"), asked(10, "TRA"), asked(0, "TRA")] == pytest.approx([0.3, 0.075, 0.0])
    assert asked(40, "R7") == 0.0
