"""Every function of torch that the tables know, by each of its names, called with what fits and with what does not."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.torch_api import api
from tests.judging import lint_files

GIVEN = (
    "", "x", "model", "compiled", "program", "package", "'a', 'b', 'c'", "1, 2", "*args, **kwargs", "model, (x,)",
    "model, (x,), 'm.pt2'", "compiled, (x,), 'm'", "model, args=(x,), kwargs={'a': x}, dynamo=False, options={'a': 1}",
)  # fmt: skip
HEAD = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x

x = torch.randn(2)
model = Model().eval()
compiled = torch.compile(model)
program = torch.export.export(model, (x,))
package = torch._inductor.aoti_compile_and_package(program)
"""


def _script(name: str) -> str:
    module = ".".join(name.split(".")[:2]) if name.count(".") > 1 else "torch"
    return HEAD + "".join(
        f"\ndef call{index}(*args, **kwargs):\n    import {module}\n    return {name}({given})\n"
        for index, given in enumerate(GIVEN)
    )


def test_no_name_of_a_function_ends_a_check(tmp_path: Path) -> None:
    """Each name may be that of a definition, of which the public name is another."""
    names = sorted({*api.signature_names(), *api.definition_names(), *api.CALLED_MODULES})
    assert "torch.onnx.utils.export" in names
    assert api.canonical("torch.onnx.utils.export") == "torch.onnx.export"
    found = lint_files(tmp_path / "run", {f"call_{index}.py": _script(name) for index, name in enumerate(names)})
    assert {one.code for one in found} > {"AOTI203", "AOTI215", "AOTI219"}
