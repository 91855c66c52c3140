"""The course of a turn: section 3.6 of docs/protocol.md, in its words and in its order."""

from __future__ import annotations

from dataclasses import replace

from tests.independent.game import CLAIM, OIL, PLAY, Game


def played(new: Game) -> None:
    finish(new, new.claims() if new.claims_after_play else ())


def finish(new: Game, claims: tuple[int, ...]) -> None:
    if claims or new.draw_is_choice():
        new.ask(CLAIM, claims)
    else:
        close(new)


def resting(new: Game) -> bool:
    """Whether something is asked of the seat on turn, which lays nothing."""
    claims = new.claims()
    if claims or new.draw_is_choice():
        new.ask(CLAIM, claims)
    elif new.may_pour(new.turn):
        new.ask(OIL)
    else:
        return False
    return True


def close(new: Game, *, drawn: bool = False) -> None:
    """From point 1; with `drawn` from point 2."""
    while True:
        last = not drawn and new.turn == new.attacker and new.piles[0] == 0
        if not drawn and not new.draw_is_choice():
            for deck in new.may_draw():
                new.draw(deck)
        drawn = False
        if not new.acted:
            new.ply += 1
        if new.skips == 2 or last:
            _nobody_goes_on(new)
            return
        new.turn = new.to_move = 1 - new.turn
        new.acted = new.poured = new.restocked = 0
        seat = new.turn
        if new.rules.full_defender_wins and seat != new.attacker and not new.room(seat):
            new.end(seat, 7)
            return
        if new.may_lay(seat) or new.may_use(seat):
            new.ask(PLAY, new.claims() if new.claims_before_play else ())
            return
        new.skips += 1
        if resting(new):
            return


def _nobody_goes_on(new: Game) -> None:
    if new.attacker is not None:
        new.end(1 - new.attacker, 6)
        return
    for number in new.open_stones():
        full = [seat for seat in (0, 1) if new.full(seat, number)]
        if full:
            owner = full[0] if len(full) == 1 else new.better(number)
            new.at_stone(number, replace(new.stones[number], owner=owner))
    patterns = [seat for seat in (0, 1) if new.pattern(seat) is not None]
    own = [new.own(0), new.own(1)]
    if len(patterns) == 1:
        new.end(patterns[0], 2)
    else:
        new.end(None if own[0] == own[1] else own.index(max(own)), 2)
