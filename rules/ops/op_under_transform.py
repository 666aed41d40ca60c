"""AOTI425."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, catches
from aoti_lint.rule.events import OpCall

from ._fake_place import MAKERS
from ._schemas import Definitions


class OpUnderTransform(Rule):
    """A custom op is called in a function that `torch.func` differentiates.

    What happens:
        The call raises `RuntimeError: In order to use an autograd.Function with functorch transforms (vmap, grad, jvp,
        jacrev, ...), it must override the setup_context staticmethod.` So do `grad`, `grad_and_value`, `vjp`, `jacrev`
        and `hessian`, whether the op has a formula for its backward pass or not. `jvp` and `jacfwd` raise nothing: for
        them the gradient of the op is 0.

    Why:
        What `register_autograd` makes of a formula is an `autograd.Function` without a `setup_context` of its own: the
        transforms of `torch.func` cannot take it apart.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        def backward(ctx, grad):
            return grad * 2

        twice.register_autograd(backward)

        def loss(x):
            return twice(x).sum()  # <- AOTI425

        torch.func.grad(loss)(torch.randn(3))

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        def backward(ctx, grad):
            return grad * 2

        twice.register_autograd(backward)

        x = torch.randn(3, requires_grad=True)
        torch.autograd.grad(twice(x).sum(), x)

    How to debug:
        Call the function as it is: it runs. With `torch.autograd.grad` its gradients are those of the formula.

    Sources:
        `torch/_library/autograd.py` of releases 2.4.1, 2.8.0, 2.10.0 and 2.13.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/func.html
    """

    code = "AOTI425"
    name = "op-under-transform"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_CALL
    doubt = "the op may be given nothing that is differentiated"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        for event in facts.of(OpCall):
            defined = definitions.near(event.op, event.span.path) if event.transform else []
            if len(defined) != 1 or defined[0].api not in MAKERS:
                continue
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"{event.transform} cannot go through the custom op {event.op}: it raises",
                label="called in what is differentiated",
                related=(Related(defined[0].place or defined[0].span, "the op is defined here"),),
                help="differentiate with torch.autograd.grad or .backward(), "
                "or write the op as a torch.autograd.Function with setup_context",
            )
