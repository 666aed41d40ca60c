"""Schemas of operators: what `parse` and `infer` say, against the parser and `infer_schema` of the torch installed."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys

import pytest

from aoti_lint.ir import nodes
from aoti_lint.ir.lower import lower
from aoti_lint.torch_api.schemas.annotations import Inferred, infer
from aoti_lint.torch_api.schemas.parser import parse
from aoti_lint.torch_api.schemas.schema import Argument, SchemaError
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

needs_torch = pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="asks the parser of torch")


def ask(script: str, given: object) -> object:
    """What a script prints as JSON, with what it is given as `given`, in a process that has torch."""
    program = f"import json, sys, torch\ngiven = json.load(sys.stdin)\n{script}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# ---------------------------------------------------------------- parse


def test_all_parts_of_a_schema_are_read() -> None:
    schema = parse("ns::f.ov(Tensor(a!) x, SymInt[2]? sizes=None, *, float eps=1e-5, ...) -> (Tensor, Tensor(a)[] y)")
    assert (schema.name, schema.overload, schema.open) == ("ns::f", "ov", True)
    x, sizes, eps = schema.arguments
    assert (x.name, x.type, x.alias, x.mutable, x.default, x.keyword_only) == ("x", "Tensor", "a", True, None, False)
    assert (sizes.type, sizes.element, sizes.is_list, sizes.optional) == ("SymInt[2]?", "SymInt", True, True)
    assert (eps.default, eps.keyword_only) == ("1e-5", True)
    assert [(r.type, r.alias, r.name) for r in schema.returns] == [("Tensor", "", ""), ("Tensor[]", "a", "y")]
    assert schema.mutates == ("x",)
    assert [a.name for a in schema.positional] == ["x", "sizes"]
    assert schema.argument("eps") == eps


@pytest.mark.parametrize(
    ("text", "message", "kind"),
    [
        ("f(Tensor x)", "expected `->`, found the end", "syntax"),
        ("f(Tensor x -> Tensor", "expected `)`, found `->`", "syntax"),
        ("f(Tensor x,) -> Tensor", "expected a type, found `)`", "syntax"),
        ("f(Foo x) -> Tensor", "`Foo` is no type of a schema", "type"),
        ("f(int64_t n) -> Tensor", "`int64_t` is no type of a schema", "type"),
        ("f(Tensor x, bool b=true) -> Tensor", "`true` cannot be a default", "default"),
        ("f.default(Tensor x) -> Tensor", "`default` cannot be the name of an overload", "overload"),
        ("f", "expected the arguments in parentheses, found only a name", "syntax"),
        ("f(int in) -> ()", "`in` cannot be the name of an argument", "syntax"),
        ("f(Tensor x, int n=1, int m) -> ()", "`m` has no default and follows an argument that has one", "syntax"),
    ],
)
def test_an_error_says_what_was_expected(text: str, message: str, kind: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse(text)
    assert str(caught.value) == message
    assert caught.value.kind == kind


SCHEMAS = [
    *"""f(Tensor x)->Tensor
