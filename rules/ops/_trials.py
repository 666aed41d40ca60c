"""What the rules on fakes and kernels share: the trials, each place once, and the words for them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from aoti_lint.rule import Cond, Confidence, Facts, OpInput, Related, Span
from aoti_lint.rule.events import OpDefinition
from aoti_lint.rule.project import names_in
from aoti_lint.rule.shapes import shown
from aoti_lint.rule.trials import Difference, Kind, Note, OpTrial, Trial, argument_key, as_called, is_given, outputs
from aoti_lint.rule.values import Const, Device, Func, Tensor, Unknown, Value, expr_of, leaves

from ._replaced import replaced
from ._schemas import OF_TORCH, Use, exports_of_ops, used

TRIED = "it is worked out from the code of the operator: your calls may never come to it"
"""What is not known of what is found in a fake or a kernel that was tried for itself."""


def fakes(facts: Facts) -> Iterator[tuple[OpTrial, Trial]]:
    """Every fake that was tried, with its event, unless tracing never comes to it."""
    unused = replaced(facts)
    for event in facts.of(OpTrial):
        if event.fake is not None and (event.under_meta or not unused.fake_of(event.op, event.span.path)):
            yield event, event.fake


def notes(facts: Facts) -> Iterator[tuple[OpTrial, Trial, Note]]:
    """What happened in the fakes, whatever the ranks of their arguments were."""
    for event, fake in fakes(facts):
        for trial in (fake, *event.others):
            for note in trial.watch.notes:
                yield event, trial, note


def kernels(facts: Facts) -> Iterator[tuple[OpTrial, Trial]]:
    """Every kernel that was tried for itself."""
    for event in facts.of(OpTrial):
        if event.fake is None and event.kernel is not None:
            yield event, event.kernel


def index_of(key: str) -> int:
    """The place of the argument in the schema that a key such as `arg2` stands for."""
    return int(key.removeprefix("arg").removesuffix("[]"))


def name_of(event: OpTrial) -> str:
    """What a message calls the op."""
    return "a custom op" if "?" in event.op.split("::") else f"the op {event.op}"


def place(func: Func) -> Span:
    """The head of a function: its name."""
    return Span(func.module.path, *func.code.head)


def sure(note: Note, either: Container[Cond] = ()) -> Confidence:
    """`possible` for what happens on a path that something unknown decides, `likely` else.

    `either` are questions that some calls answer with yes, and others with no.
    """
    asked = [cond for cond, _ in note.path if cond.kind != "version" and cond not in either]
    return Confidence.LIKELY if all(map(is_given, asked)) else Confidence.POSSIBLE


def of_kind(facts: Facts, event: OpTrial, *kinds: Kind) -> list[Difference]:
    """The differences between a fake and the kernel beside it, as the calls of the op decide them.

    Where a fake under a Meta key makes a tensor does not depend on the calls.
    """
    by_argument: dict[str, set[tuple[str | None, Value]]] = {}
    named = {} if event.kernel is None else {name: key for key, name in event.kernel.names.items()}
    for one in _inputs(facts, event):
        key = argument_key(one.place) if isinstance(one.place, int) else named.get(one.place, one.place)
        by_argument.setdefault(key, set()).add((one.dtype, one.device))
    always = {"device"} if event.under_meta else set()
    found = [d if d.kind in always else as_called(d, by_argument) for d in event.differences if d.kind in kinds]
    return [difference for difference in found if difference is not None]


def _is_known(kernel: Trial) -> bool:
    """Whether all that a kernel returns are tensors that were followed."""
    if kernel.value is None:
        return False
    found = [leaf for _, whole in leaves(kernel.value) for one in outputs(whole) for _, leaf in leaves(one)]
    return bool(found) and all(isinstance(leaf, Tensor) and leaf.dtype is not None for leaf in found)


_FACTORY = re.compile(r"^torch\.(?:empty|zeros|ones|rand|randn|empty_strided)\s*\((?!.*\*\*)", re.DOTALL)


def from_factory(
    facts: Facts, event: OpTrial, trial: Trial, *, on_meta: bool = False
) -> Iterator[tuple[Tensor, str, Span, Confidence]]:
    """Outputs that a factory of torch makes, in a fake with tensor arguments whose kernel was not seen or followed.

    None of an op of torch's own, whose kernels decide by rules of theirs: what a norm saves is often float32.

    Those `on_meta` count whatever makes them, if that is wanted. Gives the tensor, the text of the call, its place, and
    how sure it is that the arguments should have a say.
    """
    if event.op.partition("::")[0] in OF_TORCH:
        return
    if trial.value is None or not trial.watch.shapes or (event.kernel is not None and _is_known(event.kernel)):
        return
    places: dict[int, list[Value]] = {}
    for _, whole in leaves(trial.value):
        for index, one in enumerate(outputs(whole)):
            places.setdefault(index, []).extend(leaf for _, leaf in leaves(one))
    for found in places.values():
        for leaf in found:
            if isinstance(leaf, Tensor) and leaf.span is not None:
                text = facts.project.text_at(leaf.span)
                if _FACTORY.match(text) or (on_meta and leaf.device == Device("meta")):
                    stands_in = not _is_sized(leaf) and (_is_empty(leaf) or any(map(_may_be_sized, found)))
                    doubtful = stands_in or (not _is_sized(leaf) and not _uses_tensors(trial))
                    yield leaf, text, leaf.span, Confidence.POSSIBLE if doubtful else Confidence.LIKELY


def _is_sized(value: Value) -> bool:
    """Whether the arguments decide a size of a tensor."""
    sizes = (value.shape or ()) if isinstance(value, Tensor) else ()
    return any(root[0] in ("dim", "arg") for size in sizes for _, one in leaves(size) for root in expr_of(one).roots)


def _may_be_sized(value: Value) -> bool:
    return isinstance(value, Unknown) or (isinstance(value, Tensor) and (value.shape is None or _is_sized(value)))


def _is_empty(tensor: Tensor) -> bool:
    return any(size == Const(0) for size in tensor.shape or ())


def _uses_tensors(trial: Trial) -> bool:
    """Whether a fake looks at a tensor that it is given. One that does not may be that of an op on handles."""
    return bool(
        names_in([trial.func.node.body]) & {trial.names[key] for key in trial.watch.shapes if key in trial.names}
    )


def tensors(trial: Trial) -> Iterator[Tensor]:
    """The tensors among the outputs."""
    for _, whole in () if trial.value is None else leaves(trial.value):
        for one in outputs(whole):
            yield from (leaf for _, leaf in leaves(one) if isinstance(leaf, Tensor))


def called_with(facts: Facts, event: OpTrial) -> set[tuple[str | None, Value]]:
    """Dtype and device of the tensors the op is called with."""
    return {(one.dtype, one.device) for one in _inputs(facts, event)}


def _inputs(facts: Facts, event: OpTrial) -> Iterator[OpInput]:
    """The tensors the op is called with; by scripts beside each other that define it, their own."""
    several, own = len(_defining(facts, event)) > 1, event.root.split("::")[0]
    return (one for one in facts.inputs_of(event.op) if not several or one.script == own)


def _defining(facts: Facts, event: OpTrial) -> set[str]:
    """The files that define the op."""
    return {one.span.path for one in facts.of(OpDefinition) if getattr(one.op, "value", None) == event.op}


def differing(
    facts: Facts, event: OpTrial, trial: Trial, told: set[Span], *kinds: Kind
) -> Iterator[tuple[Difference, Span, Use | None]]:
    """The differences of these kinds, with where the fake makes the output; each place once, by what is in `told`.

    Each as often as files export a model that calls the op, with what does; once where none does.
    """
    for difference in of_kind(facts, event, *kinds):
        span = made_at(difference, trial)
        if span not in told:
            told.add(span)
            for use in _uses(facts, event) or [None]:
                yield difference, span, use


def _uses(facts: Facts, event: OpTrial) -> list[Use | None]:
    """The exports of models that call the op; of those beside scripts that define it each for itself, its own."""
    several, own = len(_defining(facts, event)) > 1, event.root.split("::")[0]
    made = exports_of_ops(facts).get(event.op, ())
    return [use for use in made if use is None or not several or use[0].root.split("::")[0] == own]


def made_at(difference: Difference, trial: Trial) -> Span:
    """Where the fake makes the output: the call in its own file, else the head of the fake."""
    tensor = difference.fake_tensor
    return allocated(tensor, trial) if tensor is not None else place(trial.func)


def allocated(tensor: Tensor, trial: Trial) -> Span:
    """Where a tensor was made, if that is in the function itself."""
    span, node = tensor.span, trial.func.node
    inside = span is not None and span.path == trial.func.module.path and node.start <= span.start < node.end
    return span if inside and span is not None else place(trial.func)


def ends(difference: Difference, event: OpTrial, text: str, use: Use | None) -> tuple[Related, ...]:
    """Where the kernel makes the output, and where a model that calls the op is exported."""
    exported = () if use is None else used(use)
    if event.kernel is None:
        return exported
    tensor = difference.kernel_tensor
    span = place(event.kernel.func) if tensor is None else allocated(tensor, event.kernel)
    return (Related(span, text), *exported)


def size_text(value: Value, trial: Trial) -> str:
    """A size as the function writes it."""
    return shown(expr_of(value), trial.names)


def dtype_text(value: Value, trial: Trial) -> str:
    """A dtype, or whose it is."""
    name = str(value.value) if isinstance(value, Const) else "?"
    return f"the dtype of {trial.names.get(name[1:], name[1:])}" if name.startswith("?") else name


def device_text(value: Value) -> str:
    """A device, or whose it is."""
    return str(value) if isinstance(value, Device) else "the device of the arguments"


def output(difference: Difference, event: OpTrial) -> str:
    """Which output a message is about."""
    several = event.outputs != 1
    return f"output {difference.index}" if several else "the output"
