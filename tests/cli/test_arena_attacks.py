"""Folders that `schotten arena` is to keep out of."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.status import Status


def test_transcripts_of_another_match_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "0-1" / "000000" / "0.schotten"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"another match")
    words = ["arena", "uniform", "uniform", "--pairs", "1", "--jobs", "1", "--sealed", "--keep", str(tmp_path)]
    assert dispatch(words) == Status.USAGE
    assert capsys.readouterr() == ("", f"schotten: --keep {tmp_path}: it is not empty, and nothing is overwritten\n")
    assert kept.read_bytes() == b"another match"
