"""AOTI330."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Outcome, Path, Related, judge, weaker
from aoti_lint.rule.inputs import Beside, Plain, aligned, keywords, kind_of_leaf, parts, span_of
from aoti_lint.rule.shapes import freedom
from aoti_lint.rule.values import NONE, Const, Program, Tensor, Tup, Value

from ._calls import Called, CallRule, Fault, is_used

PLAIN = bool | int | float | str | None


class ConstantInputCalledWithAnother(CallRule):
    """A program has a number, a flag, a text or `None` for ever, and is called with another one.

    What happens:
        A package ignores what it is given there: it computes with the value of the example, and says nothing, also with
        `AOTI_RUNTIME_CHECK_INPUTS=1`. An argument that was left out of the example has its default for ever.
        `ep.module()` raises: `AssertionError: Guard failed: k == 2.0`; only where the example was `None` it checks
        nothing, and takes a tensor without a word.

    Why:
        Export specialises on every input that is no tensor. Only the tensors reach a package.

    Bad:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x, k: float):
                return x * k

        program = torch.export.export(Scale(), (torch.ones(3), 2.0))
        path = torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(3), 5.0)  # <- AOTI330

    Good:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x, k):
                return x * k

        program = torch.export.export(Scale(), (torch.ones(3), torch.tensor(2.0)))
        path = torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(3), torch.tensor(5.0))

    How to debug:
        Call `ep.module()` with the same arguments: it checks them. `aoti-lint inspect` lists what a package is given.

    Sources:
        Run on torch 2.13. Release 2.13.0, `torch/export/pt2_archive/_package.py:742` (only tensors are handed on).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI330"
    name = "constant-input-called-with-another"
    unflattened = True

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        for part in aligned(program, called.event):
            if not isinstance(part, Beside) or _is_free(program, part.name, part.example):
                continue
            verdict = judge([part.example, part.given], path, partial(_differ, called.packaged))
            sure = None if verdict is None else _sure(called, program, part.name)
            if verdict is None or sure is None:
                continue
            example, given = verdict[1]
            message = f"{part.name} is {_shown(given)} here and was {_shown(example)} at the export"
            said = f"exported with {_shown(example)} here"
            silent = called.packaged or example == NONE
            yield _fault(called, program, part.name, part.place, given, message, said, silent, weaker(verdict[0], sure))
        if called.packaged:
            yield from self._left_out(called, program, path)

    def _left_out(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        """What the call gives and the export did not: the program has the default."""
        event, defaults = called.event, dict(program.defaults)
        if (
            event.open
            or event.flat
            or not isinstance(program.args, Tup)
            or set(event.kwargs) != set(keywords(program) or ())
        ):
            return
        names = program.signature or ()
        for at in range(len(program.args.items), min(len(event.args), len(names))):
            name, given = names[at], event.args[at]
            default = defaults.get(name)
            verdict = None if default is None else judge([default, given], path, partial(_differ, True))
            sure = None if verdict is None else _sure(called, program, name)
            if verdict is None or sure is None:
                continue
            default, given = verdict[1]
            message = (
                f"{name} is {_shown(given)} here; the export was given none, and has its default {_shown(default)}"
            )
            said = f"exported without {name} here"
            yield _fault(called, program, name, at, given, message, said, True, weaker(verdict[0], sure))


def _fault(
    called: Called,
    program: Program,
    name: str,
    place: int | str,
    given: Value,
    message: str,
    said: str,
    silent: bool,
    confidence: Confidence,
) -> Fault:
    who = "package" if called.packaged else "module"
    tensor = "as a tensor" if isinstance(given, Tensor) else "as a tensor of no dimensions"
    # There are no tensors of strings.
    text = isinstance(given, Const) and isinstance(given.value, str)
    return Fault(
        name,
        span_of(called.event, place),
        f"{message}: " + (f"the {who} ignores it and computes on" if silent else "the call raises"),
        f"{_shown(given)} here",
        ("" if text else f"export again with {name} {tensor}, or ") + "make one package for each value",
        Outcome.SILENTLY_WRONG if silent else Outcome.RAISES_AT_CALL,
        confidence,
        (Related(program.span, said),),
    )


def _sure(called: Called, program: Program, name: str) -> Confidence | None:
    """How sure it is that another value of an input gives another result; None where it is surely not used.

    One that only decides a branch may decide it as the example does. The module of a program checks it in any case.
    """
    if not called.packaged:
        return Confidence.CERTAIN
    if not is_used(program, name):
        return None
    return Confidence.CERTAIN if dict(program.mentioned).get(name) else Confidence.LIKELY


def _is_free(program: Program, name: str, value: Value) -> bool:
    """Whether `dynamic_shapes` may say that a number is open: only whole numbers can be."""
    if program.spec == NONE or not isinstance(value, Const) or type(value.value) is not int:
        return False
    plain = next((part for part in parts(program) if isinstance(part, Plain) and part.name == name), None)
    return plain is None or freedom(Tup((plain.spec,)), 0) != "static"


def _differ(packaged: bool, values: list[Value]) -> bool | None:
    """Whether two values differ as Python compares them; None where either is not known.

    A package that is given a tensor for what was none counts one too many: that is not about values.
    """
    first, second = values
    if first == NONE and isinstance(second, Tensor):
        return not packaged and kind_of_leaf(second) == "tensor"
    if not isinstance(first, Const) or not isinstance(second, Const):
        return None
    if not isinstance(first.value, PLAIN) or not isinstance(second.value, PLAIN):
        return None
    return first.value != second.value and not (first.value != first.value and second.value != second.value)


def _shown(value: Value) -> str:
    return repr(value.value) if isinstance(value, Const) else "a tensor"
