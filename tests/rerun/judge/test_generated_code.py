"""What code of torch.compile was calling when it failed (torch 2.11, H200)."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.rerun.judge.generated_code import by_generated_code, defined
from aoti_lint.triage.diagnose import diagnose

LOG = (Path(__file__).parents[1] / "data" / "logs" / "compiled_kernel.txt").read_text(encoding="utf-8").splitlines()
KERNEL = "    margins_kernel_0.run(buf2, arg6_1, buf3, 10, s77, 1, 1, stream=stream0)"


def test_the_kernel_that_was_called() -> None:
    (culprit,) = by_generated_code(diagnose(LOG), LOG, at_once=True)
    assert (culprit.kind, culprit.name, culprit.sure) == ("kernel", "margins_kernel_0", True)
    assert "Triton Error [CUDA]: an illegal memory access was encountered" in culprit.what


def test_it_is_a_hint_where_python_goes_on_before_the_kernel_ends() -> None:
    (culprit,) = by_generated_code(diagnose(LOG), LOG, at_once=False)
    assert not culprit.sure


@pytest.mark.parametrize(
    ("call", "kind", "name"),
    [
        ("    buf3 = torch.ops.shop.margins.default(buf2, arg6_1)", "op", "shop::margins"),
        ("    extern_kernels.mm(buf0, arg1_1, out=buf1)", "kernel", "mm"),
        ("    cpp_fused_add_0(arg0_1, buf0)", "kernel", "cpp_fused_add_0"),
    ],
)
def test_calls_of_other_kinds(call: str, kind: str, name: str) -> None:
    lines = [call if line == KERNEL else line for line in LOG]
    (culprit,) = by_generated_code(diagnose(lines), lines, at_once=True)
    assert (culprit.kind, culprit.name) == (kind, name)


def test_an_error_elsewhere_names_no_call() -> None:
    frame = '  File "/home/v/train.py", line 47, in <module>'
    lines = ["Traceback (most recent call last):", frame, "    loss = model(x, labels)", "RuntimeError: CUDA error"]
    assert by_generated_code(diagnose(lines), lines, at_once=True) == []


def test_the_files_of_inductor_are_not_the_users() -> None:
    assert diagnose(LOG).sources == ["/home/v/train.py"]


def test_where_a_kernel_of_the_users_is_defined(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("import triton\n\n\n@triton.jit\ndef margins_kernel(scores, out):\n    pass\n", encoding="utf-8")
    place = defined("margins_kernel_0", [str(path)])
    assert place is not None
    assert (place.line, place.text) == (5, "def margins_kernel(scores, out):")
    assert defined("triton_poi_fused_add_0", [str(path)]) is None
