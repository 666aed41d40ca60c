"""The files a run is about, found under the paths that were named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from aoti_lint.errors import CannotRun
from aoti_lint.files.near import beside
from aoti_lint.files.opener import BEGINNING, open_regular
from aoti_lint.source.discovery.ignores import DEFAULT_EXCLUDES, TEMPLATE, GitIgnores, Patterns, is_pattern
from aoti_lint.source.settings.kinds import SUFFIXES as SETTINGS_SUFFIXES
from aoti_lint.source.settings.kinds import kind_of_file
from aoti_lint.text.problem import SourceProblem

PYTHON_SUFFIXES = (".py", ".pyi", ".ipynb")
NATIVE_SUFFIXES = (".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hip", ".hpp", ".mm")
"""C++, CUDA and their kin."""
ARCHIVE_SUFFIXES = (".pt2", ".so", ".dylib", ".dll", ".pyd")
"""Exported programs and compiled models. They are read when they are named, never because they lie in a folder: one
that an older script left behind would make false errors."""
DATA_SUFFIXES = (".cfg", ".ini", ".json", ".toml", ".yaml", ".yml")
"""Files that scripts read their settings from."""
OTHER = (
    "not a Python file, a notebook, a C++ source, an archive of torch, a file that sets environment variables, or one "
    "that such a script reads"
)
"""What is said of a named file that is not looked at."""
MOST_FILES, MOST_FOLDERS, MOST_BYTES = 20_000, 10_000, 256 << 20
"""Files, folders and bytes of a project that are looked at beside the named ones."""
_ROOT_MARKERS = ("pyproject.toml", "aoti-lint.toml", ".git", "setup.cfg")


class Found:
    """What was found: `files`, `archives` and `settings` are relative to `root`, with `/`, sorted.

    `settings` are shell scripts and other files that set environment variables. Like archives they count only when
    they are named: nobody knows which of those that lie about are used; `unnamed` are those that do. `data` are named
    files that scripts may read, such as `config.json`. `skipped` are named paths left out, with the reason; `problems`
    are named paths that cannot be used at all. `whole` says whether the root itself was named.
    """

    __slots__ = ("archives", "data", "files", "problems", "root", "settings", "skipped", "unnamed", "whole")

    def __init__(self, root: str) -> None:
        self.root = root
        self.data: list[str] = []
        self.files: list[str] = []
        self.archives: list[str] = []
        self.settings: list[str] = []
        self.unnamed: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        self.problems: list[SourceProblem] = []
        self.whole = False


def find_root(paths: Sequence[str]) -> str:
    """The project root: the nearest folder upwards that is one.

    Where none is: the present folder, if all are given as paths below that, or else the common folder of `paths`.
    """
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    try:
        common = os.path.commonpath(folders) if folders else os.getcwd()
    except ValueError:
        # Different drives.
        common = folders[0]
    folder = common
    while True:
        if _is_project(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return _above(common, paths)
        folder = parent


def _above(common: str, paths: Sequence[str]) -> str:
    """Where those who gave these paths stand, unless all that is theirs lies there; else `common`."""
    present = os.getcwd()
    if any(map(os.path.isabs, paths)) or _holds(present, os.path.expanduser("~")):
        return common
    return present if _holds(present, common) else common


def _holds(folder: str, path: str) -> bool:
    try:
        return os.path.commonpath([folder, path]) == folder
    except ValueError:  # different drives
        return False


def _is_project(folder: str) -> bool:
    """Whether something in a folder says that it is the root of a project; a module may be called `setup`, too."""
    if any(os.path.exists(os.path.join(folder, marker)) for marker in _ROOT_MARKERS):
        return True
    is_package = os.path.exists(os.path.join(folder, "__init__.py"))
    return not is_package and os.path.exists(os.path.join(folder, "setup.py"))


def discover(
    paths: Sequence[str],
    *,
    root: str | None = None,
    exclude: Sequence[str] = (),
    force_exclude: bool = False,
) -> Found:
    """Find the Python files, notebooks and C++ sources under `paths`, and the archives and settings among them.

    Folders are walked, without what `.gitignore` files, `exclude` (patterns in the manner of `.gitignore`, relative to
    the root) and the default excludes leave out. Files named directly are taken in any case, unless `force_exclude`.
    """
    found = Found(os.path.abspath(root) if root is not None else find_root(paths))
    walk = _Walk(found.root, exclude)
    files: dict[str, None] = {}
    archives: dict[str, None] = {}
    settings: dict[str, None] = {}
    unnamed: dict[str, None] = {}
    data: dict[str, None] = {}
    for named in paths:
        path = os.path.abspath(named)
        found.whole |= path == found.root
        if force_exclude and walk.leaves_out(path):
            found.skipped.append((named, "excluded"))
        elif _leads_around(path):
            found.skipped.append((named, "a link to a folder that it lies in: name that folder itself"))
        elif os.path.isdir(path):
            before = len(files) + len(unnamed)
            for file in walk.below(path, (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, *SETTINGS_SUFFIXES)):
                (unnamed if file.endswith(SETTINGS_SUFFIXES) else files)[file] = None
            if len(files) + len(unnamed) == before and walk.leaves_out(path):
                found.skipped.append((named, "excluded, with all that is in it"))
        elif not os.path.exists(path):
            lost = os.path.islink(path)
            why = "a link that leads to nothing" if lost else f"no such file or folder{beside(named)}"
            found.problems.append(SourceProblem(relative(path, found.root) or path, why))
        elif not os.path.isfile(path):
            # Reading a pipe or a device may never end.
            unreadable = "not a regular file; standard input is named '-'"
            found.problems.append(SourceProblem(relative(path, found.root) or path, unreadable))
        elif is_archive(path):
            archives[path] = None
        elif kind_of_file(path) is not None:
            settings[path] = None
        elif path.endswith(DATA_SUFFIXES):
            data[path] = None
        elif not _may_be_python(path) and not is_native(path):
            found.skipped.append((named, OTHER))
        else:
            files[path] = None
    of_kind = ((files, found.files), (archives, found.archives), (settings, found.settings), (unnamed, found.unnamed),
               (data, found.data))  # fmt: skip
    for absolute, known in of_kind:
        for path in absolute:
            inside = relative(path, found.root)
            if inside is None:
                found.problems.append(SourceProblem(path, f"not below the project root {found.root}"))
            else:
                known.append(inside)
        known.sort()
    found.unnamed = [path for path in found.unnamed if path not in found.settings]
    found.skipped.extend(walk.unreadable)
    return found


def _leads_around(path: str) -> bool:
    """Whether a link leads to a folder around it: a shell that names all there is in a folder names it, too."""
    if not os.path.islink(path):
        return False
    around = os.path.join(os.path.realpath(os.path.dirname(path)), "")
    return around.startswith(os.path.join(os.path.realpath(path), ""))


def is_archive(path: str) -> bool:
    """Whether a file that is named so is read as an exported program or a compiled model."""
    return path.endswith(ARCHIVE_SUFFIXES)


def is_python(path: str) -> bool:
    """Whether a file that is named so is read as Python."""
    return path.endswith(PYTHON_SUFFIXES)


def is_native(path: str) -> bool:
    """Whether a file that is named so is read as C++."""
    return path.endswith(NATIVE_SUFFIXES)


def is_excluded(path: str, root: str, exclude: Sequence[str] = ()) -> bool:
    """Whether a walk through `root` would have passed by `path`."""
    return _Walk(os.path.abspath(root), exclude).leaves_out(os.path.abspath(path))


def relative(path: str, root: str) -> str | None:
    """`path` relative to `root`, with `/`; None if it does not stand below."""
    prefix = os.path.join(root, "")
    if not path.startswith(prefix):
        return None
    return path[len(prefix) :].replace(os.sep, "/")


def walk_project(root: str, suffixes: tuple[str, ...], exclude: Sequence[str] = ()) -> Iterator[str]:
    """Absolute paths of the files below `root` that end in one of `suffixes`, without what is left out."""
    return _Walk(root, exclude).below(root, suffixes)


def others_in(root: str, exclude: Sequence[str] = ()) -> list[str]:
    """The files of the project at `root` that a check of all of it would look at, relative to it, with `/`.

    A folder that nothing says to be a project may be anybody's home: of such, what lies in it. Of a large project,
    those that a walk comes to first.
    """
    if is_whole_disk(root):
        return []
    suffixes = (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES)
    if _is_project(root):
        found: Iterable[str] = _Walk(root, exclude).below(root, suffixes, MOST_FOLDERS)
    else:
        found = _Walk(root, exclude).inside(root, suffixes)
    inside: list[str] = []
    size = 0
    for path in islice(found, MOST_FILES):
        size += _size(path)
        if size > MOST_BYTES:
            break
        inside.append(relative(path, root) or path)
    return inside


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def is_whole_disk(root: str) -> bool:
    """Whether the root is that of all files: a lone file there is no project, and what is below it none of its own."""
    return os.path.dirname(root) == root


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file, or a link to one: mostly the folder says so. A link to itself is neither."""
    return entry.is_file(follow_symlinks=False) or (entry.is_symlink() and os.path.isfile(entry.path))


