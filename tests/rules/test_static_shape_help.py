"""What AOTI301 advises must be code that torch takes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

NET = "class Net(torch.nn.Module):\n    def forward(self, x, y=None):\n        return x\n\n"


@pytest.mark.parametrize(
    ("head", "model", "example", "call", "advice"),
    [
        (NET, "Net()", "torch.ones(2, 3)", "torch.ones(4, 3)", 'dynamic_shapes={"x": {0: torch.export.Dim("x_0")}}'),
        ("", "mystery()", "torch.ones(2, 3)", "torch.ones(4, 3)", "for input 0 in dynamic_shapes"),
        (NET, "Net()", "[torch.ones(2, 3)]", "[torch.ones(2, 5)]", "for x[0] in dynamic_shapes"),
    ],
)
def test_the_advice_names_only_what_is_known(
    head: str, model: str, example: str, call: str, advice: str, tmp_path: Path
) -> None:
    lines = [
        f"program = torch.export.export({model}, ({example},))",
        "run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))",
        f"run({call})",
    ]
    script = tmp_path / "script.py"
    script.write_text("import torch\n\n" + head + "\n".join(lines) + "\n", encoding="utf-8")
    document = check(Options([str(script)], Config(), cache=False, torch_version="2.13")).document
    (found,) = document["diagnostics"]
    assert found["code"] == "AOTI301"
    assert advice in found["help"]
    (dim,) = re.findall(r'Dim\("([^"]*)"\)', found["help"])
    assert dim.isidentifier()
    ast.parse(found["help"][found["help"].index("{") : found["help"].rindex("}") + 1])


def test_what_is_declared_already_stays(tmp_path: Path) -> None:
    """A second dict in the place of the first would lose what that says; a layer fixes its features."""
    text = (
        "import torch\n\nbatch = {0: torch.export.Dim('b')}\n"
        "program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(4, 8),), dynamic_shapes={'input': batch})\n"
        "program.module()(torch.ones(3, 9))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    (found,) = check(Options([str(script)], Config(), cache=False, torch_version="2.13")).document["diagnostics"]
    assert found["help"] == (
        "give it 8 there; or, if the model takes other sizes, declare it at the export: add 1: "
        'torch.export.Dim("input_1") to what dynamic_shapes says of input'
    )


def test_what_was_dynamic_by_an_older_argument_is_not_called_static(tmp_path: Path) -> None:
    """`constraints` is refused by newer releases, which is said; what it says, nobody needs to be told to say."""
    text = (
        "import torch\nfrom torch._export import dynamic_dim\n\nx = torch.ones(2, 3)\n"
        "program = torch.export.export(torch.nn.ReLU(), (x,), constraints=[dynamic_dim(x, 0)])\n"
        "program.module()(torch.ones(4, 3))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    document = check(Options([str(script)], Config(), cache=False, torch_version="2.13")).document
    assert {one["code"] for one in document["diagnostics"]} == {"AOTI202", "AOTI203"}
