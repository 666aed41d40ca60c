"""Registrations of operators: every style is linked, and what looks wrong and is right stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.judging import lint_files

CODES = {"AOTI401", "AOTI410", "AOTI414", "AOTI415", "AOTI416", "AOTI417", "AOTI418", "AOTI419", "AOTI420"}
HEAD = """import torch
from torch import Tensor
from typing import List, Optional
"""


def found(folder: Path, files: dict[str, str] | str, torch: str = "2.13", head: str = HEAD) -> list[tuple[str, int]]:
    """The codes of the rules on registrations, with their lines counted after the head, but advice."""
    given = {"script.py": files} if isinstance(files, str) else files
    skipped = head.count("\n")
    said = lint_files(folder / "run", {name: head + text for name, text in given.items()}, torch=torch)
    return [(item.code, item.row - skipped) for item in said if item.severity != "info" and item.code in CODES]


def all_found(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """Severity, code and message of all that is found in a script, with advice."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    options = Options([str(folder)], Config(), cache=False, torch_version="2.13", pedantic=True)
    return [(item["severity"], item["code"], item["message"]) for item in check(options).document["diagnostics"]]


# ---------------------------------------------------------------- every style is linked

DEFINE = """lib = torch.library.Library("mylib", "FRAGMENT")
lib.define("shift(Tensor x, SymInt by) -> Tensor")
lib.impl("shift", lambda x, by: x + by, "CPU")
"""
DECORATED = """
@torch.library.custom_op("mylib::shift", mutates_args=())
def shift(x: Tensor, by: int) -> Tensor:
    return x + by
"""
STYLES = {
    "register_fake": DEFINE + '@torch.library.register_fake("mylib::shift")\ndef fake(x):\n    return x.new_empty(1)\n',
    "overload": DEFINE
    + "@torch.library.register_fake(torch.ops.mylib.shift.default)\ndef fake(x):\n    return x + 1\n",
    "packet": DEFINE + "@torch.library.register_fake(torch.ops.mylib.shift)\ndef fake(x):\n    return x + 1\n",
    "bare alias": DEFINE
    + 'from torch.library import register_fake as meta\n@meta("mylib::shift")\ndef fake(x):\n    return x + 1\n',
    "call": DEFINE + 'def fake(x):\n    return x + 1\ntorch.library.register_fake("mylib::shift", fake)\n',
    "lambda": DEFINE + 'torch.library.register_fake("mylib::shift", lambda x: x + 1)\n',
    "impl_abstract": DEFINE + '@torch.library.impl_abstract("mylib::shift")\ndef fake(x):\n    return x + 1\n',
    "Library._register_fake": DEFINE + 'def fake(x):\n    return x + 1\nlib._register_fake("shift", fake)\n',
    "Library.impl": DEFINE + 'def fake(x):\n    return x + 1\nlib.impl("shift", fake, "Meta")\n',
    "impl of a library": DEFINE + '@torch.library.impl(lib, "shift", "Meta")\ndef fake(x):\n    return x + 1\n',
    "impl by name": DEFINE + '@torch.library.impl("mylib::shift", "meta")\ndef fake(x):\n    return x + 1\n',
    "py_impl": DEFINE
    + "@torch.ops.mylib.shift.default.py_impl(torch._C.DispatchKey.Meta)\ndef fake(x):\n    return x + 1\n",
    "method": DECORATED + "@shift.register_fake\ndef fake(x):\n    return x + 1\n",
    "method called": DECORATED + "def fake(x):\n    return x + 1\nshift.register_fake(fake)\n",
    "custom_op called": """
def kernel(x: Tensor, by: int) -> Tensor:
    return x + by
shift = torch.library.custom_op("mylib::shift", kernel, mutates_args=())
@shift.register_fake
def fake(x):
    return x + 1
""",
    "triton_op": """
@torch.library.triton_op("mylib::shift", mutates_args={})
def shift(x: Tensor, by: int) -> Tensor:
    return x + by
@shift.register_fake
def fake(x):
    return x + 1
""",
    "torch.library.define": """
torch.library.define("mylib::shift", "(Tensor x, SymInt by) -> Tensor")
@torch.library.register_fake("mylib::shift")
def fake(x):
    return x + 1
""",
    "infer_schema": """
lib = torch.library.Library("mylib", "FRAGMENT")
def kernel(x: Tensor, by: int) -> Tensor:
    return x + by
lib.define("shift" + torch.library.infer_schema(kernel, mutates_args=()))
lib.impl("shift", kernel, "CUDA")
def fake(x):
    return x + 1
lib._register_fake("shift", fake)
""",
    "wrapper": """
lib = torch.library.Library("mylib", "FRAGMENT")
def register(name, kernel, fake):
    lib.define(name + torch.library.infer_schema(kernel, mutates_args=()))
    lib.impl(name, kernel, "CUDA")
    lib._register_fake(name, fake)
def kernel(x: Tensor, by: int) -> Tensor:
    return x + by
def fake(x):
    return x + 1
register(name="shift", kernel=kernel, fake=fake)
""",
    "imported wrapper": """
from vllm.utils.torch_utils import direct_register_custom_op
def kernel(x: Tensor, by: int) -> Tensor:
    return x + by
def fake(x):
    return x + 1
direct_register_custom_op(op_name="shift", op_func=kernel, mutates_args=[], fake_impl=fake)
""",
    "loop": DEFINE + 'def fake(x):\n    return x + 1\nfor name in ("shift",):\n    lib._register_fake(name, fake)\n',
}


