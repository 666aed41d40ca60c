from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

import pytest

from aoti_lint.source.interest import examine, needles
from aoti_lint.source.interest.interest import Interest
from aoti_lint.source.project import Project
from aoti_lint.torch_api import api
from aoti_lint.torch_api.versions import SUPPORTED

T = TypeVar("T")
SPEAKS = {
    "plain": "import torch\nep = torch.export.export(m, args)\n",
    "alias": "import torch as t\nep = t.export.export(m, args)\n",
    "from": "from torch.export import Dim as D\n",
    "from torch": "from torch import export as e\n",
    "import only": "import torch._inductor\n",
    "package": "import torch\ndef f():\n    torch._inductor.aoti_load_package('a')\n",
    "old": "import torch\ntorch._export.aot_compile(f, a)\n",
    "custom op": "import torch\n@torch.library.custom_op('a::b', mutates_args=())\ndef f(x): ...\n",
    "library": "from torch.library import Library\nlib = Library('a', 'DEF')\n",
    "missing api": "import torch\ntorch.export.dynamic_dim(x, 0)\n",
    "name of some releases": "import torch\nif torch.compiler.is_exporting():\n    pass\n",
    "top-level await": "import torch\nawait torch.export.export(m)\n",
    "lambda": "import torch\nf = [lambda: torch.export.save(e) for e in x]\n",
    "does not parse": "import torch\nx = = torch.export\n",
    "newline": "import torch\r\nx = torch.export\r\n",
    "encoding": "# coding: latin-1\nimport torch\nx = torch.export, 'é'\n",
    "escape": "import torch\nx = '\\d', torch.export\n",
    "another name": "import torch\nT = torch\nT.export.export(m)\n",
    "from elsewhere": "from compat import torch as th\nth.export.export(m)\n",
    "imported by name": "import importlib\nt = importlib.import_module('torch')\nt.export.export(m)\n",
    "attribute by name": "import torch\ngetattr(torch, 'export').export(m)\n",
    "in an attribute": "import torch\nself.torch.export.export(m)\n",
    "continued": "import torch\ntorch \\\n  .export \\\n  .export(m)\n",
    "brackets": "import torch\n(torch\n .export\n .export(m))\n",
}

SILENT = {
    "no torch": "x.export()\nlibrary.custom_op()\n",
    "plain torch": "import torch\nx = torch.nn.Linear(1, 2)\n",
    "comment": "import torch\n# torch.export.export(m)\n",
    "docstring": '"""torch.export, aoti_load_package"""\nimport torch\n',
    "string": "import torch\nx = 'torch.export', __import__('torch.export')\n",
    "keyword": "import torch\nf(export=True, library=1)\n",
    "method": "import torch\nmodel.export('a.onnx')\nself.exporter.export(torch.ones(2))\n",
    "decorator of jit": "import torch\n@torch.jit.export\ndef f(x): return x\n",
    "local name": "import torch\ndef f(export):\n    library = export\n    return library\n",
    "names of all releases": "import torch\nif torch.compiler.is_compiling():\n    torch.compiler.reset()\n",
    "empty": "",
}


@pytest.mark.parametrize("text", SPEAKS.values(), ids=SPEAKS)
def test_speaks_itself(tmp_path: Path, text: str) -> None:
    data = text.encode("latin-1" if "latin-1" in text else "utf-8")
    assert needles.interesting(data)
    assert Project(tmp_path, [], overlay={"a.py": data}).reported == ["a.py"]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_does_not_speak(tmp_path: Path, text: str) -> None:
    assert Project(tmp_path, [], overlay={"a.py": text.encode()}).reported == []


HELPER = """
import torch
from torch.export import export as exporting

def compile(m): return torch._inductor.aoti_compile_and_package(m)
class Runner:
    def __init__(self, path): self.model = torch._inductor.aoti_load_package(path)
def indirect(m): return compile(m)
def unrelated(x): return torch.relu(x)
LOADED = torch._inductor.aoti_load_package('a.pt2')
TABLE = {
    'a': Runner,
}
NAME = 'a'
if __name__ == '__main__':
    result = compile(m)
"""

