"""The rules on programs, for a program in memory: `aoti_lint.check_program(ep)`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aoti_lint.catalogue.registry import load
from aoti_lint.config import Config
from aoti_lint.errors import CannotRun
from aoti_lint.findings.findings import Findings
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.program.exported.live import inspect_live
from aoti_lint.program.named import NamedArchive
from aoti_lint.report.check.json_v1 import Finding
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet

if TYPE_CHECKING:
    from torch.export import ExportedProgram


def check_program(
    program: ExportedProgram,
    *,
    name: str = "model",
    select: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    torch_version: str | None = None,
    pedantic: bool = False,
) -> list[Finding]:
    """What the rules find in `program`, as `aoti-lint FILE` would say it of the file it is saved to.

    `name` is what the findings call it. `select` and `ignore` take codes, names or beginnings of codes, as the command
    does; `torch_version` is the torch to judge for (by default the one that is installed); `pedantic` adds what is only
    possible. Raises `CannotRun` for a rule or a version there is not, and as `inspect_program` does.
    """
    file = f"<{name}>"
    archive = NamedArchive(file, time.time(), inspect_live(program, name))
    # A project without files: nothing of the folder this happens to run in is read.
    project = Project(".", ())
    facts = Facts(project, _versions(torch_version), archives=[archive])
    options = Options([], Config(), select=select, ignore=ignore, pedantic=pedantic, cache=False)
    findings = Findings(project, options, load(), [file])
    document = findings.document(findings.of(facts), lambda path: path)
    return [Finding.model_validate(item) for item in document["diagnostics"]]


def _versions(torch_version: str | None) -> VersionSet:
    if torch_version is None:
        import torch

        torch_version = str(torch.__version__)
    try:
        return VersionSet.parse(torch_version)
    except ValueError as error:
        raise CannotRun(f"torch_version: {error}") from None
