"""Where the fake that AOTI401 offers goes, under which names, and when none is offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixing import fixed, fixes, report_of

SCRIPTS = {
    "in a class": (
        """import torch
class Ops:
    @torch.library.custom_op("lib::op", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)  # of its own
    other = 1
""",
        """import torch
class Ops:
    @torch.library.custom_op("lib::op", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)  # of its own

    @op.register_fake
    def _(x):
        return torch.empty_like(x)

    other = 1
""",
    ),
    "in a function, under an if, with torch imported there": (
        """def setup(wanted):
    import torch as th
    if wanted:
        @th.library.custom_op("lib::op", mutates_args=())
        def op(x: th.Tensor) -> th.Tensor:
            return th.empty_like(x)
setup(True)
""",
        """def setup(wanted):
    import torch as th
    if wanted:
        @th.library.custom_op("lib::op", mutates_args=())
        def op(x: th.Tensor) -> th.Tensor:
            return th.empty_like(x)

        @op.register_fake
        def _(x):
            return th.empty_like(x)

setup(True)
""",
    ),
    "torch is not imported": (
        '''"""Ops."""
from __future__ import annotations

from torch import Tensor, empty_like
from torch.library import custom_op


@custom_op("lib::op", mutates_args=())
def op(x: Tensor) -> Tensor:
    return empty_like(x)
''',
        '''"""Ops."""
from __future__ import annotations

import torch
from torch import Tensor, empty_like
from torch.library import custom_op


@custom_op("lib::op", mutates_args=())
def op(x: Tensor) -> Tensor:
    return empty_like(x)


@op.register_fake
def _(x):
    return torch.empty_like(x)
''',
    ),
    "torch is not needed": (
        """from torch import Tensor
from torch.library import custom_op

@custom_op("lib::op", mutates_args=())
def op(x: Tensor) -> Tensor:
    return x.new_zeros(x.shape)
""",
        """from torch import Tensor
from torch.library import custom_op

@custom_op("lib::op", mutates_args=())
def op(x: Tensor) -> Tensor:
    return x.new_zeros(x.shape)


@op.register_fake
def _(x):
    return x.new_empty(x.shape)
""",
    ),
    "gettext": (
        """import torch
from gettext import gettext as _
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    print(_("running"))
    return torch.empty_like(x)
""",
        """import torch
from gettext import gettext as _
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    print(_("running"))
    return torch.empty_like(x)


@op.register_fake
def op_fake(x):
    return torch.empty_like(x)
""",
    ),
    "made by a call": (
        """import torch
def twice(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)
op = torch.library.custom_op("lib::op", twice, mutates_args=())
print(op)
""",
        """import torch
def twice(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)
op = torch.library.custom_op("lib::op", twice, mutates_args=())


@op.register_fake
def _(x):
    return torch.empty_like(x)


print(op)
""",
    ),
    "another decorator above": (
        """import functools, torch
@functools.lru_cache
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)
""",
        """import functools, torch
@functools.lru_cache
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@torch.library.register_fake("lib::op")
def _(x):
    return torch.empty_like(x)
""",
    ),
    "a library that a function is given": (
        """import torch
lib = torch.library.Library("lib", "DEF")
lib.define("op(Tensor x, float eps=1e-5, *, int[]? dims=None) -> Tensor")
@torch.library.impl(lib, "op", "CPU")
def op_cpu(x, eps=1e-5, *, dims=None):
    return torch.empty_like(x)
""",
        """import torch
lib = torch.library.Library("lib", "DEF")
lib.define("op(Tensor x, float eps=1e-5, *, int[]? dims=None) -> Tensor")


@torch.library.register_fake("lib::op", lib=lib)
def _(x, eps=1e-05, *, dims=None):
    return torch.empty_like(x)


@torch.library.impl(lib, "op", "CPU")
def op_cpu(x, eps=1e-5, *, dims=None):
    return torch.empty_like(x)
""",
    ),
    "registered by a helper": (
        """import torch
lib = torch.library.Library("lib", "FRAGMENT")
def register(name, function, library=lib):
    library.define(name + torch.library.infer_schema(function, mutates_args=()))
    library.impl(name, function, "CUDA")
def op(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)
register("op", op)
""",
        """import torch
