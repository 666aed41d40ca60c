"""What the text of a file names: what it imports, starts or reads, and names that others may share.

Nothing is parsed: what only looks like such a name costs time, no more.
"""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest.imported import IMPORT, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SUFFIX = regex(
    rb"\.(bin|cfg|dll|dylib|engine|env|ini|json|onnx|pt2?|pth|py|safetensors|sh|so|toml|ts|txt|ya?ml|zip)\b"
)
_SCRIPTS = frozenset({".py", ".sh"})
_SETTINGS = frozenset({".cfg", ".env", ".ini", ".json", ".toml", ".yaml", ".yml"})
_ARTEFACTS = frozenset({
    ".bin", ".dll", ".dylib", ".engine", ".json", ".onnx", ".pt", ".pt2", ".pth", ".safetensors", ".so", ".ts", ".txt",
    ".zip",
})  # fmt: skip
_MADE = frozenset({".pt2", ".so"})
"""Of artefacts: those for which the suffix alone says what is put behind a name."""
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./{}%"
_LONGEST = 200
"""Characters that are looked at of the path of a file."""
_OPEN = regex(r"\{[^{}]*\}?|[^{}]*\}|%[ds]?")
"""What is put into a name when the script runs."""
_OPERATORS = regex(rb"\btorch\.ops\.(\w+)|[\"'](\w+)::\w|\bLibrary\(\s*[\"'](\w+)|\bTORCH_LIBRARY\w*\(\s*(\w+)")
_COMMON = frozenset({b"aten", b"prim", b"prims", b"higher_order", b"c10d", b"_c10d_functional", b"inductor"})
"""Namespaces of torch itself, which tie nothing."""
_STARTED = regex(rb"(?:\s|[\"'])-m[\"',\s]+([A-Za-z_][\w.]*)|\bimport_module\(\s*[\"']([\w.]+)")
ALL = "*"
"""For all the names in a module."""
_WRITTEN = 1 << 20
"""Bytes of a file that is read for what it names: larger ones are data."""


def named_in(data: bytes, *, python: bool) -> dict[str, list[Any]]:
    """What a text names, of JSON's types; `python` says whether it may import.

    `words` are names that other files may share, `scripts` and `settings` paths of files as they are written, `imports`
    a dotted name, the number of dots before it, and a name that is imported out of it, None for the module itself.
    """
    data = data[:_WRITTEN]
    words, scripts, settings = list[str](), list[str](), list[str]()
    for path, suffix in _paths(data):
        name = path.rpartition("/")[2]
        if suffix in _SCRIPTS:
            scripts.append(path)
        if suffix in _SETTINGS:
            settings.append(path)
        if suffix in _ARTEFACTS and (name != suffix or suffix in _MADE):
            words.append(f"file {_shared(name)}" if name != suffix else f"file *{suffix}")
    for found in _OPERATORS.finditer(data):
        space = found[found.lastindex or 0]
        if space not in _COMMON:
            words.append(f"operators {space.decode('utf-8', 'replace')}")
    imports = [*_imported(data)] if python else []
    imports += [((found[1] or found[2]).decode("utf-8", "ignore"), 0, None) for found in _STARTED.finditer(data)]
    return {
        "words": [*dict.fromkeys(words)],
        "scripts": [*dict.fromkeys(scripts)],
        "settings": [*dict.fromkeys(settings)],
        "imports": [*map(list, dict.fromkeys(imports))],
    }


def _imported(data: bytes) -> Iterator[tuple[str, int, str | None]]:
    for found in IMPORT.finditer(data):
        if found["modules"] is not None:
            yield from ((dotted, 0, None) for dotted, _ in pairs(found["modules"]))
            continue
        level, module = len(found["dots"]), found["module"].decode("utf-8", "ignore")
        yield from ((module, level, name) for name, _ in pairs(found["names"]))


def _shared(name: str) -> str:
    """The name of an artefact, with a star for what only the script knows."""
    return _OPEN.sub("*", name) if "}" in name or "{" in name or "%" in name else name


def _paths(data: bytes) -> Iterator[tuple[str, str]]:
    """The paths of files in a text, without dots, and their suffixes, each time they are written."""
    for found in _SUFFIX.finditer(data):
        before = data[max(0, found.start() - _LONGEST) : found.start()]
        name = before[len(before.rstrip(_LETTERS)) :].decode("ascii")
        suffix = found[0].decode("ascii")
        yield "/".join(parts_of(f"{name}{suffix}")), suffix


def parts_of(path: str) -> list[str]:
    return [word for word in path.split("/") if word not in ("", ".", "..")]
