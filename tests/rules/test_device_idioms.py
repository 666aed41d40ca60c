"""Devices as people pass them on: what is wrong is found where it is, and nothing is said of what is right.

`device_idioms.txt` has the programs, each with a name; `--- NAME` begins a file. A line ending in `<- CODE` must get
the finding, `<- CODE=likely` no more than that; no other line may get one of family 1xx, but for advice.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.rules.test_idioms import programs

PROGRAMS = programs(Path(__file__).with_name("device_idioms.txt").read_text(encoding="utf-8"))
MARK = re.compile(r"(?:#|//) <- (.+)$")


def wanted(files: dict[str, str]) -> dict[tuple[str, int, str], str]:
    """Where which rule has to speak, with how sure it may be at most; empty for whatever it says."""
    found: dict[tuple[str, int, str], str] = {}
    for name, text in files.items():
        for row, line in enumerate(text.splitlines(), 1):
            for one in (MARK.search(line) or ["", ""])[1].split():
                code, _, sure = one.partition("=")
                found[name, row, code] = sure
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_devices(name: str, tmp_path: Path) -> None:
    for file, text in PROGRAMS[name].items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    options = Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")
    said = {
        (Path(item["filename"]).name, item["location"]["row"], item["code"]): item["confidence"]
        for item in check(options).document["diagnostics"]
        if item["code"].startswith("AOTI1") and item["severity"] != "info"
    }
    asked = wanted(PROGRAMS[name])
    assert said.keys() == asked.keys()
    assert all(said[place] == sure for place, sure in asked.items() if sure)
