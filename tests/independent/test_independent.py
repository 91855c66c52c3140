"""Two readings of one document: the package and tests/independent must say the same about every file.

What they must agree on: whether the file is valid, the number of the first record that fails, its cause and its blame;
and of a valid file whether the game is over, sealed and revealed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2p_schotten import transcript
from p2p_schotten.engine.move import Resign
from p2p_schotten.ids import SEATS
from tests.crypto import slow
from tests.independent import curve, game, proofs, wire
from tests.independent.mutate import Mutant, Mutator, body_of, fields_of, file_of, with_body
from tests.independent.referee import advance
from tests.independent.session import Session
from tests.independent.verifier import Verdict, verify
from tests.independent.wire import MAGIC, Value, pack
from tests.protocol.pair import Pair, identity_of, patient

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "base.format-1.schotten"
SEED = 1  # of the pair: its fifth card opens a claim window


@dataclass
class Honest:
    """An honest game: its records, what the slow verifier stood at before each of them, and both secret seeds."""

    records: tuple[bytes, ...]
    sessions: tuple[Session, ...]
    seeds: tuple[bytes, ...]
    resigned: int  # the number of records up to the resignation

    def mutator(self, seed: int) -> Mutator:
        return Mutator(self.records, lambda seat, message: identity_of(SEED, SEATS[seat]).sign(message), seed)


@pytest.fixture(scope="module")
def honest() -> Honest:
    """Five cards, a claim window, and in it a resignation; then the shares that are owed, the seals and the reveals."""
    pair = Pair.new(SEED)
    pair.until(lambda at: not at.queue and at.state is not None and bool(at.state.claimable))
    pair.move(lambda peer: Resign())
    resigned = len(pair.records) + 1
    pair.play()
    sessions = [Session()]
    for record in pair.records:
        sessions.append(advance(sessions[-1], record))
    seeds = tuple(peer.secret_seed for peer in pair.peers)
    return Honest(tuple(pair.records), tuple(sessions), seeds, resigned)


def of_the_package(data: bytes) -> Verdict:
    said = transcript.verify(data)
    fault = said.fault
    if fault is None:
        return Verdict(True, None, None, None, said.over, len(said.sealed) == 2, said.revealed)
    place, cause = fault.seq, fault.cause.value
    return Verdict(False, place, cause, fault.blame, said.over, len(said.sealed) == 2, said.revealed)


def agreed(data: bytes, honest: Honest | None = None) -> Verdict:
    """The verdict that both give; `honest` saves the slow one the records that are those of the honest game."""
    ours = verify(data, prefix=honest.sessions if honest else ())
    theirs = of_the_package(data)
    if ours.valid:
        assert theirs == ours
    else:
        assert theirs[:4] == ours[:4]
        assert not theirs.over
    return ours


# -- the verifier itself -----------------------------------------------------------------------------------------------


def test_the_verifier_imports_nothing_of_the_package() -> None:
    files = [path for path in HERE.glob("*.py") if not path.name.startswith(("test_", "conftest", "honest"))]
    assert len(files) >= 8
    allowed = {
        "__future__",
        "collections",
        "copy",
        "dataclasses",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "random",
    }
    allowed |= {"typing"}
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.partition(".")[0] in allowed or name.startswith("tests.independent"), (path.name, name)


def test_the_worked_values_of_the_document_come_out() -> None:
    seed, zeros = bytes(range(32)), bytes(32)
    values = {
        curve.write(curve.G): "58" + 31 * "66",
        curve.write(proofs.card_point(0, 0)): "f6079f2b005926cd1a317169e2f09bd82af928a8398c1cc029022250e40efc17",
        curve.write(proofs.generator(0)): "8e846316f970d73455b1f9b39759f5123a18dc4669f1060b08ba2ce21c3bb0df",
        curve.write(proofs.generator(1)): "442d6dd27c8e64dae8e844a246827e1fd1cc5cb240614b963bbbf033d8a67ee3",
        game.rules_digest(): "9cf9351e2e42b62926ae2757a13eeb357e10575339e1e9cc1185e192087895c4",
        wire.h32("demo", b"\1\2", 300, ("R7",)): "2721121002cb040b8f6b6357b1df933d6667e96b48598ca0979b9214b17c057b",
        wire.secret_bytes(seed, "n", zeros): "0b2b3edde4019702a0db9f94add4798be0174680e4ee423c6f060b0cc4791566",
        wire.secret_scalar(seed, "key", zeros).to_bytes(32, "little"): (
            "0d4a9c4f4a1ade51a5d4d3a6cf78d95bf4c8233628286f08ee898235a4ecfb09"
        ),
        pack([0, bytes(2), 0, 1, [b"\1\2", [1, 1], "base"], b""]): "9600c402000000"
        + "0193c4020102920101a462617365c400",
    }
    assert {got.hex(): want for got, want in values.items()} == {want: want for want in values.values()}
    assert wire.secret_permutation(seed, 6, "shuffle pi", zeros) == [3, 2, 4, 0, 5, 1]
    first = game.Game(0).code()
    assert first == (0, 0, 0, (((), (), 0, ()),) * 9, 18014398509481983, (42,), ((6,), (6,)), (), 0, 0, 0, ())


def test_the_fast_curve_agrees_with_the_slow_one() -> None:
    k, m = 3**150, 7**90
    point = slow.mul(12345, slow.BASE)
    read = curve.read(slow.encode(point))
    assert curve.write(curve.combine([(k, read), (-m, curve.G)])) == slow.encode(
        slow.sub(slow.mul(k, point), slow.mul(m, slow.BASE))
    )
    assert curve.write(curve.base(k)) == slow.encode(slow.mul(k, slow.BASE))
    for torsion in slow.TORSION:
        for outside in (slow.encode(torsion), slow.encode(slow.add(point, torsion))):
            if torsion != slow.IDENTITY or outside == slow.encode(slow.IDENTITY):
                with pytest.raises(curve.Invalid):
                    curve.read(outside)


def test_a_claim_is_judged_by_every_filling_as_the_examples_of_the_rules_say() -> None:
    rows = [
        ("R7 R8 R9", "", "", True),
        ("R1 R2 R3", "B1 B2", "B3", True),
        ("R1 R2 R3", "B2 B3", "", False),
        ("R1 R2 R3", "B2 B3", "B4", True),
        ("R8 B8 G8", "R9 B9", "", False),
        ("N9 Y8 P8", "G1 B5", "", True),
        ("N9 Y8 P8", "G1 B3", "", False),
        ("R9 B6", "G1 Y4", "", False),
        ("R4 R5 R6", "R8 G8 Y8", "", True),
        ("R5 G5 N3", "Y4 P5 B6", "", False),
    ]
    for mine, theirs, elsewhere, may in rows:
        position = game.Game(0)
        sides = [
            [game.LETTERS.index(card[0]) * 9 + int(card[1]) - 1 for card in side.split()] for side in (mine, theirs)
        ]
        position.stones[4].arrived = tuple((seat, card) for seat in (0, 1) for card in sides[seat])
        gone = {game.LETTERS.index(card[0]) * 9 + int(card[1]) - 1 for card in elsewhere.split()}
        position.unseen -= {*sides[0], *sides[1], *gone}
        assert position.may_claim(0, 4) == may, (mine, theirs, elsewhere)


# -- honest files ------------------------------------------------------------------------------------------------------


def test_both_accept_an_honest_game_and_every_beginning_of_it(honest: Honest) -> None:
    whole = agreed(file_of(honest.records), honest)
    assert whole == Verdict(True, None, None, None, True, True, (0, 1))
    assert {fields_of(record)[3] for record in honest.records} == set(range(1, 9))
    for count in (0, 1, 2, 5, 8, honest.resigned, honest.resigned + 1, len(honest.records) - 1):
        part = agreed(file_of(honest.records[:count]), honest)
        assert part.valid
        assert part.over == (count > honest.resigned)  # not yet: a face still waits for its second share


def test_both_accept_the_golden_game_with_all_its_proofs() -> None:
    assert agreed(GOLDEN.read_bytes()) == Verdict(True, None, None, None, True, True, (0, 1))


def test_both_accept_a_game_that_runs_into_the_end_in_which_nobody_can_play() -> None:
    pair = Pair.new(SEED, sitting=4).play(patient)
    assert pair.state is not None
    assert pair.state.ply >= 54
    data = file_of(pair.records)
    assert agreed(data) == Verdict(True, None, None, None, True, True, (0, 1))
    assert b"nobody" not in data  # the outcome travels as numbers
    assert body_of(pair.records[-3])[1][1] == 2  # type: ignore[index]  # [winner, reason, points, points]


# -- changed files -----------------------------------------------------------------------------------------------------


def _changes(mutator: Mutator, number: int) -> Iterator[Mutant]:
    yield mutator.flipped(number)
    yield mutator.as_the_other(number)
    yield mutator.signed_by_the_other(number)
    yield mutator.rearranged(number)
    yield mutator.forked(number)
    for field in (0, 1, 3, 4, 4, 4, 4):
        yield mutator.changed(number, field)


@pytest.mark.parametrize("kind", range(1, 9))
def test_both_refuse_a_changed_record_for_one_reason(honest: Honest, kind: int) -> None:
    """One record of each seat of that kind, twelve changes each: at most one in ten may turn out harmless."""
    numbers = [number for number, record in enumerate(honest.records) if fields_of(record)[3] == kind]
    verdicts = []
    for number in {numbers[0], numbers[-1]}:
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
    fit = ["a", "A" * 32, "é" * 16, "a b", "\u00a0a", "\U0001f600", "\ue000", "\ufffd"]
    unfit = ["", " a", "a ", "a\tb", "a\x7f", "a\u2028", "a\u200d", "a\ufe0f", "a\u00ad", "\ufdd0", "a\uffff"]
    unfit += ["a\U0001ffff", "\U000e0100a", "\u115f", "\uffa0", "\u180e", "\u2065", "\u034f", "\u3164b", "\ufff0"]
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
        (5, [["a", "b"]] * 9, "undecodable bytes"),
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


# -- the edges of a file -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "valid"),
    [
        (MAGIC, True),
        (b"", False),
        (MAGIC[:-1], False),
        (MAGIC.replace(b"1", b"2"), False),
        (MAGIC + bytes(4 << 20), False),
    ],
    ids=["no record", "nothing", "cut header", "another format", "more than 4 MiB"],
)
def test_both_refuse_a_strange_file_as_a_whole(data: bytes, valid: bool) -> None:
    verdict = agreed(data)
    assert verdict[:4] == ((True, None, None, None) if valid else (False, 0, "undecodable bytes", None))


@pytest.mark.parametrize("tail", [b"\0", bytes(4), b"\0\1\0\1", b"\0\0\0\5abcd"])
def test_both_refuse_a_torn_or_damaged_end_where_the_next_record_would_be(honest: Honest, tail: bytes) -> None:
    for count in (2, honest.resigned, len(honest.records)):
        verdict = agreed(file_of(honest.records[:count]) + tail, honest)
        assert verdict[:4] == (False, count, "length", None)


def test_both_judge_a_close_alike_at_every_place_behind_the_resignation(honest: Honest) -> None:
    mutator = honest.mutator(0)
    outcome: list[Value] = list(body_of(honest.records[-3])[1])  # type: ignore[arg-type]  # the outcome code in SEAL 1
    for count in range(honest.resigned - 1, len(honest.records) + 1):
        due = honest.sessions[count].due()
        for seat in (0, 1):
            close = mutator.close(honest.records[:count], seat, outcome, honest.seeds[seat])
            verdict = agreed(file_of([*honest.records[:count], close]), honest)
            if count >= honest.resigned and due is not None and due[0] != seat:
                assert verdict.valid
                assert verdict.over
            else:
                assert verdict[:4] == (False, count, "close", seat)


def test_both_refuse_a_false_close_for_one_reason(honest: Honest) -> None:
    mutator, count = honest.mutator(0), honest.resigned
    records = honest.records[:count]
    seat = 1 - honest.sessions[count].due()[0]  # type: ignore[index]  # somebody is due
    outcome: list[Value] = list(body_of(honest.records[-3])[1])  # type: ignore[arg-type]  # the outcome code in SEAL 1
    seed = honest.seeds[seat]
    close = mutator.close(records, seat, outcome, seed)
    fields = fields_of(close)
    other_outcome: list[Value] = [2, *outcome[1:]]
    cases: list[tuple[list[bytes], str, int | None]] = [
        ([mutator.close(records, seat, outcome, bytes(32))], "seed", seat),
        ([mutator.close(records, seat, outcome, honest.seeds[1 - seat])], "seed", seat),
        ([mutator.close(records, seat, other_outcome, seed)], "close", seat),
        ([mutator.close(records, seat, outcome[:3], seed)], "undecodable bytes", None),
        ([mutator.close(records[:-1], seat, outcome, seed)], "close", None),
        ([pack([*fields[:5], bytes(64)])], "signature", None),
        ([pack([*fields[:1], 2, *fields[2:]])], "undecodable bytes", None),
        ([pack([*fields, b""])], "undecodable bytes", None),
        ([pack([*fields[:4], bytes(1000), fields[5]])], "length", None),
        ([close, close], "undecodable bytes", None),
        ([close, honest.records[count]], "undecodable bytes", None),
    ]
    for items, cause, blame in cases:
        verdict = agreed(file_of([*records, *items]), honest)
        assert verdict[:4] == (False, count, cause, blame)


def test_both_refuse_a_fault_that_proves_nothing(honest: Honest) -> None:
    for count in (0, 3, honest.resigned, len(honest.records)):
        records = honest.records[:count]
        head = wire.h32("head", records[-1]) if records else bytes(32)
        for seat in (0, 1):
            for share in (b"", bytes(96)):
                for seq in (max(0, count - 1), count):
                    fault = pack(["fault", seat, seq, "false face", head, share])
                    verdict = agreed(file_of([*records, fault]), honest)
                    assert verdict[:4] == (False, count, "close", None)


def test_both_find_a_second_record_at_one_place_wherever_it_stands(honest: Honest) -> None:
    mutator = honest.mutator(0)
    end = len(honest.records)
    for number in range(end):
        fields = fields_of(honest.records[number])
        twin = mutator.signed([*fields[:1], bytes(32), *fields[2:]])
        if fields[1] == bytes(32):
            twin = mutator.signed([*fields[:4], [*body_of(honest.records[number])[:-2], "Eve", [b"", 1, b""]]])
        verdict = agreed(file_of([*honest.records, twin]), honest)
        fork = (False, end, "two records at one place", fields[2])
        assert verdict[:4] == (fork if number >= 2 else (False, end, "out of turn", None))
