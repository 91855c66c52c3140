"""What a player types, read as far as a decision. Nothing is sent before the whole decision has been typed.

Three refusals are kept apart: a line that cannot be read, one that fits several things, and a move that the rules
refuse here. Each says what was tried, why not, and what would do.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from p2p_schotten.engine.move import Claim, Done, Move, Play, Resign, move_text, read_move_text
from p2p_schotten.engine.rules import apply
from p2p_schotten.engine.state import Phase, State
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import CardId, StoneId, other
from p2p_schotten.text import check_chat
from p2p_schotten.ui import told
from p2p_schotten.ui.sentences import Voice
from p2p_schotten.ui.text import _
from p2p_schotten.ui.words import SHOWN_INPUT, Refusal, capital, command, quoted

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
class Board:
    """The player wants to see the table again."""


Action = Send | Say | Leave | Board


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
        self._card: CardId | None = None
        self._resigning = self._leaving = False

    def see(self, view: View) -> None:
        """The position as it is now. When it has changed no question is open any more."""
        seen = self.view
        if seen is None or seen.state is not view.state or seen.hand != view.hand:
            self._drop()
        self.view = view
        self._leaving = self._leaving and not view.state.over

    def close(self) -> None:
        """No question is open any more, and nothing is half chosen."""
        self._drop()
        self._leaving = False

    def _drop(self) -> None:
        self.choices, self._card, self._resigning = (), None, False

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """It is this seat's decision: `choices` are the legal moves, Resign apart."""
        self._drop()
        self.view, self.choices = view, choices

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The hand as it is numbered for the player: sorted."""
        return tuple(sorted(self.view.hand)) if self.view else ()

    @property
    def asked(self) -> bool:
        """A question is open."""
        return bool(self.choices) or self._leaving

    @property
    def _claiming(self) -> bool:
        return bool(self.choices) and self.view is not None and self.view.state.phase is Phase.CLAIM

    @property
    def playing(self) -> bool:
        """The open question is which card goes to which stone."""
        return self._card is None and any(isinstance(move, Play) for move in self.choices)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        if self._leaving:
            return _("leave? yes or no> ")
        if self._resigning:
            return _("resign? yes or no> ")
        if self.view is None or not self.choices:
            return ""
        if self._card is not None:
            return _("stone for {card}> ").format(card=self.view.state.rules.text(self._card))
        return _("claim> ") if self.view.state.phase is Phase.CLAIM else _("card> ")

    def question(self) -> tuple[str, ...]:
        """The open question with its numbered choices."""
        return told.question(self.voice, self.view, self.hand, self.choices, self._card)

    def answer(self, line: str) -> Reply:
        """What a typed line means now."""
        words = line.split()
        try:
            if self._leaving:
                return self._leave(words)
            if self._resigning:
                return self._resign(words)
            if not words:
                return Reply()
            return self._read(line, words)
        except Refusal as refusal:
            return Reply((str(refusal),), refused=True)

    # reading

    def _read(self, line: str, words: list[str]) -> Reply:
        word = self._word(words[0])
        match word, words[1:]:
            case "help", []:
                return Reply(told.help_lines(self.view, bool(self.choices), self._card is not None))
            case "say", [_first, *_rest]:
                return self._say(line)
            case "quit", []:
                return self._ask_leave()
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
                return Reply((told.hand_line(view.state, self.hand),))
            case "unseen", []:
                return Reply(told.unseen_lines(view))
            case "discard", []:
                return Reply((told.discard_line(view.state),))
            case "why", [number]:
                return Reply((told.why_line(self.voice, view, self._stone(view.state, number)),))
            case (("help" | "quit" | "resign" | "back" | "undo" | "board" | "hand" | "unseen" | "discard"), _rest):
                raise Refusal(_("{word} stands alone, without more words: type {word}.").format(word=word))
            case "why", _rest:
                raise Refusal(_("why needs one stone: type why 3."))
            case "say", _rest:
                raise Refusal(_("say needs a text: type say hello."))
            case "last", _rest:
                raise Refusal(_("last takes one number: type last or last 20."))
        return self._move(view, line, word, words)

    def _word(self, text: str) -> str:
        """The command that `text` begins, or `text` itself; Refusal when it fits several."""
        if text.lower() in ("n", "no") and self._claiming:
            return "done"
        choosing = bool(self.choices) and self._card is None
        return command(text, self._faces() if choosing else ())

    def _faces(self) -> tuple[str, ...]:
        return tuple(map(self.view.state.rules.text, self.hand)) if self.view else ()

    def _move(self, view: View, line: str, word: str, words: list[str]) -> Reply:
        match word, words[1:]:
            case "play", rest:
                return self._play(view, line, rest)
            case number, [] if number.isdigit() and self._claiming:
                stone = self._stone(view.state, number) if number.strip("0") else None
                return self._send(view, line, Done() if stone is None else Claim(stone))
            case number, [] if number.isdigit() and self._card is not None:
                return self._send(view, line, Play(self._card, self._stone(view.state, number)))
            case (("claim" | "done"), _rest):
                return self._send(view, line, self._typed(view, line, " ".join([word, *words[1:]])))
            case first, rest if len(rest) < 2 and (first.isdigit() or self._is_card(view, first)):
                return self._play(view, line, [first, *rest])
        return self._send(view, line, self._typed(view, line, line))

    def _play(self, view: View, line: str, words: list[str]) -> Reply:
        if not 1 <= len(words) <= 2:
            raise Refusal(self._unreadable(line))
        card = self._card_named(view, words[0])
        if len(words) == 2:
            return self._send(view, line, Play(card, self._stone(view.state, words[1])))
        self._must_choose(view, line)
        plays = [move for move in self.choices if isinstance(move, Play) and move.card == card]
        if not plays:
            raise Refusal(self._illegal(view, Play(card, StoneId(0)), view.state.rules.text(card)))
        self._card = card
        return Reply(self.question())

    def _typed(self, view: View, line: str, text: str) -> Move:
        try:
            return read_move_text(view.state.rules, text)
        except Unreadable as error:
            raise Refusal(self._unreadable(line)) from error

    def _is_card(self, view: View, text: str) -> bool:
        try:
            view.state.rules.card(text)
        except Unreadable:
            return False
        return True

    def _card_named(self, view: View, text: str) -> CardId:
        """A card by its number in the hand or by its face."""
        if text.isdigit():
            if text.isascii() and len(text) < 4 and 1 <= int(text) <= len(self.hand):
                return self.hand[int(text) - 1]
            sentence = _("There is no card {typed} in your hand: it has the numbers 1 to {n}.")
            raise Refusal(sentence.format(typed=text[:SHOWN_INPUT], n=len(self.hand)))
        try:
            return view.state.rules.card(text)
        except Unreadable as error:
            raise Refusal(_("{why}, or its number in your hand.").format(why=capital(str(error)))) from error

    def _stone(self, state: State, text: str) -> StoneId:
        if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(state.stones):
            return StoneId(int(text) - 1)
        sentence = _("There is no stone {typed}: they are numbered 1 to {n}.")
        raise Refusal(sentence.format(typed=quoted(text), n=len(state.stones)))

    # refusing and sending

    def _dealt(self) -> View:
        if self.view is None:
            raise Refusal(_("The cards are not dealt yet; ? lists what you can type."))
        return self.view

    def _must_choose(self, view: View, line: str) -> None:
        if not self.choices:
            if view.state.over:
                raise Refusal(_("{typed}: the game is over. Type quit to leave.").format(typed=quoted(line)))
            name = self.voice.name(other(view.seat))
            sentence = _("{typed} has to wait: it is {name}'s turn. Until then there are {words}.")
            raise Refusal(sentence.format(typed=quoted(line), name=name, words=", ".join(told.WAITING)))

    def _send(self, view: View, line: str, move: Move) -> Reply:
        self._must_choose(view, line)
        if isinstance(move, Resign):
            return self._ask_resign()
        if move not in self.choices:
            raise Refusal(self._illegal(view, move, move_text(view.state.rules, move)))
        return Reply(action=Send(move))

    def _unreadable(self, line: str) -> str:
        sentence = _("{typed} cannot be read here. {hint} ? lists what you can type.")
        return sentence.format(typed=quoted(line), hint=told.hint(self.view, bool(self.choices)))

    def _illegal(self, view: View, move: Move, text: str) -> str:
        why, hint = told.why_not(self.voice, view, move), told.hint(view, True)
        return _("{move} is not possible: {why}. {hint}").format(move=text, why=why, hint=hint)

    # what needs a second word from the player

    def _back(self) -> Reply:
        if self._card is None:
            raise Refusal(_("There is nothing to take back: what was sent stays. back undoes a card before its stone."))
        self._card = None
        return Reply(self.question())

    def _ask_resign(self) -> Reply:
        view = self._dealt()
        self._must_choose(view, "resign")
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
                return Reply(told.resign_help())
            case "quit" | "q":
                self._resigning = False
                return self._ask_leave()
        raise Refusal(_("Type yes to resign or no to go on playing; ? says more."))

    def _ask_leave(self) -> Reply:
        if not self._sure or self.view is None or self.view.state.over:
            return Reply(action=Leave())
        self._leaving = True
        return Reply((_("A game that you leave cannot be taken up again yet. Type yes to leave, no to go on."),))

    def _leave(self, words: list[str]) -> Reply:
        match " ".join(words).lower():
            case "yes" | "y" | "quit" | "q":
                return Reply(action=Leave())
            case "no" | "n":
                self._leaving = False
                return Reply((_("You go on playing."), *self.question()))
        raise Refusal(_("Type yes to leave or no to go on playing; the transcript is kept."))

    def _last(self, words: list[str]) -> Reply:
        count = LAST_LINES
        if words:
            if not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 4):
                raise Refusal(_("last takes a number: {typed} is none.").format(typed=quoted(words[0])))
            count = int(words[0])
        told_last = tuple(self.log)[-count:] if count else ()
        return Reply(told_last or (_("Nothing has happened yet."),))

    def _say(self, line: str) -> Reply:
        text = line.strip().split(None, 1)[1].strip()
        try:
            return Reply(action=Say(check_chat(text)))
        except Malformed as error:
            raise Refusal(_("That was not said: {why}.").format(why=error)) from error
