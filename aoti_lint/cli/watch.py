"""`aoti-lint check --watch`: check again whenever a file changes, until it is interrupted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from aoti_lint.engine import Report
from aoti_lint.options import Options
from aoti_lint.session import Session
from aoti_lint.source.discover import NATIVE_SUFFIXES, PYTHON_SUFFIXES, find_root, is_whole_disk, walk_project

PAUSE = 0.5
"""Seconds between two looks at the files."""

Stamps = dict[str, tuple[int, int]]


def watch(options: Options, tell: Callable[[Report], None]) -> None:
    """Check what the options name, tell what is found, and do so again after every change below the project's root.

    Only what a change touches is done again. Does not return.
    """
    session, root = Session(options), find_root(options.paths)
    while True:
        # Taken before the check: what changes while it runs is seen.
        known = stamps(root, options)
        tell(session.diagnostics())
        while stamps(root, options) == known:
            time.sleep(PAUSE)


def stamps(root: str, options: Options) -> Stamps:
    """The files that may be read, each with when it was written and how long it is."""
    found: Stamps = {}
    named = [os.path.abspath(path) for path in (*options.paths, *filter(None, [options.baseline]))]
    tops = list(filter(os.path.isdir, named)) if is_whole_disk(root) else [root]
    exclude = [*options.config.exclude, *options.exclude]
    below = (path for top in tops for path in walk_project(top, (*PYTHON_SUFFIXES, *NATIVE_SUFFIXES), exclude))
    for path in [*named, *below]:
        try:
            status = os.stat(path)
        except OSError:
            continue
        found[path] = status.st_mtime_ns, status.st_size
    return found
