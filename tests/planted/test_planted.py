"""What is planted is a mistake of its kind, is told where it stands, and nowhere else counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutation.source import apply
from tests.planted.__main__ import table
from tests.planted.measure import Outcome, chosen, sites, try_all
from tests.planted.packages import packages
from tests.planted.plant import KINDS, Plant
from tests.planted.source import Source

FILES = {
    "exporting.py": """import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.inner(x) + self.inner(y)


def package():
    model = Net().eval()
    rows = Dim("rows", min=2, max=64)
    x = torch.randn(4, 8)
    shapes = {"x": {0: rows}, "y": {0: rows}}
    with torch.no_grad():
        program = torch.export.export(model, (x, x), dynamic_shapes=shapes, strict=False)
    program.module()(x, x)
    path = torch._inductor.aoti_compile_and_package(program, package_path="net_compiled.pt2")
    return torch._inductor.aoti_load_package(path)


def one_input():
    model = torch.nn.Linear(8, 8).eval()
    rows = Dim("rows")
    x = torch.randn(4, 8)
    with torch.no_grad():
        program = export(model, (x,), dynamic_shapes=({0: rows},))
    return program.module()


def decomposed():
    with torch.no_grad():
        program = export(torch.nn.Linear(8, 8), (torch.randn(4, 8),))
    program = program.run_decompositions()
    torch.export.save(program, "linear.pt2")


def onnx():
    model = torch.nn.Linear(8, 8).eval()
    torch.onnx.export(model, (torch.randn(2, 8),), "net.onnx", input_names=["x"], dynamo=True)
""",
    "compiling.py": """import os

import torch

os.environ["TORCHINDUCTOR_CACHE_DIR"] = "cache"

import torch._inductor.config

torch._inductor.config.max_autotune = True


@torch.compile(fullgraph=True)
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def compiled() -> torch.Tensor:
    model = torch.nn.Linear(8, 8)
    with torch._inductor.config.patch(epilogue_fusion=True):
        model = torch.compile(model, mode="max-autotune", backend="inductor")
    torch.compiler.reset()
    return model(twice(torch.randn(2, 8)))
""",
    "operators.py": """import torch
from torch import Tensor

library = torch.library.Library("planted_library", "DEF")
library.define("negated(Tensor x) -> Tensor")
library.impl("negated", lambda x: x.neg(), "CPU")
torch.library.register_fake("planted_library::negated")(lambda x: torch.empty_like(x))


@torch.library.custom_op("planted::scaled", mutates_args=())
def scaled(x: Tensor, n: int) -> Tensor:
    return torch.empty(x.shape[0], n, dtype=torch.bfloat16, device=x.device)


@torch.library.register_fake("planted::scaled")
def _(x: Tensor, n: int) -> Tensor:
    rows = x.shape[0]
    torch._check(rows > 0)
    return torch.empty(rows, n, dtype=torch.bfloat16, device=x.device)


@torch.library.custom_op("planted::filled", mutates_args=("x",), device_types="cpu")
def filled(x: Tensor, value: float) -> tuple[Tensor, Tensor]:
    x.fill_(value)
    return x.clone(), x + 1


@filled.register_fake
def _(x: Tensor, value: float) -> tuple[Tensor, Tensor]:
    return torch.empty_like(x), torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.planted.filled(x, 1.0)


program = torch.export.export(Net(), (torch.randn(4, 8),))
""",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "pyproject.toml").touch()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def outcomes(project: Path) -> list[Outcome]:
    return list(try_all(chosen(sites(project), seed=1, each=1)))


def test_right_files_are_silent(outcomes: list[Outcome]) -> None:
    assert {one.site.file for one in outcomes} == FILES.keys()
    assert [line for one in outcomes for line in one.before] == []


def test_every_kind_has_a_place(outcomes: list[Outcome]) -> None:
    assert {one.site.kind for one in outcomes} == KINDS.keys()


def test_every_mistake_is_told_where_it_stands(outcomes: list[Outcome]) -> None:
    assert [f"{one.site.kind} {one.row} {one.elsewhere}" for one in outcomes if not one.told] == []


def test_a_place_is_changed_there_alone(outcomes: list[Outcome]) -> None:
    for one in outcomes:
        data = FILES[one.site.file].encode()
        assert one.text == apply(data, one.site.plant.edits) != data


def test_what_is_new_elsewhere_does_not_count(project: Path) -> None:
    """A fake is gone, which is told of its op."""
    (site,) = (one for one in sites(project) if one.kind == "fake-missing")
    (whole, alone) = try_all([site, replace(site, plant=Plant(site.plant.edits, ()))])
    assert (whole.codes, whole.elsewhere) == (("AOTI401",), ())
    assert (alone.codes, alone.elsewhere) == ((), ("AOTI401",))


def test_no_place_where_the_failure_is_caught_or_expected_or_never_reached() -> None:
    text = """import pytest
import torch


def caught(model):
    try:
        return torch.compile(model, fullgraph=True)
    except TypeError:
        return model


def test_fails(model):
    with pytest.raises(TypeError):
        torch.compile(model, fullgraph=True)


@pytest.mark.skip
def test_skipped(model):
    torch.compile(model, fullgraph=True)


def not_yet(model):
    raise NotImplementedError
    torch.compile(model, fullgraph=True)
"""
    source = Source(text.encode())
    assert [name for name, planter in KINDS.items() if list(planter(source))] == []


def test_the_same_seed_takes_the_same_places(project: Path) -> None:
    first, second = (chosen(sites(project), seed=3, each=1) for _ in range(2))
    assert [(one.kind, one.plant.edits) for one in first] == [(one.kind, one.plant.edits) for one in second]


def test_the_table_counts_what_was_told(outcomes: list[Outcome]) -> None:
    lines = table(outcomes)
    assert len(lines) == len(KINDS) + 2
    assert lines[-1].split()[:3] == ["all", str(len(outcomes)), str(sum(one.told for one in outcomes))]


def test_the_packages_are_listed_once_with_a_version() -> None:
    every = packages()
    assert len({one.name for one in every}) == len(every)
    assert all(one.version and one.form in ("sdist", "wheel") for one in every)