IMPORTERS = {
    "from helper import compile": True,
    "from helper import compile as c": True,
    "from helper import unrelated": False,
    "from helper import NAME, result": False,
    "from helper import Runner": True,
    "from helper import indirect": True,
    "from helper import LOADED": True,
    "from helper import TABLE": True,
    "from helper import exporting": True,
    "from helper import (\n    NAME,  # Runner\n    compile as c,\n)": True,
    "from helper import NAME, \\\n  compile as c": True,
    "from helper import (  # compile\n    NAME,\n)": False,
    "import helper": True,
    "import os, helper as h": True,
    "from . import helper as h": True,
    "from .helper import Runner as R": True,
    "from helper import *": True,
    "def f():\n    from helper import compile as c\n    return c": True,
    "from between import again": True,
    "from between import other": False,
    "from between import *": True,
    "import between": True,
    "from cyclic import back": True,
    "import os": False,
    "import gone": False,
    "# from helper import compile as c": False,
}
# What an importer does with any of the names it may have.
USE = "\nuse = [compile, c, Runner, R, indirect, LOADED, TABLE, exporting, again, back, other, unrelated, NAME]\n"
MODULES = {
    "helper.py": HELPER,
    "between.py": "from helper import Runner, NAME\ndef again(): return Runner('b')\ndef other(): return NAME\n",
    "cyclic.py": "import main\nfrom helper import compile\ndef back(): return compile(0)\n",
}
MODULE_USE = "\nuse = helper.compile(1), h.compile(1), between.again()\n"


@pytest.mark.parametrize(("statement", "expected"), IMPORTERS.items())
def test_speaks_through_a_helper(tmp_path: Path, statement: str, expected: bool) -> None:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    is_module = statement.startswith(("import ", "from . import"))
    (tmp_path / "main.py").write_text(statement + (MODULE_USE if is_module else USE), encoding="utf-8")
    assert Project(tmp_path, ["main.py"]).reported == (["main.py"] if expected else [])


def test_speaks_through_a_wrapper_that_registers_ops(tmp_path: Path) -> None:
    """Such as vLLM's, which never names what `torch.library` has for users."""
    (tmp_path / "helper.py").write_text(
        "import torch\nfrom torch.library import Library, infer_schema\nlib = Library('my', 'FRAGMENT')\n"
        "def register(name, op, fake):\n"
        "    lib.define(name + infer_schema(op, mutates_args=()))\n    lib._register_fake(name, fake)\n",
        encoding="utf-8",
    )
    (tmp_path / "main.py").write_text("from helper import register\nregister('a', f, g)\n", encoding="utf-8")
    assert Project(tmp_path, ["main.py"]).reported == ["main.py"]


OPS = "import torch\n@torch.library.custom_op('a::twice', mutates_args=())\ndef twice(x): ...\n"
LIBRARY = "import torch\nLIB = torch.library.Library('a', 'DEF')\nLIB.define('twice(Tensor x) -> Tensor')\n"


@pytest.mark.parametrize(
    ("ops", "text", "expected"),
    [
        (OPS, "from ops import twice\nprint(twice(x))\n", True),
        (OPS, "import ops\nprint(ops.twice(x))\n", True),
        (OPS, "import ops\nimport torch\nprint(torch.ops.a.twice(x))\n", True),
        (LIBRARY, "import ops\nimport torch\nprint(torch.ops.a.twice(x))\n", True),
        (OPS, "from ops import twice\ndef main():\n    twice(x)\nif __name__ == '__main__':\n    main()\n", True),
        # A library hands it on, and calls it with what others give it.
        (OPS, "from ops import twice\n__all__ = ['twice']\n", False),
        (OPS, "from ops import twice\ndef f(x):\n    return twice(x)\n", False),
        (OPS, "import ops\nimport torch\nprint(torch.ops.aten.add(x, x))\n", False),
        (OPS, "import ops\nprint(x)\n", False),
    ],
)
def test_a_script_that_calls_an_op_speaks(tmp_path: Path, ops: str, text: str, expected: bool) -> None:
    project = Project(tmp_path, [], overlay={"ops.py": ops.encode(), "a.py": text.encode()})
    assert ("a.py" in project.reported) is expected


