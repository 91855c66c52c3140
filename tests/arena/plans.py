"""Matches for tests."""

from __future__ import annotations

from p2p_schotten.arena.plan import Plan
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.protocol.session import rules_digest

FIRST, PLAIN = "tests.arena.bots:First", "tests.arena.bots:Plain"


def plan(*bots: str, rules: str = "base", seed: int = 1, sealed: bool = False) -> Plan:
    """The match of these bots, by default two that choose the first move."""
    return Plan(bots or (FIRST, PLAIN), rules, (), rules_digest(ruleset(rules)).hex(), seed, sealed)
