"""The front end of a peer that nobody watches."""

from __future__ import annotations

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View
from p2p_schotten.ui.desk import Action
from p2p_schotten.ui.notice import Happening


class SilentFront:
    """Shows nothing and asks nothing: a bot decides."""

    def meet(self, seat: int, names: tuple[str, str]) -> None:
        """Nothing is shown."""

    def tell(self, happening: Happening, view: View | None) -> None:
        """Nothing is shown."""

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """Nobody is there to be asked."""

    def answer(self, line: str) -> Action | None:
        """Nobody types."""
        return None

    def refuse(self, why: str) -> None:
        """Nothing is shown."""
