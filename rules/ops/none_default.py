"""AOTI428."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import OpCall, OpDefinition
from aoti_lint.rule.ops import Argument, Schema, base_name
from aoti_lint.rule.values import NONE, Program, Value

from ..flags._compile import is_inductor
from ._compiled import compiled_by, compiled_calls, taken_apart
from ._schemas import exported_calls, name_of, named_at, op_calls, schema_of

_LOADED = frozenset({"Tensor", "bool"})
"""Types of which kernels take None all the same; what a package has written down of the call is refused at its load."""

_REFUSED = ("a call that leaves it out cannot be compiled", "a package with a call that leaves it out cannot be loaded")

_IN_PYTHON = {"SymInt": "int", "Scalar": "Number", "ScalarType": "torch.dtype", "Tensor": "torch.Tensor"}


class NoneDefault(Rule):
    """An argument of a custom op is None by default, and its type does not take None.

    What happens:
        A call that leaves the argument out runs, and is exported. `torch.compile` and `aoti_compile_and_package` raise:
        `InductorError: LoweringException: RuntimeError: mylib::scale() Expected a value of type 'int' for argument
        'factor' but instead found type 'NoneType'`. With a `Tensor` or a `bool` compiled code runs, but its package
        cannot be loaded: `Expected extern kernel mylib::scale to have serialized argument type as_tensor for argument 1
        but got as_none`.

    Why:
        `factor: int = None` makes the schema `SymInt factor=None`, which torch does not look at twice. The default is
        written into the graph where a call leaves it out, and is then held against the type.

    Bad:
        import torch

        @torch.library.custom_op("mylib::scale", mutates_args=())  # <- AOTI428
        def scale(x: torch.Tensor, factor: int = None) -> torch.Tensor:
            return x * (2 if factor is None else factor)

        @scale.register_fake
        def _(x, factor=None):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return scale(x)

        program = torch.export.export(Net(), (torch.randn(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        from typing import Optional

        import torch

        @torch.library.custom_op("mylib::scale", mutates_args=())
        def scale(x: torch.Tensor, factor: Optional[int] = None) -> torch.Tensor:
            return x * (2 if factor is None else factor)

        @scale.register_fake
        def _(x, factor=None):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return scale(x)

        program = torch.export.export(Net(), (torch.randn(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        `print(torch.ops.mylib.scale.default._schema)`: where a default is None, the type must end in `?`.

    Sources:
        Run on torch 2.13: 18 types of schemas, called plainly, under `torch.compile`, saved, and in a package. Lists
        and devices are refused where the op is defined.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI428"
    name = "none-default"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_COMPILE
    doubt = "what is exported may not be compiled"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        of_none = [
            (base_name(name), schema, event, argument)
            for event in facts.of(OpDefinition)
            if (name := name_of(event)) is not None and (schema := schema_of(event)) is not None
            for argument in schema.arguments
            if argument.default == "None" and argument.type and not argument.type.endswith("?")
        ]
        if not of_none:
            return
        apart, compiled, exported = taken_apart(facts), compiled_calls(facts), _exported(facts)
        told = set[tuple[Span, str, str]]()
        for op, schema, event, argument in of_none:
            if (event.span, op, argument.name) in told or apart(op):
                continue
            told.add((event.span, op, argument.name))
            loaded = argument.type in _LOADED
            calls = [*exported.get(op, ())]
            if not loaded:
                calls += (one for one in compiled.get(op, ()) if compiled_by(one, _is_inductor))
            call = next((one for one in calls if _gives_none(schema, argument, one)), None)
            if loaded and call is None:
                continue
            yield self.found(
                facts,
                event,
                Confidence.POSSIBLE if call is None else Confidence.LIKELY,
                f"`{argument.name}` of {op} is None by default, which its type does not allow: {_REFUSED[loaded]}",
                span=named_at(facts, event),
                label="defined here",
                related=() if call is None else (Related(call.span, "left out here"),),
                help=_help(event, argument),
                outcome=Outcome.RAISES_AT_LOAD if loaded else self.outcome,
            )


def _is_inductor(backend: Value) -> bool:
    return is_inductor(backend) is True


def _exported(facts: Facts) -> dict[str, list[OpCall]]:
    """The calls of each op in models that are exported, where nothing catches what is raised."""
    runs = {export.program.traced for _, _, export in exported_calls(facts) if isinstance(export.program, Program)}
    found: dict[str, list[OpCall]] = {}
    for call in op_calls(facts):
        if call.traced is not None and call.traced in runs:
            found.setdefault(base_name(call.op), []).append(call)
    return found


def _gives_none(schema: Schema, argument: Argument, call: OpCall) -> bool:
    """Whether a call leaves an argument out, or gives None for it."""
    if call.open:
        return False
    at = schema.positional.index(argument) if argument in schema.positional else None
    if at is not None and at < len(call.args):
        return call.args[at] == NONE
    return call.kwargs.get(argument.name, NONE) == NONE


def _help(event: OpDefinition, argument: Argument) -> str:
    if event.inferred is None:
        return f'write "{argument.type}? {argument.name}=None" in the schema'
    return f"annotate it as `{argument.name}: Optional[{_IN_PYTHON.get(argument.type, argument.type)}] = None`"
