"""Which steps there are, what leads to what, and where what is found belongs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.map.model import Map, Step
from tests.cli.conftest import Result
from tests.map.scripts import FILES, place
from tests.package.archives import place as place_archive

Lint = Callable[..., Result]


@pytest.fixture
def drawn(project: Path, lint: Lint) -> Callable[..., Map]:
    """The map of some files."""

    def made(*paths: str, **files: str) -> Map:
        place(project, files or FILES)
        result = lint("map", *paths, "--output-format", "json", "--no-cache", "--pedantic")
        assert (result.code, result.err) == (0, "")
        found = Map.model_validate_json(result.out)
        assert found.model_dump(mode="json") == json.loads(result.out)
        return found

    return made


def name(step: Step) -> str:
    at = "" if step.place is None else f" {step.place.filename}:{step.place.location.row}"
    return f"{step.kind} {step.title}{at}"


def arrows(drawn: Map) -> set[tuple[str, str, bool]]:
    steps = {one.id: name(one) for one in drawn.steps}
    return {(steps[one.start], steps[one.end], one.sure) for one in drawn.arrows}


def test_every_kind_of_step_and_what_leads_to_it(drawn: Callable[..., Map]) -> None:
    assert arrows(drawn()) == {
        ("model Net export.py:24", "export torch.export.export export.py:40", True),
        ("op demo::scale export.py:9", "export torch.export.export export.py:40", True),
        ("setting TORCHINDUCTOR_FREEZING export.py:5", "package net.pt2 export.py:41", True),
        ("setting TORCHINDUCTOR_FREEZING export.py:5", "package small.pt2 export.py:44", True),
        ("setting _inductor.max_autotune export.py:6", "package net.pt2 export.py:41", True),
        ("setting _inductor.max_autotune export.py:6", "package small.pt2 export.py:44", True),
        ("export torch.export.export export.py:40", "package net.pt2 export.py:41", True),
        ("export torch.export.export export.py:40", "save program.pt2 export.py:42", True),
        ("save program.pt2 export.py:42", "reload torch.export.load deploy/serve.py:5", False),
        ("reload torch.export.load deploy/serve.py:5", "package again.pt2 deploy/serve.py:6", True),
        # A package is no program: the loader is told of it, and still reads that file.
        ("package again.pt2 deploy/serve.py:6", "load torch.export.load deploy/serve.py:7", True),
        ("package net.pt2 export.py:41", "load aoti_load_package deploy/serve.py:3", False),
        ("package net.pt2 export.py:41", "host main.cpp csrc/main.cpp:3", False),
        ("load aoti_load_package deploy/serve.py:3", "call at the top level deploy/serve.py:4", True),
        ("model Small export.py:33", "export torch.export.export export.py:43", True),
        ("export torch.export.export export.py:43", "package small.pt2 export.py:44", True),
        ("package small.pt2 export.py:44", "load aoti_load_package deploy/serve.py:8", False),
        ("load aoti_load_package deploy/serve.py:8", "call at the top level deploy/serve.py:9", True),
    }


def test_what_is_known_of_a_step(drawn: Callable[..., Map]) -> None:
    steps = {name(one): {(it.name, it.known, it.text) for it in one.details} for one in drawn().steps}
    export = steps["export torch.export.export export.py:40"]
    assert {("x", True, "(batch=4, 8) float32"), ("batch", True, "from 2 to 64"), ("device", True, "cpu")} <= export
    assert steps["package net.pt2 export.py:41"] == {
        ("device", True, "cpu"), ("file", True, "net.pt2"), ("settings", True, "max_autotune=True"),
    }  # fmt: skip
    assert ("input 0", True, "(3, 3) float32") in steps["call at the top level deploy/serve.py:9"]
    assert ("value", True, "1") in steps["setting TORCHINDUCTOR_FREEZING export.py:5"]
    assert ("process", True, "a program of its own, without Python") in steps["host main.cpp csrc/main.cpp:3"]


def test_what_is_found_is_where_it_belongs(drawn: Callable[..., Map]) -> None:
    made = drawn()
    code = {one.fingerprint: one.code for one in made.findings}
    steps = {one.id: name(one) for one in made.steps}
    between = {(code[it], steps[one.start], steps[one.end]) for one in made.arrows for it in one.findings}
    load, call = "load aoti_load_package deploy/serve.py:", "call at the top level deploy/serve.py:"
    assert ("AOTI301", f"{load}8", f"{call}9") in between
    # The bounds are those of a Dim that stands elsewhere.
    assert ("AOTI333", f"{load}3", f"{call}4") in between
    assert ("AOTI616", "package again.pt2 deploy/serve.py:6", "load torch.export.load deploy/serve.py:7") in between
    at = {(code[it], name(one)) for one in made.steps for it in one.findings}
    assert ("AOTI501", "setting TORCHINDUCTOR_FREEZING export.py:5") in at
    assert ("AOTI401", "op demo::unused export.py:19") in at
    placed = {one[0] for one in (*between, *at)} | {code[one] for one in made.elsewhere}
    assert placed == set(code.values())


def test_flows(drawn: Callable[..., Map]) -> None:
    made = drawn()
    assert [(one.folder, one.title) for one in made.flows] == [
        (".", "Net → again.pt2 and 1 more → csrc/main.cpp:3 and 1 more"),
        (".", "Small → small.pt2 → deploy/serve.py:9"),
    ]
    code = {one.fingerprint: one.code for one in made.findings}
    assert {code[one] for one in made.flows[1].findings} >= {"AOTI301", "AOTI501"}
    assert [one.title for one in made.steps if one.id in made.apart] == ["demo::unused"]


CALL = """\
import torch
program = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(2),))
program.module()(torch.ones(2))
"""


def test_only_flows_of_what_was_named(drawn: Callable[..., Map]) -> None:
    made = drawn("a.py", **{"a.py": CALL, "b.py": CALL.replace("ones", "zeros")})
    assert {one.place.filename for one in made.steps if one.place is not None} == {"a.py"}
    assert arrows(made) == {
        ("model torch.nn.Linear", "export torch.export.export a.py:2", True),
        ("export torch.export.export a.py:2", "call at the top level a.py:3", True),
    }


LOOP = """\
import torch

