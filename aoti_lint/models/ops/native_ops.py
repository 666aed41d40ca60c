"""What C++ sources register, told as the events that Python's registrations are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.ops import NativeBlock, OpDefinition, OpImpl
from aoti_lint.values.op_schemas import API
from aoti_lint.values.values import Const, Ref, Text, Tup, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.native.model import Registration

NO_KEY = "CompositeImplicitAutograd"
"""The dispatch key of a kernel that is registered for none (`CppFunction` in `torch/library.h`, release 2.13.0)."""


def tell_text(m: Machine, path: str, text: bytes, place: Span | None) -> None:
    """Tell what C++ text in a script registers, as the script runs.

    `text` stands where it stands in the file at `path`, or all of it at `place`.
    """
    from aoti_lint.native.model import Implementation
    from aoti_lint.native.read import Natives

    for registration in Natives([path], lambda _: text).registrations():
        if place is not None:
            registration = replace(registration, span=place)
        if place is not None and isinstance(registration, Implementation):
            registration = replace(registration, kernel=None)  # That is found by its place.
        tell(m, registration)


def tell(m: Machine, registration: Registration) -> None:
    from aoti_lint.native.model import ANY_KEY, UNKNOWN, Definition, Library

    if isinstance(registration, Library):
        where, conditional = registration.span, registration.conditional
        m.tell(NativeBlock, where, "", namespace=registration.namespace, conditional=conditional)
        return
    op = _op(m, registration.op)
    if isinstance(registration, Definition):
        schema = registration.schema
        m.tell(
            OpDefinition,
            registration.span,
            "",
            op=op,
            api=API,
            schema=Unknown(f"u{m.fresh()}", "the schema is not known") if schema is None else Const(schema),
            tags=Tup(tuple(Ref(f"torch.Tag.{name}") for name in registration.tags)) if registration.tags else None,
            module=registration.module,
            conditional=registration.conditional,
        )
        return
    key = registration.key
    known: Value = Unknown(f"u{m.fresh()}", "the dispatch key is not known") if key == UNKNOWN else Const(key)
    kernel = registration.kernel
    keys = (Const(NO_KEY) if key == ANY_KEY else known,)
    m.tell(OpImpl, registration.span, "", op=op, keys=keys, function=None, kernel=kernel)


def _op(m: Machine, name: str) -> Value:
    namespace, _, rest = name.partition("::")
    unknown = Unknown(f"u{m.fresh()}", "part of the name of the op is not known")
    if namespace == "?":
        return unknown if rest == "?" else Text((unknown, Const(f"::{rest}")))
    if rest == "?":
        return Text((Const(f"{namespace}::"), unknown))
    return Const(name)
