"""Records made from the document: honest ones are those of the package, and lies are refused by both for one reason.

These lies are signed, chained, proven and lead to the digest that they state, so that only the lie itself is left.
"""

from __future__ import annotations

import pytest

from tests.independent import curve, forms
from tests.independent.honest import Honest, agreed, resigned_game
from tests.independent.maker import make_body, make_move, make_shuffle, prove_share, secret_key, shares_of
from tests.independent.mutate import Mutator, body_of, fields_of, file_of
from tests.independent.referee import advance
from tests.independent.session import MOVE, SEAL, SHARES, Session, known, opens
from tests.independent.steps import move
from tests.independent.wire import Value, pack, secret_permutation


class Story:
    """Honest records up to a play, and what is said instead of the rest."""

    def __init__(self, honest: Honest, play: int) -> None:
        """`play` counts the plays from 0, or from the end if negative."""
        numbers = [at for at, record in enumerate(honest.records) if fields_of(record)[3] == MOVE]
        number = [at for at in numbers if honest.sessions[at + 1].faces != honest.sessions[at].faces][play]
        self.honest, self.number = honest, number
        self.items = list(honest.records[:number])
        self.session: Session = honest.sessions[number]
        self.mutator: Mutator = honest.mutator(0)
        self.author = known(self.session.due())[0]
        self.seed = honest.seeds[self.author]
        self.body = forms.move(body_of(honest.records[number]))
        _, self.card, self.stone = self.body.code
        self.positions = self.body.positions

    def signed(self, kind: int, body: list[Value]) -> bytes:
        seat = known(self.session.due())[0]
        return self.mutator.signed([self.session.seq, self.session.head, seat, kind, body, b""])

    def say(self, kind: int, body: list[Value]) -> None:
        """The seat that is due says this, and the slow verifier accepts it."""
        record = self.signed(kind, body)
        self.session = advance(self.session, record)
        self.items.append(record)

    def name(self, card: int) -> None:
        """The play, with another face on the same cell."""
        self.say(MOVE, make_move(self.session, self.seed, [0, card, self.stone], self.positions))

    def lie(self, *, claimable: bool = False) -> None:
        """A play of a card that nobody has seen and that the cell is not."""
        game = known(self.session.game)
        others = sorted(game.unseen - {self.card})
        self.name(next(c for c in others if bool(move(game, [0, c, self.stone])[0].claimable) == claimable))

    def fault(
        self, seat: int, *, cause: str = "false face", head: bytes | None = None, seq: int | None = None
    ) -> bytes:
        """A FAULT of the seat behind the last record, with its share of the youngest open face."""
        (*_, face) = self.session.faces
        seed = self.honest.seeds[seat]
        ctx = self.session.ctx(seat, "fault")
        share = prove_share(seed, secret_key(self.session, seed), ctx, face.cell.cell)
        at = self.session.seq - 1 if seq is None else seq
        return pack(["fault", seat, at, cause, self.session.head if head is None else head, share])

    def verdict(self, *more: bytes) -> tuple[object, ...]:
        """Valid or not, and what fails first, when these items follow."""
        return agreed(file_of([*self.items, *more]), self.honest)[:4]


def with_mix(record: bytes, cells: bytes, proof: bytes) -> list[Value]:
    debts, _, *rest = body_of(record)
    return [debts, [[0, cells, proof]], *rest]


VALID = (True, None, None, None)


def test_every_honest_record_is_made_again_from_the_seeds_byte_for_byte(honest: Honest) -> None:
    mutator = honest.mutator(0)
    for number in range(2, len(honest.records)):
        session = honest.sessions[number]
        seat, kind = known(session.due())
        body = body_of(honest.records[number])
        if kind == MOVE:
            chosen = forms.move(body)
            made = make_move(session, honest.seeds[seat], chosen.code, chosen.positions)
        else:
            made = make_body(session, honest.seeds[seat])
        assert made == body, (number, kind)
        assert mutator.signed([number, session.head, seat, kind, made, b""]) == honest.records[number]


@pytest.mark.parametrize("play", [0, -1])
def test_a_false_face_is_found_at_the_second_share_and_blamed_on_who_named_it(honest: Honest, play: int) -> None:
    story = Story(honest, play)
    story.lie()
    number, author = story.session.seq, story.author
    assert story.verdict() == VALID  # one share alone shows nothing
    debtor, kind = known(story.session.due())
    assert (debtor, kind) == (1 - author, SHARES)
    (shares,) = make_body(story.session, honest.seeds[debtor])
    assert isinstance(shares, bytes)
    assert story.verdict(story.signed(SHARES, [shares])) == (False, number, "false face", author)


def test_shares_are_judged_one_after_the_other_so_that_the_first_lie_counts(honest: Honest) -> None:
    story = Story(honest, 0)
    story.lie()
    number, author = story.session.seq, story.author
    (shares,) = make_body(story.session, honest.seeds[1 - author])
    assert isinstance(shares, bytes)
    assert len(shares) == 2 * 96
    face_then_bad, bad_then_face = shares[:96] + bytes(96), bytes(96) + shares[96:]
    assert story.verdict(story.signed(SHARES, [face_then_bad])) == (False, number, "false face", author)
    assert story.verdict(story.signed(SHARES, [bad_then_face])) == (False, number, "share", 1 - author)
    assert story.verdict(story.signed(SHARES, [shares + bytes(96)])) == (False, number, "debts", 1 - author)
    assert story.verdict(story.signed(SHARES, [shares[:96]])) == (False, number, "debts", 1 - author)


