"""What scripts really did must lie in what the interpreter says they may do: `oracle/recorded.json`.

For each recorded call there must be an event on its row whose abstract values contain the concrete ones. A call that
the interpreter has no event for says nothing wrong; in the truth scripts, which are plain, there may be none.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.linking.analysis import analyse
from aoti_lint.machine.facts import Facts
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from tests.oracle.judge import KINDS, Judge
from tests.oracle.record import digest, scripts

HERE = Path(__file__).parent / "oracle"
RECORDED: dict[str, Any] = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
SCRIPTS = scripts()


def facts_of(name: str, folder: Path) -> Facts:
    """The facts of a recorded script, copied to a folder of its own."""
    for path in SCRIPTS[name]:
        shutil.copy(path, folder / path.name)
    release = str(RECORDED["torch"]).split("+")[0]
    return analyse(Project(folder, [SCRIPTS[name][0].name]), VersionSet.parse(release))


@pytest.mark.parametrize("name", SCRIPTS)
def test_values_are_contained(name: str, tmp_path: Path) -> None:
    """Every recorded value lies in the abstract one, and plain scripts have an event for every call."""
    judge = Judge(facts_of(name, tmp_path), RECORDED["scripts"][name]["records"])
    wrong, unseen = judge.verdict()
    assert not wrong, "\n".join(wrong)
    if name.startswith("truth/"):
        assert not unseen, f"no event for {unseen}"


def test_little_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The interpreter does not pass by knowing nothing: in plain scripts it loses next to nothing."""
    known = total = 0
    for name in SCRIPTS:
        if name.startswith("truth/"):
            (tmp_path / SCRIPTS[name][0].stem).mkdir()
            records = RECORDED["scripts"][name]["records"]
            some, all_of_them = Judge(facts_of(name, tmp_path / SCRIPTS[name][0].stem), records).definite()
            known, total = known + some, total + all_of_them
    with capsys.disabled():
        print(f"\n{known} of {total} recorded calls are known altogether", end=" ")
    assert known >= 0.95 * total


def test_recording_is_of_these_scripts() -> None:
    """Every script was recorded as it stands now, and there is enough to compare with."""
    assert set(RECORDED["scripts"]) == set(SCRIPTS)
    stale = [name for name, paths in SCRIPTS.items() if RECORDED["scripts"][name]["sha"] != digest(paths)]
    assert not stale, "changed since; run python -m tests.oracle.record"
    kinds = Counter(item["call"] for entry in RECORDED["scripts"].values() for item in entry["records"])
    assert all(kinds[kind] >= 3 for kind in KINDS), kinds
