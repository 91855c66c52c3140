"""A ruleset of one's own: the example of docs/variants.md is played over the network and verified."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import trio

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Cause
from p2p_schotten.ids import other
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import parse_target
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.transcript import verify
from tests.net.game import GUEST, HOST, IDENTITIES, NAMES
from tests.net.sides import ANN, BOB, SECRET
from tests.net.test_link_sockets import one_side

PAGE = Path(__file__).resolve().parents[2] / "docs" / "variants.md"


def example() -> str:
    """The first program of the page."""
    found = re.search(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


def village() -> Ruleset:
    """The ruleset that the example makes."""
    names: dict[str, object] = {}
    exec(compile(example(), str(PAGE), "exec"), names)
    rules = names["VILLAGE"]
    assert isinstance(rules, Ruleset)
    return rules


def test_the_example_takes_fewer_than_40_lines() -> None:
    assert len([line for line in example().splitlines() if line.strip()]) < 40


async def test_a_ruleset_of_ones_own_is_played_over_the_network_and_verified(tmp_path: Path) -> None:
    rules = village()
    known = {rules.name: rules}
    peers = [
        Peer(
            seat,
            IDENTITIES[seat],
            NAMES[seat],
            rules if seat == HOST else None,
            os.urandom,
            other_identity=IDENTITIES[other(seat)].public,
            known=known,
        )
        for seat in (HOST, GUEST)
    ]
    paths: list[Path] = []
    async with open_lobby(ANN, secret=SECRET, bind="127.0.0.1") as lobby:

        async def guest() -> None:
            connection = await dial(parse_target(lobby.invite()), BOB)
            paths.append(await one_side(connection, peers[1], tmp_path / "bob", by_chance(2)))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest)
            paths.append(await one_side(await lobby.next(), peers[0], tmp_path / "ann", by_chance(1)))
    transcript = paths[0].read_bytes()
    assert transcript == paths[1].read_bytes()
    verdict = verify(transcript, known=known)
    assert verdict.fault is None
    assert (verdict.sealed, verdict.revealed, verdict.reproducible) == ((HOST, GUEST), (HOST, GUEST), True)
    assert verdict.session.rules == rules
    assert verdict.session.outcome is not None
    stranger = verify(transcript)
    assert stranger.fault is not None
    assert (stranger.fault.seq, stranger.fault.cause, stranger.fault.blame) == (0, Cause.RULES, None)


def by_chance(seed: int) -> Callable[[Peer], Move]:
    """Any legal move."""
    chance = Random(seed)
    return lambda peer: chance.choice(peer.choices())