@pytest.mark.parametrize("style", STYLES)
def test_a_fake_is_linked_to_its_schema(style: str, tmp_path: Path) -> None:
    """The fake lacks the second parameter: that is found only where it is linked to the schema."""
    said = found(tmp_path, STYLES[style])
    assert [code for code, _ in said] == ["AOTI410"], style


def test_a_name_that_is_not_known_is_silent(tmp_path: Path) -> None:
    text = DEFINE + "import sys\ntorch.library.register_fake(f'mylib::{sys.argv[1]}', lambda x: x + 1)\n"
    assert found(tmp_path, text) == []


# ---------------------------------------------------------------- AOTI410

PARAMETERS = {
    "(Tensor x, int n) -> Tensor": {
        "lambda x, n: x + 1": False, "lambda a, b: a + 1": False, "lambda x, n, m=1: x + 1": False,
        "lambda *args: args[0] + 1": False, "lambda x, *rest: x + 1": False, "lambda n, x: n + 1": True,
        "lambda x: x + 1": True, "lambda x, n, m: x + 1": True, "lambda x, *, n: x + 1": True,
        "lambda *args, **kwargs: args[0] + 1": False,
    },
    "(Tensor x, int n=3) -> Tensor": {
        "lambda x, n=3: x + 1": False, "lambda x, n=0: x + 1": False, "lambda x, n: x + 1": True,
        "lambda x: x + 1": True,
    },
    "(Tensor x, *, int n=3) -> Tensor": {
        "lambda x, *, n=3: x + 1": False, "lambda x, n=3: x + 1": False, "lambda x, **kw: x + 1": False,
        "lambda x, m=3: x + 1": True, "lambda x, *, n: x + 1": True,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "fake", "wrong"),
    [(schema, fake, wrong) for schema, fakes in PARAMETERS.items() for fake, wrong in fakes.items()],
)
def test_parameters_as_torch_takes_them(schema: str, fake: str, wrong: bool, tmp_path: Path) -> None:
    text = (
        f'lib = torch.library.Library("mylib", "DEF")\nlib.define("op{schema}")\n'
        f'torch.library.register_fake("mylib::op", {fake})\n'
    )
    assert ("AOTI410" in [code for code, _ in found(tmp_path, text)]) == wrong


def test_parameters_in_another_order_matter_where_they_are_used(tmp_path: Path) -> None:
    text = DECORATED + "@shift.register_fake\ndef fake(by, x):\n    return {}\n"
    assert found(tmp_path / "one", text.format("torch.empty(3)")) == []
    assert [code for code, _ in found(tmp_path / "two", text.format("torch.empty_like(x)"))] == ["AOTI410"]


def test_kernels_that_get_more_than_the_arguments(tmp_path: Path) -> None:
    text = DEFINE + 'torch.library.register_fake("mylib::shift", lambda x, by: x + 1)\n'
    text += 'lib.impl("shift", lambda keyset, x, by: x + by, "Autograd", with_keyset=True)\n'
    text += "@torch.ops.mylib.shift.default.py_impl(torch._subclasses.fake_tensor.FakeTensorMode)\n"
    text += "def _(mode, x, by):\n    return x + 1\n"
    assert found(tmp_path, text) == []


def test_scripts_beside_each_other_have_ops_of_their_own(tmp_path: Path) -> None:
    one = DEFINE + 'torch.library.register_fake("mylib::shift", lambda x, by: x + 1)\n'
    two = one.replace(", SymInt by", "").replace(", by", "").replace("x + by", "x + 1")
    assert found(tmp_path, {"one.py": one, "two.py": two}) == []


