"""The board of a position as lines of styled text: drawn from a view and two names, for any width, without a terminal.

Three forms, so that nothing is lost: stones of five columns (from 63), of four (from 54), and below that one line each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p_schotten.engine.cards import Power
from p2p_schotten.engine.state import Phase, State, Stone
from p2p_schotten.engine.view import View
from p2p_schotten.ids import SEATS, CardId, Seat, StoneId, other
from p2p_schotten.text import clean_text
from p2p_schotten.ui.around import NOTHING, Around, clock_text
from p2p_schotten.ui.grounds import CONTESTS, MARKED, described, modes, short
from p2p_schotten.ui.look import UNICODE, Symbols, card_text, look
from p2p_schotten.ui.table_text import last_turn
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wall import said

NAME_COLUMNS = 5  # at least; a longer name gets more where the terminal has them
MARGIN = 3  # columns around a name left of the board
BROAD, NARROW = 5, 4  # columns of a stone; four hold `R10` and its shape
HEADER_COLUMNS = 80


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line; `style` is a rich style, empty for none."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A position and who looks at it: the seat below is `me`. `names` are by seat. `hands`: cards to show, by seat."""

    state: State
    me: Seat
    names: tuple[str, str]
    hands: tuple[tuple[CardId, ...], tuple[CardId, ...]] = field(default=((), ()))
    neutral: bool = False  # a looker-on has no "you"
    game: str = ""  # which game of a match it is
    left: int | None = None  # seconds that are left for the turn, where a clock runs


def scene(view: View, names: tuple[str, str], around: Around = NOTHING) -> Scene:
    """What a player sees: his own hand, sorted, the names, and what is around the table."""
    hand, state = tuple(sorted(view.hand)), view.state
    hands: tuple[tuple[CardId, ...], tuple[CardId, ...]] = (hand, ()) if view.seat == 0 else ((), hand)
    return Scene(state, view.seat, names, hands, game=around.game, left=around.left(state.to_move))


def width_of(text: str) -> int:
    """Columns of `text` on a terminal (a Korean letter takes two)."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def fit(text: str, columns: int) -> str:
    """`text` in exactly so many columns: cut, or filled with spaces."""
    while width_of(text) > columns:
        text = text[:-1]
    return text + " " * (columns - width_of(text))


def called(shown: Scene, seat: Seat) -> str:
    """`you`, or the player's name."""
    if seat == shown.me and not shown.neutral:
        return _("you")
    return clean_text(shown.names[seat], 32)


