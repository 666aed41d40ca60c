"""A quick look for third-party rules: without `importlib.metadata`, whose import costs more than a remembered run."""

from __future__ import annotations

import os

from aoti_lint.files.opener import CONFIG, read_file
from aoti_lint.isolated.safe_path import sites

GROUP = "aoti_lint.rules"
"""The entry-point group of third-party rules."""


def any_installed() -> bool:
    """Whether a distribution in the installation that aoti-lint stands in names our entry-point group."""
    for folder in sites():
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")) and _speaks_of_us(os.path.join(folder, name)):
                return True
    return False


def _speaks_of_us(info: str) -> bool:
    try:
        return GROUP.encode() in read_file(os.path.join(info, "entry_points.txt"), CONFIG)
    except OSError:
        return False
