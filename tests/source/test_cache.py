from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import aoti_lint.cache
from aoti_lint.cache import Cache, content_hash


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*/*"))


def test_values(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "cache"
    cache = Cache(folder)
    assert cache.get("a", "k") is None
    cache.put("a", "k", {"é": [1, None]})
    cache.put("b", "k", 2)
    assert Cache(str(folder)).get("a", "k") == {"é": [1, None]}
    assert cache.get("b", "k") == 2
    assert cache.get("a", "other") is None
    assert (
        (folder / "CACHEDIR.TAG").read_text(encoding="utf-8").startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "*\n"
    assert all(path.suffix == ".json" for path in entries(folder))
    cache.put("a", "k", 3)
    assert cache.get("a", "k") == 3
    assert len(entries(folder)) == 2


def test_another_version_of_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.put("a", "k", 1)
    monkeypatch.setattr(aoti_lint.cache, "__version__", "0")
    assert cache.get("a", "k") is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\x00", b"[" * 100_000])
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
    def refuse(*_: object) -> None:
        raise OSError("disk full")

    cache = Cache(tmp_path)
    monkeypatch.setattr(os, "replace", refuse)
    cache.put("a", "k", 1)
    monkeypatch.undo()
    assert entries(tmp_path) == []
    assert Cache(tmp_path).get("a", "k") is None


def test_content_hash() -> None:
    assert content_hash(b"a") == content_hash(b"a") != content_hash(b"b")
    assert content_hash(b"a").isalnum()
