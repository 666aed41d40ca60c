"""The schemas of the custom ops of a project, as its registrations say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from aoti_lint.rule import Facts, Related, Span, catches
from aoti_lint.rule.events import ExportEvent, OpCall, OpDefinition
from aoti_lint.rule.ops import Schema, base_name, op_key, schema_accepted, schema_text
from aoti_lint.rule.values import Const, Program, Value

OF_TORCH = frozenset({
    "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "_native", "_quantized", "_test", "aten", "c10d",
    "c10d_functional", "debug_mode_ops", "debugprims", "export", "fsdp", "higher_order", "inductor", "inductor_prims",
    "mkl", "mkldnn", "mkldnn_prepacked", "onednn", "prim", "prims", "profiler", "quantization", "quantized",
    "quantized_decomposed", "rngprims", "sparse", "static_runtime", "symm_mem", "torch_attn", "torchvision", "xnnpack",
})  # fmt: skip
"""Namespaces whose operators come with torch (`torch._C._dispatch_get_all_op_names()` of 2.13.0), or beside it."""


_TESTED = re.compile(r"(^|/)(tests?|testing|benchmarks?|examples?)(/|$)|(^|/)test_|_test\.py$")


def tested(path: str) -> bool:
    """Whether a file holds tests or examples, whose ops nobody may mean to export."""
    return bool(_TESTED.search(path))


def name_of(event: OpDefinition) -> str | None:
    """`ns::op.overload`, None where it is not known."""
    name = event.op.value if isinstance(event.op, Const) else None
    return name if isinstance(name, str) and "::" in name else None


def named_at(facts: Facts, event: OpDefinition) -> Span:
    """Where a definition names its op: itself, or the nearest call on the way to a helper that makes definitions."""
    short = (name_of(event) or "").partition("::")[2].partition(".")[0]
    spans = (event.span, *reversed(event.chain))
    return next((span for span in spans if short in facts.project.text_at(span)), event.span)


def schema_of(event: OpDefinition) -> Schema | None:
    """The schema of an op, however it is said; None where it is not known."""
    name = name_of(event)
    if name is None:
        return None
    if schema_text(event) is not None:
        return schema_accepted(event)
    return None if event.inferred is None else event.inferred.schema(name)


def is_idle(event: OpDefinition) -> bool:
    """Whether an op gives nothing and, by the schema that was written, changes none of the tensors that it is given.

    One tensor may only be looked at, unless the name says that it is changed.
    """
    schema = schema_of(event) if event.inferred is None else None
    if (
        schema is None
        or any(one.type not in ("None", "NoneType") for one in schema.returns)
        or schema.mutates
        or schema.open
        or schema.open_returns
    ):
        return False
    tensors = sum(one.type.startswith("Tensor") for one in schema.arguments)
    return tensors > 1 or (tensors == 1 and base_name(schema.name).endswith("_"))


class Definitions:
    """The definitions of each op. Scripts beside each other often define the same op, each for itself."""

    def __init__(self, facts: Facts) -> None:
        self.of_op: dict[str, list[OpDefinition]] = {}
        for event in facts.of(OpDefinition):
            name = name_of(event)
            if name is not None:
                self.of_op.setdefault(name, []).append(event)
        self._forms = Counter(map(base_name, self.of_op))

    def near(self, name: str, path: str) -> list[OpDefinition]:
        """The definitions of an op that a registration or call in the file `path` means.

        A script that runs as a module, too, defines it once.
        """
        found = list({(event.span, schema_of(event)): event for event in self.of_op.get(name, [])}.values())
        own = [event for event in found if event.span.path == path]
        return own or found

    def with_schema(self, name: str, path: str) -> tuple[Schema, OpDefinition] | None:
        """The schema that an op has where the file `path` means it, and a definition; None where it is not one."""
        defined = {schema_of(event): event for event in self.near(name, path)}
        schema, definition = next(iter(defined.items()), (None, None))
        return None if len(defined) != 1 or schema is None or definition is None else (schema, definition)

    def has_other_form(self, name: str) -> bool:
        """Whether another overload of an op is defined."""
        return self._forms[base_name(name)] > (name in self.of_op)


def triton_ops(facts: Facts) -> dict[str, OpDefinition]:
    """The ops that `triton_op` makes, by name: tracing enters their functions."""
    return {op_key(one.op): one for one in facts.of(OpDefinition) if "triton_op" in one.api}


def exported_calls(facts: Facts) -> Iterator[tuple[str, Span, ExportEvent]]:
    """The calls of custom ops in models that are exported, where nothing catches what export raises."""
    for export in facts.of(ExportEvent):
        if isinstance(export.program, Program) and not catches(export.expected | export.caught, "RuntimeError"):
            for op, span in export.program.ops:
                yield base_name(op), span, export


def op_calls(facts: Facts) -> Iterator[OpCall]:
    """The calls of custom ops, in the forwards of exports too; of those to ONNX nobody asks for kernels and sizes."""
    exported = {None, *(export.run for export in facts.of(ExportEvent))}
    return (one for one in facts.of(OpCall, in_exports=True) if one.traced in exported)


Use: TypeAlias = "tuple[ExportEvent, Span]"
"""The export of a model that calls an op, and the place of the call."""


def exports_of_ops(facts: Facts) -> Mapping[str, Sequence[Use | None]]:
    """The uses of each op, by its name: the first in each file."""
    found: dict[str, dict[str, Use]] = {}
    for op, span, export in exported_calls(facts):
        found.setdefault(op, {}).setdefault(export.span.path, (export, span))
    return {op: [*by_file.values()] for op, by_file in found.items()}


def used(use: Use) -> tuple[Related, ...]:
    """The two ends of a use."""
    return Related(use[1], "the exported model calls it here"), Related(use[0].span, "exported here")


def of_autograd(key: Value) -> bool:
    """Whether it is a dispatch key of autograd, for a device on which something runs."""
    text = key.value if isinstance(key, Const) else None
    return isinstance(text, str) and text.startswith("Autograd") and text != "AutogradMeta"