def test_a_fault_shows_a_false_face_at_the_record_that_named_it(honest: Honest) -> None:
    story = Story(honest, -1)
    story.lie()
    author, after = story.author, story.session.seq
    found, nothing = (False, after - 1, "false face", author), (False, after, "close", None)
    assert story.verdict(story.fault(1 - author)) == found
    assert (
        story.verdict(story.fault(1 - author, cause="some words", seq=0)) == found
    )  # only the share and the head count
    assert story.verdict(story.fault(author)) == nothing
    assert story.verdict(story.fault(1 - author, head=bytes(32))) == nothing


def test_a_fault_against_a_true_face_proves_nothing(honest: Honest) -> None:
    story = Story(honest, -1)
    story.name(story.card)
    assert story.items[-1] == honest.records[story.number]
    assert story.verdict(story.fault(1 - story.author)) == (False, story.session.seq, "close", None)


def _resign_and_close(story: Story) -> bytes:
    """The author, in his claim window, resigns and closes alone."""
    assert known(story.session.due()) == (story.author, MOVE)
    story.say(MOVE, make_move(story.session, story.seed, [5], []))
    outcome: list[Value] = [*known(story.session.game).outcome_code()]
    return story.mutator.close(story.items, story.author, outcome, story.seed)


def test_who_closes_alone_over_his_false_face_is_blamed_for_it(honest: Honest) -> None:
    story = Story(honest, -1)
    story.lie(claimable=True)
    close = _resign_and_close(story)
    assert story.verdict() == VALID
    assert story.verdict(close) == (False, story.session.seq, "false face", story.author)


def _mixes_with_another_seed(story: Story) -> None:
    """The same play, of the same card, behind a proven mix that the author's seed does not make."""
    session, author = story.session, story.author
    hand, ctx = [hidden.cell for hidden in session.hands[author][0]], session.ctx(author, "mix")
    seats_pi = secret_permutation(story.seed, len(hand), "shuffle pi", ctx)
    other_seed = bytes(32)
    other_pi = secret_permutation(other_seed, len(hand), "shuffle pi", ctx)
    position = 1 + other_pi.index(seats_pi[story.positions[0] - 1])  # where the same card lies now
    mix = make_shuffle(other_seed, ctx, session.Y, hand)
    story.say(MOVE, make_move(session, story.seed, [0, story.card, story.stone], [position], mix))


def test_who_mixed_with_other_secrets_than_his_seeds_cannot_close_alone(honest: Honest) -> None:
    story = Story(honest, -1)
    _mixes_with_another_seed(story)
    (face,) = story.session.faces
    shares = [curve.combine([(secret_key(story.session, seed), face.cell.cell.a)]) for seed in honest.seeds]
    assert opens(face.cell.cell, shares[0], shares[1], face.point)  # the face is true, and the mix is proven
    close = _resign_and_close(story)
    assert story.verdict() == VALID
    assert story.verdict(close) == (False, story.session.seq, "close", None)


def test_nor_can_he_when_no_face_is_left_to_prove() -> None:
    """Seat 1 closes, since seat 0 would seal next."""
    honest = resigned_game(3)
    story = Story(honest, -1)
    assert story.author == 1
    _mixes_with_another_seed(story)
    story.say(MOVE, make_move(story.session, story.seed, [5], []))
    while story.session.due() == (0, SHARES):
        story.say(SHARES, make_body(story.session, honest.seeds[0]))
    assert story.session.due() == (0, SEAL)
    assert not story.session.faces
    outcome: list[Value] = [*known(story.session.game).outcome_code()]
    close = story.mutator.close(story.items, 1, outcome, story.seed)
    assert story.verdict() == VALID
    assert story.verdict(close) == (False, story.session.seq, "close", None)


def test_a_proof_that_needs_a_multiplication_of_the_identity_is_refused_by_both(honest: Honest) -> None:
    """With rho that add up to zero the sums of c and h are equal, and t1 would need z times the identity (1.1)."""
    story = Story(honest, -1)
    hand, ctx = [hidden.cell for hidden in story.session.hands[story.author][0]], story.session.ctx(story.author, "mix")
    rho = [*range(1, len(hand)), -sum(range(1, len(hand))) % curve.L]
    cells, proof = make_shuffle(story.seed, ctx, story.session.Y, hand, rho)
    assert story.body.mixes[0].cells == cells  # the cells are those of the honest mix
    body = with_mix(honest.records[story.number], cells, proof)
    assert story.verdict(story.signed(MOVE, body)) == (False, story.number, "mix", story.author)


def test_a_share_too_many_in_a_move_is_told_from_a_bad_one(honest: Honest) -> None:
    """The honest play, with one more of its own shares, or with the shares numbered from 2."""
    story = Story(honest, -1)
    session = story.session
    body = body_of(honest.records[story.number])
    debts, own = story.body.debts, story.body.shares
    refused = (False, story.number, "share", story.author)
    assert story.verdict(story.signed(MOVE, [*body[:4], own + own[:96], body[5]])) == refused
    (face,) = known(honest.sessions[story.number + 1]).faces
    renumbered = shares_of(session, story.author, story.seed, [face.cell], len(debts) // 96 + 2)
    assert renumbered[:32] == own[:32]
    assert story.verdict(story.signed(MOVE, [*body[:4], renumbered, body[5]])) == refused
