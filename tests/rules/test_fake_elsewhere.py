"""AOTI401 of a fake that stands in a module which nothing imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

FILES = {
    "ops/__init__.py": "",
    "ops/kernels.py": 'import torch\n\nLIB = torch.library.Library("depth", "DEF")\n'
    'LIB.define("half(Tensor x) -> Tensor")\n'
    'LIB.impl("half", lambda x: x / 2, "CPU")\n',
    "ops/meta.py": 'import torch\n\n\n@torch.library.register_fake("depth::half")\n'
    "def _(x):\n    return torch.empty_like(x)\n",
    "export.py": "import torch\n\nimport ops.kernels\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    "        return torch.ops.depth.half(x)\n\n\ntorch.export.export(Net(), (torch.randn(4),))\n",
}


@pytest.mark.parametrize(
    ("path", "before"),
    [("", ""), ("export.py", "import ops.meta\n"), ("ops/__init__.py", "import ops.meta\n"),
     ("run.py", "import export, ops.meta\n"),
     ("export.py", 'import importlib\nimportlib.import_module("ops." + str(0))\n')],
)  # fmt: skip
def test_whether_the_fake_comes_in(path: str, before: str, tmp_path: Path) -> None:
    files = {**FILES, **({path: before + FILES.get(path, "")} if path else {})}
    found = [one for one in lint_files(tmp_path / "run", files, torch="2.13") if one.code == "AOTI401"]
    assert [(one.file.rpartition("/")[2], str(one.severity)) for one in found] == (
        [] if path else [("kernels.py", "warning")]
    )
