"""AOTI427."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import OpDefinition
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.values import Const, Value

from ..flags._compile import is_inductor
from ._compiled import compiled_by, compiled_calls, faked_ops, taken_apart
from ._schemas import exports_of_ops, name_of, named_at, schema_of, tested, used


class OpReturnsAlias(Rule):
    """The schema of a custom op says that it returns one of its arguments, and the op is there to be compiled.

    What happens:
        The export goes through. What comes behind it raises, `aoti_compile_and_package`, `run_decompositions()` and
        `torch.onnx.export`, and so does the first call under `torch.compile`: `RuntimeError: Found a custom (non-ATen)
        operator whose output has alias annotations: mylib::scale_(Tensor(a!) x) -> Tensor(a!). We only support
        functionalizing operators whose outputs do not have alias annotations`.

    Why:
        Before a graph is compiled, changes in place and views are taken out of it. torch knows how to do so for its own
        operators; of others it takes those that change arguments and return nothing, or new tensors.

    Bad:
        import torch

        torch.library.define("mylib::scale_", "(Tensor(a!) x) -> Tensor(a!)")  # <- AOTI427

        @torch.library.impl("mylib::scale_", "CompositeExplicitAutograd")
        def scale_(x):
            return x.mul_(2)

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.scale_(x.clone())

        program = torch.export.export(Net(), (torch.randn(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import torch

        torch.library.define("mylib::scale_", "(Tensor(a!) x) -> ()")

        @torch.library.impl("mylib::scale_", "CompositeExplicitAutograd")
        def scale_(x):
            x.mul_(2)

        class Net(torch.nn.Module):
            def forward(self, x):
                y = x.clone()
                torch.ops.mylib.scale_(y)
                return y

        program = torch.export.export(Net(), (torch.randn(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        `program.run_decompositions({})` raises at once, without a compiler.

    Sources:
        Run on torch 2.13: ops that return an argument that they change, a view, and a further tensor beside, exported,
        compiled, decomposed and under `torch.compile`. With a kernel under `CompositeImplicitAutograd` or
        `Functionalize` all that runs.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI427"
    name = "op-returns-alias"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_COMPILE
    doubt = "what is exported may not be compiled"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        defined = {
            base_name(name): event
            for event in facts.of(OpDefinition)
            if (name := name_of(event)) is not None and _returns_alias(event)
        }
        apart = taken_apart(facts)
        exported, compiled = exports_of_ops(facts), compiled_calls(facts)
        faked = faked_ops(facts)
        for name, event in defined.items():
            if apart(name):
                continue
            use = next((one for one in exported.get(name, ()) if one is not None), None)
            call = next((one for one in compiled.get(name, ()) if compiled_by(one, _functionalizes)), None)
            if use is None and call is None and (name not in faked or tested(event.span.path)):
                continue  # it may be for eager code alone, which asks no fake, or for the test of something else
            called = () if call is None else (Related(call.span, "compiled code calls it here"),)
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"{name} returns what its schema says is one of its arguments: "
                "torch cannot compile or decompose a graph that calls it",
                span=named_at(facts, event),
                label="defined here",
                related=called if use is None else used(use),
                help="return nothing where the op changes its argument, and a new tensor where it gives a view",
            )


def _returns_alias(event: OpDefinition) -> bool:
    """Whether it does so, and is no other form of an op, such as the one that writes to `out`."""
    schema = schema_of(event)
    plain = "." not in (name_of(event) or "") and schema is not None and not schema.overload
    return plain and schema is not None and any(one.alias for one in schema.returns)


def _functionalizes(backend: Value) -> bool:
    """Whether changes in place are taken out of what `torch.compile` gives this backend."""
    aot = isinstance(backend, Const) and isinstance(backend.value, str) and backend.value.startswith("aot_")
    return aot or is_inductor(backend) is True
