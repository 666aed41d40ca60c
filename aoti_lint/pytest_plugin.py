"""A pytest fixture that fails a test when the rules find something in an exported program.

Installed with aoti-lint; `-p no:aoti_lint` switches it off. Imports nothing until a test asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from torch.export import ExportedProgram


class AssertProgramClean(Protocol):
    """What the fixture gives."""

    def __call__(
        self, program: ExportedProgram, ignore: Sequence[str] = (), *, select: Sequence[str] | None = None
    ) -> None: ...


def assert_program_clean(
    program: ExportedProgram, ignore: Sequence[str] = (), *, select: Sequence[str] | None = None
) -> None:
    """Raise `AssertionError`, with every finding in words, unless the rules find nothing in `program`.

    `ignore` and `select` take codes, names or beginnings of codes.
    """
    __tracebackhide__ = True
    # Every run of pytest loads this module, few ask for the fixture.
    from aoti_lint.engine.programs import check_program
    from aoti_lint.quoting.terminal import line

    found = check_program(program, ignore=ignore, select=select)
    if found:
        lines = [f"{len(found)} finding{'s' if len(found) > 1 else ''} in the exported program:"]
        for item in found:
            lines.append(f"  {item.code} {item.name}: {item.message}")
            lines += [f"    note: {note}" for note in item.notes]
            lines += [f"    help: {item.help}"] if item.help else []
        raise AssertionError("\n".join(map(line, lines)))


@pytest.fixture(name="assert_program_clean")
def assert_program_clean_fixture() -> AssertProgramClean:
    """`assert_program_clean(ep, ignore=("AOTI605",))` fails the test when the rules find something in the program."""
    return assert_program_clean
