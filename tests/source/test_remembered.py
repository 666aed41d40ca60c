"""What is made of files is found by the next process, whatever that one is asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from aoti_lint.files.cache import Cache
from aoti_lint.source.remembered import on_disk
from aoti_lint.source.remembered.on_disk import Remembered


class Counted:
    """Makes things, and counts what it had to make."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[str] = []

    def process(self, *keys: str) -> list[str]:
        """One process that wants these things."""
        known, self.made = Remembered(Cache(self._folder), "made", "project"), []
        found = [known.once((key, None), partial(self._make, key)) for key in keys]
        known.end()
        return found

    def _make(self, key: str) -> str:
        self.made.append(key)
        return key.upper()


def test_it_is_made_once(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    assert counted.process("a", "b", "a") == ["A", "B", "A"]
    assert counted.made == ["a", "b"]
    assert counted.process("b", "c") == ["B", "C"]
    assert counted.made == ["c"]


def test_a_process_that_is_asked_of_less_forgets_nothing(tmp_path: Path) -> None:
    counted = Counted(tmp_path)
    counted.process("a", "b")
    counted.process("c")
    counted.process("a", "b", "c")
    assert counted.made == []


def test_what_was_not_used_for_longest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_disk, "MOST", 2)
    monkeypatch.setattr(on_disk, "FEW", 0)
    counted = Counted(tmp_path)
    counted.process("a", "b")
    counted.process("b", "c")
    counted.process("a", "b", "c")
    assert counted.made == ["a"]


def test_few_things_are_written_for_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And with the rest when they have become many: none is lost, nor made again."""
    monkeypatch.setattr(on_disk, "FEW", 3)
    counted, keys = Counted(tmp_path), [*"abcdefgh"]
    for end in range(1, len(keys) + 1):
        counted.process(*keys[:end])
        assert counted.made == [keys[end - 1]]
    counted.process(*reversed(keys))
    assert counted.made == []


def test_without_a_cache_everything_is_made() -> None:
    known = Remembered(None, "made", "project")
    assert [known.once("a", lambda: 1), known.once("a", lambda: 2)] == [1, 2]
    known.end()
