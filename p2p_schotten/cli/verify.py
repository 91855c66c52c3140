"""`schotten verify`: one line per transcript, and status 0 only if every one holds a game that is over and valid."""

from __future__ import annotations

import json as json_lines
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.files import found, read
from p2p_schotten.cli.status import Status, one_line, os_sentence

if TYPE_CHECKING:
    from p2p_schotten.transcript import Verdict

app = typer.Typer(add_completion=False)

VERSION = 1
Files = Annotated[list[str], typer.Argument(metavar="FILE...")]
Unfinished = Annotated[bool, typer.Option("--allow-unfinished")]
Json = Annotated[bool, typer.Option("--json")]


@app.command()
def verify(files: Files, allow_unfinished: Unfinished = False, json: Json = False) -> int:
    """Fold every file; 1 when one of them is not what was asked for."""
    from p2p_schotten.crypto import group
    from p2p_schotten.transcript import verify as judge

    group.self_test()
    status = Status.DONE
    for name, problem in found(files):
        verdict: Verdict | None = None
        if not problem:
            try:
                verdict = judge(read(name))
            except OSError as error:
                problem = error.strerror or os_sentence(error)
        good = verdict is not None and (verdict.over or (allow_unfinished and verdict.valid))
        status = status if good else Status.FAILED
        if json:
            print(json_lines.dumps(facts(name, good, verdict, problem)), flush=True)
        else:
            print(one_line(f"{name}: {sentence(verdict) if verdict else problem}"), flush=True)
    return status


def sentence(verdict: Verdict) -> str:
    """The verdict in one line: how it ended, who played by which rules, who won, or what fails first."""
    fault = verdict.fault
    parts = [verdict.ending() if fault is not None else f"valid, {verdict.ending()}"]
    if fault is not None:
        blamed = "nobody" if fault.blame is None else f"seat {fault.blame}"
        parts.append(f"this convicts {blamed}")
    elif verdict.session.hellos:
        parts += [verdict.session.hellos[0].ruleset, " against ".join(_players(verdict))]
        outcome = verdict.session.outcome
        if outcome is not None:
            winner = "drawn" if outcome.winner is None else f"seat {outcome.winner} won"
            parts.append(f"{winner} by {outcome.reason.value} {outcome.points[0]}-{outcome.points[1]}")
        if verdict.reproducible is not None:
            parts.append("made again byte for byte" if verdict.reproducible else "not reproducible")
    parts.append(f"{verdict.records} records")
    return "; ".join(parts)


def facts(name: str, good: bool, verdict: Verdict | None, problem: str) -> dict[str, object]:
    """The same as one JSON object. `blame` and `winner` are seats or null."""
    start: dict[str, object] = {"v": VERSION, "file": name, "ok": good}
    if verdict is None:
        return {**start, "valid": False, "error": problem}
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
        "rules": session.hellos[0].ruleset if session.hellos else None,
        "names": list(session.names),
        "fingerprints": _fingerprints(verdict),
        "game": session.game_id.hex() or None,
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "reason": outcome.reason.value, "points": list(outcome.points)},
        "fault": None
        if fault is None
        else {"record": fault.seq, "cause": fault.cause.value, "detail": fault.detail, "blame": fault.blame},
    }


def _fingerprints(verdict: Verdict) -> list[str]:
    from p2p_schotten.crypto.identity import fingerprint

    return [fingerprint(key) for key in verdict.session.identities]


def _players(verdict: Verdict) -> list[str]:
    return [f"{name} ({print_})" for name, print_ in zip(verdict.session.names, _fingerprints(verdict), strict=True)]
