"""AOTI226."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, catches, judge, weaker
from aoti_lint.rule.events import OutputUse
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.shapes import flat_tensors
from aoti_lint.rule.values import NONE, Const, OnnxModel, Pairs, Program, Ref, Tensor, Tup, Value

_COUNT = ("ValueError",)
"""What unpacking into another number of names raises."""


class OutputTakenApart(Rule):
    """What a program or package gives is taken apart as if its forward returned something else.

    What happens:
        A dict that is unpacked into as many names as it has entries gives its keys, texts, and raises nothing there.
        All else raises: `ValueError: not enough values to unpack (expected 2, got 1)`, `TypeError: tuple indices must
        be integers or slices, not str`, `KeyError: 'probs'`, `AttributeError: 'dict' object has no attribute 'logits'`.
        C++ that reads past the end of the outputs crashes, or `.at(2)` throws `std::out_of_range`.

    Why:
        `program.module()` and a loaded package give what the forward returned, in the same containers: a dict, tuple,
        list, or one tensor. A model for ONNX gives all tensors of that in a tuple, a session of onnxruntime in a list,
        a package in C++ in a `std::vector`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return {"logits": x * 2, "hidden": x}

        program = torch.export.export(Net(), (torch.randn(4, 8),))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        logits, hidden = run(torch.randn(4, 8))  # <- AOTI226
        probs = run(torch.randn(4, 8))["probs"]  # <- AOTI226
        first = program.module()(torch.randn(4, 8)).logits  # <- AOTI226

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return {"logits": x * 2, "hidden": x}

        program = torch.export.export(Net(), (torch.randn(4, 8),))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        made = run(torch.randn(4, 8))
        logits, hidden = made["logits"], made["hidden"]

    How to debug:
        `print(program.call_spec.out_spec)`, or print the type of what the call gives.

    Sources:
        Run on torch 2.13 (this project's tests): `program.module()` and packages of dicts, tuples, lists and tensors.
    """

    code = "AOTI226"
    name = "output-taken-apart"
    outcome = Outcome.RAISES

    def on_output_use(self, facts: Facts, event: OutputUse) -> Iterator[Diagnostic]:
        if event.flat and event.span.path not in facts.project.all_natives:
            return
        made = programs_of(facts, event.of.program if isinstance(event.of, OnnxModel) else event.of, event)
        programs = [one.value for one in made if isinstance(one.value, Program)]
        if len(programs) < len(made) or any(one.handed or one.rewritten for one in programs):
            return
        verdicts = [
            judge([program.outputs], one.path, partial(_fails, event, program))
            for one, program in zip(made, programs, strict=True)
        ]
        linked = [v and weaker(one.confidence, v) for one, v in zip(made, verdicts, strict=True)]
        sure = overall(made, linked, event)
        failing = [(p, v) for p, v in zip(programs, verdicts, strict=True) if v is not None]
        if sure is None or not failing:
            return
        program, verdict = failing[0]
        fault = _fault(event, program, verdict[1][0])
        if fault is not None and not catches(event.caught | event.expected, *fault.raised):
            yield self.found(
                facts,
                event,
                sure,
                fault.message,
                outcome=Outcome.CRASH if event.flat else Outcome.RAISES if fault.raised else Outcome.SILENTLY_WRONG,
                label="taken apart here",
                related=(Related(program.span, "exported here"),),
                help=fault.help,
            )


class _Fault(NamedTuple):
    """`raised` are the exception and its bases; none where nothing is raised."""

    message: str
    raised: tuple[str, ...]
    help: str


def _fails(event: OutputUse, program: Program, values: list[Value]) -> bool:
    return _fault(event, program, values[0]) is not None


def _fault(event: OutputUse, program: Program, given: Value) -> _Fault | None:
    """What is wrong with how `given` is taken apart."""
    if event.flat:
        return _of_vector(event, list(flat_tensors(given)))
    if isinstance(event.of, OnnxModel) and given != NONE:
        leaves = flat_tensors(given)
        if not all(isinstance(one, Tensor) for one in leaves):
            return None
        given = Tup(tuple(leaves), cls=Ref("list") if event.of.session else None)
    match given:
        case Pairs(pairs) if all(isinstance(key, Const) for key, _ in pairs):
            return _of_dict(event, [key.value for key, _ in pairs if isinstance(key, Const)])
        case Tup(cls=None):
            return _of_row(event, given, tuple)
        case Tup(cls=Ref("list")):
            return _of_row(event, given, list)
        case Tensor():
            return _of_tensor(event, program, given)
        case _:
            return None


def _who(event: OutputUse) -> str:
    return "a model for ONNX gives" if isinstance(event.of, OnnxModel) else "the forward returned"


def _of_vector(event: OutputUse, leaves: list[Value]) -> _Fault | None:
    key, count = event.key.value if isinstance(event.key, Const) else None, len(leaves)
    if not isinstance(key, int) or key < count or not all(isinstance(one, Tensor | Const) for one in leaves):
        return None
    there = "it gives output 0 alone" if count == 1 else f"it gives outputs 0 to {count - 1}"
    return _Fault(f"the model has no output {key}, which is read past the end: it crashes or throws", (), there)


def _of_dict(event: OutputUse, keys: list[object]) -> _Fault | None:
    key = event.key.value if isinstance(event.key, Const) else None
    named = ", ".join(map(repr, keys))
    advice = f"read its entries by their keys: {named}"
    if event.used == "unpacked" and key == len(keys):
        return _Fault(f"the forward returned a dict: unpacked, it gives its keys {named}", (), advice)
    if event.used == "unpacked":
        return _Fault(f"the forward returned a dict of {len(keys)}, unpacked into {key}: it raises", _COUNT, advice)
    if event.used == "item" and isinstance(key, str | int) and key not in keys:
        return _Fault(
            f"the forward returned a dict that has no {key!r}: it raises", ("KeyError", "LookupError"), advice
        )
    return _of_attribute(event, dict, ("move_to_end",), advice)


def _of_row(event: OutputUse, given: Tup, kind: type) -> _Fault | None:
    key, count, word = event.key.value if isinstance(event.key, Const) else None, len(given.items), kind.__name__
    advice = f"it gives a {word} of {count}: take its items by their positions"
    if event.used == "unpacked" and key != count:
        return _Fault(f"{_who(event)} a {word} of {count}, unpacked into {key}: it raises", _COUNT, advice)
    if event.used == "item" and isinstance(key, str):
        return _Fault(f"{_who(event)} a {word}, which has no {key!r}: it raises", ("TypeError",), advice)
    if event.used == "item" and type(key) is int and not -count <= key < count:
        raised = ("IndexError", "LookupError")
        return _Fault(f"{_who(event)} a {word} of {count}, which has no item {key}: it raises", raised, advice)
    return _of_attribute(event, kind, given.fields, advice)


def _of_tensor(event: OutputUse, program: Program, given: Tensor) -> _Fault | None:
    """Rows may well be meant; and a size that may be another in the call is not judged."""
    key, advice = event.key.value if isinstance(event.key, Const) else None, "it gives one tensor: use it as it is"
    if event.used == "item" and isinstance(key, str):
        raised = ("IndexError", "LookupError")
        return _Fault(f"the forward returned one tensor, which has no {key!r}: it raises", raised, advice)
    rows = given.shape[0] if given.shape else None
    if event.used != "unpacked" or program.spec != NONE or program.marks or not isinstance(rows, Const):
        return None
    if rows.value == key:
        return None
    said = f"the forward returned one tensor of {rows.value} rows, unpacked into {key}: it raises"
    return _Fault(said, _COUNT, advice)


def _of_attribute(event: OutputUse, kind: type, fields: tuple[str, ...], advice: str) -> _Fault | None:
    name = event.key.value if event.used == "attribute" and isinstance(event.key, Const) else None
    if not isinstance(name, str) or name.startswith("_") or name in (*dir(kind), *fields):
        return None
    said = f"{_who(event)} a {kind.__name__}, which has no attribute {name}: it raises"
    return _Fault(said, ("AttributeError",), advice)
