"""What one side wants of the other's HELLO, beside what both HELLOs must agree on (terms.py): no file knows it."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Cause, PeerFault
from p2p_schotten.protocol.messages import Hello, Match, Options
from p2p_schotten.protocol.offer import Offer, differences


@dataclass(frozen=True, slots=True)
class Wanted:
    """None: whatever is offered and known."""

    rules: Ruleset | None
    options: Options | None
    match: Match | None
    identity: bytes | None  # the key that the other proved in the channel
    name: str | None  # what he called himself in the first game over this connection

    def check(self, seq: int, mine: bytes, hello: Hello, offer: Offer) -> None:
        """The other's HELLO, record `seq`, is wanted by me, whose key is `mine`; raises PeerFault without blame."""
        if self.identity is not None and hello.identity != self.identity:
            raise PeerFault(seq, Cause.IDENTITY, "the key is not the one proven in the channel", None)
        if hello.identity == mine:
            raise PeerFault(seq, Cause.IDENTITY, "this is my own identity", None)
        if self.name not in (None, hello.name):
            detail = f"the name is {hello.name!r}, in the first game over this connection it was {self.name!r}"
            raise PeerFault(seq, Cause.HELLO, detail, None)
        insisted = Offer(
            offer.rules if self.rules is None else self.rules,
            offer.options if self.options is None else self.options,
            offer.match if self.match is None else self.match,
        )
        if insisted != offer:
            raise PeerFault(seq, Cause.RULES, f"another game is offered: {differences(insisted, offer)}", None)
