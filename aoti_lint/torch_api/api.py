"""What each supported torch has: names and signatures, read from the releases' sources by `scripts/make_torch_api.py`.

The data lie in `api.json` and are read at the first question. Nothing here imports torch. Every answer has three
sides: a name is there, is not there, or cannot be known (the module is not covered, or it makes names at run time).
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.judgements import JUDGEMENTS, Judgement
from aoti_lint.torch_api.moments import MOST_PARTS
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

_NOTHING = VersionSet()
CALLED_MODULES = {
    "torch.export": "torch.export.export", "torch._export": "torch.export.export", "torch.onnx": "torch.onnx.export",
    "torch.compiler": "torch.compile", "torch._dynamo": "torch.compile",
    "torch._inductor": "torch._inductor.aoti_compile_and_package",
}  # fmt: skip
"""Modules of torch that are called in the place of a function, with that function."""
ONNX_BY_EXPORT = VersionSet.since("2.9")
"""The releases whose `torch.onnx.export` exports with `torch.export` alone, and does so where nothing is said."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `kind` is "positional only", "positional or keyword", "keyword only", "*" or "**".

    `default` is its source text, None when there is no default.
    """

    name: str
    kind: str
    default: str | None = None

    @property
    def required(self) -> bool:
        return self.default is None and self.kind not in ("*", "**")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function, constructor or method, in order, without `self`."""

    parameters: tuple[Parameter, ...]

    def positional(self) -> tuple[str, ...]:
        """The names that may be given by position."""
        return tuple(p.name for p in self.parameters if p.kind.startswith("positional"))

    def takes_keyword(self, name: str) -> bool:
        """Whether `name=...` is accepted."""
        by_name = ("positional or keyword", "keyword only")
        return any(p.kind == "**" or (p.name == name and p.kind in by_name) for p in self.parameters)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, None when there is none."""
        return next((p for p in self.parameters if p.name == name), None)

    def __str__(self) -> str:
        texts: list[str] = []
        kinds = [p.kind for p in self.parameters]
        for before, p in zip([None, *self.parameters], self.parameters, strict=False):
            if before and before.kind == "positional only" != p.kind:
                texts.append("/")
            if p.kind == "keyword only" and "*" not in kinds and (not before or before.kind != p.kind):
                texts.append("*")
            stars = p.kind if p.kind in ("*", "**") else ""
            texts.append(stars + p.name + (f"={p.default}" if p.default is not None else ""))
        if kinds and kinds[-1] == "positional only":
            texts.append("/")
        return f"({', '.join(texts)})"


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of one module or class: those of a version are `there`, `open` versions may have others."""

    there: VersionSet
    open: VersionSet
    names: dict[str, VersionSet]


@cache
def _data() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "api.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def _span(text: str) -> VersionSet:
    return VersionSet.parse(text)


@cache
def _module(name: str) -> _Names | None:
    entry = _data()["modules"].get(name)
    if entry is None:
        return None
    names = {short: _span(span) for span, shorts in entry["names"].items() for short in shorts.split()}
    return _Names(_span(entry["in"]), _span(entry["open"]) if "open" in entry else _NOTHING, names)


def recorded_names() -> dict[str, list[str]]:
    """All names that some release has, by the module or class they are in."""
    entries: dict[str, Any] = _data()["modules"]
    return {owner: " ".join(entry["names"].values()).split() for owner, entry in entries.items()}


def signature_names() -> list[str]:
    """All functions, classes and methods of which some release's signature is recorded."""
    return list(_data()["signatures"])


def definition_names() -> list[str]:
    """The names of places of definition, of functions that have another public name (see `canonical`)."""
    return list(_data()["aliases"])


def releases() -> dict[str, str]:
    """The release read for each minor, such as {"2.13": "2.13.0"}."""
    return dict(_data()["releases"])


def canonical(qualified: str) -> str:
    """The public name of a function, class or class member that is also known by the place of its definition."""
    aliases = _data()["aliases"]
    owner, _, member = qualified.rpartition(".")
    if qualified in aliases:
        return str(aliases[qualified])
    return f"{aliases[owner]}.{member}" if owner in aliases else qualified


@cache
def _judge(qualified: str) -> tuple[str, VersionSet, VersionSet]:
    """(the longest part of the name the data speak of, the minors that have it, the minors that lack it)."""
    here, *rest = qualified.split(".", MOST_PARTS)[:MOST_PARTS]
    judged, has, lacks = "", _NOTHING, _NOTHING
    for part in rest:
        names = _module(here) or _module(canonical(here))
        here = f"{here}.{part}"
        if names is not None and judged:
            if part.startswith("__"):
                break
            found = names.names.get(part, _NOTHING)
            judged, has, lacks = here, has & found, lacks | (SUPPORTED - found - names.open)
        elif judged:
            break
        elif module := _module(here):
            judged, has, lacks = here, module.there, SUPPORTED - module.there
    return judged, has, lacks


def presence(qualified: str) -> VersionSet | None:
    """The minors whose torch has the name (as in `torch.export.Dim.AUTO`).

    None when that cannot be told for every supported minor: the name lies in no covered module, or in one that makes
    names at run time, or is an attribute of a value the data do not describe. A name that never existed gives the
    empty set. A submodule counts as present where its file exists, whether or not something imported it.
    """
    judged, has, lacks = _judge(qualified)
    return has if judged == qualified and has | lacks == SUPPORTED else None


