"""Functions that nobody calls, and what their names being used depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.interp.events import ApiUse
from aoti_lint.interp.project import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet

MISSING = "    torch._inductor.aot_load('a', 'cpu')\n"
HEADER = "import torch\nfrom packaging import version\nRELEASE = version.parse(str(torch.__version__))\n"
OLD = "if RELEASE < version.parse('2.9'):\n"


def used_on(folder: Path, text: str, versions: str = "2.13") -> list[str]:
    """The targets under which a name that no torch has is used, one for each place."""
    (folder / "a.py").write_text(HEADER + text, encoding="utf-8")
    facts = analyse(Project(folder, ["a.py"]), VersionSet.parse(versions))
    return sorted(str(versions) for _, versions in {(event.span, event.versions) for event in facts.of(ApiUse)})


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n{MISSING}{OLD}    Base.f = f\n",
        f"def f():\n{MISSING}def g():\n    Base.f = f\n{OLD}    Base.g = g\n",
        f"def g():\n    Base.f = f\ndef f():\n{MISSING}{OLD}    Base.g = g\n",
        f"def f():\n{MISSING}def g():\n    {OLD}        Base.f = f\n",
        f"def f():\n{MISSING}TABLE = dict(f=f) if RELEASE < version.parse('2.9') else {{}}\n",
    ],
    ids=["patch", "patch of a patch", "the other way around", "inside", "expression"],
)
def test_what_is_used_in_other_releases_only(tmp_path: Path, text: str) -> None:
    assert used_on(tmp_path, text) == []
    assert used_on(tmp_path, text, "2.8") == ["2.8"]
    assert used_on(tmp_path, text, "2.8..2.13") == ["2.8"]


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n{MISSING}",
        f"def f():\n{MISSING}Base.f = f\n",
        f"def f():\n{MISSING}{OLD}    Base.f = f\nelse:\n    Base.f = f\n",
        f"def f(n):\n{MISSING}    return g(n)\ndef g(n):\n    return f(n)\n",
        f"def f():\n{MISSING}{OLD}    Base.f = other.f\n",
        f"def f():\n{MISSING}def g():\n    'What f does.'\n    # f\n    Base.f = other.f\ng()\n",
        f"@register\ndef f():\n{MISSING}{OLD}    Base.f = f\n",
        f"class C:\n    def f(self):\n    {MISSING}{OLD}    Base.f = f\n",
    ],
    ids=["alone", "read", "in both", "each other", "attribute", "only spoken of", "decorated", "method"],
)
def test_what_is_used_whatever_the_release(tmp_path: Path, text: str) -> None:
    assert used_on(tmp_path, text) == ["2.13"]


def test_patch_releases_are_not_told_apart(tmp_path: Path) -> None:
    text = f"if RELEASE < version.parse('2.13.1'):\n{MISSING}if RELEASE < version.parse('2.12.1'):\n{MISSING}"
    assert used_on(tmp_path, text) == ["2.13"]
