"""What was found in a tree when somebody last read it all, and how that differs from what is found now."""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

LIST = Path(__file__).with_name("reviewed.json")
VERDICTS = frozenset({"right", "doubtful", "false"})
SOURCES = (".py", ".cpp", ".cu", ".h")
"""The files of a package that are looked at."""
TORCH = "2.13"
"""The release for which trees that do not say what they are for were judged."""


@dataclass(frozen=True, order=True)
class Finding:
    """One finding by its place, without a line of the code: the fingerprint stays where lines move."""

    file: str
    code: str
    severity: str
    fingerprint: str


@dataclass(frozen=True)
class Review:
    """A tree of which every error and warning was read.

    `name` and `version` are of a package of the registry, or of a public repository and its commit. `verdicts` says of
    each finding whether it is `right`, `doubtful` or `false`, and why.
    """

    name: str
    version: str
    verdicts: dict[Finding, tuple[str, str]]

    @property
    def requirement(self) -> str:
        """What the package installer is asked for."""
        return f"{self.name}=={self.version}"


def reviews(kind: str) -> list[Review]:
    """The trees of one kind: `packages`, or `repositories`."""
    return [
        Review(
            entry["name"],
            entry["version"],
            {
                Finding(one["file"], one["code"], one["severity"], one["fingerprint"]): (one["verdict"], one["why"])
                for one in entry["findings"]
            },
        )
        for entry in json.loads(LIST.read_text(encoding="utf-8"))[kind]
    ]


def found(tree: Path) -> dict[Finding, str]:
    """The errors and warnings in a tree, each with its line and message."""
    document = check(Options([str(tree)], Config(), cache=False, torch_version=TORCH)).document
    top = len(document_root(tree))
    return {
        Finding(item["filename"][top:], item["code"], item["severity"], item["fingerprint"]): (
            f"{item['filename']}:{item['location']['row']} {item['code']} {item['message']}"
        )
        for item in document["diagnostics"]
        if item["severity"] != "info"
    }


def document_root(tree: Path) -> str:
    """What the names of files in a document of this tree begin with, relative to the current folder."""
    return f"{os.path.relpath(tree)}/"


def difference(review: Review, now: dict[Finding, str]) -> list[str]:
    """What nobody has read yet, and what was right and is not found any more."""
    new = [f"new: {now[one]}" for one in sorted(now.keys() - review.verdicts.keys())]
    gone = [
        f"gone, and was {verdict}: {one.file} {one.code} ({why})"
        for one, (verdict, why) in sorted(review.verdicts.items())
        if verdict == "right" and one not in now
    ]
    return new + gone


def unpack(wheel: Path, folder: Path) -> None:
    """Write the sources of a wheel; nothing of it is run."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith(SOURCES)])