for _ in range(3):
    program = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(2),))
for size in (2, 3):
    program.module()(torch.ones(size))
"""


def test_what_is_told_often_is_one_step(drawn: Callable[..., Map]) -> None:
    made = drawn("loop.py", **{"loop.py": LOOP})
    assert [one.kind for one in made.steps].count("export") == 1
    calls = [{it.name: it.text for it in one.details} for one in made.steps if one.kind == "call"]
    assert sorted(one["input 0"] for one in calls) == ["(2,) float32", "(3,) float32"]


CALLERS = """\
import torch


def build(model, path):
    program = torch.export.export(model, (torch.ones(2),))
    torch._inductor.aoti_compile_and_package(program, package_path=path)


build(torch.nn.Linear(2, 2), "a.pt2")
build(torch.nn.ReLU(), "b.pt2")
torch._inductor.aoti_load_package("a.pt2")(torch.ones(2))
torch._inductor.aoti_load_package("b.pt2")(torch.ones(3))
"""


def test_one_function_serves_several_flows(drawn: Callable[..., Map]) -> None:
    made = drawn("two.py", **{"two.py": CALLERS})
    assert [one.title for one in made.flows] == [
        "torch.nn.Linear → a.pt2 → two.py:11", "torch.nn.ReLU → b.pt2 → two.py:12",
    ]  # fmt: skip
    assert [bool(one.findings) for one in made.flows] == [False, True]
    # Two steps at one place say which is which.
    starts = [it.text for one in made.steps if one.kind == "export" for it in one.details if it.name == "start"]
    assert starts == ["two.py is run: called at two.py:9", "two.py is run: called at two.py:10"]
    assert not [one for one in made.steps if one.kind == "load" and one.details[0].name == "start"]


CHOSEN = """\
import argparse
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x if x.device.type == "cuda" else torch.relu(x)


parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
device = parser.parse_args().device
torch.export.export(Net().to(device), (torch.ones(2, device=device),))
"""


def test_the_defaults_of_options_make_no_step_of_their_own(drawn: Callable[..., Map]) -> None:
    made = drawn("a.py", "Makefile", **{"a.py": CHOSEN, "Makefile": "build:\n\tpython a.py --device cpu\n"})
    told = [{it.name: it.text for it in one.details} for one in made.steps if one.kind == "export"]
    assert [one["start"] for one in told] == ["a.py is run", "Makefile:2 starts it"]
    assert [one["device"] for one in told] == ["option --device (cuda by default)", "cpu"]


def test_nothing_to_draw(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text("print(1)\n", encoding="utf-8")
    result = lint("map", "--output-format", "json")
    assert result.code == 0
    assert Map.model_validate_json(result.out).flows == []
    assert "Nothing is exported or loaded" in lint("map").out


NAMED = """\
import torch

model = torch._inductor.aoti_load_package("dynamic_compiled.pt2")
model(torch.randn(4, 8))
"""


def test_a_named_archive_is_what_is_loaded(drawn: Callable[..., Map], project: Path) -> None:
    place_archive("dynamic_compiled.pt2", project)
    assert arrows(drawn("serve.py", "dynamic_compiled.pt2", **{"serve.py": NAMED})) == {
        ("archive dynamic_compiled.pt2 dynamic_compiled.pt2:1", "load aoti_load_package serve.py:3", True),
        ("load aoti_load_package serve.py:3", "call at the top level serve.py:4", True),
    }


PACKED = """\
import torch

parts = {}
for name in ("small", "large"):
    program = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(2),))
    options = {"aot_inductor.package": True}
    parts[name] = torch._inductor.aot_compile(program.module(), (torch.ones(2),), options=options)
torch._inductor.package.package_aoti("both.pt2", parts)
torch._inductor.aoti_load_package("both.pt2", model_name="small")(torch.ones(2))
"""


def test_several_models_in_one_package(drawn: Callable[..., Map]) -> None:
    found = arrows(drawn("pack.py", **{"pack.py": PACKED}))
    assert ("package aot_compile pack.py:7", "bundle both.pt2 pack.py:8", True) in found
    assert ("bundle both.pt2 pack.py:8", "load aoti_load_package pack.py:9", True) in found
