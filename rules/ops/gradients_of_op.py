"""AOTI424."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, nodes
from aoti_lint.rule.events import OpGradients
from aoti_lint.rule.values import Const, Func

from ._schemas import Definitions, schema_of


class GradientsOfOp(Rule):
    """The backward function of a custom op returns fewer gradients than the op has inputs.

    What happens:
        Export, compile and forward go through. The first `backward()` raises `RuntimeError: function
        GeneratedBackwardFor_mylib_scale_defaultBackward returned an incorrect number of gradients (expected 4, got 3)`,
        where both numbers are one more than those of the inputs and of the gradients.

    Why:
        Each input has a place in what the backward function returns, and `None` stands there for what has no gradient:
        a number, a flag, a tensor that is never trained. A list is one gradient, that of an input which is a list.

    Bad:
        import torch

        @torch.library.custom_op("mylib::scale", mutates_args=())
        def scale(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
            return x.clamp(low, high) * 2

        @scale.register_fake
        def _(x, low, high):
            return torch.empty_like(x)

        def backward(ctx, grad):
            return grad * 2, None  # <- AOTI424

        scale.register_autograd(backward)

    Good:
        import torch

        @torch.library.custom_op("mylib::scale", mutates_args=())
        def scale(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
            return x.clamp(low, high) * 2

        @scale.register_fake
        def _(x, low, high):
            return torch.empty_like(x)

        def backward(ctx, grad):
            return grad * 2, None, None

        scale.register_autograd(backward)

    How to debug:
        `torch.library.opcheck(op, example_args)` with an example that requires gradients runs the backward function.

    Sources:
        Run on torch 2.13 (this project's tests, 13 signatures): inputs that come after `*`, or are left out of a call
        as they have a default, need no gradient; further values that are `None` do no harm.
        https://docs.pytorch.org/docs/stable/library.html#torch.library.register_autograd
    """

    code = "AOTI424"
    name = "gradients-of-op"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        for event in facts.of(OpGradients):
            name = event.op.value if isinstance(event.op, Const) else None
            if not isinstance(name, str) or not isinstance(event.function, Func):
                continue
            defined = {schema_of(one): one for one in definitions.near(name, event.span.path)}
            schema, definition = next(iter(defined.items()), (None, None))
            if len(defined) != 1 or schema is None or definition is None:
                continue
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            needed = [one.name for one in schema.positional if one.default is None]
            short = [(node, count) for node, count in _returned(event.function.node) if count < len(needed)]
            if not short:
                continue
            node, count = short[0]
            near = definition.span.path == event.span.path or facts.project.context_complete
            yield self.found(
                facts,
                event,
                Confidence.LIKELY if near else Confidence.POSSIBLE,
                f"{_count(count, 'gradient')} for an op with {_count(len(needed), 'input')}: its backward raises",
                span=Span(event.function.module.path, node.start, node.end),
                label="what the backward function returns",
                related=(
                    Related(definition.place or definition.span, f"its inputs are {', '.join(needed)}"),
                    Related(event.span, "registered here"),
                ),
                help=f"return one value for each of {', '.join(needed)}, with None for what has no gradient",
                symptom="shape-mismatch",
            )


def _returned(function: nodes.FunctionDef | nodes.Lambda) -> Iterator[tuple[nodes.Node, int]]:
    """What a function returns, with how many gradients that is, wherever it is written out."""
    todo: list[object] = [function.body]
    while todo:
        one = todo.pop()
        match one:
            case nodes.FunctionDef() | nodes.ClassDef() | nodes.Lambda():
                continue
            case nodes.Return(value=value):
                count = 1 if value is None else _gradients(value)
                if count is not None:
                    yield one, count
            case nodes.Seq() if isinstance(function, nodes.Lambda):
                count = _gradients(one)
                if count is not None:
                    yield one, count
            case list() | tuple():
                todo += reversed(one)
            case nodes.Node() if not isinstance(function, nodes.Lambda):
                todo += [getattr(one, field.name) for field in reversed(fields(one))]


def _gradients(value: nodes.Expr) -> int | None:
    """How many gradients a display is; None for what is none, or has parts that are not known."""
    if not isinstance(value, nodes.Seq) or any(isinstance(item, nodes.Star) for item in value.items):
        return None
    return len(value.items) if value.kind == "tuple" else 1


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