# ---------------------------------------------------------------- AOTI414

FAKE = "@op_.register_fake\ndef _(*args, **kwargs):\n    return None\n"


@pytest.mark.parametrize(
    "parameters",
    [
        "x: Tensor, sizes: List[int], bias: Optional[Tensor] = None, *, eps: float = 1e-5",
        "x: Tensor, n: int | None = None, dtype: torch.dtype = torch.float32",
        "x: 'Tensor', names: 'List[int]', device: torch.device | None = None",
        "x: Tensor, other: mylib.Array",
        "x: Alias",
    ],
)
def test_annotations_that_torch_takes_or_that_are_not_known(parameters: str, tmp_path: Path) -> None:
    text = "import mylib\nfrom elsewhere import Alias\n"
    text += f'@torch.library.custom_op("mylib::op_", mutates_args={{"x"}})\ndef op_({parameters}) -> None: ...\n'
    assert found(tmp_path, text + FAKE) == []


def test_what_an_older_release_does_not_take(tmp_path: Path) -> None:
    text = '@torch.library.custom_op("mylib::op_", mutates_args={"x"})\ndef op_(x: Tensor, n: list[int]) -> None: ...\n'
    assert found(tmp_path / "new", text) == []
    assert found(tmp_path / "old", text, torch="2.6") == [("AOTI414", 2)]
    strings = "from __future__ import annotations\n"
    plain = text.replace("list[int]", "int")
    assert found(tmp_path / "strings", plain, torch="2.4", head=strings + HEAD) == [("AOTI414", 2)]
    assert found(tmp_path / "strings later", plain, torch="2.5", head=strings + HEAD) == []


def test_the_signature_of_a_wrapper_is_that_of_what_it_wraps(tmp_path: Path) -> None:
    text = """
import functools
def traced(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    return inner
@torch.library.custom_op("mylib::op_", mutates_args={"x"})
@traced
def op_(x: Tensor) -> None:
    x.mul_(2)
"""
    assert found(tmp_path, text) == []


def test_a_refusal_that_is_expected(tmp_path: Path) -> None:
    text = """
import pytest
def test_refused():
    with pytest.raises(ValueError):
        @torch.library.custom_op("mylib::op_", mutates_args={"x"})
        def op_(x: dict) -> None: ...
try:
    torch.library.define("mylib::new_", "(Tensor(a!) x, Fancy y) -> ()")
except RuntimeError:
    pass
"""
    assert found(tmp_path, text) == []


# ---------------------------------------------------------------- AOTI415

MODEL = """lib = torch.library.Library("mylib", "DEF")
lib.define("rows(Tensor x, {type} n) -> Tensor")
lib.impl("rows", lambda x, n: x.new_empty(n, 5), "CompositeExplicitAutograd")

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.prior = torch.nn.Parameter(torch.zeros(5))
        self.width = 5

    def forward(self, scores):
        {before}
        return torch.ops.mylib.rows(self.prior, {given})

batch = torch.export.Dim("batch", min=2, max=64)
torch.export.export(Net(), (torch.randn(6, 5),), dynamic_shapes={{"scores": {{0: batch}}}})
"""


@pytest.mark.parametrize(
    ("kind", "before", "given", "wrong"),
    [
        ("int", "pass", "scores.shape[0]", True),
        ("int", "rows = scores.size(0)", "rows", True),
        ("int", "rows, width = scores.shape", "rows", True),
        ("int", "flat = scores.flatten()", "flat.numel() // 5", True),
        ("int", "pass", "n=scores.shape[0] + 1", True),
        ("SymInt", "pass", "scores.shape[0]", False),
        ("int", "pass", "self.prior.shape[0]", False),
        ("int", "pass", "self.width", False),
        ("int", "pass", "4", False),
    ],
)
def test_int_for_a_size(kind: str, before: str, given: str, wrong: bool, tmp_path: Path) -> None:
    said = found(tmp_path, MODEL.format(type=kind, before=before, given=given))
    assert said == ([("AOTI415", 2)] if wrong else [])


SCHEMA = """lib = torch.library.Library("mylib", "DEF")
lib.define("rows(Tensor x, int n, int mode=0) -> Tensor")
lib.impl("rows", lambda x, n, mode=0: x.new_zeros(n, x.shape[0]), "CPU")
lib.impl("rows", lambda x, n, mode=0: x.new_empty(n, x.shape[0]), "Meta")
"""


