"""`schotten bots`: the built-in opponents."""

from __future__ import annotations

import sys

import typer

app = typer.Typer(add_completion=False)


@app.command()
def bots() -> None:
    """One line per bot: its name, and the first sentence of its module."""
    from p2p_schotten.bots import BUILT_IN, find_bot

    for name in BUILT_IN:
        module = sys.modules[type(find_bot(name)).__module__]
        sentence = (module.__doc__ or "").strip().partition("\n")[0]
        print(f"{name:<10} {sentence}".rstrip())
