"""The pages of `docs/rerun` are made from the playbook."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from aoti_lint.rerun.plan.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PROGRAM
from aoti_lint.rerun.plan.playbook.stages import PLAYBOOK
from aoti_lint.rerun.plan.symptoms import SYMPTOMS

ROOT = Path(__file__).parents[2]


@pytest.fixture(name="script", scope="module")
def _script() -> ModuleType:
    name = "make_rerun_pages"
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made  # dataclasses look there
    spec.loader.exec_module(made)
    return made


def test_the_pages_are_up_to_date(script: ModuleType) -> None:
    for name, text in script.pages().items():
        assert (ROOT / "docs" / "rerun" / name).read_bytes() == text.encode(), "run python scripts/make_rerun_pages.py"


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_every_symptom_has_a_page_with_its_stages(script: ModuleType, symptom: str) -> None:
    text = script.pages()[f"{symptom}.md"]
    shown = [name for name in PLAYBOOK[symptom] if f". {name}: " in text]  # type: ignore[index]
    assert shown
    assert not any(hole in text for hole in (FOLDER, KERNEL, GUARD, PACKAGE, PROGRAM, LAUNCHER))


def test_what_the_rerun_fills_in_is_explained(script: ModuleType) -> None:
    for name, text in script.pages().items():
        for line in [line for block in text.split("```sh\n")[1:] for line in block.split("```")[0].splitlines()]:
            for hole in re.findall(r"<[^>]+>", line):
                assert f"`{hole}` (" in text, (name, line)
            assert "…" not in line, (name, line)
