"""Rules, flags, first seats and matches in a HELLO: the package and tests/independent know the same offers."""

from __future__ import annotations

import pytest

from tests.engine.variants import VARIANTS
from tests.independent.honest import Honest, agreed
from tests.independent.mutate import body_of, fields_of, file_of
from tests.independent.rules import RULESETS, Options, Unknown, rules_of
from tests.independent.wire import Value, h32

VALID, RULES, FORM = (True, None), (False, "rules"), (False, "undecodable bytes")
SINGLE: list[Value] = [b"", 1, b""]
ID, HEAD = bytes(range(32)), bytes(range(1, 33))
ANSWERS = {
    "claim_timing": ("after_play", "start_of_turn"),
    "joker_limit": ("on", "off"),
    "mode_targetable": ("on", "off"),
    "return_to": ("bottom", "top"),
    "ruse_takes": ("any", "clan"),
    "st2_colour_run_bonus": ("on", "off"),
    "st2_full_defender_wins": ("on", "off"),
    "tactics": ("on", "off"),
}
SENSELESS = {
    "claim_timing": ("siege", "siege-tactic"),
    "joker_limit": ("base", "battle-line-plain", "siege"),
    "mode_targetable": ("base", "battle-line-plain", "siege", "siege-tactic"),
    "return_to": ("base", "battle-line-plain", "siege", "siege-tactic"),
    "ruse_takes": ("base", "battle-line-plain", "siege"),
    "st2_colour_run_bonus": tuple(name for name in RULESETS if not name.startswith("siege")),
    "st2_full_defender_wins": tuple(name for name in RULESETS if not name.startswith("siege")),
    "tactics": (),
}
"""The rulesets in which a flag has no meaning (3.3)."""


def hello(
    honest: Honest, seat: int, name: str, options: list[Value], match: list[Value], digest: bytes, head: bytes
) -> bytes:
    """The HELLO of the honest game with another offer."""
    nonce, versions, suite, _, _, _, *rest = body_of(honest.records[seat])
    body: list[Value] = [nonce, versions, suite, name, digest, options, *rest[:-1], match]
    fields = fields_of(honest.records[seat])
    return honest.mutator(0).signed([fields[0], head, *fields[2:4], body])


def offered(
    honest: Honest, name: str, flags: Options = (), more: Options = (), match: list[Value] = SINGLE
) -> tuple[bool, str | None]:
    """The verdict of both on this offer of seat 0, whose options are sorted, with the digest of these flags."""
    try:
        digest = rules_of(name, flags).digest
    except Unknown:
        digest = RULESETS["base"].digest
    said: list[Value] = [[*option] for option in sorted((*flags, *more))]
    verdict = agreed(file_of([hello(honest, 0, name, said, match, digest, bytes(32))]))
    return verdict.valid, verdict.cause


def test_every_ruleset_and_every_variant_is_an_offer(honest: Honest) -> None:
    for rules in VARIANTS:
        flags = tuple((str(flag), str(value)) for flag, value in rules.flags)
        assert offered(honest, rules.name, flags) == VALID
    assert {rules.name for rules in VARIANTS} == set(RULESETS)


@pytest.mark.parametrize("name", RULESETS)
def test_a_flag_is_an_offer_exactly_where_it_means_something_and_says_something_else(honest: Honest, name: str) -> None:
    for flag, values in ANSWERS.items():
        verdicts = [offered(honest, name, ((flag, value),)) for value in values]
        senseless = name in SENSELESS[flag]
        assert sorted(verdicts) == sorted([RULES, RULES] if senseless else [RULES, VALID]), (flag, verdicts)


