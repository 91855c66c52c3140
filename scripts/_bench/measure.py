"""Figures with their goals, and the unit they are given in: the CPU time of one scalar multiplication (1 SM).

The unit wanders by half within minutes, so it is never a constant: every library call is timed beside the work that is
measured in it, and a figure is the median (or, where the goal says so, the best) of such pairs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl import bindings

from p2p_schotten.crypto import group, identity

# Counted in SM. Scalar arithmetic (0.02 SM) is not: it counts as the program's own work.
COUNTED = ("mul", "mul_base", "add", "sub", "check_point", "hash_to_group", "sign", "verify")
SCALARS = ("s_add", "s_sub", "s_mul", "s_neg")
MESSAGE = bytes(3000)  # about the longest record of a move

Kind = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure should be; `floor` is what it must be where that is less."""

    kind: Kind
    value: float
    floor: float | None = None

    def verdict(self, figure: float) -> str:
        sign = 1 if self.kind == "at most" else -1
        if sign * figure <= sign * self.value:
            return "met"
        return "floor" if self.floor is not None and sign * figure <= sign * self.floor else "NOT MET"

    def text(self) -> str:
        floor = "" if self.floor is None else f" (floor {self.floor:,g})"
        return f"{'<=' if self.kind == 'at most' else '>='} {self.value:,g}{floor}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `note` says what the figure holds where its name does not."""

    name: str
    figure: float
    unit: str
    goal: Goal | None = None
    note: str = ""


Calls = Counter[str]  # how often each library function was called
Costs = dict[str, float]  # seconds of CPU for one call


def sm(calls: Calls, costs: Costs, names: tuple[str, ...] = COUNTED) -> float:
    """The cost of the calls in scalar multiplications."""
    return seconds(calls, costs, names) / costs["mul"]


def seconds(calls: Calls, costs: Costs, names: tuple[str, ...] = COUNTED) -> float:
    return sum(calls[name] * costs[name] for name in names)


class Units:
    """Times the bare library calls, as often as it is asked to, and keeps all samples."""

    def __init__(self) -> None:
        x = (12345).to_bytes(32, "little")
        wide = bindings.crypto_core_ed25519_scalar_reduce(bytes(range(64)))
        P = bindings.crypto_scalarmult_ed25519_base_noclamp(wide)
        Q = bindings.crypto_scalarmult_ed25519_base_noclamp(x)
        key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        public, signature = key.public_key(), key.sign(MESSAGE)
        self._work: dict[str, tuple[Callable[[], object], int]] = {
            "mul": (lambda: bindings.crypto_scalarmult_ed25519_noclamp(wide, P), 20),
            "mul_base": (lambda: bindings.crypto_scalarmult_ed25519_base_noclamp(wide), 30),
            "add": (lambda: bindings.crypto_core_ed25519_add(P, Q), 30),
            "sub": (lambda: bindings.crypto_core_ed25519_sub(P, Q), 30),
            "check_point": (lambda: bindings.crypto_core_ed25519_is_valid_point(P), 20),
            "hash_to_group": (lambda: bindings.crypto_core_ed25519_from_uniform(x), 20),
            "sign": (lambda: key.sign(MESSAGE), 10),
            "verify": (lambda: public.verify(signature, MESSAGE), 10),
            "s_add": (lambda: bindings.crypto_core_ed25519_scalar_add(x, wide), 50),
            "s_sub": (lambda: bindings.crypto_core_ed25519_scalar_sub(x, wide), 50),
            "s_mul": (lambda: bindings.crypto_core_ed25519_scalar_mul(x, wide), 50),
            "s_neg": (lambda: bindings.crypto_core_ed25519_scalar_negate(wide), 50),
        }
        self.samples: dict[str, list[float]] = {name: [] for name in self._work}
        self.sample()
        for samples in self.samples.values():
            samples.clear()  # the first calls of a process are slow

    def sample(self) -> Costs:
        """One round of all units; takes about 10 ms."""
        now: Costs = {}
        for name, (call, times) in self._work.items():
            began = time.process_time()
            for _ in range(times):
                call()
            now[name] = (time.process_time() - began) / times
            self.samples[name].append(now[name])
        return now

    def costs(self) -> Costs:
        """The median of all samples so far."""
        return {name: statistics.median(samples) for name, samples in self.samples.items()}

    def beside(self, work: Callable[[], object], times: int = 5) -> list[tuple[float, Costs]]:
        """CPU seconds of each run of the work, with the units timed just before and just after it."""
        runs: list[tuple[float, Costs]] = []
        before = self.sample()
        for _ in range(times):
            began = time.process_time()
            work()
            took = time.process_time() - began
            after = self.sample()
            runs.append((took, {name: (before[name] + after[name]) / 2 for name in before}))
            before = after
        return runs


@contextmanager
def counted() -> Iterator[Calls]:
    """Inside, every call of the group module and every signature is counted, wherever its function was imported to."""
    calls: Calls = Counter()
    originals: dict[int, tuple[object, Callable[..., object]]] = {}
    for name in (*COUNTED[:6], *SCALARS):
        original = getattr(group, name)
        originals[id(original)] = (original, _counting(calls, name, original))
    original = identity.verify_signature
    originals[id(original)] = (original, _counting(calls, "verify", original))
    patched: list[tuple[object, str, object]] = []
    for module_name, module in list(sys.modules.items()):
        if module_name.split(".")[0] != "p2p_schotten":
            continue
        for attribute, value in list(vars(module).items()):
            if id(value) in originals:
                patched.append((module, attribute, value))
                setattr(module, attribute, originals[id(value)][1])
    sign = identity.Identity.sign
    patched.append((identity.Identity, "sign", sign))
    setattr(identity.Identity, "sign", _counting(calls, "sign", sign))  # noqa: B010  (mypy refuses to assign a method)
    try:
        yield calls
    finally:
        for owner, attribute, value in patched:
            setattr(owner, attribute, value)


def _counting(calls: Calls, name: str, function: Callable[..., object]) -> Callable[..., object]:
    def wrapper(*arguments: object) -> object:
        calls[name] += 1
        return function(*arguments)

    return wrapper


def clear_caches(package: str) -> None:
    """Every cached function of the package (dotted name) forgets what it computed."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()