def test_a_script_speaks_through_what_holds_an_op(tmp_path: Path) -> None:
    net = "from ops import twice\nclass Net:\n    def forward(self, x):\n        return twice(x)\n"
    train = "from net import Net\nif __name__ == '__main__':\n    Net()(x).sum().backward()\n"
    files = {"ops.py": OPS.encode(), "net.py": net.encode(), "train.py": train.encode()}
    assert "train.py" in Project(tmp_path, [], overlay=files).reported


def test_imported_but_not_used(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "main.py").write_text("from helper import compile\n", encoding="utf-8")
    (tmp_path / "__init__.py").write_text("from .main import compile\n", encoding="utf-8")
    (tmp_path / "user.py").write_text("from . import compile as c\nc(1)\n", encoding="utf-8")
    project = Project(tmp_path, ["user.py", "helper.py"])
    assert project.reported == ["helper.py", "user.py"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("tests/unit/test_a.py", "def test_a(program):\n    program(1)\n", True),
        ("tests/a_test.py", "class TestIt:\n    def test_a(self, *, program):\n        program(1)\n", True),
        ("tests/test_a.py", "def test_a(other):\n    program = other\n", False),
        ("tests/helper.py", "def use(program):\n    program(1)\n", False),
        ("test_a.py", "def test_a(program):\n    program(1)\n", False),
    ],
)
def test_a_test_is_given_what_its_folder_makes(tmp_path: Path, path: str, text: str, expected: bool) -> None:
    conftest = "import pytest, torch\n@pytest.fixture\ndef program():\n    return torch.export.export(m, x)\n"
    overlay = {path: text.encode(), "tests/conftest.py": conftest.encode()}
    assert (path in Project(tmp_path, [], overlay=overlay).reported) == expected


def test_notebooks(tmp_path: Path) -> None:
    cell = '{"cells": [{"cell_type": "code", "source": "%s"}]}'
    overlay = {
        "a.ipynb": (cell % "import torch\\n!ls\\ntorch.export.export(m)").encode(),
        "b.ipynb": (cell % "import torch\\n# torch.export.export(m)").encode(),
        "c.ipynb": b"not json, torch.export",
        "d.ipynb": b"not json",
    }
    project = Project(tmp_path, [], overlay=overlay)
    assert project.reported == ["a.ipynb"]
    assert [problem.path for problem in project.problems] == ["c.ipynb"]


def test_far_from_what_matters(tmp_path: Path) -> None:
    chain = {"a.py": "import torch\ndef f0(m): return torch.export.export(m, ())\n"}
    for i, name in enumerate("bcde"):
        chain[f"{name}.py"] = f"from {'abcd'[i]} import f{i}\ndef f{i + 1}(m): return f{i}(m)\n"
    for name, text in chain.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = Project(tmp_path, sorted(chain))
    assert project.reported == ["a.py", "b.py", "c.py"]
    assert [project.leads(f"{name}.py", f"f{i}") for i, name in enumerate("abcd")] == [True, True, True, False]


def test_hundreds_of_files_that_import_each_other(tmp_path: Path) -> None:
    count = 600
    files = {f"m{i}.py": f"from m{i + 1} import f{i + 1}\ndef f{i}(): return f{i + 1}()\n" for i in range(count)}
    files[f"m{count}.py"] = f"import torch\ndef f{count}(): return torch.export.export(m, ())\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    project = Project(tmp_path, sorted(files))
    assert set(project.reported) == {f"m{count}.py", f"m{count - 1}.py", f"m{count - 2}.py"}


