"""Makes plans for small projects in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.rerun.plan.plan import Plan, Stage, Step
from aoti_lint.rerun.plan.planner import Planner, Wanted
from aoti_lint.rerun.plan.target import Target, of_command, of_script

PYTHON = "/nowhere/bin/python"
"""An interpreter without torch: what a plan says must not hang on the machine of the test."""

EXPORT = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.log(x) + 1


program = torch.export.export(Net(), (torch.ones(4, 8),), dynamic_shapes=({0: torch.export.Dim("b")},))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
SERVE = """\
import torch

run = torch._inductor.aoti_load_package("net.pt2")
print(run(torch.ones(16, 8)))
"""
TRACE = """\
import torch

step = torch.compile(torch.nn.Linear(8, 8), mode="reduce-overhead")
print(step(torch.ones(2, 8)))
"""
WHOLE = EXPORT + SERVE.removeprefix("import torch\n")


def write(folder: Path, **files: str) -> None:
    """Write `name=text` as `name.py`."""
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")


def plan(target: str | Target, **wanted: str) -> Plan:
    """The plan for a script or another target, for torch 2.13 on the CPU unless something else is wanted."""
    given = {"torch_version": "2.13", "device": "cpu", **wanted}
    made = of_script(target, [], PYTHON) if isinstance(target, str) else target
    return Planner(made, Wanted(**given)).plan()  # type: ignore[arg-type]


def command(*words: str) -> Target:
    return of_command(list(words))


def stage(made: Plan, name: str) -> Stage:
    """The stage of that name, which has to be there."""
    found = [one for one in made.stages if one.name == name]
    assert len(found) == 1, [one.name for one in made.stages]
    return found[0]


def names(made: Plan) -> list[str]:
    return [one.name for one in made.stages]


def steps(made: Plan) -> list[Step]:
    """All processes of programs of the user."""
    return [step for one in made.stages for step in one.steps if step.phase != "tool"]


def set_by(step: Step) -> set[str]:
    """The variables of a step beside those that every step has."""
    return {name for name in step.environment if not name.startswith("PYTHON") or "CUDA" in name}
