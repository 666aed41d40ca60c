"""What scripts import: every file is read once, however many scripts reach it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.machine.facts import Facts
from rules.package import _imports
from tests.analysing import facts_of

SHARED = """\
import importlib
import einops
from . import left, right
importlib.import_module("other")
"""


def test_a_file_that_many_scripts_reach_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    package.mkdir()
    for name, text in {"__init__": SHARED, "left": "import json\n", "right": "from . import left\n"}.items():
        (package / f"{name}.py").write_text(text)
    scripts = {f"script{number}": "import torch\nimport package\n" for number in range(4)}
    facts = facts_of(tmp_path, monkeypatch, **scripts)
    read: list[str] = []
    beyond = _imports._beyond

    def counted(facts: Facts, path: str) -> _imports.Beyond:
        read.append(path)
        return beyond(facts, path)

    monkeypatch.setattr(_imports, "_beyond", counted)
    for name in scripts:
        found = _imports.reach(facts, f"{name}.py")
        assert found.files == {f"{name}.py", "package/__init__.py", "package/left.py", "package/right.py"}
        assert (found.outside, found.dynamic) == ({"einops"}, True)
    assert sorted(read) == sorted({*read})
    assert _imports.may_meet(facts, "script0.py", "package/left.py")
    assert not _imports.may_meet(facts, "script0.py", "script1.py")
