"""The front end for programs: one JSON object per line, versioned; docs/json.md lists every event and field."""

from __future__ import annotations

import json
from typing import TextIO, assert_never

from p2p_schotten.crypto import identity as keys
from p2p_schotten.engine.fields import Fields, describe_step, position, remembered_fields
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.notation import move_text
from p2p_schotten.engine.view import View
from p2p_schotten.ids import Seat
from p2p_schotten.protocol import events
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.ui.around import NOTHING, Around
from p2p_schotten.ui.desk import Action, Board, Desk
from p2p_schotten.ui.json_away import describe_away
from p2p_schotten.ui.json_end import VERSION
from p2p_schotten.ui.json_match import offer_fields, score_fields
from p2p_schotten.ui.notice import (
    Again,
    Chatted,
    Faulted,
    Happening,
    Introduced,
    Invited,
    Lost,
    Parted,
    Reconnecting,
    Recorded,
    Rematch,
    Resumed,
    Returned,
    Saved,
    Scored,
    Settled,
    Silent,
    TakenUp,
    TimeShort,
    TimeUp,
    TurnedAway,
)
from p2p_schotten.ui.voice import Voice


class JsonFront:
    """Every happening is a line on `out`, the last one apart; typed lines are the moves of the plain front end."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._desk = Desk(Voice(None, ("", "")))

    def meet(self, seat: int, names: tuple[str, str], around: Around = NOTHING) -> None:
        """My seat and both names are known."""
        self._desk.voice = Voice(Seat(seat), names)
        self._line("seated", {"seat": seat, "names": list(names)})

    def tell(self, happening: Happening, view: View | None) -> None:
        """One line."""
        if view is not None:
            self._desk.see(view)
        self._desk.time(happening)
        kind, fields = describe(happening, view)
        self._line(kind, fields)

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """The choices as the words that make them, with the position."""
        self._desk.ask(view, choices)
        rules = view.state.rules
        hand = [rules.text(card) for card in self._desk.hand]
        moves = [move_text(rules, move) for move in choices]
        fields: Fields = {"hand": hand, "choices": moves, "position": position(view.state)}
        self._line("choose", fields | remembered_fields(view))

    def answer(self, line: str) -> Action | None:
        """Refusals and answers become lines too."""
        reply = self._desk.answer(line)
        if isinstance(reply.action, Board):
            assert self._desk.view is not None  # the desk refuses `board` before the deal
            self._line("position", {"position": position(self._desk.view.state)})
            return None
        if reply.refused:
            self._line("refused", {"input": line.strip()[:200], "why": " ".join(reply.lines)})
        elif reply.lines:
            self._line("answer", {"lines": list(reply.lines)})
        return reply.action

    def refuse(self, why: str) -> None:
        """What an action asked for could not be done."""
        self._line("refused", {"why": why})

    def _line(self, kind: str, fields: Fields) -> None:
        print(json.dumps({"v": VERSION, "event": kind, **fields}), file=self._out, flush=True)


def describe(happening: Happening, view: View | None) -> tuple[str, Fields]:
    """The name of an event and its fields."""
    match happening:
        case events.Happened(event, state):
            return describe_step(event, state)
        case events.Offered(name, identity, rules, options, match):
            who: Fields = {"name": name, "fingerprint": keys.fingerprint(identity)}
            return "offered", {**who, **offer_fields(Offer(rules, options, match))}
        case events.Met(name, identity, game_id):
            return "met", {"name": name, "fingerprint": keys.fingerprint(identity), "game": game_id.hex()}
        case events.Took(cards):
            texts = [view.state.rules.text(card) for card in cards] if view else []
            return "took", {"cards": texts}
        case events.YourTurn():
            return "turn", {}
        case events.Sealed(seat):
            return "sealed", {"seat": seat}
        case events.Revealed(seat):
            return "revealed", {"seat": seat}
        case events.Finished():
            return "finished", {}
        case Invited(invite, addresses, fingerprint, offer):
            terms = {} if offer is None else offer_fields(offer)
            return "invite", {"invite": invite, "addresses": list(addresses), "fingerprint": fingerprint, **terms}
        case TakenUp(game, records):
            return "resuming", {"game": game, "records": records}
        case Introduced(name, fingerprint, known, twin):
            return "player", {"name": name, "fingerprint": fingerprint, "known": known, "twin": twin}
        case TurnedAway(why):
            return "turned away", {"why": why}
        case Chatted(seat, text):
            return "chat", {"seat": seat, "text": text}
        case Lost(why):
            return "lost", {"why": why}
        case Settled(why):
            return "settled", {"why": why}
        case Faulted(seat, fault, why, forfeit):
            return "fault", {"seat": seat, "fault": fault, "why": why, "forfeit": forfeit}
        case Saved(paths):
            return "saved", {"paths": list(paths)}
        case Scored(standing):
            return "score", score_fields(standing)
        case Rematch():
            return "rematch", {}
        case Again(seat):
            return "again", {"seat": seat}
        case Parted(why):
            return "parted", {"why": why}
        case Silent() | Returned() | Reconnecting() | Resumed() | TimeShort() | TimeUp() | Recorded():
            return describe_away(happening)
        case _:
            assert_never(happening)
