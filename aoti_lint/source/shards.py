"""Which of the named files a shard analyses: what may have to do with one another goes into the same shard.

Those are files of which one imports or names the other, and files that name the same artefact or the same namespace of
operators, be it through third ones. So a shard finds in its files what one run over all of them finds there, and no
file is analysed twice; what hangs together as a whole, as a large package does, is one shard's work. The split depends
on the paths and contents of the files alone: every machine makes the same one of the same checkout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from aoti_lint.lazily.regex import regex
from aoti_lint.source.imported import IMPORT, pairs
from aoti_lint.source.project import Project

_ARTEFACT = regex(rb"[\w-]+(?:\.[\w-]+)*\.(?:bin|dll|dylib|engine|json|onnx|pt2?|pth|safetensors|so|ts|txt|zip)\b")
_SCRIPT = regex(rb"[\w./-]*\w\.(?:py|sh)\b")
_CONFIG = regex(rb"[\w./-]*\w\.(?:cfg|env|ini|json|toml|ya?ml)\b")
_OPERATORS = regex(rb"\btorch\.ops\.(\w+)|[\"'](\w+)::\w|\bLibrary\(\s*[\"'](\w+)|\bTORCH_LIBRARY\w*\(\s*(\w+)")
_COMMON = frozenset({b"aten", b"prim", b"prims", b"higher_order", b"c10d", b"_c10d_functional", b"inductor"})
"""Namespaces of torch itself, which join nothing."""
_STARTED = regex(rb"(?:\s|[\"'])-m[\"',\s]+([A-Za-z_][\w.]*)|\bimport_module\(\s*[\"']([\w.]+)")
_TEST = regex(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")


def share(project: Project, others: Collection[str], number: int, count: int) -> frozenset[str]:
    """The named files of shard `number`, from 1, of `count`; `others` are named archives."""
    named = sorted({*project.all_files, *project.settings, *others})
    together, todo, seen = _Groups(), [*named], set(named)
    sizes, scripts = dict.fromkeys(named, 1), dict[str, list[str]]()
    for path in named:
        scripts.setdefault(path.rpartition("/")[2], []).append(path)
    while todo:
        path = todo.pop()
        if path in others:
            together.join(path, f"\0file {path.rpartition('/')[2]}")
            continue
        data = _text(project, path)
        if data is None:
            continue
        if path in sizes:
            sizes[path] += len(data)
        for word in _words(data):
            together.join(path, f"\0{word}")
        for script in _named(data, path, scripts):
            together.join(path, script)
        for other in (*_imported(project, path, data), *_configured(project, path, data)):
            together.join(path, other)
            if other not in seen:
                seen.add(other)
                todo.append(other)
    groups: dict[str, list[str]] = {}
    for path in named:
        groups.setdefault(together.of(path), []).append(path)
    weights, mine = [0] * count, set[str]()
    # The heaviest first, each to the shard that has least.
    for size, group in sorted(((sum(map(sizes.__getitem__, group)), group) for group in groups.values()), reverse=True):
        least = weights.index(min(weights))
        weights[least] += size
        if least == number - 1:
            mine.update(group)
    return frozenset(mine)


def _text(project: Project, path: str) -> bytes | None:
    """What a file says, a notebook in its cells."""
    if not path.endswith(".ipynb"):
        return project.data(path)
    source = project.source(path)
    return None if source is None else source.text.encode("utf-8", "surrogatepass")


class _Groups:
    """Names that were joined, directly or through others."""

    def __init__(self) -> None:
        self._upper: dict[str, str] = {}

    def of(self, name: str) -> str:
        """One of those that this one is together with, the same for all of them."""
        while (upper := self._upper.setdefault(name, name)) != name:
            self._upper[name] = self._upper[upper]
            name = upper
        return name

    def join(self, one: str, other: str) -> None:
        """These two are together."""
        self._upper[self.of(one)] = self.of(other)


def _words(data: bytes) -> Iterator[str]:
    """The artefacts and the namespaces of operators that a file names."""
    for found in _ARTEFACT.finditer(data):
        yield f"file {found[0].decode('utf-8', 'replace')}"
    for found in _OPERATORS.finditer(data):
        name = found[found.lastindex or 0]
        if name not in _COMMON:
            yield f"operators {name.decode('utf-8', 'replace')}"


def _named(data: bytes, path: str, scripts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The scripts that a file may mean by the paths in it: one in its own folder, else all that end so."""
    for found in _SCRIPT.finditer(data):
        words = _parts(found[0])
        meant = [each for each in scripts.get(words[-1], ()) if f"/{each}".endswith(f"/{'/'.join(words)}")]
        beside = "/".join([*path.split("/")[:-1], *words])
        yield from [beside] if beside in meant else meant


def _configured(project: Project, path: str, data: bytes) -> Iterator[str]:
    """The files of settings that a file may read, beside it or from the root: what they say, it may name."""
    for found in _CONFIG.finditer(data):
        words = _parts(found[0])
        for place in dict.fromkeys(("/".join([*path.split("/")[:-1], *words]), "/".join(words))):
            if place != path and project.data(place) is not None:
                yield place


def _parts(path: bytes) -> list[str]:
    return [word for word in path.decode("utf-8", "replace").split("/") if word not in ("", ".", "..")]


def _imported(project: Project, path: str, data: bytes) -> Iterator[str]:
    """The files of the project that a file may import or start as a module."""
    asked: list[tuple[str, int]] = []
    for found in IMPORT.finditer(data) if path.endswith((".py", ".pyi", ".ipynb")) else ():
        if found["modules"] is not None:
            asked += [(dotted, 0) for dotted, _ in pairs(found["modules"])]
            continue
        level, module = len(found["dots"]), found["module"].decode("utf-8", "ignore")
        asked += [(module, level)]
        asked += [(f"{module}.{name}" if module else name, level) for name, _ in pairs(found["names"]) if name != "*"]
    asked += [((found[1] or found[2]).decode("utf-8", "ignore"), 0) for found in _STARTED.finditer(data)]
    if _TEST.fullmatch(path):
        asked += [("conftest", level) for level in range(1, path.count("/") + 2)]
    for dotted, level in asked:
        parts = dotted.split(".")
        for end in range(1, len(parts) + 1) if parts[0] != "torch" or level else ():
            target = project.resolve(".".join(parts[:end]), level, path)
            if target is not None and target != path:
                yield target
