"""Reads the text of a file that sets variables, and shows what was found in short."""

from __future__ import annotations

import json

from aoti_lint.source.settings.kept import rows_of, settings_of
from aoti_lint.source.settings.model import Settings
from aoti_lint.source.settings.read import read_settings
from aoti_lint.source.text import read_source


def read(path: str, text: str | bytes) -> Settings:
    """What a file of this name and content says, as it is kept for the next run."""
    found = read_settings(read_source(text.encode() if isinstance(text, str) else text, path))
    return settings_of(path, json.loads(json.dumps(rows_of(found))))


def starts(path: str, text: str) -> list[tuple[str, dict[str, str | None]]]:
    """The scripts that are started, with the variables each surely has; every place is checked to be one."""
    found = read(path, text)
    places(found, text)
    return [
        (start.command, {name: made.value for name, made in start.variables.items() if not made.conditional})
        for start in found.starts
    ]


def assignments(path: str, text: str) -> list[tuple[str, str | None, str | None]]:
    """Name, value and script of every assignment."""
    return [(made.name, made.value, made.command) for made in read(path, text).assignments]


def places(found: Settings, text: str) -> list[str]:
    """The text of the place of every assignment. Each must hold its name."""
    shown = [text.encode()[made.span.start : made.span.end].decode() for made in found.assignments]
    for made, written in zip(found.assignments, shown, strict=True):
        assert made.name in written
        assert made.span.path == found.path
    return shown
