"""`aoti-lint check --watch`: check again whenever a file changes, until it is interrupted."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import nullcontext

from aoti_lint.cli.shared.progress import Progress
from aoti_lint.config import OWN_FILE
from aoti_lint.engine.check import Report
from aoti_lint.errors import CannotRun
from aoti_lint.options import Options
from aoti_lint.quoting.terminal import tell
from aoti_lint.session import Session
from aoti_lint.source.discovery.discover import NATIVE_SUFFIXES, PYTHON_SUFFIXES, find_root, is_whole_disk, walk_project
from aoti_lint.torch_api.project_files import says_of_torch

PAUSE = 0.5
"""Seconds between two looks at the files."""
MOST_NAMES = 3
"""More changed files than this are counted and not named."""
RULE = 60
"""Columns of the line between two reports."""
_SETTINGS = (".cfg", ".env", ".ini", ".json", ".toml", ".yaml", ".yml", ".lock", ".txt", ".gitignore")
_CONFIGURATION = (OWN_FILE, "pyproject.toml")

Stamps = dict[str, tuple[int, int]]


def watch(make: Callable[[], Options], show: Callable[[Report], None], written: Iterable[str], *, quiet: bool) -> None:
    """Check what the options of `make` name, show what is found, and do so again after every change below the root.

    Only what a change touches is done again; where the configuration changes, all is. What cannot be checked, at first
    or meanwhile, is said, and waits for the next change. `written` are the files that `show` writes; `quiet`: what
    changed, and that it takes long, is not said. Does not return; raises `CannotRun` where the first options cannot be.
    """
    try:
        _watch(make, show, {*map(os.path.realpath, written)}, quiet=quiet)
    except FileNotFoundError:
        if _is_here():
            raise
        raise CannotRun("the folder that aoti-lint was started in is gone") from None


def _watch(make: Callable[[], Options], show: Callable[[Report], None], written: set[str], *, quiet: bool) -> None:
    options = make()
    session: Session | None = Session(options)
    # Taken before the check: what changes while it runs is seen.
    known = stamps(options, written)
    if not quiet:
        tell(f"aoti-lint: watching {_some(options.paths)}, with what is used there; Ctrl+C ends it")
    while True:
        try:
            if session is None:
                options = make()
                session, known = Session(options), stamps(options, written)
            with nullcontext() if quiet else Progress():
                report = session.diagnostics()
            show(report)
        except CannotRun as error:
            tell(f"aoti-lint: error: {error}")
        while (now := stamps(options, written)) == known:
            time.sleep(PAUSE)
        changed = sorted({path for path, _ in known.items() ^ now.items()})
        if any(os.path.basename(path) in _CONFIGURATION or path == options.config.path for path in changed):
            session = None
        known = now
        if not quiet:
            tell()
            tell(f"{'-' * RULE} {time.strftime('%H:%M:%S')}")
            tell(f"aoti-lint: checking again, as this changed: {_some(changed)}")


def _some(paths: Sequence[str]) -> str:
    """The first of these files and folders, as they are seen from here, and how many more there are."""
    names = ["this folder" if name == "." else name for name in map(os.path.relpath, paths[:MOST_NAMES])]
    more = f" and {len(paths) - MOST_NAMES} more" if len(paths) > MOST_NAMES else ""
    return f"{', '.join(names)}{more}"


def _is_here() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def stamps(options: Options, written: Container[str] = ()) -> Stamps:
    """The files that may be read, each with when it was written and how long it is.

    Not those that are `written` by what is done with them: each would be a change.
    """
    root = find_root(options.paths)
    named = [os.path.abspath(path) for path in options.paths]
    others = [path for path in (options.baseline, options.config.path) if path is not None]
    tops = list(filter(os.path.isdir, named)) if is_whole_disk(root) else [root]
    exclude = [*options.config.exclude, *options.exclude]
    found: Stamps = {}
    suffixes = (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES, *_SETTINGS)
    below = (
        path
        for top in tops
        for path in walk_project(top, suffixes, exclude)
        if not path.endswith(".txt") or says_of_torch(os.path.basename(path))
    )
    for path in (*named, *others, *_above(root), *below):
        try:
            status = os.stat(path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and os.path.realpath(path) not in written:
            found[path] = status.st_mtime_ns, status.st_size
    return found


def _above(folder: str) -> list[str]:
    """Where a configuration may stand, upwards."""
    found = []
    while True:
        found += [os.path.join(folder, name) for name in _CONFIGURATION]
        parent = os.path.dirname(folder)
        if parent == folder:
            return found
        folder = parent
