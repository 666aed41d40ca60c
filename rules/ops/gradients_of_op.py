"""AOTI424."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, nodes
from aoti_lint.rule.events import BackwardThrough, OpDefinition, OpGradients, OpImpl
from aoti_lint.rule.ops import Schema, op_key
from aoti_lint.rule.trials import OpTrial, outputs
from aoti_lint.rule.values import NONE, Const, Func, Tensor, leaves

from ._fake_place import MAKERS
from ._gradients import SETUP, parameters, required, returned, unpacked
from ._schemas import Definitions
from ._trials import place


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
    doubt = "nothing may ask for its gradients"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        yield from self._without(facts, definitions)
        for event in facts.of(OpGradients):
            name = event.op.value if isinstance(event.op, Const) else None
            if not isinstance(name, str) or catches(event.caught | event.expected, "RuntimeError"):
                continue
            defined = definitions.with_schema(name, event.span.path)
            if defined is None:
                continue
            schema, definition = defined
            found = _refused(schema) or _of_setup(event, schema) or _of_backward(event, schema)
            if found is None:
                continue
            near = definition.span.path == event.span.path or facts.project.context_complete
            there = found.place or event.span
            registered = () if there == event.span else (Related(event.span, "registered here"),)
            yield self.found(
                facts,
                event,
                Confidence.LIKELY if near else Confidence.POSSIBLE,
                found.message,
                span=there,
                label=found.label,
                outcome=Outcome.RAISES if found.place is None else self.outcome,
                related=(Related(definition.place or definition.span, found.of_op), *registered),
                help=found.help,
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


class _Fault(NamedTuple):
    """What is wrong with a formula, and where: `None` is the registration. `of_op` is what to see at the op."""

    message: str
    place: Span | None
    label: str
    of_op: str
    help: str


def _refused(schema: Schema) -> _Fault | None:
    """The op changes what it is given, gives it back, or gives nothing: torch takes no formula for it."""
    if not schema.mutates and schema.returns and not any(one.alias for one in schema.returns):
        return None
    what = f"changes `{schema.mutates[0]}`" if schema.mutates else "returns nothing" * (not schema.returns)
    what = what or "returns what it was given"
    return _Fault(
        f"{schema.name} {what}, and torch takes a formula for its gradients only of ops that do not: it raises",
        None,
        "registered here",
        f"the op {what}",
        "register the formula for an op that returns a new tensor, and copy its result where it is wanted",
    )


def _of_setup(event: OpGradients, schema: Schema) -> _Fault | None:
    """The function that keeps things for the backward pass cannot be called, or unpacks what is not there."""
    if event.setup == NONE:
        kept = _saved(event)
        return (
            None
            if kept is None
            else _Fault(
                "the backward function takes tensors that nobody saved: there is no setup_context, so it raises",
                kept,
                "nothing is saved",
                "the op is defined here",
                "give register_autograd a setup_context=, which calls ctx.save_for_backward(…)",
            )
        )
    if not isinstance(event.setup, Func):
        return None
    node, path = event.setup.node, event.setup.module.path
    known = (*SETUP, "keyword_only_inputs") if any(one.keyword_only for one in schema.arguments) else SETUP
    names, needed = parameters(node), required(node)
    if names is not None and (not set(known) <= set(names) or not set(needed) <= set(known)):
        return _Fault(
            f"setup_context is called with {', '.join(known)} by name, and takes {', '.join(names)}: it raises",
            place(event.setup),
            "its parameters have other names",
            "the op is defined here",
            f"write def setup_context({', '.join(known)})",
        )
    count = len(schema.positional)
    for one, wanted in unpacked(node, nodes.Name(0, 0, "inputs")):
        if wanted != count:
            return _Fault(
                f"{_count(wanted, 'value')} are unpacked of the {_count(count, 'input')} of {schema.name}: it raises",
                Span(path, one.start, one.end),
                "unpacked here",
                f"its inputs are {', '.join(each.name for each in schema.positional)}",
                "unpack all inputs of the op, in the order of its schema",
            )
    return None


def _of_backward(event: OpGradients, schema: Schema) -> _Fault | None:
    """The backward function returns fewer gradients than there are inputs."""
    if not isinstance(event.function, Func):
        return None
    needed = [one.name for one in schema.positional if one.default is None]
    short = [(node, count) for node, count in returned(event.function.node) if count < len(needed)]
    if not short:
        return None
    node, count = short[0]
    return _Fault(
        f"{_count(count, 'gradient')} for an op with {_count(len(needed), 'input')}: its backward raises",
        Span(event.function.module.path, node.start, node.end),
        "what the backward function returns",
        f"its inputs are {', '.join(needed)}",
        f"return one value for each of {', '.join(needed)}, with None for what has no gradient",
    )


def _saved(event: OpGradients) -> Span | None:
    """Where a backward function unpacks the tensors that were saved for it."""
    if not isinstance(event.function, Func) or not event.function.node.params:
        return None
    wanted = nodes.Attr(0, 0, nodes.Name(0, 0, event.function.node.params[0].name), "saved_tensors")
    found = next(unpacked(event.function.node, wanted), None)
    return None if found is None else Span(event.function.module.path, found[0].start, found[0].end)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
