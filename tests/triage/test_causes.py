"""What is written down about causes: every pattern has a message, and every message its cause."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.triage.cause import Cause, Level
from aoti_lint.triage.causes import CAUSES
from aoti_lint.triage.diagnose import diagnose

HERE = Path(__file__).parent
SAMPLES = [tuple(line.split(" | ", 1)) for line in (HERE / "samples.txt").read_text(encoding="utf-8").splitlines()]
"""The cause that a line names, and the line as torch, C++ or the system print it; lines above it end with ⏎."""
TRUTH = HERE.parent / "truth"
LABELS: dict[str, dict[str, Any]] = json.loads((TRUTH / "labels.json").read_text(encoding="utf-8"))
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((TRUTH / "expected.json").read_text(encoding="utf-8"))
SAYS_NOTHING = {
    "610_printer3_crash_pipe.py": "the process dies without a word",
    "309_ds_dim_index_out_of_range.py": "an IndexError of Python; its traceback tells (samples.txt)",
    "419_fake_returns_none.py": "a TypeError of Python; its traceback tells (samples.txt)",
    "439_custom_op_no_namespace.py": "a ValueError of Python; its traceback tells (samples.txt)",
    "527_debug_env_value.py": "a ValueError of Python; its traceback tells (samples.txt)",
    "623_nan_asserts_torch_compile.py": "a bare AssertionError; its traceback tells (samples.txt)",
    "633_minifier_debug_dir.py": "refers to another script",
}
"""Truth scripts that end badly and whose recorded message is none of torch's."""


@pytest.mark.parametrize(("name", "line"), SAMPLES)
def test_a_message_names_its_cause(name: str, line: str) -> None:
    found = diagnose(line.split(" ⏎ "))
    assert [one.cause.name for one in (*found.causes, *found.notes)][:1] == [name]


@pytest.mark.parametrize("line", [line.split(" ⏎ ")[-1] for _, line in SAMPLES if " ⏎ " in line])
def test_what_python_says_to_every_program_needs_its_place(line: str) -> None:
    elsewhere = ["Traceback (most recent call last):", '  File "/home/me/shop.py", line 3, in <module>', "    f(x)"]
    for log in ([line], [*elsewhere, line]):
        found = diagnose(log)
        assert [*found.causes, *found.notes] == []


def named(*lines: str) -> list[str]:
    return [one.cause.name for one in diagnose(["Traceback (most recent call last):", *lines]).causes]


def test_a_name_that_torch_lacks_is_told_by_who_asks_for_it() -> None:
    """The user's call of a function that is not there, and a fault of torch, end with the same message."""
    user = ['  File "/home/me/load.py", line 4, in <module>', '    torch._inductor.aoti_load_package("m.pt2")']
    torch = [
        '  File "/env/lib/python3.12/site-packages/torch/_inductor/package/package.py", line 9, in load',
        "    f()",
    ]
    message = "AttributeError: module 'torch._inductor' has no attribute 'codecache'"
    assert named(*user, message) == ["missing-api"]
    assert named(*user, *torch, message) == ["torch-lacks-its-part"]


def test_sizes_that_do_not_fit_in_plain_eager_code_are_no_case_of_export() -> None:
    user = ['  File "/home/me/train.py", line 9, in <module>', "    model(x)"]
    layer = ['  File "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 125, in forward', "    f()"]
    package = ['  File "/env/lib/python3.11/site-packages/torch/_inductor/package/package.py", line 80, in __call__']
    message = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x7 and 10x16)"
    assert named(*user, *layer, message) == []
    assert named(*user, *package, message) == ["inner-sizes"]


def test_a_schema_whose_results_are_fresh_returns_no_input() -> None:
    start = "RuntimeError: Found a custom (non-ATen) operator whose output has alias annotations: "
    end = ". We only support functionalizing operators whose outputs do not have alias annotations (e.g. 'Tensor(a)')."
    assert named(start + "lib::add_into(Tensor(a0!) d, float eps=1e-05) -> ()" + end) == []
    assert named(start + "lib::add_into(Tensor(a0!) d, float eps=1e-05) -> Tensor(a0!)" + end) == [
        "op-returns-its-input"
    ]


