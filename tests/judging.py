"""Runs the linter inside the test process and reads its JSON, for the judges that lint hundreds of scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aoti_lint.cli.main import main

TORCH = "2.13"
"""The version the scripts of the judges were run with."""
NEAR = 3
"""How many lines off the labelled line a finding may be."""


@dataclass(frozen=True)
class Found:
    """One diagnostic, as far as judging needs it."""

    code: str
    severity: str
    confidence: str
    outcome: str
    file: str
    row: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.row} {self.severity} {self.code} ({self.confidence}) {self.message}"


def lint_files(
    folder: Path, files: Mapping[str, str], named: Sequence[str] | None = None, torch: str = TORCH, *more: str
) -> list[Found]:
    """Write `files` into the empty `folder` and check those of `named` (all by default) there, with `more` options.

    Raises AssertionError when the linter could not do its job, with what it said.
    """
    folder.mkdir(parents=True)
    for name, text in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(text, encoding="utf-8", newline="")
    return lint_paths([folder / name for name in named or files], folder / "report.json", torch, *more)


def lint_paths(paths: Sequence[Path], report: Path, torch: str = TORCH, *more: str) -> list[Found]:
    """Check the paths and give what was found, in order; the JSON goes through the file `report`."""
    options = ["--output-format", "json", "--output-file", str(report), "--torch-version", torch, *more]
    code = main(["check", *options, "--no-config", "--no-cache", "--exit-zero", *map(str, paths)])
    assert code == 0, f"aoti-lint gave up on {', '.join(map(str, paths))} with exit code {code}"
    document = json.loads(report.read_text(encoding="utf-8"))
    assert not document["errors"], document["errors"]
    return [
        Found(
            item["code"],
            item["severity"],
            item["confidence"],
            item["outcome"],
            Path(item["filename"]).name,
            item["location"]["row"],
            item["message"],
        )
        for item in document["diagnostics"]
    ]


def split(found: list[Found], wanted: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[Found]]:
    """What is wanted (`code`, `line`, maybe `optional`) and not found, and what is found and not wanted.

    One diagnostic serves one finding.
    """
    left = sorted(found, key=lambda item: item.row)
    missing = []
    for want in sorted(wanted, key=lambda item: bool(item.get("optional"))):
        near = [item for item in left if item.code == want["code"] and abs(item.row - want["line"]) <= NEAR]
        if near:
            left.remove(min(near, key=lambda item: abs(item.row - int(want["line"]))))
        elif not want.get("optional"):
            missing.append(want)
    return missing, left
