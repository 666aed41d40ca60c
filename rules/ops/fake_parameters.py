"""AOTI410."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches, nodes, weaker
from aoti_lint.rule.events import OpCall, OpDefinition, OpImpl
from aoti_lint.rule.ops import Schema, base_name
from aoti_lint.rule.project import names_in
from aoti_lint.rule.values import Const, Func

from ._parameters import Mismatch, mismatches
from ._replaced import replaced
from ._schemas import Definitions, Use, exports_of_ops, used

META = frozenset({"Meta", "meta"})
KERNELS = META | {
    "CPU", "cpu", "CUDA", "cuda", "XPU", "xpu", "MPS", "mps", "CompositeImplicitAutograd", "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional", "default",
}  # fmt: skip
"""Dispatch keys and device types whose kernels get the arguments of the op and nothing else."""


_UNSEEN = "no call {} was seen"


class FakeParameters(Rule):
    """The parameters of a fake, or of a Python kernel, do not fit the schema of its operator.

    What happens:
        Export and compile raise when they call the fake, a kernel when the op is called: `TypeError: _() takes 1
        positional argument but 2 were given`, `missing 1 required positional argument`, `got an unexpected keyword
        argument`. Parameters in another order raise nothing: each gets the value of another.

    Why:
        torch gives the arguments before the `*` of the schema by position and those after it by name. Arguments that
        are equal to their default in the schema are left out, so the function needs a default for them as well.

    Bad:
        import torch

        @torch.library.custom_op("mylib::shift", mutates_args=())
        def shift(x: torch.Tensor, by: int, scale: float = 1.0) -> torch.Tensor:
            return (x + by) * scale

        @shift.register_fake
        def _(x, by):  # <- AOTI410
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return shift(x, 3, 2.0)

        program = torch.export.export(Net(), (torch.randn(4),))

    Good:
        import torch

        @torch.library.custom_op("mylib::shift", mutates_args=())
        def shift(x: torch.Tensor, by: int, scale: float = 1.0) -> torch.Tensor:
            return (x + by) * scale

        @shift.register_fake
        def _(x, by, scale=1.0):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return shift(x, 3, 2.0)

        program = torch.export.export(Net(), (torch.randn(4),))

    How to debug:
        `torch.ops.mylib.shift.default._schema` is the schema. `torch.library.opcheck(op, args)` calls the fake.

    Sources:
        Run on torch 2.13 with fakes and kernels of all styles; `torch/_subclasses/fake_tensor.py` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/library.html#torch.library.register_fake
    """

    code = "AOTI410"
    name = "fake-parameters"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        exported = exports_of_ops(facts)
        unused = replaced(facts)
        seen: set[Span] = set()
        for event in facts.of(OpImpl):
            name = event.op.value if isinstance(event.op, Const) else None
            if not isinstance(name, str) or not isinstance(event.function, Func) or not _gets_the_arguments(event):
                continue
            if event.function.owner is not None and event.function.role != "static":
                continue
            if event.is_fake and unused.fake_of(name, event.span.path):
                continue
            defined = definitions.with_schema(name, event.span.path)
            if defined is None:
                continue
            schema, definition = defined
            # One for each function, and rather one that every call meets.
            found = sorted(mismatches(event.function.node, schema), key=lambda one: bool(one.argument))
            place = _place(event.function)
            if found and place not in seen and not catches(event.caught | event.expected, "TypeError"):
                seen.add(place)
                for use in exported.get(base_name(name)) or [None]:
                    yield self._report(facts, event, definition, schema, found[0], use)

    def _report(
        self,
        facts: Facts,
        event: OpImpl,
        definition: OpDefinition,
        schema: Schema,
        found: Mismatch,
        use: Use | None,
    ) -> Diagnostic:
        assert isinstance(event.function, Func)
        fake = event.is_fake or bool(META & {key.value for key in event.keys if isinstance(key, Const)})
        what = "fake" if fake else "kernel"
        related = [Related(definition.place or definition.span, "the op is defined here")]
        call = _calls(facts, schema, found) if found.argument else None
        if call is not None:
            related.append(Related(call.span, "called so here"))
        sure = Confidence.LIKELY if found.misplaced or (found.argument and call is None) else Confidence.CERTAIN
        if found.misplaced and not found.misplaced & names_in([event.function.node.body]):
            sure = Confidence.POSSIBLE  # it does nothing with what it gets there
        if definition.span.path != event.span.path and not facts.project.context_complete:
            sure = weaker(sure, Confidence.LIKELY)
        error = sure is Confidence.CERTAIN and (not fake or use is not None)
        if fake and use is not None and not found.argument:
            related += used(use)
        # torch leaves out what is given its default: only calls with another value meet it.
        when = " with another value than its default" if found.argument and found.given else ""
        effect = "" if found.misplaced else f": tracing it{when} raises" if fake else f": calling it{when} raises"
        return self.found(
            facts,
            event,
            sure,
            f"the {what} of {schema_name(definition)} has {found.message}{effect}",
            span=_place(event.function),
            outcome=Outcome.SILENTLY_WRONG if found.misplaced else self.outcome if fake else Outcome.RAISES_AT_CALL,
            label="its parameters",
            severity=Severity.ERROR if error else Severity.WARNING,
            related=tuple(related),
            help=f"give the {what} the parameters of the schema: ({signature(schema)})",
            doubt=_UNSEEN.format("with another value" if found.given else "without the argument")
            if found.argument and call is None
            else "",
            symptom="export-error" if fake else "shape-mismatch",
        )


def schema_name(definition: OpDefinition) -> str:
    return str(definition.op.value) if isinstance(definition.op, Const) else "the op"


def signature(schema: Schema) -> str:
    """The parameters that a Python function of this schema has."""
    parts: list[str] = []
    for argument in schema.arguments:
        if argument.keyword_only and "*" not in parts:
            parts.append("*")
        parts.append(argument.name if argument.default is None else f"{argument.name}={argument.default}")
    return ", ".join(parts)


def _gets_the_arguments(event: OpImpl) -> bool:
    """Whether the function gets what the op gets: kernels for autograd and for modes may get more."""
    return event.is_fake or all(isinstance(key, Const) and key.value in KERNELS for key in event.keys)


def _place(function: Func) -> Span:
    """Where the parameters of a function stand; its name or the whole where it has none."""
    node, path = function.node, function.module.path
    if node.params:
        return Span(path, node.params[0].start, node.params[-1].end)
    if isinstance(node, nodes.FunctionDef):
        return Span(path, node.name_start, node.name_start + len(node.name.encode()))
    return Span(path, node.start, node.end)


def _calls(facts: Facts, schema: Schema, found: Mismatch) -> OpCall | None:
    """A call of the op that gives, or leaves out, the argument that the mismatch is about."""
    index = next((i for i, one in enumerate(schema.positional) if one.name == found.argument), None)
    argument = schema.argument(found.argument)
    for call in facts.of(OpCall, in_exports=True):
        if base_name(call.op) != base_name(schema.name) or call.open or argument is None:
            continue
        given = call.kwargs.get(found.argument)
        if given is None and index is not None and index < len(call.args):
            given = call.args[index]
        as_default = given is None or (isinstance(given, Const) and repr(given.value) == argument.default)
        if as_default != found.given and (given is None or isinstance(given, Const) or found.given):
            return call
    return None
