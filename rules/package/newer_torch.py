"""AOTI608."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, VersionSet

if TYPE_CHECKING:
    from aoti_lint.rule.contents import Archive, Program

_MAJOR = {5: "2.4", 7: "2.5", 8: "2.6"}
"""The first release that reads a major version of the schema."""
_LAYOUT = {"2.8": "2.8", "2.9 and later": "2.9"}
"""The first release that reads a layout of the archive."""


class NewerTorch(Rule):
    """A program was exported by a newer torch than the one it is for.

    What happens:
        `torch.export.load` of the older torch raises: `SerializeError: Serialized schema version … does not match our
        current schema version`, or it does not find the members it looks for, as the archive is laid out anew since
        2.8 and again since 2.9. Within one layout it may go well; nobody promises it (`--pedantic` says so).

    Why:
        A newer torch reads what an older one wrote, not the other way round. A package made by AOTInductor does not
        say which torch compiled it.

    Bad:
        # torch: 2.7
        # archive: static.pt2  # <- AOTI608
        # file: build.py
        import torch
        from net import Net

        torch.export.save(torch.export.export(Net().eval(), (torch.ones(4, 8),)), "static.pt2")

    Good:
        # torch: 2.13
        # archive: static.pt2
        # file: build.py
        import torch
        from net import Net

        torch.export.save(torch.export.export(Net().eval(), (torch.ones(4, 8),)), "static.pt2")

    How to debug:
        `aoti-lint inspect model.pt2` says which torch exported it. Export with the torch of the target, or
        bring the target up to it.

    Sources:
        `torch/_export/serde/schema.py` (SCHEMA_VERSION: 2.4 is 5, 2.5 is 7, since 2.6 it is 8), `torch/export/
        __init__.py` (2.7: one flat archive) and `torch/export/pt2_archive/_package.py` (2.8, 2.9) of these releases.
        https://docs.pytorch.org/docs/stable/export.html#serialization
    """

    code = "AOTI608"
    name = "newer-torch"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        if not facts.versions_stated:
            return
        for archive in facts.archives:
            for program in archive.data.programs:
                refusing = facts.versions & older(refused(archive.data, program))
                doubtful = facts.versions & older(program.torch_version or "0")
                failing = refusing or doubtful
                if not failing:
                    continue
                sure = Confidence.CERTAIN if refusing else Confidence.POSSIBLE
                effect = "cannot load it" if refusing else "may not be able to load it"
                made = f"torch {program.torch_version}" if program.torch_version else "a newer torch"
                yield self.found_in(
                    facts,
                    archive,
                    sure,
                    f"exported by {made}, for torch {failing}, which {effect}",
                    subject=program.name,
                    member=program.member,
                    failing=failing,
                    help=f"export with torch {next(iter(failing))}, or bring the target up to {made}",
                    symptom="load-error",
                )


def refused(archive: Archive, program: Program) -> str:
    """The first release that can read the archive, as far as its schema and layout tell; "0.0" if they do not."""
    major = program.schema_version[0] if program.schema_version else 0
    first = ["2.16" if major > max(_MAJOR) else _MAJOR.get(major, "0.0")]
    first += [_LAYOUT.get(archive.layout or "", "0.0")]
    return max(first, key=lambda minor: [int(part) for part in minor.split(".")])


def older(version: str) -> VersionSet:
    """The supported releases before this one."""
    numbers = [int(part) for part in version.split("+")[0].split(".")[:2] if part.isdecimal()]
    if len(numbers) < 2:
        return VersionSet()
    return ~VersionSet.since(f"{numbers[0]}.{numbers[1]}")
