"""Errors of the compiler that name a node or its operator: the line of the model."""

from __future__ import annotations

import pytest

from aoti_lint.program.facts import OpUse, Place, Program
from aoti_lint.rerun.read.graph_nodes import named


def op(target: str, name: str, line: int) -> OpUse:
    return OpUse(target=target, name=name, outputs=(name,), place=Place(file="model.py", line=line, function="forward"))


PROGRAM = Program.model_construct(
    calls=(op("aten.sin.default", "sin", 5), op("aten.add.Tensor", "add", 6), op("aten.add.Tensor", "add_1", 7),
           op("aten.mul.Tensor", "mul", 8), op("aten.mul.Tensor", "mul_1", 8))
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("LoweringException: ValueError: no\n  target: aten.sin.default\n  args[0]: TensorBox(", "aten.sin.default", 5),
        ("While executing %add_1 : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x,))",
         "aten.add.Tensor", 7),
        ("AssertionError: … but found %sin : [num_users=0] = call_function[target=torch.ops.aten.sin.default]()",
         "aten.sin.default", 5),
        ("  target: aten.mul.Tensor", "aten.mul.Tensor", 8),  # two, at one line
        ("  target: aten.add.Tensor", "aten.add.Tensor", None),  # at two lines
        ("  target: aten.cos.default", "aten.cos.default", None),
    ],
)  # fmt: skip
def test_the_line_of_a_node(text: str, name: str, line: int | None) -> None:
    found = named(text.splitlines(), [PROGRAM])
    assert found is not None
    assert found.name == name
    assert (found.place.line if found.place is not None else None) == line


def test_a_log_that_names_nothing() -> None:
    assert named(["RuntimeError: no", "target: the moon"], [PROGRAM]) is None