def recorded(qualified: str) -> VersionSet:
    """The minors in whose source the module or class binds the name; others may have it too, made at run time."""
    owner, _, short = qualified.rpartition(".")
    names = _module(owner) or _module(canonical(owner))
    return names.names.get(short, _NOTHING) if names is not None else _NOTHING


def removed_earlier(qualified: str) -> str | None:
    """The minor that removed a name which no supported one has: "2.1", up to the first supported; None: it never was.

    Read from the releases 1.11 to 2.3, of which nothing else is known.
    """
    owner, _, short = qualified.rpartition(".")
    return _removal("removed", owner, short)


def argument_removed_earlier(function: str, argument: str) -> str | None:
    """The minor up to the first supported that took an argument from a function; None: it never had it."""
    return _removal("removed_arguments", function, argument)


def _removal(section: str, owner: str, name: str) -> str | None:
    """The minor that a section of the data gives for a name of a module, or an argument of a function."""
    known = _data()[section]
    groups: dict[str, str] = known.get(owner) or known.get(canonical(owner)) or {}
    return next((minor for minor, names in groups.items() if name in names.split()), None)


def is_module(qualified: str) -> bool:
    """Whether the name is a covered module of some version."""
    return _module(qualified) is not None and not _is_class(qualified)


def _is_class(recorded: str) -> bool:
    """Classes are recorded as modules are; torch writes only classes with a capital."""
    return recorded.rpartition(".")[2].lstrip("_")[:1].isupper()


def missing_part(qualified: str, versions: VersionSet) -> str:
    """The first part of the name that is missing in all of `versions`, the whole name when none is.

    In torch 2.7, of `torch.export.pt2_archive.load_pt2` already `torch.export.pt2_archive` is missing.
    """
    parts = qualified.split(".")
    for count in range(2, len(parts)):
        part = ".".join(parts[:count])
        judged, _, lacks = _judge(part)
        if judged == part and versions <= lacks:
            return part
    return qualified


def signature(qualified: str, version: str) -> Signature | None:
    """The signature in the torch of minor `version`, such as "2.13"; None when it is not recorded."""
    for span, texts in _signatures(qualified).items():
        if version in _span(span):
            return _signature(tuple(texts))
    return None


def signatures(qualified: str) -> list[tuple[VersionSet, Signature]]:
    """All recorded signatures with the minors that have them, oldest first."""
    return [(_span(span), _signature(tuple(texts))) for span, texts in _signatures(qualified).items()]


def _signatures(qualified: str) -> dict[str, list[str]]:
    known: dict[str, dict[str, list[str]]] = _data()["signatures"]
    return known.get(qualified) or known.get(canonical(qualified)) or {}


@cache
def _signature(texts: tuple[str, ...]) -> Signature:
    slash = texts.index("/") if "/" in texts else 0
    parameters: list[Parameter] = []
    by_position = True
    for index, text in enumerate(texts):
        name, equals, default = text.partition("=")
        stars = name[: len(name) - len(name.lstrip("*"))]
        if stars == "*":
            by_position = False
        if text in ("/", "*"):
            continue
        kind = stars or ("positional or keyword" if by_position else "keyword only")
        if index < slash:
            kind = "positional only"
        parameters.append(Parameter(name.lstrip("*"), kind, default if equals else None))
    return Signature(tuple(parameters))


def judgement(qualified: str) -> Judgement | None:
    """What was written by hand about a name that was removed, renamed, added late or never existed."""
    return JUDGEMENTS.get(qualified) or JUDGEMENTS.get(canonical(qualified))


def replacement(qualified: str) -> str | None:
    """The qualified name to use instead, None when nothing takes its place or none is known."""
    found = judgement(qualified)
    return found.replacement if found else None


def elsewhere(name: str, versions: VersionSet) -> list[str]:
    """Functions and classes of other modules with the same last part, there in all of `versions`, nearest first.

    For a name looked for in the wrong place: `torch._inductor.load_package` is in `torch._inductor.package`.
    """
    module, _, short = name.rpartition(".")
    found = set()
    for qualified in _data()["signatures"]:
        owner, _, last = qualified.rpartition(".")
        if last == short and owner != module and canonical(qualified) == qualified:
            there = presence(qualified)
            if there is not None and versions <= there:
                found.add(qualified)
    return sorted(found, key=lambda other: (-_shared(other, name), other.count("."), other))


def _shared(one: str, other: str) -> int:
    """How many leading parts two dotted names share."""
    pairs = list(zip(one.split("."), other.split("."), strict=False))
    return next((count for count, (a, b) in enumerate(pairs) if a != b), len(pairs))


def near(name: str, versions: VersionSet) -> list[str]:
    """Functions and classes of the same module that all of `versions` have and that are spelt alike, best first."""
    from difflib import get_close_matches

    module, _, short = name.rpartition(".")
    owner = module if _module(module) else canonical(module)
    names = _module(owner)
    if names is None:
        return []
    there = [n for n, has in names.names.items() if versions <= has]
    longer = (n for n in there if n.startswith(f"{short}_"))
    alike = dict.fromkeys((*get_close_matches(short, there, n=5, cutoff=0.7), *longer))
    return [f"{module}.{match}" for match in alike if _is_class(owner) or _signatures(f"{owner}.{match}")][:2]
