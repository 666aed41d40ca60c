"""What a project's files say about its torch: lock files, constraints, requirements, environments, package metadata.

Lock files are searched as text, because they are large and any tool may have left them half-written. A file that cannot
be read says nothing; nothing here raises.
"""

from __future__ import annotations

import os
import re
from itertools import groupby

from aoti_lint.files.opener import CONFIG, LOCK, REQUIREMENTS, read_file
from aoti_lint.lazily.regex import regex
from aoti_lint.torch_api.environment import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from aoti_lint.files.opener import Kind

MAX_LINE = 1_000
"""Characters of a requirement."""
MAX_INCLUDED = 30
"""Files of requirements that include each other."""
_NAME = r"torch(?![\w.-])"
_REQUIREMENT = regex(rf"\s*{_NAME}\s*(?:\[[^\]]*\])?\s*(?P<spec>.*)", re.IGNORECASE)
_LOCKED = regex(r'^name = "torch"\r?\nversion = "([^"]+)"', re.MULTILINE)
_CONDA = regex(r"(?:[\w./-]+::)?(?:pytorch|pytorch-cpu|pytorch-gpu)(?![\w.-])\s*(?P<spec>.*)")
_LITERAL = regex(rf"""(["'])(?P<text>{_NAME}[^"'\n]*)\1""")
_IN_ADDRESS = regex(r"(?:torch-|@v?)(\d+(?:\.\d+)+)")


def says(folder: str) -> tuple[str, list[str]] | None:
    """The file of `folder` that decides, and what it says: requirements such as ["==2.13.0"] of which one holds.

    None when no file there says anything about torch's version. Locked versions come before wished-for ones. Files of
    one kind (`requirements.txt`, `requirements-cuda.txt`, `requirements-npu.txt`) are for different machines or tasks:
    what any of them says may hold. The first of them is the one that is named.
    """
    ranked = sorted(rank for rank in map(_rank, entries(folder)) if rank[0] < len(_READERS))
    for kind, ranks in groupby(ranked, key=lambda rank: rank[0]):
        read = _READERS[kind][1]
        said = {
            name: [spec for spec in read(os.path.join(folder, name)) if spec not in ("", "*")] for _, _, name in ranks
        }
        specs = list(dict.fromkeys(spec for found in said.values() for spec in found))
        if specs:
            return next(name for name in said if said[name]), specs
    return None


def says_of_torch(name: str) -> bool:
    """Whether a file of this name may say something about torch's version."""
    return _rank(name)[0] < len(_READERS)


def _rank(name: str) -> tuple[int, int, str]:
    """Where a file stands in the order of trust, and among those of its kind; plain `requirements.txt` is first."""
    for index, (pattern, _) in enumerate(_READERS):
        if re.fullmatch(pattern, name):
            return index, len(name), name
    return len(_READERS), 0, name


def _text(path: str, kind: Kind) -> str:
    try:
        return read_file(path, kind).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def requirement(text: str) -> str | None:
    """The version part of a requirement on torch: "torch[opt]>=2.4; marker" -> ">=2.4". None for another package."""
    found = _REQUIREMENT.fullmatch(text.strip()[:MAX_LINE])
    if found is None:
        return None
    spec = re.split(r";|\s#|\s--|\\", found["spec"])[0].strip()
    if spec.startswith("@"):
        in_address = _IN_ADDRESS.search(spec.replace("%2B", "+"))
        return f"=={in_address[1]}" if in_address else ""
    return spec.strip("()").strip()


def _some(found: Iterable[str | None]) -> list[str]:
    return [spec for spec in found if spec is not None]


def _lock(path: str) -> list[str]:
    return [f"=={version}" for version in _LOCKED.findall(_text(path, LOCK))]


def _pipfile_lock(path: str) -> list[str]:
    return re.findall(r'"torch": \{[^{}]*"version": "([^"]+)"', _text(path, LOCK))