@pytest.mark.parametrize(
    ("call", "said"),
    [
        # It depends on the caller, whom nobody sees; that of `mode` is no size of the output.
        ("", [("info", "`n`, which is a size of its output")]),
        ("def run(x):\n    return torch.ops.mylib.rows(x, 4)\nrun(torch.ones(6, 5))\n", []),
        (
            "def run(x):\n    return torch.ops.mylib.rows(x, 4, x.shape[1])\nrun(torch.ones(6, 5))\n",
            [("info", "`mode`, which is given a size")],
        ),
        (
            "def run(x):\n    return torch.ops.mylib.rows(x, x.shape[0])\nrun(torch.ones(6, 5))\n",
            [("warning", "`n`, which is given a size")],
        ),
        (
            "def run(x):\n    return torch.ops.mylib.rows(x, x.shape[-1])\nrun(torch.ones(6, 5))\n",
            [("info", "`n`, which is given a size")],
        ),
        (
            "def run(x):\n    a, b = x.shape\n    return torch.ops.mylib.rows(x, b)\nrun(torch.ones(6, 5))\n",
            [("info", "`n`, which is given")],
        ),
        (
            "def run(x):\n    a, b = x.shape\n    return torch.ops.mylib.rows(x, a)\nrun(torch.ones(6, 5))\n",
            [("warning", "`n`, which is given")],
        ),
    ],
)
def test_an_int_that_is_a_size_of_the_output(call: str, said: list[tuple[str, str]], tmp_path: Path) -> None:
    found = [one for one in all_found(tmp_path, HEAD + SCHEMA + call) if one[1] == "AOTI415"]
    assert [severity for severity, _, _ in found] == [severity for severity, _ in said]
    assert all(text in message for (_, _, message), (_, text) in zip(found, said, strict=True))


# ---------------------------------------------------------------- AOTI402, on arguments

ARGUMENT = """lib = torch.library.Library("mylib", "DEF")
lib.define("rows(Tensor x, {kind} n) -> Tensor")
lib.impl("rows", lambda x, n: x.new_zeros(n, x.shape[0]), "CPU")

@torch.library.register_fake("mylib::rows")
def fake(x, n):
    {line}
    return x.new_empty(n, x.shape[0])

{call}
"""
FROM_SIZE = "def run(x):\n    return torch.ops.mylib.rows(x, x.shape[0])\nrun(torch.ones(6, 5))"
FROM_NUMBER = "def run(x):\n    return torch.ops.mylib.rows(x, n=12)\nrun(torch.ones(6, 5))"
FROM_INNER = "def run(x):\n    return torch.ops.mylib.rows(x, n=x.shape[1])\nrun(torch.ones(6, 5))"


@pytest.mark.parametrize(
    ("line", "kind", "call", "said"),
    [
        ("int(n)", "SymInt", FROM_SIZE, "warning"),
        ("range(n)", "SymInt", FROM_SIZE, "warning"),
        ("list(range(2 * n))", "SymInt", FROM_SIZE, "warning"),
        ("y = 1 if n > 3 else 2", "SymInt", FROM_SIZE, "warning"),
        ("y = 1 if n - 3 else 2", "SymInt", FROM_SIZE, "warning"),
        ("y = '%d' % n", "SymInt", FROM_SIZE, "warning"),
        ("int(n)", "SymInt", FROM_INNER, "info"),
        ("int(n)", "SymInt", FROM_NUMBER, ""),
        ("y = 1 if n > 3 else 2", "SymInt", FROM_NUMBER, ""),
        ("int(n)", "SymInt", "", "info"),
        ("y = 1 if n > 3 else 2", "SymInt", "", ""),
        ("int(n)", "float", FROM_NUMBER, ""),
        # Torch answers these by itself: a size that is open is 2 at least.
        ("y = 1 if n else 2", "SymInt", FROM_SIZE, ""),
        ("y = 1 if n == 0 else 2", "SymInt", FROM_SIZE, ""),
        ("y = 1 if n > 1 else 2", "SymInt", FROM_SIZE, ""),
        ("y = n // 2 + max(n, 3)", "SymInt", FROM_SIZE, ""),
        ("y = n is None", "SymInt", FROM_SIZE, ""),
    ],
)
def test_a_fake_that_makes_a_number_of_an_argument(line: str, kind: str, call: str, said: str, tmp_path: Path) -> None:
    text = HEAD + ARGUMENT.format(line=line, kind=kind, call=call)
    found = all_found(tmp_path, text)
    assert [severity for severity, code, _ in found if code == "AOTI402"] == ([said] if said else [])


