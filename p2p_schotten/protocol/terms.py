"""What two HELLOs must agree on before there is a game."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from p2p_schotten.errors import Cause, Malformed, PeerFault, Unreadable
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import Hello
from p2p_schotten.protocol.offer import differences, offer_of
from p2p_schotten.protocol.session import SUITE, VERSIONS, Session, game_id_of, rules_digest
from p2p_schotten.text import check_name


def agree(session: Session, seat: Seat, hello: Hello) -> Session:
    """The session with this HELLO in it; raises PeerFault. Nobody is blamed for wanting another game."""

    def refuse(cause: Cause, detail: str) -> NoReturn:
        raise PeerFault(session.seq, cause, detail, None) from None

    low, high = VERSIONS
    first, last = hello.versions
    if first > high or last < low:
        refuse(Cause.VERSION, f"seat {seat} speaks protocol {first}-{last}, expected {low}-{high}")
    if hello.suite != SUITE:
        refuse(Cause.RULES, f"expected the cryptographic suite {SUITE}, another was named")
    try:
        offer = offer_of(session.known, hello)
    except Unreadable as error:
        refuse(Cause.RULES, f"{error}; this program cannot judge such a game")
    if rules_digest(offer.rules) != hello.rules_digest:
        refuse(Cause.RULES, f"ruleset {offer.rules.name} has other cards, tiles or numbers there: it cannot judge")
    try:
        check_name(hello.name)
    except Malformed as error:
        refuse(Cause.HELLO, str(error))
    if session.hellos:
        before = session.hellos[0]
        if hello.identity == before.identity:
            refuse(Cause.IDENTITY, "both seats have one identity")
        if first > before.versions[1] or last < before.versions[0]:
            refuse(Cause.VERSION, "the seats speak no common version of the protocol")
        if not low <= min(last, before.versions[1]) <= high:
            refuse(Cause.VERSION, f"the seats agree on version {min(last, before.versions[1])}, expected {low}-{high}")
        if hello.terms() != before.terms():
            refuse(Cause.RULES, f"the answer is not what was offered: {differences(session.offer, offer)}")
    hellos = (*session.hellos, hello)
    game_id = game_id_of(hellos) if len(hellos) == len(SEATS) else b""
    return replace(session, hellos=hellos, offered=offer, game_id=game_id, events=())
