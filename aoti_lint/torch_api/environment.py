"""The torch of a Python environment, read from the name of its metadata folder; nothing is run or imported."""

from __future__ import annotations

import os
import re

from aoti_lint.files.opener import CONFIG, read_file
from aoti_lint.lazily.regex import regex

_METADATA = regex(r"torch-(?P<version>\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info", re.IGNORECASE)


def installed_torch(place: str) -> str | None:
    """The version of torch, such as "2.13.0+cpu", in the environment of an interpreter or folder; None without one."""
    for root in _roots(place):
        for folder in _site_packages(root):
            versions = [found["version"] for found in map(_METADATA.fullmatch, entries(folder)) if found]
            if versions:
                return max(versions, key=_numbers)
    return None


def _roots(place: str) -> list[str]:
    """The folders that may hold `lib/python3.x`, nearest first."""
    if os.path.isdir(place):
        roots = [place]
    else:
        # The interpreter of a virtual environment is a link; its own folder counts first.
        roots = [os.path.dirname(os.path.dirname(path)) for path in (place, os.path.realpath(place))]
        roots.append(os.path.dirname(place))  # Windows: python.exe beside Lib
    return list(dict.fromkeys(roots + [home for root in roots for home in _system(root)]))


def _system(root: str) -> list[str]:
    """The environment whose packages a virtual environment shows too."""
    try:
        text = read_file(os.path.join(root, "pyvenv.cfg"), CONFIG).decode("utf-8", "replace")
    except OSError:
        return []
    lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    settings = {key.strip(): value.strip() for key, value in lines.items()}
    shows = settings.get("include-system-site-packages", "").lower() == "true"
    home = settings.get("home")
    return [home, os.path.dirname(home)] if shows and home else []


def _site_packages(root: str) -> list[str]:
    folders = [os.path.join(root, "Lib", "site-packages")]
    for base in (os.path.join(root, "lib"), os.path.join(root, "lib64"), os.path.join(root, "local", "lib")):
        for name in sorted(entries(base), reverse=True):
            if name.startswith("python"):
                folders += [os.path.join(base, name, packages) for packages in ("site-packages", "dist-packages")]
    return folders


def entries(folder: str) -> list[str]:
    """The names in a folder; none where it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version.partition("+")[0])]
