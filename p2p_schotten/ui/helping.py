"""Help for the prompt that is open: what can be typed there, and what else can be asked. One screen."""

from __future__ import annotations

import sys

from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.view import View
from p2p_schotten.ui.asking import (
    NO_STONE,
    Part,
    Parts,
    Slot,
    Way,
    below,
    in_one_line,
    options,
    slot_after,
    spellings,
    texts,
)
from p2p_schotten.ui.cardtext import explain
from p2p_schotten.ui.questions import claim_word, verbs
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wall import said
from p2p_schotten.ui.wrapping import COLUMN


def row(typed: str, text: str) -> str:
    """What can be typed, and what it does."""
    return f"{typed:<{COLUMN - 2}}  {text}"


def help_lines(view: View | None, known: tuple[Way, ...], chosen: Parts) -> tuple[str, ...]:
    """What can be typed at this prompt."""
    lines: list[str] = []
    if view is not None and known:
        lines += _argument(view, known, chosen) if chosen else _moves(view, known)
    if view is not None:
        lines += _questions(view)
    lines += [
        _("last      the last moves         last 20   more of them"),
        _("say TEXT  a word to the other player"),
        *((_("resign    give the game up (asks once)"),) if known else _waiting()),
        quit_help(),
        _("The first letters of a word are enough."),
    ]
    return tuple(lines)


def _waiting() -> tuple[str, ...]:
    """The other is waited for."""
    return (
        _("wait      go on waiting          adjourn   leave now, and play on another day"),
        _("record    when the other's time is up: record a win by absence (asks once)"),
    )


def _questions(view: View) -> list[str]:
    rules = view.state.rules
    why = said(rules, _("why stone 3 cannot be claimed, and the cards that could beat it"))
    if rules.siege is not None:
        why = _("why tile 3 cannot be controlled, and the cards that could beat it")
    lines = [
        _("board     the table again        hand      your cards"),
        row("why 3", why),
        _("unseen    cards not seen yet     discard   the discard pile"),
    ]
    if rules.tactics is not None:
        card = rules.decks[1].cards[0].text
        lines += [
            row(f"what {card}", _("what that tactic card does (also ? {card})").format(card=card)),
            row(f"why {card}", _("why that card cannot be played now")),
        ]
    return [*lines, rules_line(rules)]


def rules_line(rules: Ruleset | None) -> str:
    """Where the rules of the game can be read."""
    command = "schotten rules" if rules is None else f"schotten rules {rules.name}"
    return _("All the rules: {command}, in another window.").format(command=command)


def _argument(view: View, known: tuple[Way, ...], chosen: Parts) -> list[str]:
    """A card, or a part of its play, is chosen: what comes next."""
    slot = slot_after(view.state, texts(chosen))
    forms = spellings(options(known, chosen))
    example = next(iter(forms), "")
    lines = [row(example, _("that one, or its number in the list"))]
    if slot is Slot.STONE and len(chosen) == 2 and chosen[0].text == "play":
        lines = [row(example, said(view.state.rules, _("lay the card on stone {n}")).format(n=example))]
    elif slot in (Slot.STONE, Slot.PLACE):
        lines = [row(example, said(view.state.rules, _("the stone of that number")))]
    if slot is Slot.PLACE:
        lines.append(row(NO_STONE, _("{card} goes to the discard pile").format(card=chosen[-1].text)))
    second = next((form for form in forms if form.endswith("#2")), "")
    if second:
        lines.append(row(second, _("the second {card} of the list").format(card=second.removesuffix("#2"))))
    lines.append(row("back", _("take the last step back; nothing has been sent yet (or undo)")))
    if len(chosen) > 1:
        whole = in_one_line(known, below(known, chosen)[0].parts)
        lines.append(_("The whole move in one line, as in: {move}").format(move=whole))
    return lines


def _moves(view: View, known: tuple[Way, ...]) -> list[str]:
    lines = []
    for verb in verbs(known):
        first = next(iter(texts(options(known, (Part(verb),)))), "")
        match verb:
            case "play":
                lines += [
                    row("2", said(view.state.rules, _("choose card 2, then its stone"))),
                    row("play 2 4", said(view.state.rules, _("lay card 2 on stone 4 (also 2 4)"))),
                    row(f"{first} 4", said(view.state.rules, _("lay the card {card} on stone 4")).format(card=first)),
                ]
                if view.state.rules.tactics is not None:
                    lines.append(row("", _("a tactic card asks for what it needs, one thing after the other")))
            case "claim":
                text = said(view.state.rules, _("{claim} stone {n}")).format(claim=claim_word(view.state), n=first)
                if view.state.phase is Phase.CLAIM:
                    text += " " + _("(or just {n})").format(n=first)
                lines.append(row(f"{claim_word(view.state)} {first}", text))
            case "done" if view.state.phase is Phase.CLAIM:
                claim = _("claiming") if view.state.rules.siege is None else _("controlling")
                lines.append(row("done", _("go on without {claiming} (or 0, or no)").format(claiming=claim)))
            case _:
                lines.append(_other(verb, first))
    return lines


def _other(verb: str, first: str) -> str:
    what = {
        "done": _("go on without pouring oil"),
        "pass": _("lay nothing in this turn"),
        "draw": _("draw from that deck (its number or name is enough)"),
        "return": _("put that card of your hand back into its pile"),
        "give": _("that card goes to the other player; one after the other, or all in one line"),
        "discard": _("that card of your side goes to the discard pile"),
        "oil": _("pour oil at tile {n}: the card that lies longest there is discarded").format(n=first),
        "retreat": _("discard all your cards at tile {n}").format(n=first),
    }
    return row(f"{verb} {first}".strip(), what[verb])


def card_lines(view: View, text: str) -> tuple[str, ...]:
    """What the card written so does. Raises Unreadable."""
    rules = view.state.rules
    *does, typed = explain(rules, rules.cards[rules.card(text)])
    return (" ".join(does), typed) if does else (typed,)  # the screen breaks the lines


def again_help() -> tuple[str, ...]:
    """On a terminal that edits the line itself: what it shows again when something was said meanwhile."""
    return () if sys.platform == "win32" else (row("Ctrl-R", _("show again what you have half typed")),)


def quit_help() -> str:
    """What leaving means."""
    return _("quit      leave; the game is saved, and schotten resume takes it up")


def record_help() -> tuple[str, ...]:
    """What can be typed when it is asked whether to record a win by absence."""
    return (
        _("yes       you leave with a win by absence, which is recorded beside the game (or y)"),
        _("no        go on waiting (or n)"),
        _("          Nobody can verify who was away. The other player's program is asked, and agrees only"),
        _("          if its own clock says so too; the transcript stays unfinished either way."),
        quit_help(),
    )


def resign_help() -> tuple[str, ...]:
    """What can be typed when it is asked whether to resign."""
    return (
        _("yes       resign: the other player wins (or y)"),
        _("no        go on playing (or n)"),
        quit_help(),
    )
