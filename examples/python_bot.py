#!/usr/bin/env python3
"""A bot for Schotten Totten: it claims what it can, and lays a card where it fits what lies there (docs/bots.md).

Try it: schotten play --opponent "cmd:python3 examples/python_bot.py"
"""

import json
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)


def fit(card, others):
    """How well a card goes with the others of its side: best with its own colour, and then with near values."""
    fits = 0
    for other in others:
        step, same = abs(card["value"] - other["value"]), card["colour"] == other["colour"]
        fits += 3 if same and step <= 2 else 2 if same else 1 if step == 0 else -1
    return fits


def choose(view, legal, cards, dice):
    me, stones = view["seat"], view["position"]["stones"]

    def worth(move):
        verb, *words = move.split()
        if verb == "claim":
            return 100.0
        if verb != "play" or "power" in cards[words[0]]:
            return dice.random() - 1  # a tactic card, a deck to draw from, a card to put back and the like
        card = cards[words[0]]
        side = stones[int(words[1]) - 1]["sides"][me]
        others = [cards[text] for text in side if "value" in cards[text]]
        return 2 * fit(card, others) + card["value"] / 10 + dice.random()

    return max(legal, key=worth)


def main():
    cards, dice = {}, random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "version": 1, "name": "example"})
        elif message["type"] == "newgame":
            cards = {card["text"]: card for deck in message["rules"]["decks"] for card in deck["cards"]}
            dice.seed(message["seed"])  # the same seed, the same game
        elif message["type"] == "act":
            say({"type": "move", "move": choose(message["view"], message["legal"], cards, dice)})
        elif message["type"] == "quit":
            return  # "observe" and "gameover" need no answer


if __name__ == "__main__":
    main()
