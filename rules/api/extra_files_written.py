"""AOTI231."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, VersionSet, catches
from aoti_lint.rule.events import SaveEvent
from aoti_lint.rule.values import Const, Pairs, PathValue, Tensor, Tup, Value

_RUN_ON = VersionSet.since("2.13")


class ExtraFilesWritten(Rule):
    """`torch.export.save` is given an extra file that is no text.

    What happens:
        `AssertionError: Expected string but got <class 'dict'>`, and a file that is not whole lies at the path. A list
        in the place of the dict raises `AttributeError: 'list' object has no attribute 'items'`.

    Why:
        `extra_files` is a dict of texts, by their names: what is in a file, and not its path.

    Bad:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
        torch.export.save(program, "relu.pt2", extra_files={"labels.json": ["cat", "dog"]})  # <- AOTI231

    Good:
        import json

        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
        torch.export.save(program, "relu.pt2", extra_files={"labels.json": json.dumps(["cat", "dog"])})

    How to debug:
        The message names the class of the first that is no text.

    Sources:
        Run on torch 2.13 (this project's tests): bytes, numbers, None, lists, dicts, tensors, paths.
        https://docs.pytorch.org/docs/stable/export/api_reference.html
    """

    code = "AOTI231"
    name = "extra-files-written"
    outcome = Outcome.RAISES

    def on_save(self, facts: Facts, event: SaveEvent) -> Iterator[Diagnostic]:
        failing = event.versions & _RUN_ON
        pairs = event.extra.pairs if isinstance(event.extra, Pairs) else ()
        wrong = next(((key, kind) for key, value in pairs if (kind := _no_text(value)) is not None), None)
        no_dict = isinstance(event.extra, Tup) or (isinstance(event.extra, Const) and event.extra.value is not None)
        raised = "AttributeError" if no_dict else "AssertionError"
        if not failing or not (wrong or no_dict) or catches(event.caught | event.expected, raised):
            return
        name = repr(wrong[0].value) if wrong and isinstance(wrong[0], Const) else "an entry"
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{name} of extra_files is {wrong[1]}, not a text: the save raises"
            if wrong
            else "extra_files is no dict: the save raises",
            failing=failing,
            label="saved here",
            help="give the content as a text: json.dumps(…), base64.b64encode(…).decode(), path.read_text()"
            if wrong
            else "give a dict of texts by their names",
            symptom="export-error",
        )


def _no_text(value: Value) -> str | None:
    """What a value is that surely is no text."""
    match value:
        case Const(str()):
            return None
        case Const(None):
            return "None"
        case Const(inner):
            return f"of type {type(inner).__name__}"
        case Pairs():
            return "a dict"
        case Tup():
            return "a list or tuple"
        case Tensor():
            return "a tensor"
        case PathValue():
            return "a path"
    return None
