"""AOTI516."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, VersionSet, catches, judge
from aoti_lint.rule.events import ExportEvent
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import NONE, Const, Program, Value

from ..ops._schemas import triton_ops
from ..ops._trials import kernels, sure
from ._compile import once


class RawTritonKernel(Rule):
    """The forward of an exported model, or a `triton_op`, launches a Triton kernel that torch is not told of.

    What happens:
        The export raises (in non-strict mode, the default since torch 2.8):

            RuntimeError: Cannot access data pointer of Tensor (e.g. FakeTensor, FunctionalTensor). If you're using
            torch.compile/export/fx, it is likely that we are erroneously tracing into a custom kernel. …

    Why:
        Non-strict export runs the forward with tensors that have no memory, and the kernel is launched for real. What
        `torch.library.wrap_triton` gives is recorded instead. With `strict=True` torch reads the code of the forward
        and records plain launches too. Inside a `triton_op` the kernel has to be wrapped as well; the function of a
        `custom_op` is not entered, and needs a fake function.

    Bad:
        # torch: 2.13
        import torch
        import triton
        import triton.language as tl


        @triton.jit
        def double(x, out, n, BLOCK: tl.constexpr):
            at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


        class Net(torch.nn.Module):
            def forward(self, x):
                out = torch.empty_like(x)
                double[(4,)](x, out, x.numel(), BLOCK=64)  # <- AOTI516
                return out


        torch.export.export(Net(), (torch.ones(8, device="cuda"),))

    Good:
        # torch: 2.13
        import torch
        import triton
        import triton.language as tl


        @triton.jit
        def double(x, out, n, BLOCK: tl.constexpr):
            at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


        @torch.library.triton_op("shop::twice", mutates_args={})
        def twice(x: torch.Tensor) -> torch.Tensor:
            out = torch.empty_like(x)
            torch.library.wrap_triton(double)[(4,)](x, out, x.numel(), BLOCK=64)
            return out


        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)


        torch.export.export(Net(), (torch.ones(8, device="cuda"),))

    How to debug:
        The last line of the traceback before torch's own is the launch.

    Sources:
        Run on torch 2.11.0 with an NVIDIA GPU (recorded for this project's tests), also `strict=True`, wrapped and
        custom operators, and operators of `triton_op` that launch a kernel as it is.
        https://docs.pytorch.org/tutorials/recipes/torch_compile_user_defined_triton_kernel_tutorial.html
    """

    code = "AOTI516"
    name = "raw-triton-kernel"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        yield from self._in_ops(facts, reported)
        for event in facts.of(ExportEvent):
            program = event.program
            if not isinstance(program, Program) or catches(event.caught | event.expected, "RuntimeError"):
                continue
            lenient = _not_strict(program.api, event.versions)

            def failing(
                values: list[Value], lenient: VersionSet = lenient, all_: VersionSet = event.versions
            ) -> VersionSet:
                given = values[0]
                if given == NONE:
                    return lenient
                return all_ if isinstance(given, Const) and not given.value else VersionSet()

            verdict = judge([program.strict], event.path, lambda values: bool(failing(values)))
            if verdict is None:
                continue
            for name, place in program.kernels:
                if once(reported, place):
                    yield self.found(
                        facts,
                        event,
                        verdict,
                        f"the Triton kernel {name} is launched without torch.library.wrap_triton: the export raises",
                        span=place,
                        failing=failing(verdict[1]),
                        label="launched here",
                        related=(Related(event.span, "exported here"),),
                        help=f"launch torch.library.wrap_triton({name}), best in a torch.library.triton_op",
                        symptom="export-error",
                    )

    def _in_ops(self, facts: Facts, reported: set[Span]) -> Iterator[Diagnostic]:
        """What a `triton_op` launches, whose function each export enters."""
        ops = triton_ops(facts)
        for event, trial in kernels(facts) if ops else ():
            for note in trial.watch.notes:
                if note.kind == "launched" and event.op in ops and once(reported, note.span):
                    yield self.found(
                        facts,
                        event,
                        sure(note),
                        f"the op {event.op} launches the Triton kernel {note.op} without torch.library.wrap_triton: "
                        "it runs in eager code, and export and torch.compile raise",
                        span=note.span,
                        label="launched here",
                        severity=Severity.WARNING,
                        related=(Related(ops[event.op].span, "the op is defined here"),),
                        help=f"launch torch.library.wrap_triton({note.op}); or make it a custom_op, with a fake",
                        doubt="the op may be for eager code alone",
                        symptom="export-error",
                    )


def _not_strict(name: str, versions: VersionSet) -> VersionSet:
    """The releases in which an export is not strict by default, as far as their signatures say."""
    found = []
    for version in versions:
        signature = api.signature(name, version)
        strict = signature.parameter("strict") if signature is not None else None
        if strict is not None and strict.default == "False":
            found.append(version)
    return VersionSet(found)
