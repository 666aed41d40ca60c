"""What files held is known by what the disk says of them, and found again by the next process."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from aoti_lint.files.cache import Cache, content_hash
from aoti_lint.files.opener import Kind, read_file
from aoti_lint.source.remembered import glances
from aoti_lint.source.remembered.glances import Seen

LONG_AGO = 1_000_000_000


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read."""
    paths: list[str] = []

    def read(path: str, kind: Kind) -> bytes:
        paths.append(Path(path).name)
        return read_file(path, kind)

    monkeypatch.setattr(glances, "read_file", read)
    # The files of a test were all written just now.
    monkeypatch.setattr(time, "time", lambda: os.stat(__file__).st_ctime + LONG_AGO)
    return paths


def test_a_file_is_read_once(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "a.py").write_bytes(b"1")
    for _ in range(3):
        known = Seen(Cache(tmp_path / ".kept"), str(tmp_path))
        assert known.content("a.py") == known.content("a.py") == content_hash(b"1")
        known.end()
    assert reads == ["a.py"]


def test_a_file_that_was_written_is_read_again(tmp_path: Path, reads: list[str]) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"1")
    os.utime(path, (LONG_AGO, LONG_AGO))

    def content() -> str | None:
        """What another run finds."""
        known = Seen(Cache(tmp_path / ".kept"), str(tmp_path))
        found = known.content("a.py")
        known.end()
        return found

    content()
    # As large as before, and with the time it had before.
    path.write_bytes(b"2")
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert content() == content_hash(b"2")
    path.unlink()
    assert content() is None


def test_one_that_was_written_just_now_is_not_believed(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"1")
    monkeypatch.setattr(time, "time", lambda: path.stat().st_ctime + 1)
    for _ in range(2):
        known = Seen(Cache(tmp_path / ".kept"), str(tmp_path))
        known.content("a.py")
        known.end()
    assert reads == ["a.py", "a.py"]


def test_what_is_no_file_is_not_read(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    known = Seen(None, str(tmp_path))
    assert (known.content("none.py"), known.content("b\0.py")) == (None, None)
    assert known.content("folder") is None
    assert reads == ["folder"]


def test_a_cache_from_elsewhere_is_not_asked(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "a.py").write_bytes(b"1")
    for _ in range(2):
        known = Seen(Cache(tmp_path / ".kept", carried=True), str(tmp_path))
        known.content("a.py")
        known.end()
    assert reads == ["a.py", "a.py"]
