"""The launches of a package, with the tensors that were saved of them.

Files are named after kernel and argument: without the package, two launches of one kernel look like one.
"""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.result import Launch as Known
from aoti_lint.rerun.wrapper.calls import short
from aoti_lint.rerun.wrapper.launches import Program, read
from aoti_lint.tensors.dumps import Dump
from aoti_lint.tensors.judge import First, Launch


def program_of(path: str) -> Program:
    """The launches of the first model in a package. Raises `CannotRun` if it has no source to read them from."""
    found = read(path)
    if not found.launches:
        raise CannotRun(f"{path}: no package with the source of its wrapper (is it a .pt2 that torch compiled?)")
    return found


def launches(dumps: Sequence[Dump], program: Program) -> list[Launch]:
    """The launches in the order of the source, those of custom operators too, of which nothing is saved.

    An argument that two launches of one kernel have was saved twice, to the same file: it is of the later one. Raises
    `CannotRun` if nothing that was saved is of the package.
    """
    of: dict[int, list[Dump]] = {}
    for dump in dumps:
        name = dump.name
        fitting = [one for one in program.launches if short(one.name) == short(name.kernel)]
        having = [one for one in fitting if name.argument in (*one.reads, *one.writes)]
        if having or fitting:
            of.setdefault((having or fitting)[-1].number, []).append(dump)
    if not of:
        raise CannotRun("none of the saved tensors is of a kernel of this package")
    shown = (one for one in program.launches if one.number in of or one.kind == "op")
    return [_launch(one, of.get(one.number, ()), program) for one in shown]


def _launch(known: Known, dumps: Sequence[Dump], program: Program) -> Launch:
    before, after = (tuple(d for d in dumps if d.name.when == when) for when in ("before", "after"))
    return Launch(known.name, before, after, known.number, (*known.writes, *_other_names(known.writes, program)))


def _other_names(names: Sequence[str], program: Program) -> list[str]:
    """What else the memory of these buffers is called later."""
    found = list(names)
    for name, other in program.aliases.items():
        if other in found:
            found.append(name)
    return found[len(names) :]


def maker(first: First, program: Program) -> Known | None:
    """The operator, which saves nothing, that made what the first launch with bad values was given."""
    number = first.launch.number
    producers = (program.producer(dump.name.argument, number) for dump in first.given if number is not None)
    return next((one for one in producers if one is not None and one.kind == "op"), None)
