"""`schotten verify`: one line per transcript, and status 0 only if every one holds a game that is over and valid."""

from __future__ import annotations

import json as json_lines
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.absence import SUFFIX, absence_path
from p2p_schotten.cli.files import found, read, why_refused
from p2p_schotten.cli.status import Status, os_sentence
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import print_line

if TYPE_CHECKING:
    from p2p_schotten.cli.chains import Chain, Fork
    from p2p_schotten.engine.step import Outcome
    from p2p_schotten.errors import PeerFault
    from p2p_schotten.protocol.session import Session
    from p2p_schotten.transcript import Verdict

app = typer.Typer(add_completion=False)

VERSION = 1
MATCH_DIGITS = 8  # of the id of a match, in a sentence
NO_OFFER: dict[str, object] = {"rules": None}
Files = Annotated[list[str], typer.Argument(metavar="FILE...")]
Unfinished = Annotated[bool, typer.Option("--allow-unfinished")]
Json = Annotated[bool, typer.Option("--json")]


@app.command()
def verify(files: Files, allow_unfinished: Unfinished = False, json: Json = False) -> int:
    """Fold every file, then look at the matches among them; 1 when one of them is not what was asked for."""
    from p2p_schotten.cli.absences import Beside, beside, fact_lines, lines
    from p2p_schotten.cli.chains import Given, chains, forks
    from p2p_schotten.crypto import group
    from p2p_schotten.protocol.file import read_file
    from p2p_schotten.transcript import verify as judge

    group.self_test()
    status = Status.DONE
    given: list[Given] = []
    absences: list[Beside] = []
    for file, problem in found(files):
        name = _transcript(file)
        verdict: Verdict | None = None
        data = b""
        records: tuple[bytes, ...] = ()
        if not problem and not name.endswith(SUFFIX):
            try:
                data = read(name)
                verdict = judge(data)
                records = read_file(data).items[: verdict.records] if verdict.records else ()
                given.append(Given(verdict, records))
            except OSError as error:
                problem = error.strerror or os_sentence(error)
        good = verdict is not None and (verdict.over or (allow_unfinished and verdict.valid))
        status = status if good else Status.FAILED
        if name.endswith(SUFFIX):
            absences.append(beside(Path(name), ()))
        elif json:
            print(json_lines.dumps(facts(name, good, verdict, problem)), flush=True)
        else:
            print_line(f"{name}: {sentence(verdict, data) if verdict else problem}")
        if verdict is not None and name != "-" and absence_path(Path(name)).exists():
            absences.append(beside(absence_path(Path(name)), records, verdict))
    tell = partial(print, flush=True) if json else print_line
    for line in (fact_lines if json else lines)(absences):
        tell(line)
    parted = forks(given)
    for fork in parted:
        status = Status.FAILED
        tell(json_lines.dumps(fork_facts(fork)) if json else fork_sentence(fork))
    for chain in chains(given, {fork.game for fork in parted}):
        status = Status.FAILED if chain.broken else status
        tell(json_lines.dumps(chain_facts(chain)) if json else chain_sentence(chain))
    return status


def _transcript(name: str) -> str:
    """The transcript beside a win by absence, if it is there: that says the same, and what it stands beside."""
    from p2p_schotten.journal import SUFFIX as JOURNAL

    beside = Path(name).with_suffix(JOURNAL) if name.endswith(SUFFIX) else None
    return str(beside) if beside is not None and beside.is_file() else name


def sentence(verdict: Verdict, data: bytes) -> str:
    """The verdict on `data` in one line: how it ended, who won, who played by which rules; or what fails first."""
    fault, session = verdict.fault, verdict.session
    if fault is not None:
        why = _("refused: {why}").format(why=why_refused(data, fault, verdict.records))
        return f"{why}; {_convicted(verdict, fault)}"
    parts = [_("valid, {ending}").format(ending=_ending(verdict))]
    if session.outcome is not None:
        parts.append(_won(verdict, session.outcome))
    if session.hellos:
        parts += [_rules(session), _(" against ").join(_players(verdict))]
        if session.offer.match.id:
            line = _("game {n} of match {id}")
            parts.append(line.format(n=session.offer.match.number, id=session.offer.match.id.hex()[:MATCH_DIGITS]))
    if verdict.reproducible is False:
        parts.append(_("not reproducible"))
    return "; ".join(parts)


def _convicted(verdict: Verdict, fault: PeerFault) -> str:
    if fault.blame is None:
        return _("nobody is convicted")
    return _("this convicts {who}").format(who=_who(verdict, fault.blame))


def _rules(session: Session) -> str:
    """`tactic`, or `tactic with return_to=top`, and the clock if there is one."""
    rules, clock = session.rules, session.options.clock
    flags = ", ".join(f"{name}={value}" for name, value in rules.flags)
    line = _("{rules} with {flags}").format(rules=rules.name, flags=flags) if flags else rules.name
    return line if clock is None else _("{rules}, {n} s for a turn").format(rules=line, n=clock)