def test_the_branches_of_a_fake_on_one_size_are_one_finding(tmp_path: Path) -> None:
    line = "y = 64 if n <= 64 else 96 if n <= 96 else 128"
    found = all_found(tmp_path, HEAD + ARGUMENT.format(line=line, kind="SymInt", call=FROM_SIZE))
    assert [message for _, code, message in found if code == "AOTI402"] == [
        "in the fake of the op mylib::rows, a branch asks whether n <= 64: tracing holds it to that of the example"
    ]


# ---------------------------------------------------------------- AOTI416

BODY = """    lib.define("turn_(Tensor(a!) x) -> ()")
    lib.impl("turn_", lambda x: x.neg_(), "CPU")
"""
MADE = '    lib = torch.library.Library("mylib", "DEF")\n'


@pytest.mark.parametrize(
    "text",
    [
        f"def register():\n{MADE}{BODY}    return lib\nkept = register()\n",
        f"def register():\n    global lib\n{MADE}{BODY}register()\n",
        f"kept = []\ndef register():\n{MADE}{BODY}    kept.append(lib)\nregister()\n",
        f"class Ops:\n    def __init__(self):\n    {MADE}{BODY.replace('    lib', '        lib')}"
        "        self.lib = lib\nOps()\n",
        f"def register():\n{MADE}{BODY}    torch.ops.mylib.turn_(torch.ones(2))\nregister()\n",
        f"def test_turn():\n{MADE}{BODY}    torch.ops.mylib.turn_(torch.ones(2))\n",
        f"import unittest\nclass TestTurn(unittest.TestCase):\n    def test_turn(self):\n{MADE}{BODY}".replace(
            "\n    lib", "\n        lib"
        )
        + "        self.assertTrue(torch.ops.mylib.turn_)\n",
        f"def register():\n{MADE}{BODY}    yield\nregister()\n",
        f"def main():\n{MADE}{BODY}if __name__ == '__main__':\n    main()\n",
        'with torch.library._scoped_library("mylib", "DEF") as lib:\n    lib.define("turn_(Tensor(a!) x) -> ()")\n',
        'lib = torch.library.Library("mylib", "DEF")\nlib.define("turn_(Tensor(a!) x) -> ()")\n',
    ],
)
def test_a_library_that_is_held(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, text) == []


def test_a_library_that_is_not_held(tmp_path: Path) -> None:
    assert found(tmp_path, f"def register():\n{MADE}{BODY}register()\n") == [("AOTI416", 2)]


def test_a_script_uses_what_its_function_let_go(tmp_path: Path) -> None:
    text = f"def register():\n{MADE}{BODY}def main():\n    register()\n    torch.ops.mylib.turn_(torch.ones(2))\n"
    assert found(tmp_path, text + "if __name__ == '__main__':\n    main()\n") == [("AOTI416", 2)]


SIGNED = """
import inspect
import torch

def signed(function):
    def run(*args, **kwargs):
        args[1].copy_(args[0])
    {line}
    return run

@torch.library.custom_op("mylib::fill", mutates_args={{"out"}})
@signed
def fill(x: torch.Tensor, out: torch.Tensor) -> None: ...

class Net(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        fill(x, out)
        return out

torch.export.export(Net(), (torch.randn(3),))
"""


@pytest.mark.parametrize("signature", ["inspect.signature(function)", "made_elsewhere(function)"])
def test_a_wrapper_that_says_its_signature(signature: str, tmp_path: Path) -> None:
    """With a known one it was exported with torch 2.13; an op that returns nothing needs no fake."""
    assert found(tmp_path / "run", SIGNED.format(line=f"run.__signature__ = {signature}")) == []
    assert ("AOTI414", 6) in found(tmp_path / "none", SIGNED.format(line=""))


# ---------------------------------------------------------------- AOTI417

