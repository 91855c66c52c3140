"""`schotten rules`: a ruleset on one screen, its tactic cards on another, written from its values."""

from __future__ import annotations

import textwrap

import typer

from p2p_schotten.engine.flags import FLAGS, flags_of
from p2p_schotten.engine.ruleset import ClaimWindow, Contest, Ruleset, Siege
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.ui.cardtext import brief, explain
from p2p_schotten.ui.grounds import CONTESTS, short
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.wall import said

app = typer.Typer(add_completion=False)

COLUMNS = 79
LIST = "list"
CARDS, SHOW_FLAGS = "cards", "flags"
FLAG_TEXTS = {
    "tactics": _("are there tactic cards"),
    "claim_timing": _("when stones are claimed"),
    "mode_targetable": _("modes can be moved or taken"),
    "return_to": _("where cards are put back"),
    "joker_limit": _("one joker each, ever"),
    "ruse_takes": _("what ruses may take"),
    "st2_colour_run_bonus": _("colour runs beat runs and colours"),
    "st2_full_defender_wins": _("a defender without room wins"),
}
COLOURS = dict(
    zip("ROYGBPN", (_("red"), _("orange"), _("yellow"), _("green"), _("blue"), _("purple"), _("pink")), strict=True)
)


@app.command()
def rules(
    name: str = typer.Argument("base", metavar="[R]"), about: str = typer.Argument("", metavar="[cards | flags | CARD]")
) -> None:
    """The rules of one ruleset, its tactic cards, or one card; or a list of all rulesets."""
    if name.lower() == LIST and not about:
        print("\n".join(list_page()))
        return
    chosen = ruleset(name)
    if not about:
        lines = page(chosen)
    elif about.lower() == CARDS:
        lines = cards_page(chosen)
    elif about.lower() == SHOW_FLAGS:
        lines = flags_page(chosen)
    else:
        lines = _wrapped(" ".join(explain(chosen, chosen.cards[chosen.card(about)])))
    print("\n".join(lines))


def list_page() -> list[str]:
    """Every ruleset in a line."""
    return [f"  {name:<21} {_summary(chosen)}" for name, chosen in RULESETS.items()]


def _summary(chosen: Ruleset) -> str:
    grid = chosen.grid
    row = said(chosen, _("{n} stones, {colours} x {low}-{high}, hand {hand}")).format(
        n=len(chosen.tiles), colours=grid.colours, low=grid.low, high=grid.high, hand=chosen.hand_size
    )
    more = [_("a wall")] if chosen.siege is not None else []
    if chosen.tactics is not None:
        more.append(_("tactic cards"))
    if chosen.claims is ClaimWindow.START:
        more.append(_("claims first"))
    return ", ".join([row, *more])


def page(chosen: Ruleset) -> list[str]:
    """At most 24 lines of at most 79 columns."""
    flags = " ".join(f"{flag}={value}" for flag, value in chosen.flags)
    title = _("Ruleset {name}").format(name=chosen.name) + (_(" with {flags}").format(flags=flags) if flags else "")
    parts = _siege(chosen, chosen.siege) if chosen.siege is not None else _stones(chosen)
    return [*_wrapped(f"{title}. {_('More: schotten rules R {more}').format(more='cards | R flags | list')}"), *parts]


def _wrapped(text: str, first: str = "", more: str = "") -> list[str]:
    return textwrap.wrap(
        text, COLUMNS, initial_indent=first, subsequent_indent=more, break_on_hyphens=False, break_long_words=False
    )


def _colours(chosen: Ruleset) -> str:
    letters = dict.fromkeys(card.text[0] for card in chosen.decks[0].cards)
    return ", ".join(f"{letter} {COLOURS.get(letter, letter)}" for letter in letters)


def _hands(chosen: Ruleset) -> str:
    holds = _("Each player holds {n} {deck} cards.").format(n=chosen.hand_size, deck=chosen.decks[0].name)
    if chosen.tactics is None:
        return holds + " " + _("The rest is the pile. A turn:")
    count = len(chosen.decks[1].cards)
    return holds + " " + _("{n} tactic cards are a pile too. A turn:").format(n=count)


