"""What a front end is: it is told what happens, opens the question when it is my turn, and reads typed lines."""

from __future__ import annotations

from typing import Protocol

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View
from p2p_schotten.ui.around import NOTHING, Around
from p2p_schotten.ui.desk import Action
from p2p_schotten.ui.notice import Happening


class Front(Protocol):
    """One stream of events in, lines of a player in, actions out. It never sees a card that its player may not."""

    def meet(self, seat: int, names: tuple[str, str], around: Around = NOTHING) -> None:
        """My seat and both names are known, and what else there is around the table."""

    def tell(self, happening: Happening, view: View | None) -> None:
        """Something happened; `view` is the position now, None before the deal."""

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """It is my decision: these are the legal moves, Resign apart."""

    def answer(self, line: str) -> Action | None:
        """What a typed line asks for; None when it was answered on the spot (help, a refusal, a half move)."""

    def refuse(self, why: str) -> None:
        """What an action asked for could not be done."""
