"""What is said of a program, in a form in which two layouts of it can be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

TORCH = "2.13"
_ROW = re.compile(r":\d+")


@dataclass(frozen=True, order=True)
class Said:
    """One finding: where it stands, by the file and the text of the line, and what it says, without rows."""

    file: str
    line: str
    code: str
    confidence: str
    severity: str
    message: str
    others: tuple[str, ...]
    """The other files it names."""

    def __str__(self) -> str:
        return f"{self.file}: {self.code} ({self.severity}, {self.confidence}) at {self.line!r}: {self.message}"


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files below the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def document(paths: Sequence[Path]) -> dict[str, Any]:
    """The document of one check, with what is only possible."""
    return check(Options([*map(str, paths)], Config(), cache=False, torch_version=TORCH, pedantic=True)).document


def said(folder: Path, document: dict[str, Any], back: Mapping[str, str] | None = None) -> Counter[Said]:
    """The findings of a document about files below `folder`; `back` gives the former names of files."""
    back = back or {}

    def file(path: str) -> str:
        inside = Path(path).resolve().relative_to(folder.resolve()).as_posix()
        return back.get(inside, inside)

    def text(message: str) -> str:
        for new, old in back.items():
            message = re.sub(rf"(?<!\w){re.escape(new)}(?!\w)", old, message)
        return _ROW.sub("", message)

    found: Counter[Said] = Counter()
    for item in document["diagnostics"]:
        path = Path(item["filename"]).resolve()
        if not path.is_relative_to(folder.resolve()):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        row = item["location"]["row"]
        inside = [one["filename"] for one in item.get("related", []) if Path(one["filename"]).resolve() != path]
        below = [one for one in inside if Path(one).resolve().is_relative_to(folder.resolve())]
        others = {*map(file, below), *(Path(one).as_posix() for one in inside if one not in below)}
        line = lines[row - 1].strip() if 0 < row <= len(lines) else ""
        message = text(item["message"].replace(f"{folder.as_posix()}/", ""))
        found[Said(file(item["filename"]), line, item["code"], item["confidence"], item["severity"], message,
                   tuple(sorted(others)))] += 1  # fmt: skip
    return found
