"""Rows for the variables and settings of torch that no guide speaks of: what the sources of the releases say."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.torch_api import settings
from aoti_lint.torch_api.guide.row import Kind, Moment, Row
from aoti_lint.torch_api.versions import VersionSet

_TEXTS = ("1", "0", "true", "on", "")
"""What people give to switches."""
_SAID = {"on": "on", "off": "off", "ignored": "as if it were not set", "raises": "raises", "number": "the number",
         "text": "the text"}  # fmt: skip
INDUCTOR = "torch._inductor.config"
_AT_IMPORT = {"torch._inductor": Moment.IMPORT_INDUCTOR, "torch._dynamo": Moment.IMPORT_DYNAMO}


def recorded(word: str) -> list[Row]:
    """The rows that a word means: a variable, in any case, or a setting by its whole name.

    One of Inductor also without its module.
    """
    name = word.partition("=")[0].strip()
    variables = [one for one in settings.variable_names() if one.lower() == name.lower()]
    if variables:
        return [_variable(variables[0])]
    asked = name.removeprefix("config.")
    return [
        _key(module, key)
        for module in settings.config_modules()
        for key in settings.all_keys(module)
        if f"{module}.{key}" == name or (module == INDUCTOR and key == asked)
    ]


def _variable(name: str) -> Row:
    versions = settings.variable_versions(name)
    readings = settings.readings(name, versions.last)
    sets = [f"`{one.module}.{one.key}`" for one in readings if one.key]
    reads = [f"`{one.module}`" if one.module else "C++ code" for one in readings if not one.key]
    told = [f"Sets {' and '.join(dict.fromkeys(sets))}."] if sets else []
    told += [f"Read by {' and '.join(dict.fromkeys(reads))}."] if reads else []
    moments = {_moment(one) for one in readings}
    return Row(
        name, Kind.VARIABLE, " ".join(told), _source(versions), versions, moments.pop() if len(moments) == 1 else None,
        values=dict(_values(name, versions.last)),
    )  # fmt: skip


def _moment(reading: settings.Reading) -> Moment | None:
    if reading.moment != "import":
        return None
    inside = ".".join(reading.module.split(".")[:2])
    return _AT_IMPORT.get(inside) if reading.module.endswith(".config") else None


def _values(name: str, version: str) -> Iterator[tuple[str, str]]:
    """What the usual texts do; nothing where that is the same for all."""
    said = {text: _SAID.get(settings.means(name, text, version), "") for text in _TEXTS}
    if len(set(said.values())) > 1:
        yield from ((text or "<an empty text>", what) for text, what in said.items() if what)


def _key(module: str, key: str) -> Row:
    versions = settings.key_versions(module, key)
    found = settings.setting(module, key, versions.last)
    told: list[str] = []
    if found is not None and found.alias:
        told.append(f"Another name of `{found.alias}`.")
    elif found is not None and found.default:
        told.append(f"{found.default} by default.")
    if found is not None and found.variables:
        told.append(f"Set by the variable {' or '.join(found.variables)}.")
    if found is not None and found.deprecated:
        told.append("Deprecated: torch warns where it is used.")
    return Row(f"{module}.{key}", Kind.KEY, " ".join(told), _source(versions), versions)


def _source(versions: VersionSet) -> str:
    return f"the sources of torch {versions}"