f (Tensor x) -> Tensor
f(Tensor[] a, Tensor?[] b, Tensor[]? c, Tensor(a!)[] d) -> Tensor[]
f(Tensor(a -> *) x) -> Tensor(a)[]
f(Tensor(a|b) x) -> Tensor(a|b)
f(Dict(str, Tensor) x) -> ()
f((int, int) x) -> ()
f(Tensor x, ...) -> ...
f(Tensor x, *) -> ()
f(Tensor x, *, int n, *, int m) -> ()
f(Tensor x=1) -> ()
f(Tensor x=None) -> ()
f(int n=1.5, str s="a", int m='b') -> ()
f(bool b=true) -> ()
f(ScalarType d=float, ScalarType? e=bfloat16) -> ()
f(ScalarType d=torch.float32) -> ()
f(Layout l=strided, MemoryFormat? m=contiguous_format) -> ()
f(Device d='cpu') -> ()
f(Device? d='cpu') -> ()
f(Device? d=cpu) -> ()
f(Scalar s=1, complex c=1j) -> ()
f(SymInt n=3, SymBool b) -> ()
f(SymFloat g) -> ()
f(Generator? g=None, Stream s, Storage t, QScheme q) -> ()
f(Dimname d) -> ()
f(List[int] x) -> ()
f(Optional[int] x) -> ()
f(Tuple(int, int) x) -> ()
f(tensor x) -> Tensor
f(t x) -> t
f(torch.Tensor x) -> Tensor
f(int64_t x) -> ()
f(double x) -> ()
f(Future(int) x, Union(int, float) y) -> Any
f(int x) -> int y
f(int x) -> (int y, float z)
f(Tensor x) -> Tensor y junk
f(Tensor x) -> Tensor;
f(Tensor x) -> Tensor, Tensor
f(Tensor x) -> (Tensor
f(Tensor x)) -> Tensor
f(Tensor x) -> None
f(Tensor x) -> (())
f(Tensor) -> Tensor
f(const Tensor x) -> ()
f(Tensor & x) -> ()
f(Tensor! x, int ! n) -> ()
f(Tensor(!) x) -> ()
f(Tensor(a!)? x) -> ()
f(Tensor?(a!) x) -> ()
f(Tensor(a!)[](b!) x) -> ()
f(Tensor?? x) -> ()
f(int[2] a=[1,2], int[3] b=1, SymInt[2] c=-1) -> ()
f(int[2][] x) -> ()
f(int[2](a!) x) -> ()
f(int[]? z=None, int[] y=[]) -> ()
f(int[] z=()) -> ()
f(int[] z=1) -> ()
f(str[] s=["a"]) -> ()
f(Scalar[] s=[1]) -> ()
f(bool[2] m=[True, False]) -> ()
f(int n=-1, int m=- 1, float e=.5, float h=1.) -> ()
f(int n=--1) -> ()
f(float g=inf) -> ()
f(int lambda, int from) -> ()
f(int in) -> ()
f(int class) -> ()
f(int None) -> ()
f(Tensor x # a remark
f(Tensor x y) -> ()
f(int n=None, int m=foo) -> ()
f(Tensor x, int y=3, int z) -> ()
f(Tensor x, int[] y=[], int[] z) -> ()
f(Tensor x, *, int y=3, int z) -> ()
f(Tensor x, Tensor x) -> ()
f(..., Tensor x) -> ()
ns::g::f(Tensor x) -> Tensor
ns.f(Tensor x) -> Tensor
ns::f.a.b(Tensor x) -> Tensor
1f(Tensor x) -> Tensor
f-g(Tensor x) -> Tensor
(Tensor x) -> Tensor
f(__torch__.torch.classes.quantized.Conv2dPackedParamsBase w) -> ()
f(__torch__.Foo w) -> ()""".splitlines(),
    "\n  f(Tensor x) -> Tensor\n",
    "f(\n  Tensor x,\n  # a remark\n  int y\n) -> Tensor",
    "f(Tensor x)\n -> Tensor",
    "f(Tensor x) -> (\nTensor,\nTensor\n)",
    "f(Tensor x) \\\n -> Tensor",
    "",
]

ASK_PARSER = """
answers = []
for text in given:
    try:
        made = torch._C.parse_schema(text, False)
    except RuntimeError:
        answers.append(None)
    else:
        arguments = [
            [a.name, a.kwarg_only, a.has_default_value(), bool(a.alias_info and a.alias_info.is_write)]
            for a in made.arguments
        ]
        answers.append([made.name, made.overload_name, arguments, len(made.returns)])
print(json.dumps(answers))
"""


@needs_torch
def test_torch_and_parse_take_and_refuse_the_same() -> None:
    ours: list[object] = []
    for text in SCHEMAS:
        try:
            made = parse(text)
        except SchemaError:
            ours.append(None)
        else:
            arguments = [[a.name, a.keyword_only, a.default is not None, a.mutable] for a in made.arguments]
            ours.append([made.name, made.overload, arguments, len(made.returns)])
    theirs = ask(ASK_PARSER, SCHEMAS)
    assert isinstance(theirs, list)
    assert dict(zip(SCHEMAS, ours, strict=True)) == dict(zip(SCHEMAS, theirs, strict=True))


@needs_torch
def test_the_schemas_of_torch_itself_are_read() -> None:
    script = """
kept = [s for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")]
print(json.dumps([[str(s), [[a.name, a.kwarg_only, bool(a.alias_info and a.alias_info.is_write)] for a in s.arguments]]
                  for s in kept]))
"""
    known = ask(script, None)
    assert isinstance(known, list)
    read = 0
    for text, arguments in known:
        if re.search(r"\bt(Val|\d)?\b", text):
            continue  # Type variables, which `define` does not take.
        made = parse(text)
        read += 1
        assert [[a.name, a.keyword_only, a.mutable] for a in made.arguments] == arguments, text
    assert read > 2500


# ---------------------------------------------------------------- infer

PRELUDE = """
import collections.abc, typing, torch
from typing import Any, Callable, List, Literal, Optional, Sequence, Tuple, Union
from torch import Tensor
from torch.types import Number
"""
NAMES = {
    "Tensor": "torch.Tensor", "Number": "torch.types.Number",
    **{name: f"typing.{name}" for name in ("Any", "Callable", "List", "Literal", "Optional", "Sequence")},
    "Tuple": "typing.Tuple", "Union": "typing.Union",
}  # fmt: skip


def resolve(node: nodes.Expr) -> str:
    if isinstance(node, nodes.Attr):
        base = resolve(node.base)
        return f"{base}.{node.name}"
    assert isinstance(node, nodes.Name)
    return NAMES.get(node.id, node.id)


def inferred(text: str, mutates: frozenset[str] = frozenset(), *, strings: bool = False) -> Inferred:
    made = lower(text, "m.py").body[-1]
    assert isinstance(made, nodes.FunctionDef)
    return infer(made, "m.py", resolve, mutates, strings=strings)


PARAMETERS = [
    "Tensor", "Tensor | None", "Optional[Tensor]", "Union[Tensor, None]", "List[Tensor]", "list[Tensor]",
    "Sequence[Tensor]", "list[Tensor | None]", "List[Optional[Tensor]]", "Optional[list[Tensor]]",
    "list[Tensor] | None",
    "int", "Optional[int]", "list[int]", "list[int] | None", "Optional[List[int]]", "Sequence[int] | None",
    "collections.abc.Sequence[int]", "tuple[int, ...]", "Tuple[int]", "list[list[int]]", "list[int | None]",
    "float", "Optional[List[float]]", "bool", "list[bool] | None", "str", "str | None", "list[str]",
    "Number", "Optional[Number]", "Union[int, float, bool]", "int | float | bool | None", "Union[int, float]",
    "list[Number]", "Optional[List[Number]]", "torch.dtype", "torch.dtype | None", "list[torch.dtype]", "torch.device",
    "Optional[torch.device]", "dict", "Any", "object", "Callable", "Literal['a']", "torch.SymInt", "torch.Size",
    "torch.layout", "list", "List", "complex", "None", "'Tensor'", "list['Tensor']", "'int | None'",
    "\"Optional[Tensor]\"",
    "torch.types.Device", "torch.nn.Parameter", "typing.Sequence[float]", "Optional[Optional[int]]",
]  # fmt: skip
RETURNED = [
    "None", "Tensor", "tuple[Tensor, Tensor]", "Tuple[Tensor, ...]", "Tuple[Tensor]", "list[Tensor]", "List[Tensor]",
    "Sequence[Tensor]", "int", "float", "bool", "str", "Tensor | None", "Optional[Tensor]", "tuple[Tensor, int]",
    "tuple", "torch.dtype", "tuple[Tensor, list[Tensor]]", "tuple[Tensor, Tensor | None]", "Any", "'None'", "list[int]",
    "Number", "Union[int, float, bool]", "'Tuple[Tensor, Tensor]'",
]  # fmt: skip

ASK_INFERENCE = f"""
answers = []
for text in given:
    names = {{}}
    exec({PRELUDE!r} + text, names)
    try:
        answers.append(torch.library.infer_schema(names["f"], mutates_args=()))
    except ValueError:
        answers.append(None)
print(json.dumps(answers))
"""


@needs_torch
@pytest.mark.parametrize(
    "texts",
    [
        [f"def f(x: {annotation}) -> Tensor: ...\n" for annotation in PARAMETERS],
        [f"def f(x: Tensor) -> {annotation}: ...\n" for annotation in RETURNED],
        [
            "def f(x) -> Tensor: ...\n",
            "def f(x: Tensor): ...\n",
            "def f(x: Tensor, /) -> Tensor: ...\n",
            "def f(*x: Tensor) -> Tensor: ...\n",
            "def f(**x: Tensor) -> Tensor: ...\n",
            "def f(x: Tensor, *, n: int = 3, e: float = -1e-5, s: str = 'a', y: Tensor | None = None) -> None: ...\n",
            "def f(x: Tensor, n: list[int] = [1]) -> Tensor: ...\n",
            "def f(x: Tensor, n: list[int] = ()) -> Tensor: ...\n",
        ],
    ],
    ids=["parameters", "returns", "others"],
)
def test_torch_and_infer_make_the_same_schema(texts: list[str]) -> None:
    theirs = ask(ASK_INFERENCE, texts)
    assert isinstance(theirs, list)
    newest = VersionSet(["2.13"])
    for text, known in zip(texts, theirs, strict=True):
        made = inferred(text)
        assert any(fault.failing & newest for fault in made.faults) == (known is None), (text, known, made)
        if known is not None:
            schema = parse("f" + known)
            said = [(a.name, a.type, a.keyword_only, a.default is not None) for a in made.arguments]
            assert said == [(a.name, a.type, a.keyword_only, a.default is not None) for a in schema.arguments], text
            assert made.returns is not None
            unwrapped = [kind.removeprefix("(").removesuffix(")") for kind in (r.type for r in schema.returns)]
            assert [r.type for r in made.returns] == unwrapped, text


def failing(text: str, strings: bool = False) -> VersionSet:
    found = VersionSet()
    for fault in inferred(text, strings=strings).faults:
        found |= fault.failing
    return found


def test_what_newer_releases_take() -> None:
    assert failing("def f(x: Tensor, n: List[int]) -> Tensor: ...\n") == VersionSet()
    assert failing("def f(x: Tensor, n: list[int]) -> Tensor: ...\n") == VersionSet.between("2.4", "2.6")
    assert failing("def f(x: Tensor) -> list[Tensor]: ...\n") == VersionSet.between("2.4", "2.6")
    assert failing("def f(x: 'Tensor') -> Tensor: ...\n") == VersionSet(["2.4"])
    assert failing("def f(x: Tensor) -> Tensor: ...\n", strings=True) == VersionSet(["2.4"])
    assert failing("def f(x: Tensor, s: str = 'a') -> Tensor: ...\n") == VersionSet(["2.4"])
    assert failing("def f(x: dict) -> Tensor: ...\n") == SUPPORTED


def test_what_is_not_known_is_no_fault() -> None:
    made = inferred("def f(x: 'a.b.C', y: mylib.Array, z: list[mylib.Array]) -> mylib.Array: ...\n")
    assert made.faults == ()
    assert [a.type for a in made.arguments] == ["", "", ""]
    assert made.returns is None


def test_names_in_mutates_args() -> None:
    text = "def f(x: Tensor, n: int) -> None: ...\n"
    assert inferred(text, frozenset({"x"})).arguments[0] == Argument("x", "Tensor", mutable=True)
    assert ["'y'" in fault.message for fault in inferred(text, frozenset({"y"})).faults] == [True]
    assert ["only Tensors" in fault.message for fault in inferred(text, frozenset({"n"})).faults] == [True]