def test_options_are_said_in_one_way_only(honest: Honest) -> None:
    digest = RULESETS["tactic"].digest
    limit = rules_of("tactic", (("joker_limit", "off"),)).digest
    match: list[Value] = [ID, 1, b""]
    rows: list[tuple[list[Value], list[Value], bytes, tuple[bool, str | None]]] = [
        ([], SINGLE, digest, VALID),
        ([], SINGLE, limit, RULES),
        ([["joker_limit", "off"]], SINGLE, digest, RULES),
        ([["joker_limit", "off"]], SINGLE, limit, VALID),
        ([["joker_limit", "off"], ["joker_limit", "off"]], SINGLE, limit, RULES),
        ([["first", "1"], ["joker_limit", "off"]], SINGLE, limit, VALID),
        ([["joker_limit", "off"], ["first", "1"]], SINGLE, limit, RULES),
        ([["joker_limit", "no"]], SINGLE, limit, RULES),
        ([["Joker_limit", "off"]], SINGLE, limit, RULES),
        ([["first", "0"]], SINGLE, digest, VALID),
        ([["first", "2"]], SINGLE, digest, RULES),
        ([["first", ""]], SINGLE, digest, RULES),
        ([["first", "0"], ["first", "1"]], SINGLE, digest, RULES),
        ([["match", "rounds 3"]], SINGLE, digest, RULES),
        ([["match", "rounds 3"]], match, digest, VALID),
        ([["match", "~" * 32]], match, digest, VALID),
        ([["match", "~" * 33]], match, digest, RULES),
        ([["match", ""]], match, digest, RULES),
        ([["match", "é"]], match, digest, RULES),
        ([["match", "a\x7f"]], match, digest, RULES),
        ([["clock", "10"]], SINGLE, digest, VALID),
        ([["clock", "86400"]], SINGLE, digest, VALID),
        ([["clock", "9"]], SINGLE, digest, RULES),
        ([["clock", "86401"]], SINGLE, digest, RULES),
        ([["clock", "060"]], SINGLE, digest, RULES),
        ([["clock", " 60"]], SINGLE, digest, RULES),
        ([["clock", "6\u0660"]], SINGLE, digest, RULES),
        ([["clock", ""]], SINGLE, digest, RULES),
        ([["first", "0"], ["clock", "60"]], SINGLE, digest, RULES),
        ([["zeal", "on"]], SINGLE, digest, RULES),
        ([["first", "1", ""]], SINGLE, digest, FORM),
        ([["first", 1]], SINGLE, digest, FORM),
        ([["first", "y" * 65]], SINGLE, digest, FORM),
        ([[chr(97 + at), "x"] for at in range(11)], SINGLE, digest, RULES),
        ([[chr(97 + at), "x"] for at in range(12)], SINGLE, digest, FORM),
        ([], match, digest, VALID),
        ([], [ID, 2, HEAD], digest, VALID),
        ([], [ID, 255, HEAD], digest, VALID),
        ([], [ID, 256, HEAD], digest, FORM),
        ([], [ID, 2, b""], digest, RULES),
        ([], [ID, 1, HEAD], digest, RULES),
        ([], [b"", 2, HEAD], digest, RULES),
        ([], [b"", 2, b""], digest, RULES),
        ([], [b"", 1, HEAD], digest, RULES),
        ([], [ID[:31], 1, b""], digest, FORM),
    ]
    for options, game, said, expected in rows:
        record = hello(honest, 0, "tactic", options, game, said, bytes(32))
        verdict = agreed(file_of([record]))
        assert (verdict.valid, verdict.cause, verdict.blame) == (*expected, None), (options, game)


def test_the_second_hello_must_say_what_the_first_says(honest: Honest) -> None:
    digest, flagged = RULESETS["siege"].digest, rules_of("siege", (("st2_colour_run_bonus", "on"),)).digest
    first: list[Value] = [["first", "1"], ["match", "roles"]]
    opening = hello(honest, 0, "siege", first, [ID, 2, HEAD], digest, bytes(32))
    rows: list[tuple[str, list[Value], list[Value], bytes, bool]] = [
        ("siege", first, [ID, 2, HEAD], digest, True),
        ("siege", [["first", "0"], first[1]], [ID, 2, HEAD], digest, False),
        ("siege", first[:1], [ID, 2, HEAD], digest, False),
        ("siege", [["clock", "60"], *first], [ID, 2, HEAD], digest, False),
        ("siege", [*first, ["st2_colour_run_bonus", "on"]], [ID, 2, HEAD], flagged, False),
        ("siege", first, [ID, 3, HEAD], digest, False),
        ("siege", first, [HEAD, 2, HEAD], digest, False),
        ("siege", first, [ID, 2, ID], digest, False),
        ("base", first, [ID, 2, HEAD], RULESETS["base"].digest, False),
    ]
    for name, options, match, said, fits in rows:
        answer = hello(honest, 1, name, options, match, said, h32("head", opening))
        verdict = agreed(file_of([opening, answer]))
        assert verdict[:4] == ((True, None, None, None) if fits else (False, 1, "rules", None)), (options, match)
