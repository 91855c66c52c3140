"""The lines of a file of results: a header that says which match it is, then one line per game, in their order.

Nothing in it differs between two runs of a match: no time, no name of a machine, no number of processes. docs/arena.md
describes the fields.
"""

from __future__ import annotations

import json

import p2p_schotten
from p2p_schotten.arena.game import FORFEIT, Result, Stopped
from p2p_schotten.arena.plan import Game, Place, Plan, first_of, game_numbers, seats_of
from p2p_schotten.bots.base import Fault
from p2p_schotten.engine.fields import Fields
from p2p_schotten.engine.step import Reason
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.text import clean_text

FORMAT = 1
MAX_HEADER = 512 * 1024  # bytes: fifty bots with commands of 500 characters, each of up to 12 bytes when it is escaped
MAX_LINE = 8192  # bytes: two sentences of 200 characters, each of up to 12 bytes when it is escaped, and the rest
MOST_PLIES = 100_000  # a game has some hundreds at most
MOST_POINTS = 1_000
_REASONS = frozenset((FORFEIT, *(reason.value for reason in Reason)))


def header_line(plan: Plan) -> bytes:
    """The first line."""
    return _line(_header(plan))


def check_header(plan: Plan, line: bytes) -> None:
    """The file is one of this match; else raises Malformed, which says in what they differ."""
    wanted = _header(plan)
    if line == _line(wanted):
        return
    found = _object(line)
    if found.get("arena") != FORMAT:
        raise Malformed("it is no file of results of the arena that this version can read")
    for name, value in wanted.items():
        if name not in found or json.dumps(found[name]) != json.dumps(value):
            theirs = clean_text(json.dumps(found.get(name)), 100)
            raise Malformed(f"it holds another match: {name} is {theirs} there, and {json.dumps(value)} here")
    raise Malformed("its first line is not written as the arena writes it")


def game_lines(place: Place, games: tuple[Game, Game]) -> bytes:
    """The two lines of a pair."""
    return b"".join(_line(_game(place, game)) for game in games)


def read_pair(place: Place, lines: tuple[bytes, bytes]) -> tuple[Game, Game]:
    """The games of that pair; raises Malformed where a line is not what the arena writes in this place."""
    one, two = (_read_game(place, number, line) for number, line in zip(game_numbers(place), lines, strict=True))
    return one, two


def _header(plan: Plan) -> Fields:
    return {
        "arena": FORMAT,
        "version": p2p_schotten.__version__,
        "rules": plan.rules,
        "flags": dict(plan.flags),
        "digest": plan.digest,
        "seed": plan.seed,
        "sealed": plan.sealed,
        "bots": list(plan.bots),
    }


def _game(place: Place, game: Game) -> Fields:
    result = game.result
    fields: Fields = {
        "bots": list(place.pairing),
        "game": game.number,
        "pair": place.pair,
        "seats": list(game.seats),
        "first": game.first,
        "winner": None if result.winner is None else game.seats[result.winner],
        "reason": result.reason,
        "points": list(result.points),
        "plies": result.plies,
    }
    said: list[Fields] = [
        {"stopped": game.seats[stopped.seat], "fault": stopped.fault.value, "why": stopped.why}
        for stopped in result.stopped
    ]
    if said:
        fields |= said[0]
    if len(said) > 1:
        fields["also"] = said[1]
    return fields


def _read_game(place: Place, number: int, line: bytes) -> Game:
    fields, seats = _object(line), seats_of(place.pairing, number)
    winner, reason, stopped = fields.get("winner"), fields.get("reason"), _who_stopped(seats, fields)
    if not isinstance(reason, str) or reason not in _REASONS or (reason == FORFEIT and len(stopped) != 1):
        raise Malformed(f"a line of game {number} gives no reason why it ended")
    points = fields.get("points")
    if not isinstance(points, list) or len(points) != len(SEATS):
        raise Malformed(f"a line of game {number} gives no points for both seats")
    result = Result(
        None if winner is None else _seat(seats, winner),
        reason,
        (_number(points[0], MOST_POINTS), _number(points[1], MOST_POINTS)),
        _number(fields.get("plies"), MOST_PLIES),
        stopped,
    )
    game = Game(number, seats, first_of(number), result)
    if _line(_game(place, game)) != line:
        raise Malformed(f"there is another line where game {number} of bots {list(place.pairing)} belongs")
    return game


def _who_stopped(seats: tuple[int, int], fields: Fields) -> tuple[Stopped, ...]:
    said = [one for one in (fields, fields.get("also")) if isinstance(one, dict) and "stopped" in one]
    found = [(_seat(seats, one["stopped"]), _fault(one.get("fault")), _text(one.get("why"))) for one in said]
    stopped = tuple(Stopped(*one) for one in found)
    if len(stopped) > 1 and stopped[0].seat >= stopped[1].seat:
        raise Malformed("a line does not name those who stopped in the order of their seats")
    return stopped


def _line(fields: Fields) -> bytes:
    return json.dumps(fields).encode("ascii") + b"\n"


def _object(line: bytes) -> Fields:
    try:
        value: object = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):  # a number of thousands of digits is a ValueError too
        raise Malformed("a line is no JSON") from None
    if not isinstance(value, dict):
        raise Malformed("a line is no JSON object")
    return value


def _seat(seats: tuple[int, int], value: object) -> Seat:
    if value not in seats:
        raise Malformed("a line names a bot that did not play in its game")
    return SEATS[value == seats[1]]


def _fault(value: object) -> Fault:
    for fault in Fault:
        if fault.value == value:
            return fault
    raise Malformed("a line names a fault that is none")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed("a line gives no sentence for its fault")
    return value


def _number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise Malformed(f"a line has {clean_text(json.dumps(value), 20)} where a number from 0 to {most} belongs")
    return value
