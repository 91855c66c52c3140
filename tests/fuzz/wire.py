"""The doors that bytes of the other player come through: frames, records and their bodies, items outside the chain."""

from __future__ import annotations

import unicodedata

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import move_code, read_move
from p2p_schotten.engine.rulesets import RULESETS, ruleset
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.ids import Seat
from p2p_schotten.net.chats import Chats
from p2p_schotten.net.frames import Frame, FrameBuffer, Tag
from p2p_schotten.net.handshake import HELLO_BYTES, VERSIONS, Role, read_hello
from p2p_schotten.net.handshake import Hello as ChannelHello
from p2p_schotten.protocol.absent import Absent, Lapse, Word, judge_absence, read_absent
from p2p_schotten.protocol.closing import Close, Fault, read_item
from p2p_schotten.protocol.messages import Hello, MoveBody, Remade, Shuffle, read_body, write_body
from p2p_schotten.protocol.offer import offer_of
from p2p_schotten.protocol.record import Kind, Value, head_of, pack, read_record, unpack
from p2p_schotten.protocol.resume import MAX_STAND, Stand, read_stand
from p2p_schotten.text import CHAT_CHARACTERS, check_name, clean_text
from tests.fuzz.games import closed, records
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence

FRAME_LIMIT = 600  # stands for the limit that a game sets for its next record


def frames(data: bytes) -> bool:
    """The first byte says how the rest is cut; however it is, the same frames come out, or the same refusal."""
    cut, stream = (data[0] % 16 + 1 if data else 1), data[1:]
    whole, refusal = _frames_of(stream, max(1, len(stream)))
    assert _frames_of(stream, cut) == (whole, refusal)
    written = b"".join(frame.encode() for frame in whole)
    assert stream.startswith(written)
    assert all(len(frame.payload) <= FRAME_LIMIT for frame in whole)
    return refusal is None


def _frames_of(stream: bytes, cut: int) -> tuple[list[Frame], str | None]:
    buffer, found = FrameBuffer(lambda tag: FRAME_LIMIT), list[Frame]()
    try:
        for at in range(0, len(stream), cut):
            buffer.feed(stream[at : at + cut])
            while (frame := buffer.next()) is not None:
                found.append(frame)
    except Malformed as error:
        check_sentence(error)
        return found, str(error)
    return found, None


def record(data: bytes) -> bool:
    """A record that is taken has this one encoding; so has its body, its move, and the offer that it makes."""
    try:
        read = read_record(data)
        assert pack([read.seq, read.prev, int(read.seat), int(read.kind), read.body, read.signature]) == data
        assert len(read.head()) == 32
        body = read_body(read.kind, read.body)
    except Malformed as error:
        check_sentence(error)
        return False
    assert write_body(body) == read.body
    match body:
        case Hello():
            return _offer(body)
        case MoveBody():
            return _moves(body.move) and _counted(body.mixes)
        case Shuffle():
            return _counted(body.decks)
    return True


def _offer(hello: Hello) -> bool:
    try:
        offer = offer_of(RULESETS, hello)
        check_name(hello.name)
    except (Unreadable, Malformed) as error:
        check_sentence(error)
        return False
    assert offer.pairs() == hello.options
    return True


def _moves(code: tuple[int, ...]) -> bool:
    """By which rules it would be a move is not known here, so it is read by all of them."""
    taken = False
    for rules in RULESETS.values():
        try:
            move = read_move(rules, code)
        except Malformed as error:
            check_sentence(error)
            continue
        assert move_code(move) == code
        taken = True
    return taken


def _counted(decks: tuple[Remade, ...]) -> bool:
    try:
        assert all(deck.count() > 0 for deck in decks)
    except Malformed as error:
        check_sentence(error)
        return False
    return True


def body(data: bytes) -> bool:
    """The first byte is the kind, the rest the body: deeper in than a whole record gets."""
    try:
        value = unpack(data[1:])
        if not data or not 1 <= data[0] <= max(Kind) or not isinstance(value, list):
            return False
        assert pack(value) == data[1:]
        assert write_body(read_body(Kind(data[0]), value)) == value
    except Malformed as error:
        check_sentence(error)
        return False
    return True


STEERING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def _obeyed(character: str) -> bool:
    """A terminal does something else with it than to show it. (A space of any width is shown.)"""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or (
        unicodedata.bidirectional(character) in STEERING
    )


def item(data: bytes) -> bool:
    """A CLOSE or FAULT that is taken has this one encoding."""
    try:
        read = read_item(data)
    except Malformed as error:
        check_sentence(error)
        return False
    match read:
        case Close():
            assert pack(["close", int(read.seat), read.head, list(read.outcome), read.seed, read.signature]) == data
        case Fault():
            assert read.pack() == data
            assert not any(_obeyed(character) for character in clean_text(read.cause, 100))
        case None:
            return False
    return True


