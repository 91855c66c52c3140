"""Teach the networks of the search bot by games that greedy plays against itself; writes p2p_schotten/bots/weights.py.

    python3 scripts/teach.py [--games 3000]      some 20 minutes; needs the extra `teach`

Each game begins with some chance moves; from then on every fifth decision gives what `Prospects.figures` says of each
stone that is not decided, once for each seat, beside who took that stone in the end. So that every stone is decided,
the games do not stop at five stones or three in a row. The same seed gives the same file on the same machine;
elsewhere the last digits may differ.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.prospects import Figures, Prospects, logit
from p2p_schotten.engine.cards import card_set
from p2p_schotten.engine.move import Claim
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Controlled, Event
from p2p_schotten.engine.table import Cards, Table, deal, play
from p2p_schotten.engine.view import view
from p2p_schotten.ids import SEATS, Seat

try:
    import numpy as np
except ImportError:
    raise SystemExit("teach: numpy is missing: pip install -e '.[teach]'") from None

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = {
    "PLAIN": ((False, False), ("base", "battle-line-plain")),
    "TACTIC": ((True, False), ("tactic", "expert", "battle-line", "battle-line-advanced")),
    "SIEGE": ((False, True), ("siege",)),
    "SIEGE_TACTIC": ((True, True), ("siege-tactic",)),
}
"""Per network: the games that it is for, and those that teach it."""

EVERY = 5  # decisions from one position that is learned from to the next
CHANCE_MOVES = 40  # a game begins with up to so many decisions of which some are left to chance
SHARES = (0.0, 0.1, 0.3)  # so many of these
HIDDEN = 12  # units
FIGURES = 10  # of a stone: see `Prospects.figures`
BATCH, ROUNDS, RATE = 512, 16, 5e-3
HELD_BACK = 0.2  # of the positions: they tell how well the rest was learned

Sample = tuple[int, Seat, int, Figures]
"""The number of the event after which it was taken, the seat, the stone, and its figures."""


def samples(state: State, hands: tuple[Cards, Cards], after: int) -> Iterator[Sample]:
    """What each seat may know of each stone that is not decided."""
    for seat in SEATS:
        prospects = Prospects(state, seat, card_set(hands[seat]))
        for number, stone in enumerate(state.stones):
            mine, theirs = stone.sides[seat], stone.sides[1 - seat]
            if stone.owner is None and not (mine.full and theirs.full):
                yield after, seat, number, prospects.figures(mine, theirs)


def game(rules: Ruleset, random: Random) -> tuple[list[Sample], Table, list[Event]]:
    """What can be learned from one game, its end, and all that happened in it."""
    order = [random.sample(range(len(deck.cards)), len(deck.cards)) for deck in rules.decks]
    table, happened, found = deal(rules, random.choice(SEATS), order), list[Event](), list[Sample]()
    bots = [make_bot("greedy", random.getrandbits(64)) for _ in SEATS]
    begin, share, decisions = random.randrange(CHANCE_MOVES), random.choice(SHARES), 0
    while not table.state.over:
        seat = table.state.to_move
        seen = view(table.state, seat, table.hands[seat], table.memories[seat])
        choices = seen.choices()
        decides = not isinstance(choices[0], Claim)
        decisions += decides
        if decides and decisions >= begin and (decisions - begin) % EVERY == 0:
            found += samples(table.state, table.hands, len(happened))
        by_chance = decides and decisions < begin and random.random() < share
        move = random.choice(choices) if by_chance else bots[seat].choose(seen)
        table, events = play(table, move, lambda pile: random.sample(pile, len(pile)))
        happened += events
    return found, table, happened


def lessons(rules: Ruleset, random: Random) -> Iterator[tuple[float, Figures]]:
    """Whether the seat took the stone (1 or 0), and the figures; stones that nobody took teach nothing."""
    found, table, happened = game(rules, random)
    end = table.state
    attacker = end.beside.attacker
    for after, seat, number, figures in found:
        if attacker is None:
            owner = end.stones[number].owner
        elif any(isinstance(event, Controlled) and event.stone == number for event in happened[after:]):
            owner = attacker
        else:
            owner = None if end.outcome is None or end.outcome.winner == attacker else SEATS[1 - attacker]
        if owner is not None:
            yield float(owner == seat), figures


def endless(rules: Ruleset) -> Ruleset:
    """The same game, played until every stone is decided."""
    return rules if rules.siege is not None else replace(rules, adjacent=99, majority=99)


def taught(data: np.ndarray, seed: int) -> tuple[list[np.ndarray], float]:
    """The weights (by Adam on the logistic loss), and the loss on positions that were held back."""
    cut = int(len(data) * (1 - HELD_BACK))
    wanted, told = data[:, 0], data[:, 1:]
    mean, spread = told[:cut].mean(0), told[:cut].std(0) + 1e-9
    told = (told - mean) / spread
    chance = np.random.default_rng(seed)
    width = told.shape[1]
    weights = [
        chance.normal(0, width**-0.5, (width, HIDDEN)),
        np.zeros(HIDDEN),
        chance.normal(0, HIDDEN**-0.5, HIDDEN),
        np.zeros(1),
    ]
    first, second = [0 * each for each in weights], [0 * each for each in weights]
    step, rate = 0, RATE

    def answers(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hidden = np.tanh(rows @ weights[0] + weights[1])
        return hidden, 1 / (1 + np.exp(-(hidden @ weights[2] + weights[3])))

    for _ in range(ROUNDS):
        order = chance.permutation(cut)
        for at in range(0, cut, BATCH):
            rows, right = told[order[at : at + BATCH]], wanted[order[at : at + BATCH]]
            hidden, said = answers(rows)
            wrong = (said - right) / len(rows)
            back = np.outer(wrong, weights[2]) * (1 - hidden * hidden)
            slopes = [rows.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(keepdims=True)]
            step += 1
            for number, slope in enumerate(slopes):
                first[number] = 0.9 * first[number] + 0.1 * slope
                second[number] = 0.999 * second[number] + 0.001 * slope**2
                scale = np.sqrt(second[number] / (1 - 0.999**step)) + 1e-8
                weights[number] -= rate * (first[number] / (1 - 0.9**step)) / scale
        rate *= 0.8
    _, said = answers(told[cut:])
    said = np.clip(said, 1e-4, 1 - 1e-4)
    loss = -(wanted[cut:] * np.log(said) + (1 - wanted[cut:]) * np.log(1 - said)).mean()
    inner = weights[0] / spread[:, None]
    return [inner, weights[1] - mean @ inner, weights[2], weights[3]], float(loss)


def written(name: str, weights: list[np.ndarray]) -> str:
    """One network as Python text."""
    inner, offsets, worths, offset = [np.round(each, 4) for each in weights]
    rows = [
        f"        (({', '.join(map(str, inner[:, unit].tolist()))}), {offsets[unit]}, {worths[unit]}),"
        for unit in range(HIDDEN)
    ]
    return "\n".join([f"{name}: Network = (", "    (", *rows, "    ),", f"    {offset[0]},", ")"])


HEAD = '''"""What the networks of `prospects` were taught. Written by scripts/teach.py --games {games} --seed {seed}."""

from __future__ import annotations

from collections.abc import Mapping

# fmt: off
Network = tuple[tuple[tuple[tuple[float, ...], float, float], ...], float]
"""Per hidden unit the weights of the figures, its offset and its worth; then the offset of the answer."""
'''


def main() -> int:
    """Teaches every network; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=3000, help="of each network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one network; the others are left out, and nothing is written")
    options = parser.parse_args()
    parts = [HEAD.format(games=options.games, seed=options.seed)]
    for name, (_, games) in FAMILIES.items():
        if options.only not in (None, name):
            continue
        random, rows = Random(f"{options.seed}/{name}"), array("d")
        for number in range(options.games):
            for right, figures in lessons(endless(RULESETS[games[number % len(games)]]), random):
                rows.extend((right, logit(figures[0]), *figures[1:]))
        data = np.frombuffer(rows).reshape(-1, 1 + FIGURES)
        weights, loss = taught(data, options.seed)
        print(f"{name}: {len(data)} stones, loss {loss:.4f} (0.6931: nothing learned)", flush=True)
        parts.append(written(name, weights))
    keys = [f"    {key}: {name}," for name, (key, _) in FAMILIES.items()]
    parts.append("NETWORKS: Mapping[tuple[bool, bool], Network] = {\n" + "\n".join(keys) + "\n}")
    text = "\n\n".join(parts) + '\n"""By whether the game has tactic cards, and whether it is a siege."""\n'
    if options.only is None:
        (ROOT / "p2p_schotten" / "bots" / "weights.py").write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