ONCE = {
    "overloads have names of their own": """
lib = torch.library.Library("m", "DEF")
lib.define("f_(Tensor(a!) x) -> ()")
lib.define("f_.n(Tensor(a!) x, int n) -> ()")
""",
    "one or the other": """
import sys
if len(sys.argv) > 1:
    lib = torch.library.Library("m", "DEF")
else:
    lib = torch.library.Library("m", "DEF")
""",
    "the first is gone": """
lib = torch.library.Library("m", "DEF")
lib._destroy()
other = torch.library.Library("m", "DEF")
""",
    "its name is deleted": """
for schema in ("(Tensor(a!) x) -> ()", "(Tensor(a!) x, Tensor y) -> ()"):
    try:
        lib = torch.library.Library("m", "FRAGMENT")
        torch.library.define("m::f_", schema, lib=lib)
    finally:
        del lib
lib = torch.library.Library("m", "DEF")
lib.define("f_(Tensor(a!) x) -> ()")
""",
    "its name gets another": """
lib = torch.library.Library("m", "FRAGMENT")
lib.define("f_(Tensor(a!) x) -> ()")
lib = torch.library.Library("m", "FRAGMENT")
lib.define("f_(Tensor(a!) x) -> ()")
lib = None
lib = torch.library.Library("m", "DEF")
lib.define("f_(Tensor(a!) x) -> ()")
""",
    "a second try": """
lib = torch.library.Library("m", "DEF")
try:
    more = torch.library.Library("m", "DEF")
except RuntimeError:
    more = torch.library.Library("m", "FRAGMENT")
""",
    "each test has its own": """
def test_a():
    with torch.library._scoped_library("m", "DEF") as lib:
        lib.define("f_(Tensor(a!) x) -> ()")
def test_b():
    with torch.library._scoped_library("m", "DEF") as lib:
        lib.define("f_(Tensor(a!) x) -> ()")
""",
}


def test_defined_twice_while_a_function_holds_the_first(tmp_path: Path) -> None:
    text = f"def main():\n{MADE}    other = torch.library.Library('mylib', 'DEF')\n"
    assert found(tmp_path, text + "if __name__ == '__main__':\n    main()\n") == [("AOTI417", 3)]


def test_defined_twice_while_a_name_holds_the_first(tmp_path: Path) -> None:
    """Torch makes the second before the name lets the first go; another name holds it anyway."""
    made = "lib = torch.library.Library('mylib', '{}')\n"
    assert found(tmp_path / "same", 2 * made.format("DEF")) == [("AOTI417", 2)]
    text = "{0}keep = lib\n{1}del lib\n{0}{1}".format(made.format("FRAGMENT"), "lib.define('f_(Tensor(a!) x) -> ()')\n")
    assert found(tmp_path / "held", text) == [("AOTI417", 6)]


@pytest.mark.parametrize("text", ONCE.values(), ids=ONCE)
def test_not_defined_twice(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, text) == []


def test_scripts_beside_each_other_are_not_one_process(tmp_path: Path) -> None:
    text = 'lib = torch.library.Library("m", "DEF")\nlib.define("f_(Tensor(a!) x) -> ()")\n'
    assert found(tmp_path, {"one.py": text, "two.py": text}) == []


@pytest.mark.parametrize("translated", [True, False])
def test_an_op_that_the_older_exporter_translates(translated: bool, tmp_path: Path) -> None:
    """That exporter asks no fake; who exports otherwise is told."""
    text = "@torch.library.custom_op('m::f', mutates_args=())\ndef f(x: Tensor) -> Tensor:\n    return x.clone()\n"
    if translated:
        text += "torch.onnx.register_custom_op_symbolic('m::f', lambda g, x: g.op('com::F', x), 9)\n"
    assert found(tmp_path / "alone", text) == ([] if translated else [("AOTI401", 1)])
    net = "class Net(torch.nn.Module):\n    def forward(self, x):\n        return f(x)\n"
    exported = text + net + "torch.export.export(Net(), (torch.randn(2),))\n"
    assert found(tmp_path / "exported", exported) == [("AOTI401", 1)]


@pytest.mark.parametrize(("importer", "place"), [
    ("import one, two\n", ("two.py", 1)), ("import two\nfrom one import lib\n", ("one.py", 1)),
    ("try:\n    import one\nexcept ImportError:\n    import two\n", None), ("import one\n", None),
    ("import one\ndef f():\n    import two\n", None),
])  # fmt: skip
def test_modules_that_one_script_imports_are_one_process(
    importer: str, place: tuple[str, int] | None, tmp_path: Path
) -> None:
    files = {f"{name}.py": 'import torch\nlib = torch.library.Library("m", "DEF")\n' for name in ("one", "two")}
    said = lint_files(tmp_path / "run", {**files, "main.py": importer}, torch="2.13")
    assert [(one.file, one.row - 1) for one in said if one.code == "AOTI417"] == ([] if place is None else [place])


def test_a_second_fake_is_refused_by_older_releases(tmp_path: Path) -> None:
    text = DEFINE + 'torch.library.register_fake("mylib::shift", lambda x, by: x + 1)\n' * 2
    assert found(tmp_path / "new", text) == []
    assert found(tmp_path / "old", text, torch="2.12") == [("AOTI417", 5)]
    custom = DECORATED + "shift.register_fake(lambda x, by: x + 1)\n" * 2
    assert found(tmp_path / "custom", custom, torch="2.12") == []


