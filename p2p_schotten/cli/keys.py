"""`schotten keys`: my fingerprint, and the players I have met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.home import Player

app = typer.Typer(add_completion=False)

LEAST_DIGITS = 4  # of a fingerprint, to name a player by its beginning


@app.callback(invoke_without_command=True)
def keys(context: typer.Context) -> None:
    """My fingerprint."""
    if context.invoked_subcommand is None:
        from p2p_schotten.crypto.identity import fingerprint
        from p2p_schotten.home import home, load_identity

        print(fingerprint(load_identity(home()).public))


@app.command("list")
def list_players() -> None:
    """One line per player: fingerprint and name."""
    from p2p_schotten.crypto.identity import fingerprint
    from p2p_schotten.home import home, known_players

    for player in known_players(home()):
        print(f"{fingerprint(player.key)}  {player.name}{'' if player.given else _(' (as he calls himself)')}")


@app.command("name")
def name_player(
    key: Annotated[str, typer.Argument(metavar="KEY")], name: Annotated[str, typer.Argument(metavar="NAME")]
) -> None:
    """Call a player by a name of mine."""
    from p2p_schotten.errors import Malformed
    from p2p_schotten.home import home, rename

    player = _found(key)
    try:
        rename(home(), player.key, name)
    except Malformed as error:
        raise Failure(Status.USAGE, str(error)) from error
    print(_("{before} is called {name} from now on.").format(before=player.name, name=name))


@app.command("forget")
def forget_player(key: Annotated[str, typer.Argument(metavar="KEY")]) -> None:
    """Forget a player: his key counts as new the next time."""
    from p2p_schotten.home import forget, home

    player = _found(key)
    forget(home(), player.key)
    print(_("{name} is forgotten.").format(name=player.name))


def _found(text: str) -> Player:
    """The one player with that name, or whose fingerprint begins so; raises Failure."""
    from p2p_schotten.crypto.identity import fingerprint
    from p2p_schotten.home import home, known_players

    players = known_players(home())
    digits = text.lower().replace("-", "")
    fits = [player for player in players if player.name == text]
    if not fits and len(digits) >= LEAST_DIGITS:
        fits = [player for player in players if fingerprint(player.key).replace("-", "").startswith(digits)]
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise Failure(Status.USAGE, _("no known player is {text}").format(text=text), "schotten keys list")
    prints = ", ".join(fingerprint(player.key) for player in fits)
    raise Failure(
        Status.USAGE,
        _("{text} fits several players").format(text=text),
        _("name one by its fingerprint: {prints}").format(prints=prints),
    )
