"""Keeps how scripts ended in torch, so that another linter is judged without running them again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.random_scripts.torch_side import Ended


class Outcomes:
    """A file with a line of JSON for each script, by its text. Without a path it keeps nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Ended] = {}
        if path is not None and path.exists():
            for line in path.read_text("utf-8").splitlines():
                one: dict[str, Any] = json.loads(line)
                key = one.pop("script")
                self._known[key] = Ended(**{**one, "rows": tuple(one["rows"])})

    def of(self, text: str) -> Ended | None:
        return self._known.get(_key(text))

    def keep(self, text: str, ended: Ended) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"script": _key(text), **asdict(ended)}) + "\n")


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]
