"""Offers and scores as fields of JSON events and verdicts: seats are 0 and 1."""

from __future__ import annotations

from p2p_schotten.match import Standing, form_text
from p2p_schotten.protocol.offer import Offer

Fields = dict[str, object]


def offer_fields(offer: Offer) -> Fields:
    """Rules, flags that differ from them, who begins (null: the coin says), the match, the clock (null: none)."""
    first = offer.options.first
    return {
        "rules": offer.rules.name,
        "flags": dict(offer.rules.flags),
        "first": None if first is None else int(first),
        "match": offer.options.form,
        "number": offer.match.number,
        "clock": offer.options.clock,
    }


def score_fields(standing: Standing) -> Fields:
    """How the match stands after so many games; `winner` is null while it goes on and when it is shared."""
    return {
        "match": form_text(standing.form),
        "games": len(standing.games),
        "points": list(standing.points),
        "over": standing.over,
        "winner": standing.winner,
    }
