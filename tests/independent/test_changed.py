"""Records changed and signed again by their authors: the package and tests/independent refuse them for one reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.independent import curve, wire
from tests.independent.honest import Honest, agreed
from tests.independent.mutate import Mutant, Mutator, body_of, fields_of, file_of, with_body
from tests.independent.session import SEAL
from tests.independent.wire import Value


def _changes(mutator: Mutator, number: int) -> Iterator[Mutant]:
    yield mutator.flipped(number)
    yield mutator.as_the_other(number)
    yield mutator.signed_by_the_other(number)
    yield mutator.rearranged(number)
    yield mutator.forked(number)
    for field in (mutator.random.choice([0, 1, 3]), 4, 4):
        yield mutator.changed(number, field)


@pytest.mark.parametrize("kind", range(1, 9))
def test_both_refuse_a_changed_record_for_one_reason(honest: Honest, kind: int) -> None:
    """The first and the last record of that kind, eight changes each: at most one in ten may turn out harmless."""
    numbers = [number for number, record in enumerate(honest.records) if fields_of(record)[3] == kind]
    verdicts = []
    for number in {numbers[0], numbers[-1 if kind < SEAL else 0]}:  # the package reads the whole file for each of them
        for mutant in _changes(honest.mutator(100 * kind + number), number):
            verdicts.append((agreed(file_of(mutant.items), honest), mutant.what))
    refused = [verdict for verdict, _ in verdicts if not verdict.valid]
    assert len(refused) >= 0.9 * len(verdicts)
    assert len({verdict.cause for verdict in refused}) >= 4


def test_both_refuse_each_field_of_a_move_for_one_reason(honest: Honest) -> None:
    """Every value in the body of the last play changed in turn, so that each check of 6.3 is reached."""
    number = max(at for at, record in enumerate(honest.records) if fields_of(record)[3] == 6 and body_of(record)[1])
    mutator = honest.mutator(0)
    body = body_of(honest.records[number])
    debts, mixes, code, positions, shares, _ = body
    assert isinstance(debts, bytes)
    assert isinstance(mixes, list)
    assert isinstance(mixes[0], list)
    assert isinstance(shares, bytes)
    cells, proof = mixes[0][1], mixes[0][2]
    assert isinstance(cells, bytes)
    assert isinstance(proof, bytes)
    other_shares = body_of(honest.records[8])[0]
    assert isinstance(other_shares, bytes)
    lies: list[tuple[int, Value, str]] = [
        (0, debts + bytes(96), "debts"),
        (1, [], "mix"),
        (1, [mixes[0], mixes[0]], "mix"),
        (1, [[1, cells, proof]], "mix"),
        (1, [[0, cells[64:] + cells[:64], proof]], "mix"),
        (1, [[0, cells[:-64], proof]], "mix"),
        (1, [[0, cells, proof[:-32]]], "mix"),
        (1, [[0, cells, proof[:-32] + bytes(32)]], "mix"),
        (1, [[0, cells, proof[:-32] + curve.L.to_bytes(32, "little")]], "mix"),
        (1, [[0, cells, bytes(32) + proof[32:]]], "mix"),
        (2, [0, 54, 0], "illegal move"),
        (2, [0, 3], "illegal move"),
        (2, [], "illegal move"),
        (2, [3], "illegal move"),
        (2, [2, 0], "illegal move"),
        (2, [1, 0], "illegal move"),
        (2, [5], "mix"),
        (3, [], "position"),
        (3, [7], "position"),
        (3, [1, 2], "position"),
        (3, [positions[0] % 6 + 1], "share"),  # type: ignore[index, operator]  # one number
        (4, b"", "share"),
        (4, shares + bytes(96), "share"),
        (4, other_shares[:96], "share"),
        (4, shares[:32] + bytes(32) + shares[64:], "share"),
        (5, bytes(32), "digest"),
    ]
    face = code[1]  # type: ignore[index]  # (0, card, stone)
    shown = {
        card for at in honest.sessions[: number + 1] if at.game for card in range(54) if card not in at.game.unseen
    }
    hidden = next(card for card in range(54) if card != face and card not in shown)
    lies += [(2, [0, hidden, code[2]], "digest"), (2, [0, next(iter(shown)), 0], "illegal move")]  # type: ignore[index]
    for place, value, cause in lies:
        record = mutator.signed(with_body(honest.records[number], place, value))
        verdict = agreed(file_of([*honest.records[:number], record]), honest)
        author = fields_of(record)[2]
        assert verdict[:4] == (False, number, cause, author), (place, value, verdict)


@pytest.mark.parametrize("seat", [0, 1])
def test_both_judge_the_terms_of_a_hello_alike(honest: Honest, seat: int) -> None:
    mutator = honest.mutator(0)
    fit = ["a", "A" * 32, "é" * 16, "a b", "\U0001f600", "\ue000", "\ufffd"]
    unfit = ["", " a", "a ", "a\tb", "a\x7f", "a\u2028", "a\u200d", "a\ufe0f", "a\u00ad", "\ufdd0", "a\uffff"]
    unfit += ["a\U0001ffff", "\U000e0100a", "\u115f", "\uffa0", "\u180e", "\u2065", "\u034f", "\u3164b", "\ufff0"]
    unfit += ["\u00a0a", "a\u3000", "a\u2009b", "\u2800"]
    terms: list[tuple[int, Value, str | None]] = [
        *((7, name, None) for name in fit),
        *((7, name, "hello") for name in unfit),
        (7, "A" * 33, "undecodable bytes"),
        (1, [1, 9], None),
        (1, [2, 9], "version"),
        (1, [2, 1], "undecodable bytes"),
        (2, "ed25519-sha512", "rules"),
        (2, "y" * 65, "undecodable bytes"),
        (3, "BASE", "rules"),
        (4, bytes(32), "rules"),
        (5, [["tactics", "yes"]], "rules"),
        (5, [["a", "b"]] * 12, "undecodable bytes"),
        (8, [b"", 2, b""], "rules"),
        (8, [b"", 1, bytes(32)], "rules"),
        (8, [b"", 0, b""], "undecodable bytes"),
    ]
    for place, value, cause in terms:
        record = mutator.signed(with_body(honest.records[seat], place, value))
        verdict = agreed(file_of([*honest.records[:seat], record]), honest)
        assert verdict[:4] == ((True, None, None, None) if cause is None else (False, seat, cause, None)), value


def test_both_refuse_two_hellos_that_agree_on_an_unknown_version(honest: Honest) -> None:
    mutator = honest.mutator(0)
    first = mutator.signed(with_body(honest.records[0], 1, [1, 9]))
    answer = with_body(honest.records[1], 1, [1, 9])
    second = mutator.signed([answer[0], wire.h32("head", first), *answer[2:]])
    assert agreed(file_of([first, second]))[:4] == (False, 1, "version", None)
