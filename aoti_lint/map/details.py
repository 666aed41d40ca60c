"""What is known of each step, in a few words: what `--coverage` knows there, less what the arrows say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aoti_lint.coverage import words
from aoti_lint.coverage.words import Aspect, known
from aoti_lint.diagnostics import Span
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.packages import CallEvent, HostLoad
from aoti_lint.values.events.process import ConfigWrite, EnvWrite
from aoti_lint.values.sizes.shapes import Input, inputs, tensors
from aoti_lint.values.torch_values import DimValue, Program, Tensor
from aoti_lint.values.values import NONE, Bound, Class, Func, Obj, Partial

ARROWS = frozenset({"model", "program", "content", "maker"})
"""What an arrow says where it is known."""
NOTHING = (known("forward", "followed"), known("settings", "none"))
"""What need not be said."""
MOST_INPUTS = 12
"""Inputs that are listed one by one."""


def beside_arrows(said: Iterable[Aspect]) -> Iterator[Aspect]:
    """What is left to say of a step that arrows may lead to, and what is not said of those before it."""
    for one in said:
        if not (one.known and one.name in ARROWS) and one.name != "examples" and one not in NOTHING:
            yield one


def of_export(program: Program, event: Event, said: Iterable[Aspect]) -> Iterator[Aspect]:
    """What there is to know of an export; the inputs one by one, with what `dynamic_shapes` says of each size."""
    for one in beside_arrows(said):
        if one.name == "inputs" and one.known:
            yield from _inputs(inputs(program), one)
        elif one.name == "dims" and one.known:
            yield one
            yield from _bounds(program, event)
        elif one.name != "model":
            yield one


def given_to(program: Program, event: Event) -> tuple[Span, ...]:
    """Where the example inputs of an export, and the dimensions that may change, are made."""
    parts = [one for value in (program.args, program.kwargs, program.spec) for one in words.parts(value, event.path)]
    spans = (one.span for one in parts if isinstance(one, Tensor | DimValue))
    return tuple(dict.fromkeys(span for span in spans if span is not None))


def of_call(event: CallEvent, said: Iterable[Aspect]) -> Iterator[Aspect]:
    """What there is to know of a call; the inputs one by one."""
    for one in beside_arrows(said):
        if one.name == "inputs" and one.known:
            found = tensors(event.args, event.kwargs, lambda at: f"input {at}")
            yield from _inputs((Input(name, tensor, NONE) for name, (tensor, *_) in found.items()), one)
        else:
            yield one


def _inputs(found: Iterable[Input], whole: Aspect) -> Iterator[Aspect]:
    listed = list(found)
    if not 0 < len(listed) <= MOST_INPUTS:
        yield whole
        return
    for one in listed:
        yield known(one.name, _shape(one))


def _shape(one: Input) -> str:
    """`(batch=2, 8) float32`: the sizes of the example, each with the name of what may change there."""
    tensor = one.tensor
    if tensor.shape is None:
        return words.shape_of(tensor)
    sizes = []
    for at, size in enumerate(tensor.shape):
        dim, text = one.declared(at), words.words(size)
        sizes.append(text if dim is None or dim.kind == "STATIC" else f"{dim.name or dim.kind.lower()}={text}")
    dtype = words.shape_of(Tensor(tensor.key, tensor.device, (), tensor.dtype)).removeprefix("() ")
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''}) {dtype}"


def _bounds(program: Program, event: Event) -> Iterator[Aspect]:
    """The bounds that a `Dim` was given."""
    dims = [one for one in words.parts(program.spec, event.path) if isinstance(one, DimValue) and one.name]
    for one in dict.fromkeys(dims):
        ends = [f"{word} {words.words(end)}" for word, end in (("from", one.min), ("to", one.max)) if end != NONE]
        if ends:
            yield known(one.name, " ".join(ends))


def of_host(event: HostLoad) -> Iterator[Aspect]:
    """What C++ says of what it loads."""
    yield known("file", event.file)
    if event.device:
        yield known("device", event.device)
    if event.index is not None:
        yield known("device index", str(event.index))
    yield known("process", "a program of its own, without Python" if event.alone else "a library, or with Python")


def of_setting(event: EnvWrite | ConfigWrite) -> Iterator[Aspect]:
    """What is set, and how."""
    gone = isinstance(event, EnvWrite) and event.value == NONE
    missing = None if gone else words.unknown_in(event.value, event.path)
    if missing is not None:
        yield words.lost("value", words.reason(missing))
    else:
        yield known("value", "deleted" if gone else words.words(event.value))
    if isinstance(event, ConfigWrite):
        yield known("of", event.module)
    elif event.target:
        ways = {"process": "in the script", "child": "for a program that is started", "outside": "before the script"}
        yield known("set", ways.get(event.target, event.target))


def of_model(program: Program, said: Sequence[Aspect]) -> tuple[str, Span | None, list[Aspect]]:
    """What to call the model of an export, where it is defined, and what is not known of it."""
    places = []
    for _, leaf in leaves(program.model):
        func = leaf.func if isinstance(leaf, Bound | Partial) else leaf
        owner = func.cls if isinstance(func, Obj) else func
        if isinstance(owner, Class | Func):
            places.append(Span(owner.module.path, owner.node.start, owner.node.end))
    model = next(one for one in said if one.name == "model")
    span = places[0] if len(set(places)) == 1 else None
    return (model.text, span, []) if model.known else ("a model that is not known", span, [model])
