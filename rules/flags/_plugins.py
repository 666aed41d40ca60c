"""Which files of a project register backends, and whether other packages load it, which find it by its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Facts

REGISTERING = ("register_backend", "register_debug_backend", "register_experimental_backend")
"""A project that holds one of these has backends of its own."""

BRINGING = (
    r"\b(?:import|from)\s+(?:torch_(?:npu|xla|musa|mlu|gcu|ipex|mlir|neuronx?|tensorrt)|habana_frameworks|"
    r"intel_extension_for_pytorch|openvino|hidet|tvm|thunder)\b"
)
"""Finds the import of a package that brings backends."""

_METADATA = ("setup.py", "setup.cfg", "pyproject.toml")
_WORDS = ("entry_points", "entry-points")
_GROUP = re.compile(
    r"^\s*\[project\.entry-points\.|"  # pyproject.toml
    r"""['"](?!console_scripts|gui_scripts)[\w.-]+['"]\s*:\s*[\[(]|"""  # a dict of setup.py
    r"^(?!console_scripts|gui_scripts)[\w.-]+\s*=\s*$",  # setup.cfg, and a text of setup.py
    re.MULTILINE,
)


_STANDING_IN = re.compile(r"\b_BACKENDS\b|\blist_backends\b")
"""Words of a file that registers a backend only where no package has brought it."""


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


def registering(facts: Facts, name: str) -> Iterator[str]:
    """The files of the project that register backends and speak of one of this name."""
    for path in facts.project.holding(*REGISTERING):
        source = facts.project.source(path)
        if source is None or _STANDING_IN.search(source.code):
            continue
        if re.search(rf"\b{re.escape(name)}\b", source.code):
            yield path
