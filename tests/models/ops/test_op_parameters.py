"""What the parameters of ops are, by schemas, by annotations, and by how a function uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.models.ops.op_parameters import LISTED, Parameter, count_of, of_annotation, of_schema, split
from aoti_lint.torch_api.schemas.parser import parse
from tests.tracing.trials import HEAD, of_fake, program


def test_a_schema() -> None:
    text = "op(Tensor(a!) x, Tensor? y, Tensor[] zs, int[2] size, SymInt n=1, *, float eps=1, str how='a, (') -> Tensor"
    assert of_schema(parse(text)) == (
        [
            Parameter("x", "Tensor", mutable=True),
            Parameter("y", "Tensor", optional=True),
            Parameter("zs", "Tensor[]"),
            Parameter("size", "int[]"),
            Parameter("n", "int"),
            Parameter("eps", "float"),
            Parameter("how", "other"),
        ],
        ("Tensor",),
    )


@pytest.mark.parametrize(
    ("result", "count"),
    [
        ("Tensor", 1),
        ("(Tensor, Tensor)", 2),
        ("(Tensor out, Tensor[] rest)", 2),
        ("()", 0),
        ("Tensor(a!)", 1),
        ("int", 1),
        ("Tensor[]", LISTED),
        ("Any", None),
        ("(Tensor, ...)", None),
    ],
)
def test_outputs_of_a_schema(result: str, count: int | None) -> None:
    assert count_of(of_schema(parse(f"op(Tensor(a!) x) -> {result}"))[1]) == count


@pytest.mark.parametrize(
    ("text", "kind", "optional"),
    [
        ("torch.Tensor", "Tensor", False),
        ("Tensor", "Tensor", False),
        ("Optional[torch.Tensor]", "Tensor", True),
        ("torch.Tensor | None", "Tensor", True),
        ("None | Tensor", "Tensor", True),
        ("'torch.Tensor'", "Tensor", False),
        ("list[torch.Tensor]", "Tensor[]", False),
        ("typing.Sequence[Tensor]", "Tensor[]", False),
        ("List[Optional[Tensor]]", "Tensor[]", False),
        ("int", "int", False),
        ("torch.SymInt", "int", False),
        ("Optional[int]", "int", True),
        ("Sequence[int]", "int[]", False),
        ("list[int] | None", "int[]", True),
        ("float", "float", False),
        ("bool", "other", False),
        ("str", "other", False),
        ("torch.dtype", "dtype", False),
        ("torch.device", "device", False),
    ],
)
def test_annotations(text: str, kind: str, optional: bool) -> None:
    assert of_annotation("a", text) == Parameter("a", kind, optional)


def test_commas_inside_of_brackets_do_not_part() -> None:
    assert split("a, b[c, d], (e, f)") == ["a", "b[c, d]", "(e, f)"]


def test_a_parameter_without_annotation_is_what_it_is_used_as(tmp_path: Path) -> None:
    text = (
        HEAD
        + 'lib = torch.library.Library("lib", "FRAGMENT")\n'
        + "def fake(x, n, like):\n    return x.new_empty((n, *x.shape)), torch.empty_like(like)\n"
        + 'torch.library.register_fake("lib::op", fake)\n'
    )
    _, trial = of_fake(tmp_path, text)
    assert set(trial.watch.shapes) == {"arg0", "arg2"}


@pytest.mark.parametrize(
    ("returns", "count"),
    [("torch.Tensor", 1), ("tuple[torch.Tensor, torch.Tensor]", 2), ("None", 0)],
)
def test_outputs_of_annotations(returns: str, count: int, tmp_path: Path) -> None:
    text = program("pass").replace("-> torch.Tensor", f"-> {returns}")
    event, _ = of_fake(tmp_path, text)
    assert event.outputs == count
