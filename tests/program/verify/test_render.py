"""The Python text of inputs and of reproductions, without torch."""

from __future__ import annotations

import ast

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.verify.cases import Leaf
from aoti_lint.program.verify.plan import Limits, plan
from aoti_lint.program.verify.protocol import Open, Opened
from aoti_lint.program.verify.render import leaves, python
from aoti_lint.program.verify.snippet import snippet
from tests.program.verify.spaces import scalar, space, tensor

MIXED = space(
    tensor("batch['ids']", "s0", dtype="int64", below=(50,)),
    tensor("x", "s0", 3),
    tensor("h", "s0", dtype="bfloat16"),
    tensor("mask", 3, dtype="bool"),
    scalar("k", 2.5),
    ranges={"s0": (0, 8)},
    base={"s0": 4},
)
OPENED = Opened(roles=("program", "package"), structure="({'ids': *}, *, *, *, k=*)", arguments=5)


def test_every_case_is_python() -> None:
    for case in plan(MIXED, Limits(outside=99)):
        for call in case.calls:
            for leaf in leaves(MIXED, case, call):
                ast.parse(python(leaf), mode="eval")


def test_a_type_nobody_knows_is_refused() -> None:
    with pytest.raises(Unreadable, match="no way to make a tensor of dtype 99"):
        python(Leaf(path="x", kind="tensor", index=0, dtype="dtype 99"))


def test_every_snippet_is_python_and_calls_as_the_structure_says() -> None:
    for case in plan(MIXED, Limits(outside=99)):
        text = snippet(MIXED, case, Open(package="m.pt2", program="ep.pt2"), OPENED)
        ast.parse(text)
        assert "return model({'ids': batch_ids}, x, h, mask, k=" in text


def test_a_structure_that_cannot_be_written_is_put_together_by_torch() -> None:
    opened = OPENED.model_copy(update={"structure": "(Cache(*), *, *, *, k=*)"})
    text = snippet(MIXED, plan(MIXED, Limits())[0], Open(package="m.pt2", program="ep.pt2"), opened)
    ast.parse(text)
    assert "tree_unflatten([batch_ids, x, h, mask, 2.5], exported.call_spec.in_spec)" in text


@pytest.mark.parametrize("values", ["normal", "large", "zeros", "nan", "-inf"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "bool", "complex64"])
@pytest.mark.parametrize("layout", ["plain", "transposed", "sliced", "expanded", "offset"])
def test_what_goes_to_a_device_is_the_whole_tensor(values: str, dtype: str, layout: str) -> None:
    chosen = {"dtype": dtype, "shape": (4, 8), "values": values, "layout": layout, "high": 9}
    leaf = Leaf.model_validate({"path": "x", "kind": "tensor", "index": 0, **chosen})
    here = python(leaf)
    there = ast.parse(python(leaf.model_copy(update={"device": "cuda:0"})), mode="eval").body
    assert isinstance(there, ast.Call)
    assert isinstance(there.func, ast.Attribute)
    assert there.func.attr == "to"
    assert ast.dump(there.func.value) == ast.dump(ast.parse(here, mode="eval").body)
