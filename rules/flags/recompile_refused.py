"""AOTI519."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import CompiledCall
from aoti_lint.rule.shapes import LEAST
from aoti_lint.rule.values import FALSE, NONE, TRUE, Const, Tensor, Value

from ._compile import mentions

_STANCE = Const("fail_on_recompile")
_MARKS = ("mark_dynamic", "mark_unbacked", "assume_static_by_default", "automatic_dynamic", "Dim(")
"""What decides in another way which sizes code is compiled for."""
Signature = tuple[tuple[str | None, tuple[int, ...]], ...]


class RecompileRefused(Rule):
    """A compiled function is called with another size under `fail_on_recompile`, for which it has no code.

    What happens:
        `RuntimeError: Detected recompile when torch.compile stance is 'fail_on_recompile'`.

    Why:
        The first call compiles for its sizes alone. The second with another size makes that dimension dynamic, which is
        a recompile; with `dynamic=True` the first call does so, except for sizes 0 and 1.

    Bad:
        import torch

        @torch.compile
        def double(x):
            return x * 2

        double(torch.randn(4, 8))
        torch.compiler.set_stance("fail_on_recompile")
        double(torch.randn(6, 8))  # <- AOTI519

    Good:
        import torch

        @torch.compile(dynamic=True)
        def double(x):
            return x * 2

        double(torch.randn(4, 8))
        torch.compiler.set_stance("fail_on_recompile")
        double(torch.randn(6, 8))

    How to debug:
        The message ends with the guard that failed; `TORCH_LOGS=recompiles` prints it at each recompile.

    Sources:
        Run on torch 2.13 (this project's tests): other sizes, ranks and dtypes, before and after a second size.
        https://docs.pytorch.org/docs/stable/generated/torch.compiler.set_stance.html
    """

    code = "AOTI519"
    name = "recompile-refused"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(CompiledCall):
            if event.stance != _STANCE or catches(event.caught | event.expected, "RuntimeError"):
                continue
            earlier = [one for one in facts.of(CompiledCall) if one is not event and one.is_before(event)]
            before = [one for one in earlier if one.compilation == event.compilation]
            # What sizes become dynamic is remembered by the code, which two compiled functions may have in common.
            if event.compilation.option("dynamic") == NONE and len(before) < len(earlier):
                continue
            if not before or not _compiles_again(event, before) or mentions(facts, event, *_MARKS):
                continue
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                "the function has no code for these sizes or dtypes, and to compile again is refused: it raises",
                doubt="something else may have called it so",
                label="called with other tensors here",
                related=(Related(before[0].span, "compiled for these here"),),
                help="call it once with two sizes, or compile with dynamic=True, before the stance is set",
            )


def _compiles_again(event: CompiledCall, before: list[CompiledCall]) -> bool:
    """Whether none of the calls before has made code for this one, all of which surely were made."""
    whole = event.compilation.option("dynamic")
    found = [_signature(one.given, whole == TRUE) for one in before]
    own = _signature(event.given, whole == TRUE)
    if own is None or None in found or any(cond not in event.path for one in before for cond in one.path):
        return False
    if own in found or whole not in (NONE, TRUE, FALSE):
        return False
    # A second size has made the dimension dynamic.
    return whole != NONE or len(set(found)) == 1


def _signature(given: tuple[Value, ...], dynamic: bool) -> Signature | None:
    """The dtypes and sizes of tensors, if these are all that is given, and known. `dynamic`: large sizes are alike."""
    made: list[tuple[str | None, tuple[int, ...]]] = []
    for one in given:
        sizes = one.shape if isinstance(one, Tensor) else None
        known = [size.value for size in sizes or () if isinstance(size, Const) and type(size.value) is int]
        if not isinstance(one, Tensor) or sizes is None or len(known) < len(sizes):
            return None
        made.append((one.dtype, tuple(min(size, LEAST) if dynamic else size for size in known)))
    return tuple(made) or None
