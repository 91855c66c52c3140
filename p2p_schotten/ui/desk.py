"""What a player types, read as far as a decision. Nothing is sent before the whole decision has been typed.

Three refusals are kept apart: a line that cannot be read, one that fits several things, and a move that the rules
refuse here. Each says what was tried, why not, and what would do.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.state import State
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import CardId, StoneId, other
from p2p_schotten.text import check_chat
from p2p_schotten.ui import told
from p2p_schotten.ui.asking import Parts, Way, ways
from p2p_schotten.ui.choosing import Choosing, is_card
from p2p_schotten.ui.helping import again_help, card_lines, help_lines, resign_help, rules_line
from p2p_schotten.ui.notice import Happening
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.waiting import Choice, Waiting
from p2p_schotten.ui.wall import said
from p2p_schotten.ui.words import Refusal, capital, command, quoted

LOG_LINES = 500  # sentences that `last` can show; a game has about 200
LAST_LINES = 6


@dataclass(frozen=True, slots=True)
class Send:
    """A decision, complete and legal."""

    move: Move


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The player leaves; the game stays as it is."""


@dataclass(frozen=True, slots=True)
class Record:
    """The other's time is up, and the player wants a win by absence recorded."""


@dataclass(frozen=True, slots=True)
class Board:
    """The player wants to see the table again."""


Action = Send | Say | Leave | Record | Board


@dataclass(frozen=True, slots=True)
class Reply:
    """Sentences for the player, and what is to be done. `refused`: the line led to nothing."""

    lines: tuple[str, ...] = ()
    action: Action | None = None
    refused: bool = False


