"""Running the forward of a model as an export does, while something looks on."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language import calls
from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.effects import backward, exported_state, gradients
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.observer import Observer
from aoti_lint.machine.state import Budget, Trace
from aoti_lint.models.export import strange_inputs
from aoti_lint.models.modules import module_casts
from aoti_lint.values.call import Call
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.torch_values import Program, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Const, Func, Obj, Pairs, Tup, Value

OPEN_STEPS = 1_500
"""Statements and calls of one forward that is followed with open sizes."""


def flat_tensors(value: Value) -> list[Value]:
    """The leaves of frozen example inputs, in order."""
    match value:
        case Tup(items):
            return [leaf for item in items for leaf in flat_tensors(item)]
        case Pairs(pairs):
            return [leaf for _, item in pairs for leaf in flat_tensors(item)]
        case _:
            return [value]


def tensors_in(value: Value) -> list[Tensor]:
    """The tensors among the leaves of a frozen value, in order."""
    return [leaf for leaf in flat_tensors(value) if isinstance(leaf, Tensor)]


def trace(m: Machine, call: Call, model: Value) -> Trace:
    """What running the model on the example inputs comes by; nothing, inside another forward.

    What the run changes is undone.
    """
    made = Trace(export=m.span(call.node), number=m.fresh())
    if (modules.is_module(m, model) or isinstance(model, Func | Bound)) and m.root.trace is None:
        run_forward(m, made, model, example(m, call))
        if isinstance(model, Obj):
            made.read[model.ident, exported_state.MODE] = model, m.read(model.ident, "#training") or TRUE
            made.read[model.ident, exported_state.DTYPE] = model, module_casts.of_weights(m, model)
    return made


def example(m: Machine, call: Call) -> Call:
    """The call of the model that an export makes, with its example inputs."""
    args = containers.items_of(m, call.arg(1, "args") or Tup(()))
    kwargs = m.see(call.arg(2, "kwargs") or NONE)
    pairs = [] if kwargs == NONE else containers.dict_pairs(m, kwargs)
    named = {str(name.value): value for name, value in pairs or () if isinstance(name, Const)}
    return Call(call.node, args or [], named, open=args is None or pairs is None or len(named) != len(pairs))


def run_forward(m: Machine, made: Trace, model: Value, given: Call, then: Call | None = None) -> None:
    """Run a model as an export does, which tells nobody; `made` is what it comes by. What it changes is undone.

    The call `then` finds what the first one has changed.
    """
    watch = m.root.watch
    made.without = made.export is not None and m.read(*gradients.CELL) == FALSE
    with m.running(m.root.within(trace=made, muted=m.root.muted + 1)) as changed:
        try:
            for one in (given, then):
                result = None if one is None else calls.call(m, one, model)
                if watch is not None and result is not None:
                    watch.returned(m, result)
                elif result is not None:
                    _returned(m, made, frozen.freeze(m, result))
        finally:
            made.read = {cell: held for cell, held in made.read.items() if cell not in changed}
            if watch is not None:
                watch.ended(changed)


def _returned(m: Machine, made: Trace, outputs: Value) -> None:
    """A run comes by its outputs, and by what an export has to say of them."""
    made.outputs = outputs
    if made.export is not None:
        plain = [one for one in flat_tensors(outputs) if isinstance(one, Const) and one != NONE]
        made.plain = tuple(type(one.value).__name__ for one in plain)
        made.through = backward.through(m, outputs)
        made.strange = strange_inputs.outputs(m, outputs)
        made.unnamed = tuple(strange_inputs.unnamed(m, "the output", outputs, output=True))


def given_back(m: Machine, program: Program, given: Call) -> Value | None:
    """What a program gives for these inputs, frozen; None where that is not known.

    For inputs like its examples it gives what the export did, for others what its model gives, if that still gives for
    the examples what it gave.
    """
    known = isinstance(program.model, Obj | Func | Bound) and not (program.handed or program.rewritten or given.open)
    if not known or m.root.trace is not None or m.root.watch is not None or program.outputs == NONE:
        return None
    inputs = frozen.freeze(m, Tup((*given.args, *given.kwargs.values())))
    if _like(inputs) == _like(Tup((program.args, program.kwargs))):
        return program.outputs
    args = list(program.args.items) if isinstance(program.args, Tup) else []
    named = program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ()
    kwargs = {str(name.value): value for name, value in named if isinstance(name, Const)}
    # What is numbered here has numbers of its own: those of what comes after do not hang on the sizes.
    with m.running(m.root.within(maker=f"{m.root.maker} given back")):
        again, run = (run_within(m, program.model, one) for one in (replace(given, args=args, kwargs=kwargs), given))
    if again.unended or run.unended or not _is_like(again.outputs, program.outputs):
        return None
    return run.outputs


def _is_like(first: Value, second: Value) -> bool:
    """Whether two frozen values are taken apart alike, into tensors of the same sizes."""
    match first, second:
        case Tup(mine, fields), Tup(theirs, others):
            return len(mine) == len(theirs) and fields == others and all(map(_is_like, mine, theirs))
        case Pairs(mine), Pairs(theirs):
            named = [name for name, _ in mine] == [name for name, _ in theirs]
            return named and all(_is_like(one, other) for (_, one), (_, other) in zip(mine, theirs, strict=True))
        case _:
            return _like(first) == _like(second) and type(first) is type(second)


def _like(value: Value) -> list[object]:
    """What says whether two values are alike for a program: the sizes and dtypes of tensors."""
    return [(one.shape, one.dtype) if isinstance(one, Tensor) else one for one in flat_tensors(value) if one != NONE]


def run_within(
    m: Machine,
    model: Value,
    given: Call,
    then: Call | None = None,
    watch: Observer[Machine] | None = None,
) -> Trace:
    """Run a model as an export does, within bounds, while `watch` looks on; `unended` if it does not end there."""
    made = Trace()
    budget = Budget(OPEN_STEPS, aside=m.root.budget.aside)
    with m.running(m.root.within(budget=budget, watch=watch), m.demand.tried()):
        try:
            run_forward(m, made, model, given, then)
        except (BudgetSpent, RecursionError):
            made.unended = True
    return made