def _requirements(path: str, seen: set[str] | None = None) -> list[str]:
    """What the file says, and those that it names, each read once."""
    specs: list[str] = []
    seen = {os.path.normpath(path)} if seen is None else seen
    for line in _text(path, REQUIREMENTS).replace("\\\n", " ").splitlines():
        other = re.match(r"\s*(?:-r|-c|--requirement|--constraint)[\s=]*(\S+)", line[:MAX_LINE])
        further = os.path.normpath(os.path.join(os.path.dirname(path), other[1] if other else ""))
        if other and further not in seen and len(seen) < MAX_INCLUDED:
            seen.add(further)
            specs += _requirements(further, seen)
        specs += _some([requirement(line)])
    return specs


def _environment(path: str) -> list[str]:
    specs: list[str] = []
    for line in _text(path, REQUIREMENTS).splitlines():
        item = line.strip().removeprefix("- ").split(" #")[0].strip().strip("\"'")
        conda = _CONDA.fullmatch(item)
        if conda:
            # "2.5.1=py3.11_cuda": the part after the second "=" names the build.
            specs.append(re.sub(r"(?<=[\d*])=.*", "", conda["spec"]))
        specs += _some([requirement(item)])
    return specs


def _setup_cfg(path: str) -> list[str]:
    lines = (re.sub(r"^\w+\s*=\s*(?=torch)", "", line) for line in _text(path, CONFIG).splitlines())
    return _some(map(requirement, lines))


def _setup_py(path: str) -> list[str]:
    """The texts in it that are requirements on torch: it is not run."""
    return _some(requirement(found["text"]) for found in _LITERAL.finditer(_text(path, CONFIG)))


def _pyproject(path: str) -> list[str]:
    text = _text(path, CONFIG)
    table = _toml(text) if "torch" in text else {}
    project, tool = _table(table, "project"), _table(table, "tool")
    poetry = _table(tool, "poetry")
    groups: tuple[Iterator[str], ...] = (
        _listed(project.get("dependencies")),
        _poetry(_table(poetry, "dependencies")),
        (spec for group in _table(project, "optional-dependencies").values() for spec in _listed(group)),
        (spec for group in _table(table, "dependency-groups").values() for spec in _listed(group)),
        (spec for group in _table(poetry, "group").values() for spec in _poetry(_table(group, "dependencies"))),
    )
    # What the project itself needs goes before what one of its groups wishes.
    return next((specs for specs in map(list, groups) if any(specs)), [])


def _toml(text: str) -> dict[str, Any]:
    from aoti_lint.files.formats import Malformed, parse_toml

    try:
        return parse_toml(text)
    except Malformed:
        return {}


def _table(table: Any, key: str) -> dict[str, Any]:
    value = table.get(key) if isinstance(table, dict) else None
    return value if isinstance(value, dict) else {}


def _listed(requirements: Any) -> Iterator[str]:
    for text in requirements if isinstance(requirements, list) else ():
        spec = requirement(text) if isinstance(text, str) else None
        if spec is not None:
            yield spec


def _poetry(table: dict[str, Any]) -> Iterator[str]:
    """`torch = "^2.5"`, `torch = {version = "^2.5"}`, or a list of such tables."""
    value = table.get("torch")
    for entry in value if isinstance(value, list) else [value]:
        text = entry.get("version") if isinstance(entry, dict) else entry
        if isinstance(text, str):
            yield text


_READERS: tuple[tuple[str, Callable[[str], list[str]]], ...] = (
    (r"uv\.lock", _lock),
    (r"poetry\.lock", _lock),
    (r"pdm\.lock", _lock),
    (r"pylock(\..*)?\.toml", _lock),
    (r"Pipfile\.lock", _pipfile_lock),
    (r"constraints.*\.txt", _requirements),
    (r"requirements.*\.txt", _requirements),
    (r"environment\.ya?ml", _environment),
    (r"pyproject\.toml", _pyproject),
    (r"setup\.cfg", _setup_cfg),
    (r"setup\.py", _setup_py),
)
