"""Bad points and scalars in any place of a shuffle, a mix and a share (protocol section 11, second and third group).

For a hand every place is tried, for the deck of 54 the first, middle and last of each list. Nothing else in the record
is touched: whatever is refused is refused for this place alone, and s + L names the very scalar that was right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from p2p_schotten.crypto.group import SIZE, Point
from p2p_schotten.errors import Cause
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import MoveBody, Open, Remade, Shares, Shuffle
from p2p_schotten.protocol.record import Kind
from tests.crypto import slow
from tests.crypto.seats import twisted
from tests.protocol.liar import Stage
from tests.protocol.pair import Story

pytestmark = pytest.mark.usefixtures("remembering")


def off_curve() -> bytes:
    """The first y >= 2 that no point of the curve has."""
    for y in range(2, 100):
        data = y.to_bytes(SIZE, "little")
        try:
            slow.decode(data)
        except slow.Refused:
            return data
    raise AssertionError


BAD_POINTS: dict[str, Callable[[bytes], bytes]] = {
    "plus torsion of order 2": lambda P: twisted(Point(P), 4),
    "plus torsion of order 8": lambda P: twisted(Point(P), 1),
    "identity": lambda P: slow.encode(slow.IDENTITY),
    "small order": lambda P: slow.encode(slow.TORSION[2]),
    "not canonical": lambda P: (slow.P + 1).to_bytes(SIZE, "little"),
    "off the curve": lambda P: off_curve(),
    "all ones": lambda P: b"\xff" * SIZE,
}
BAD_SCALARS: dict[str, Callable[[bytes], bytes]] = {
    "plus L": lambda s: (int.from_bytes(s, "little") + slow.L).to_bytes(SIZE, "little"),
    "zero": lambda s: bytes(SIZE),
    "all ones": lambda s: b"\xff" * SIZE,
    "L": lambda s: slow.L.to_bytes(SIZE, "little"),
}


def lists(n: int) -> dict[str, tuple[bool, list[int]]]:
    """The lists of a shuffle of n cells: whether it holds points, and the offsets of its items behind the cells."""
    cells, out = 2 * n, {}
    out["a'"] = True, list(range(0, cells, 2))
    out["b'"] = True, list(range(1, cells, 2))
    at = cells
    for name, count in (("c", n), ("k", n), ("z", 1), ("s1..s4", 4), ("sk", n), ("s'", n)):
        out[name] = name in "ck", list(range(at, at + count))
        at += count
    return {name: (points, [SIZE * number for number in numbers]) for name, (points, numbers) in out.items()}


LISTS = tuple(lists(1))


def bad(points: bool) -> dict[str, Callable[[bytes], bytes]]:
    return BAD_POINTS if points else BAD_SCALARS


def lies(made: Remade, name: str, sample: bool) -> Iterator[Remade]:
    """The same cells and proof with one bad item in a place of that list.

    Every place and every badness; or, as a sample, the first place with all, the middle and last with the subtlest.
    """
    n = made.count()
    points, offsets = lists(n)[name]
    if sample:
        offsets = sorted({offsets[0], offsets[len(offsets) // 2], offsets[-1]})
    whole = made.cells + made.proof
    for at in offsets:
        kinds = list(bad(points).values())
        for spoil in kinds[:1] if sample and at != offsets[0] else kinds:
            item = whole[at : at + SIZE]
            lie = whole[:at] + spoil(item) + whole[at + SIZE :]
            assert lie != whole
            yield Remade(made.deck, lie[: len(made.cells)], lie[len(made.cells) :])


@pytest.mark.parametrize("name", LISTS)
def test_bad_points_and_scalars_in_every_place_of_a_mix(story: Story, name: str) -> None:
    stage = Stage.find(story, Kind.MOVE, when=lambda body: bool(body.mixes), nth=3)
    (mix,) = stage.move_body.mixes
    assert mix.count() == 6
    for number, lie in enumerate(lies(mix, name, sample=False)):
        data = stage.signed(replace(stage.move_body, mixes=(lie,)))
        told = stage.refused if number == 0 else stage.live
        told(data, Cause.MIX, stage.seat)
    stage.victim.receive(stage.honest.data)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", LISTS)
def test_bad_points_and_scalars_in_places_of_the_deck(story: Story, name: str, seat: Seat) -> None:
    stage = Stage.find(story, Kind.SHUFFLE, seat=seat)
    body = stage.body
    assert isinstance(body, Shuffle)
    for number, lie in enumerate(lies(body.decks[0], name, sample=True)):
        data = stage.signed(replace(body, decks=(lie,)))
        told = stage.refused if number == 0 else stage.live
        told(data, Cause.SHUFFLE, seat)


SHARE_ITEMS = ("D", "z", "s")


@pytest.mark.parametrize("item", range(3), ids=SHARE_ITEMS)
@pytest.mark.parametrize("kind", ["the deal to seat 0", "the deal to seat 1", "a draw", "a face", "a debt in a move"])
def test_bad_points_and_scalars_in_a_share(story: Story, long_story: Story, kind: str, item: int) -> None:
    match kind:
        case "the deal to seat 0":
            stage = Stage.find(story, Kind.SHUFFLE, seat=1)
        case "the deal to seat 1":
            stage = Stage.find(story, Kind.SHARES)
        case "a draw":
            stage = Stage.find(story, Kind.SHARES, nth=2)
        case "a face":
            stage = Stage.find(story, Kind.MOVE, nth=2)
        case _:
            stage = Stage.find(long_story, Kind.MOVE, when=lambda body: body.debts != b"")
    body = stage.body
    for spoil in bad(points=item == 0).values():
        if isinstance(body, Shares):
            lie: Shares | Shuffle | MoveBody = Shares(spoiled(body.debts, item, spoil, last=True))
        elif isinstance(body, MoveBody) and body.debts:
            lie = replace(body, debts=spoiled(body.debts, item, spoil, last=False))
        else:
            assert isinstance(body, MoveBody | Shuffle)
            lie = replace(body, shares=spoiled(body.shares, item, spoil, last=True))
        stage.live(stage.signed(lie), Cause.SHARE, stage.seat)
    stage.refused(stage.signed(lie), Cause.SHARE, stage.seat)
    stage.victim.receive(stage.honest.data)


def spoiled(shares: bytes, item: int, spoil: Callable[[bytes], bytes], *, last: bool) -> bytes:
    at = (len(shares) - 3 * SIZE if last else 0) + item * SIZE
    return shares[:at] + spoil(shares[at : at + SIZE]) + shares[at + SIZE :]


@pytest.mark.parametrize("seat", SEATS)
def test_bad_scalars_in_a_proof_of_possession(story: Story, seat: Seat) -> None:
    stage = Stage.find(story, Kind.OPEN, seat=seat)
    body = stage.body
    assert isinstance(body, Open)
    for at in (0, SIZE):
        for spoil in BAD_SCALARS.values():
            proof = body.proof[:at] + spoil(body.proof[at : at + SIZE]) + body.proof[at + SIZE :]
            stage.refused(stage.signed(replace(body, proof=proof)), Cause.KEY, seat)
