"""What became of every attack: each test of the attack table is held to its own lines of tests/golden/attacks.txt.

The assertions about refusals (tests/protocol/liar.py and a few tests) report what was refused, where, why, and whom it
blames; behind each test the reports are compared with the list. docs/security.md shows the list as a table, and
test_attacks_table.py holds the page against it, so neither can drift. `scripts/attacks.py` writes both anew.

This module is a pytest plugin (tests/conftest.py registers it).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from p2p_schotten.errors import ChannelError, InvalidProof, Malformed, PeerFault, TranscriptError
from p2p_schotten.ids import Seat
from p2p_schotten.protocol.closing import read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import Verdict
from tests.protocol.attack_table import ROWS, How, Row

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "golden" / "attacks.txt"
PAGE = ROOT / "docs" / "security.md"
BEGIN = "<!-- attacks: written by scripts/attacks.py -->"
END = "<!-- attacks: end -->"
WRITING = "SCHOTTEN_ATTACKS"  # set: the list and the page are written, and only tests of attacks run
NOBODY, AUTHOR, OTHER = "nobody", "its author", "who named the face"
CHANNEL, ANY, FILE, BEHIND = "before any record", "anything", "the file", "behind the last record"
SILENT = "a test of the attack table must say what was refused (tests/attacks.py)"
HINT = "docs/security.md would say something else: run scripts/attacks.py and look at the difference"
UNFINISHED, VALID = "none: it is unfinished", "none: it is valid"


@dataclass(frozen=True, slots=True, order=True)
class Report:
    """One refusal: what was due when it came, the error, and whom a third party would blame."""

    place: str
    error: str
    blame: str

    def line(self) -> str:
        """As it stands in the list."""
        return f"    {self.place} | {self.error} | {self.blame}"


_now: set[Report] | None = None  # of the test that runs
_cases: dict[str, set[str]] = {}  # "module::test" -> the ids of all its cases
_seen: dict[str, set[Report]] = {}


def report(place: str, error: str, blame: str = NOBODY) -> None:
    """The test that runs saw this refusal."""
    if _now is not None:
        _now.add(Report(place, error, blame))


def report_channel(error: object) -> None:
    """The connection ended with that error before there was a record."""
    assert isinstance(error, ChannelError | InvalidProof)
    report(CHANNEL, f"connection refused (`{type(error).__name__}`)")


def report_fault(session: Session, data: bytes, fault: PeerFault) -> None:
    """The record `data`, which came on that session, was refused."""
    report(place_of(session), fault.cause.value, _blame(fault.blame, data))


def report_file(data: bytes, verdict: Verdict) -> None:
    """The file was refused, or is not over and blames nobody."""
    if verdict.fault is None:
        report(FILE, UNFINISHED if not verdict.over else VALID)
        return
    try:
        items = read_file(data).items
    except TranscriptError:
        report(FILE, verdict.fault.cause.value, _blame(verdict.fault.blame, b""))
        return
    refused = items[verdict.records] if verdict.records < len(items) else b""
    report_fault(verdict.session, refused, verdict.fault)


def place_of(session: Session) -> str:
    """Which record was due, and by whom."""
    due = session.due()
    return BEHIND if due is None else f"{due[1].name} {due[0]}"


def _blame(blame: Seat | None, data: bytes) -> str:
    if blame is None:
        return NOBODY
    return AUTHOR if _author(data) == blame else OTHER


def _author(data: bytes) -> Seat | None:
    """Who says to have written a record or a CLOSE."""
    try:
        item = read_item(data) or read_record(data)
    except Malformed:
        return None
    return item.seat


# The list


@cache
def read_list() -> dict[str, tuple[Report, ...]]:
    """The id of each case -> its reports."""
    found: dict[str, tuple[Report, ...]] = {}
    case = ""
    for line in LIST.read_text("utf-8").splitlines() if LIST.exists() else []:
        if line.startswith("    "):
            place, error, blame = line.strip().split(" | ")
            found[case] = (*found[case], Report(place, error, blame))
        elif line and not line.startswith("#"):
            case = line
            found[case] = ()
    return found


def write_list(seen: Mapping[str, Collection[Report]]) -> None:
    """The list says what was seen."""
    lines = ["# What each case of a test of attacks saw refused: what was due | the error | whom it blames.", "#"]
    lines.append("# scripts/attacks.py writes this file; each test is held to its lines (tests/attacks.py).")
    for case in sorted(seen):
        lines += ["", case, *(each.line() for each in sorted(seen[case]))]
    LIST.write_text("\n".join(lines) + "\n", "utf-8")
    read_list.cache_clear()


def check(case: str, seen: set[Report], cases: set[str], listed: Mapping[str, tuple[Report, ...]]) -> None:
    """The list says of that case what it saw, and of its test these cases and no others; else AssertionError."""
    assert seen, SILENT
    assert {each for each in listed if function_of(each) == function_of(case)} == cases, HINT
    assert listed[case] == tuple(sorted(seen)), HINT


def function_of(case: str) -> str:
    """ "module::test" of the id of a case."""
    path, test = case.split("::", 1)
    return f"{path.removesuffix('.py').replace('/', '.')}::{test.split('[')[0]}"


# The page


def table(found: dict[str, tuple[Report, ...]]) -> str:
    """The table of the page, one part for each group of attacks."""
    seen: dict[str, set[Report]] = {}
    for case, reports in found.items():
        seen.setdefault(function_of(case), set()).update(reports)
    lines = [""]
    for group, rows in ROWS.items():
        lines += ["", f"### {group.capitalize()}", ""]
        lines += ["| attack | comes where this is due | error | who is blamed | caught by |", "|---|---|---|---|---|"]
        for row in rows:
            lines += _rows(row, {each for test in row.tests for each in seen.get(test, ())})
    return "\n".join(lines) + "\n\n"


_CAUGHT: dict[How, str] = {"live": "the game", "spliced": "`verify`", "both": "both", "later": "not tested yet"}


def _rows(row: Row, reports: set[Report]) -> list[str]:
    answers = sorted({(each.error, each.blame) for each in reports}) or [("", "")]
    lines = []
    for at, (error, blame) in enumerate(answers):
        places = {each.place for each in reports if (each.error, each.blame) == (error, blame)}
        first = (row.title or row.attack, _CAUGHT[row.how]) if at == 0 else ("", "")
        lines.append(f"| {first[0]} | {_places(places)} | {error} | {blame} | {first[1]} |")
    return lines


def _places(places: set[str]) -> str:
    """The kinds of records in the order of a game, then other places. Whose record it was is a choice of the test."""
    words = {place.removesuffix(" 0").removesuffix(" 1") for place in places}
    kinds = [kind.name for kind in Kind if kind.name in words]
    others = sorted(words.difference(kinds))
    return ", ".join([*(["any record"] if len(kinds) == len(Kind) else kinds), *others])


def shown(page: str) -> str:
    """The table as it stands in the page."""
    return _parts(page)[1]


def with_table(page: str, new: str) -> str:
    """The page with another table."""
    before, _old, after = _parts(page)
    return f"{before}{BEGIN}{new}{END}{after}"


def _parts(page: str) -> tuple[str, str, str]:
    before, rest = page.split(BEGIN)
    inside, after = rest.split(END)
    return before, inside, after


# The plugin


def _function(item: pytest.Item) -> str | None:
    """ "module::test" of a test of the attack table."""
    function = function_of(item.nodeid)
    return function if function in TESTS else None


TESTS = frozenset(test for rows in ROWS.values() for row in rows for test in row.tests)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[
    None, pytest.Item | pytest.Collector | list[pytest.Item | pytest.Collector] | None, object
]:
    """All cases of a test are known, also where only some of them run."""
    made = yield
    for item in made if isinstance(made, list) else [made]:
        if isinstance(item, pytest.Item) and (function := _function(item)) is not None:
            _cases.setdefault(function, set()).add(item.nodeid)
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test of the table saw refused what stands in the list, and the list knows all its cases and no others."""
    global _now
    function = _function(item)
    if function is None:
        return (yield)
    seen: set[Report] = set()
    _now = seen
    try:
        result = yield
    finally:
        _now = None
    if WRITING in os.environ:
        assert seen, SILENT
        _seen[item.nodeid] = seen
    else:
        check(item.nodeid, seen, _cases[function], read_list())
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where the list is written, only what stands in it runs."""
    if WRITING in os.environ:
        items[:] = [item for item in items if _function(item) is not None]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """The list and the page are written, if all tests passed."""
    if WRITING not in os.environ or exitstatus != pytest.ExitCode.OK:
        return
    kept = {case: each for case, each in read_list().items() if function_of(case) in TESTS - set(_cases)}
    write_list({**kept, **_seen})
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), table(read_list())), "utf-8")
