"""The real disk and the disk of the tests do the same, so that what is tested on the one holds on the other."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten import disk as disk_module
from p2p_schotten.disk import Disk, RealDisk, replace_file, write_new
from tests.disks import After, MemoryDisk


@pytest.fixture(params=["real", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Disk, Path]]:
    """A disk, and an empty folder on it."""
    if request.param == "real":
        yield RealDisk(), tmp_path
        return
    disk = MemoryDisk()
    disk.make_folder(Path("/home"))
    yield disk, Path("/home")


Place = tuple[Disk, Path]


def test_what_is_appended_is_read_also_by_who_opens_the_file_again(place: Place) -> None:
    disk, home = place
    file = disk.create(home / "file")
    file.append(b"one ")
    file.append(b"two ")
    file.close()
    file.close()
    again = disk.open(home / "file")
    again.append(b"three")
    again.sync()
    again.close()
    assert disk.read(home / "file", 100) == b"one two three"


def test_a_truncated_file_goes_on_at_its_new_end(place: Place) -> None:
    disk, home = place
    file = disk.create(home / "file")
    file.append(b"one two")
    file.truncate(4)
    file.append(b"2")
    file.close()
    assert disk.read(home / "file", 100) == b"one 2"


def test_one_byte_more_than_was_asked_for_is_read_so_that_too_much_shows(place: Place) -> None:
    disk, home = place
    write_new(disk, home / "file", b"12345")
    assert [disk.read(home / "file", most) for most in (3, 4, 5)] == [b"1234", b"12345", b"12345"]


def test_a_new_file_never_takes_the_place_of_another(place: Place) -> None:
    disk, home = place
    write_new(disk, home / "file", b"old")
    with pytest.raises(FileExistsError):
        disk.create(home / "file")
    with pytest.raises(FileExistsError):
        write_new(disk, home / "file", b"new")
    assert disk.read(home / "file", 100) == b"old"


def test_a_file_that_is_not_there_is_an_error_of_its_own(place: Place) -> None:
    disk, home = place
    for act in (disk.open, disk.unlink, disk.rmdir, disk.create, disk.lock):
        with pytest.raises(FileNotFoundError):
            act(home / "no folder" / "file")
    with pytest.raises(FileNotFoundError):
        disk.read(home / "file", 1)
    with pytest.raises(FileNotFoundError):
        disk.replace(home / "file", home / "other")
    assert not disk.exists(home / "file")


def test_a_file_is_replaced_in_one_step_and_nothing_else_is_left(place: Place) -> None:
    disk, home = place
    write_new(disk, home / "file", b"old")
    replace_file(disk, home / "file", b"new")
    replace_file(disk, home / "sub" / "folder" / "file", b"first")
    assert disk.read(home / "file", 100) == b"new"
    assert disk.read(home / "sub" / "folder" / "file", 100) == b"first"
    disk.unlink(home / "file")
    disk.unlink(home / "sub" / "folder" / "file")
    disk.rmdir(home / "sub" / "folder")
    disk.rmdir(home / "sub")
    disk.rmdir(home)  # refused if anything were in it
    assert not disk.exists(home)


def test_a_folder_with_something_in_it_stays(place: Place) -> None:
    disk, home = place
    disk.make_folder(home / "sub")
    disk.make_folder(home / "sub")
    write_new(disk, home / "sub" / "file", b"")
    with pytest.raises(OSError, match="not empty"):
        disk.rmdir(home / "sub")
    assert disk.exists(home / "sub" / "file")


def test_a_lock_is_given_once_and_again_when_it_was_given_back(place: Place) -> None:
    disk, home = place
    unlock = disk.lock(home / "lock")
    with pytest.raises(BlockingIOError):
        disk.lock(home / "lock")
    other = disk.lock(home / "other lock")
    unlock()
    again = disk.lock(home / "lock")
    with pytest.raises(BlockingIOError):
        disk.lock(home / "lock")
    again()
    other()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_nobody_else_may_read_what_is_made(tmp_path: Path) -> None:
    disk = RealDisk()
    replace_file(disk, tmp_path / "a" / "b" / "file", b"secret")
    unlock = disk.lock(tmp_path / "a" / "lock")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a").rglob("*")}
    assert modes == {"b": 0o700, "file": 0o600, "lock": 0o600}
    unlock()
    assert not (tmp_path / "a" / "lock").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot sync a folder")
def test_on_the_real_disk_the_bytes_are_synced_and_then_their_name_and_each_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int]] = []  # inode, and size of what is no folder

    def spy(file: int) -> None:
        status = os.fstat(file)
        synced.append((status.st_ino, 0 if stat.S_ISDIR(status.st_mode) else status.st_size))

    monkeypatch.setattr(os, "fsync", spy)
    monkeypatch.setattr(sys, "platform", "linux")  # macOS has a call of its own for files
    write_new(RealDisk(), tmp_path / "a" / "b" / "file", b"12345")
    inodes = {path.stat().st_ino: path.name for path in (tmp_path, *tmp_path.rglob("*"))}
    assert [(inodes[inode], size) for inode, size in synced] == [(tmp_path.name, 0), ("a", 0), ("file", 5), ("b", 0)]


def test_a_lock_file_that_was_left_over_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"")
    RealDisk().lock(tmp_path / "lock")()


def test_a_lock_goes_with_the_process_that_has_it_however_it_ends(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from p2p_schotten.disk import DISK; "
        "unlock = DISK.lock(pathlib.Path(sys.argv[1])); print('locked', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().split() == [b"locked"]
        with pytest.raises(BlockingIOError):
            RealDisk().lock(tmp_path / "lock")
        holder.kill()
    RealDisk().lock(tmp_path / "lock")()


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no open file")
def test_a_lock_on_a_file_that_its_last_holder_removed_meanwhile_is_taken_on_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    real = disk_module.flock
    others: list[int] = []

    def late(file: int) -> None:
        if not others:  # the last holder removes the file that was opened here, and a third program has a new one
            path.unlink()
            others.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            real(others[0])
        real(file)

    monkeypatch.setattr(disk_module, "flock", late)
    with pytest.raises(BlockingIOError):
        RealDisk().lock(path)
    os.close(others[0])
    RealDisk().lock(path)()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_in_the_place_of_a_file_neither_makes_us_wait_nor_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file")
    with pytest.raises(OSError, match="not a regular file"):
        RealDisk().read(tmp_path / "file", 10)


# What the disk of the tests does when the power goes: by hand, for each kind of cut


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (After.GONE, b"safe"),
        (After.HALF, b"safe12"),
        (After.ZEROS, b"safe\0\0\0\0"),
        (After.ZERO_END, b"safe12\0\0"),
        (After.KEPT, b"safe1234"),
    ],
)
def test_bytes_that_were_not_synced_may_be_gone_after_a_power_cut(after: After, left: bytes) -> None:
    disk = MemoryDisk()
    write_new(disk, Path("/file"), b"safe")
    disk.open(Path("/file")).append(b"1234")
    assert disk.crash(after).read(Path("/file"), 100) == left


def test_a_name_that_was_not_synced_may_be_gone_after_a_power_cut() -> None:
    disk = MemoryDisk()
    file = disk.create(Path("/new"))
    file.append(b"synced, but nobody knows where")
    file.sync()
    write_new(disk, Path("/old"), b"old")
    disk.create(Path("/newer"))
    disk.unlink(Path("/old"))
    assert sorted(disk.crash(After.GONE).files) == [Path("/new"), Path("/old")]
    assert sorted(disk.crash(After.KEPT).files) == [Path("/new"), Path("/newer")]
