"""Collects the names that debugging guides mention, by kind, as `tests/torch_api/guides.json`.

    python scripts/extract_guide_names.py GUIDE.md... > tests/torch_api/guides.json

Only names are taken, no sentence and no code. The same guides give the same bytes, in whatever order they are named.
The patterns are those of prose and shell and Python snippets, because some guides come with all line breaks lost.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_ASSIGNED = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=")
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_VALUE = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=(?:\"([^\"]*)\"|'([^']*)'|([\w+.,-]+))")
_ALIAS = re.compile(r"\bimport (torch[\w.]+\.config) as (\w+)")
_SETTING = re.compile(r"\b((?:torch\._\w+\.)?config(?:\.[a-z]\w*)+)(?: = (?:\"([^\"]*)\"|(-?\w+)))?")
_DOTTED = re.compile(r"(?<![\w.])(?:torch|triton)(?:\.\w+)+")
_FROM = re.compile(r"\bfrom (torch[\w.]*) import (\w+(?:, \w+)*)")
_CALL = re.compile(r"(?<![\w.])([a-z]+(?:_[a-z]+)+)\(")
_OWN = re.compile(r"\bdef (\w+)|\b(\w+) = ")
_METHOD = re.compile(r"(?:[\w)]|(?<=\s))\.([a-z_]+)\(")
_ARGUMENT = re.compile(r"[(,] ?([a-z_]+)=(?:'(\w+)'|\"(\w+)\"|[\w\[{])")
_CLASS = re.compile(r"\bAOTInductor[A-Z]\w+")
_FILE = re.compile(r"[\w./:<>-]*[\w>]\.(?:cpp|html|log|pt2|py|pt|so|txt)\b(?!\.\w)")
_FENCE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_TOOL = re.compile(r"^\s*(?:[A-Z_]+=\S* +)*([a-z]\w+) +\S", re.MULTILINE)
_BACKEND = re.compile(r"\b(\w+) is the default backend")

_PLACEHOLDERS = ("script.py", "your_script.py")
_SAVED = "<before|after>_launch_<kernel>_<arg>_<device>.pt"
"""All file names of saved tensors are examples of this one."""


def names(text: str, variables: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a kind and a name found in one guide. `variables` are the names some guide assigns a value to."""
    for word in _CAPITALS.findall(text):
        yield ("variables" if word in variables else "printer modes"), word
    for found in _VALUE.finditer(text):
        name, value = found[1], next(part for part in found.groups()[1:] if part is not None)
        if name == "TORCH_LOGS":
            yield from (("log names", part.strip().lstrip("+-")) for part in value.split(","))
        yield "values", f"{name}={value.replace(' ', '')}"
    yield from _settings(text)
    yield from _functions(text)
    yield from _files(text)
    for block in _FENCE.findall(text):
        for tool in _TOOL.findall(block):
            if tool in ("python", "tlparse", "buck"):
                yield "tools", tool
    for tool in re.findall(r"\b(?:tlparse|buck)\b", text):
        yield "tools", tool
    for option in re.findall(r"\btlparse \S+ (-\w)\b", text):
        yield "tools", f"tlparse {option}"
    for backend in _BACKEND.findall(text):
        yield "backends", backend.lower()


def _settings(text: str) -> Iterator[tuple[str, str]]:
    aliases = {alias: module for module, alias in _ALIAS.findall(text)}
    for found in _SETTING.finditer(text):
        path, value = found[1], found[2] or found[3]
        head, _, rest = path.partition(".")
        if head in aliases:
            path = f"{aliases[head]}.{rest}"
        if path.startswith("torch.") and rest != "py":
            yield "settings", path
            if value is not None:
                yield "values", f"{path}={value}"


def _functions(text: str) -> Iterator[tuple[str, str]]:
    for name in _DOTTED.findall(text):
        if ".config." not in name:
            yield "functions", name
    for module, imported in _FROM.findall(text):
        yield from (("functions", f"{module}.{name}") for name in imported.split(", "))
    own = {name for pair in _OWN.findall(text) for name in pair if name}
    dotted = {name.rpartition(".")[2] for name in _DOTTED.findall(text)}
    for name in _CALL.findall(text):
        if name not in own | dotted:
            yield "functions", name
    for name in _METHOD.findall(text):
        if name not in dotted:
            yield "methods", name
    for name, *texts in _ARGUMENT.findall(text):
        given = "".join(texts)
        yield "arguments", f"{name}={given}" if given else name
    yield from (("functions", name) for name in _CLASS.findall(text))


def _files(text: str) -> Iterator[tuple[str, str]]:
    for path in _FILE.findall(re.sub(r"https?://\S+", "", text)):
        folder, _, name = path.rpartition("/")
        if name in _PLACEHOLDERS:
            continue
        if re.match(r"(before|after)_launch", name) or "_launch>" in name:
            yield "files", _SAVED
            folder = folder.removeprefix("<before")
        elif folder.startswith(("torch/", "test/")):
            yield "files", path
            continue
        else:
            yield "files", name
        if folder and not folder.startswith("/path/to"):
            yield "files", folder.removeprefix("../") + "/"


def collect(texts: Iterable[str]) -> dict[str, list[str]]:
    """All names of the guides, sorted, by kind."""
    guides = list(texts)
    variables = {name for text in guides for name in _ASSIGNED.findall(text)}
    found: dict[str, set[str]] = {}
    for text in guides:
        for kind, name in names(text, variables):
            found.setdefault(kind, set()).add(name)
    return {kind: sorted(found[kind]) for kind in sorted(found)}


def main(paths: list[str]) -> int:
    """Print the names of the guides at `paths` as JSON."""
    if not paths:
        print("usage: python scripts/extract_guide_names.py GUIDE.md...", file=sys.stderr)
        return 2
    print(json.dumps(collect(Path(path).read_text(encoding="utf-8") for path in paths), indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
