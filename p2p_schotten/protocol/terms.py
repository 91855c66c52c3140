"""What two HELLOs must agree on before there is a game."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from p2p_schotten.errors import Cause, Malformed, PeerFault
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import SINGLE_GAME, Hello
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
    if hello.ruleset not in session.known or rules_digest(session.known[hello.ruleset]) != hello.rules_digest:
        refuse(Cause.RULES, "a ruleset, or flags of it, that this program does not have: it cannot judge")
    if hello.options:
        refuse(Cause.RULES, "expected no options, this version knows none")
    if hello.match != SINGLE_GAME:
        refuse(Cause.RULES, "expected a single game, this version plays no matches")
    try:
        check_name(hello.name)
    except Malformed as error:
        refuse(Cause.HELLO, str(error))
    if session.hellos:
        offer = session.hellos[0]
        if hello.identity == offer.identity:
            refuse(Cause.IDENTITY, "both seats have one identity")
        if first > offer.versions[1] or last < offer.versions[0]:
            refuse(Cause.VERSION, "the seats speak no common version of the protocol")
        if not low <= min(last, offer.versions[1]) <= high:
            refuse(Cause.VERSION, f"the seats agree on version {min(last, offer.versions[1])}, expected {low}-{high}")
        if hello.terms() != offer.terms():
            refuse(Cause.RULES, "the two seats do not agree on ruleset, flags, options or match")
    hellos = (*session.hellos, hello)
    return replace(session, hellos=hellos, game_id=game_id_of(hellos) if len(hellos) == len(SEATS) else b"", events=())