def test_a_class_leads_where_its_base_leads() -> None:
    files = {
        "base.py": "import torch\nclass Base:\n    def go(self):\n        return torch.export.export(self, ())\n",
        "middle.py": "from base import Base\nclass Middle(Base):\n    pass\nclass Other:\n    pass\n",
        "user.py": "from middle import Middle\nMiddle().go()\n",
        "other.py": "from middle import Other\nOther().go()\n",
    }

    def resolve(dotted: str, level: int, importer: str) -> str | None:
        return f"{dotted}.py" if f"{dotted}.py" in files else None

    interest = Interest(files.get, resolve)
    assert interest.interesting("user.py")
    assert not interest.interesting("other.py")


CHAIN = {
    "tool.py": "import torch\ndef save(m):\n    return torch.export.export(m, ())\n",
    "one.py": "from two import other\nfrom tool import save\ndef mine(m):\n    return save(m)\n",
    "two.py": "from one import mine\ndef other(m):\n    return mine(m)\ndef idle():\n    return 1\n",
    "user.py": "from two import other, idle\nother(1)\n",
    "idle.py": "from two import idle\nidle()\n",
}
EDITS = [
    # The file, what stands there, what comes instead, and whether all is judged as before.
    ("two.py", "return 1", "return 2", True), ("one.py", "return save(m)", "x = 3\n    return save(m)", True),
    ("idle.py", "idle()", "idle() + 1", True), ("two.py", "return mine(m)", "return idle()", False),
    ("idle.py", "import idle", "import other as idle", False), ("tool.py", "torch.export.export", "torch.save", False),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "is_alike"), EDITS)
def test_what_an_earlier_process_judged_is_taken_over(file: str, old: str, new: str, is_alike: bool) -> None:
    """Unless a file that holds something else is judged otherwise: then all are judged anew."""

    def interest(files: dict[str, str]) -> Interest:
        def resolve(dotted: str, level: int, importer: str) -> str | None:
            return f"{dotted}.py" if f"{dotted}.py" in files else None

        return Interest(files.get, resolve, content=files.get)

    def judged(by: Interest) -> list[tuple[bool, dict[str, int], bool]]:
        return [(by.interesting(path), by.symbols(path), by.leads(path, "other")) for path in sorted(CHAIN)]

    first = interest(CHAIN)
    judged(first)
    told = json.loads(json.dumps(first.told()))
    again = interest(CHAIN)
    assert again.take(told)
    assert judged(again) == judged(first)
    assert again.told() == told
    edited = {**CHAIN, file: CHAIN[file].replace(old, new)}
    assert edited != CHAIN
    then, fresh = interest(edited), interest(edited)
    assert then.take(told) == is_alike
    assert judged(then) == judged(fresh)
    assert then.told() == fresh.told()


def _leading(files: dict[str, str], path: str) -> set[str]:
    """The functions of a file that lead to what matters."""

    def resolve(dotted: str, level: int, importer: str) -> str | None:
        found = f"{dotted.replace('.', '/')}.py"
        return found if found in files else None

    interest = Interest(files.get, resolve)
    interest.interesting(path)
    return {name for name in interest._functions[path] if interest.leads(path, name)}


BASE = """\
import torch
class Base:
    def close(self, a, b):
        return a == b
    def go(self):
        return torch.export.export(self, ())
    def keep(self):
        self.program = torch.export.export(self, ())
        self.program.module()
class Other:
    def __call__(self):
        return torch.export.export(self, ())
"""


@pytest.mark.parametrize(("imports", "base"), [
    ("from base import Base", "Base"), ("from base import Base as B", "B"), ("import base", "base.Base"),
    ("from base import *", "Base"), ("from middle import Middle", "Middle"), ("from middle import Base", "Base"),
])  # fmt: skip
def test_a_method_leads_where_it_names_what_leads_of_its_base(imports: str, base: str) -> None:
    """A method that uses nothing of the base but what leads nowhere, leads nowhere."""
    methods = {"test_a": "self.close(1, 2)", "test_b": "self.go()", "test_c": "self.program.graph", "test_d": "self()"}
    text = f"{imports}\nclass TestIt({base}):\n" + "".join(
        f"    def {name}(self):\n        {body}\n" for name, body in methods.items()
    )
    middle = "from base import Base\nclass Middle(Base):\n    def more(self):\n        return self.go()\n"
    found = _leading({"base.py": BASE, "middle.py": middle, "user.py": text}, "user.py")
    assert found == {"TestIt.test_b", "TestIt.test_c"}


