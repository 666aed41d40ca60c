"""The line of the model that an error of the compiler is about: its messages name a node of the graph, or its operator.

`found %add_ : … call_function[target=torch.ops.aten.add_.Tensor]`, `While executing %sin : …`, and Inductor's
`LoweringException` with a line `target: aten.sin.default` (run on torch 2.13, CPU). The exported program, which is
saved before it is compiled, has the line of each node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from aoti_lint.program.facts import OpUse, Program
from aoti_lint.rerun.result import Place
from aoti_lint.triage.log import clean

_NODE: Final = re.compile(r"(?:While executing|but found) %(?P<name>\w+)\b")
_TARGET: Final = re.compile(r"(?:^\s*target: |\[target=(?:torch\.ops\.)?)(?P<target>\w+\.\w+\.\w+)")


@dataclass(frozen=True, slots=True)
class Named:
    """What a message names, `aten.sin.default` or `%add_`, and its line in the model, if that is one and known."""

    name: str
    place: Place | None


def named(lines: Sequence[str], programs: Iterable[Program]) -> Named | None:
    """What a log, of these lines, names last; None if it names nothing."""
    calls = [call for program in programs for call in program.calls]
    for line in reversed(lines):
        text = clean(line)
        node, target = _NODE.search(text), _TARGET.search(text)
        if node is None and target is None:
            continue
        found = [call for call in calls if node is not None and node["name"] in (call.name, *call.outputs)]
        if target is not None:
            # A pass of the compiler may have given the name of a node to another one.
            same = [call for call in calls if call.target == target["target"]]
            found = [call for call in found if call in same] or same
        return Named(target["target"] if target is not None else f"%{node['name']}" if node else "", _only(found))
    return None


def _only(calls: Sequence[OpUse]) -> Place | None:
    """The line that all of these stand at."""
    spots = {(call.place.file, call.place.line): call.place for call in calls if call.place is not None}
    if len(spots) != 1:
        return None
    (place,) = spots.values()
    return Place(path=place.file, line=place.line, function=place.function, text=place.text)
