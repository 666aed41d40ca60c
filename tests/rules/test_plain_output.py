"""AOTI717: what a package makes of an output that is no tensor. Each case was compiled with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

class Net(torch.nn.Module):
    def forward(self, x, n):
        return {given}

program = torch.export.export(Net(), (torch.ones(2), {example}))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
CASES = {
    ("(x * 2, n)", "3.5"): "error",
    ("(x * 2, n)", "'a'"): "error",
    ("{'a': x * 2, 'b': 0.5}", "1"): "error",
    ("(x * 2, n)", "3"): "info",
    ("(x * 2, n + 1)", "3"): "info",
    ("(x * 2, True)", "3"): "info",
    ("(x * 2, x.shape[0])", "3"): "info",
    ("(x * 2, None)", "3"): "",
    ("(x * n, torch.full((), 0.5))", "3.5"): "",
}


@pytest.mark.parametrize(("case", "severity"), CASES.items())
def test_what_is_no_tensor(tmp_path: Path, case: tuple[str, str], severity: str) -> None:
    script = SCRIPT.format(given=case[0], example=case[1])
    found = lint_files(tmp_path / "judged", {"script.py": script}, None, "2.13", "--pedantic")
    told = [one.severity for one in found if one.code == "AOTI717"]
    assert told == [severity] * bool(severity)


def test_only_a_package(tmp_path: Path) -> None:
    script = SCRIPT.format(given="(x * 2, 0.5)", example="1").rpartition("\ntorch")[0]
    assert lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13") == []
