"""AOTI326."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity

from ._data import HELP_OF_INDEX, data_uses

HELP = {
    "read": "stay with tensors, or read a number with .item()",
    "needed": "stay with tensors: torch.sqrt(x), torch.stack([x, y]), one_hot(x, num_classes)",
    "format": "leave the format off, or print what the call returns",
    "copy": "use x.clone()",
    "index": HELP_OF_INDEX,
    "place": "write index.view(1) as the index, or leave strict=True out",
}
_WITHOUT_NUMPY = "calculate with functions of torch, which become part of the program"


class ValueReadInPython(Rule):
    """The forward of an exported model takes a value out of a tensor in a way that tracing cannot follow.

    What happens:
        The export raises. `int(x)` and `float(x)`: `GuardOnDataDependentSymNode: Could not guard on data-dependent
        expression zuf0`. `x.numpy()` and `numpy.asarray(x)`: `RuntimeError: .numpy() is not supported for tensor
        subclasses.` `x.data_ptr()`: `RuntimeError: Cannot access data pointer of Tensor (e.g. FakeTensor, …)`.
        `f"{x.mean():.3f}"`: `TypeError: unsupported format string passed to FakeTensor.__format__`, also of `x.item()`.
        `copy.deepcopy(x)`, and that of a layer: the same as `x.data_ptr()`; `copy.copy(x)`:
        `AssertionError: elem.device.type must be 'meta', got cpu`. `int(x.max().item())`: `Could not extract
        specialized integer from data-dependent expression`; so does `len(x[x > 0])`. `math.exp(x.mean())`: as
        `float(x)`. `torch.tensor([x.sum()])`: `The tensor has a non-zero number of elements, but its data is not
        allocated yet`. `one_hot(x)` without `num_classes`: as `int(x)`.
        `cache[:, pos] = k`, where `pos` is a tensor without dimensions: `Could not extract specialized integer from
        data-dependent expression u0`; where it is `pos.item()`: `IndexError: only integers, slices (`:`), ellipsis
        (`...`), None and long or byte Variables are valid indices`. With `strict=True` `cache[:, pos]` raises so, too.

    Why:
        Export runs the forward with tensors that have no values. `x.item()` gives a symbol that becomes part of the
        program; `int(…)` and `float(…)` ask for the number itself, also of such a symbol, NumPy for the memory. With
        `strict=True` copies raise as well, and so do most functions of `math`, `round`, `complex` and `one_hot`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x / float(x.abs().max())  # <- AOTI326

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x / x.abs().max()

        program = torch.export.export(Net(), (torch.randn(4, 8),))

    How to debug:
        The traceback ends in the line of `forward`. Work with tensors up to the return, and with NumPy outside.

    Sources:
        Run on torch 2.13 with NumPy 2.4, with and without `strict=True`: each of the forms above.
    """

    code = "AOTI326"
    name = "value-read-in-python"
    severity = Severity.ERROR
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, use, failing, confidence in data_uses(facts, self.exports(facts), *HELP):
            copied = use.kind == "copy"
            yield self.found(
                facts,
                event,
                confidence,
                f"{use.name} {'copies a tensor' if copied else 'needs a value'}, and an export has none: it raises",
                span=use.span,
                failing=failing,
                label="here",
                related=(Related(event.span, "exported here"),),
                help=_WITHOUT_NUMPY if "numpy" in use.name else HELP[use.kind],
                symptom="export-error",
            )
