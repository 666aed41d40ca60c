"""AOTI234."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Value

from ._calls import WORDS, calls, kind, short

_WRITES = {"torch.export.save": (1, "f"), "torch._inductor.aoti_compile_and_package": (None, "package_path")}
_READS = {"torch.export.load": (0, "f"), "torch._inductor.aoti_load_package": (0, "path")}
"""Where each of these functions is given its file."""


class FileOpenedAsText(Rule):
    """A program or package is written into a file that is open as text, or read from one.

    What happens:
        Reading raises `UnicodeDecodeError: 'utf-8' codec can't decode byte 0x95 in position 65: invalid start byte`.
        Writing ends the process, and no handler sees the error: `terminate called after throwing an instance of
        'pybind11::error_already_set'`, `TypeError: write() argument must be str, not memoryview`. A package has been
        compiled by then.

    Why:
        Both are zip archives, which are bytes. `open(path, "w")` and `io.StringIO()` take text.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        with open("model.pt2", "w") as file:
            torch.export.save(program, file)  # <- AOTI234

    Bad:
        import torch

        with open("model.pt2") as file:
            program = torch.export.load(file)  # <- AOTI234

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        with open("model.pt2", "wb") as file:
            torch.export.save(program, file)

    How to debug:
        Print `file.mode`: there must be a `b` in it.

    Sources:
        Run on torch 2.13 (this project's tests), with each mode.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.save
    """

    code = "AOTI234"
    name = "file-opened-as-text"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for function, (index, name) in (_WRITES | _READS).items():
            writes = function in _WRITES
            for event in calls(facts, function, raising=() if writes else ("UnicodeDecodeError", "ValueError")):
                given = event.arg(index, name)
                verdict = None if given is None else judge([given], event.path, partial(_is_text, event))
                if verdict is None:
                    continue
                what = WORDS["io.TextIOBase"]
                does, ends = ("writes", "the process ends") if writes else ("reads", "it raises")
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{short(function)} {does} bytes and is given {what}: {ends}",
                    span=event.place(index, name),
                    outcome=Outcome.CRASH if writes else Outcome.RAISES_AT_LOAD,
                    label=what,
                    help=f'open it with "{"wb" if writes else "rb"}", or give the path',
                )


def _is_text(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) == "io.TextIOBase"
