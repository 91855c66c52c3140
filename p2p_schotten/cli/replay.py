"""`schotten replay`: step through a game. On a terminal one step at a time, else all of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.options import Ascii, Plain
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.moments import Step, Story

app = typer.Typer(add_completion=False)

HELP = """\
Enter     the next step
b         the step before
7         the step with that number, 0 to {last}; 0 is the deal
h         show the hands of both players, or hide them again
q         leave"""

File = Annotated[str, typer.Argument(metavar="FILE")]


@app.command()
def replay(file: File, plain: Plain = False, ascii_only: Ascii = False) -> int:
    """Show the steps; 1 when the file stops being good somewhere."""
    from p2p_schotten.cli.files import read_or_fail, why_refused
    from p2p_schotten.cli.moments import story
    from p2p_schotten.ui.terminal import can_draw, is_terminal

    data = read_or_fail(file)
    told = story(data)
    show = _Show(told, drawn=can_draw() and not plain, ascii_only=ascii_only)
    if not told.steps:
        print(_("The cards were never dealt in this game."))
    elif is_terminal() and file != "-":
        show.step_through()
    else:
        show.all()
    if told.fault is not None:
        raise Failure(
            Status.FAILED,
            f"{file}: {why_refused(data, told.fault, len(told.moments))}",
            _("what stands before it is good"),
        )
    return Status.DONE


class _Show:
    """The steps of one game on standard output."""

    def __init__(self, told: Story, drawn: bool, ascii_only: bool) -> None:
        from p2p_schotten.ui.around import game_of
        from p2p_schotten.ui.voice import Voice

        self._told = told
        self._game = game_of(told.session) if told.steps else ""
        self._drawn, self._ascii = drawn, ascii_only
        self._voice = Voice(None, told.names)
        self._hands = False

    def all(self) -> None:
        """Every step in sentences, then the table as it stands at the end, and the hands of the deal if revealed."""
        from p2p_schotten.ui.table_text import position_text

        self._hands = True
        for step in self._told.steps:
            self._sentences(step)
            if step.number == 0:
                self._print_hands(step)
        self._say(*position_text(self._voice, self._told.steps[-1].state), self._ending())

    def step_through(self) -> None:
        """Enter, b, a number, h, q; the end of input is q."""
        last = len(self._told.steps) - 1
        at = 0
        self._show(at)
        while True:
            try:
                typed = input(f"{at}/{last} {_('(Enter next, b back, number, h hands, q quit)')}> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if typed == "q":
                return
            if typed in ("?", "help"):
                print(_(HELP).format(last=last))
                continue
            if typed == "h":
                self._hands = not self._hands
                if self._told.hands(self._told.steps[at]) is None:
                    self._say(_("The hands cannot be shown: not both players revealed them."))
            elif typed == "" and at < last:
                at += 1
            elif typed == "b" and at > 0:
                at -= 1
            elif typed.isascii() and typed.isdigit() and len(typed) < 5 and int(typed) <= last:
                at = int(typed)
            else:
                self._say(self._why_not(typed, last))
                continue
            self._show(at)

    def _why_not(self, typed: str, last: int) -> str:
        if typed == "":
            return f"{_('This is the end.')} {self._ending()}"
        if typed == "b":
            return _("This is the beginning.")
        return _("Type Enter, b, a number from 0 to {last}, h or q; ? says what they do.").format(last=last)

    def _show(self, at: int) -> None:
        from p2p_schotten.ui.render import Scene, board
        from p2p_schotten.ui.table_text import position_text
        from p2p_schotten.ui.terminal import draw, symbols, terminal_size

        step = self._told.steps[at]
        self._sentences(step)
        hands = self._told.hands(step) if self._hands else None
        if self._drawn:
            columns = terminal_size()[0]
            scene = Scene(step.state, Seat(0), self._told.names, hands or ((), ()), neutral=True, game=self._game)
            draw(board(scene, columns, symbols(self._ascii)))
            sys.stdout.flush()
            return
        self._say(*position_text(self._voice, step.state))
        if hands:
            self._print_hands(step)

    def _sentences(self, step: Step) -> None:
        from p2p_schotten.ui.steps import tell_step

        for event in step.events:
            for line in tell_step(self._voice, step.state, event):
                self._say(f"{step.number:3}  {line}")

    def _print_hands(self, step: Step) -> None:
        from p2p_schotten.ui.voice import cards_text

        hands = self._told.hands(step)
        if hands is None:
            return
        for seat in SEATS:
            cards = cards_text(step.state.rules, hands[seat])
            self._say("     " + _("{name} holds {cards}.").format(name=self._voice.name(seat), cards=cards))

    def _say(self, *lines: str) -> None:
        from p2p_schotten.ui.wrapping import columns_of, wrapped

        columns = columns_of(sys.stdout)
        for line in lines:
            print("\n".join(wrapped(line, columns)))

    def _ending(self) -> str:
        if self._told.fault is not None:
            return _("The file is good up to here.")
        if not self._told.steps[-1].state.over:
            return _("The game is unfinished.")
        return _("The transcript is complete.") if self._told.session.finished else _("The game is over.")
