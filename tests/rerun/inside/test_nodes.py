"""The exported program node by node: who made the first bad number, or the index that is outside."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")

from aoti_lint.rerun.inside.exported import eager, nodes  # noqa: E402

INF = float("inf")


def fault(forward: Any, *args: Any, example: tuple[Any, ...] | None = None, **buffers: Any) -> dict[str, Any] | None:
    """What is said of a call with these arguments of a module with this `forward`, exported for `example`."""

    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            for name, value in buffers.items():
                self.register_buffer(name, value)

        def forward(self, *inputs: Any) -> Any:
            return forward(self, *inputs)

    program = torch.export.export(Model(), example or args)
    return nodes.run(program, program.module(), args, {})


def named(found: dict[str, Any] | None) -> tuple[str, str] | None:
    return (found["kind"], found["name"]) if found is not None else None


def test_the_operator_that_made_the_first_infinity() -> None:
    found = fault(lambda _, x: (x.log() - x.log().mean(-1, keepdim=True)).relu(), torch.tensor([[0.0, 1.0]]))
    assert named(found) == ("node", "log")
    assert found is not None
    assert found["given"] == ("float32[1, 2] from 0 to 1",)
    assert found["bad"] == "float32[1, 2] from 0 to 0, 1 -inf"
    assert "test_nodes.py" in found["stacks"][0]


def test_nothing_is_said_of_good_outputs() -> None:
    assert fault(lambda _, x: torch.nan_to_num(x.log()), torch.zeros(2)) is None
    masked = fault(lambda _, x, skip: x.masked_fill(skip, -INF), torch.ones(2), torch.tensor([True, False]))
    assert named(masked) == ("mask", "masked_fill")


def test_an_input_and_a_weight() -> None:
    found = fault(lambda self, x: (x * self.scale).tanh() + 1, torch.tensor([1.0, float("nan")]), scale=torch.ones(2))
    assert named(found) == ("input", "inputs_0")
    assert found is not None
    assert found["taker"]["name"] == "mul"
    found = fault(lambda self, x: (x - 2.0) * self.scale, torch.tensor([1.0, 2.0]), scale=torch.tensor([1.0, INF]))
    assert named(found) == ("weight", "scale")


@pytest.mark.parametrize("how", ["fill", "where", "add"])
def test_a_row_that_is_masked_is_no_infinity_of_the_mask(how: str) -> None:
    mask = torch.tensor([[True, True], [False, True]])
    forwards = {
        "fill": lambda _, x, skip: torch.softmax(x.masked_fill(skip, -INF), -1),
        "where": lambda _, x, skip: torch.softmax(torch.where(skip, torch.full_like(x, -INF), x), -1),
        "add": lambda _, x, skip: torch.softmax(x + skip, -1),
    }
    given = torch.zeros(2, 2).masked_fill(mask, -INF) if how == "add" else mask
    assert named(fault(forwards[how], torch.zeros(2, 2), given)) == ("node", "softmax")


def test_which_operator_masks() -> None:
    found = fault(
        lambda _, x, skip: torch.softmax(torch.zeros_like(x).masked_fill(skip, -INF) + x, -1), torch.zeros(2, 2),
        torch.tensor([[True, True], [False, True]]),
    )  # fmt: skip
    assert found is not None
    assert named(found["masks"][0]) == ("node", "masked_fill")


def test_an_operator_with_branches() -> None:
    def forward(_: Any, x: Any) -> Any:
        return torch.cond(x.sum() < 0, lambda x: x.sqrt(), lambda x: x.sin(), (x,)) * 2

    found = fault(forward, torch.tensor([-1.0, -2.0]))
    assert named(found) == ("node", "cond")
    assert found is not None
    assert found["given"] == ("bool[] from 1 to 1", "float32[2] from -2 to -1")


def test_an_operator_that_overflows() -> None:
    x = torch.full((2, 2), 300.0, dtype=torch.float16)
    found = fault(lambda _, x: torch.softmax(x @ x, -1), x)
    assert named(found) == ("node", "matmul")


def test_who_changed_memory_in_place() -> None:
    def forward(_: Any, x: Any) -> Any:
        made = torch.ones_like(x)
        made.copy_(x)
        made.log_()
        return made + 1

    assert named(fault(forward, torch.tensor([-1.0]))) == ("node", "log_")


def test_memory_that_nothing_has_written_is_nobodys_fault() -> None:
    def forward(_: Any, x: Any) -> Any:
        made = torch.empty_like(x)
        made.copy_(x)
        return made.sqrt()

    assert named(fault(forward, torch.tensor([-1.0]))) == ("node", "sqrt")


def test_a_custom_operator() -> None:
    with torch.library._scoped_library("nodes", "FRAGMENT") as library:
        library.define("zeroes(Tensor x) -> Tensor")
        library.impl("zeroes", lambda x: x / 0 - x / 0, "CPU")
        library.impl("zeroes", torch.empty_like, "Meta")
        found = fault(lambda _, x: torch.ops.nodes.zeroes(x).sin(), torch.ones(2))
    assert named(found) == ("op", "nodes::zeroes")


def test_an_index_that_came_in() -> None:
    found = fault(
        lambda self, i: torch.nn.functional.embedding(i.flatten(), self.table), torch.tensor([[0, 7]]),
        example=(torch.tensor([[0, 1]]),), table=torch.ones(4, 2),
    )  # fmt: skip
    assert found is not None
    assert (found["raised"], found["name"], found["type"]) == (True, "embedding", "IndexError")
    assert named(found["index"]) == ("input", "inputs_0")
    assert found["index"]["given"] == ("int64[2] from 0 to 7",)


def test_an_index_that_was_computed() -> None:
    def forward(self: Any, x: Any) -> Any:
        bucket = (x * 4).floor().long()
        return torch.gather(self.table, 0, bucket.sort(-1).values)

    found = fault(forward, torch.tensor([0.5, 1.0]), example=(torch.tensor([0.1, 0.2]),), table=torch.ones(4))
    assert found is not None
    assert (found["raised"], found["name"]) == (True, "gather")
    assert named(found["index"]) == ("node", "to")
    assert "bucket =" in found["index"]["stacks"][0]


def test_named_arguments_in_another_order() -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *, good: Any, bad: Any) -> Any:
            return good + bad.log()

    program = torch.export.export(Model(), (), {"good": torch.ones(2), "bad": torch.ones(2)})
    given = {"bad": torch.zeros(2), "good": torch.ones(2)}
    assert named(nodes.run(program, program.module(), (), given)) == ("node", "log")


class Distance(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(2))

    def forward(self, a: Any, *, b: Any) -> Any:
        squared = ((a - b) * self.scale).sum(-1)
        return helped(squared).relu() + 1


def helped(squared: Any) -> Any:
    return torch.sqrt(squared)


def called(a: Any, b: Any, scale: Any = None) -> dict[str, Any] | None:
    """What is said of a call of a model that runs as it is written."""
    model = Distance()
    if scale is not None:
        model.scale.data = scale
    mode = eager._mode((model, a), {"b": b})
    with mode:
        out = model(a, b=b)
    found: dict[str, Any] | None = mode.fault(out)
    return found


def test_a_model_that_is_not_compiled() -> None:
    """Here the line of a helper is known too."""
    one = torch.ones(2)
    found = called(one, 2 * one)
    assert named(found) == ("node", "sqrt")
    assert found is not None
    assert "return torch.sqrt(squared)" in found["stacks"][0]
    assert called(2 * one, one) is None
    assert named(called(one, b=torch.tensor([1.0, float("nan")]))) == ("input", "b")
    assert named(called(2 * one, one, torch.tensor([1.0, float("nan")]))) == ("weight", "scale")


def test_an_error_of_the_model_is_its_own() -> None:
    mode = eager._mode((Distance(),), {})
    with pytest.raises(RuntimeError, match="size of tensor"), mode:
        torch.ones(2) + torch.ones(3)
