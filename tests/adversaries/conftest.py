"""The games that the liar's stages are taken from (see tests/protocol/conftest.py)."""

from __future__ import annotations

from tests.protocol import conftest as games

remembering = games.remembering
story = games.story
long_story = games.long_story
siege = games.siege
scouts = games.scouts
won_by_0 = games.won_by_0
won_by_1 = games.won_by_1
