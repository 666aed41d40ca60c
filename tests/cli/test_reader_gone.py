"""Nobody reads the report to its end, as behind `| head`: the exit code is that of what was found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.scripts import BROKEN, CLEAN, DEPRECATED

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        (DEPRECATED, ["check"], 1),
        (CLEAN, ["check"], 0),
        (BROKEN, ["check"], 2),
        (DEPRECATED, ["check", "--output-format", "json"], 1),
        (DEPRECATED, ["explain", "all"], 0),
        # What goes on for ever ends with its reader.
        (DEPRECATED, ["check", "--watch"], 2),
    ],
)
def test_the_exit_code_is_that_of_the_findings(
    tmp_path: Path, text: str, words: list[str], code: int, buffered: str
) -> None:
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    read, write = os.pipe()
    os.close(read)
    command, *rest = words
    paths = ["script.py", "--no-cache"] if command == "check" else []
    process = subprocess.run(
        [sys.executable, "-m", "aoti_lint", *([] if command == "check" else [command]), *rest, *paths],
        stdout=write, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False, timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": buffered},
    )  # fmt: skip
    os.close(write)
    assert process.returncode == code, process.stderr
    assert "Traceback" not in process.stderr
    assert "Broken pipe" not in process.stderr
