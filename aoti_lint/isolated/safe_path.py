"""Where our own processes import from: never from the current folder, and never from a tree that is checked.

Imports `os` and `sys` only, which every Python has loaded before, and not even `__future__`: a file of the tree may
have any name.
"""

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_MARKERS = (".git", ".hg", "pyproject.toml", "setup.py")
_PACKAGES = ("site-packages", "dist-packages")

left_out: list[str] = []
"""What `protect` took from `sys.path`."""

editable: list[str] = []
"""Those of `left_out` that a `.pth` file of the installation had added, as an editable installation does."""


def protect() -> None:
    """Take from `sys.path` what a checked tree can write to: in a process that is ours, before all imports."""
    before, sys.path[:] = sys.path[:], safe(sys.path)
    gone = [entry for entry in before if entry not in sys.path]
    left_out.extend(gone)
    editable.extend(entry for entry in gone if entry in before[_end_of_library(before) :])


def safe(path: list[str]) -> list[str]:
    """The entries of an import path that no checked tree can write to, in their order.

    The installation counts as safe wherever it stands, so that an environment inside the tree works: the standard
    library, the folders of `sites`, and other environments that its `.pth` files add.
    """
    own = {_real(folder) for folder in (*_library(), *sites())}
    trees: list[str] | None = None
    kept: list[str] = []
    for at, entry in enumerate(path):
        if not os.path.isabs(entry):
            continue
        real = _real(entry)
        environment = os.path.basename(real) in _PACKAGES and at > _end_of_library(path)
        if real not in own and not environment:
            trees = _trees() if trees is None else trees
            # As it is written too: what a link in a tree means, the tree decides.
            if any(_meet(each, tree) for each in (real, os.path.normcase(os.path.abspath(entry))) for tree in trees):
                continue
        kept.append(entry)
    return kept


def sites() -> list[str]:
    """The folders of the installation that aoti-lint stands in, which are those that may hold packages of rules."""
    folders = [os.path.dirname(_PACKAGE)]
    # Imported by Python itself when it starts; without it (python -S) there are no such folders.
    site = sys.modules.get("site")
    if site is not None:
        folders += site.getsitepackages()
        if site.ENABLE_USER_SITE:
            folders.append(site.getusersitepackages())
    return list(dict.fromkeys(folders))


def _end_of_library(path: list[str]) -> int:
    """Where the standard library stands: the current folder and PYTHONPATH come before, what `.pth` files add after."""
    folder = os.path.dirname(os.__file__)
    return path.index(folder) if folder in path else len(path)


def _library() -> list[str]:
    """The folders of the standard library."""
    folder = os.path.dirname(os.__file__)
    found = [folder, os.path.join(folder, "lib-dynload")]
    return [*found, sys.base_prefix, os.path.join(sys.base_exec_prefix, "DLLs")] if os.name == "nt" else found


def _trees() -> list[str]:
    """The current folder, what the command line names, and the projects these belong to."""
    words = [word for argument in sys.argv[1:] for word in (argument, argument.partition("=")[2])]
    places = [_real(word) for word in words if word and os.path.exists(word)]
    try:
        places.append(_real(os.getcwd()))
    except OSError:
        # It is gone.
        pass
    folders = [place if os.path.isdir(place) else os.path.dirname(place) for place in places]
    return list(dict.fromkeys(map(_project, folders)))


def _project(folder: str) -> str:
    """The outermost folder upwards that looks like that of a project; `folder` itself if none does."""
    found = upper = folder
    while True:
        if any(os.path.lexists(os.path.join(upper, marker)) for marker in _MARKERS):
            found = upper
        parent = os.path.dirname(upper)
        if parent == upper:
            return found
        upper = parent


def _meet(one: str, other: str) -> bool:
    """Whether one of two folders is, or lies in, the other."""
    one, other = os.path.join(one, ""), os.path.join(other, "")
    return one.startswith(other) or other.startswith(one)


def _real(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))
