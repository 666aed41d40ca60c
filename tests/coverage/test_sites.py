"""The places that matter, found in the text of a file alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint import models
from aoti_lint.coverage.apis import APIS, KERNELS, LIBRARIES, ONNX
from aoti_lint.coverage.scopes import Files
from aoti_lint.coverage.sites import sites_of
from aoti_lint.machine import tables
from aoti_lint.source.project import Project


def found(folder: Path, text: str, **others: str) -> list[tuple[str, str]]:
    """The kind and the text of every place in a script beside other modules."""
    for name, content in {"script": text, **others}.items():
        (folder / f"{name}.py").write_text(content, encoding="utf-8")
    places = sites_of(Files(Project(folder, ["script.py"])), "script.py")
    return [(one.kind, text[one.span.start : one.span.end]) for one in places]


def test_every_function_is_one_that_is_followed() -> None:
    models.load()
    assert {*APIS, *KERNELS, *LIBRARIES, ONNX} <= tables.FUNCTIONS.keys()


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nE(1)".replace("E", "torch.export.export"),
        "import torch.export\ntorch.export.export(1)",
        "import torch.export as te\nte.export(1)",
        "from torch.export import export\nexport(1)",
        "def f():\n    from torch.export import export as e\n    e(1)",
        "import torch\nexport = torch.export.export\nexport(1)",
        "try:\n    from torch.export import export\nexcept ImportError:\n    export = None\nexport(1)",
        "from compat import export\nexport(1)",
    ],
)
def test_an_export_by_any_name(tmp_path: Path, text: str) -> None:
    compat = "try:\n    from torch.export import export\nexcept ImportError:\n    export = None\n"
    assert found(tmp_path, text, compat=compat) == [("export", text.splitlines()[-1].strip())]


@pytest.mark.parametrize(
    "text",
    [
        "from torch.export import export\ndef f(export):\n    export(1)",
        "from compat import export\nexport(1)",
        "import os as torch\ntorch.export.export(1)",
        "import torch\ntorch.onnx.export(1, (2,))",
        "import torch\nx = torch.load('x')\nx(1)",
    ],
)
def test_something_else(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text, compat="def export(x):\n    return x\n") == []


def test_what_variables_and_attributes_hold_is_called(tmp_path: Path) -> None:
    text = """\
import torch
class Server:
    def __init__(self):
        self.run = torch._inductor.aoti_load_package("x.pt2")
    def serve(self, x):
        return self.run(x)
class Other:
    def serve(self, x):
        return self.run(x)
def f(m, x):
    program = torch.export.export(m, (x,))
    again = program.run_decompositions().module()
    again(x)
    again.train()
    torch.onnx.export(m, (x,), dynamo=True, dynamic_shapes=None)
"""
    assert found(tmp_path, text) == [
        ("export", "torch.export.export(m, (x,))"),
        ("call", "again(x)"),
        ("export", "torch.onnx.export(m, (x,), dynamo=True, dynamic_shapes=None)"),
        ("load", 'torch._inductor.aoti_load_package("x.pt2")'),
        ("call", "self.run(x)"),
    ]


def test_ops_and_their_fakes(tmp_path: Path) -> None:
    text = """\
import torch
lib = torch.library.Library("l", "DEF")
lib.define("f(Tensor x) -> Tensor")
lib.impl("f", f, "CPU")
lib.impl("f", f, "Meta")
@torch.library.custom_op("l::g", mutates_args=())
def g(x): ...
@g.register_fake
def _(x): ...
torch.library.register_fake("l::h")(g)
@torch.library.impl(lib, "f", "Meta")
def m(x): ...
from others import given, plain, registry
@given.register_fake
def _(x): ...
@plain.register_fake
def _(x): ...
registry.register_fake(given)
"""
    others = """\
from torch.library import custom_op
registry = {}
@custom_op("l::given", mutates_args=())
def given(x): ...
def plain(x): ...
"""
    assert sorted(found(tmp_path, text, others=others)) == [
        ("fake", "g.register_fake"),
        ("fake", "given.register_fake"),
        ("fake", 'lib.impl("f", f, "Meta")'),
        ("fake", 'torch.library.impl(lib, "f", "Meta")'),
        ("fake", 'torch.library.register_fake("l::h")(g)'),
        ("op", 'lib.define("f(Tensor x) -> Tensor")'),
        ("op", 'torch.library.custom_op("l::g", mutates_args=())'),
    ]


def test_files_that_hand_on_each_others_names_are_looked_at_once(tmp_path: Path) -> None:
    names = [f"m{n}" for n in range(40)]
    every = "".join(f"from {name} import export, x\n" for name in names)
    others = dict.fromkeys(names, f"{every}from torch.export import export\n")
    assert found(tmp_path, "from m7 import export\nexport(1)", **others) == [("export", "export(1)")]
