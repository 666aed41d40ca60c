"""What is learned of a kernel: shapes for any rank, layouts, and what the arguments must be for it to hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.tracing.trials.learned import Fork, Learned, Lost, Made, Returned
from aoti_lint.tracing.trials.templates import Fit, Part, Sample, fitted
from aoti_lint.values.sizes.symbols import Expr
from tests.tracing.trials import HEAD, events


def learned(folder: Path, body: str, params: str = "x: torch.Tensor", call: str = "") -> Learned:
    """What is learned of an op whose kernel has this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head = f'{HEAD}@torch.library.custom_op("lib::op", mutates_args=())\n'
    [event] = events(folder, f"{head}def op({params}) -> torch.Tensor:\n{lines}{call}\n")
    assert event.learned is not None
    return event.learned


def made(found: Learned) -> Made:
    """The one output."""
    assert isinstance(found.outcome, Returned)
    [item] = found.outcome.items
    assert isinstance(item, Made)
    return item


D0, D1, D2 = (Expr("dim", "arg0", i) for i in range(3))


def test_templates_hold_for_every_rank() -> None:
    samples: list[Sample] = [
        ({"arg0": 2}, (D0, Expr("*", Expr("const", 2), D1))),
        ({"arg0": 3}, (D0, D1, Expr("*", Expr("const", 2), D2))),
    ]
    last = Expr("*", Expr("const", 2), Expr("dim", "arg0", -1))
    assert fitted(samples) == Fit((Part("arg0", 0, 1), last))


def test_a_rank_that_does_not_fit_is_pinned() -> None:
    assert fitted([({"arg0": 2}, (D1, D0)), ({"arg0": 3}, None)]) == Fit((D1, D0), pinned=frozenset({"arg0"}))


def test_arguments_that_differ_in_rank_are_tied() -> None:
    other = [Expr("dim", "arg1", i) for i in range(3)]
    samples: list[Sample] = [
        ({"arg0": 2, "arg1": 2}, (Expr("+", D0, other[0]), D1)),
        ({"arg0": 3, "arg1": 3}, (Expr("+", D0, other[0]), D1, D2)),
        ({"arg0": 3, "arg1": 2}, None),
    ]
    fit = fitted(samples)
    assert fit is not None
    assert (fit.template[1:], fit.pinned, fit.tied) == ((Part("arg0", 1),), frozenset(), frozenset({"arg0", "arg1"}))


def test_an_unknown_shape_has_no_template() -> None:
    assert fitted([({"arg0": 2}, None)]) is None


@pytest.mark.parametrize(
    ("body", "layout"),
    [
        ("return x.sin()", "like"),
        ("return torch.empty_like(x)", "like"),
        ("return torch.empty_like(x.contiguous())", "contiguous"),
        ("return x.new_empty(x.shape)", "contiguous"),
        ("return torch.empty_like(x, memory_format=torch.contiguous_format)", "contiguous"),
        ("return torch.empty_like(x, memory_format=torch.channels_last)", "unknown"),
        ("return x.sum(-1, keepdim=True)", "plain"),
        ("return x[:, 1:] * 2", "plain"),
        ("return x.t() * 2", "unknown"),
        ("return x.T * 2", "unknown"),
        ("return x.clone().t_()", "unknown"),
        ("return x.t().contiguous()", "contiguous"),
        ("return x.new_empty(x.shape)[:, ::2]", "part"),
        ("return x.nonzero()", "rows"),
        ("return torch.linalg.inv(x)", "unknown"),
        # Of a matrix a vector, but of something larger a view in any order.
        ("return x[0].clone()", "plain"),
    ],
)
def test_layouts(body: str, layout: str, tmp_path: Path) -> None:
    assert made(learned(tmp_path, body)).layout.kind == layout


@pytest.mark.parametrize(
    ("body", "floats"),
    [
        ("return x.sin()", True),
        ("return x / 2", True),
        ("return torch.empty_like(x)", False),
        ("return x > 0", False),
        ("return x @ x.t()", False),
        ("return x.sum(0)", True),
    ],
)
def test_dtypes_that_integers_do_not_keep(body: str, floats: bool, tmp_path: Path) -> None:
    assert learned(tmp_path, body).floats == (frozenset({"arg0"}) if floats else frozenset())


def test_dtypes_that_have_to_be_the_same(tmp_path: Path) -> None:
    found = learned(tmp_path, "return x @ y", "x: torch.Tensor, y: torch.Tensor")
    assert (found.alike, made(found).dtype) == ((("arg0", "arg1"),), "?arg0")


def test_ranks_are_those_of_the_call(tmp_path: Path) -> None:
    """A bias has one dimension, as the call shows; without it, it would be taken for one of two."""
    body, params = "return x @ w + b", "x: torch.Tensor, w: torch.Tensor, b: torch.Tensor"
    call = "op(torch.ones(2, 4), torch.ones(4, 3), torch.ones(3))"
    assert dict(learned(tmp_path / "1", body, params, call).ranks)["arg2"] == 1
    assert dict(learned(tmp_path / "2", body, params).ranks)["arg2"] == 2


def test_arms(tmp_path: Path) -> None:
    found = learned(tmp_path, "return x.sin() if flag else x.sum()", "x: torch.Tensor, flag: bool").outcome
    assert isinstance(found, Fork)
    assert (found.argument, found.test) == ("arg1", "true")


def test_arms_that_nobody_knows(tmp_path: Path) -> None:
    body = "import os\nreturn x.sin() if os.environ.get('FAST') else x.sum()"
    assert isinstance(learned(tmp_path, body).outcome, Lost)


def test_sizes_of_one_of_a_list_are_not_known(tmp_path: Path) -> None:
    """Each of them may have other sizes."""
    found = learned(tmp_path, "return xs[1].sin()", "xs: list[torch.Tensor]")
    assert isinstance(found.outcome, Lost) or made(found).shape is None
