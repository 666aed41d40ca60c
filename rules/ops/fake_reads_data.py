"""AOTI403."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.trials import Note, Trial
from aoti_lint.rule.values import Tensor, Tup, Value, expr_of, leaves

from ._trials import TRIED, name_of, notes, sure

_READS = ("item", "data", "truth", "read")


class FakeReadsData(Rule):
    """The fake of a custom op reads what is in a tensor.

    What happens:
        Export raises, and so does `torch.compile` with `fullgraph=True`: `GuardOnDataDependentSymNode: Could not guard
        on data-dependent expression zuf0 < 0.0` where a value decides something, as in the example, or the truth of a
        tensor does, and `Could not extract specialized integer` where it is made a number with `int(…)`;
        `PendingUnbackedSymbolNotFound: Pending unbacked symbols {zuf0} not in returned outputs` where
        `.item()` or `.tolist()` is called and nothing more; `RuntimeError: Cannot access data pointer of Tensor (e.g.
        FakeTensor, …)` for `data_ptr()` and the like. Without `fullgraph`, `torch.compile` breaks the graph at the op,
        without a word but for `data_ptr()`, which raises.

    Why:
        A fake is called with tensors that have sizes, a dtype and a device, and nothing in them.

    Bad:
        import torch

        @torch.library.custom_op("mylib::clip", mutates_args=())
        def clip(x: torch.Tensor, top: torch.Tensor) -> torch.Tensor:
            return x.clamp(max=top.item())

        @clip.register_fake
        def _(x, top):
            if top.item() < 0:  # <- AOTI403
                raise ValueError("top is negative")
            return torch.empty_like(x)

    Good:
        import torch

        @torch.library.custom_op("mylib::clip", mutates_args=())
        def clip(x: torch.Tensor, top: torch.Tensor) -> torch.Tensor:
            return x.clamp(max=top.item())

        @clip.register_fake
        def _(x, top):
            return torch.empty_like(x)

    How to debug:
        Call the fake under `torch._subclasses.FakeTensorMode()` with a tensor made there: the traceback ends at the
        line. Where the size of the output is what the data decide, make it with
        `torch.library.get_ctx().new_dynamic_size()`.

    Sources:
        Each run on torch 2.13; `torch/_subclasses/fake_impls.py` of release 2.13.0, `local_scalar_dense`.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI403"
    name = "fake-reads-data"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, trial, note in notes(facts):
            # What is read may be a size of the output, as long as it is made no number.
            if note.kind not in _READS or note.span in told or _is_a_size(note, trial) != (note.kind == "read"):
                continue
            told.add(note.span)
            what = "the truth of a tensor is asked for" if note.kind == "truth" else f"{note.op}() reads a tensor"
            if note.kind == "read":
                what = f"{note.op}() makes a number of what a tensor holds"
            yield self.found(
                facts,
                event,
                sure(note),
                f"in the fake of {name_of(event)}, {what}: a fake tensor has nothing in it",
                span=note.span,
                label="reads data",
                related=(Related(event.span, "the fake is registered here"),),
                help="work with sizes, dtype and device alone; a check of values belongs into the kernel",
                symptom="export-error",
            )


def _is_a_size(note: Note, trial: Trial) -> bool:
    """Whether what was read is the size of an output, as an unbacked symbol may be."""
    if note.kind not in ("item", "read") or note.size is None or trial.value is None:
        return False
    read = set(note.size.roots)
    return any(read & set(expr_of(size).roots) for size in _sizes(trial.value))


def _sizes(value: Value) -> Iterator[Value]:
    for _, leaf in leaves(value):
        if isinstance(leaf, Tup):
            for item in leaf.items:
                yield from _sizes(item)
        elif isinstance(leaf, Tensor):
            for size in leaf.shape or ():
                yield from (one for _, one in leaves(size))
