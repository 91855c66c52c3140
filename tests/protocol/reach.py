"""Everything that can be reached from an object, and whether given 32 bytes occur in it.

Reachable from an object is what it holds: attributes, slots, items, keys, closures, bound arguments, also inside
containers written in C (`gc.get_referents` asks the objects themselves). Modules, classes and the globals of functions
are not followed. They belong to the program and not to a peer: what lies there is the same in every process, whoever
plays. That matters here, for the point of a card is a constant which anybody computes from its number, and the
program does cache these 54 points in a module. A leak would be that a *peer* holds the point of a card it must not
know, which tells one card of the 54 from the others.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType

SIZE = 32


def reachable(root: object) -> Iterator[object]:
    """Each object that `root` holds, itself included, once."""
    seen: dict[int, object] = {}
    left = [root]
    while left:
        item = left.pop()
        if id(item) in seen or isinstance(item, type | ModuleType):
            continue
        seen[id(item)] = item  # held, so that its id stays its own
        yield item
        if isinstance(item, FunctionType):
            left += [item.__closure__, item.__defaults__, item.__kwdefaults__, item.__dict__]
        elif isinstance(item, BuiltinFunctionType):
            left.append(item.__self__)
        elif isinstance(item, memoryview):
            left.append(item.obj)
        elif not isinstance(item, bytes | bytearray | str | int | float):
            left += gc.get_referents(item)


def flat(item: object) -> bytes:
    """The bytes that an object without parts consists of; an integer in as many as it needs, little-endian."""
    if isinstance(item, bytes | bytearray):
        return bytes(item)
    if isinstance(item, str):
        return item.encode("utf-8", "surrogatepass")
    if isinstance(item, int):
        return abs(item).to_bytes(abs(item).bit_length() // 8 + 1, "little")
    return b""


class Haystack:
    """Every run of 32 bytes in what was put into it, so that a thousand needles cost next to nothing.

    What was once put in stays in. That makes a search only stricter: what a peer must not hold now, it was not to hold
    earlier either.
    """

    def __init__(self) -> None:
        self._windows: set[bytes] = set()
        self._known: set[bytes] = set()
        self._stream = b""

    def put(self, data: bytes) -> None:
        """Bytes on their own."""
        if len(data) >= SIZE and data not in self._known:
            self._known.add(data)
            self._windows.update(data[at : at + SIZE] for at in range(len(data) - SIZE + 1))

    def put_all(self, root: object) -> int:
        """All that `root` holds; how many objects that is."""
        count = 0
        for item in reachable(root):
            count += 1
            if isinstance(item, bytes | bytearray | str | int):
                self.put(flat(item))
                if isinstance(item, str):
                    self._put_hex(item)
        return count

    def put_stream(self, data: bytes) -> None:
        """More bytes of a stream: what lies across the seam counts too."""
        self.put(self._stream[1 - SIZE :] + data)
        self._stream = (self._stream + data)[1 - SIZE :]

    def holds(self, needles: Iterable[bytes]) -> set[bytes]:
        """The needles that occur, as they are or with their bytes in the other order."""
        return {needle for needle in needles if needle in self._windows or needle[::-1] in self._windows}

    def _put_hex(self, text: str) -> None:
        digits = "".join(character for character in text if character in "0123456789abcdefABCDEF")
        for start in (0, 1):
            run = digits[start:]
            self.put(bytes.fromhex(run[: len(run) // 2 * 2]))
