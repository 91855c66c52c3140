"""`schotten rules`: a ruleset on one screen, written from its values."""

from __future__ import annotations

import typer

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.ui.text import _

app = typer.Typer(add_completion=False)

FORMATIONS = (  # best first: name, test, example
    (_("colour run"), _("one colour, successive strengths"), "R4 R5 R6"),
    (_("three of a kind"), _("the same strength three times"), "R8 G8 Y8"),
    (_("colour"), _("one colour"), "B2 B4 B7"),
    (_("run"), _("successive strengths, any colours"), "Y4 P5 B6"),
    (_("sum"), _("anything else"), "R5 G5 N3"),
)
COLOURS = {"R": _("red"), "G": _("green"), "B": _("blue"), "Y": _("yellow"), "P": _("purple"), "N": _("pink")}


@app.command()
def rules(name: str = typer.Argument("base", metavar="[R]")) -> None:
    """The rules of one ruleset."""
    print("\n".join(page(ruleset(name))))


def page(chosen: Ruleset) -> list[str]:
    """At most 24 lines of at most 79 columns."""
    letters = dict.fromkeys(card.text[0] for card in chosen.decks[0].cards)
    size = chosen.tiles[0].size
    grid = chosen.grid
    return [
        _("Ruleset {name} (known: {known})").format(name=chosen.name, known=", ".join(RULESETS)),
        _("{n} stones lie in a row between two players. {count} colours, strengths {low} to {high}:").format(
            n=len(chosen.tiles), low=grid.low, high=grid.high, count=grid.colours
        ),
        "  " + ", ".join(f"{letter} {COLOURS.get(letter, letter)}" for letter in letters) + ".",
        _("Each player holds {n} cards; the rest is the pile. A turn:").format(n=chosen.hand_size),
        _("  1  lay a card on your side of an unclaimed stone (at most {n} cards a side)").format(n=size),
        _("  2  claim the stones that you can prove to win, or none"),
        _("  3  draw a card, unless the pile is empty"),
        "",
        _("The better formation of {n} cards wins a stone; of the same formation the higher").format(n=size),
        _("sum; of the same sum whoever laid his third card there first. Best first:"),
        *(f"  {name:<16} {test:<34} {example}" for name, test, example in FORMATIONS),
        "",
        _("You may claim before the other side is full when no card that might still come"),
        _("could make it better. Cards in hands might come, also those in your own."),
        _("Who cannot lay a card may still claim, and then the turn passes."),
        "",
        _("{n} stones next to each other or any {m} win at once. The winner gets {p} points,").format(
            n=chosen.adjacent, m=chosen.majority, p=chosen.win_points
        ),
        _("the other 1 for each stone. If nobody can play any more, full sides take their"),
        _("stones, and more stones win. You may resign when it is your turn to choose."),
    ]
