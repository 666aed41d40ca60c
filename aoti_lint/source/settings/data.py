"""What parses the files that scripts read their settings from: JSON, TOML, YAML, INI.

Each raises `ValueError`, with words for people, for a text that is not of its kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

MAX_SIZE = 20_000
"""Characters of a file that is read: larger files are data, not settings."""
MOST_WHY = 200
"""Characters of what a parser says."""


def parse_json(text: str) -> Any:
    """What a text of JSON holds."""
    return json.loads(text)


def parse_toml(text: str) -> Any:
    """What a text of TOML holds. Raises `ImportError` on Python 3.10, which cannot read it."""
    return import_module("tomllib").loads(text)


def parse_yaml(text: str) -> Any:
    """What a text of YAML holds, a single document without tags of its own."""
    import yaml  # takes 20 ms, and few scripts read such a file

    return _said(lambda: yaml.safe_load(text))


def parse_ini(text: str) -> dict[str, dict[str, object]]:
    """The sections of a text as `configparser` reads it; `...` for a value that names others."""
    import configparser  # takes 6 ms, and few scripts read such a file

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error).replace("\n", " ")) from None
    return {
        name: {key: ... if "%" in (value or "") else value for key, value in parser.items(name)}
        for name in parser.sections()
    }


def _yaml_syntax(text: str) -> None:
    """Look at the syntax alone: what the tags mean, and how many documents there may be, the reader says."""
    import yaml

    _said(lambda: [None for _ in yaml.parse(text)])


def _said(parse: Callable[[], Any]) -> Any:
    import yaml

    try:
        return parse()
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = "" if mark is None else f": line {mark.line + 1} column {mark.column + 1}"
        raise ValueError(f"{getattr(error, 'problem', None) or type(error).__name__}{place}") from None


_SYNTAX: dict[str, Callable[[str], Any]] = {
    ".json": parse_json,
    ".toml": parse_toml,
    ".yaml": _yaml_syntax,
    ".yml": _yaml_syntax,
}


def broken(error: ValueError) -> str:
    """What is said of a file that a parser refuses so."""
    return f"cannot be parsed ({str(error)[:MOST_WHY]})"


def wrong_with(path: str, text: str) -> str:
    """What is wrong with the text of a file of this name, whoever reads it; empty where nothing is, or it is large."""
    parse = next((parse for ending, parse in _SYNTAX.items() if path.endswith(ending)), None)
    if parse is None or len(text) > MAX_SIZE:
        return ""
    try:
        parse(text)
    except ImportError:
        return ""
    except ValueError as error:
        return broken(error)
    return ""
