"""An honest game to start from, and the two verdicts that must be one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p_schotten import transcript
from p2p_schotten.engine.move import Resign
from p2p_schotten.ids import SEATS
from tests.independent.mutate import Mutator
from tests.independent.referee import advance
from tests.independent.session import Session
from tests.independent.verifier import Verdict, verify
from tests.protocol.pair import Pair, identity_of

SEED = 5  # of the pair: its fifth card opens a claim window, and another card in its place would not


@dataclass
class Honest:
    """An honest game: its records, what the slow verifier stood at before each of them, and both secret seeds."""

    records: tuple[bytes, ...]
    sessions: tuple[Session, ...]
    seeds: tuple[bytes, ...]
    pair_seed: int
    resigned: int = 0  # the number of records up to the resignation

    def mutator(self, seed: int) -> Mutator:
        return Mutator(self.records, lambda seat, message: identity_of(self.pair_seed, SEATS[seat]).sign(message), seed)


def resigned_game(seed: int = SEED) -> Honest:
    """Five cards, a claim window, and in it a resignation; then the shares that are owed, the seals and the reveals."""
    pair = Pair.new(seed)
    pair.until(lambda at: not at.queue and at.state is not None and bool(at.state.claimable))
    pair.move(lambda peer: Resign())
    resigned = len(pair.records) + 1
    pair.play()
    return replace(read(pair, seed), resigned=resigned)


def read(pair: Pair, seed: int, every: int = 1) -> Honest:
    """The game of that pair, of whose records each so many are read with their proofs; changes always are."""
    sessions = [Session(every=every)]
    for record in pair.records:
        sessions.append(advance(sessions[-1], record))
    for session in sessions:
        session.every = 1
    return Honest(tuple(pair.records), tuple(sessions), tuple(peer.secret_seed for peer in pair.peers), seed)


def of_the_package(data: bytes) -> Verdict:
    said = transcript.verify(data)
    fault = said.fault
    if fault is None:
        return Verdict(True, None, None, None, said.over, len(said.sealed) == 2, said.revealed)
    place, cause = fault.seq, fault.cause.value
    return Verdict(False, place, cause, fault.blame, said.over, len(said.sealed) == 2, said.revealed)


def agreed(data: bytes, honest: Honest | None = None) -> Verdict:
    """The verdict that both give; `honest` saves the slow one the records that are those of the honest game."""
    ours = verify(data, prefix=honest.sessions if honest else ())
    theirs = of_the_package(data)
    if ours.valid:
        assert theirs == ours
    else:
        assert theirs[:4] == ours[:4]
        assert not theirs.over
    return ours
