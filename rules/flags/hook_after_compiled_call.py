"""AOTI528."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import ApiCall, CompiledCall
from aoti_lint.rule.values import Compilation, Tensor, Value

_RESETS = ("torch.compiler.reset", "torch._dynamo.reset")
_HOOKED = "a hook of a module that compiled code has run"


class HookAfterCompiledCall(Rule):
    """A hook is registered for a module inside of compiled code that ran before.

    What happens:
        Nothing: the hook is not called, and nobody says so. Only code that is compiled anew, for inputs of another
        shape or after `torch.compiler.reset()`, calls it.

    Why:
        The first call traces the modules with the hooks that they have then, and no guard asks whether there are more.
        Hooks of the module that is compiled itself are called around the compiled code, and are not lost, if its
        forward is your own and not that of a class of torch.

    Bad:
        import torch

        def show(module, given, made):
            print(made.mean())

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
        compiled = torch.compile(model)
        compiled(torch.ones(2, 8))
        model[0].register_forward_hook(show)  # <- AOTI528
        compiled(torch.ones(2, 8))

    Good:
        import torch

        def show(module, given, made):
            print(made.mean())

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
        model[0].register_forward_hook(show)
        compiled = torch.compile(model)
        compiled(torch.ones(2, 8))

    How to debug:
        `torch._dynamo.config.skip_nnmodule_hook_guards = False` has torch ask for hooks at each call.

    Sources:
        Run on torch 2.13: forward, forward-pre and backward hooks, of the model, of modules inside it, and of those
        that a compiled function calls; with and without another shape and a reset in between.
        https://docs.pytorch.org/docs/stable/torch.compiler_nn_module.html
    """

    code = "AOTI528"
    name = "hook-after-compiled-call"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "a later call may be compiled anew"

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        by = event.args[0] if event.name == _HOOKED and event.args else None
        if not isinstance(by, Compilation):
            return
        calls = [one for one in facts.of(CompiledCall) if one.compilation == by]
        before = [one for one in calls if one.order < event.order]
        traced = {_shapes(one) for one in before}
        later = [one for one in calls if one.order > event.order and _shapes(one) in traced]
        resets = [one for one in facts.of(ApiCall) if one.name in _RESETS and one.order > event.order]
        if later and not any(one.order < later[0].order for one in resets):
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                "the compiled code ran before and does not call this hook",
                label="registered too late",
                related=(
                    Related(before[0].span, "first called here"),
                    Related(later[0].span, "called here without it"),
                ),
                help="register it before the first call of the compiled model, or call torch.compiler.reset() after it",
            )


def _shapes(call: CompiledCall) -> tuple[tuple[Value, ...] | None, ...]:
    """The sizes of the tensors that a call is given: code is compiled anew for others."""
    return tuple(one.shape for one in call.given if isinstance(one, Tensor))
