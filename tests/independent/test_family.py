"""Whole games of other rulesets: transfers of every kind, with tactic cards, read by the document.

Of these games the proofs of each seventh record are checked with big integers; signatures, the chain, debts, positions,
faces and digests always are. A record that is changed, or made again, is checked with all its proofs.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest

from p2p_schotten.engine.flags import flagged
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.messages import Match, Options
from p2p_schotten.protocol.peer import Peer
from tests.independent import forms
from tests.independent.honest import Honest, agreed, read
from tests.independent.maker import make_body, make_move, prove_share, secret_key, shares_of
from tests.independent.mutate import body_of, fields_of, file_of, with_body
from tests.independent.referee import advance
from tests.independent.session import MOVE, SHARES, SHUFFLE, known
from tests.independent.wire import Value, h32, pack
from tests.protocol.courses import new_pair, resigning, ruses_first

EVERY = 7
PLAY, EXCHANGE, RETURN, GIVE = 0, 13, 14, 15


@cache
def game(name: str) -> Honest:
    """A game in which tactic cards are played as soon as they can be, and which is given up if it becomes long."""
    if name == "battle-line":
        rules = flagged(RULESETS[name], {"claim_timing": "start_of_turn", "joker_limit": "off"})
        options, match = Options(SEATS[1], "rounds 3"), Match(bytes(range(32)), 2, bytes(32))
        pair = new_pair(9, Peer, rules=rules, options=options, match=match).play(resigning(ruses_first(9), 50))
        return read(pair, 9, EVERY)
    seed, length = {"tactic": (4, 50), "siege-tactic": (1, 200)}[name]
    pair = new_pair(seed, Peer, rules=RULESETS[name]).play(resigning(ruses_first(seed), length))
    return read(pair, seed, EVERY)


def moves(honest: Honest, kind: int) -> list[int]:
    """The numbers of the MOVEs of that kind."""
    found = []
    for number, record in enumerate(honest.records):
        fields = fields_of(record)
        if fields[3] == MOVE and forms.move(body_of(record)).code[0] == kind:
            found.append(number)
    return found


def restocks(honest: Honest) -> list[int]:
    """The numbers of the SHUFFLEs in the game."""
    return [at for at, record in enumerate(honest.records) if fields_of(record)[3] == SHUFFLE and at >= 8]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("siege-tactic", {0, 2, 3, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17}),
        ("tactic", {0, 2, 3, 5, 6, 7, 9, 14}),
        ("battle-line", {0, 2, 5, 6, 7, 8, 9, 14}),
    ],
)
def test_both_accept_a_game_with_tactic_cards_whose_proofs_are_sampled(name: str, kinds: set[int]) -> None:
    honest = game(name)
    assert {kind for kind in range(19) if moves(honest, kind)} == kinds
    verdict = agreed(file_of(honest.records), honest)
    assert verdict[:5] == (True, None, None, None, True)
    assert verdict.sealed
    assert verdict.revealed == (0, 1)
    sampled = {fields_of(record)[3] for record in honest.records[::EVERY]}
    assert {SHUFFLE, SHARES, MOVE} <= sampled
    offer = known(honest.sessions[-1].offer)
    assert offer.form == ("rounds 3" if name == "battle-line" else "")
    if offer.first is not None:
        assert known(honest.sessions[8].game).turn == offer.first == 1


@pytest.mark.parametrize(("name", "number_of_kinds"), [("siege-tactic", 13), ("tactic", 8), ("battle-line", 8)])
def test_moves_of_every_kind_are_made_again_from_the_seeds_byte_for_byte(name: str, number_of_kinds: int) -> None:
    """The first of each kind, the second return, the second gift, and both shuffles of a restocked pile."""
    honest = game(name)
    found = [moves(honest, kind)[: 2 if kind in (RETURN, GIVE) else 1] for kind in range(19)]
    assert sum(map(bool, found)) == number_of_kinds
    for number in [*chain.from_iterable(found), *restocks(honest)[:2]]:
        session, body = honest.sessions[number], body_of(honest.records[number])
        seat, kind = known(session.due())
        if kind == MOVE:
            said = forms.move(body)
            made = make_move(session, honest.seeds[seat], said.code, said.positions)
        else:
            made = make_body(session, honest.seeds[seat])
        assert made == body, (number, kind)


def refused(honest: Honest, number: int, place: int, value: Value) -> tuple[str | None, int | None]:
    """Cause and blame that both give when this stands in the body of that record instead."""
    record = honest.mutator(0).signed(with_body(honest.records[number], place, value))
    verdict = agreed(file_of([*honest.records[:number], record]), honest)
    assert (verdict.valid, verdict.record) == (False, number)
    return verdict.cause, verdict.blame


def test_both_refuse_a_wrong_gift_for_one_reason() -> None:
    honest = game("siege-tactic")
    first, second = moves(honest, GIVE)[:2]
    for number, owing in ((first, False), (second, True)):
        body = forms.move(body_of(honest.records[number]))
        author = known(honest.sessions[number].due())[0]
        code, positions = body.code, body.positions
        assert len(positions) == len(code) - 1 == 3
        assert bool(body.shares) == owing  # the first giver pays with his next record
        rows: list[tuple[int, Value, str]] = [
            (2, [GIVE, *code[1:3]], "illegal move"),
            (2, [GIVE, *code[:0:-1], 2], "illegal move"),
            (2, [EXCHANGE, 70], "illegal move"),
            (3, [positions[0], *positions[:2]], "position"),
            (3, [*positions[:2]], "position"),
            (3, [*positions[:2], 8], "position"),
            (4, body.shares[96:] if owing else shares_of_a_gift(honest, number), "share"),
        ]
        if body.mixes:
            rows.append((1, [], "mix"))
        for place, value, cause in rows:
            assert refused(honest, number, place, value) == (cause, author), (number, place, value)


def shares_of_a_gift(honest: Honest, number: int) -> bytes:
    """What the first giver would owe for his first gift, if he paid at once."""
    session = honest.sessions[number]
    (cell, *_) = honest.sessions[number + 1].named[known(session.due())[0]]
    seat = known(session.due())[0]
    return shares_of(session, seat, honest.seeds[seat], [cell], len(session.debts[seat]) + 1)


def test_both_refuse_a_card_put_back_wrongly_for_one_reason() -> None:
    honest = game("tactic")
    number = moves(honest, RETURN)[1]
    session, body = honest.sessions[number], forms.move(body_of(honest.records[number]))
    author, _ = known(session.due())
    hand = session.hands[author][body.code[1]]
    share = shares_of(session, author, honest.seeds[author], hand[:1], len(session.debts[author]) + 1)
    assert not body.shares  # nobody owes anything for it
    assert len(body.mixes) == 1
    rows: list[tuple[int, Value, str]] = [
        (1, [], "mix"),
        (2, [RETURN, 2], "illegal move"),
        (2, [RETURN], "illegal move"),
        (3, [], "position"),
        (3, [len(hand) + 1], "position"),
        (3, [*body.positions, *body.positions], "position"),
        (3, [body.positions[0] % len(hand) + 1], "digest"),
        (4, share, "share"),
    ]
    for place, value, cause in rows:
        assert refused(honest, number, place, value) == (cause, author), (place, value)


def test_both_refuse_a_mix_that_is_not_due_because_the_first_card_put_back_was_mixed() -> None:
    honest = game("battle-line")
    first, second = ((at, forms.move(body_of(honest.records[at]))) for at in moves(honest, RETURN)[:2])
    assert first[1].code == second[1].code == [RETURN, 0]
    (mix,) = first[1].mixes
    assert not second[1].mixes
    author, _ = known(honest.sessions[second[0]].due())
    of_one_cell: list[Value] = [0, mix.cells[:64], mix.proof[:288]]  # more would be too long where no mix is due (6.5)
    assert refused(honest, second[0], 1, [of_one_cell]) == ("mix", author)


def test_both_refuse_a_wrong_shuffle_of_a_restocked_pile_for_one_reason() -> None:
    honest = game("siege-tactic")
    numbers = restocks(honest)[:2]
    first, second = (forms.shuffle(body_of(honest.records[number])) for number in numbers)
    assert [known(honest.sessions[number].due()) for number in numbers] == [(0, SHUFFLE), (1, SHUFFLE)]
    (_, cells, proof) = first.decks[0]
    rows: list[tuple[int, int, Value, str]] = [
        (0, 0, first.debts + bytes(96), "debts"),
        (0, 1, [[1, cells, proof]], "shuffle"),
        (0, 1, [[0, cells[64:], proof]], "shuffle"),
        (0, 1, [[0, cells[64:] + cells[:64], proof]], "shuffle"),
        (0, 2, bytes(96), "share"),
        (1, 1, [[0, cells, proof]], "shuffle"),
    ]
    rows += [(at, 0, said.debts[96:], "debts") for at, said in enumerate((first, second)) if said.debts]
    assert len(rows) == 7  # one of them owes a share for the card that was played
    for seat, place, value, cause in rows:
        assert refused(honest, numbers[seat], place, value) == (cause, seat), (seat, place)
    before, mutator = honest.records[: numbers[0]], honest.mutator(0)
    hasty = mutator.as_the_other(numbers[0]).items[numbers[0]]
    assert agreed(file_of([*before, hasty]), honest)[:4] == (False, numbers[0], "out of turn", 1)
    fields = fields_of(honest.records[numbers[0]])
    early = mutator.signed([*fields[:3], MOVE, body_of(honest.records[numbers[0] - 1])])
    assert agreed(file_of([*before, early]), honest)[:4] == (False, numbers[0], "kind", 0)


def test_both_find_a_false_tactic_card_by_the_next_share_and_by_a_fault() -> None:
    honest = game("siege-tactic")
    tactics = [at for at in moves(honest, PLAY) if forms.move(body_of(honest.records[at])).code[1] >= 60]
    number, session = tactics[0], honest.sessions[tactics[0]]
    author, _ = known(session.due())
    said = forms.move(body_of(honest.records[number]))
    other = next(c for c in (60, 62, 63) if c in known(session.game).unseen - {said.code[1]})
    lie = make_move(session, honest.seeds[author], [PLAY, other, said.code[2]], said.positions)
    record = honest.mutator(0).signed([number, session.head, author, MOVE, lie])
    items = [*honest.records[:number], record]
    assert agreed(file_of(items), honest)[:4] == (True, None, None, None)  # one share alone shows nothing
    after = advance(session, record)
    (face,) = after.faces
    assert face.cell.deck == 1
    victim, seed = 1 - author, honest.seeds[1 - author]
    share = prove_share(seed, secret_key(after, seed), after.ctx(victim, "fault", 1), face.cell.cell)
    fault = pack(["fault", victim, number, "false face", h32("head", record), share])
    assert agreed(file_of([*items, fault]), honest)[:4] == (False, number, "false face", author)
    of_deck_0 = prove_share(seed, secret_key(after, seed), after.ctx(victim, "fault", 0), face.cell.cell)
    fault = pack(["fault", victim, number, "false face", h32("head", record), of_deck_0])
    assert agreed(file_of([*items, fault]), honest)[:4] == (False, number + 1, "close", None)


@pytest.mark.parametrize("name", ["siege-tactic", "tactic", "battle-line"])
def test_both_let_one_seat_close_a_game_with_tactic_cards_alone(name: str) -> None:
    """Right behind the last move; every mix of that seat, of both decks, is made again from its seed."""
    honest = game(name)
    count = next(at for at, session in enumerate(honest.sessions) if session.game and session.game.outcome)
    session = honest.sessions[count]
    silent, _ = known(session.due())
    outcome: list[Value] = [*known(session.game).outcome_code()]
    close = honest.mutator(0).close(honest.records[:count], 1 - silent, outcome, honest.seeds[1 - silent])
    verdict = agreed(file_of([*honest.records[:count], close]), honest)
    assert verdict == (True, None, None, None, True, False, ())
    assert {len(mix.before) for mix in session.mixes if mix.seat == 1 - silent} - {7}  # also of a part of the hand
