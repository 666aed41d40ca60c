"""What each supported torch can be told: settings of its config modules, environment variables, modes, logs, backends.

The data lie in `settings.json`, read from the releases' sources by `scripts/make_torch_settings.py`, and are loaded at
the first question. What C++ reads is written by hand in `native_variables`. Nothing here imports torch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from typing import Any

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.native_variables import NATIVE
from aoti_lint.torch_api.understanding import Meaning, meaning
from aoti_lint.torch_api.versions import VersionSet

_NOTHING = VersionSet()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a config module in one torch.

    `type` is written as in source: the annotation, or else the type of the default ("bool", "str | None"); "" when the
    source shows neither. `default` is source text as it counts outside Meta, "" when there is none (a setting that only
    passes on to `alias`). `variables` are the environment variables that can give it its value. `alias` is the setting
    that takes its place, with its module ("torch._dynamo.config.recompile_limit"). `deprecated`: torch warns at use.
    """

    type: str
    default: str
    variables: tuple[str, ...]
    alias: str | None
    deprecated: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One place that reads an environment variable.

    `moment` is "import": when `module` is imported, or "call": when something in it is called. `module` is "" for C++
    and the CUDA driver. `how` and `words` say how the text is understood (see `understanding`). `default` is the source
    text of what counts when the variable is not set, "" when none is written. `key` is the setting of `module` that the
    value goes to, None when it goes elsewhere.
    """

    module: str
    moment: str
    how: str
    words: tuple[str, ...]
    default: str
    key: str | None


@cache
def _data() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "settings.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def _span(text: str) -> VersionSet:
    return VersionSet.parse(text)


def _together(spans: Iterable[str]) -> VersionSet:
    versions = _NOTHING
    for span in spans:
        versions |= _span(span)
    return versions


def _of(forms: dict[str, Any], version: str) -> Any:
    """The form of minor `version`, None when it has none."""
    return next((form for span, form in forms.items() if version in _span(span)), None)


def _named(section: str, version: str) -> frozenset[str]:
    return frozenset(name for name, span in _data()[section].items() if version in _span(span))


def config_modules() -> tuple[str, ...]:
    """The full names of all config modules of any supported torch, sorted."""
    return tuple(_data()["modules"])


def module_versions(module: str) -> VersionSet:
    """The minors in which `module` is a config module; empty for one that never was."""
    return _together([_data()["modules"][module]]) if module in _data()["modules"] else _NOTHING


def key_versions(module: str, key: str) -> VersionSet:
    """The minors that have the setting ("triton.cudagraphs" of "torch._inductor.config"); empty: it never existed."""
    return _together(_data()["keys"].get(module, {}).get(key, ()))


def all_keys(module: str) -> tuple[str, ...]:
    """Every setting that the config module has in some supported minor."""
    return tuple(_data()["keys"].get(module, {}))


def keys(module: str, version: str) -> frozenset[str]:
    """All settings of the config module in minor `version`."""
    return frozenset(key for key in _data()["keys"].get(module, {}) if version in key_versions(module, key))


def setting(module: str, key: str, version: str) -> Setting | None:
    """The setting in minor `version`; None when that torch does not have it."""
    record = _of(_data()["keys"].get(module, {}).get(key, {}), version)
    if record is None:
        return None
    return Setting(
        record.get("type", ""),
        record.get("default", ""),
        tuple(name for span, name in _feeding().get((module, key), ()) if version in _span(span)),
        record.get("alias"),
        record.get("deprecated", False),
    )


@cache
def _feeding() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The variables of each setting, each with the minors in which it is one."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, forms in _data()["variables"].items():
        for span, places in forms.items():
            for module, *_, key in places:
                if key:
                    found.setdefault((module, key), []).append((span, name))
    return found


def near_keys(module: str, key: str, versions: VersionSet) -> list[str]:
    """Settings of the module that all of `versions` have and that are spelt alike, best first, at most three.

    One that differs only in dashes, case or the class it lies in ("cudagraphs", "triton.cudagraphs") comes first.
    """
    there = [known for known in _data()["keys"].get(module, {}) if versions <= key_versions(module, known)]
    wanted = plain(key)
    same = [known for known in there if plain(known) == wanted or plain(known.rpartition(".")[2]) == wanted]
    return _nearest(key, there, first=same)


def variable_versions(name: str) -> VersionSet:
    """The minors whose torch reads the environment variable; empty: none of them does."""
    native = NATIVE.get(name)
    return _together(_data()["variables"].get(name, ())) | (native.versions if native else _NOTHING)


def readings(name: str, version: str) -> tuple[Reading, ...]:
    """Where minor `version` reads the variable: Python first, then C++; empty when it does not."""
    found = [
        Reading(module, moment, how, tuple(words), default, key or None)
        for module, moment, how, words, default, key in _of(_data()["variables"].get(name, {}), version) or ()
    ]
    native = NATIVE.get(name)
    for versions, how, words in native.understood if native else ():
        if version in versions:
            found.append(Reading("", "call", how, words, "", None))
    return tuple(found)


@cache
def variable_names() -> frozenset[str]:
    """Every environment variable that some supported torch reads."""
    return frozenset(_data()["variables"]) | frozenset(NATIVE)


def near_variables(name: str) -> list[str]:
    """Variables that torch reads and that are spelt alike, best first, at most three.

    One that differs only in underscores or case ("AOTINDUCTOR_..." and "AOT_INDUCTOR_...") comes first.
    """
    wanted = plain(name)
    return _nearest(name, variable_names(), first=[known for known in variable_names() if plain(known) == wanted])


def log_names(version: str) -> frozenset[str]:
    """What `TORCH_LOGS` of minor `version` takes besides the dotted name of a module that can be imported.

    "all" sets every log (2.13.0 _logging/_internal.py:843), "help" makes torch print the list and stop.
    """
    return _named("logs", version) | _named("artifacts", version) | {"all", "help"}


def compile_modes(version: str) -> frozenset[str]:
    """What `torch.compile(mode=)` of minor `version` takes with the Inductor backend."""
    return _named("modes", version)


def compile_backends(version: str) -> frozenset[str]:
    """The backends that torch itself registers. Installed packages may bring others (the entry points
    `torch_dynamo_backends`), and a script may register its own: an unknown name is no proof of a mistake."""
    return _named("backends", version)


def meanings(name: str, value: str, version: str) -> frozenset[Meaning]:
    """What `value` does, given to the variable, at each place of minor `version` that reads it; empty: nothing does."""
    return frozenset(meaning(reading.how, reading.words, value) for reading in readings(name, version))


def means(name: str, value: str, version: str) -> Meaning:
    """What `value` does, given to the variable; "unknown" when no place reads it or two places differ about it.

    A place that only asks whether the variable is set does not count against one that looks at its text; one that keeps
    the text, or takes the number of it, does not count against one that knows on and off.
    """
    every = readings(name, version)
    looking = [reading for reading in every if reading.how not in ("presence", "truthy")] or every
    found = frozenset(meaning(reading.how, reading.words, value) for reading in looking)
    telling = found - {"text", "number"} or found
    return next(iter(telling)) if len(telling) == 1 else "unknown"


def plain(name: str) -> str:
    """A name without what is easily written otherwise: dashes, underscores and case."""
    return name.replace("_", "").replace("-", "").lower()


def _nearest(name: str, known: Iterable[str], first: list[str]) -> list[str]:
    from difflib import get_close_matches

    alike = get_close_matches(name, sorted(known), n=3, cutoff=0.85)
    return list(dict.fromkeys([*sorted(first), *alike]))[:3]
