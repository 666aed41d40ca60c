"""Tries fakes and kernels of a snippet, as the analysis does."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.linking.analysis import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.tracing.trials.trial import Trial
from aoti_lint.tracing.trials.tried import OpTrial

HEAD = """import math
import operator
from typing import Optional
import torch

"""


def program(fake: str, kernel: str = "return x.sin()", params: str = "x: torch.Tensor", mutates: str = "()") -> str:
    """A script that defines an op; `fake` and `kernel` are the bodies."""
    names = ", ".join(part.split(":")[0] for part in params.split(", "))
    return (
        HEAD
        + f'@torch.library.custom_op("lib::op", mutates_args={mutates})\ndef op({params}) -> torch.Tensor:\n'
        + "".join(f"    {line}\n" for line in kernel.splitlines())
        + f"\n@op.register_fake\ndef fake({names}):\n"
        + "".join(f"    {line}\n" for line in fake.splitlines())
    )


def events(folder: Path, text: str) -> list[OpTrial]:
    """The trials of a script."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("a.py").write_text(text, encoding="utf-8")
    return list(analyse(Project(folder, ["a.py"]), VersionSet.parse("2.13")).of(OpTrial))


def of_fake(folder: Path, text: str) -> tuple[OpTrial, Trial]:
    """The event of the fake, and what the fake did."""
    [found] = [(event, event.fake) for event in events(folder, text) if event.fake is not None]
    return found


def of_kernel(folder: Path, text: str) -> Trial:
    """What the kernel did when it was tried for itself."""
    [found] = [e.kernel for e in events(folder, text) if e.fake is None and e.kernel is not None]
    return found
