"""A decision under way: what has been typed of it so far, and what one more line makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p_schotten.engine.move import Done, Move
from p2p_schotten.engine.state import Phase
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import CardId, other
from p2p_schotten.ui import told
from p2p_schotten.ui.asking import (
    DISCARD,
    NO_STONE,
    VERBS,
    Part,
    Parts,
    Slot,
    Way,
    below,
    lead,
    options,
    slot_after,
    texts,
)
from p2p_schotten.ui.questions import beside_play, claim_word, hint, prompt, question, verbs
from p2p_schotten.ui.reading import Reader
from p2p_schotten.ui.text import _
from p2p_schotten.ui.voice import Voice
from p2p_schotten.ui.words import Refusal, overdue, quoted


def is_card(view: View, text: str) -> bool:
    """Whether a card of this game is written so."""
    try:
        view.state.rules.card(text)
    except Unreadable:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Choosing:
    """One player at a position. `ways` spell his legal moves, none when it is not his turn.

    `hand` is his hand as it is numbered for him; `chosen` are the first words of a move, beginning with its verb.
    """

    voice: Voice
    view: View
    hand: tuple[CardId, ...]
    ways: tuple[Way, ...]
    chosen: Parts = ()
    late: bool = False  # the other's time is up

    @property
    def playing(self) -> bool:
        """The open question is which card is played."""
        return not self.chosen and texts(lead(self.ways)) == ("play",)

    @property
    def claiming(self) -> bool:
        """The open question is what to claim before the turn ends."""
        return bool(self.ways) and not self.chosen and self.view.state.phase is Phase.CLAIM

    @property
    def prompt(self) -> str:
        """What stands before the cursor; nothing when no question is open."""
        return prompt(self.view, self.ways, self.chosen) if self.ways else ""

    @property
    def question(self) -> tuple[str, ...]:
        """The open question with its numbered choices; empty when none is open."""
        return question(self.voice, self.view, self.hand, self.ways, self.chosen) if self.ways else ()

    @property
    def beside(self) -> tuple[str, ...]:
        """What else may be done where a card is to be played."""
        return beside_play(self.view, self.hand, self.ways) if self.playing else ()

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that a line may begin with; all of them while it is not my turn."""
        claim = claim_word(self.view.state)
        return tuple(claim if verb == "claim" else verb for verb in (verbs(self.ways) if self.ways else VERBS))

    @property
    def cards(self) -> tuple[str, ...]:
        """The words that may follow a verb that need not be typed."""
        return texts(options(self.ways, self.chosen or lead(self.ways)))

    @property
    def answers(self) -> tuple[str, ...]:
        """The words that answer the question about a move that is half chosen; `discard` alone shows the pile."""
        return tuple(word for word in texts(options(self.ways, self.chosen)) if word != DISCARD) if self.chosen else ()

    @property
    def discard_hint(self) -> tuple[str, ...]:
        """What discards a card where that can be chosen."""
        if slot_after(self.view.state, texts(self.chosen)) is not Slot.PLACE:
            return ()
        return (_("Type {n} to discard {card}.").format(n=NO_STONE, card=self.chosen[-1].text),)

    def back(self) -> Choosing:
        """One word less is chosen. Raises Refusal when none is."""
        if not self.chosen:
            sentence = _("There is nothing to take back: what was sent stays. back undoes what is half typed.")
            raise Refusal(sentence)
        before = self.chosen[:-1]
        return replace(self, chosen=before if len(before) > 1 else ())

    def read(self, line: str, words: list[str]) -> Move | Choosing:
        """The move that the typed line completes, or the question about its next word. Raises Refusal."""
        verb = "claim" if words[0].lower() == "control" else words[0].lower()
        if self.claiming and len(words) == 1 and not verb.strip("0"):
            verb = "done" if any(way.move == Done() for way in self.ways) else "draw"
        named = verb in VERBS and verb not in self.answers
        start, rest = ((Part(verb),), words[1:]) if named else (self._start(verb), words)
        if not start:
            raise Refusal(self._unreadable(line))
        self.must_choose(line)
        reader = Reader(self.view, self.hand, self.ways)
        parts = reader.read(start, rest, listed=start == (self.chosen or lead(self.ways)))
        if parts is None and start == self.chosen:
            parts = reader.read(start[:1], rest, listed=False)  # another such move from its beginning
        if parts is None:
            if start[0].text == "return":
                raise Refusal(_("One card is put back at a time: type return and one card."))
            raise Refusal(self._unreadable(line))
        return self._take(parts)

    def _start(self, word: str) -> Parts:
        """The words before a bare one: those chosen so far, or the verb that it belongs to; none when it is no move."""
        first = lead(self.ways) or (Part(VERBS[0]),)
        if self._repeats(word):
            return self.chosen[:1]
        if self.chosen and not (self._asks_no_card(self.chosen) and is_card(self.view, word)):
            return self.chosen
        if is_card(self.view, word):
            return (Part("play"),) if self._asks_no_card(first) else first
        for verb in (first, *((Part(verb),) for verb in verbs(self.ways))):
            if not word.isdigit() and any(text.startswith(word) for text in texts(options(self.ways, verb))):
                return verb
        return first if word.isdigit() else ()

    def _repeats(self, word: str) -> bool:
        """The card that is being played is named again: the move is typed from its beginning."""
        return texts(self.chosen[:2]) == ("play", word.upper()) and word.upper() not in self.answers

    def _asks_no_card(self, parts: Parts) -> bool:
        return slot_after(self.view.state, texts(parts)) in (Slot.STONE, Slot.PLACE, Slot.DECK, Slot.WHOSE)

    def _take(self, parts: Parts) -> Move | Choosing:
        found = below(self.ways, parts)
        if not found:
            verb, *named = texts(parts)
            text = " ".join([claim_word(self.view.state) if verb == "claim" else verb, *named])
            why = told.why_not(self.voice, self.view, texts(parts))
            sentence = _("{move} is not possible: {why}. {hint}")
            raise Refusal(sentence.format(move=text, why=why, hint=hint(self.view, self.ways, parts)))
        for way in found:
            if way.parts == parts:
                return way.move
        return replace(self, chosen=() if parts == lead(self.ways) else parts)

    def must_choose(self, line: str) -> None:
        """It is my decision; Refusal when it is not."""
        if not self.ways:
            if self.view.state.over:
                raise Refusal(_("{typed}: the game is over. Type quit to leave.").format(typed=quoted(line)))
            name = self.voice.name(other(self.view.seat))
            mine = self.view.state.to_move == self.view.seat
            turn = _("{typed} has to wait: it is {name}'s turn. Until then there are {words}.")
            gone = _("{typed} has to wait: {name} is not there. Until then there are {words}.")
            words = [word for word in told.WAITING if not (mine and word == "say")]  # nobody would hear it
            sentence = (gone if mine else turn).format(typed=quoted(line), name=name, words=", ".join(words))
            raise Refusal(f"{sentence} {self._overdue}" if self.late else sentence)

    @property
    def _overdue(self) -> str:
        """The other's time is up: what there is to choose from."""
        return _("{name}'s time is up. {choices}").format(
            name=self.voice.name(other(self.view.seat)), choices=overdue()
        )

    def _unreadable(self, line: str) -> str:
        if self.ways:
            would_do = hint(self.view, self.ways, self.chosen)
        else:
            would_do = self._overdue if self.late else _("It is not your turn to move.")
        sentence = _("{typed} cannot be read here. {hint} ? lists what you can type.")
        return sentence.format(typed=quoted(line), hint=would_do)