def fork_sentence(fork: Fork) -> str:
    """Two transcripts of one game that contradict each other, in one line: where they part, and whom that convicts."""
    line = _("game {id}: two of these transcripts contradict each other: {why}")
    told = line.format(id=fork.game.hex()[:MATCH_DIGITS], why=fork.fault)
    return f"{told}; {_convicted(fork.verdict, fork.fault)}"


def fork_facts(fork: Fork) -> dict[str, object]:
    """The same as one JSON object."""
    error = _("two of these transcripts contradict each other")
    return {"v": VERSION, "game": fork.game.hex(), "ok": False, "error": error, "fault": _fault_facts(fork.fault)}


def chain_sentence(chain: Chain) -> str:
    """A match in one line: which games, whether they are one chain, and how it stands."""
    from p2p_schotten.ui.matches import score_text
    from p2p_schotten.ui.voice import Voice

    start = _("match {id}: {games}").format(id=chain.id.hex()[:MATCH_DIGITS], games=chain.numbers)
    if chain.broken:
        return _("{match}; broken chain: {why}").format(match=start, why=chain.broken)
    if chain.standing is None:
        return _("{match}; what came before it is not here").format(match=start)
    first, second = chain.games[0].session.names
    names = (f"{first} 0", f"{second} 1") if first == second else (first, second)
    score = score_text(Voice(None, names), chain.standing)
    return _("{match}; one chain; {score}").format(match=start, score=score)


def chain_facts(chain: Chain) -> dict[str, object]:
    """The same as one JSON object; the fields of the score are null where it cannot be told."""
    from p2p_schotten.ui.json_match import score_fields

    return {
        "v": VERSION,
        "chain": chain.id.hex(),
        "ok": not chain.broken,
        "error": chain.broken,
        "ids": [game.session.game_id.hex() for game in chain.games],
        "score": None if chain.standing is None else score_fields(chain.standing),
    }


def _ending(verdict: Verdict) -> str:
    """How the game ended or where it stands, with names."""
    if verdict.closed is not None:
        return _("over, closed by {who} alone and proven").format(who=_who(verdict, verdict.closed))
    if not verdict.over:
        where = _("over, but an open face is not proven") if verdict.session.outcome else _("unfinished")
        speaker = verdict.session.speaker
        if speaker is None:
            return where
        return _("{where}: {name}'s record would be next").format(where=where, name=_name(verdict, speaker))
    done = tuple(
        word.format(who=_("both") if len(seats) == len(SEATS) else _who(verdict, seats[0]))
        for word, seats in ((_("sealed by {who}"), verdict.sealed), (_("revealed by {who}"), verdict.revealed))
        if seats
    )
    missing = () if verdict.sealed else (_("not sealed, proven by the shares on record"),)
    return ", ".join((_("over"), *missing, *done))


def _won(verdict: Verdict, outcome: Outcome) -> str:
    winner = outcome.winner
    if winner is None:
        return _("drawn {points}").format(points="-".join(map(str, outcome.points)))
    points = f"{outcome.points[winner]}-{outcome.points[other(winner)]}"
    line = _("{who} won {points} by {why}")
    return line.format(who=_who(verdict, winner), points=points, why=outcome.reason.value)


def _name(verdict: Verdict, seat: Seat) -> str:
    names = verdict.session.names
    return names[seat] if len(names) > seat else _("seat {n}").format(n=seat)


def _who(verdict: Verdict, seat: Seat) -> str:
    """`ann (seat 0)`: two players may have the same name."""
    names = verdict.session.names
    return _("{name} (seat {n})").format(name=names[seat], n=seat) if len(names) > seat else _name(verdict, seat)


def facts(name: str, good: bool, verdict: Verdict | None, problem: str) -> dict[str, object]:
    """The same as one JSON object. `blame` and `winner` are seats or null."""
    start: dict[str, object] = {"v": VERSION, "file": name, "ok": good}
    if verdict is None:
        return {**start, "valid": False, "error": problem}
    from p2p_schotten.ui.json_match import offer_fields

    session, fault, outcome = verdict.session, verdict.fault, verdict.session.outcome
    return {
        **start,
        "valid": verdict.valid,
        "over": verdict.over,
        "ending": verdict.ending(),
        "records": verdict.records,
        "sealed": list(verdict.sealed),
        "revealed": list(verdict.revealed),
        "closed": verdict.closed,
        "reproducible": verdict.reproducible,
        **(NO_OFFER if session.offered is None else offer_fields(session.offered)),
        "names": list(session.names),
        "fingerprints": _fingerprints(verdict),
        "game": session.game_id.hex() or None,
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "reason": outcome.reason.value, "points": list(outcome.points)},
        "fault": None if fault is None else _fault_facts(fault),
    }


def _fault_facts(fault: PeerFault) -> dict[str, object]:
    return {"record": fault.seq, "cause": fault.cause.value, "detail": fault.detail, "blame": fault.blame}


def _fingerprints(verdict: Verdict) -> list[str]:
    from p2p_schotten.crypto.identity import fingerprint

    return [fingerprint(key) for key in verdict.session.identities]


def _players(verdict: Verdict) -> list[str]:
    return [f"{name} ({print_})" for name, print_ in zip(verdict.session.names, _fingerprints(verdict), strict=True)]
