"""When torch reads its environment variables, in each release: what an action loads and reads.

Most variables are read once, when some module of torch is imported; setting one later changes nothing. The data lie in
`moments.json`, are read at the first question, and were measured by `scripts/measure_moments.py` on Linux without a
GPU, with Python 3.11: every action ran in a process of its own. Nothing here imports torch.

An action is named by what is called ("torch.export.export", "torch.optim.SGD"), by a statement ("import torch.export",
"import transformers"), or by a name that is not called ("torch._inductor", "attribute torch.export.export").
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from aoti_lint.torch_api.versions import VersionSet

MOST_PARTS = 32
"""Parts of a dotted name that are looked up: no name of torch has nearly as many."""

_NOTHING = VersionSet()


@cache
def _data() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "moments.json"), encoding="utf-8") as file:
        return json.load(file)


def _by_name(spans: dict[str, str]) -> dict[str, VersionSet]:
    """span -> names, turned to name -> minors. A name has one span."""
    return {name: VersionSet.parse(span) for span, names in spans.items() for name in names.split()}


def verified() -> VersionSet:
    """The minors that were measured."""
    return VersionSet(_data()["releases"])


def releases() -> dict[str, str]:
    """The release measured for each minor, such as {"2.13": "2.13.0"}."""
    return dict(_data()["releases"])


def measured(action: str) -> VersionSet:
    """The minors in which the action ran to its end; none for an action that was not tried.

    A name whose call was not tried stands for naming it. Imports of other packages were measured beside one release
    of torch only.
    """
    entry = _entry(action)
    if entry is not None:
        return VersionSet.parse(entry["ran"])
    return _beside() if action in _others() else _NOTHING


@cache
def loaded_by(action: str) -> dict[str, VersionSet]:
    """The modules that read variables when imported and that the action imports, each with the minors that do so.

    "import torch" and imports of other packages start from nothing, every other action from a process that has done
    `import torch`. A name or an import that was not tried loads at least what its leading parts do, and that is the
    answer: `torch._inductor.anything` is given what `torch._inductor` loads. Empty for an action that loads none, and
    for one of which nothing is known: `measured` tells them apart.
    """
    entry = _entry(action)
    if entry is not None:
        return _by_name(entry.get("loads", {}))
    if action in _others():
        return {module: _beside() for module in _others()[action]["loads"].split()}
    kind, _, name = action.rpartition(" ")
    parts = name.split(".", MOST_PARTS)[:MOST_PARTS]
    found: dict[str, VersionSet] = {}
    for count in range(2, len(parts)):
        prefix = ".".join(parts[:count])
        for module, minors in loaded_by(f"{kind or 'attribute'} {prefix}").items():
            found[module] = found.get(module, _NOTHING) | minors
    return found


@cache
def read_when_run(action: str) -> dict[str, VersionSet]:
    """The variables the action reads itself, not through an import, each with the minors that do so."""
    entry = _entry(action)
    return _by_name(entry.get("reads", {})) if entry else {}


@cache
def read_at_import(variable: str) -> dict[str, VersionSet]:
    """The modules that read the variable when they are imported, each with the minors that do so.

    Only modules that some measured action imports are known. Reads by C++ code are not seen.
    """
    return _by_name(_data()["variables"].get(variable, {}))


@cache
def read_late(variable: str) -> VersionSet:
    """The minors in which some measured action reads the variable when it runs: there, setting it late may be in time.

    A function may keep what it read the first time.
    """
    found = _NOTHING
    for action in _data()["actions"]:
        found |= read_when_run(action).get(variable, _NOTHING)
    return found


def _entry(action: str) -> Any:
    actions = _data()["actions"]
    return actions.get(action) or actions.get(f"attribute {action}")


def _others() -> Any:
    return _data()["third party"]["imports"]


def _beside() -> VersionSet:
    """The minor beside which the other packages were measured."""
    return VersionSet.parse(_data()["third party"]["beside"])
