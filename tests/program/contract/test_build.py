"""Contracts of programs and packages, and what is refused."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program import facts
from aoti_lint.program.contract.build import build
from aoti_lint.program.contract.cpp_source import cpp_source
from aoti_lint.program.contract.model import Contract, Mismatch
from aoti_lint.program.contract.python_source import python_source
from aoti_lint.program.contract.words import strides_text, symbol_text
from tests.program.contract.calls import parse
from tests.program.contract.test_recorded import load

RECORDED = Path(__file__).parent / "recorded"


def files(name: str) -> tuple[facts.Package, facts.Program]:
    """What the files of a recorded model say."""
    recording = load(RECORDED / f"{name}.json")
    return facts.Package(**recording["package"]), facts.Program(**recording["program"])


def both(name: str) -> Contract:
    return build(*files(name))


def violations(contract: Contract, *args: Any, **kwargs: Any) -> list[str]:
    """What the validator says of tensors written as in `calls`."""
    module: dict[str, Any] = {}
    exec(python_source(contract, "model.pt2"), module)
    found: list[str] = module["violations"](
        *(parse(arg) if isinstance(arg, str) and "[" in arg else arg for arg in args), **kwargs
    )
    return found


def test_the_program_gives_names_ranges_and_conditions() -> None:
    contract = both("guards")
    assert [node.path for node in contract.positional] == ["x", "y"]
    assert contract.symbols["s77"] == facts.Range(min=4, max=37)
    assert contract.least == {"s77": 4, "s17": 0}
    assert contract.guards == ("x.shape[0] + y.shape[0] < 40",)
    assert symbol_text(contract, "s77") == "4 to 37 within the conditions"
    assert "within" not in symbol_text(contract.model_copy(update={"guards": ()}), "s77")


def test_messages() -> None:
    assert violations(both("range"), "float32[65, 8]") == ["x: dim 0 is 65; this model takes 64 at most (s77)"]
    assert violations(both("next"), "float32[4, 8]", "float32[4, 8]") == [
        "y: dim 0 is 4; it must be 5 (x.shape[0] + 1)"
    ]
    assert violations(both("quarters"), "float32[13, 8]") == ["x: dim 0 does not fit: it must be of the form 4*s63"]
    assert violations(both("frozen"), "float64[4, 8]", 5, 1.5, True, "relu", None) == [
        "k was fixed to 3 when the model was exported; the package ignores the 5 you pass",
        "x is float64; this model takes float32",
    ]
    assert violations(both("static"), "float32[4, 8](1, 4)") == [
        "x has the strides (1, 4); the model was compiled for (8, 1) and reads them so: "
        "copy it into that layout, by .contiguous() if it was compiled for a contiguous one"
    ]
    assert violations(both("static"), None) == ["x is None; this model takes a tensor here"]
    assert violations(both("halves"), "float32[2, 8]") == ["x.shape[0] >= 4 must hold; x.shape[0] = 2"]


def test_sizes_of_one_are_accepted_where_the_program_says_so_and_nothing_was_cut_for_two() -> None:
    assert violations(both("range"), "float32[1, 8]") == []
    assert violations(both("first_two"), "float32[1, 8]") == ["x: dim 0 is 1; this model takes 2 to 64 (s77)"]
    assert "x[:2]" in both("first_two").notes[0] or "slice" in both("first_two").notes[0]


def test_the_order_of_a_dict_is_looked_at() -> None:
    contract = both("nested")
    batch = {"mask": None, "ids": None, "list": [None, (None, None)]}
    found = violations(contract, "float32[4, 8]", batch, point=None, pair=None, scale=2)
    assert found[0] == (
        "batch has its keys in the order ['mask', 'ids', 'list']; the package does not look at them, it takes "
        "the tensors in the order ['ids', 'mask', 'list']"
    )


def test_the_wrong_program_is_refused() -> None:
    for package, program, text in (
        ("range", "guards", "the program takes 2 tensors and the package 1"),
        ("range", "static", "x: the program takes 4 in dim 0 and the package any size"),
        ("static", "range", "x: the program takes any size in dim 0 and the package 4"),
        ("shared", "empty", "nothing: the program takes 0 in dim 0 and the package any size"),
        ("static", "image", "x: the program takes 4 dims and the package 2"),
    ):
        with pytest.raises(Mismatch, match=text):
            build(files(package)[0], files(program)[1])


def test_a_package_alone_says_what_it_does_not_know() -> None:
    contract = build(files("range")[0], None)
    assert contract.positional[0].path == "args[0]"
    assert violations(contract, "float32[1, 8]") == []
    assert violations(contract, "float32[65, 8]") == ["args[0]: dim 0 is 65; this model takes 64 at most (s77)"]
    text = python_source(contract, "model.pt2")
    for words in ("names of positional arguments", "lower bound of 2", "no conditions between sizes"):
        assert words in " ".join(text.split())
    frozen = python_source(build(files("frozen")[0], None), "model.pt2")
    assert "The package ignores Python values" in " ".join(frozen.split())


def test_a_package_alone_has_the_names_that_inspect_gives_it() -> None:
    package = files("range")[0]
    contract = build(package, None)
    assert [one.path for one in contract.inputs] == [one.path for one in package.inputs] == ["args[0]"]
    # A keyword may be called as the list of the others is, or as its parameters are.
    tensor = package.inputs[0].tensor
    inputs = tuple(
        facts.Input(name=path, path=path, kind="tensor", tensor=tensor) for path in ("args[0]", "arg0", "args")
    )
    both = build(package.model_copy(update={"structure": "(*, arg0=*, args=*)", "inputs": inputs}), None)
    assert [one.path for one in both.inputs] == ["positional[0]", "arg0", "args"]
    assert "def check_inputs(arg0_: Any, /, *, arg0: Any, args: Any) -> None:" in python_source(both, "model.pt2")


def test_a_package_without_its_source_is_refused_alone() -> None:
    package, program = files("range")
    blind = package.model_copy(update={"readable": False, "inputs": ()})
    with pytest.raises(Mismatch, match="no wrapper source"):
        build(blind, None)
    assert build(blind, program).positional[0].path == "x"


def test_nothing_from_a_file_becomes_code() -> None:
    """Names, keys and symbols are whatever somebody wrote into the file."""
    bad = "a'] + [exec('1/0')] + {0}\"\\\n# "
    tensor = facts.Tensor(dtype=f"float{bad}", shape=(f"s0 + __import__({bad!r})", "s0", 4), strides=None, device="cpu")
    program = files("range")[1].model_copy(
        update={
            "name": bad,
            "torch_version": bad,
            "signature": bad,
            "structure": f"({{{bad!r}: *, 'b': *}})",
            "inputs": tuple(
                facts.Input(name="x", path=f"{bad}[{key!r}]", kind="tensor", tensor=tensor) for key in (bad, "b")
            ),
            "guards": (f"x.shape[0] == {bad}", "exec('1/0') == 1", f"L[{bad!r}].shape[0] == 3", "Symbol('x y') == 2"),
            "dims": {"s0": facts.Range(min=3, max=9), bad: facts.Range(min=None, max=None)},
        }
    )
    contract = build(None, program)
    assert len(contract.unchecked) == 4
    module: dict[str, Any] = {}
    text = python_source(contract, bad)
    exec(text, module)
    given = {bad: parse("float32[4, 4, 4]"), "b": parse("float32[5, 12, 4]")}
    assert any("dim 1 is 12; it must be 4" in problem for problem in module["violations"](given))
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert not names & {"exec", "__import__", "a"}
    header = cpp_source(contract, bad)
    assert all(line.startswith("//") for line in header[: header.index("#pragma once")].splitlines())
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"|//.*', "", header)
    assert "exec" not in code
    assert code.count('"') == 0


def test_generated_text_is_the_same_every_time() -> None:
    assert python_source(both("nested"), "a") == python_source(both("nested"), "a")
    assert cpp_source(both("nested"), "a") == cpp_source(both("nested"), "a")


def _program(shape: tuple[facts.Size, ...], strides: tuple[facts.Size, ...], *guards: str) -> facts.Program:
    tensor = facts.Tensor(dtype="float32", shape=shape, strides=strides, device="cpu")
    dims = {f"s{number}": facts.Range(min=0, max=None) for number in range(3)}
    return files("range")[1].model_copy(update={
        "signature": "x", "structure": "(*)", "guards": guards, "dims": dims, "calls": (),
        "inputs": (facts.Input(name="x", path="x", kind="tensor", tensor=tensor),),
    })  # fmt: skip


def test_conditions_with_and_and_or_are_checked() -> None:
    program = _program(("s0", "s1"), ("s1", 1), "x.shape[0] >= 1 and x.shape[0] <= x.shape[1]",
                       "x.shape[1] == 8 or x.shape[1] % 3 == 0")  # fmt: skip
    contract = build(None, program)
    assert contract.unchecked == ()
    assert violations(contract, "float32[2, 8]") == []
    assert violations(contract, "float32[2, 9]") == []
    assert any("x.shape[0] <= x.shape[1]" in text for text in violations(contract, "float32[9, 8]"))
    assert any(" or " in text for text in violations(contract, "float32[2, 7]"))
    assert "||" in cpp_source(contract, "model.pt2")


@pytest.mark.parametrize(
    ("shape", "strides", "words"),
    [
        ((2, 3, "s0", "s1"), ("3*s0*s1", "s0*s1", "s1", 1), "contiguous"),
        ((2, 3, "s0", "s1"), ("3*s1*s0", "s1*s0", "s1", 1), "contiguous"),
        (("s2", "s0", "s1"), ("s0*max(1, s1)", "max(1, s1)", 1), "contiguous"),
        ((2, 3, "s0", "s1"), ("3*s0*s1", 1, "3*s1", 3), "strides (3*s0*s1, 1, 3*s1, 3)"),
        (("s0", "s1"), ("s0", 1), "strides (s0, 1)"),
    ],
)
def test_contiguous_is_said_whatever_the_order_of_the_factors(
    shape: tuple[facts.Size, ...], strides: tuple[facts.Size, ...], words: str
) -> None:
    (item,) = build(None, _program(shape, strides)).inputs
    assert strides_text(item) == words