lib = torch.library.Library("lib", "FRAGMENT")
def register(name, function, library=lib):
    library.define(name + torch.library.infer_schema(function, mutates_args=()))
    library.impl(name, function, "CUDA")
def op(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)
register("op", op)


@torch.library.register_fake("lib::op")
def _(x):
    return torch.empty_like(x)
""",
    ),
}
NONE_OFFERED = {
    "a loop that defines several": """import torch
lib = torch.library.Library("lib", "FRAGMENT")
for name in ("one", "two"):
    lib.define(f"{name}(Tensor x) -> Tensor")
""",
    "it does not start its line": """import torch
lib = torch.library.Library("lib", "FRAGMENT"); lib.define("op(Tensor x) -> Tensor")
""",
    "behind a return": """import torch
def make():
    return torch.library.custom_op("lib::op", lambda x: x, schema="(Tensor x) -> Tensor", mutates_args=())
op = make()
""",
    "a parameter called torch": """import torch
torch.library.define("lib::op", "(Tensor torch) -> Tensor")
""",
}


def offered(folder: Path, text: str) -> list[dict[str, Any]]:
    script = folder / "ops.py"
    script.write_text(text, encoding="utf-8", newline="")
    document = report_of(script, folder / "report.json")
    assert any(item["code"] == "AOTI401" for item in document["diagnostics"])
    return fixes(document, "AOTI401")


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_file_afterwards(name: str, tmp_path: Path) -> None:
    before, after = SCRIPTS[name]
    assert fixed(before, offered(tmp_path, before)) == after
    script = tmp_path / "ops.py"
    script.write_text(after, encoding="utf-8")
    said = [d["code"] for d in report_of(script, tmp_path / "after.json")["diagnostics"] if d["severity"] != "info"]
    assert said == []


@pytest.mark.parametrize("name", NONE_OFFERED)
def test_none_is_offered(name: str, tmp_path: Path) -> None:
    assert offered(tmp_path, NONE_OFFERED[name]) == []


def test_the_kernel_is_elsewhere(tmp_path: Path) -> None:
    """A schema tells the parameters; what comes out is for the author to say, so it is only shown."""
    text = 'import torch\ntorch.library.define("lib::op", "(Tensor x, int k=2, *, bool flag) -> (Tensor, Tensor)")\n'
    [fix] = offered(tmp_path, text)
    assert fix["applicability"] == "display"
    assert fix["edits"][0]["content"].split("\n")[3:5] == [
        '@torch.library.register_fake("lib::op")',
        "def _(x, k=2, *, flag):",
    ]
    assert "raise NotImplementedError(" in fix["edits"][0]["content"]


def test_one_branch_is_not_known(tmp_path: Path) -> None:
    text = """import torch
@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor, bins: bool) -> torch.Tensor:
    return torch.histc(x) if bins else torch.empty_like(x)
"""
    [fix] = offered(tmp_path, text)
    assert fix["applicability"] == "display"
    assert fix["edits"][0]["content"].split("\n")[4:] == [
        "def _(x, bins):",
        "    if bins:",
        "        raise NotImplementedError('fake of lib::op: "
        "the sizes, dtype and strides of the output are not known')",
        "    return torch.empty_like(x)",
    ]


def test_newlines_stay_what_they_are(tmp_path: Path) -> None:
    text = SCRIPTS["in a class"][0].replace("\n", "\r\n")
    after = fixed(text, offered(tmp_path, text))
    assert after.count("\r\n") == after.count("\n") == text.count("\n") + 5


def test_the_last_line_has_no_newline(tmp_path: Path) -> None:
    text = SCRIPTS["another decorator above"][0].rstrip("\n")
    after = fixed(text, offered(tmp_path, text))
    assert after == SCRIPTS["another decorator above"][1].rstrip("\n")


def test_a_notebook(tmp_path: Path) -> None:
    """The edit is in the cell of the definition."""
    cells = [
        "import torch",
        SCRIPTS["another decorator above"][0].partition("\n")[2].replace("@functools.lru_cache\n", ""),
        "op",
    ]
    book = {
        "cells": [
            {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
            for source in cells
        ],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path = tmp_path / "ops.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    [fix] = fixes(report_of(path, tmp_path / "report.json"), "AOTI401")
    [edit] = fix["edits"]
    assert (edit["cell"], edit["location"]["row"]) == (2, 3)
    assert edit["content"].strip().startswith("@op.register_fake")