def test_a_device_that_the_scheduler_does_not_know_is_no_text_of_aot_load() -> None:
    assert named("RuntimeError: Unsupported device cuda0") == ["unsupported-device-text"]
    assert named("RuntimeError: Unsupported device type: hpu") == []


def test_a_program_that_is_not_valid_is_told_by_whether_it_is_loaded() -> None:
    check = [
        '  File "/env/lib/python3.10/site-packages/torch/_export/verifier.py", line 180, in _verify',
        "    raise SpecViolationError(",
        "torch._export.verifier.SpecViolationError: State dict entry for parameter w is not an instance of Parameter.",
    ]
    load = ['  File "/home/me/load.py", line 9, in <module>', '    ep = torch.export.load("vgg.pt2")']
    edit = ['  File "/home/me/lower.py", line 9, in <module>', "    program = program.run_decompositions()"]
    assert named(*load, *check) == ["program-unreadable"]
    assert named(*edit, *check) == ["program-invalid"]


def test_dtypes_and_sizes_of_plain_eager_code_are_no_case_of_export() -> None:
    user = ['  File "/home/me/train.py", line 9, in <module>', "    model(x)"]
    for message in (
        "RuntimeError: expected scalar type Float but found Half",
        "RuntimeError: Sizes of tensors must match except in dimension 0. Expected 3 in dimension 1 but got 4",
        "NotImplementedError: Cannot copy out of meta tensor; no data!",
    ):
        assert named(*user, message) == []


def test_two_builds_of_triton_are_not_a_missing_gpu() -> None:
    assert named(
        "RuntimeError: 2 active drivers ([<class 'a.Driver'>, <class 'b.Driver'>]). There should only be one."
    ) == ["triton-version"]
    assert named("RuntimeError: 0 active drivers ([]). There should only be one.") == ["no-gpu"]


def test_every_pattern_has_a_message() -> None:
    lines = [line for _, lines in SAMPLES for line in lines.split(" ⏎ ")]
    lines += [line for label in LABELS.values() for line in (label.get("message") or "").splitlines()]
    alone = [
        (cause.name, pattern)
        for cause in CAUSES
        for pattern in cause.messages
        if not any(re.search(pattern, line) for line in lines)
    ]
    assert alone == []


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_a_cause_is_told_in_full(cause: Cause) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cause.name)
    assert cause.why.endswith(".")
    assert cause.fix.endswith(".")
    known = load().names
    assert all(code in known for code in cause.rules)
    assert all("=" in setting for setting in cause.rerun)
    assert bool(cause.rules) != bool(cause.unseen), "rules find it before the run, or a sentence says why none does"
    assert not cause.unseen or (cause.unseen[0].isupper() and cause.unseen.endswith("."))


def test_the_page_of_causes_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HERE.parent.parent / "scripts")
    script = importlib.import_module("make_cause_page")
    assert script.PAGE.read_bytes() == script.page().encode(), "run python scripts/make_cause_page.py"


def test_names_are_given_once() -> None:
    names = [cause.name for cause in CAUSES]
    assert len(names) == len(set(names))


FAILED = sorted(
    name
    for name, label in LABELS.items()
    if label["kind"] != "good" and label["outcome"] not in ("ok", "silently wrong") and name not in SAYS_NOTHING
)


@pytest.mark.parametrize("name", FAILED)
def test_what_real_torch_said_leads_to_the_rules_that_find_it(name: str) -> None:
    """The message of each truth script that fails has a cause; among its rules is the one that finds the script."""
    found = diagnose((LABELS[name]["message"]).splitlines())
    told = [*found.causes, *found.notes]
    assert told
    codes = {want["code"] for want in EXPECTED.get(name, [])}
    assert not codes or codes & set(told[0].cause.rules), (codes, told[0].cause.name)


def test_what_works_has_no_cause() -> None:
    good = [label for label in LABELS.values() if label["outcome"] == "ok" and label["kind"] == "good"]
    assert len(good) > 30
    for label in good:
        found = diagnose((label.get("stdout_tail") or "").splitlines())
        assert [one for one in found.causes if one.cause.level is Level.CAUSE] == []