def _play(chosen: Ruleset, lay: str) -> str:
    """The step in which a card is played."""
    if chosen.tactics is None:
        return lay
    sentence = _("{lay}, or play a tactic card ({command}); pass only if no {deck} card fits")
    return sentence.format(lay=lay, command=f"schotten rules {chosen.name} {CARDS}", deck=chosen.decks[0].name)


def _draw(chosen: Ruleset) -> str:
    if chosen.tactics is None:
        return _("draw a card, unless the pile is empty")
    return _("draw a card from the pile you like, if you hold fewer than {n}").format(n=chosen.hand_size)


def _attacker_draws(chosen: Ruleset) -> str:
    """The last step of a siege: control comes once more before the draw."""
    if chosen.tactics is None:
        return _("attacker: control tiles; both: draw a card, unless the pile is empty")
    draw = _("attacker: control tiles; both: draw from the pile you like up to {n} cards")
    return draw.format(n=chosen.hand_size)


def _numbered(*steps: str) -> list[str]:
    """Each step with its number; what goes on stands below its first line."""
    return [line for number, step in enumerate(steps, 1) for line in _wrapped(step, f"  {number}  ", "     ")]


def _formations(size: int) -> list[str]:
    """The table, best first: name, test, example."""
    three = _("three of a kind"), _("the same strength three times")
    same = three if size == 3 else (_("same strength"), _("all of one strength"))
    rows = (
        (_("colour run"), _("one colour, successive strengths"), "R4 R5 R6"),
        (*same, "R8 G8 Y8"),
        (_("colour"), _("one colour"), "B2 B4 B7"),
        (_("run"), _("successive strengths, any colours"), "Y4 P5 B6"),
        (_("sum"), _("anything else"), "R5 G5 P3"),
    )
    return [f"  {name:<16} {test:<34} {example}" for name, test, example in rows]


def _stones(chosen: Ruleset) -> list[str]:
    """Stones that are owned: three side by side or five anywhere win."""
    size, grid = chosen.tiles[0].size, chosen.grid
    lay = _("lay a {deck} card on your side of an unclaimed stone (at most {n} a side)")
    play = _play(chosen, lay.format(deck=chosen.decks[0].name, n=size))
    claim = _("claim the stones that you can prove to win, or none")
    steps = (claim, play) if chosen.claims is ClaimWindow.START else (play, claim)
    return [
        _("{n} stones lie in a row between two players. {count} colours, strengths {low} to {high}:").format(
            n=len(chosen.tiles), low=grid.low, high=grid.high, count=grid.colours
        ),
        f"  {_colours(chosen)}.",
        _hands(chosen),
        *_numbered(*steps, _draw(chosen)),
        _("The better formation of {n} cards wins a stone; of the same formation the higher").format(n=size),
        _("sum; of the same sum whoever was complete there first. Best first:"),
        *_formations(size),
        _("You may claim before the other side is full when no card that might still come"),
        _("could make it better. Cards in hands might come, also those in your own."),
        _("Who cannot play a card may still claim, and then the turn passes."),
        _("{n} stones next to each other or any {m} win at once. The winner gets {p} points,").format(
            n=chosen.adjacent, m=chosen.majority, p=chosen.win_points
        ),
        _("the other 1 for each stone. If nobody can play any more, full sides take their"),
        _("stones, and more stones win. You may resign when it is your turn to choose."),
    ]


