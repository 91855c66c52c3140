"""The command line as a script sees it: what is printed where, and with which status."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from typer.main import get_command

from p2p_schotten.bots import make_bot
from p2p_schotten.cli.doctor import libraries
from p2p_schotten.cli.help import HELP
from p2p_schotten.cli.main import COMMANDS, dispatch
from p2p_schotten.cli.options import chosen_name
from p2p_schotten.cli.people import met
from p2p_schotten.cli.status import Status
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.home import known_players
from tests.cli.running import PROGRAM, schotten, surroundings

CASES = Path(__file__).parents[1] / "cases"
HEAVY = ("trio", "cryptography", "nacl", "textual", "msgpack", "rich", "typer")
ABSENT_OPTIONS = ("--lan", "--map-port", "--allow-watch")
ABSENT_COMMANDS = ("resumes", "watch")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_import_nothing_heavy(option: str) -> None:
    program = (
        "import sys, p2p_schotten.cli.main as main;"
        f"main.dispatch([{option!r}]);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert done.stdout


def test_the_overview_names_every_command_in_order_and_ends_in_an_example(tmp_path: Path) -> None:
    done = schotten(tmp_path, "--help")
    assert done.returncode == 0
    named = re.findall(r"^  (\w+)", done.stdout, re.MULTILINE)
    assert named == list(COMMANDS)
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("Example: schotten ")
    assert len(lines) <= 22  # a terminal of 24 lines has room for what was typed before and after it
    assert all(len(line) < 80 for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_its_options_and_ends_in_an_example(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert dispatch([command, "--help"]) == 0
    lines = capsys.readouterr().out.rstrip().splitlines()
    assert lines[0].startswith(f"schotten {command}")
    assert lines[-1].startswith("Example: ")
    assert "schotten" in lines[-1]
    assert all(len(line) < 80 for line in lines)
    parsed = get_command(import_module(COMMANDS[command]).app)
    options = {name for parameter in parsed.params for name in parameter.opts if name.startswith("--")} - {"--help"}
    written = set(re.findall(r"(?<=  )--[a-z-]+", "\n".join(lines)))
    assert written == options


@pytest.mark.parametrize("command", ["play", "host", "join"])
@pytest.mark.parametrize("option", ABSENT_OPTIONS)
def test_an_option_whose_feature_comes_later_is_refused(
    capsys: pytest.CaptureFixture[str], command: str, option: str
) -> None:
    assert option not in HELP[command]
    arguments = ["SCHOTTEN1:X"] if command == "join" else []
    assert dispatch([command, *arguments, option, "1"]) == 2
    said = capsys.readouterr()
    assert option in said.err
    assert said.err.splitlines()[1] == f"hint: schotten {command} --help"


@pytest.mark.parametrize("command", [*ABSENT_COMMANDS, "pley", "--frob", "second"])
def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert dispatch([command]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 2
    assert command in said.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("rules", "chess"), "chess"),
        (("play", "--opponent", "deep"), "deep"),
        (("play", "--me", "deep"), "deep"),
        (("play", "--rules", "chess"), "chess"),
        (("play", "--json", "--plain"), "--json"),
        (("play", "--seed", "x"), "--seed"),
        (("host", "--forfeit"), "--forfeit: no bot holds my seat"),
        (("play", "--seed", "9" * 4300), "--seed"),
        (("play", "--name", "a\x1bb"), "--name"),
        (("play", "extra"), "extra"),
        (("host", "--port", "70000"), "--port"),
        (("host", "--address", "no host"), "--address no host: "),
        (("host", "--address", "192.0.2.7:0"), "--address 192.0.2.7:0: "),
        (("host", *("--address", "a.example") * 8), "room for 7"),
        (("join",), "INVITE"),
        (("verify",), "FILE"),
        (("export", "x", "--format", "xml"), "xml"),
        (("export", "no-such-file"), "no-such-file"),
        (("replay", "no-such-file"), "no-such-file"),
        (("judge", "no-such-file"), "no-such-file"),
        (("keys", "forget", "nobody"), "nobody"),
    ],
)
def test_a_usage_error_is_one_line_and_a_hint_with_status_2(
    tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    done = schotten(tmp_path, *arguments)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 2
    assert lines[0].startswith("schotten: ")
    assert named in lines[0]
    if "--json" not in arguments:
        assert done.stdout == ""
        return
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == {"v": 1, "event": "end", "status": 2, "why": lines[0][len("schotten: ") :], "hint": ""}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("arena a b --pairs 0", "--pairs: expected a whole number from 1 to 10000000, not 0"),
        ("arena a b --jobs -1", "--jobs: expected a whole number from 1 to 61, not -1"),
        ("host --port 65536", "--port: expected a whole number from 0 to 65535, not 65536"),
        ("play --match two", "--match: expected a whole number, not two"),
        ("play --to 1e3", "--to: expected a whole number, not 1e3"),
        ("play --clock 6\x1b0", "--clock: expected a whole number, not 6\N{REPLACEMENT CHARACTER}0"),
        ("host --wait -1", "--wait: expected a number of seconds, 0 or more, not -1"),
        ("host --wait nan", "--wait: expected a number of seconds, 0 or more, not nan"),
        ("host --wait=", "--wait: expected a number of seconds, 0 or more, not ''"),
    ],
)
def test_a_number_out_of_bounds_is_told_with_the_bounds_and_what_was_typed(
    capsys: pytest.CaptureFixture[str], arguments: str, sentence: str
) -> None:
    assert dispatch(arguments.split(" ")) == 2
    assert capsys.readouterr().err == f"schotten: {sentence}\n"


def test_bots_rules_and_doctor_are_for_eyes_and_take_no_home(tmp_path: Path) -> None:
    bots = schotten(tmp_path / "none", "bots")
    assert [line.split()[0] for line in bots.stdout.splitlines()[:4]] == ["uniform", "greedy", "search", "easy"]
    rules = schotten(tmp_path / "none", "rules")
    assert rules.stdout == schotten(tmp_path / "none", "rules", "base").stdout
    assert len(rules.stdout.splitlines()) <= 23
    assert all(len(line) < 80 for line in rules.stdout.splitlines())
    assert "R red, G green, B blue, Y yellow, P purple, N pink." in rules.stdout
    assert "resign" in rules.stdout
    for formation in ("colour run", "three of a kind", "colour ", "run ", "sum"):
        assert formation in rules.stdout
    doctor = schotten(tmp_path / "none", "doctor")
    assert doctor.returncode == 0
    assert "cryptography   good" in doctor.stdout
    assert not (tmp_path / "none").exists()


def test_doctor_names_every_library_that_the_program_needs_and_its_version(tmp_path: Path) -> None:
    project = tomllib.loads((CASES.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [line.partition(">=")[0] for line in project["dependencies"]]
    program = schotten(tmp_path, "doctor").stdout.partition("\nterminal\n")[0]
    shown = dict(re.findall(r"^  (\S+) +(.*)$", program, re.MULTILINE))
    assert {name: shown[name] for name in needed} == {name: version(name) for name in needed}
    assert "pytest" not in shown  # it is an extra


def test_doctor_leaves_out_what_only_an_extra_needs() -> None:
    lines = ["trio>=0.25", "pynacl!=1,>=1.6.2", "a.b-c[d]~=1; python_version < '4'", 'pytest>=8; extra == "dev"']
    assert libraries(lines) == ["a.b-c", "pynacl", "trio"]


def test_doctor_says_so_when_the_program_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("p2p_schotten.cli.doctor.requires", missing)
    assert dispatch(["doctor"]) == 0
    assert "  libraries      unknown: p2p-schotten is not installed as a package\n" in capsys.readouterr().out


def test_doctor_shows_no_key(tmp_path: Path) -> None:
    fingerprint = schotten(tmp_path, "keys").stdout.strip()
    secret = (tmp_path / "identity").read_text().split()[-1]
    shown = schotten(tmp_path, "doctor").stdout
    assert len(secret) == 64
    assert secret not in shown
    assert fingerprint not in shown


def test_keys_are_made_once_and_privately(tmp_path: Path) -> None:
    first, second = schotten(tmp_path, "keys"), schotten(tmp_path, "keys")
    assert first.stdout == second.stdout
    assert len(first.stdout.strip().replace("-", "")) >= 16  # 80 bits in base 32
    assert (tmp_path / "identity").stat().st_mode & 0o777 == 0o600
    assert schotten(tmp_path, "keys", "list").stdout == ""


def test_known_players_are_listed_named_and_forgotten(tmp_path: Path) -> None:
    from p2p_schotten.crypto.identity import Identity, fingerprint
    from p2p_schotten.home import remember

    ann, bob = Identity.generate(b"a" * 32).public, Identity.generate(b"b" * 32).public
    remember(tmp_path, ann, "ann")
    remember(tmp_path, bob, "ann")
    both = schotten(tmp_path, "keys", "forget", "ann")
    assert both.returncode == 2
    assert fingerprint(ann) in both.stderr
    assert schotten(tmp_path, "keys", "name", fingerprint(bob)[:6], "bob").returncode == 0
    assert schotten(tmp_path, "keys", "list").stdout.splitlines() == [
        f"{fingerprint(ann)}  ann (as he calls himself)",
        f"{fingerprint(bob)}  bob",
    ]
    assert schotten(tmp_path, "keys", "name", "bob", "\x1b").returncode == 2
    assert schotten(tmp_path, "keys", "forget", "ann").returncode == 0
    assert schotten(tmp_path, "keys", "list").stdout.splitlines() == [f"{fingerprint(bob)}  bob"]


@pytest.mark.parametrize("name", ["st1_claims", "st1_tactic_claims", "battle_line_claims", "st2_control", "extra"])
def test_judge_answers_every_case_from_a_file_and_from_standard_input(tmp_path: Path, name: str) -> None:
    path = CASES / f"{name}.jsonl"
    cases = [json.loads(line) for line in path.read_text().splitlines()]
    done = schotten(tmp_path, "judge", str(path))
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["id"], answer["claim"]) for answer in answers] == [(case["id"], case["claim"]) for case in cases]
    assert all(set(answer) == {"id", "claim", "because", "beaten_by"} for answer in answers)
    some = "\n\n".join(path.read_text().splitlines()[:5])
    assert schotten(tmp_path, "judge", typed=some).stdout.splitlines() == done.stdout.splitlines()[:5]


BAD_LINES = (
    b"nonsense",
    b"[1, 2]",
    b"\xff\xfe",
    b'{"id": 7}',
    b'{"id": 7, "mine": ["R7"], "theirs": ["R7"]}',
    b'{"id": 7, "mine": ["MUD"], "theirs": []}',
    b'{"id": 7, "mine": ["R7"], "theirs": [], "colour": 1}',
    b'{"id": 7, "mine": ["R7", "R8", "R9"], "theirs": [], "mud": 1}',
    b'{"id": 7, "mine": ["R7"], "theirs": [], "variant": "st2"}',
    b'{"id": [], "mine": ["R7"], "theirs": []}',
    b'{"id": 7, "mine": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    b'{"id": ' + b"9" * 5_000 + b"}",
    b'{"id": 7, "mine": "' + b"x" * 100_000 + b'"}',
)


def test_judge_answers_a_bad_line_and_goes_on(tmp_path: Path) -> None:
    good = b'{"id": "last", "mine": ["R7", "R8", "R9"], "theirs": []}'
    done = schotten(tmp_path, "judge", typed=b"\n".join((*BAD_LINES, good)))
    assert done.returncode == 1
    assert done.stderr == ""
    *bad, last = (json.loads(line) for line in done.stdout.splitlines())
    assert len(bad) == len(BAD_LINES)
    assert all(set(answer) == {"id", "error"} for answer in bad)
    assert [answer["id"] for answer in bad[3:9]] == [7] * 6
    assert last["claim"] is True


def test_output_that_nobody_reads_ends_without_a_word(tmp_path: Path) -> None:
    command = f"{sys.executable} -m p2p_schotten judge {CASES / 'st1_claims.jsonl'} | head -1"
    done = subprocess.run(
        ["bash", "-c", command], env=surroundings(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_missing_library_is_said_in_words(tmp_path: Path) -> None:
    blocked = (
        "import sys; sys.modules['typer'] = None; import p2p_schotten.cli.main as m; sys.exit(m.dispatch(['bots']))"
    )
    done = subprocess.run(
        [PROGRAM[0], "-c", blocked], env=surroundings(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 5
    assert done.stderr.splitlines()[0] == "schotten: the library typer is missing"


@pytest.mark.parametrize(
    ("account", "name"),
    [("anna", "anna"), (" anna ", "anna"), ("ö" * 40, "ö" * 16), ("a\x1bb", "ab"), ("\x1b", "player"), ("", "player")],
)
def test_without_a_name_a_player_is_called_as_his_account(
    monkeypatch: pytest.MonkeyPatch, account: str, name: str
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: account)
    assert chosen_name(None, None) == name
    assert chosen_name("bob", None) == "bob"
    assert chosen_name(None, make_bot("greedy", 0)) == "greedy"


@pytest.mark.parametrize("error", [ImportError, KeyError, OSError])
def test_who_has_no_account_is_called_player(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def unknown() -> str:
        raise error

    monkeypatch.setattr("getpass.getuser", unknown)
    assert chosen_name(None, None) == "player"


def test_a_friend_who_comes_without_a_name_stays_known_by_the_one_he_had(tmp_path: Path) -> None:
    ann = Identity.generate(b"a" * 32).public
    met(tmp_path, ann, "player")
    met(tmp_path, ann, "ann")
    met(tmp_path, ann, "player")
    assert [player.name for player in known_players(tmp_path)] == ["ann"]


README = (CASES.parents[1] / "README.md").read_text("utf-8")


def test_the_readme_shows_only_commands_and_options_that_exist() -> None:
    lines = re.findall(r"^(?:\$ )?\.venv/bin/schotten (.+)$", README, re.MULTILINE)
    assert len(lines) >= 6
    for line in lines:
        command, *words = line.split()
        parsed = get_command(import_module(COMMANDS[command]).app)
        options = {name for parameter in parsed.params for name in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, line
    assert not re.search(r"^(\$ )?schotten ", README, re.MULTILINE)  # nothing puts that on the path


def test_the_readme_lists_every_exit_status() -> None:
    assert [int(status) for status in re.findall(r"^\| (\d) \|", README, re.MULTILINE)] == list(Status)
