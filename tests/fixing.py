"""Applies the fixes of findings, as a reader of the JSON would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aoti_lint.cli.main import main
from tests.judging import TORCH


def report_of(path: Path, report: Path) -> dict[str, Any]:
    """The JSON document of one file, with what is only possible; it goes through the file `report`."""
    options = ["--output-format", "json", "--output-file", str(report), "--torch-version", TORCH, "--pedantic"]
    assert main(["check", *options, "--no-config", "--no-cache", "--exit-zero", str(path)]) == 0
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    assert not document["errors"], document["errors"]
    return document


def fixes(document: dict[str, Any], code: str) -> list[dict[str, Any]]:
    """The fixes of a document's findings of one code."""
    return [item["fix"] for item in document["diagnostics"] if item["code"] == code and item["fix"] is not None]


def fixed(text: str, offered: list[dict[str, Any]]) -> str:
    """The text with the edits of these fixes made, one that several of them have once."""
    lines = text.splitlines(keepends=True)

    def offset(place: dict[str, int]) -> int:
        return sum(map(len, lines[: place["row"] - 1])) + place["column"] - 1

    edits = {
        (offset(edit["location"]), offset(edit["end_location"]), edit["content"])
        for fix in offered
        for edit in fix["edits"]
    }
    for start, end, content in sorted(edits, reverse=True):
        text = text[:start] + content + text[end:]
    return text
