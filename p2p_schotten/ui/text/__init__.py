"""Every sentence for a person goes through `_` here, so that a language is a file and not a change of code.

Never translated: what goes over the wire or into a transcript, `--json`, and command words.
"""

from __future__ import annotations

import gettext
from pathlib import Path

_catalogue = gettext.translation("schotten", localedir=Path(__file__).parent, fallback=True)


def _(sentence: str) -> str:
    """`sentence` in the player's language, in English where no translation stands."""
    return _catalogue.gettext(sentence)


def plural(one: str, many: str, count: int) -> str:
    """The form of a sentence that fits `count`; `{n}` in it becomes the count."""
    return _catalogue.ngettext(one, many, count).format(n=count)
