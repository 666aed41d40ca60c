"""The kinds of events are told apart by their names."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from aoti_lint.rule import events, trials
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import ExportEvent, Exporting
from aoti_lint.values.events.kinds import ALL, kinds_of


def test_no_two_have_one_name() -> None:
    every = [
        one for one in (*vars(events).values(), trials.OpTrial) if isinstance(one, type) and issubclass(one, Event)
    ]
    assert len(every) > 50
    assert [name for name, times in Counter(one.__name__ for one in every).items() if times > 1] == []


def test_kinds_of_kinds_are_known_whatever_else_is_loaded() -> None:
    """A unit that asks for a kind depends on all that belong to it."""
    program = "from aoti_lint.values.events import kinds, packages, exports as e; print(kinds.kinds_of((e.Tracing,)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == str(kinds_of((Exporting.__base__,)))
    assert set(kinds_of((Exporting,))) > {"ExportEvent", "OnnxExport"}
    assert kinds_of((ExportEvent,)) == ("ExportEvent",)
    assert kinds_of((ExportEvent, Event)) == (ALL,)
