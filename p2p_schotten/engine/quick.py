"""Named tuples that are made at every move are made here in two thirds of the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


def quick(kind: Callable[P, T]) -> Callable[P, T]:
    """The named tuple `kind`, to be called with all its fields by position.

    Its own constructor would pack and unpack the arguments once more.
    """
    new = cast("Callable[[object, tuple[object, ...]], T]", tuple.__new__)

    def made(*fields: object) -> T:
        return new(kind, fields)

    return cast("Callable[P, T]", made)
