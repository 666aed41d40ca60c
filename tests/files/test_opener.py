"""What is opened: regular files of a size that their kind may have, and nothing that waits or never ends."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from aoti_lint.files.opener import CONFIG, IGNORE_LIST, WEIGHTS, Kind, NotRead, open_regular, read_file

SMALL = Kind("a small thing", 100)


def why(path: str | Path, kind: Kind = CONFIG) -> str:
    with pytest.raises(NotRead) as caught:
        read_file(path, kind)
    return str(caught.value.strerror)


def test_a_file_and_a_link_to_one_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    (tmp_path / "link").symlink_to("a")
    assert read_file(tmp_path / "a", SMALL) == read_file(str(tmp_path / "link"), SMALL) == b"x" * 100


def test_no_pipe_device_or_socket_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "link").symlink_to("pipe")
    assert why(tmp_path / "pipe") == why(tmp_path / "link") == "this is a named pipe, not a file"
    assert why(tmp_path / "zero") == why("/dev/zero") == "this is a device, not a file"
    with socket.socket(socket.AF_UNIX) as server:
        # The name of a socket is short: it is bound from inside the folder.
        before = os.open(".", os.O_RDONLY)
        os.chdir(tmp_path)
        try:
            server.bind("socket")
        finally:
            os.fchdir(before)
            os.close(before)
        assert why(tmp_path / "socket") == "this is a socket, not a file"


def test_a_pipe_that_comes_after_the_look_does_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").touch()
    os.mkfifo(tmp_path / "pipe")
    look = os.stat
    monkeypatch.setattr(os, "stat", lambda path: look(tmp_path / "a"))
    assert why(tmp_path / "pipe") == "this is a named pipe, not a file"


def test_what_is_larger_than_its_kind_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 101)
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 40)
    assert why(tmp_path / "a", SMALL) == "this has more than 100 bytes, the most that is read of a small thing"
    assert why(tmp_path / "sparse", IGNORE_LIST).startswith("this has more than 1 MiB, ")


@pytest.mark.parametrize("whole", [True, False])
def test_a_file_that_grows_is_read_no_further_than_its_limit(tmp_path: Path, whole: bool) -> None:
    (tmp_path / "a").write_bytes(b"x" * 50)
    with open_regular(tmp_path / "a", SMALL) as file:
        (tmp_path / "a").write_bytes(b"x" * 1000)
        with pytest.raises(NotRead, match="more than 100 bytes"):
            file.read() if whole else file.readline()


def test_a_file_without_a_size_is_read() -> None:
    assert read_file("/proc/self/cmdline", CONFIG)


def test_an_archive_is_read_in_parts_and_has_no_limit(tmp_path: Path) -> None:
    with open(tmp_path / "a", "wb") as file:
        file.truncate(1 << 40)
    with open_regular(tmp_path / "a", WEIGHTS) as opened:
        opened.seek(-10, os.SEEK_END)
        assert opened.read() == bytes(10)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_has_is_an_error_of_files(tmp_path: Path, name: str) -> None:
    assert why(tmp_path / name) == "no file can have this name"


def test_folders_and_missing_files_are_what_they_were(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path, CONFIG)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nothing", CONFIG)
    (tmp_path / os.fsdecode(b"caf\xe9")).write_bytes(b"1")
    assert read_file(tmp_path / os.fsdecode(b"caf\xe9"), CONFIG) == b"1"


def test_nothing_stays_open(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1000)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        why(tmp_path / "a", SMALL)
    assert len(os.listdir("/proc/self/fd")) == before
