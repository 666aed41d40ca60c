"""What is tried: a folder of files and the commands that are run in it."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OUT = "@OUT@"
"""In a command: the folder that it may write to."""
FOUND = Path(__file__).parent / "found"


@dataclass(frozen=True, slots=True)
class Case:
    """One trial. Paths are relative to the folder, which is the current one of the commands."""

    kind: str
    files: dict[str, bytes]
    commands: list[list[str]]
    stdin: bytes = b""
    links: dict[str, str] = field(default_factory=dict)
    """Symbolic links, and where they lead."""
    fifos: tuple[str, ...] = ()

    def to_json(self) -> str:
        """As a file of the corpus."""
        made = {
            "kind": self.kind, "commands": self.commands, "stdin": _text(self.stdin),
            "files": {name: _text(data) for name, data in self.files.items()},
            "links": self.links, "fifos": list(self.fifos),
        }  # fmt: skip
        return json.dumps(made, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Case:
        """What `to_json` wrote."""
        made = json.loads(text)
        files = {name: _bytes(value) for name, value in made["files"].items()}
        return cls(
            made["kind"], files, made["commands"], _bytes(made["stdin"]), made["links"], tuple(made["fifos"])
        )  # fmt: skip

    def keep(self) -> Path:
        """Put it into the corpus, which the tests replay."""
        text = self.to_json()
        path = FOUND / f"{self.kind}-{hashlib.sha256(text.encode()).hexdigest()[:10]}.json"
        path.write_text(text, encoding="ascii")
        return path


def _text(data: bytes) -> Any:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _bytes(value: Any) -> bytes:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value.encode("utf-8")


@dataclass(frozen=True, slots=True)
class Fault:
    """An invariant that does not hold. `what` is its kind; `place` is the same for faults of one cause."""

    what: str
    place: str
    text: str
    command: tuple[str, ...] = ()


@dataclass(slots=True)
class Outcome:
    """What a case came to. `answers` are the exit code, output and errors of each command."""

    faults: list[Fault]
    answers: list[tuple[int, str, str]]
    seconds: float
    """CPU seconds."""
    peak: int
    """Bytes of memory, at most."""
