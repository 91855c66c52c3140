"""Two readings of one document: the package and tests/independent must say the same about every file.

What they must agree on: whether the file is valid, the number of the first record that fails, its cause and its blame;
and of a valid file whether the game is over, sealed and revealed.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.crypto import slow
from tests.independent import curve, game, proofs, rules, wire
from tests.independent.honest import SEED, Honest, agreed, read
from tests.independent.mutate import body_of, fields_of, file_of
from tests.independent.verifier import Verdict
from tests.independent.wire import Part, pack
from tests.protocol.pair import Pair, patient

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "protocol.md"
GOLDEN = HERE.parent / "golden" / "base.format-1.schotten"


# -- the verifier itself -----------------------------------------------------------------------------------------------


def test_the_verifier_imports_nothing_of_the_package() -> None:
    """Nor does the oracle, the one thing that it shares with other tests."""
    files = [path for path in HERE.glob("*.py") if not path.name.startswith(("test_", "conftest", "honest"))]
    assert len(files) >= 14
    allowed = {"__future__", "collections", "copy", "dataclasses", "functools", "hashlib", "hmac", "itertools"}
    allowed |= {"random", "typing"}
    for path in [*files, HERE.parent / "engine" / "oracle.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                ours = node.module == "tests.engine" and [name.name for name in node.names] == ["oracle"]
                names = [] if ours else [node.module or ""]
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
    first = game.Game(rules.RULESETS["base"], 0).code()
    beside: Part = ((), (0, 0), (0, 0), 0, 0, (0, 0), 0, (), 0)
    stones: tuple[Part, ...] = (((), (), 0, (), ()),) * 9
    assert first == (0, 0, 0, stones, (18014398509481983, 0), (42,), ((6,), (6,)), (), 0, 0, 0, beside, ())
    siege = game.Game(rules.RULESETS["siege-tactic"], 1).code()
    assert siege[:4] == (1, 1, 0, stones[:7])
    beside = ((), (0, 0), (0, 0), 2, 3, (0, 0), 0, (), 0)
    counts = ((1152921504606846975, 2047), (46, 11), ((7, 0), (7, 0)))
    assert siege[4:] == (*counts, (), 0, 0, 0, beside, ())


def test_the_digest_of_every_ruleset_is_that_of_the_document() -> None:
    rows = [line.split("|") for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    said = {row[1].strip(" `"): row[-2].strip(" `") for row in rows if len(row) == 8 and len(row[-2].strip(" `")) == 64}
    assert {name: one.digest.hex() for name, one in rules.RULESETS.items()} == said
    assert len(said) == 8


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
    base = rules.RULESETS["base"]
    texts = [card.text for card in base.numbered]
    for mine, theirs, elsewhere, may in rows:
        position = game.Game(base, 0)
        sides = [[texts.index(card) for card in side.split()] for side in (mine, theirs)]
        gone = {texts.index(card) for card in elsewhere.split()}
        position.at_stone(4, game.Stone(tuple((seat, card) for seat in (0, 1) for card in sides[seat])))
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
    """The proofs of each seventh of its records are checked; those of the golden game all are."""
    pair = Pair.new(SEED, sitting=4).play(patient)
    assert pair.state is not None
    assert pair.state.ply >= 54
    data = file_of(pair.records)
    assert agreed(data, read(pair, SEED, every=7)) == Verdict(True, None, None, None, True, True, (0, 1))
    assert b"nobody" not in data  # the outcome travels as numbers
    assert body_of(pair.records[-3])[1][1] == 2  # type: ignore[index]  # [winner, reason, points, points]
