"""The specification says what the program does: names, numbers and examples of docs/protocol.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from p2p_schotten.engine.flags import FLAGS
from p2p_schotten.engine.move import (
    Betray,
    BlowUp,
    Claim,
    Desert,
    Discard,
    Done,
    Draw,
    Exchange,
    GiveFrom,
    Oil,
    Pass,
    Play,
    PublicMove,
    Recruit,
    Redeploy,
    Resign,
    Retreat,
    ReturnFrom,
    Scout,
    Support,
    move_code,
)
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.engine.state import state_code
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, CardId, DeckId, StoneId
from p2p_schotten.net.frames import MOST_BYTES, Tag
from p2p_schotten.net.handshake import Role
from p2p_schotten.protocol.record import MAX_RECORD
from p2p_schotten.protocol.resume import MAX_RECORDS, MAX_STAND, Stand
from p2p_schotten.protocol.session import REASONS, rules_digest

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")]


def rows(width: int, first: str) -> list[list[str]]:
    """The rows of that many cells whose first cell is of that form."""
    return [row for row in ROWS if len(row) == width and re.fullmatch(first, row[0])]


def test_every_ruleset_stands_with_its_digest_its_hand_and_its_decks() -> None:
    found = {row[0].strip("`"): row for row in rows(6, "`[a-z-]+`")}
    assert set(found) == set(RULESETS)
    for name, (_, numbered, tactics, hand, claims, digest) in found.items():
        rules = ruleset(name)
        assert (int(hand), claims) == (rules.hand_size, rules.claims.value)
        assert digest.strip("`") == rules_digest(rules).hex()
        assert numbered.startswith(rules.decks[0].name)
        assert bool(tactics) == (len(rules.decks) == 2)


def test_every_tactic_card_stands_in_the_order_of_its_id() -> None:
    for name, words in (("tactic", "clan"), ("battle-line", "troop"), ("siege-tactic", "siege")):
        deck = ruleset(name).decks[1]
        ((where, listed),) = rows(2, f"{words} tactics, .*")
        assert where == f"{words} tactics, {deck.cards[0].id}-{deck.cards[-1].id}"
        said = []
        for card in deck.cards:
            assert card.power is not None
            values = f" {card.wild[0]}-{card.wild[1]}" if card.wild else ""
            said.append(f"{card.text} {card.power.value}{values}")
        assert listed.split(", ") == said


def test_the_tiles_of_a_siege_stand_from_left_to_right() -> None:
    tiles = []
    for tile in ruleset("siege").tiles:
        assert tile.damaged is not None
        tiles.append(f"({tile.size} `{tile.contest}`, {tile.damaged.size} `{tile.damaged.contest}`)")
    assert ", ".join(tiles) in " ".join(TEXT.split())


def test_every_flag_stands_with_its_values() -> None:
    part = TEXT[TEXT.index("**Flags.**") : TEXT.index("### 3.4")]
    found = {row[0].strip("`"): row[1] for row in rows(4, "`[a-z0-9_]+`") if f"| {row[0]} | {row[1]} |" in part}
    assert set(found) == set(FLAGS)
    for name, flag in FLAGS.items():
        assert found[name] == ", ".join(f"`{value}`" for value in flag.values)


C, S, D = CardId(9), StoneId(5), DeckId(1)
EVERY: dict[str, PublicMove] = {
    "play": Play(C, S),
    "claim": Claim(S),
    "draw": Draw(D),
    "done": Done(),
    "pass": Pass(),
    "resign": Resign(),
    "scout": Scout(C),
    "redeploy": Redeploy(C, CardId(7), S),
    "desert": Desert(C, CardId(7)),
    "betray": Betray(C, CardId(7), S),
    "recruit": Recruit(C, CardId(7), S),
    "blow up": BlowUp(C, S, own=True),
    "support": Support(C, (CardId(7), CardId(8))),
    "exchange": Exchange(C),
    "return": ReturnFrom(D),
    "give": GiveFrom((D,)),
    "oil": Oil(S),
    "retreat": Retreat(S),
    "discard": Discard(C),
}
MEANING = {"c": 9, "s": 5, "d": 1, "moved": 7, "target": 7, "own": 1, "one": 7, "two": 8, "card": 9}


@pytest.mark.parametrize("name", list(EVERY))
def test_every_move_is_coded_as_it_stands_there(name: str) -> None:
    (row,) = rows(4, name)
    code = row[1].split(" or ")[-1].strip("()").replace(", ...", "").split(", ")
    assert tuple(int(part) if part.isdigit() else MEANING[part] for part in code) == move_code(EVERY[name])


def test_a_redeploy_into_the_discard_pile_has_three_numbers() -> None:
    (row,) = rows(4, "redeploy")
    assert row[1].startswith("(7, c, moved) or")
    assert move_code(Redeploy(C, CardId(7), None)) == (7, 9, 7)


def test_the_states_after_the_deal_stand_there() -> None:
    text = " ".join(TEXT.split())
    base = re.search(r"seat 0 first: `(.*?)`\.", text)
    assert base is not None
    stone = "((), (), 0, (), ())"
    shown = base[1].replace("(" + stone + ", ... nine times)", "(" + ", ".join([stone] * 9) + ")")
    assert ast.literal_eval(shown) == plain(state_code(new_game(ruleset("base"), SEATS[0]).state))
    siege = re.search(r"seven stones, then `(.*?)`\.", text)
    assert siege is not None
    code = plain(state_code(new_game(ruleset("siege-tactic"), SEATS[1]).state))
    assert code[:4] == (1, 1, 0, ((((), (), 0, (), ())),) * 7)
    assert ast.literal_eval(f"({siege[1]})") == code[4:]


def plain(code: object) -> tuple[object, ...]:
    """The code with its named integers as integers."""
    found = ast.literal_eval(repr(code))
    assert isinstance(found, tuple)
    return found


def test_the_codes_of_rules_stand_there() -> None:
    base, siege = plain(ruleset("base").code()), plain(ruleset("siege-tactic").code())
    text = " ".join(TEXT.split())
    cards = re.findall(r'\("[RGN]\d", \(\d, \d\)\)', text)
    assert len(cards) == 5
    assert all(repr(ast.literal_eval(card)) in repr(base[1]) for card in cards)
    tail = re.search(r'6, \(\(3, "_", .*$', TEXT, re.MULTILINE)
    assert tail is not None
    stone = '(3, "_", ())'
    assert ast.literal_eval("(" + tail[0].replace(f"{stone}, ... nine times", ", ".join([stone] * 9))) == base[2:]
    last = re.search(r'^    ("by the attacker.*\(\))$', TEXT, re.MULTILINE)
    assert last is not None
    assert ast.literal_eval(f"({last[1]})") == siege[4:]
    shown = re.findall(r"(?:first tile is|second tactic card|its last) (\([^`]*?\)+)(?=[,.] )", text + " ")
    assert len(shown) == 3
    assert all(repr(ast.literal_eval(one)) in repr(siege) for one in shown)


def test_every_reason_and_every_cause_stands_with_its_number_and_words() -> None:
    reasons: dict[int, str] = {}
    for one, said, _, two, says in rows(5, r"\d"):
        reasons |= {int(one): said.strip("`"), int(two): says.strip("`")}
    assert [reasons[number] for number in sorted(reasons)] == [reason.value for reason in REASONS]
    words = {row[0]: row[1].strip("`") for row in rows(4, "[A-Z]+") if row[1].startswith("`")}
    assert words == {cause.name: cause.value for cause in Cause}


def test_every_frame_stands_with_its_number_and_its_length() -> None:
    part = TEXT[TEXT.index("### 9.3") : TEXT.index("### 9.4")]
    found: dict[str, tuple[int, str]] = {}
    for numbers, names, _, most in rows(4, r"\d+(, \d+)?"):
        if f"| {numbers} | {names} |" in part:
            found |= {name: (int(n), most) for n, name in zip(numbers.split(", "), names.split(", "), strict=True)}
    assert {name: number for name, (number, _) in found.items()} == {tag.name: tag.value for tag in Tag}
    for name, (_, most) in found.items():
        if name != "RECORD":
            assert int(most.replace(",", "")) == MOST_BYTES.get(Tag[name], 0), name


def test_every_role_stands_with_its_number() -> None:
    (row,) = rows(2, "9")
    assert row[1].startswith("role: " + ", ".join(f"{role.value} {role.name.lower()}" for role in Role))


def test_the_stand_of_who_goes_on_stands_there_byte_by_byte() -> None:
    text = " ".join(TEXT[TEXT.index("### 7.2") : TEXT.index("## 8.")].split())
    assert f"always has {MAX_STAND} bytes" in text
    assert f"at most {MAX_RECORDS:,}" in text
    assert f"any RECORD may have {MAX_RECORD:,} bytes" in text
    places = [
        row[0] for row in rows(2, r"\d+-\d+") if row[1].startswith(("game id", "n, the number", "head, the hash"))
    ]
    sizes = [int(last) - int(first) + 1 for first, last in (place.split("-") for place in places)]
    assert (sizes, sum(sizes)) == ([32, 4, 32], MAX_STAND)
    shown = re.search(r"are `(\w\w)` x 32 `(\w{8})` `(\w\w)` x 32", text)
    assert shown is not None
    game, count, head = shown.groups()
    assert Stand(bytes.fromhex(game * 32), 7, bytes.fromhex(head * 32)).pack() == bytes.fromhex(
        game * 32 + count + head * 32
    )
