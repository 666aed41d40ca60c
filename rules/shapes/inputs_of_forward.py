"""AOTI328."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from aoti_lint.rule import Path
from aoti_lint.rule.inputs import Misfit, misfit
from aoti_lint.rule.values import Program

from ._exports import ExportRule, Fault, holds_dims


class InputsOfForward(ExportRule):
    """`forward` cannot be called with the example inputs: a name it has not, one it needs, or too many.

    What happens:
        The export raises a `TypeError` before anything is traced: `missing a required argument: 'y'`, `got an
        unexpected keyword argument 'z'`, `too many positional arguments` or `multiple values for argument 'y'`. So does
        `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`.

    Why:
        An export binds `args` and `kwargs` to the signature of `forward`, as a call of the model would. Only the first
        fault is named: a misspelt keyword shows as the argument that it leaves out.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, first, second):
                return first + second

        inputs = {"first": torch.randn(4), "last": torch.randn(4)}
        torch.export.export(Net(), (), inputs)  # <- AOTI328

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, pair):
                return pair[0] + pair[1]

        pair = (torch.randn(4), torch.randn(4))
        torch.export.export(Net(), pair)  # <- AOTI328

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, pair):
                return pair[0] + pair[1]

        pair = (torch.randn(4), torch.randn(4))
        torch.export.export(Net(), (pair,))

    How to debug:
        `inspect.signature(model.forward).bind(*args, **kwargs)` raises the same, and `model(*args, **kwargs)` shows the
        line.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13, with `strict=True`, without, with `dynamic_shapes`, and by `draft_export`. Release 2.13.0,
        `torch/export/_trace.py`, `_get_forward_arg_names`, and `torch/export/dynamic_shapes.py`, `_combine_args`.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI328"
    name = "inputs-of-forward"
    of_releases = True
    onnx = True
    raised: ClassVar[tuple[str, ...]] = ("TypeError", *ExportRule.raised)

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        found = None if program.handed else misfit(program)
        if found is not None and holds_dims(program.kwargs):
            yield Fault(
                key="inputs",
                message="dynamic_shapes is given where kwargs stand, the inputs by name: the export raises",
                label="the third argument is kwargs",
                help="give it by name: dynamic_shapes=…",
            )
        elif found is not None:
            yield _fault(found, [name for name, kind in program.parameters or () if kind != "var"])


def _fault(found: Misfit, names: list[str]) -> Fault:
    takes = f"forward takes {_listed(names)}" if names else "forward takes no input"
    if found.unknown:
        said = f"{_listed(found.unknown)} {_is(found.unknown)} given by name, and forward has no such parameter"
        help_ = f"leave {_listed(found.unknown)} out"
        if len(found.unknown) == len(found.missing) == 1:
            help_ = f"give {found.missing[0]} for {found.unknown[0]}"
    elif found.twice:
        said = f"{_listed(found.twice)} {_is(found.twice)} given by position and by name"
        help_ = "give each input once"
    elif found.placed:
        said = f"{_count(found.placed)} given by position, and forward takes {found.taken or 'none'}"
        help_ = "give only what forward takes; one input that is a tuple is written (pair,)"
    else:
        said = f"forward needs {_listed(found.missing)}, and no example input stands for {_them(found.missing)}"
        help_ = f"give an example for {_listed(found.missing)}, in args or in kwargs"
    return Fault(key="inputs", message=f"{said}: the export raises", label=takes, help=help_)


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)


def _is(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


def _them(names: tuple[str, ...]) -> str:
    return "it" if len(names) == 1 else "them"


def _count(number: int) -> str:
    return "one input is" if number == 1 else f"{number} inputs are"
