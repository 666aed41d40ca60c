"""AOTI427: which ops cannot be compiled for what their schemas say of outputs. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch

lib = torch.library.Library("mylib", "DEF")
lib.define("f{schema}")
lib.impl("f", lambda x: {body}, "{key}")
{fake}
{more}


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        return torch.ops.mylib.f(y)


{use}
"""
FAKE = 'lib.impl("f", lambda x: {body}, "Meta")'
EXPORT = "torch.export.export(Net(), (torch.randn(4),)).run_decompositions({})"
CHANGES = {"schema": "(Tensor(a!) x) -> Tensor(a!)", "body": "x.add_(1)"}
VIEWS = {"schema": "(Tensor(a) x) -> Tensor(a)", "body": "x[1:]"}
PLAIN = {"schema": "(Tensor x) -> Tensor", "body": "x + 1"}
OUT = 'lib.define("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")'


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({**CHANGES, "key": "CPU", "use": EXPORT}, True),
        ({**VIEWS, "key": "CPU", "use": EXPORT}, True),
        ({**VIEWS, "key": "CompositeExplicitAutograd", "use": EXPORT}, True),
        ({**VIEWS, "key": "CompositeImplicitAutograd", "use": EXPORT}, False),
        ({**PLAIN, "key": "CPU", "use": EXPORT}, False),
        ({**PLAIN, "key": "CPU", "use": EXPORT, "more": OUT}, False),
        ({**CHANGES, "key": "CPU", "use": "torch.compile(Net())(torch.randn(4))"}, True),
        ({**CHANGES, "key": "CPU", "use": 'torch.compile(Net(), backend="aot_eager")(torch.randn(4))'}, True),
        ({**CHANGES, "key": "CPU", "use": 'torch.compile(Net(), backend="eager")(torch.randn(4))', "fake": ""}, False),
        ({**CHANGES, "key": "CPU", "use": "Net()(torch.randn(4))", "fake": ""}, False),
        # It has a fake, so somebody means to trace it.
        ({**CHANGES, "key": "CPU", "use": "Net()(torch.randn(4))"}, True),
    ],
)
def test_which_are_told(parts: dict[str, str], told: bool, tmp_path: Path) -> None:
    text = SCRIPT.format(**{"more": "", "fake": FAKE.format(**parts), **parts})
    found = lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")
    assert ("AOTI427" in {one.code for one in found}) is told
