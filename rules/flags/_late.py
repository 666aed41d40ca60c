"""Whether a variable is set after torch has read it for good."""

from __future__ import annotations

import ast
from functools import cache

from aoti_lint.rule import Confidence, VersionSet, conditions, dataclass, judge, weaker
from aoti_lint.rule.events import EnvWrite
from aoti_lint.rule.torch import meaning, moments, settings
from aoti_lint.rule.values import ABSENT, Begun, Const, Value, under

LOGGING = "torch._logging._internal"
"""Its functions that read variables are called by `import torch` (2.13.0 `torch/__init__.py`), and by `set_logs`."""


@dataclass(frozen=True, slots=True)
class Late:
    """That nothing reads a variable any more, in `versions`; `begun` imported `module`, the last that did."""

    confidence: Confidence
    versions: VersionSet
    begun: Begun
    module: str


@cache
def readers(name: str, version: str) -> frozenset[str]:
    """The modules that read a variable when they are imported; none where anything reads it later, or may."""
    found = {module for module, minors in moments.read_at_import(name).items() if version in minors}
    called: set[str] = set()
    for reading in settings.readings(name, version):
        (found if reading.moment == "import" else called).add(reading.module)
    if called == {LOGGING}:
        return frozenset(found)
    return frozenset() if called or version in moments.read_late(name) else frozenset(found)


def late(event: EnvWrite) -> Late | None:
    """How sure it is that a variable is set too late, judged in the releases that were measured only."""
    found: Late | None = None
    for version in event.versions & moments.verified():
        modules = sorted(readers(event.name, version))
        if not modules:
            continue
        values = [_in(version, event.begun.get(module, ABSENT)) for module in modules]

        def has_begun(case: list[Value], version: str = version, modules: list[str] = modules) -> bool:
            pairs = zip(modules, case, strict=True)
            return all(isinstance(one, Begun) and _loads(one, module, version) for module, one in pairs)

        verdict = judge(values, event.path, has_begun)
        if verdict is None:
            continue
        read = [(one, module) for one, module in zip(verdict[1], modules, strict=True) if isinstance(one, Begun)]
        last, reader = max(read, key=lambda pair: pair[0].span)
        sure = verdict[0] if found is None else weaker(found.confidence, verdict[0])
        seen = VersionSet([version]) if found is None else found.versions | VersionSet([version])
        found = Late(sure, seen, last, reader)
    return found


def _in(version: str, value: Value) -> Value:
    """What a value is in one release."""
    holds = {c: version in c.key[1] for c in conditions(value)
             if c.kind == "version" and isinstance(c.key[1], VersionSet)}  # fmt: skip
    return under(value, holds)


def _loads(begun: Begun, module: str, version: str) -> bool:
    return version in moments.loaded_by(begun.action).get(module, VersionSet())


def changes_nothing(name: str, text: str, version: str) -> bool:
    """Whether the text does what torch does without the variable: 0 where that is the default, or no text."""
    found = settings.readings(name, version)
    return bool(found) and all(
        (meaning(one.how, one.words, text) == "off" or not text) and _default_is_off(one) for one in found
    )  # fmt: skip


def _default_is_off(reading: settings.Reading) -> bool:
    try:
        default = ast.literal_eval(reading.default) if reading.default else None
    except (SyntaxError, ValueError):
        return False
    if isinstance(default, str):
        return meaning(reading.how, reading.words, default) == "off"
    return not default


def text_of(value: Value) -> str | None:
    """The text of a constant."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None
