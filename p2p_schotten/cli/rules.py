"""`schotten rules`: a ruleset on one screen, written from its values."""

from __future__ import annotations

import typer

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.ui.text import _

app = typer.Typer(add_completion=False)

FORMATIONS = (  # best first: name, test, example
    (_("colour run"), _("one colour, values in a row"), "R7 R8 R9"),
    (_("three of a kind"), _("the same value"), "R8 G8 B8"),
    (_("colour"), _("one colour"), "B2 B4 B9"),
    (_("run"), _("values in a row, any colours"), "R4 B5 G6"),
    (_("sum"), _("anything else"), "R9 B9 Y8"),
)


@app.command()
def rules(name: str = typer.Argument("base", metavar="[R]")) -> None:
    """The rules of one ruleset."""
    print("\n".join(page(ruleset(name))))


def page(chosen: Ruleset) -> list[str]:
    """At most 24 lines of at most 79 columns."""
    colours = "".join(dict.fromkeys(card.text[0] for card in chosen.decks[0].cards))
    size = chosen.tiles[0].size
    grid = chosen.grid
    return [
        _("Ruleset {name} (known: {known})").format(name=chosen.name, known=", ".join(RULESETS)),
        _("{n} stones in a row between two players; cards {low}-{high} in {count} clans ({letters}).").format(
            n=len(chosen.tiles), low=grid.low, high=grid.high, count=grid.colours, letters=" ".join(colours)
        ),
        _("Each player holds {n} cards; the rest is the deck.").format(n=chosen.hand_size),
        _("A turn:"),
        _("  1  lay one card on your side of an unclaimed stone (at most {n} cards a side)").format(n=size),
        _("  2  claim any stones that you can prove to win"),
        _("  3  draw a card, as long as there are any"),
        "",
        _("A stone is won by the better formation of {n} cards; of equal formations by the").format(n=size),
        _("higher sum; of equal sums by the side that was complete first. Best first:"),
        *(f"  {name:<16} {test:<30} {example}" for name, test, example in FORMATIONS),
        "",
        _("You may claim before the other side is complete when no card that nobody has"),
        _("seen could make it better than yours. Cards in hands are unseen, yours too."),
        _("Who cannot lay a card may still claim, and is then skipped."),
        "",
        _("{n} stones side by side win at once, or {m} anywhere. The winner gets {p} points,").format(
            n=chosen.adjacent, m=chosen.majority, p=chosen.win_points
        ),
        _("the other player one for each stone. When nobody can play any more, complete"),
        _("sides take their stones, and more stones win."),
    ]