class Desk:
    """The place where one player sits: what he sees, what he has half chosen, and what he was told."""

    def __init__(self, voice: Voice, *, sure: bool = False) -> None:
        self.voice = voice
        self._sure = sure  # whoever leaves a running game is asked whether he means it
        self.view: View | None = None
        self.choices: tuple[Move, ...] = ()
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._ways: tuple[Way, ...] = ()
        self._chosen: Parts = ()  # the first words of a move, beginning with its verb
        self._resigning = self._leaving = False
        self._waiting = Waiting()

    def see(self, view: View) -> None:
        """The position as it is now. When it has changed no question is open any more."""
        seen = self.view
        if seen is None or seen.state is not view.state or seen.hand != view.hand:
            self._drop()
            if seen is None or (seen.state.turn, seen.state.to_move) != (view.state.turn, view.state.to_move):
                self._waiting = Waiting()  # another turn; a decision more of the same one gives nobody new time
        self.view = view
        self._leaving = self._leaving and not view.state.over

    def time(self, happening: Happening) -> None:
        """The other's time is up, or he has it anew; nothing else that happens changes that."""
        self._waiting.hear(self.voice, happening)

    def close(self) -> None:
        """No question is open any more, and nothing is half chosen."""
        self._drop()
        self._leaving = False

    def _drop(self) -> None:
        self.choices, self._ways, self._chosen = (), (), ()
        self._resigning = self._waiting.asked = False

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """It is this seat's decision: `choices` are the legal moves, Resign apart."""
        self._drop()
        self.view, self.choices = view, choices
        self._ways = ways(view.state.rules, choices)

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The hand as it is numbered for the player: sorted."""
        return tuple(sorted(self.view.hand)) if self.view else ()

    @property
    def asked(self) -> bool:
        """A question is open."""
        return bool(self.choices) or self._leaving or self._waiting.asked

    def _choosing(self, view: View) -> Choosing:
        return Choosing(self.voice, view, self.hand, self._ways, self._chosen, self._waiting.late)

    @property
    def playing(self) -> bool:
        """The open question is which card is played."""
        return self.view is not None and self._choosing(self.view).playing

    @property
    def beside(self) -> tuple[str, ...]:
        """What else may be done where a card is to be played."""
        return self._choosing(self.view).beside if self.view is not None else ()

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        if self._leaving:
            return _("leave? yes or no> ")
        if self._resigning:
            return _("resign? yes or no> ")
        if self._waiting.asked:
            return _("record? yes or no> ")
        return self._choosing(self.view).prompt if self.view is not None else ""

    def question(self) -> tuple[str, ...]:
        """The open question with its numbered choices; empty when none is open."""
        return self._choosing(self.view).question if self.view is not None else ()

    def answer(self, line: str) -> Reply:
        """What a typed line means now."""
        words = line.split()
        if words and len(words[0]) > 1 and words[0][0] == "?":
            words = ["?", words[0][1:], *words[1:]]
        try:
            if self._leaving:
                return self._leave(words)
            if self._resigning:
                return self._resign(words)
            if self._waiting.asked:
                return self._waits(self._waiting.answer(self.voice, words))
            if not words:
                return Reply()
            return self._read(line, words)
        except Refusal as refusal:
            return Reply((str(refusal),), refused=True)

    # reading

    def _read(self, line: str, words: list[str]) -> Reply:
        word = self._word(words[0])
        if self.view is not None and word in self._choosing(self.view).answers:
            return self._choose(self.view, line, words)
        words = words if word == words[0].lower() else [word, *words[1:]]
        match word, words[1:]:
            case "rules", []:
                return Reply((rules_line(None if self.view is None else self.view.state.rules),))
            case "help", []:
                again = again_help() if self._sure else ()
                return Reply((*help_lines(self.view, self._ways, self._chosen), *again))
            case "say", [_first, *_rest]:
                return self._say(line)
            case "quit", []:
                return self._ask_leave()
            case "adjourn", []:
                return Reply(action=Leave())
            case "wait", []:
                return self._waits(self._waiting.wait(self.voice, mine=bool(self.choices)))
            case "record", []:
                return self._waits(self._waiting.ask(self.voice, sure=self._sure))
            case "last", rest if len(rest) < 2:
                return self._last(rest)
            case "resign", []:
                return self._ask_resign()
            case (("back" | "undo"), []):
                return self._back()
        view = self._dealt()
        match word, words[1:]:
            case "board", []:
                return Reply(action=Board())
            case "hand", []:
                return Reply((told.hand_line(view, self.hand), *told.memory_lines(view)))
            case "unseen", []:
                return Reply(told.unseen_lines(view))
            case "discard", []:
                return Reply((told.discard_line(view.state), *self._choosing(view).discard_hint))
            case "why", [thing]:
                return Reply((self._why(view, thing),))
            case (("what" | "help"), [_first, *_rest]):
                return Reply(self._what(view, " ".join(words[1:])))
            case (("quit" | "resign" | "back" | "undo" | "board" | "hand" | "unseen" | "rules" | "adjourn"), _rest):
                raise Refusal(_("{word} stands alone, without more words: type {word}.").format(word=word))
            case (("wait" | "record"), _rest):
                raise Refusal(_("{word} stands alone, without more words: type {word}.").format(word=word))
            case "why", _rest:
                raise Refusal(said(view.state.rules, _("why needs one stone or card: type why 3.")))
            case (("what" | "help"), _rest):
                raise Refusal(_("{word} takes one card: type {word} {card}.").format(word=word, card="R7"))
            case "say", _rest:
                raise Refusal(_("say needs a text: type say hello."))
            case "last", _rest:
                raise Refusal(_("last takes one number: type last or last 20."))
        return self._choose(view, line, words)

    def _word(self, text: str) -> str:
        """The command, the verb or the card that `text` begins, or `text` itself; Refusal when it fits several."""
        if self.view is None:
            return command(text, (), ())
        choosing = self._choosing(self.view)
        if text.lower() in ("n", "no") and choosing.claiming:
            return "0"
        return command(text, choosing.verbs, choosing.cards)

    def _why(self, view: View, thing: str) -> str:
        if is_card(view, thing):
            return told.why_card(self.voice, view, thing.upper(), self._ways)
        return told.why_line(self.voice, view, self._stone(view.state, thing))

    def _what(self, view: View, thing: str) -> tuple[str, ...]:
        if thing.isascii() and thing.isdigit() and len(thing) < 4 and 1 <= int(thing) <= len(self.hand):
            thing = view.state.rules.text(self.hand[int(thing) - 1])
        titles = (card.text for card in view.state.rules.cards if card.title.lower() == thing.lower())
        try:
            return card_lines(view, next(titles, thing))
        except Unreadable as error:
            raise Refusal(_("{why}, or its number in your hand.").format(why=capital(str(error)))) from error

    def _stone(self, state: State, text: str) -> StoneId:
        if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(state.stones):
            return StoneId(int(text) - 1)
        sentence = said(state.rules, _("There is no stone {typed}: they are numbered 1 to {n}."))
        raise Refusal(sentence.format(typed=quoted(text), n=len(state.stones)))

    def _dealt(self) -> View:
        if self.view is None:
            raise Refusal(_("The cards are not dealt yet; ? lists what you can type."))
        return self.view

    def _choose(self, view: View, line: str, words: list[str]) -> Reply:
        found = self._choosing(view).read(line, words)
        if not isinstance(found, Choosing):
            return Reply(action=Send(found))
        self._chosen = found.chosen
        return Reply(found.question)

    # what needs a second word from the player

    def _back(self) -> Reply:
        before = self._choosing(self._dealt()).back()
        self._chosen = before.chosen
        return Reply(before.question)

    def _ask_resign(self) -> Reply:
        view = self._dealt()
        self._choosing(view).must_choose("resign")
        self._resigning = True
        outcome = apply(view.state, Resign()).state.outcome
        assert outcome is not None
        sentence = _("Resign? {name} gets {theirs} points, you get {mine}. Type yes to resign, no to go on.")
        mine, theirs = outcome.points[view.seat], outcome.points[other(view.seat)]
        return Reply((sentence.format(name=self.voice.name(other(view.seat)), theirs=theirs, mine=mine),))

    def _resign(self, words: list[str]) -> Reply:
        match " ".join(words).lower():
            case "yes" | "y":
                self._resigning = False
                return Reply(action=Send(Resign()))
            case "no" | "n":
                self._resigning = False
                return Reply((_("You go on playing."), *self.question()))
            case "?" | "help":
                return Reply(resign_help())
            case "quit" | "q":
                self._resigning = False
                return self._ask_leave()
        raise Refusal(_("Type yes to resign or no to go on playing; ? says more."))

    def _ask_leave(self) -> Reply:
        if not self._sure or self.view is None or self.view.state.over:
            return Reply(action=Leave())
        self._leaving = True
        return Reply((_("The game is saved, and schotten resume takes it up. Type yes to leave, no to go on."),))

    def _leave(self, words: list[str]) -> Reply:
        match " ".join(words).lower():
            case "yes" | "y" | "quit" | "q":
                return Reply(action=Leave())
            case "no" | "n":
                self._leaving = False
                return Reply((_("You go on playing."), *self.question()))
        raise Refusal(_("Type yes to leave or no to go on playing; the game is saved."))

    def _waits(self, found: Choice | tuple[str, ...]) -> Reply:
        match found:
            case Choice.RECORD:
                return Reply(action=Record())
            case Choice.LEAVE:
                return Reply(action=Leave())
            case _:
                return Reply(found)

    def _last(self, words: list[str]) -> Reply:
        count = LAST_LINES
        if words:
            if not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 4):
                raise Refusal(_("last takes a number: {typed} is none.").format(typed=quoted(words[0])))
            count = int(words[0])
        told_last = tuple(self.log)[-count:] if count else ()
        return Reply(told_last or (_("Nothing has happened since you sat down."),))

    def _say(self, line: str) -> Reply:
        text = line.strip().split(None, 1)[1].strip()
        try:
            return Reply(action=Say(check_chat(text)))
        except Malformed as error:
            raise Refusal(_("That was not said: {why}.").format(why=error)) from error