def plain(lines: tuple[Line, ...]) -> str:
    """The lines without styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def board(shown: Scene, columns: int, symbols: Symbols = UNICODE) -> tuple[Line, ...]:
    """The whole drawing for a terminal of so many columns: header, stones, hand."""
    stones = len(shown.state.stones)
    least = NAME_COLUMNS + MARGIN
    cell = next((c for c in (BROAD, NARROW) if least + stones * (c + 1) + 1 <= columns), 0)
    body = _grid(shown, columns, cell, symbols) if cell else _list(shown, columns, symbols)
    return (*_header(shown, columns), *body, *_hands(shown, columns, symbols))


def turn_text(shown: Scene) -> str:
    """Whose turn it is and how long it may last yet, or that the game is over."""
    if shown.state.over:
        return _("over")
    mover = shown.state.to_move
    mine = mover == shown.me and not shown.neutral
    turn = _("your turn") if mine else _("{name}'s turn").format(name=called(shown, mover))
    return turn if shown.left is None else f"{turn} {clock_text(shown.left)}"


def _header(shown: Scene, columns: int) -> tuple[Line, ...]:
    state = shown.state
    left = f" {called(shown, shown.me)}"
    middle = ", ".join(filter(None, (_("ruleset {name}").format(name=state.rules.name), shown.game)))
    decks = "  ".join(
        f"{_('deck') if len(state.piles) == 1 else deck.name} {n}"
        for deck, n in zip(state.rules.decks, state.piles, strict=True)
    )
    them, turn = called(shown, other(shown.me)), turn_text(shown)
    right = f"{them}  {decks}   {turn}"
    room = min(columns, HEADER_COLUMNS)
    used = width_of(left) + width_of(middle) + width_of(right)
    if used + 4 > room:
        return (*_filled((left.strip(), middle, them, decks, turn), columns), *_filled(_beside(shown), columns))
    start = max(width_of(left) + 2, min(30, room - width_of(middle) - width_of(right) - 3))
    first = fit(left, start) + middle
    gap = min(10, room - width_of(first) - width_of(right) - 1)
    return ((Span(first + " " * gap), Span(right)), *_filled(_beside(shown), columns))


def _beside(shown: Scene) -> tuple[str, ...]:
    """What there is beside the stones, in pieces; nothing in a game without tactics and siege."""
    state, me = shown.state, shown.me
    beside = state.beside
    pieces = []
    if beside.attacker is not None:
        if shown.neutral:
            pieces.append(_("{name} attacks").format(name=called(shown, beside.attacker)))
        else:
            pieces.append(_("you attack") if beside.attacker == me else _("you defend"))
        pieces.append(_("oil {n}").format(n=beside.oil))
        if last_turn(state):
            pieces.append(_("the attacker's last turn"))
    if state.rules.tactics is not None or pieces:
        pieces.append(_("discard {n}").format(n=len(beside.discard)))
    if state.rules.tactics is not None:
        played = ", ".join(f"{called(shown, seat)} {beside.tactics[seat]}" for seat in (me, other(me)))
        pieces.append(_("tactics: {played}").format(played=played))
        if not shown.neutral:
            more = max(0, beside.tactics[other(me)] - beside.tactics[me] + 1)
            pieces.append(_("you may play {n} more").format(n=more))
    return tuple(pieces)


def _filled(pieces: tuple[str, ...], columns: int) -> tuple[Line, ...]:
    """The pieces in as few lines as they fit into; a piece wider than the terminal is cut."""
    lines = [""] if pieces else []
    for piece in pieces:
        text = fit(piece, columns - 1) if width_of(piece) >= columns else piece
        wider = f"{lines[-1]}  {text}" if lines[-1] else f" {text}"
        if width_of(wider) <= columns:
            lines[-1] = wider
        else:
            lines.append(f" {text}")
    return tuple((Span(line),) for line in lines)


def _cell(shown: Scene, card: CardId, columns: int, symbols: Symbols) -> Span:
    text = card_text(shown.state.rules, card, symbols)
    text = text if width_of(text) >= columns else f" {text}"
    return Span(fit(text, columns), look(shown.state.rules, card).style)


def _marker(shown: Scene, stone: StoneId, symbols: Symbols) -> Span:
    state = shown.state
    here = state.stones[stone]
    style = "bold" if stone in state.claimable else ""
    if here.owner is not None:
        return Span(symbols.mine if here.owner == shown.me else symbols.theirs, "bold")
    if state.rules.siege is not None:
        return Span(f"{symbols.wall[here.ground.damaged]}{short(here.sides[0].terms)}", style)
    laid = modes(state, stone)
    if len(laid) > 1:
        return Span(_both(laid), "bold")
    return Span(laid[0], "bold") if laid else Span(symbols.open, style)


def _both(laid: tuple[str, ...]) -> str:
    """Two modes in the room of one: `F+M`."""
    return "+".join(text[0] for text in laid)


def _key(shown: Scene, symbols: Symbols) -> tuple[str, ...]:
    """What the signs of the drawing mean, those that are on it."""
    state = shown.state
    if state.rules.siege is not None:
        here = {stone.sides[0].terms.contest for stone in state.stones}
        marks = tuple(f"{contest.value} {CONTESTS[contest]}" for contest in MARKED if contest in here)
        intact, damaged = symbols.wall
        return f"{intact} {_('intact')}", f"{damaged} {_('damaged')}", _("number: cards a side"), *marks
    them = _("{name}'s").format(name=called(shown, other(shown.me)))
    mine = _("yours") if not shown.neutral else _("{name}'s").format(name=called(shown, shown.me))
    return f"{symbols.theirs} {them}", f"{symbols.mine} {mine}", f"{symbols.open} {_('open')}", *_modes_key(state)


def _modes_key(state: State) -> tuple[str, ...]:
    rows = [modes(state, StoneId(number)) for number, stone in enumerate(state.stones) if stone.owner is None]
    both = {f"{_both(laid)} {' '.join(laid)}": None for laid in rows if len(laid) > 1}
    meant = {Power.FOG: _("sum only"), Power.MUD: _("a card more")}
    cards = [
        state.rules.cards[state.rules.card(text)] for text in dict.fromkeys(text for laid in rows for text in laid)
    ]
    return (*both, *(f"{card.text} {meant[card.power]}" for card in cards if card.power in meant))


def _edge(label: int, corners: tuple[str, str, str], middles: tuple[Span, ...], cell: int, symbols: Symbols) -> Line:
    line = [Span(" " * label + corners[0])]
    for i, middle in enumerate(middles):
        left = (cell - len(middle.text)) // 2
        line += [
            Span(symbols.across * left),
            middle,
            Span(symbols.across * (cell - left - len(middle.text)) + corners[1 if i < len(middles) - 1 else 2]),
        ]
    return tuple(line)


def _grid(shown: Scene, columns: int, cell: int, symbols: Symbols) -> tuple[Line, ...]:
    ids = tuple(StoneId(i) for i in range(len(shown.state.stones)))
    numbers = tuple(Span(str(i + 1)) for i in ids)
    rows = side_rows(shown.state)
    grid = len(ids) * (cell + 1) + 1
    longest = max(width_of(called(shown, seat)) for seat in SEATS)
    label = MARGIN + max(NAME_COLUMNS, min(longest, columns - grid - MARGIN))
    middle = _edge(label, symbols.middle, tuple(_marker(shown, i, symbols) for i in ids), cell, symbols)
    key = "   ".join(_key(shown, symbols))
    beside = label + grid + 3 + width_of(key) <= columns
    lines = [
        _edge(label, symbols.top, numbers, cell, symbols),
        *(_row(shown, other(shown.me), row, label, cell, symbols) for row in range(rows)),
        (*middle, Span(f"   {key}")) if beside else middle,
        *(_row(shown, shown.me, row, label, cell, symbols) for row in range(rows)),
        _edge(label, symbols.bottom, tuple(Span(symbols.across) for _i in ids), cell, symbols),
    ]
    if beside:
        return tuple(lines)
    return (
        (*lines, (Span(" " * label + key),))
        if label + width_of(key) <= columns
        else (
            *lines,
            *_filled(_key(shown, symbols), columns),
        )
    )


def side_rows(state: State) -> int:
    """Rows that the fullest side may need (more than its size where a mud has just left)."""
    return max(3, *(max(side.terms.size, len(side.cards)) for stone in state.stones for side in stone.sides))


def _row(shown: Scene, seat: Seat, row: int, label: int, cell: int, symbols: Symbols) -> Line:
    middle = (side_rows(shown.state) - 1) // 2
    line = [Span(f"  {fit(called(shown, seat), label - MARGIN)} " if row == middle else " " * label)]
    differ = len({stone.sides[seat].terms.size for stone in shown.state.stones}) > 1
    for stone in shown.state.stones:
        cards = stone.cards(seat)
        room = differ and stone.owner is None and row < stone.sides[seat].terms.size
        free = Span(fit(f" {symbols.free if room else ''}", cell), "dim" if room else "")
        line += [Span(symbols.down), _cell(shown, cards[row], cell, symbols) if row < len(cards) else free]
    return (*line, Span(symbols.down))


def _list(shown: Scene, columns: int, symbols: Symbols) -> tuple[Line, ...]:
    """One stone per line, for the narrowest terminals; more lines where it does not fit into one."""
    siege = shown.state.rules.siege is not None
    lines = [] if siege else list(_filled(_key(shown, symbols), columns))
    for i, stone in enumerate(shown.state.stones):
        special = described(shown.state, StoneId(i)) if stone.owner is None else ""
        marker = Span(symbols.open) if siege else _marker(shown, StoneId(i), symbols)
        head = [Span(f" {i + 1} "), marker] if not special else [Span(f" {i + 1} {special}:")]
        halves = [_half(shown, stone, seat, symbols) for seat in (other(shown.me), shown.me)]
        cards = ((*halves[0], Span(" |")), halves[1])
        whole = (*head, *cards[0], *cards[1])
        lines += [whole] if _width(whole) <= columns else [tuple(head), *_joined(cards, columns)]
    return tuple(lines)


def _half(shown: Scene, stone: Stone, seat: Seat, symbols: Symbols) -> Line:
    """The cards of one side, or a dash."""
    rules = shown.state.rules
    cards = tuple(Span(f" {card_text(rules, card, symbols)}", look(rules, card).style) for card in stone.cards(seat))
    return cards or (Span(" -"),)


def _width(line: Line) -> int:
    return sum(width_of(span.text) for span in line)


def _joined(halves: tuple[Line, Line], columns: int) -> list[Line]:
    """Both sides in one line, or in two; indented."""
    whole = (Span("  "), *halves[0], *halves[1])
    return [whole] if _width(whole) <= columns else [(Span("  "), *half) for half in halves]


def _hands(shown: Scene, columns: int, symbols: Symbols) -> tuple[Line, ...]:
    lines: list[Line] = []
    for seat in (other(shown.me), shown.me):
        hand = shown.hands[seat]
        if not hand:
            continue
        title = _("hand") if seat == shown.me and not shown.neutral else called(shown, seat)
        row = [Span(f"  {title}")]
        used = 2 + width_of(title)
        for number, card in enumerate(hand, 1):
            text = card_text(shown.state.rules, card, symbols)
            piece = f"  {number} " if not shown.neutral else "  "
            if used + len(piece) + width_of(text) > columns:
                lines.append(tuple(row))
                row, used = [Span(" " * (2 + width_of(title)))], 2 + width_of(title)
            row += [Span(piece), Span(text, look(shown.state.rules, card).style)]
            used += len(piece) + width_of(text)
        hint = said(shown.state.rules, _("play 2 4 = card 2 on stone 4"))
        if shown.neutral or shown.state.phase is not Phase.PLAY or shown.state.over or len(hand) < 2:
            lines.append(tuple(row))
        elif used + 3 + width_of(hint) <= columns:
            lines.append((*row, Span(f"   {hint}", "dim")))
        elif _beside(shown):
            lines.append(tuple(row))  # a line less: what is asked needs more of them
        else:
            lines += [tuple(row), (Span(f"  {hint}"[:columns], "dim"),)]
    return tuple(lines)
