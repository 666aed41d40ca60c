"""The file of a baseline: what it holds, what it is known by, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.findings.baseline import FORMAT, Entry, is_baseline, read, written

ENTRIES = [
    Entry("b.py", "AOTI201", "y = f()", "2" * 16),
    Entry("a.py", "AOTI301", "##[error]x = \x1b[31m \udcff", "1" * 16),
    Entry("a.py", "AOTI201", "x = f()", "3" * 16),
]
HEAD = f'{{"format": "{FORMAT}"}}\n'


def test_what_is_written_is_read_in_an_order_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "base.jsonl"
    text = written(ENTRIES)
    assert text == written(reversed(ENTRIES))
    assert text.isascii()
    assert "\x1b" not in text
    assert "##[" not in text
    assert text.count("\n") == 4
    assert is_baseline(text.encode())
    path.write_text(text, encoding="utf-8")
    found = read(str(path))
    assert found.is_there
    assert [entry.key() for entry in found.entries.values()] == sorted(entry.key() for entry in ENTRIES)
    # As git writes it on Windows, and with an editor's mark.
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert found.entries.keys() == read(str(path)).entries.keys()


def test_none_is_one_without_entries(tmp_path: Path) -> None:
    missing = read(str(tmp_path / "none.jsonl"))
    assert (missing.is_there, missing.entries) == (False, {})
    (tmp_path / "empty.jsonl").touch()
    empty = read(str(tmp_path / "empty.jsonl"))
    assert (empty.is_there, empty.entries) == (True, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import torch\n", ": this is no baseline"),
        ("{}\n", ": this is no baseline"),
        ('{"format": "aoti-lint/1"}\n', ": this is no baseline"),
        ("[" * 100_000, ": this is no baseline"),
        ('{"format": "aoti-lint-baseline/9"}\n', ": this baseline is aoti-lint-baseline/9, and this aoti-lint knows"),
        (HEAD + "{}\n", ":2: this is no entry of a baseline"),
        (HEAD + '{"path": 1, "code": "", "line": "", "fingerprint": ""}\n', ":2: this is no entry of a baseline"),
        (HEAD + "\n<<<<<<< ours\n", ":3: a merge was left unfinished here"),
    ],
)
def test_what_is_none(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "base.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CannotRun) as caught:
        read(str(path))
    assert str(caught.value).startswith(f"{path}{said}")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="Is a directory"):
        read(str(tmp_path))