# ---------------------------------------------------------------- AOTI418


@pytest.mark.parametrize(
    "text",
    [
        'import mylib\ntorch.library.register_fake("mylib::shift", lambda x: x + 1)\n',
        'torch.ops.load_library("libmylib.so")\ntorch.library.register_fake("mylib::shift", lambda x: x + 1)\n',
        'torch.library.register_fake("torchvision::nms", lambda b, s, t: b.new_empty(1))\n',
        'try:\n    torch.library.register_fake("mylib::shift", lambda x: x + 1)\nexcept RuntimeError:\n    pass\n',
        'lib = torch.library.Library("mylib", "IMPL")\nlib.impl("shift", lambda x: x + 1, "CPU")\n',
    ],
)
def test_an_op_that_may_come_from_elsewhere(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, text) == []


def test_an_op_that_nothing_defines(tmp_path: Path) -> None:
    assert found(tmp_path, 'torch.library.register_fake("mylib::shift", lambda x: x + 1)\n') == [("AOTI418", 1)]


# ---------------------------------------------------------------- AOTI419


@pytest.mark.parametrize(
    "registrations",
    [
        'lib.impl("turn_", f, "CPU")',
        'lib.impl("turn_", f, "CompositeExplicitAutograd")',
        'lib.impl("turn_", f, "CUDA")\nlib.impl("turn_", f, "Autograd")',
        'lib.impl("turn_", f, "CUDA")\ntorch.library.register_kernel("mylib::turn_", "cpu", f)',
        'import sys\nlib.impl("turn_", f, sys.argv[1])',
        'lib.impl("turn_", f, "CUDA" if torch.cuda.is_available() else "CPU")',
    ],
)
def test_a_device_with_a_kernel(registrations: str, tmp_path: Path) -> None:
    text = 'lib = torch.library.Library("mylib", "DEF")\nlib.define("turn_(Tensor(a!) x) -> ()")\n'
    text += f"def f(x):\n    x.neg_()\n{registrations}\ntorch.ops.mylib.turn_(torch.ones(2))\n"
    assert found(tmp_path, text) == []


def test_a_device_without_a_kernel(tmp_path: Path) -> None:
    text = 'lib = torch.library.Library("mylib", "DEF")\nlib.define("turn_(Tensor(a!) x) -> ()")\n'
    text += 'lib.impl("turn_", lambda x: x.neg_(), "CUDA")\ntorch.ops.mylib.turn_(torch.ones(2))\n'
    text += 'torch.ops.mylib.turn_(torch.ones(2, device="cuda"))\n'
    assert found(tmp_path, text) == [("AOTI419", 4)]


def test_kernels_of_scripts_that_define_the_op_for_themselves(tmp_path: Path) -> None:
    """What one of them registers is not there where the other runs; what one imports is."""
    define = 'import torch\nlib = torch.library.Library("mylib", "FRAGMENT")\nlib.define("turn(Tensor x) -> Tensor")\n'
    files = {
        "gpu.py": define + 'lib.impl("turn", lambda x: -x, "CUDA")\ntorch.ops.mylib.turn(torch.ones(2))\n',
        "both.py": define + 'lib.impl("turn", lambda x: -x, "CPU")\ntorch.ops.mylib.turn(torch.ones(2))\n',
    }
    told = lint_files(tmp_path / "apart", files, torch="2.13")
    assert [(one.code, one.file, one.row) for one in told if one.code == "AOTI419"] == [("AOTI419", "gpu.py", 5)]
    files["gpu.py"] = "import both\n" + files["gpu.py"]
    assert "AOTI419" not in {one.code for one in lint_files(tmp_path / "together", files, torch="2.13")}


# ---------------------------------------------------------------- AOTI420

