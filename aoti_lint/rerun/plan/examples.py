"""Cases as they are shown where there is no program to look at: a package in two scripts, and torch.compile in one."""

from __future__ import annotations

from typing import Literal

from aoti_lint.diagnostics import Symptom
from aoti_lint.rerun.plan.case import Case
from aoti_lint.rerun.plan.phases import Work
from aoti_lint.rerun.plan.symptoms import Chosen
from aoti_lint.rerun.plan.target import Target
from aoti_lint.torch_api.versions import VersionSet

VERSION = "2.13"
Kind = Literal["package", "compile"]


def example(symptom: Symptom, kind: Kind, device: Literal["cpu", "cuda"], texts: str = "reduce-overhead") -> Case:
    """A package that `export.py` builds and `serve.py` runs, or `train.py`, which uses `torch.compile`.

    `texts` are words that stand in the script of torch.compile.
    """
    versions, chosen = VersionSet([VERSION]), Chosen(symptom)
    if kind == "compile":
        target = Target(("python", "train.py"), "python", "python", ("train.py",))
        return Case(target, Work(traces=True), chosen, versions, device, texts=texts)
    target = Target(("python", "serve.py"), "python", "python", ("serve.py",))
    work = Work(runs=True, makers=("export.py",), files=("model.pt2",), ops=("ops.py",), calls_ops=True)
    return Case(target, work, chosen, versions, device, build=("python", "export.py"), texts="-")
