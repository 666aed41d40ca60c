"""The exported program beside its package: what is noted of operators, and of outputs that differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")

from aoti_lint.rerun.inside.events import Events  # noqa: E402
from aoti_lint.rerun.inside.exported.beside import Beside, expected  # noqa: E402
from aoti_lint.rerun.inside.exported.distances import described, distances  # noqa: E402
from aoti_lint.rerun.inside.files.paths import Paths  # noqa: E402

Noted = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def op() -> Iterator[None]:
    """An operator whose fake forgets the last column, and one that is random."""
    with torch.library._scoped_library("beside", "FRAGMENT") as library:
        library.define("wide(Tensor x) -> Tensor")
        library.impl("wide", lambda x: torch.cat([x, x[:, :1]], 1), "CPU")
        library.impl("wide", lambda x: torch.empty_like(x), "Meta")
        yield


class Wide(torch.nn.Module):  # type: ignore[misc]
    def forward(self, x: Any) -> Any:
        return torch.ops.beside.wide(x) * 2


class Noisy(torch.nn.Module):  # type: ignore[misc]
    def forward(self, x: Any) -> Any:
        return x + torch.rand_like(x)


class Plain(torch.nn.Module):  # type: ignore[misc]
    def forward(self, x: Any) -> Any:
        return x.sin()


def told(noted: Noted) -> Noted:
    """What is noted but that operators are entered and left."""
    return [one for one in noted if one[0] not in ("op", "returned")]


def test_operators_are_noted_before_they_run(op: None) -> None:
    noted: Noted = []

    def note(event: str, **fields: Any) -> int:
        noted.append((event, fields))
        return 8

    program = torch.export.export(Wide(), (torch.ones(2, 3),))
    expected(program.module(), (torch.ones(2, 3),), {}, note)
    assert noted[0] == ("op", {"name": "beside::wide"})
    assert noted[1] == ("returned", {"of": 8, "what": "beside"})


def test_an_operator_whose_fake_promises_another_shape_is_noted(op: None) -> None:
    noted: Noted = []
    program = torch.export.export(Wide(), (torch.ones(2, 3),))
    expected(program.module(), (torch.ones(2, 3),), {}, lambda event, **fields: noted.append((event, fields)))
    wanted = {"name": "beside::wide", "fake": "float32[2, 3] on cpu", "kernel": "float32[2, 4] on cpu"}
    assert told(noted) == [("op-differs", wanted)]


def test_an_operator_that_changes_what_it_is_given_is_noted() -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return torch.ops.writes.zero(x.sin(), 1.0) + torch.ops.writes.said(x.cos())

    noted: Noted = []
    with torch.library._scoped_library("writes", "FRAGMENT") as library:
        library.define("zero(Tensor x, float by) -> Tensor")
        library.impl("zero", lambda x, by: x.mul_(0).clone(), "CPU")
        library.impl("zero", lambda x, by: torch.empty_like(x), "Meta")
        library.define("said(Tensor(a!) x) -> Tensor")
        library.impl("said", lambda x: x.mul_(0).clone(), "CPU")
        library.impl("said", lambda x: torch.empty_like(x), "Meta")
        program = torch.export.export(Model(), (torch.ones(2),))
        given = torch.tensor([1.0, float("nan")])
        expected(program.module(), (given,), {}, lambda event, **fields: noted.append((event, fields)))
    assert told(noted) == [("op-writes", {"name": "writes::zero", "text": "x"})]


def test_the_inputs_are_left_as_they_are() -> None:
    class Changes(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return x.add_(1)

    x = torch.zeros(3)
    program = torch.export.export(Changes(), (torch.zeros(3),))
    assert expected(program.module(), (x,), {}, lambda *_, **__: None).tolist() == [1, 1, 1]
    assert x.tolist() == [0, 0, 0]


def test_distances() -> None:
    one, other = torch.ones(2, 2), torch.tensor([[1.0, 1.0], [float("nan"), 3.0]])
    (found,) = distances([one], None, [other])
    assert (found["same"], found["differing"], found["of_all"], found["most"], found["nan"]) == (False, 2, 4, 2.0, 1)
    assert distances(one, None, one.clone())[0]["same"]
    assert distances(one, None, torch.ones(2))[0] == {
        "same": False,
        "program": described(one),
        "package": "float32[2] on cpu",
    }


def test_rounding_is_no_difference() -> None:
    """The program rounds after each operator, and its package where it likes."""
    exact = torch.linspace(-4, 4, 64)
    wanted = (exact + 0.2).to(torch.bfloat16)
    near, far = (exact - 0.3).to(torch.bfloat16), (exact - 0.6).to(torch.bfloat16)
    assert not distances(wanted, None, near)[0]["same"]
    assert distances(wanted, lambda: exact, near)[0] == {"same": True}
    assert not distances(wanted, lambda: exact, far)[0]["same"]
    near[3] = float("nan")
    assert not distances(wanted, lambda: exact, near)[0]["same"]
    assert not distances(wanted.float(), lambda: exact, exact - 0.3)[0]["same"]


def test_what_the_program_gives_in_float32(tmp_path: Path) -> None:
    layers = [layer for _ in range(4) for layer in (torch.nn.Linear(8, 8), torch.nn.GELU())]
    model = torch.nn.Sequential(*layers).to(torch.bfloat16).eval()
    given = torch.randn(3, 8).to(torch.bfloat16)
    runs, package = beside(tmp_path, model, given)
    wanted, wider = runs.run(package, (given,), {}, flat=False)
    assert (wanted.dtype, wider().dtype) == (torch.bfloat16, torch.float32)
    with torch.no_grad():
        assert torch.allclose(wider(), model.float()(given.float()), atol=1e-6)


def beside(folder: Path, module: Any, example: Any = None) -> tuple[Beside, str]:
    (folder / "events").mkdir()
    paths = Paths(str(folder), "01", False, 0.0)
    package = str(folder / "packages" / "model.pt2")
    Path(package).parent.mkdir(exist_ok=True)
    torch.export.save(
        torch.export.export(module, (torch.ones(3) if example is None else example,)), paths.program(package, 0)
    )
    return Beside(Events(str(folder / "events")), paths), package


def test_the_program_is_found_by_its_package(tmp_path: Path) -> None:
    runs, package = beside(tmp_path, Plain())
    assert torch.equal(runs.run(package, (torch.zeros(3),), {}, flat=False)[0], torch.zeros(3))
    assert runs.run(str(tmp_path / "other.pt2"), (torch.zeros(3),), {}, flat=False) is None


def test_a_program_that_is_random_is_not_compared(tmp_path: Path) -> None:
    runs, package = beside(tmp_path, Noisy())
    assert runs.run(package, (torch.zeros(3),), {}, flat=False) is None
    assert runs.run(package, (torch.zeros(3),), {}, flat=False) is None


class Average(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x: Any) -> Any:
        before = self.seen + 1
        self.seen.mul_(0.9).add_(x.log())
        return before


def test_what_a_buffer_keeps_is_noted_in_the_call_that_put_it_there(tmp_path: Path) -> None:
    runs, package = beside(tmp_path, Average())
    for number, given in enumerate((torch.ones(3), torch.zeros(3), torch.ones(3)), 1):
        wanted, _ = runs.run(package, (given,), {}, flat=False, call=number)
    assert wanted.isneginf().all()
    noted = [json.loads(line) for path in (tmp_path / "events").iterdir() for line in path.read_text().splitlines()]
    (one,) = (event for event in noted if event["event"] == "origin")
    assert (one["of"], one["name"], one["kept"]) == (2, "log", "seen")
    assert [event["names"] for event in noted if event["event"] == "state"] == [["seen"]]