class _Walk:
    """Walks folders without what is left out."""

    def __init__(self, root: str, exclude: Iterable[str]) -> None:
        self.unreadable: list[tuple[str, str]] = []
        self._root = root
        patterns = list(exclude)
        self._exclude = Patterns(root, patterns) if patterns else None
        if wrong := [pattern for pattern in patterns if not is_pattern(pattern)]:
            raise CannotRun(f"exclude: {wrong[0]!r} is no pattern in the manner of .gitignore")
        self._git = GitIgnores()

    def below(self, folder: str, suffixes: tuple[str, ...] = PYTHON_SUFFIXES, most: int | None = None) -> Iterator[str]:
        """The files below `folder`, in order of their names; `most`: of so many folders in it."""
        # No recursion: folders may be nested deeper than Python's stack.
        todo = list(reversed(self._entries(folder, suffixes)))
        while todo:
            entry = todo.pop()
            if entry.is_dir(follow_symlinks=False):
                if most != 0 and not self._excluded(entry.path, entry.name, True):
                    todo += reversed(self._entries(entry.path, suffixes))
                    most = None if most is None else most - 1
            elif not self._excluded(entry.path, entry.name, False) and _is_file(entry):
                yield entry.path

    def inside(self, folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
        """The files in `folder` itself."""
        for entry in self._entries(folder, suffixes):
            if not self._excluded(entry.path, entry.name, False) and _is_file(entry):
                yield entry.path

    def _entries(self, folder: str, suffixes: tuple[str, ...]) -> list[os.DirEntry[str]]:
        """The folders in a folder, and the files that end so, in order of their names."""
        try:
            with os.scandir(folder) as listing:
                found = [e for e in listing if e.name.endswith(suffixes) or e.is_dir(follow_symlinks=False)]
        except OSError as error:
            self.unreadable.append((folder, error.strerror or "cannot be read"))
            return []
        return sorted(found, key=lambda entry: entry.name)

    def leaves_out(self, path: str) -> bool:
        """Whether a walk from the root would have passed by `path`."""
        inside = relative(path, self._root)
        if inside is None:
            return False
        folder = self._root
        *parents, last = inside.split("/")
        for name in parents:
            folder = os.path.join(folder, name)
            if self._excluded(folder, name, True):
                return True
        return self._excluded(path, last, os.path.isdir(path))

    def _excluded(self, path: str, name: str, is_folder: bool) -> bool:
        if is_folder and (name in DEFAULT_EXCLUDES or os.path.exists(os.path.join(path, "pyvenv.cfg"))):
            return True
        if TEMPLATE in name:
            return True
        if self._exclude is not None and self._exclude.verdict(path, is_folder):
            return True
        return self._git.ignored(path, is_folder)


def _may_be_python(path: str) -> bool:
    """Whether a file named by the user is Python: by its suffix or, without one, by its first line."""
    if path.endswith((*PYTHON_SUFFIXES, ".pyw")):
        return True
    if os.path.splitext(path)[1]:
        return False
    try:
        with open_regular(path, BEGINNING) as file:
            first = file.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
