"""The rules that a cause names find it before the run: scripts that ended with it have what these rules tell of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.triage.causes import CAUSES
from tests.triage.evidence import PROOF, RECORDED, marked, sha, told

TRUTH = Path(__file__).parent.parent / "truth"
SAID: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
_GPU, _GPUS = "it needs a GPU, and was not run on one", "it needs several GPUs"
_MACHINE, _ARCHIVE = "it needs another machine", "rules find it in archives, of which there are tests of their own"
_CHECK = "a package says so with AOTI_RUNTIME_CHECK_INPUTS=1 alone, which no script sets"
_MINIFIER, _NOT_RUN = "the minifier runs for minutes", "no script that ends so was run"
NOT_SHOWN = {
    "no-such-gpu": _GPUS, "several-gpus": _GPUS, "kernel-file-missing": _GPU, "constant-on-other-device": _GPU,
    "cuda-graph-gradient-overwritten": _GPU, "illegal-memory-access": _GPU, "built-for-another-gpu": _MACHINE,
    "built-for-another-cpu": _MACHINE, "built-on-another-machine": _MACHINE, "undefined-symbol": _MACHINE,
    "old-package-format": _ARCHIVE, "file-of-newer-torch": _ARCHIVE, "op-argument-of-package": _ARCHIVE,
    "constant-not-given": _ARCHIVE, "rank-of-input": _ARCHIVE, "dtype-of-input": _CHECK, "outputs-resized": _NOT_RUN,
    "size-from-data": _NOT_RUN, "view-of-strided": _NOT_RUN, "not-core-aten": _NOT_RUN,
    "int-for-symint": "it needs an operator in C++", "accuracy-differs": _MINIFIER, "minifier-found-nothing": _MINIFIER,
}  # fmt: skip
"""Causes without such a script, and why."""


def from_truth() -> set[tuple[str, str]]:
    """What the truth scripts show: what torch said of each is among their labels, what is found in it beside them."""
    labels = json.loads((TRUTH / "labels.json").read_text(encoding="utf-8"))
    expected = json.loads((TRUTH / "expected.json").read_text(encoding="utf-8"))
    return {
        pair
        for name, wanted in expected.items()
        for pair in told((labels[name].get("message") or "").splitlines(), {one["code"] for one in wanted})
    }


def from_gpu() -> set[tuple[str, str]]:
    """What scripts show that were run on a GPU."""
    ran = json.loads((PROOF / "gpu" / "recorded.json").read_text(encoding="utf-8"))["scripts"]
    scripts = (PROOF / "gpu" / "scripts").glob("*.py")
    return {pair for script in scripts for pair in told(ran[script.name]["errors"], marked(script))}


@pytest.mark.parametrize("name", sorted(SAID))
def test_what_is_recorded_is_of_the_script_as_it_is(name: str) -> None:
    script = PROOF / "scripts" / name
    assert SAID[name]["sha"] == sha(script), "changed since; run python -m tests.triage.record"
    assert {*map(tuple, SAID[name]["told"])} <= told(SAID[name]["said"], marked(script))


def test_each_cause_that_rules_find_has_a_script_that_shows_it() -> None:
    recorded = {pair for one in SAID.values() for pair in map(tuple, one["told"])}
    shown = {cause for cause, _ in (*recorded, *from_truth(), *from_gpu())}
    named = {cause.name for cause in CAUSES if cause.rules}
    assert named - shown == NOT_SHOWN.keys()