def _siege(chosen: Ruleset, siege: Siege) -> list[str]:
    """A wall that one player attacks."""
    grid = chosen.grid
    before = _(
        "attacker: control tiles, retreat: discard all your cards at a tile; "
        "defender: pour oil, {n} in the game: discard the attacker's oldest at a tile"
    )
    lay = _("lay a {deck} card on your side of a tile with room").format(deck=chosen.decks[0].name)
    return [
        _("{n} tiles are a wall. One player attacks it and begins, one defends it.").format(n=len(chosen.tiles)),
        _("{count} colours ({colours}), strengths {low} to {high}.").format(
            count=grid.colours, colours=_colours(chosen), low=grid.low, high=grid.high
        ),
        _hands(chosen),
        *_numbered(before.format(n=siege.oil), _play(chosen, lay), _attacker_draws(chosen)),
        _("{low} and {high} of one colour on both sides of a tile discard each other.").format(
            low=grid.low, high=grid.high
        ),
        *_wall(chosen),
        *_formations(0),
        *_wrapped(
            _(
                "Equal ones: higher sum, then who was first. Control takes proof that nothing still to come beats "
                "you there: both sides are discarded, the tile is damaged. {n} damaged ones win, or one controlled "
                "again. The defender wins when the pile is empty and the attacker has had one more turn. Points: "
                "winner {p}, beaten attacker 1 per damaged tile. You may resign when it is your turn."
            ).format(n=siege.breach, p=chosen.win_points)
        ),
    ]


def _wall(chosen: Ruleset) -> list[str]:
    """What counts at each stone, intact and damaged; the marks are explained beside the rows."""
    tiles = chosen.tiles
    rows = (
        (_("tile"), [str(number) for number in range(1, len(tiles) + 1)], _("(the number: cards a side)")),
        (_("intact"), [short(tile) for tile in tiles], _marks(Contest.HIGH, Contest.LOW)),
        (
            _("damaged"),
            ["" if tile.damaged is None else short(tile.damaged) for tile in tiles],
            _marks(Contest.RUN, Contest.COLOUR, Contest.SAME),
        ),
    )
    lines = [f"  {name:<8}" + "".join(f"{cell:>4}" for cell in cells) + f"  {text}" for name, cells, text in rows]
    return [*lines, _("There the mark decides (what lacks it is only a sum), elsewhere the formation:")]


def _marks(*contests: Contest) -> str:
    return ", ".join(f"{contest.value} {CONTESTS[contest]}" for contest in contests)


def flags_page(chosen: Ruleset) -> list[str]:
    """Every flag that has a meaning for these rules, as it is set and as it could be."""
    values = {
        name: _("{value} (or {others})").format(
            value=value, others=", ".join(other for other in FLAGS[name].values if other != value)
        )
        for name, value in flags_of(chosen).items()
    }
    names, texts = max(map(len, values)), max(map(len, values.values()))
    rows = [f"  {name:<{names}}  {text:<{texts}}  {FLAG_TEXTS[name]}" for name, text in values.items()]
    example = next(
        f"--set {name}={other}"
        for name, value in flags_of(chosen).items()
        for other in FLAGS[name].values
        if other != value
    )
    return [
        _("Ruleset {name}: what may be set otherwise").format(name=chosen.name),
        *rows,
        *_wrapped(
            _("As in: schotten play --rules {name} {example}").format(name=chosen.name, example=example),
        ),
    ]


def cards_page(chosen: Ruleset) -> list[str]:
    """Every tactic card in a line, and the rules for all of them."""
    if chosen.tactics is None:
        return [_("Ruleset {name} has no tactic cards.").format(name=chosen.name)]
    cards = chosen.decks[1].cards
    texts = [card.text for card in cards]
    rows = [
        f"  {card.text}  {card.title + (' x2' if texts.count(card.text) > 1 else ''):<18} {brief(chosen, card)}"
        for at, card in enumerate(cards)
        if card.text not in texts[:at]
    ]
    count = plural("the {n} tactic card", "the {n} tactic cards", len(cards))
    return [
        _("Ruleset {name}: {count}").format(name=chosen.name, count=count),
        *rows,
        *_wrapped(
            _(
                "You may play one instead of a {deck} card while you have played no more tactic cards than the other "
                "player. A card with nothing to act on cannot be played. A card that acts goes to the discard pile. "
                "One card in full: schotten rules {name} {card}"
            ).format(deck=chosen.decks[0].name, name=chosen.name, card=texts[0])
        ),
    ]
