"""What CMake files say executables and libraries are built of."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex

FILE = "CMakeLists.txt"
_TOKEN = regex(
    r"#\[(?P<eq>=*)\[.*?(?:\](?P=eq)\]|\Z)|#[^\n]*|(?P<quoted>\"(?:[^\"\\]|\\.)*(?:\"|\Z))|(?P<mark>[()])"
    r"|(?P<word>(?:\\.|\$\{[^}\n]{0,200}\}|\$<[^>\n]{0,200}>|[^\s()#\"\\])+)",
    re.DOTALL,
)
MAX_EXPANDED = 100_000
"""Characters that the variables of a command stand for; `set(A ${A}${A})` soon has more."""
_VARIABLE = regex(r"\$\{([^}]{0,200})\}")
_KEYWORDS = frozenset({
    "PUBLIC", "PRIVATE", "INTERFACE", "SHARED", "STATIC", "MODULE", "OBJECT", "EXCLUDE_FROM_ALL", "WIN32",
    "MACOSX_BUNDLE", "LINK_PUBLIC", "LINK_PRIVATE", "debug", "optimized", "general",
})  # fmt: skip
_OUTSIDE = regex(
    r"-.*|\$\{(?:TORCH_\w+|CMAKE_DL_LIBS|CUDA\w*)\}|torch\w*|c10\w*|Torch::\w+|pthread|Threads::\w+|dl|m|rt|stdc\+\+\w*"
    r"|CUDA::\w+|cuda\w*|OpenMP::\w+|gomp|fmt(?:::.*)?|gflags\w*|glog\w*|spdlog(?:::.*)?"
)
"""Libraries that register no operators of a project."""


@dataclass(slots=True)
class Target:
    """An executable or library. `open`: it may have sources and libraries that the files do not tell."""

    sources: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    executable: bool = False
    open: bool = False


class Build:
    """The targets of some CMake files, and of those in folders that they add, by their names.

    `read` gives the text of a file, or None.
    """

    def __init__(self, paths: Iterable[str], read: Callable[[str], str | None]) -> None:
        self.targets: dict[str, Target] = {}
        self._read, self._done = read, set[str]()
        for path in paths:
            self._load(path)

    def _load(self, path: str) -> None:
        text = self._read(path) if path not in self._done else None
        self._done.add(path)
        if text is not None:
            self._file(posixpath.dirname(path), text)

    def executables(self, source: str) -> list[str]:
        """The executables that a file is a source of, be it of a library of theirs."""
        found = [name for name, one in self.targets.items() if one.executable]
        return [name for name in found if source in (self.sources(name) or (source,))]

    def sources(self, name: str) -> tuple[str, ...] | None:
        """All sources of a target, with those of the libraries it is linked with; None where not all are known."""
        found: dict[str, None] = {}
        todo, done = [name], set()
        while todo:
            one = todo.pop()
            target = self.targets.get(one)
            if one in done:
                continue
            done.add(one)
            if target is None or target.open:
                return None
            found |= dict.fromkeys(target.sources)
            todo += [library for library in target.libraries if not _OUTSIDE.fullmatch(library)]
        return tuple(found)

    def _file(self, folder: str, text: str) -> None:
        variables: dict[str, list[str]] = {
            name: [""] for name in ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR")
        }
        depth = 0
        for command, args in commands(text):
            depth += (command == "if") - (command == "endif")
            if command == "list" and args[:1] == ["APPEND"] and len(args) > 1:
                variables.setdefault(args[1], []).extend(_expanded(args[2:], variables))
            elif command == "set" and args:
                # Of the arms of an `if`, all count.
                before = variables.get(args[0], []) if depth else []
                variables[args[0]] = before + _expanded(args[1:], variables)
            elif command in ("project", "cmake_policy") and args:
                variables["PROJECT_NAME"] = args[:1]
            elif args:
                self._command(folder, command, _expanded(args, variables))

    def _command(self, folder: str, command: str, args: list[str]) -> None:
        if not args:
            return
        if command == "add_subdirectory":
            self._load(posixpath.normpath(posixpath.join(folder, args[0].lstrip("/"), FILE)))
            return
        name, rest = args[0], [one for one in args[1:] if one not in _KEYWORDS]
        if command in ("add_executable", "add_library"):
            target = self.targets.setdefault(name, Target())
            target.executable = command == "add_executable"
            target.open |= "IMPORTED" in rest or "ALIAS" in rest
            self._add(target, folder, rest)
        elif command == "target_sources" and name in self.targets:
            self._add(self.targets[name], folder, rest)
        elif command == "target_link_libraries" and name in self.targets:
            self.targets[name].libraries += rest
        elif name in self.targets and not command.startswith(("target_", "set_", "install", "add_dependencies")):
            self.targets[name].open = True

    @staticmethod
    def _add(target: Target, folder: str, sources: list[str]) -> None:
        for source in sources:
            if "$" in source:
                target.open = True
            else:
                target.sources.append(posixpath.normpath(posixpath.join(folder, source.lstrip("/"))))


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a CMake file, in small letters, with their arguments."""
    name, depth = "", 0
    args: list[str] = []
    for found in _TOKEN.finditer(text):
        word = found["word"] or (found["quoted"] or "")[1:-1]
        if found["mark"] == "(":
            depth += 1
        elif found["mark"] == ")":
            depth -= 1
            if depth == 0:
                yield name.lower(), args
                name, args = "", []
        elif word and depth == 0:
            name, args = word, []
        elif word:
            args.append(word)


def _expanded(args: list[str], variables: dict[str, list[str]]) -> list[str]:
    """The arguments with the variables that are known in place of their names; those that are too long stay names."""
    room = MAX_EXPANDED

    def value(found: re.Match[str]) -> str:
        nonlocal room
        words = variables.get(found[1])
        size = sum(map(len, words)) + len(words) if words is not None and len(words) <= room else room + 1
        if words is None or size > room:
            return found[0]
        room -= size
        return ";".join(words)

    return [part for arg in args for part in _VARIABLE.sub(value, arg).split(";") if part]
