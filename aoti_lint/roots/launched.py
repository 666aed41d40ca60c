"""What files outside Python start: their scripts are run one after the other, with the words and variables they give.

A script writes what a later one reads, so this is where both ends meet whose path stands in a shell script alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from aoti_lint.files.cache import content_hash
from aoti_lint.ir import nodes
from aoti_lint.language import imports, truths
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.recorded.unit import LAUNCHES
from aoti_lint.machine.shared import MAX_STEPS
from aoti_lint.machine.state import Budget, Root
from aoti_lint.models.process import handed_variables, process, processes
from aoti_lint.roots.run import follow
from aoti_lint.values.call import Call
from aoti_lint.values.events.event import Turn
from aoti_lint.values.frames import Frame
from aoti_lint.values.values import TRUE, Const, Namespace, Unknown, Value

if TYPE_CHECKING:  # few projects have any
    from aoti_lint.source.settings.scripts import Launched


def run_launched(m: Machine, path: str, launched: Sequence[Launched]) -> None:
    """Run what the file of this path starts."""
    name = f"{path}#{content_hash(repr(launched).encode('utf-8', 'surrogatepass'), 10)}"
    m.unit(("launched", name, LAUNCHES), partial(_run, m, path, launched), partial(imports.imported, m))


def _run(m: Machine, path: str, launched: Sequence[Launched]) -> None:
    with m.running(Root(path, Budget(MAX_STEPS), f"{path}::")), m.facts.in_turn(Turn(LAUNCHES, path)):
        shell = Namespace(path, m.fresh())
        m.root.frames.append(Frame(shell.ident, shell, ""))
        for one in launched:
            m.root.budget = Budget(MAX_STEPS)
            follow(m, path, partial(_start, m, one))


def _start(m: Machine, one: Launched) -> None:
    start, here = one.start, f"{one.start.span.path}:{one.start.span.start}"
    site = Call(nodes.Name(start.span.start, start.span.end, start.command), [])
    variables = handed_variables.copy_of(m, process.ENVIRON)
    for name, made in start.variables.items():
        held = replace(made, value=None) if made.conditional else made
        m.store.write(variables.ident, name, handed_variables.value_of(held, one.script))
    words: list[Value] = [
        Unknown(f"{here}[{nth}]", "a word that a shell puts in") if word is None else Const(word)
        for nth, word in enumerate(start.words or ())
    ]
    test: Value = Unknown(here, "whether a script is started") if start.conditional else TRUE
    run = partial(processes.run_script, m, site, one.script, words, variables)
    truths.branch(m, test, run, lambda: None)
