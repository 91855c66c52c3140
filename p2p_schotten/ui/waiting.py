"""What a player may do while the other one is waited for: wait, adjourn, or record a win by absence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from p2p_schotten.ids import other
from p2p_schotten.ui.helping import record_help
from p2p_schotten.ui.notice import Happening, Resumed, TimeUp
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.words import Refusal


class Choice(Enum):
    """What is to be done."""

    RECORD = auto()
    LEAVE = auto()


@dataclass(slots=True)
class Waiting:
    """One wait for the other seat. Methods give sentences, or what is to be done; they raise Refusal."""

    late: bool = False  # the other's time is up
    asked: bool = False  # whether the player means to record a win

    def hear(self, voice: Voice, happening: Happening) -> None:
        """The other's time is up, or he has it anew."""
        match happening:
            case TimeUp(seat) if seat != voice.me:
                self.late = True
            case Resumed():
                self.late = self.asked = False

    def wait(self, voice: Voice, *, mine: bool) -> Choice | tuple[str, ...]:
        """`mine`: the decision is the player's own."""
        if mine:
            raise Refusal(_("It is your own decision: nobody else is waited for."))
        return (_("You go on waiting for {name}.").format(name=_name(voice)),)

    def ask(self, voice: Voice, *, sure: bool) -> Choice | tuple[str, ...]:
        """The player wants to record a win; `sure`: he is asked whether he means it."""
        if not self.late:
            why = _("No time is up. A win by absence can be recorded when {name} has been away for longer than agreed.")
            raise Refusal(why.format(name=_name(voice)))
        if not sure:
            return Choice.RECORD
        self.asked = True
        question = _("Record a win by absence? It proves nothing, and {name} may see it differently. Type yes or no.")
        return (question.format(name=_name(voice)),)

    def answer(self, voice: Voice, words: list[str]) -> Choice | tuple[str, ...]:
        """What was typed when it was asked."""
        match " ".join(words).lower():
            case "yes" | "y":
                self.asked = False
                return Choice.RECORD
            case "no" | "n" | "wait":
                self.asked = False
                return self.wait(voice, mine=False)
            case "?" | "help":
                return record_help()
            case "quit" | "q" | "adjourn":
                self.asked = False
                return Choice.LEAVE
        raise Refusal(_("Type yes to record the win or no to go on waiting; ? says more."))


def _name(voice: Voice) -> str:
    return ("" if voice.me is None else voice.name(other(voice.me))) or _("the other player")
