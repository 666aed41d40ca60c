"""What `.gitignore` files and exclude patterns leave out."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence

from aoti_lint.files.opener import IGNORE_LIST, pass_over, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Folders nobody means, unless they are named.
DEFAULT_EXCLUDES = frozenset(
    {
        "__pycache__", "__pypackages__", "_build", "buck-out", "dist", "node_modules", "site-packages",
        "torch_compile_debug", "venv",
        ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints",
        ".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox",
        ".venv", ".vscode",
    }
)  # fmt: skip


TEMPLATE = "{{"
"""In the names of templates' files and folders (`{{cookiecutter.name}}`), which are Python once they are filled in."""
MOST_PATTERNS = 10_000
"""Lines of all `.gitignore` files that are heeded: every file is compared with them."""


LONGEST = 4_096
"""Characters of a pattern that is heeded; no path has more."""


class Patterns:
    """Patterns in the manner of `.gitignore`, relative to a folder."""

    def __init__(self, folder: str, patterns: Sequence[str]) -> None:
        # Many folders have no patterns, and pathspec takes as long to load as all else of a start.
        from pathspec import GitIgnoreSpec

        from aoti_lint.source.discovery.globs import LinearPattern

        self._prefix = os.path.join(folder, "")
        patterns = [pattern for pattern in patterns if len(pattern) <= LONGEST]
        with warnings.catch_warnings():
            # Of `[[a]`, which a later Python may read otherwise: nobody wrote that for Python.
            warnings.simplefilter("ignore", FutureWarning)
            try:
                self._spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(patterns, LinearPattern)
            except (ValueError, re.error):
                # Git passes over what is no pattern, such as one that ends in a backslash.
                self._spec = GitIgnoreSpec.from_lines(filter(is_pattern, patterns), LinearPattern)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: left out; False: expressly kept; None: nothing is said of it."""
        if not path.startswith(self._prefix):
            return None
        inside = path[len(self._prefix) :].replace(os.sep, "/")
        return self._spec.check_file(inside + "/" if is_folder else inside).include


def is_pattern(text: str) -> bool:
    """Whether a line is a pattern."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([text])
    except (ValueError, re.error):
        return False
    return True


class GitIgnores:
    """The `.gitignore` files of one walk; a deeper one has the last word."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Patterns, ...]] = {}
        self._left = MOST_PATTERNS

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether git would leave out the absolute `path`, whose parent folders are not ignored."""
        for patterns in reversed(self._above(os.path.dirname(path))):
            verdict = patterns.verdict(path, is_folder)
            if verdict is not None:
                return verdict
        return False

    def _above(self, folder: str) -> tuple[Patterns, ...]:
        """The patterns that hold in `folder`, those of the repository's top first."""
        fresh = []
        while folder not in self._known:
            fresh.append(folder)
            parent = os.path.dirname(folder)
            if parent == folder or os.path.exists(os.path.join(folder, ".git")):
                break
            folder = parent
        known = self._known.get(folder)
        if known is None:
            known = self._read(folder, os.path.join(".git", "info", "exclude"))
        for folder in reversed(fresh):
            known = self._known[folder] = known + self._read(folder, ".gitignore")
        return known

    def _read(self, folder: str, name: str) -> tuple[Patterns, ...]:
        """The patterns of one file; none if there is no such file, or it holds none."""
        try:
            text = read_file(os.path.join(folder, name), IGNORE_LIST).decode("utf-8", "replace")
        except OSError:
            return ()
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        self._left -= len(lines)
        if self._left < 0:
            pass_over(os.path.join(folder, name), f"there are more than {MOST_PATTERNS} patterns of what is ignored")
            return ()
        return (Patterns(folder, lines),) if lines else ()
