"""What a file has to do with others, by its text: what it imports, starts or names, and names that others may share.

Two files are tied where one imports or names the other, and where both name the same artefact or the same namespace of
operators. Nothing is parsed: what only looks like a tie costs time, no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.lazily.regex import regex
from aoti_lint.source.imported import IMPORT, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from aoti_lint.source.project import Project

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
_TEST = regex(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")
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


class Ties:
    """The ties of the files of a project. What stands in files of settings that a file names, that file names, too."""

    def __init__(self, project: Project, paths: Iterable[str]) -> None:
        """`paths` are those among which scripts are looked for that a file names."""
        self._project = project
        self._told: dict[str, list[dict[str, list[Any]]]] = {}
        self._scripts: dict[str, list[str]] = {}
        self.settings: dict[str, None] = {}
        """The files of settings that were looked for, whether they are there or not."""
        for path in paths:
            self._scripts.setdefault(path.rpartition("/")[2], []).append(path)

    def words(self, path: str) -> list[str]:
        """The artefacts and the namespaces of operators that a file names."""
        return [word for told in self._of(path) for word in told["words"]]

    def called(self, path: str) -> frozenset[str]:
        """The words by one of which a file speaks of each that `files` gives for it; see `names_of`."""
        found = {part for module, level, name in self._imports(path) for part, _ in _steps(module, name, level)}
        return frozenset(found.union(_parts(written)[-1] for told in self._of(path) for written in told["scripts"]))

    def files(self, path: str) -> Iterator[str]:
        """The files that a file may import or start, as far as it names them; some more than once."""
        yield from self._started(path, None)
        for module, level, given in self._imports(path):
            for _, dotted in _steps(module, given, level):
                target = self._project.resolve(dotted, level, path)
                if target is not None and target != path:
                    yield target

    def uses(self, path: str, other: str, word: str) -> frozenset[str] | None:
        """The names that a file has out of another one, of which it speaks by this word (see `names_of`).

        `ALL` is among them where it may have any. None where it does not use the file at all; where it only imports
        it for the sake of a module in it, there are no names.
        """
        names: set[str] = set()
        used = other in self._started(path, word)
        if used:
            names.add(ALL)
        for module, level, given in self._imports(path):
            for part, dotted in _steps(module, given, level):
                if part == word and self._project.resolve(dotted, level, path) == other:
                    used = True
                    if dotted == module and given is not None:
                        names.add(given)
                    elif dotted == _dotted(module, given):
                        names.add(ALL)
        return frozenset(names) if used else None

    def _started(self, path: str, word: str | None) -> Iterator[str]:
        """The scripts that a file may mean by their paths: one in its own folder, else all that end so."""
        for written in (written for told in self._of(path) for written in told["scripts"]):
            words = _parts(written)
            if word in (None, words[-1]):
                meant = [one for one in self._scripts.get(words[-1], ()) if f"/{one}".endswith(f"/{'/'.join(words)}")]
                beside = "/".join([*path.split("/")[:-1], *words])
                yield from [beside] if beside in meant else meant

    def _of(self, path: str) -> list[dict[str, list[Any]]]:
        """What the file names, and what its settings do, be they beside it or at the root."""
        if path not in self._told:
            own = self._project.ties(path)
            around = path.rpartition("/")[0]
            places = {one: None for name in own["settings"] for one in (f"{around}/{name}".lstrip("/"), name)}
            places.pop(path, None)
            self.settings |= places
            self._told[path] = [own, *(self._project.ties(one) for one in places if self._project.is_file(one))]
        return self._told[path]

    def _imports(self, path: str) -> Iterator[tuple[str, int, str | None]]:
        """What a file imports, as `named_in` says it."""
        for told in self._of(path):
            yield from map(tuple, told["imports"])
        if _TEST.fullmatch(path):
            # What pytest gives it.
            yield from (("conftest", level, ALL) for level in range(1, path.count("/") + 2))


def names_of(path: str, root: str) -> list[str]:
    """The words of which a file that speaks of this one uses one; `root` is the name of the project's folder."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    if stem != "__init__":
        return [name, stem]
    return [name, folders[-1] if folders else root, ""]


def _dotted(module: str, name: str | None) -> str:
    """The module that is imported, be it the name out of another one."""
    return module if name in (None, ALL) else f"{module}.{name}" if module else str(name)


def _steps(module: str, name: str | None, level: int) -> Iterator[tuple[str, str]]:
    """The modules that an import runs one in the other, each with its own name and its dotted one."""
    if not module:
        yield "", ""
    parts = _dotted(module, name).split(".")
    for end, part in enumerate(parts, 1) if parts[0] != "torch" or level else ():
        yield part, ".".join(parts[:end])


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
        yield "/".join(_parts(f"{name}{suffix}")), suffix


def _parts(path: str) -> list[str]:
    return [word for word in path.split("/") if word not in ("", ".", "..")]