OPS = DECORATED + "shift.register_fake(lambda x, by: torch.empty_like(x))\n"
BUILD = """
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.mylib.shift(x, 1)
torch.export.save(torch.export.export(Net(), (torch.ones(4),)), "net.pt2")
"""
SERVE = 'program = torch.export.load("net.pt2")\n'


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        ({"ops.py": OPS, "build.py": "import ops\n" + BUILD, "serve.py": SERVE}, True),
        ({"ops.py": OPS, "build.py": "import ops\n" + BUILD, "serve.py": "import ops\n" + SERVE}, False),
        ({"build.py": OPS + BUILD, "serve.py": SERVE}, True),
        ({"build.py": OPS + BUILD, "serve.py": OPS + SERVE}, False),
        ({"build.py": OPS + BUILD + SERVE}, False),
        ({"build.py": OPS + BUILD, "serve.py": "import importlib\nimportlib.import_module('ops')\n" + SERVE}, False),
        # Where Python looks for modules was not followed, and the module may be that file.
        (
            {"train/ops.py": OPS, "train/build.py": "import ops\n" + BUILD, "serve/serve.py": "import ops\n" + SERVE},
            False,
        ),
        (
            {
                "train/ops.py": OPS,
                "train/build.py": "import ops\n" + BUILD,
                "serve/serve.py": "import sys; import ops\n" + SERVE,
            },
            False,
        ),
        (
            {"train/ops.py": OPS, "train/build.py": "import ops\n" + BUILD, "serve/serve.py": "import sys\n" + SERVE},
            True,
        ),
        ({"build.py": OPS + BUILD, "serve.py": "try:\n    " + SERVE + "except RuntimeError:\n    pass\n"}, False),
    ],
)
def test_ops_where_a_program_is_loaded(files: dict[str, str], wrong: bool, tmp_path: Path) -> None:
    assert ("AOTI420" in [code for code, _ in found(tmp_path, files)]) == wrong


IN_A_FIXTURE = """
import pytest
import ops
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.mylib.shift(x, 1)
@pytest.fixture
def run(tmp_path):
    program = torch.export.export(Net(), (torch.ones(4),))
    path = torch._inductor.aoti_compile_and_package(program, package_path=str(tmp_path / "net.pt2"))
    return torch._inductor.aoti_load_package(path)
"""


def test_pytest_loads_conftest_before_a_test(tmp_path: Path) -> None:
    test = "def test_it(run):\n    assert run(torch.ones(4)).shape == (4,)\n"
    assert found(tmp_path, {"ops.py": OPS, "conftest.py": IN_A_FIXTURE, "test_net.py": test}) == []


THROUGH_A_CLASS = """
class Fragment:
    def __init__(self, namespace):
        self.lib = torch.library.Library(namespace, "FRAGMENT")
    def define(self, schema):
        self.lib.define(schema)

ops = Fragment("mylib")
ops.define("one(Tensor x) -> Tensor")
ops.define("two(Tensor x) -> Tensor")
"""


def test_what_a_helper_defines_is_reported_where_it_is_named(tmp_path: Path) -> None:
    assert found(tmp_path, THROUGH_A_CLASS) == [("AOTI401", 9), ("AOTI401", 10)]


def test_an_autograd_kernel_of_python_is_advice_even_where_a_model_is_exported(tmp_path: Path) -> None:
    text = DEFINE + (
        'lib.impl("shift", lambda x, by: x + by, "AutogradCPU")\n'
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.ops.mylib.shift(x, 1)\n"
        "torch.export.export(Net(), (torch.randn(3),))\n"
    )
    assert found(tmp_path / "one", text) == []
    assert [code for code, _ in found(tmp_path / "two", text.replace("AutogradCPU", "AutogradMeta"))] == ["AOTI401"]


@pytest.mark.parametrize(("key", "wrong"), [("BackendSelect", False), ("CPU", True)])
def test_a_kernel_that_tracing_enters_before_it_looks_for_a_fake(key: str, wrong: bool, tmp_path: Path) -> None:
    text = f"""lib = torch.library.Library("mylib", "FRAGMENT")
lib.define("note(str text) -> ()")
lib.impl("note", print, "{key}")
"""
    assert found(tmp_path, text) == ([("AOTI401", 2)] if wrong else [])


@pytest.mark.parametrize("name", ["torch._subclasses.FakeTensorMode", "torch._subclasses.fake_tensor.FakeTensorMode"])
def test_no_kernel_runs_in_a_fake_mode(tmp_path: Path, name: str) -> None:
    """Run on torch 2.13: the fake runs, and behind the mode the call raises."""
    script = (
        "import torch._subclasses.fake_tensor\n"
        '@torch.library.custom_op("shop::twice", mutates_args=(), device_types="cuda")\n'
        "def twice(x: Tensor) -> Tensor:\n    return x * 2\n"
        "@twice.register_fake\ndef _(x):\n    return torch.empty_like(x)\n"
        f"with {name}() as mode:\n    twice(torch.empty(4))\nwith mode, torch.no_grad():\n    twice(torch.empty(4))\n"
    )
    assert found(tmp_path / "inside", script) == []
    assert found(tmp_path / "behind", script + "twice(torch.empty(4))\n") == [("AOTI419", 12)]
