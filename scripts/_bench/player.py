"""Plays random base games with whatever engine is on PYTHONPATH: per line of input (a seed) the CPU seconds they took.

Its first line says which engine that is. It uses only what the engine has had since its first version.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import p2p_schotten
from p2p_schotten.engine.move import Claim
from p2p_schotten.engine.rules import legal_moves
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.engine.table import deal, play
from p2p_schotten.ids import SEATS


def main(games: int) -> None:
    """Answers until its input ends."""
    rules = ruleset("base")
    print(Path(str(p2p_schotten.__file__)).resolve(), flush=True)
    for line in sys.stdin:
        chance = random.Random(int(line))
        began = time.process_time()
        for _ in range(games):
            table = deal(rules, chance.choice(SEATS), (chance.sample(range(54), 54),))
            while not table.state.over:
                moves = legal_moves(table.state, table.hands[table.state.to_move])
                table, _ = play(table, moves[0] if isinstance(moves[0], Claim) else chance.choice(moves))
        print(time.process_time() - began, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
