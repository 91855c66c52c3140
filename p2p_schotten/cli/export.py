"""`schotten export`: a transcript in another form. The transcript itself stays the thing that proves anything."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.moments import Story
    from p2p_schotten.protocol.offer import Offer
    from p2p_schotten.transcript import Moment

app = typer.Typer(add_completion=False)

VERSION = 1
Tree = dict[str, object]


class Form(StrEnum):
    """What can be written."""

    TEXT = "text"
    JSON = "json"
    MSGPACK = "msgpack"


File = Annotated[str, typer.Argument(metavar="FILE")]
Format = Annotated[Form, typer.Option("--format", metavar="FORM")]


@app.command()
def export(file: File, form: Format = Form.TEXT) -> int:
    """Write the game to standard output; 1 when the file is not good to its end (what is good is written)."""
    if form is Form.MSGPACK and sys.stdout.isatty():
        raise Failure(
            Status.USAGE,
            _("msgpack is not for a terminal"),
            _("schotten export {file} --format msgpack > game.msgpack").format(file=file),
        )
    from p2p_schotten.cli.files import read_or_fail, why_refused
    from p2p_schotten.cli.moments import story

    data = read_or_fail(file)
    told = story(data)
    match form:
        case Form.TEXT:
            print("\n".join(text(told)))
        case Form.JSON:
            print(json.dumps(tree(told), default=bytes.hex, indent=1))
        case Form.MSGPACK:
            import msgpack

            sys.stdout.buffer.write(msgpack.packb(tree(told)))
    if told.fault is not None:
        raise Failure(
            Status.FAILED,
            f"{file}: {why_refused(data, told.fault, len(told.moments))}",
            _("what stands before it is good"),
        )
    return Status.DONE


def text(told: Story) -> list[str]:
    """A header, then one line per decision as a player types it."""
    from p2p_schotten.crypto.identity import fingerprint
    from p2p_schotten.engine.notation import move_text

    session = told.session
    lines = []
    if session.hellos:
        lines += [f"rules {session.rules.name}", *(f"set {name}={value}" for name, value in session.rules.flags)]
        lines += _match_lines(session.offer)
        lines += [] if session.offer.options.clock is None else [f"clock {session.offer.options.clock}"]
    lines += [
        f"seat {seat} {name} {fingerprint(key)}"
        for seat, (name, key) in enumerate(zip(session.names, session.identities, strict=True))
    ]
    if session.game_id:
        lines.append(f"game {session.game_id.hex()}")
    for step in told.steps:
        if step.move is not None:
            lines.append(f"{step.number} seat {step.seat} {move_text(step.state.rules, step.move)}")
    outcome = session.outcome
    if outcome is None:
        lines.append("unfinished")
    else:
        winner = "drawn" if outcome.winner is None else f"seat {outcome.winner} wins"
        lines.append(f"{winner} by {outcome.reason.value}, points {outcome.points[0]} {outcome.points[1]}")
    return lines


def _match_lines(offer: Offer) -> list[str]:
    """Who was agreed to begin, and which game of which match this is; nothing for a game by itself."""
    first = [] if offer.options.first is None else [f"first seat {offer.options.first}"]
    if not offer.match.id:
        return first
    after = f" after {offer.match.previous.hex()}" if offer.match.previous else ""
    form = f"form {offer.options.form}" if offer.options.form else "form free"
    return [*first, f"match {offer.match.id.hex()} game {offer.match.number}{after}", form]


def _agreed(offer: Offer) -> Tree:
    """Rules, flags, who was agreed to begin (null: the coin said), place in a match and clock (null: none)."""
    first, match = offer.options.first, offer.match
    place = {"id": match.id, "number": match.number, "previous": match.previous, "form": offer.options.form}
    return {
        "rules": offer.rules.name,
        "flags": dict(offer.rules.flags),
        "first": None if first is None else int(first),
        "match": place if match.id else None,
        "clock": offer.options.clock,
    }


def tree(told: Story) -> Tree:
    """Everything on record; bytes stay bytes (hexadecimal in JSON). Stones count from 1 in moves, as a player types."""
    from p2p_schotten.crypto.identity import fingerprint
    from p2p_schotten.engine.fields import outcome_fields

    session, outcome = told.session, told.session.outcome
    dealt = told.hands(told.steps[0]) if told.steps else None
    return {
        "v": VERSION,
        **({"rules": ""} if session.offered is None else _agreed(session.offered)),
        "game": session.game_id,
        "players": [
            {"name": name, "key": key, "fingerprint": fingerprint(key)}
            for name, key in zip(session.names, session.identities, strict=True)
        ],
        "dealt": [[session.rules.text(card) for card in hand] for hand in dealt or ()],
        "records": [_record(moment) for moment in told.moments],
        "outcome": None if outcome is None else outcome_fields(outcome),
        "finished": session.finished,
    }


def _record(moment: Moment) -> Tree:
    from p2p_schotten.cli.moments import decision
    from p2p_schotten.engine.fields import describe_step
    from p2p_schotten.engine.notation import move_text

    record, session = moment.record, moment.session
    move, _seat = decision(record, session)
    events = []
    if session.state is not None:
        for event in session.events:
            kind, fields = describe_step(event, session.state)
            events.append({"event": kind, **fields})
    return {
        "seq": record.seq,
        "prev": record.prev,
        "seat": int(record.seat),
        "kind": record.kind.name,
        "body": record.body,
        "signature": record.signature,
        **({} if move is None else {"move": move_text(session.rules, move)}),
        "events": events,
    }
