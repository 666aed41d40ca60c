"""AOTI424."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, nodes
from aoti_lint.rule.events import BackwardThrough, OpDefinition, OpGradients, OpImpl
from aoti_lint.rule.ops import op_key
from aoti_lint.rule.trials import OpTrial, outputs
from aoti_lint.rule.values import Const, Func, Tensor, leaves

from ._fake_place import MAKERS
from ._schemas import Definitions, schema_of


class GradientsOfOp(Rule):
    """A backward pass comes through a custom op without a formula for it, or with one that gives too few gradients.

    What happens:
        Export, compile and forward go through. The first `backward()` raises `RuntimeError: function
        GeneratedBackwardFor_mylib_scale_defaultBackward returned an incorrect number of gradients (expected 4, got 3)`,
        where both numbers are one more than those of the inputs and of the gradients. Without a formula it raises
        `RuntimeError: Trying to backward through mylib.scale.default but no autograd formula was registered.`, of the
        model itself and of `program.module()`.

    Why:
        Each input has a place in what the backward function returns, and `None` stands there for what has no gradient:
        a number, a flag, a tensor that is never trained. A list is one gradient, that of an input which is a list.
        Autograd does not look into what `torch.library.custom_op` defines.

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

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 8)

            def forward(self, x):
                return twice(self.fc(x))

        program = torch.export.export(Net(), (torch.randn(2, 8),))
        program.module()(torch.randn(2, 8)).sum().backward()  # <- AOTI424

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
        Run on torch 2.13 (this project's tests, 13 signatures). Kernels of a `Library` are run by autograd with a
        warning. Inputs that come after `*`, or are left out of a call
        as they have a default, need no gradient; further values that are `None` do no harm.
        https://docs.pytorch.org/docs/stable/library.html#torch.library.register_autograd
    """

    code = "AOTI424"
    name = "gradients-of-op"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        yield from self._without(facts, definitions)
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

    def _without(self, facts: Facts, definitions: Definitions) -> Iterator[Diagnostic]:
        """Backward passes through ops that nobody gave a formula."""
        told: set[Span] = set()
        for event in facts.of(BackwardThrough):
            defined = definitions.near(event.op, event.call.path)
            if len(defined) != 1 or defined[0].api not in MAKERS or _has_formula(facts, definitions, defined[0]):
                continue
            sure = _gives_numbers(facts, event.op)
            if sure is None or event.call in told or catches(event.caught | event.expected, "RuntimeError"):
                continue
            told.add(event.call)
            yield self.found(
                facts,
                event,
                sure,
                f"the backward pass comes through {event.op}, which has no formula for it: it raises",
                label="the backward pass begins here",
                related=(
                    Related(event.call, "the op is called here, with what was made of weights"),
                    Related(defined[0].place or defined[0].span, "it is defined here"),
                ),
                help="register one with register_autograd, or give the op a tensor that is detached",
            )


def _has_formula(facts: Facts, definitions: Definitions, defined: OpDefinition) -> bool:
    """Whether an op has a formula for its backward pass, or may have one."""
    name = op_key(defined.op)
    formulas: list[OpGradients | OpImpl] = [*facts.of(OpGradients), *filter(_may_be_for_autograd, facts.of(OpImpl))]
    for one in formulas:
        key = op_key(one.op)
        if "?" in key.split("::") or (key == name and defined in definitions.near(name, one.span.path)):
            return True
    return False


def _may_be_for_autograd(event: OpImpl) -> bool:
    """Whether a kernel is registered for autograd, or for what is not known."""
    return not event.is_fake and any(
        not isinstance(key, Const) or str(key.value).startswith(("Autograd", "CompositeImplicit")) for key in event.keys
    )


def _gives_numbers(facts: Facts, op: str) -> Confidence | None:
    """How sure it is that an op gives tensors that autograd follows; None where one of its outputs is of integers."""
    trials = [trial for one in facts.of(OpTrial) if one.op == op for trial in (one.fake, one.kernel)]
    values = [value for one in trials if one is not None and one.value is not None for value in outputs(one.value)]
    tensors = [leaf for value in values for _, leaf in leaves(value) if isinstance(leaf, Tensor)]
    if any((one.dtype or "").startswith(_COUNTING) for one in tensors):
        return None
    return Confidence.LIKELY if tensors else Confidence.POSSIBLE


_COUNTING = ("torch.int", "torch.uint", "torch.bool")
"""How the dtypes begin that autograd does not follow; that of an argument has another name."""


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