def channel_hello(data: bytes) -> bool:
    """The first 78 bytes that a stranger sends."""
    try:
        hello = read_hello(data)
    except Malformed as error:
        check_sentence(error)
        return False
    assert len(data) == HELLO_BYTES
    assert hello.encode() == data
    return True


def stand(data: bytes) -> bool:
    """The payload of a RESUME."""
    try:
        found = read_stand(data)
    except Malformed as error:
        check_sentence(error)
        return False
    assert found.pack() == data
    assert len(data) == MAX_STAND
    return True


def absent(data: bytes) -> bool:
    """The payload of an ABSENT; what is answered to it is about the same position, and can be read."""
    try:
        found = read_absent(data)
    except Malformed as error:
        check_sentence(error)
        return False
    assert found.pack() == data
    for clock, lapse in ((None, None), (60, Lapse(61.0, 0.0)), (1, None)):
        reply = judge_absence(found, clock, lapse, over=False, own=False, moved=False)
        assert read_absent(reply.pack()) == reply
        assert (reply.seq, reply.head) == (found.seq, found.head)
    return True


def chat(data: bytes) -> bool:
    """What the other player says can be shown."""
    try:
        told = Chats().hear(data, 0.0)
    except Malformed as error:
        check_sentence(error)
        return False
    for line in told:
        text = getattr(line, "text", "")
        assert 1 <= len(text) <= CHAT_CHARACTERS
        assert not any(ord(character) < 32 for character in text)
    return True


def _frame_seeds() -> tuple[bytes, ...]:
    hello, *_ = records()
    talk = [Frame(Tag.PING), Frame(Tag.CHAT, b"hello"), Frame(Tag.RECORD, hello), Frame(Tag.AGAIN), Frame(Tag.BYE)]
    stream = b"".join(frame.encode() for frame in talk)
    return b"\x00" + stream, b"\x05" + stream + stream, b"\x0f" + Frame(Tag.FAULT, closed()[1]).encode()


def _body_seeds() -> tuple[bytes, ...]:
    read = map(read_record, records())
    return tuple(bytes([record.kind]) + pack(record.body) for record in read)


def _hello_seeds() -> tuple[bytes, ...]:
    key = Identity(bytes(32)).public
    return tuple(ChannelHello(role, VERSIONS, key, head_of(key)).encode() for role in Role)


def _stand_seeds() -> tuple[bytes, ...]:
    game, head = bytes(range(32)), bytes(range(1, 33))
    return Stand(game, 17, head).pack(), Stand(game, 0, bytes(32)).pack(), Stand(game, 4096, head).pack()


def _absent_seeds() -> tuple[bytes, ...]:
    return tuple(Absent(word, 17, bytes(range(32)), 2**32 - 1).pack() for word in Word)


def _move_records() -> tuple[bytes, ...]:
    """A move of each kind that there is, in a record that nobody signed."""
    codes: tuple[list[int], ...] = (
        *([0, 1, 2], [1, 3], [2, 1], [3], [4], [5], [6, 60], [7, 61, 3, 4], [7, 61, 3]),
        *([8, 60, 3], [9, 62, 3, 4], [10, 60, 3, 4], [11, 60, 3, 1], [12, 60, 1, 2], [13, 60]),
        *([14, 1], [15, 0, 0, 1], [16, 2], [17, 3], [18, 60]),
    )
    bodies: list[list[Value]] = [[b"", [], [*code], [1], b"", bytes(32)] for code in codes]
    return tuple(pack([9, bytes(32), int(Seat(0)), int(Kind.MOVE), body, bytes(64)]) for body in bodies)


def _record_seeds() -> tuple[bytes, ...]:
    assert ruleset("base").name == "base"
    return (*records(), *_move_records())


WIRE = (
    Target("frames", frames, _frame_seeds, Shape.BYTES, 12),
    Target("record", record, _record_seeds, Shape.PACKED, 16),
    Target("body", body, _body_seeds, Shape.PACKED, 12),
    Target("item", item, closed, Shape.PACKED, 8),
    Target("hello", channel_hello, _hello_seeds, Shape.BYTES, 6),
    Target("stand", stand, _stand_seeds, Shape.BYTES, 4),
    Target("absent", absent, _absent_seeds, Shape.BYTES, 4),
    Target("chat", chat, lambda: (b"hello", "gut gespielt \N{PARTY POPPER}".encode()), Shape.WORDS, 5),
)
