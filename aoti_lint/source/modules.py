"""Which file of the project an import means.

Only names of folders and files are looked at, each folder once. All paths are relative to the project root, with `/`;
the root itself is the empty string.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property

_SUFFIXES = (".py", ".pyi")


class ModuleIndex:
    """Finds modules below one project root.

    `files` are files known to belong to the project, `virtual` those that need not exist on disk (standard input, an
    editor's buffer).
    """

    def __init__(self, root: str, files: Iterable[str] = (), virtual: Iterable[str] = ()) -> None:
        self._root = root
        self._files = list(files)
        self._entries: dict[str, frozenset[str]] = {}
        self._resolved: dict[tuple[str, int, str], str | None] = {}
        self._paths: dict[str, tuple[str, ...]] = {}
        self._holders: dict[str, tuple[str, ...]] = {}
        self._outside: dict[tuple[str, str], bool] = {}
        self._virtual: dict[str, set[str]] = {}
        for path in virtual:
            while path:
                folder, _, name = path.rpartition("/")
                self._virtual.setdefault(folder, set()).add(name)
                path = folder

    def resolve(self, dotted: str, level: int, importer: str) -> str | None:
        """The path of the module `dotted`, imported with `level` leading dots by the file `importer`.

        None when the project has no such file: a module installed elsewhere, or a namespace package.
        """
        folder = importer.rpartition("/")[0]
        key = folder, level, dotted
        if key not in self._resolved:
            is_none = "/" in dotted or (not level and self._is_outside(dotted.partition(".")[0], folder))
            places = self._places(dotted, level, folder) if not is_none else ()
            found = (self._look(base, name) for base, name in places)
            self._resolved[key] = next((path for path in found if path is not None), None)
        return self._resolved[key]

    def seen(self) -> dict[str, frozenset[str]]:
        """The names in every folder that was looked into so far."""
        return dict(self._entries)

    def is_package(self, dotted: str, level: int, importer: str) -> bool:
        """Whether `dotted` is a folder that modules can be imported from, with or without an `__init__`."""
        places = self._places(dotted, level, importer.rpartition("/")[0])
        return any(self.listing(_join(base, name.replace(".", "/"))) for base, name in places)

    def name(self, path: str) -> str:
        """The dotted name of the module in a file.

        It starts at the outermost folder with an `__init__`; where there is none, at the project root, or at `src`.
        """
        folder, _, file = path.rpartition("/")
        stem = file.rpartition(".")[0] or file
        top = self._top_package(folder)
        if top is None:
            base = "src" if path.startswith("src/") else ""
        else:
            base = top.rpartition("/")[0]
        inside = folder[len(base) :].strip("/")
        parts = [os.path.basename(self._root)] if top == "" else []
        parts.extend(inside.split("/") if inside else [])
        if stem != "__init__" or not parts:
            parts.append(stem)
        return ".".join(parts)

    def _places(self, dotted: str, level: int, folder: str) -> Iterator[tuple[str, str]]:
        """Folders to search and the dotted name to look for in each, in the order Python would."""
        if level:
            for _ in range(level - 1):
                if not folder:
                    return
                folder = folder.rpartition("/")[0]
            yield folder, dotted
            return
        first, _, rest = dotted.partition(".")
        for base in self._path_of(folder):
            yield base, dotted
        if first == os.path.basename(self._root) and self._init_of("") is not None:
            yield "", rest
        for base in self._holders_of(first):
            yield base, dotted

    def _is_outside(self, first: str, folder: str) -> bool:
        """Whether nothing in the project goes by the first part of a dotted name, for a file in this folder."""
        key = first, folder
        if key not in self._outside:
            names = first, *(first + suffix for suffix in _SUFFIXES)
            self._outside[key] = (
                first != os.path.basename(self._root)
                and all(name not in self.listing(base) for base in self._path_of(folder) for name in names)
                and not self._holders_of(first)
            )
        return self._outside[key]

    def _path_of(self, folder: str) -> tuple[str, ...]:
        """Folders that a file in `folder` may import from: its own, its package's, the roots, those between."""
        known = self._paths.get(folder)
        if known is None:
            top = self._top_package(folder)
            bases = [folder, *([] if top is None else [top.rpartition("/")[0]]), "", "src", *_ancestors(folder)]
            known = self._paths[folder] = tuple(dict.fromkeys(bases))
        return known

    def _holders_of(self, package: str) -> tuple[str, ...]:
        """Folders that hold a package of this name, though nothing else puts them on the path: `python/`, `lib/`."""
        known = self._holders.get(package)
        if known is None:
            folders = (base for base in self._package_folders if package in self.listing(base))
            known = tuple(base for base in folders if self._init_of(_join(base, package)) is not None)
            self._holders[package] = known
        return known

    @cached_property
    def _package_folders(self) -> list[str]:
        """Folders right below the root, and those that hold a package with one of the project's files."""
        found = {name for name in self.listing("") if "." not in name}
        for folder in {path.rpartition("/")[0] for path in self._files}:
            top = self._top_package(folder)
            if top:
                found.add(top.rpartition("/")[0])
        return sorted(found)

    def _top_package(self, folder: str) -> str | None:
        """The outermost of the folders with an `__init__` that directly enclose each other, ending in `folder`."""
        top = None
        while self._init_of(folder) is not None:
            top = folder
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        return top

    def _look(self, base: str, dotted: str) -> str | None:
        folder = base
        parts = dotted.split(".") if dotted else []
        for part in parts[:-1]:
            if part not in self.listing(folder):
                return None
            folder = _join(folder, part)
        if parts:
            last = parts[-1]
            listing = self.listing(folder)
            if last in listing:
                package = self._init_of(_join(folder, last))
                if package is not None:
                    return package
            for suffix in _SUFFIXES:
                if last + suffix in listing:
                    return _join(folder, last + suffix)
            return None
        return self._init_of(folder)

    def _init_of(self, folder: str) -> str | None:
        listing = self.listing(folder)
        for suffix in _SUFFIXES:
            if "__init__" + suffix in listing:
                return _join(folder, "__init__" + suffix)
        return None

    def listing(self, folder: str) -> frozenset[str]:
        """The names in a folder; none if it is no folder, or cannot be read."""
        listing = self._entries.get(folder)
        if listing is None:
            try:
                names = set(os.listdir(os.path.join(self._root, folder)))
            except (OSError, ValueError):
                names = set()
            listing = self._entries[folder] = frozenset(names | self._virtual.get(folder, set()))
        return listing


def _ancestors(folder: str) -> Iterator[str]:
    """The folders between `folder` and the root: any of them may be on Python's path."""
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name
