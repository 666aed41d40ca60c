"""The walk-throughs of CONTRIBUTING.md, as they are written, in a copy of the project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.structure.imports import ROOT, modules

PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
_BLOCK = re.compile(r"^```(?P<kind>python file=(?P<file>\S+)|sh)\n(?P<text>.*?)^```$", re.M | re.S)
NEEDED = (
    "__init__.py", "conftest.py", "compiler.py", "changed.py", "snippets.py", "structure", "rules", "package", "models",
)  # fmt: skip
"""What the tests of rules and models need of all tests."""


@pytest.mark.parametrize("title", ["Your first rule", "Your first model"])
def test_a_walk_through_works_as_written(title: str, tmp_path: Path) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    copy = tmp_path / "copy"
    hidden = shutil.ignore_patterns("__pycache__")
    for name in ("aoti_lint", "rules"):
        shutil.copytree(ROOT / name, copy / name, ignore=hidden)
    for name in NEEDED:
        source = ROOT / "tests" / name
        if source.is_dir():
            shutil.copytree(source, copy / "tests" / name, ignore=hidden)
        else:
            (copy / "tests").mkdir(exist_ok=True)
            shutil.copy(source, copy / "tests" / name)
    shutil.copy(ROOT / "pyproject.toml", copy)
    blocks = list(_BLOCK.finditer(section))
    assert {block["kind"] == "sh" for block in blocks} == {True, False}
    for block in blocks:
        if block["kind"] != "sh":
            (copy / block["file"]).write_text(block["text"], encoding="utf-8")
            continue
        for line in block["text"].splitlines():
            command = re.sub(r"^(python|pytest)\b", lambda found: _ours(found[1]), line)
            # A check that finds something exits with 1: behind a pipe, what reads it decides.
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", f"{command} || test $? -eq 1 -a ${{PIPESTATUS[-1]}} -eq 0"],
                cwd=copy, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            assert "no tests ran" not in done.stdout


def _ours(name: str) -> str:
    return f"'{sys.executable}'" if name == "python" else f"'{sys.executable}' -m pytest -p no:cacheprovider"


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    known = {path.relative_to(ROOT).as_posix() for path in modules().values()}
    made = {"rules/api/draft_export_left.py", "aoti_lint/models/python/combinations.py", "before.json"}
    for name in set(re.findall(r"`([\w./]+/[\w./*]+|\w+\.py)`", text)) - made:
        wanted = name.removesuffix("*.json").rstrip("/")
        there = any((ROOT / room / wanted).exists() for room in (".", "aoti_lint", "scripts"))
        assert there or any(path.endswith(f"/{wanted}") for path in known), name
