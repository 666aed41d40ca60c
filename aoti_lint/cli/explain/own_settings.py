"""The settings of aoti-lint itself, as `explain` tells them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from aoti_lint.cli.shared.config_schema import Configuration, Package, Target
from aoti_lint.config import OWN_FILE

_TABLES: dict[str, type[BaseModel]] = {"target": Target, "package": Package}
_OPTIONS = {"environment": "--env"}
"""Options that are called otherwise."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting by its name (`torch-version`, `target.device`), what it is for, and its option ("" if it has none)."""

    name: str
    does: str
    option: str

    @property
    def where(self) -> str:
        """Where it is written."""
        table, _, key = self.name.rpartition(".")
        below = f".{table}" if table else ""
        own = f"[{table}] of {OWN_FILE}" if table else OWN_FILE
        return f"`{key} = …` in {own}, or under [tool.aoti-lint{below}] in pyproject.toml"


def settings() -> Iterator[Setting]:
    """All there are, as the configuration lists them."""
    from aoti_lint.cli.check.arguments import parser

    options = {flag: option for option in parser()._actions for flag in option.option_strings}
    for name, field in Configuration.model_fields.items():
        key = str(field.alias)
        flag = _OPTIONS.get(key, f"--{key}")
        option = options.get(flag)
        said = "" if option is None else f"{flag} {option.metavar or ''}".strip() + f": {option.help}"
        if name not in _TABLES:
            yield Setting(key, field.description or "", said)
            continue
        for inner in _TABLES[name].model_fields.values():
            about = f"{field.description} {inner.description}"
            yield Setting(f"{key}.{inner.alias}", about, "")


def find(word: str) -> list[Setting]:
    """The settings that a word names: `torch-version`, `torch_version`, `package`, `package.max-size`, `max-size`."""
    wanted = word.lower().lstrip("-").replace("_", "-").removeprefix("tool.aoti-lint.")
    every = [*settings()]
    return [one for one in every if one.name == wanted or one.name.startswith(f"{wanted}.")] or [
        one for one in every if one.name.rpartition(".")[2] == wanted
    ]
