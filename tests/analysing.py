"""Analyses scripts that a test writes; no fault of the interpreter is forgiven."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.linking.analysis import analyse
from aoti_lint.machine.facts import Facts
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet


def facts_of(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Facts:
    """The analysis of a project of scripts; `a_yaml` is the file a.yaml."""
    monkeypatch.setenv("AOTI_LINT_DEBUG", "1")
    scripts = []
    for name, text in files.items():
        path = folder / (name.replace("_yaml", ".yaml") if name.endswith("_yaml") else f"{name}.py")
        path.write_text(dedent(text), encoding="utf-8")
        scripts += [path.name] if path.suffix == ".py" else []
    return analyse(Project(folder, scripts), VersionSet.parse("2.13"))


def codes(facts: Facts) -> list[str]:
    """The codes of what the rules find, each once."""
    return sorted({d.code for rule in load() for d in rule.check(facts)})
