"""AOTI722."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import Exporting
from aoti_lint.rule.inputs import misfit
from aoti_lint.rule.values import Program

from ._forward import met


class ForwardRaises(Rule):
    """The forward raises an exception for the example inputs of an export.

    What happens:
        The export ends with that exception: one of a `raise` or an `assert` in the forward, a `torch._check` that does
        not hold, `not enough values to unpack` for `b, t, c = x.shape`, or `ValueError: Expected more than 1 value per
        channel when training, got input size torch.Size([1, 8])` of a batch norm in training mode. So it does with
        `AttributeError: 'dict' object has no attribute 'shape'`, where a tokenizer's dict is given for a tensor, with
        `TypeError: conv2d() received an invalid combination of arguments - got (list, …)`, where a whole batch of a
        `DataLoader` or the tuple of an `nn.LSTM` is, with `'NoneType' object has no attribute 'to'`, where no mask is
        given, and with what an operation of torch says of a dimension, an index, a size, a dtype or a fraction that it
        does not take: `Dimension out of range`, `shape '[2, 5]' is invalid for input of size 12`. With `strict=True`
        the exception may stand inside of one of TorchDynamo's. `torch.onnx.export` of torch 2.9 and later raises a
        `TorchExportError`.

    Why:
        An export runs the forward with the example inputs. What is told here hangs on them: with others the forward may
        go on.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if x.size(1) != 4:
                    raise ValueError(f"expected 4 columns, got {x.size(1)}")  # <- AOTI722
                return x * 2

        torch.export.export(Net(), (torch.randn(2, 6),))

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = torch.nn.BatchNorm1d(8)

            def forward(self, x):
                return self.norm(x)  # <- AOTI722

        torch.export.export(Net(), (torch.randn(1, 8),))

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, mask=None):
                return x.masked_fill(mask, 0.0)  # <- AOTI722

        torch.export.export(Net(), (torch.randn(2, 6),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if x.size(1) != 4:
                    raise ValueError(f"expected 4 columns, got {x.size(1)}")
                return x * 2

        torch.export.export(Net(), (torch.randn(2, 4),))

    How to debug:
        Run `model(*args)` with the example inputs, without an export: it raises as well.

    Sources:
        Run on torch 2.13, with `strict=True` and without: 520 forwards; what operations refuse was measured for each.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI722"
    name = "forward-raises"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if isinstance(event.program, Program) and misfit(event.program) is not None:
            return  # AOTI328 tells of it
        for one, sure in met(event, event.raised):
            # One round stands for all of a loop: what is there in a later one is only guessed.
            looped = any(cond.kind == "loop" for cond in one.path if cond not in event.path)
            # Where more has to hold, it is there for those who ask for what the forward does not take.
            if (
                looped
                or sure is Confidence.POSSIBLE
                or catches(one.caught | event.caught | event.expected, one.exception)
            ):
                continue
            why = f" ({one.why})" if one.why else ""
            yield self.found(
                facts,
                event,
                sure,
                f"the forward raises {one.exception} for these example inputs{why}: the export fails",
                span=one.span,
                label="raises here",
                related=(Related(event.span, "exported with these example inputs"),),
                help="give example inputs that this line can work with, or change the line",
            )
            return
