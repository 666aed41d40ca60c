"""The fake that is offered for an op without one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from aoti_lint.rule import Applicability, Facts, Fix
from aoti_lint.rule.events import OpDefinition
from aoti_lint.rule.ops import Argument, schema_text
from aoti_lint.rule.project import is_native
from aoti_lint.rule.trials import Learned, Lost, OpTrial
from aoti_lint.rule.values import Const, Func, Ref, Value

from ._fake_place import decorator, function_name, import_of_torch, insertion, place_of, torch_name
from ._fake_text import FakeText, usable
from ._schemas import schema_of

NO_KERNEL = Learned(Lost("what it returns is not known, as no kernel in Python was found"))


def skeleton(facts: Facts, event: OpDefinition, name: str) -> Fix | None:
    """A fake for the op that `event` defines, as far as its Python kernels tell what they return.

    Never to be applied (`display`) where something is missing: then it raises. None for an op of C++, and where the
    parameters, or the place of the definition, are not known.
    """
    if is_native(event.span.path) or event.expected:
        return None
    place = place_of(facts, event, name)
    if place is None:
        return None
    imported = torch_name(place)
    torch = imported or "torch"
    arguments = _arguments(event, torch)
    if arguments is None or not usable(arguments, torch):
        return None
    short = name.split("::", 1)[1].split(".")[0]
    called = function_name(facts, place, short)
    best: tuple[FakeText, list[str]] | None = None
    for learned, count in _learned(facts, event, name, len(arguments)):
        text = FakeText(name, arguments, learned, count, torch)
        lines = text.lines(called)
        if best is None or len(text.missing) < len(best[0].missing):
            best = text, lines
    assert best is not None
    text, lines = best
    lines = [decorator(event, place, name, torch), *lines]
    edit = insertion(facts, place, lines)
    if edit is None:
        return None
    needs_import = imported is None and any(f"{torch}." in line for line in lines)
    more = import_of_torch(facts, place) if needs_import else None
    edits = (edit,) if more is None else (more, edit)
    if text.missing:
        return Fix(f"start a fake like this; {text.missing[0]}", Applicability.DISPLAY, edits)
    return Fix("add this fake, written from what the kernel does", Applicability.UNSAFE, edits)


def _learned(facts: Facts, event: OpDefinition, name: str, count: int) -> Iterator[tuple[Learned, int | None]]:
    """What trials of the op's kernels taught, with the number of outputs; those in the file of the definition first."""
    found = [e for e in facts.of(OpTrial) if e.op == name and e.learned is not None]
    near = [e for e in found if e.span.path == event.span.path]
    fitting = [e for e in near or found if e.kernel is not None and len(e.kernel.names) <= count]
    yield from ((e.learned, e.outputs) for e in fitting if e.learned is not None)
    if not fitting:
        yield NO_KERNEL, None


def _arguments(event: OpDefinition, torch: str) -> tuple[Argument, ...] | None:
    """The parameters of the op with their defaults as Python writes them; None where these are not known."""
    schema = schema_of(event)
    if schema is not None and schema.open:
        return None
    inferred = event.inferred.arguments if event.inferred is not None and schema_text(event) is None else None
    arguments = schema.arguments if schema is not None else inferred
    if arguments is None:
        return None
    values = event.function.defaults if isinstance(event.function, Func) else {}
    made = []
    for one in arguments:
        default = _default(one, values.get(one.name), torch)
        if one.default is not None and default is None:
            return None
        made.append(replace(one, default=default))
    return tuple(made)


def _default(argument: Argument, value: Value | None, torch: str) -> str | None:
    """The default of an argument as Python writes it; None where it has none, or where that is not known."""
    if argument.default is None:
        return None
    if isinstance(value, Const) and isinstance(value.value, int | float | str | None):
        return repr(value.value)
    if isinstance(value, Ref) and value.name.startswith("torch.") and value.name.count(".") == 1:
        return f"{torch}.{value.name.removeprefix('torch.')}"
    try:
        return repr(ast.literal_eval(argument.default))
    except (SyntaxError, ValueError):
        return None
