"""Right programs in the idioms of real repositories that look wrong: nothing may be said of them but advice.

`idioms.txt` has them, each with a name; `@H` stands for the beginning they share, `--- NAME` begins a file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.rules.test_api_calls import HEAD

TEXT = Path(__file__).with_name("idioms.txt").read_text(encoding="utf-8")


def programs(text: str) -> dict[str, dict[str, str]]:
    """The files of each program, by name."""
    found: dict[str, dict[str, str]] = {}
    for block in f"\n{text}".split("\n=== ")[1:]:
        name, _, body = block.partition("\n")
        parts = f"\n{body if body.startswith('--- ') else f'--- script.py{chr(10)}{body}'}".split("\n--- ")[1:]
        split = (part.partition("\n") for part in parts)
        found[name] = {file: code.replace("@H\n", HEAD) + "\n" for file, _, code in split}
    return found


PROGRAMS = programs(TEXT)


def said(folder: Path, files: dict[str, str], torch: str | None) -> list[str]:
    """What is said of a program, without advice."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    document = check(Options([str(folder)], Config(), cache=False, torch_version=torch)).document
    assert not document["errors"]
    return [
        f"{item['filename']}:{item['location']['row']} {item['code']} {item['message']}"
        for item in document["diagnostics"]
        if item["severity"] != "info"
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_idioms(name: str, tmp_path: Path) -> None:
    for torch in ("2.13", "2.8..2.15", None):
        assert said(tmp_path, PROGRAMS[name], torch) == []
