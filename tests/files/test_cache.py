"""What is kept is found again, and nothing that anybody else may have written."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import aoti_lint.files.cache
from aoti_lint.files.cache import Cache, content_hash, user_folder

PROJECT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes")


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*"))


def test_values(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "cache"
    cache = Cache(folder)
    assert cache.get("a", "k") is None
    cache.put("a", "k", {"é": [1, None]})
    cache.put("b", "k", 2)
    assert Cache(str(folder)).get("a", "k") == {"é": [1, None]}
    assert cache.get("b", "k") == 2
    assert cache.get("a", "other") is None
    assert all(path.suffix == ".json" for path in entries(folder))
    cache.put("a", "k", 3)
    assert cache.get("a", "k") == 3
    assert len(entries(folder)) == 2


def test_another_version_of_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is: a later commit of the same version writes things down otherwise."""
    Cache(tmp_path).put("a", "k", 1)
    assert Cache(tmp_path).get("a", "k") == 1
    monkeypatch.setattr(aoti_lint.files.cache, "tool_stamp", lambda carried: "another")
    assert Cache(tmp_path).get("a", "k") is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\x00", b"[" * 100_000, b"1"])
def test_damaged_entries(tmp_path: Path, damaged: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put("a", "k", 1)
    (entry,) = entries(tmp_path)
    entry.write_bytes(damaged)
    assert cache.get("a", "k") is None
    cache.put("a", "k", 2)
    assert cache.get("a", "k") == 2


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("kept", encoding="utf-8")
    cache = Cache(blocked)
    cache.put("a", "k", 1)
    assert cache.get("a", "k") is None
    assert blocked.read_text(encoding="utf-8") == "kept"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything can be written")
def test_read_only_folder(tmp_path: Path) -> None:
    Cache(tmp_path).put("a", "k", 1)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        cache = Cache(tmp_path)
        cache.put("b", "k", 2)
        assert (cache.get("a", "k"), cache.get("b", "k")) == (1, None)
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("disk full")

    cache = Cache(tmp_path)
    monkeypatch.setattr(os, "replace", refuse)
    cache.put("a", "k", 1)
    monkeypatch.undo()
    assert entries(tmp_path) == []
    assert Cache(tmp_path).get("a", "k") is None


@posix
@pytest.mark.parametrize("carried", [False, True])
def test_it_is_for_the_user_alone(tmp_path: Path, carried: bool) -> None:
    Cache(tmp_path / "cache", carried=carried).put("a", "k", 1)
    made = [tmp_path / "cache", *(tmp_path / "cache").rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()} == {0o600}


def linked(cache: Path) -> None:
    cache.rename(cache.with_name("elsewhere"))
    cache.symlink_to(cache.with_name("elsewhere"))


def linked_inside(cache: Path) -> None:
    (cache / "a").rename(cache.with_name("elsewhere"))
    (cache / "a").symlink_to(cache.with_name("elsewhere"))


def linked_file(cache: Path) -> None:
    (entry,) = (cache / "a").iterdir()
    entry.rename(cache.with_name("elsewhere"))
    entry.symlink_to(cache.with_name("elsewhere"))


def a_pipe(cache: Path) -> None:
    (entry,) = (cache / "a").iterdir()
    entry.unlink()
    os.mkfifo(entry)


def open_to_all(cache: Path) -> None:
    cache.chmod(0o777)


def open_inside(cache: Path) -> None:
    (cache / "a").chmod(0o770)


def open_file(cache: Path) -> None:
    (entry,) = (cache / "a").iterdir()
    entry.chmod(0o666)


def owned_by_another(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, 12345, 12345)


def owned_inside(cache: Path) -> None:
    owned_by_another(cache / "a")


def owned_file(cache: Path) -> None:
    owned_by_another(next((cache / "a").iterdir()))


CHANGES = (linked, linked_inside, linked_file, a_pipe, open_to_all, open_inside, open_file, owned_by_another,
           owned_inside, owned_file)  # fmt: skip


@posix
@pytest.mark.parametrize("carried", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_what_somebody_else_has_a_hand_in_is_not_believed(
    tmp_path: Path, change: Callable[[Path], None], carried: bool
) -> None:
    folder = tmp_path / "cache"
    Cache(folder, carried=carried).put("a", "k", 1)
    assert Cache(folder, carried=carried).get("a", "k") == 1
    change(folder)
    cache = Cache(folder, carried=carried)
    assert cache.get("a", "k") is None
    assert cache.refused
    # Nor is it written to.
    before = {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")}
    cache.put("a", "k", 2)
    assert {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_what_was_not_written_here_is_not_found(tmp_path: Path) -> None:
    for carried in (False, True):
        Cache(tmp_path / "made", carried=carried).put("a", "k", carried)
    shutil.copytree(tmp_path / "made", tmp_path / "copied")
    assert Cache(tmp_path / "made").get("a", "k") is False
    assert Cache(tmp_path / "copied").get("a", "k") is None
    # But where the user says that it is carried.
    assert Cache(tmp_path / "copied", carried=True).get("a", "k") is True


def test_two_at_once(tmp_path: Path) -> None:
    """Each makes the folder, if it is the first."""
    words = [str(number) for number in range(40)]
    program = "import sys; from aoti_lint.files.cache import Cache; cache = Cache(sys.argv[1])\n" \
              "for word in sys.argv[3:]: cache.put('a', word, word); cache.put('a', sys.argv[2] + word, 1)\n" \
              "sys.exit(any(cache.get('a', word) != word for word in sys.argv[3:]))"  # fmt: skip
    command = [sys.executable, "-c", program, str(tmp_path / "cache")]
    started = [subprocess.Popen([*command, each, *words], cwd=PROJECT) for each in "xyz"]
    assert [process.wait(timeout=300) for process in started] == [0, 0, 0]
    assert len(entries(tmp_path / "cache")) == 4 * len(words)


def test_a_carried_cache_behind_a_link_of_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "tree/ci").symlink_to(tmp_path / "home")
    monkeypatch.chdir(tmp_path / "tree")
    cache = Cache("ci/cache", carried=True)
    cache.put("a", "k", 1)
    assert cache.refused == "the way to it leads over a link"
    assert os.listdir(tmp_path / "home") == []


def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aoti_lint.files.cache, "LIMIT", 4000)
    cache = Cache(tmp_path)
    (tmp_path / "a").mkdir(mode=0o700)
    (tmp_path / "a/notes.json").write_text("not ours", encoding="utf-8")
    for number in range(100):
        cache.put("a", str(number), "x" * 100)
        for path in (tmp_path / "a").iterdir():
            os.utime(path, (path.stat().st_mtime - 60,) * 2)
        assert sum(path.stat().st_size for path in (tmp_path / "a").iterdir()) < 4000 + 4000 // 4
    kept = [number for number in range(100) if cache.get("a", str(number)) is not None]
    assert kept == list(range(kept[0], 100))
    assert (tmp_path / "a/notes.json").exists()


def test_what_is_used_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.put("a", "k", 1)
    (entry,) = entries(tmp_path)
    os.utime(entry, (0, 0))
    assert cache.get("a", "k") == 1
    assert entry.stat().st_mtime > time.time() - 3600


@pytest.mark.skipif(os.name != "posix", reason="Windows has another variable")
def test_whose_cache_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user_folder() == str(tmp_path / "xdg/aoti-lint")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (user_folder() or "").startswith(str(tmp_path))
    for nowhere in ("", "relative", str(tmp_path / "none")):
        monkeypatch.setenv("HOME", nowhere)
        assert user_folder() is None
    monkeypatch.delenv("HOME")
    assert user_folder() is None
    if os.geteuid() == 0:
        # As under sudo.
        monkeypatch.setenv("HOME", str(tmp_path))
        os.chown(tmp_path, 12345, 12345)
        assert user_folder() is None


def test_content_hash() -> None:
    assert content_hash(b"a") == content_hash(b"a") != content_hash(b"b")
    assert content_hash(b"a").isalnum()
