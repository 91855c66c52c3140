"""A bot is found by its name, as `module:Class` or by what a package offers; else one sentence says what is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from p2p_schotten.bots import find_bot
from p2p_schotten.bots.finding import BUILT_IN, LEVELS, TAKEN, installed, is_somebodys_class
from p2p_schotten.errors import Unreadable

MINE = '''
class Mine:
    """Chooses the move of that number."""

    def __init__(self, number=0, word="x", share=0.5):
        self.name = f"mine {number} {word} {share}"

    def new_game(self, rules, seat, random):
        pass

    def act(self, view, legal):
        return legal[0]

class Outer:
    class Inner(Mine):
        def __init__(self):
            self.name = "inner"

class Angry(Mine):
    def __init__(self):
        raise ValueError("not today")

class Long(Mine):
    def __init__(self):
        self.name = "l" * 33

def helps():
    return Mine()

number = 3
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module `my_bot_here`."""
    (tmp_path / "my_bot_here.py").write_text(MINE)
    (tmp_path / "broken_here.py").write_text("import sys\n1 / 0")
    (tmp_path / "leaves_here.py").write_text("import sys\nsys.exit(0)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "my_bot_here", raising=False)
    return tmp_path


def test_a_class_in_the_current_folder_is_found_with_its_options(folder: Path) -> None:
    assert find_bot("my_bot_here:Mine").name == "mine 0 x 0.5"
    assert find_bot("my_bot_here:Mine,number=7,share=0.25,word=a b").name == "mine 7 a b 0.25"


def test_a_package_offers_a_bot_by_its_entry_point(folder: Path) -> None:
    info = folder / "my_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[p2p_schotten.bots]\nmine = my_bot_here:Mine\ninner = my_bot_here:Outer.Inner [extra]\n"
        + "".join(f"{name} = my_bot_here:Mine\n" for name in TAKEN)
    )
    find_bot("my_bot_here:Mine")  # from now on the current folder is looked into
    assert find_bot("mine,number=2").name == "mine 2 x 0.5"
    assert find_bot("inner").name == "inner"
    assert find_bot("greedy").name == find_bot("normal").name == "greedy", "a name that is known is not taken over"
    assert set(installed()) == {"mine", "inner"}


def test_which_bots_are_somebodys_class() -> None:
    theirs = ["mybot:MyBot", "mybot:MyBot,depth=3", "offered", "offered,x=1", "greedy:Bot", "cmdr:Bot"]
    ours = [*BUILT_IN, *LEVELS, "search,iterations=4", "hard,width=2", "cmd:./mybot", "cmd,limit=3:mybot:x,y"]
    assert [spec for spec in (*theirs, *ours) if is_somebodys_class(spec)] == theirs


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("", "a bot is asked for by 1 to 500 printable characters"),
        ("x" * 501, "a bot is asked for by 1 to 500 printable characters"),
        ("gree\x1bdy", "a bot is asked for by 1 to 500 printable characters"),
        ("deep", "'deep' is not a bot: known are uniform, greedy"),
        ("my_bot_here:Yours", "no bot at my_bot_here:Yours: AttributeError"),
        ("my_bot_here:number", "no bot at my_bot_here:number: it is no class"),
        ("my_bot_here:helps", "no bot at my_bot_here:helps: it is no class"),
        ("broken_here:Mine", "no bot at broken_here:Mine: ZeroDivisionError: division by zero (broken_here.py:2)"),
        (
            "leaves_here:Mine",
            "no bot at leaves_here:Mine: the module ends the program when it is imported (leaves_here",
        ),
        ("my_bot_here.py:Mine", "no bot at my_bot_here.py:Mine: expected module:Class; did you mean my_bot_here:Mine?"),
        ("my_bot_here:Angry", "my_bot_here:Angry cannot be made so: ValueError: not today (my_bot_here.py:21)"),
        ("my_bot_here:Long", "Long is no bot: a name has 1 to 32 bytes, this one has 33"),
        ("my_bot_here:Outer", "a bot has a name, new_game and act: Outer lacks name and new_game and act"),
        ("no_such_module_here:Mine", "no bot at no_such_module_here:Mine: ModuleNotFoundError"),
        (":Mine", "no bot at :Mine: expected module:Class"),
        ("my_bot_here:", "no bot at my_bot_here:: expected module:Class"),
        (":", "no bot at :: expected module:Class"),
        ("greedy,depth=3", "greedy has no option 'depth'; it takes no options"),
        ("greedy,depth", "'depth' is no option of a bot: expected NAME=VALUE"),
        ("greedy,", "'' is no option of a bot"),
        ("my_bot_here:Mine,number=1,number=1", "an option of a bot stands twice: number=1,number=1"),
    ],
)
def test_what_is_no_bot_is_said_in_one_sentence(folder: Path, spec: str, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        find_bot(spec)
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "helps"),
    [
        ("gredy", "; did you mean greedy?"),
        ("my_bot_here:Mine,numbr=1", "my_bot_here:Mine has no option 'numbr'; its options are: number, word, share"),
        ("search,iteration=1", "search has no option 'iteration'; its options are: iterations, seconds, width, turns"),
        ("cmd,depth=3:sh", "cmd has no option 'depth'; its options are: limit, start"),
        ("uniform,depth=3", "; it takes no options"),
        ("random:MyBot", f"has no attribute 'MyBot'; it was imported from {random.__file__}"),
    ],
)
def test_what_is_nearly_a_bot_is_said_with_what_helps(folder: Path, spec: str, helps: str) -> None:
    with pytest.raises(Unreadable) as refused:
        find_bot(spec)
    assert helps in str(refused.value)
