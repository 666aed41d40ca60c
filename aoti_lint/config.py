"""The configuration: `[tool.aoti-lint]` in a `pyproject.toml`, or the top level of an `aoti-lint.toml`.

Checked by hand and not by pydantic, because a run with nothing to do reads it too.
"""

from __future__ import annotations

import os.path

from aoti_lint.deployment import Gate, Machine, is_words, read_gate, read_machine
from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.files.near import cannot_open
from aoti_lint.files.opener import CONFIG, NotRead, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEVERITIES = ("error", "warning", "info", "off")
OWN_FILE = "aoti-lint.toml"
_NAME = "aotilint"
"""Ours, without what may stand between its parts."""
_GAPS = dict.fromkeys(map(ord, "-_ ."))
_OPTIONS = frozenset({
    "cache-dir", "color", "coverage", "env", "error-on", "exit-zero", "force-exclude", "jobs", "no-cache", "no-ignores",
    "output-file", "output-format", "pedantic", "python", "quiet", "statistics", "verbose",
})  # fmt: skip
"""Options of the command line that are no settings."""
_EXAMPLES = {"exclude": '["build/", "*_pb2.py"]', "archives": '["dist/*.pt2"]'}


class Config:
    """What a configuration file says; `path` is None when there is none.

    Patterns are those of `.gitignore`, relative to the project root; those of `archives`, and the file `baseline`, are
    relative to the file.
    """

    __slots__ = ("archives", "baseline", "environment", "exclude", "extend_select", "ignore", "package", "path",
                 "per_file_ignores", "select", "severity", "target", "torch_version")  # fmt: skip

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        self.select: list[str] | None = None
        self.extend_select: list[str] = []
        self.ignore: list[str] = []
        self.per_file_ignores: dict[str, list[str]] = {}
        self.exclude: list[str] = []
        self.torch_version: str | None = None
        self.severity: dict[str, str] = {}
        self.archives: list[str] = []
        self.baseline: str | None = None
        self.environment: dict[str, str] = {}
        self.target = Machine()
        self.package = Gate()


def find(folder: str) -> Config:
    """The configuration nearest to `folder`, upwards; an `aoti-lint.toml` wins over a `pyproject.toml` beside it.

    A `pyproject.toml` without our table is passed by. Raises `CannotRun` for a file that is wrong.
    """
    folder = os.path.abspath(folder)
    while True:
        for name in (OWN_FILE, "pyproject.toml"):
            config = _read(os.path.join(folder, name), required=False)
            if config is not None:
                return config
        parent = os.path.dirname(folder)
        if parent == folder:
            return Config()
        folder = parent


def load(path: str) -> Config:
    """The configuration in a file the user named. Raises `CannotRun` when it has none, or is wrong."""
    config = _read(os.path.abspath(path), required=True)
    if config is None:
        raise CannotRun(f"{path}: there is no [tool.aoti-lint] table in it")
    return config


def _read(path: str, *, required: bool) -> Config | None:
    own = os.path.basename(path) != "pyproject.toml"
    try:
        data = read_file(path, CONFIG)
    except OSError as error:
        if required or (own and isinstance(error, NotRead)):
            raise cannot_open(path, error) from None
        return None
    if not own and b"aoti" not in data.lower():
        return None
    table: Any = _parse(data, path)
    if not own:
        tools = table.get("tool", {})
        table = tools.get("aoti-lint") if isinstance(tools, dict) else None
        if table is None:
            other = next((name for name in tools if name.lower().translate(_GAPS) == _NAME), None)
            if other is not None:
                raise CannotRun(f"{path}: [tool.{other}] is not read: the settings stand in [tool.aoti-lint]")
            return None
    where = path if own else f"{path}: [tool.aoti-lint]"
    if not isinstance(table, dict):
        raise CannotRun(f"{where} must be a table")
    return _fill(Config(path), table, where)


def _parse(data: bytes, path: str) -> dict[str, Any]:
    from aoti_lint.files.formats import Malformed, parse_toml  # only where there is a configuration

    try:
        return parse_toml(data)
    except Malformed as error:
        raise CannotRun(f"{path}: this is {error}") from None


def _fill(config: Config, table: dict[str, Any], where: str) -> Config:
    known = {slot.replace("_", "-"): slot for slot in Config.__slots__ if slot != "path"}
    for key, value in table.items():
        slot = known.get(key)
        if key in ("tool", "aoti-lint") and isinstance(value, dict) and where == config.path:
            written = "[tool.aoti-lint]" if key == "tool" else "[aoti-lint]"
            raise CannotRun(
                f"{where}: in this file the settings stand without the heading {written}; only pyproject.toml has one"
            )
        if slot is None and key in _OPTIONS:
            raise CannotRun(f"{where}: {key} is no setting, but an option of the command line: --{key}")
        if slot is None:
            raise CannotRun(f"{where}: there is no setting {key!r}{did_you_mean(key, known)}")
        if key in ("target", "package"):
            inner = where.removesuffix("]") + f".{key}]" if where.endswith("]") else f"{where}: [{key}]"
            setattr(config, slot, read_machine(value, inner) if key == "target" else read_gate(value, inner))
            continue
        problem = _problem(key, value)
        if problem:
            raise CannotRun(f"{where}: {key} {problem}")
        setattr(config, slot, value)
    return config


def _problem(key: str, value: Any) -> str | None:
    """What is wrong with the value of a setting."""
    if key == "baseline":
        return None if isinstance(value, str) and value else 'must be the name of a file such as "baseline.jsonl"'
    if key == "torch-version":
        return None if isinstance(value, str) else 'must be text such as "2.13" or "2.8..2.11"'
    if key == "per-file-ignores":
        if isinstance(value, dict) and all(map(is_words, value.values())):
            return None
        return 'must be a table of lists, such as {"tests/*" = ["AOTI3"]}'
    if key == "environment":
        if isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
            return None
        return 'must be a table of texts, such as {DEVICE = "cuda"}'
    if key == "severity":
        if not isinstance(value, dict):
            return 'must be a table, such as {AOTI201 = "error"}'
        for rule, severity in value.items():
            if severity not in SEVERITIES:
                near = did_you_mean(severity, SEVERITIES) if isinstance(severity, str) else ""
                return f"of {rule} must be one of {', '.join(SEVERITIES)}, not {severity!r}{near}"
        return None
    return None if is_words(value) else "must be a list of texts, such as " + _EXAMPLES.get(key, '["AOTI1"]')
