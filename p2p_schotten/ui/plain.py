"""The plain front end: sentences and numbered choices, no cursor movement, complete.

On a terminal it may draw the board before a question (`Drawing`); everything else is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TextIO

from p2p_schotten.engine import step
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import View
from p2p_schotten.ids import DeckId, Seat
from p2p_schotten.protocol import events
from p2p_schotten.ui import told
from p2p_schotten.ui.around import NOTHING, Around, clock_text
from p2p_schotten.ui.desk import Action, Board, Desk, Leave, Record, Say, Send
from p2p_schotten.ui.notice import (
    Again,
    Happening,
    Invited,
    Lost,
    Parted,
    Reconnecting,
    Rematch,
    Resumed,
    Saved,
    Settled,
    TurnedAway,
)
from p2p_schotten.ui.sentences import tell
from p2p_schotten.ui.steps import result
from p2p_schotten.ui.table_text import emptied_text, last_turn, last_turn_text, position_text
from p2p_schotten.ui.terminal import terminal_size
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.wall import said
from p2p_schotten.ui.wrapping import wrapped

BELL = "\a"  # it is your turn


class Drawing(Protocol):
    """A way to show a position on a terminal."""

    def show(self, view: View, names: tuple[str, str], around: Around) -> None:
        """Draw the position below what stands there."""

    def invite(self, word: str, below: int) -> None:
        """Draw the invite as a QR code, where the screen has room for it and `below` more lines."""


class PlainFront:
    """Sentences on `out`; on a terminal with prompts and a drawing, else one line after the other.

    `asks` is false when a bot holds the seat: then questions are not written. `waits`: the other player is a person,
    whose turn may last.
    """

    def __init__(
        self,
        out: TextIO,
        err: TextIO,
        *,
        terminal: bool = False,
        drawing: Drawing | None = None,
        asks: bool = True,
        waits: bool = False,
    ) -> None:
        self._out, self._err = out, err
        self._terminal, self._drawing, self._asks = terminal, drawing, asks
        self._waits = waits
        self._desk = Desk(Voice(None, ("", "")), sure=terminal and asks)
        self._around = NOTHING
        self._rules: Ruleset | None = None
        self._prompted = False  # a prompt stands on the last line of the terminal
        self._outcome: step.Outcome | None = None
        self._playing = self._disturbed = False  # a game is under way; somebody else has knocked meanwhile
        self._swapped = False  # cards have changed hands, and mine are on their way
        self._emptied: frozenset[DeckId] = frozenset()  # the piles that are known to be empty
        self._again = False  # it is asked whether there is another game
        self._last = False  # it was said that the attacker has his last turn
        self._waiting = False  # it was said, since my last question, that it is the other's turn

    def meet(self, seat: int, names: tuple[str, str], around: Around = NOTHING) -> None:
        """My seat and both names are known; what was said of a game before is past."""
        self._around = around
        self._desk = Desk(Voice(Seat(seat), names), sure=self._terminal and self._asks)
        self._outcome, self._waiting, self._swapped = None, False, False
        self._emptied, self._last, self._again = frozenset(), False, False

    def tell(self, happening: Happening, view: View | None) -> None:
        """One sentence, or two; the prompt comes again below it."""
        if view is not None:
            self._rules = view.state.rules
            self._desk.see(view)
        if isinstance(happening, Lost | Reconnecting | Settled | Saved | events.Finished):
            self._desk.close()  # there is nobody to answer to
        if isinstance(happening, Invited):
            self._invite(happening)
            return
        self._desk.time(happening)
        lines = self._sentences(happening)
        match happening:
            case events.Happened() | events.Took():
                self._desk.log.extend(lines)
        dealt = isinstance(happening, events.Took) and not lines
        if dealt and view is not None:
            lines = (told.hand_line(view, self._desk.hand),)
        if lines:
            self._below_prompt()
            self._write(lines, whole=isinstance(happening, Saved))
        if dealt and view is not None and view.state.to_move != view.seat:
            self._draw(view)  # on my own turn the question draws it
        if isinstance(happening, events.Happened) and isinstance(happening.event, step.Ended) and view is not None:
            self._outcome = happening.event.outcome
            self._draw(view)
        begun = isinstance(happening, events.Happened) and isinstance(happening.event, step.Dealt)
        if isinstance(happening, events.Happened | events.Took) and view is not None and not begun:
            self._wait(view, dealt)
        if isinstance(happening, Resumed) and view is not None and not view.state.over:
            self._taken_up(view)
        if isinstance(happening, Rematch | Again | Parted):
            self._again = isinstance(happening, Rematch) or (self._again and self._other_wants(happening))
        if self._asks and self._terminal and (view is not None or self._again) and lines:
            self._ask_line()

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """The table, the question, the numbered choices."""
        self._desk.ask(view, choices)
        self._waiting = False
        if not self._asks:
            return
        self._below_prompt()
        if self._drawing is None:
            self._write((told.table_line(self._desk.voice, view),), stones=True)
        else:
            self._draw(view)
        if self._drawing is not None and self._desk.playing:
            # The hand is drawn above.
            self._write(
                (said(view.state.rules, _("Your turn: a card, then its stone. ? for help")), *self._desk.beside)
            )
        else:
            self._write(self._desk.question())
        if self._terminal:
            self._out.write(BELL)
        self._ask_line()

    def answer(self, line: str) -> Action | None:
        """Answer what can be answered here; give back what the game has to do."""
        self._prompted = False
        reply = self._desk.answer(line)
        self._write(reply.lines)
        match reply.action:
            case Board():
                self._board()
            case Send() | Say() | Leave() | Record():
                return reply.action
        self._ask_line()
        return None

    def refuse(self, why: str) -> None:
        """One sentence; the question stays open."""
        self._below_prompt()
        self._write((why,))
        self._ask_line()

    def _other_wants(self, happening: Happening) -> bool:
        return isinstance(happening, Again) and happening.seat != self._desk.voice.me

    def _sentences(self, happening: Happening) -> tuple[str, ...]:
        """What is told of it: `tell`, and what depends on what was told before."""
        lines = tell(self._desk.voice, self._rules, happening)
        match happening:
            case events.Happened(step.Dealt()) if self._around.game:
                lines = (_("This is {game}.").format(game=self._around.game), *lines)
            case events.Met():
                self._playing = True
                if self._terminal and self._asks:  # somebody looks at it for some seconds
                    lines = (*lines, _("The cards are being shuffled and dealt."))
            case TurnedAway(_why, True):
                self._playing = self._disturbed = False
            case TurnedAway() if self._playing:
                lines = () if self._disturbed else (_("Somebody else tried your invite, in vain: play on."),)
                self._disturbed = True
            case events.Happened(step.Exchanged()):
                self._swapped = True
            case events.Happened(event, state):
                lines = (*lines, *self._running_out(event, state))
            case events.Took(cards) if self._swapped and self._rules is not None:
                lines = (_("You get {cards}.").format(cards=self._rules.texts(cards)),)
                self._swapped = False
            case Saved() if self._outcome is not None:  # the last thing on the screen
                lines = (*lines, result(self._desk.voice, self._outcome))
        return lines

    def _running_out(self, event: step.Event, state: State) -> Iterator[str]:
        """Said once: a pile has become empty, and after that the last turn of an attacker begins."""
        self._emptied = frozenset(deck for deck in self._emptied if not state.piles[deck])  # a support may fill it
        if isinstance(event, step.Drew) and not state.piles[event.deck] and event.deck not in self._emptied:
            self._emptied |= {event.deck}
            yield emptied_text(state, event.deck)
        if self._emptied and last_turn(state) and not self._last:
            self._last = True
            yield last_turn_text()

    def _wait(self, view: View, dealt: bool) -> None:
        """Once between two questions: somebody else thinks now, and this is what I can think about."""
        state = view.state
        drawn = len(view.hand) == sum(state.hands[view.seat])  # else my card is still on its way
        if not self._waits or not self._asks or self._waiting or not drawn:
            return
        if state.over or state.to_move == view.seat:
            return
        self._waiting = True
        self._below_prompt()
        left, name = self._around.left(state.to_move), self._desk.voice.name(state.to_move)
        if left is None:
            self._write((_("Waiting for {name}.").format(name=name),))
        else:
            self._write((_("Waiting for {name}; {time} left.").format(name=name, time=clock_text(left)),))
        if self._terminal and not dealt:
            self._write((told.hand_line(view, self._desk.hand),))

    def _taken_up(self, view: View) -> None:
        """After a cut the position is seen again; a question that is mine draws it itself."""
        self._waiting = False
        if view.state.to_move != view.seat:
            self._draw(view)
            self._wait(view, dealt=False)

    def _board(self) -> None:
        view = self._desk.view
        assert view is not None  # the desk refuses `board` before the deal
        if self._drawing is not None:
            self._draw(view)
        else:
            hand = told.hand_line(view, self._desk.hand)
            self._write((*position_text(self._desk.voice, view.state), *self._turn_left(view), hand))

    def _draw(self, view: View) -> None:
        if self._drawing is not None:
            self._below_prompt()
            self._drawing.show(view, self._desk.voice.names, self._around)

    def _invite(self, invited: Invited) -> None:
        """The word alone on standard output, so that a script can take it; what it is for on standard error.

        The code comes first: it is large, and what has to be read or copied must not leave the screen.
        """
        columns = terminal_size()[0]
        lines = tell(self._desk.voice, None, invited)
        if self._terminal and self._asks:
            lines = (*lines, _("Type quit to leave."))
        if self._terminal:
            lines = tuple(piece for line in lines for piece in wrapped(line, columns, whole=True))
        if self._drawing is not None:
            below = sum(-(-len(line) // columns) for line in (invited.invite, *lines))
            self._drawing.invite(invited.invite, below + 1)  # and the line of the cursor
        print(invited.invite, file=self._out, flush=True)
        for line in lines:
            print(line, file=self._err, flush=True)

    def _write(self, lines: tuple[str, ...], *, whole: bool = False, stones: bool = False) -> None:
        columns = terminal_size()[0] if self._terminal else 0
        for line in lines:
            print("\n".join(wrapped(line, columns, whole=whole, stones=stones)), file=self._out)
        self._out.flush()

    def _ask_line(self) -> None:
        if self._asks and self._terminal and (self._desk.asked or self._again):
            self._out.write(self._prompt() if self._desk.asked else _("again? yes or no> "))
            self._out.flush()
            self._prompted = True

    def _prompt(self) -> str:
        """What stands before the cursor, behind the time that is left for my turn."""
        view = self._desk.view
        left = None if view is None or not self._desk.choices else self._around.left(view.seat)
        return self._desk.prompt if left is None else f"{clock_text(left)} {self._desk.prompt}"

    def _turn_left(self, view: View) -> tuple[str, ...]:
        """Whose turn it is, and how long it may last yet; nothing without a clock."""
        left = None if view.state.over else self._around.left(view.state.to_move)
        if left is None:
            return ()
        yours, theirs = _("Your turn, {time} left."), _("{name}'s turn, {time} left.")
        return (self._desk.voice.pick(view.state.to_move, yours, theirs, time=clock_text(left)),)

    def _below_prompt(self) -> None:
        if self._prompted:
            self._out.write("\n")
            self._prompted = False