@pytest.mark.parametrize("base", ["Other", "SetUp"])
def test_any_method_leads_where_its_base_leads_without_being_named(base: str) -> None:
    files = {
        "base.py": BASE + "class SetUp:\n    def setUp(self):\n        torch.export.export(self, ())\n",
        "user.py": f"from base import {base}\nclass TestIt({base}):\n    def test_a(self):\n        self.b = 1\n",
    }
    assert _leading(files, "user.py") == {"TestIt.test_a"}


def test_any_method_leads_where_its_base_is_of_torch() -> None:
    text = "from torch.export import ExportBase\nfrom torch._dynamo.aot_compile import aot_compile_fullgraph as Made\n"
    text += "class TestIt(Made):\n    def test_a(self):\n        self.b = 1\n"
    assert _leading({"user.py": text}, "user.py") == {"TestIt.test_a"}


def test_a_name_in_a_comment_is_no_use_of_it() -> None:
    """Nor is a comment what makes `export` that of torch."""
    text = "import torch\nfrom jax import export\ndef f():\n    {}\n    return export.is_symbolic(torch.zeros(2))\n"
    assert _leading({"a.py": text.format("# as torch.export does")}, "a.py") == set()
    assert _leading({"a.py": text.format("torch.export.export('#')")}, "a.py") == {"f"}
    assert _leading({"a.py": text.format("x = '#', torch.export")}, "a.py") == {"f"}


@pytest.mark.parametrize(("statement", "leads"), [
    ("isinstance(x, torch.export.Dim)", False), ("isinstance(x, torch.export.dynamic_shapes._Dim)", False),
    ("hasattr(torch.export.dynamic_shapes, '_Dim')", False), ("return torch.export.Dim.AUTO", False),
    ("return torch.export.Dim('batch')", False), ("return x.torch.export.ExportedProgram", False),
    ("y = torch.export\n    y.export(x, ())", True), ("return torch.export.load(x)", True),
    ("from torch import export\n    export.Dim", True), ("return torch.export.ExportedProgram(x)", True),
    ("return torch.export.dynamic_shapes.refine(x)", True), ("return f(torch.export)", True),
    ("return torch.export.Dim, torch.export.export(x, ())", True), ("return getattr(torch.export, x)", True),
])  # fmt: skip
def test_types_of_export_lead_nowhere(statement: str, leads: bool) -> None:
    """What only asks for types is looked at itself, but not what calls it."""
    files = {"a.py": f"import torch\ndef f(x):\n    {statement}\n", "b.py": "from a import f\ndef g(x):\n    f(x)\n"}
    assert _leading(files, "a.py") == {"f"}
    assert _leading(files, "b.py") == ({"g"} if leads else set())


def test_what_is_examined_is_known_by_what_it_imports_in_any_order() -> None:
    """Names come out of sets, in another order in each process."""

    class Reversed(Interest):
        def symbols(self, path: str) -> dict[str, int]:
            return dict(reversed(super().symbols(path).items()))

    keys: list[tuple[object, ...]] = []

    def once(kind: str, path: str, make: Callable[[], T], *more: Hashable) -> T:
        if (kind, path) == ("examined", "user.py"):
            keys.append(more)
        return make()

    files = {"base.py": BASE, "user.py": "from base import Base, Other\nBase().go()\n"}

    def resolve(dotted: str, level: int, importer: str) -> str | None:
        return f"{dotted}.py" if f"{dotted}.py" in files else None

    for kind in (Interest, Reversed):
        assert kind(files.get, resolve, once).interesting("user.py")
    assert len(keys[0][0]) > 2  # type: ignore[arg-type]  # the names, and what their objects have
    assert keys[0] == keys[1]


def test_names_of_all_releases() -> None:
    for name in examine.ALWAYS_THERE:
        assert api.presence(f"torch.compiler.{name}") == SUPPORTED, name
