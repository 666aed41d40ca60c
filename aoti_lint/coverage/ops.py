"""What was known of an op that is defined, and of a fake, in one event."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from aoti_lint.coverage import words
from aoti_lint.coverage.aspects import Place
from aoti_lint.coverage.words import Aspect, known, lost, reason
from aoti_lint.linking.natives import may_be_fake
from aoti_lint.machine.facts import Facts
from aoti_lint.models.ops.ops import op_key
from aoti_lint.torch_api.schemas.schema import SchemaError
from aoti_lint.tracing.trials.ops import is_fake
from aoti_lint.tracing.trials.tried import OpTrial
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.op_schemas import parsed, text_of
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Bound, Func, Partial, Size, Unknown, Value


def of_definition(facts: Facts, event: OpDefinition, place: Place) -> Iterator[Aspect]:
    name = op_key(event.op)
    if "?" in name:
        yield lost("name", reason(event.op) or "part of it is not known")
    else:
        yield known("name", name)
    yield _schema(event)
    registered = () if "?" in name else facts.grouped(OpImpl, _names).get(name, ())
    kernels = [one for one in registered if not is_fake(one)]
    yield _kernel(event, kernels, place)
    yield _fake(facts, name, place)


def _names(event: OpImpl | OpDefinition) -> list[Hashable]:
    return [op_key(event.op)]


def _spans(event: OpTrial) -> list[Hashable]:
    return [event.span]


def _schema(event: OpDefinition) -> Aspect:
    text = text_of(event)
    if text is not None:
        try:
            parsed(event)
        except SchemaError:
            return lost("schema", f"{text} cannot be parsed")
        return known("schema", text)
    if event.schema is not None and isinstance(event.schema, Unknown):
        return lost("schema", reason(event.schema))
    if event.inferred is None:
        return lost("schema", "it is made of annotations that are not known")
    if event.inferred.returns is None or not all(one.type for one in event.inferred.arguments):
        return lost("schema", "not all annotations are known")
    return known("schema", "from the annotations")


def _kernel(event: OpDefinition, kernels: Sequence[OpImpl], place: Place) -> Aspect:
    functions = [event.function, *(one.function for one in kernels)]
    if any(isinstance(one, Func | Bound | Partial) for one in functions):
        return known("kernel", _at([event, *kernels], place))
    if any(one.kernel is not None for one in kernels):
        return known("kernel", _at(kernels, place))
    if kernels:
        missing = next((one for one in functions if one is not None), None)
        return lost("kernel", reason(missing) if missing is not None else "what is registered is not known")
    return lost("kernel", "the name of the op is not known" if "?" in op_key(event.op) else "none was found")


def _at(events: Sequence[OpDefinition | OpImpl], place: Place) -> str:
    return f"registered at {place(events[-1].span)}"


def _fake(facts: Facts, name: str, place: Place) -> Aspect:
    """The fake of an op. That there is none is known where the whole project was searched for one."""
    if "?" in name:
        return lost("fake", "the name of the op is not known")
    found = [one for one in facts.grouped(OpImpl, _names).get(name, ()) if may_be_fake(one)]
    if found:
        return known("fake", _at(found, place))
    namespace, _, word = name.partition("::")
    if any(facts.grouped(OpImpl, _names).get(key) for key in (f"{namespace}::?", f"?::{word}", "?")):
        return lost("fake", "one is registered for an op whose name is not known")
    if facts.narrowed or not facts.project.context_complete:
        return lost("fake", "none was found, and not every file of the project was searched")
    return known("fake", "none in the project")


def of_fake(facts: Facts, event: OpImpl, place: Place) -> Iterator[Aspect]:
    name = op_key(event.op)
    if "?" in name:
        yield lost("op", reason(event.op) or "part of its name is not known")
    else:
        defined = facts.grouped(OpDefinition, _names).get(name, ())
        yield (
            known("op", f"{name}, defined at {place(defined[0].span)}")
            if defined
            else lost("op", f"nothing that was followed defines {name}")
        )
    yield _body(facts, event)


def _body(facts: Facts, event: OpImpl) -> Aspect:
    """Whether the function was tried on tensors of open sizes, and what it returns is known."""
    if event.kernel is not None:
        return known("body", "read")
    trials = [one.fake for one in facts.grouped(OpTrial, _spans).get(event.span, ()) if one.fake is not None]
    if not trials:
        followed = isinstance(event.function, Func | Bound | Partial)
        why = "" if event.function is None else reason(event.function)
        return lost("body", "it could not be followed to its end" if followed else why or "its function is not known")
    value = trials[-1].value
    if value is None:
        return lost("body", "it refused every input that was tried")
    missing = next((one for one in words.parts(value, {}) if _is_lost(one)), None)
    if missing is None:
        return known("body", "followed")
    return lost("body", f"what it returns: {reason(missing) or 'a tensor whose shape is not known'}")


def _is_lost(value: Value) -> bool:
    if isinstance(value, Tensor):
        return value.shape is None
    return isinstance(value, Unknown) and not isinstance(value, Size)
