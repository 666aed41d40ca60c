"""What `.gitignore` files and exclude patterns leave out."""

from __future__ import annotations

import os
from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Folders nobody means, unless they are named.
DEFAULT_EXCLUDES = frozenset(
    {
        "__pycache__", "__pypackages__", "_build", "buck-out", "dist", "node_modules", "site-packages", "venv",
        ".aoti_lint_cache", ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints",
        ".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox",
        ".venv", ".vscode",
    }
)  # fmt: skip


class Patterns:
    """Patterns in the manner of `.gitignore`, relative to a folder."""

    def __init__(self, folder: str, patterns: Sequence[str]) -> None:
        from pathspec import GitIgnoreSpec

        self._prefix = os.path.join(folder, "")
        self._spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(patterns)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: left out; False: expressly kept; None: nothing is said of it."""
        if not path.startswith(self._prefix):
            return None
        inside = path[len(self._prefix) :].replace(os.sep, "/")
        return self._spec.check_file(inside + "/" if is_folder else inside).include


class GitIgnores:
    """The `.gitignore` files of one walk; a deeper one has the last word."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Patterns, ...]] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether git would leave out the absolute `path`, whose parent folders are not ignored."""
        for patterns in reversed(self._above(os.path.dirname(path))):
            verdict = patterns.verdict(path, is_folder)
            if verdict is not None:
                return verdict
        return False

    def _above(self, folder: str) -> tuple[Patterns, ...]:
        """The patterns that hold in `folder`, those of the repository's top first."""
        known = self._known.get(folder)
        if known is None:
            parent = os.path.dirname(folder)
            top = os.path.exists(os.path.join(folder, ".git"))
            above: tuple[Patterns, ...] = ()
            if top:
                above = _read(folder, os.path.join(".git", "info", "exclude"))
            elif parent != folder:
                above = self._above(parent)
            known = self._known[folder] = above + _read(folder, ".gitignore")
        return known


def _read(folder: str, name: str) -> tuple[Patterns, ...]:
    """The patterns of one file; none if there is no such file, or it holds none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            lines = [line for line in file.read().splitlines() if line.strip() and not line.startswith("#")]
    except OSError:
        return ()
    return (Patterns(folder, lines),) if lines else ()
