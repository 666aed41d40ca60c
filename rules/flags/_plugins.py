"""Whether a project is loaded by other packages, which find it by its metadata."""

from __future__ import annotations

import re

from aoti_lint.rule import Facts

_METADATA = ("setup.py", "setup.cfg", "pyproject.toml")
_WORDS = ("entry_points", "entry-points")
_GROUP = re.compile(
    r"^\s*\[project\.entry-points\.|"  # pyproject.toml
    r"""['"](?!console_scripts|gui_scripts)[\w.-]+['"]\s*:\s*[\[(]|"""  # a dict of setup.py
    r"^(?!console_scripts|gui_scripts)[\w.-]+\s*=\s*$",  # setup.cfg, and a text of setup.py
    re.MULTILINE,
)


def is_plugin(facts: Facts) -> bool:
    """Whether other packages may import modules of the project: its metadata has entry points that are no commands."""
    return facts.once("is_plugin", lambda: any(_has_groups(facts, path) for path in _metadata(facts)))


def _metadata(facts: Facts) -> list[str]:
    found = [path for word in _WORDS for path in facts.project.mentions(word).files]
    return [path for path in found if path.rpartition("/")[2] in _METADATA]


def _has_groups(facts: Facts, path: str) -> bool:
    source = facts.project.source(path)
    text = "" if source is None else source.text
    begin = min((at for word in _WORDS if (at := text.find(word)) >= 0), default=len(text))
    return _GROUP.search(text, text.rfind("\n", 0, begin) + 1) is not None
