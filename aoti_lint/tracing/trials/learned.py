"""What a kernel returns, learned from trials: enough to write a fake from, or what is missing for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Literal, TypeAlias

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.models.ops.op_parameters import Callee, Parameter
from aoti_lint.models.tensors.sizes import broadcast
from aoti_lint.tracing.layouts import Layout, common, layout_of
from aoti_lint.tracing.trials.templates import Broadcast, Part, Ranks, Sample, Template, fitted
from aoti_lint.tracing.trials.trial import DEVICE, MAX_RANK, Trial, key_of, tried
from aoti_lint.values.conditions import Cond, decide
from aoti_lint.values.identity import expr_of
from aoti_lint.values.identity import ident as ident_of
from aoti_lint.values.judge import conditions
from aoti_lint.values.sizes.shapes import settled
from aoti_lint.values.sizes.symbols import ROOTS, Expr, is_known
from aoti_lint.values.sizes.symbols import equal as sizes_equal
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, Choice, Const, Ref, Size, Tup, Unknown, Value

MAX_ALIKE = 5
"""Tensor arguments of which some are tried with one dtype."""
MAX_CASES = 8
INTEGER, BOOL = "torch.int32", "torch.bool"
"""Dtypes that a kernel may make another one of which keeps those of floating point."""
FIRST_RANKS = (3, 4, 1)
DATA = "data:"
"""How the name of a size begins that the data decides."""


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor. What is not known is None; `dtype` is `?arg0` where it is that of an argument, `device` is "" where
    it is that of the arguments."""

    shape: Template | Broadcast | None
    dtype: str | None
    device: str | None
    layout: Layout


@dataclass(frozen=True, slots=True)
class Number:
    """A number, as an expression of sizes; None where it is not known."""

    expr: Expr | None


@dataclass(frozen=True, slots=True)
class Returned:
    """The outputs: none, one, or those of a tuple or list."""

    how: Literal["none", "one", "tuple", "list"]
    items: tuple[Made | Number, ...]


@dataclass(frozen=True, slots=True)
class Fork:
    """`then` where an argument is given (not None), or is true; `other` where not."""

    argument: str
    test: Literal["given", "true"]
    then: Outcome
    other: Outcome


@dataclass(frozen=True, slots=True)
class Lost:
    """Not known, and why."""

    reason: str


Outcome: TypeAlias = Returned | Fork | Lost
"""What a kernel returns, as far as it was learned."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a kernel returns, and for which arguments that was seen to be so: some with these `ranks`, `tied` with the
    same rank, `floats` with a dtype of floating point, `alike` with the same dtype, and the sizes of `equal` equal."""

    outcome: Outcome
    ranks: tuple[tuple[str, int], ...] = ()
    tied: tuple[tuple[str, ...], ...] = ()
    floats: frozenset[str] = frozenset()
    alike: tuple[tuple[str, ...], ...] = ()
    equal: tuple[tuple[Expr, Expr], ...] = ()


def learn(m: Machine, op: str, func: Callee, parameters: list[Parameter]) -> Learned:
    """What `func`, the kernel of an op with these parameters, returns."""
    base = _readable(m, func, parameters, _called(m, op, parameters))
    if base is None or base.value is None:
        return Learned(Lost("the kernel could not be followed to its end"))
    return _Study(m, func, parameters, base).learned()


def _called(m: Machine, op: str, parameters: list[Parameter]) -> dict[str, int]:
    """The ranks of the tensors in the first call of the op that was seen."""
    m.asks("op", op)
    first = next(iter(m.ops.calls.get(op, ())), None)
    given = {} if first is None else {place: rank for place, rank, _ in first.given}
    found = {key_of(i): given.get(i, given.get(p.name)) for i, p in enumerate(parameters) if p.kind == "Tensor"}
    return {key: rank for key, rank in found.items() if rank and rank <= MAX_RANK}


def _readable(m: Machine, func: Callee, parameters: list[Parameter], called: dict[str, int]) -> Trial | None:
    """The kernel on arguments of the first ranks for which the shapes of its outputs are known."""
    first = tried(m, func, parameters, called)
    if first is None or _has_shapes(first.value):
        return first
    for rank in FIRST_RANKS:
        again = tried(m, func, parameters, {key: rank for key, _ in first.ranks})
        if again is not None and _has_shapes(again.value):
            return again
    return first


def _has_shapes(value: Value | None) -> bool:
    match value:
        case Choice(then=then, other=other):
            return _has_shapes(then) and _has_shapes(other)
        case Tup(items):
            return all(map(_has_shapes, items))
        case Tensor(shape=shape):
            return shape is not None
        case Const() | Size():
            return True
    return False


class _Study:
    """The trials of one kernel."""

    def __init__(self, m: Machine, func: Callee, parameters: list[Parameter], base: Trial) -> None:
        self.m, self.func, self.parameters, self.base = m, func, parameters, base
        self.keys = [key for key, _ in base.ranks]
        self.lists = {f"arg{i}" for i, p in enumerate(parameters) if p.kind == "Tensor[]"}
        self.others = list(self._of_other_ranks())
        self.pinned: set[str] = set()
        self.floats: set[str] = set()
        self.tied: set[frozenset[str]] = set()
        self.alike: set[tuple[str, ...]] = set()
        self.equal: set[tuple[Expr, Expr]] = set()

    def learned(self) -> Learned:
        outcome = self._under({}, 0)
        ranks = tuple((key, rank) for key, rank in self.base.ranks if key in self.pinned)
        equal = tuple(sorted(self.equal, key=repr))
        tied = tuple(sorted(tuple(sorted(keys)) for keys in self.tied))
        return Learned(outcome, ranks, tied, frozenset(self.floats), tuple(sorted(self.alike)), equal)

    # ------------------------------------------------------------ trials

    def _tried(self, dtypes: dict[str, str]) -> Trial | None:
        """The kernel on arguments of the same ranks and other dtypes."""
        ranks = dict(self.base.ranks)
        trial = tried(self.m, self.func, self.parameters, ranks, dtypes)
        return trial if trial is not None and trial.ranks == self.base.ranks else None

    def _of_other_ranks(self) -> Iterator[tuple[Ranks, Trial | None]]:
        base = dict(self.base.ranks)
        steps = [dict.fromkeys(self.keys, more) for more in (1, -1, 2)]
        steps += [{key: more} for key in self.keys if len(self.keys) > 1 for more in (1, -1)]
        for step in steps:
            ranks = {key: rank + step.get(key, 0) for key, rank in base.items()}
            if min(ranks.values(), default=0) < 1:
                continue
            asked = dict(ranks)
            trial = tried(self.m, self.func, self.parameters, ranks)
            # One that asks for other ranks than these does not take them.
            if trial is None or (trial.ranks == tuple(sorted(asked.items())) and trial.value is not None):
                yield asked, trial

    # ------------------------------------------------------------ cases

    def _under(self, answers: dict[Cond, bool], depth: int) -> Outcome:
        """What is returned where the conditions are answered so."""
        value = _settled(self.base.value, answers)
        cond = next((c for c in _asked(value) if decide(c, answers) is None), None)
        if cond is None:
            return self._returned(value, answers)
        if depth > MAX_CASES:
            return Lost("it depends on too many things")
        then = self._under({**answers, cond: True}, depth + 1)
        other = self._under({**answers, cond: False}, depth + 1)
        if then == other:
            return then
        test = self._test(cond)
        if test is None:
            return Lost("what the kernel returns depends on more than its arguments say")
        return Fork(test[0], test[1], then, other)

    def _test(self, cond: Cond) -> tuple[str, Literal["given", "true"]] | None:
        match cond.key:
            case ("given", str() as key):
                return key, "given"
            case ("truthy", str() as text):
                for index, parameter in enumerate(self.parameters):
                    if text == f"<arg{index}>" and parameter.kind in ("other", "int"):
                        return f"arg{index}", "true"
        return None

    def _returned(self, value: Value, answers: dict[Cond, bool]) -> Outcome:
        if value == NONE:
            return Returned("none", ())
        if isinstance(value, Unknown) and not isinstance(value, Size):
            return Lost("what the kernel returns could not be followed")
        several = isinstance(value, Tup)
        items = value.items if isinstance(value, Tup) else (value,)
        made = [self._output(item, index, answers) for index, item in enumerate(items)]
        if any(one is None for one in made):
            return Lost("what the kernel returns could not be followed")
        listed = isinstance(value, Tup) and value.cls == Ref("list")
        how: Literal["one", "tuple", "list"] = "list" if listed else "tuple" if several else "one"
        return Returned(how, tuple(one for one in made if one is not None))

    def _output(self, item: Value, index: int, answers: dict[Cond, bool]) -> Made | Number | None:
        if isinstance(item, Tensor):
            return Made(self._shape(item, index, answers), self._dtype(item, index, answers), self._device(item),
                        self._layout(item, index, answers))  # fmt: skip
        if isinstance(item, Size) or (isinstance(item, Const) and isinstance(item.value, int | float)):
            expr = expr_of(item)
            return Number(expr if is_known(expr) and not self._of_list(expr) else None)
        return None

    def _layout(self, tensor: Tensor, index: int, answers: dict[Cond, bool]) -> Layout:
        found = [layout_of(self.base.watch, tensor)]
        for _, trial in self.others:
            other = self._same(trial, index, answers)
            if trial is not None and other is not None and other.shape is not None:
                found.append(layout_of(trial.watch, other))
        return common(found)

    def _of_list(self, expr: Expr) -> bool:
        """Whether it is a size of one of a list of tensors: of which, is not known."""
        return any(root[0] == "dim" and root[1] in self.lists for root in expr.roots)

    def _same(self, trial: Trial | None, index: int, answers: dict[Cond, bool]) -> Tensor | None:
        """The same output of another trial."""
        value = NONE if trial is None or trial.value is None else _settled(trial.value, answers)
        items = value.items if isinstance(value, Tup) else (value,)
        found = items[index] if index < len(items) else NONE
        return found if isinstance(found, Tensor) else None

    # ------------------------------------------------------------ sizes

    def _shape(self, tensor: Tensor, index: int, answers: dict[Cond, bool]) -> Template | Broadcast | None:
        if (together := self._broadcast(tensor, index, answers)) is not None:
            return together
        equal: set[tuple[Expr, Expr]] = set()
        samples: list[Sample] = [(dict(self.base.ranks), self._sizes(self.base, tensor, answers, equal))]
        for other, trial in self.others:
            found = self._same(trial, index, answers)
            known = None if found is None or trial is None else self._sizes(trial, found, answers, set())
            samples.append((other, known))
        fit = fitted(samples)
        if fit is None:
            return None
        self.equal |= equal
        self.pinned |= {root[1] for pair in equal for one in pair for root in one.roots if root[0] == "dim"}
        if any(isinstance(one, Part) and one.argument in self.lists for one in fit.template):
            return None
        self.pinned |= fit.pinned
        self.tied |= {fit.tied} if fit.tied else set()
        return fit.template

    def _sizes(
        self, trial: Trial, tensor: Tensor, answers: dict[Cond, bool], equal: set[tuple[Expr, Expr]]
    ) -> tuple[Expr, ...] | None:
        """The sizes of an output; None where one is not known. Those that data decides have names by their order.

        Sizes that are only right where others are equal are added to `equal`.
        """
        if tensor.shape is None:
            return None
        named = _data_names(trial, answers)

        def expr(size: Value) -> Expr | None:
            if isinstance(size, Unknown) and size.key in named:
                return Expr("other", named[size.key])
            if isinstance(size, Unknown) and size.key in trial.watch.fitted:
                one, other = map(expr, trial.watch.fitted[size.key])
                if one is not None and other is not None and not sizes_equal(one, other):
                    equal.add((one, other))
                return one if other is not None else None
            return resolved(expr_of(size))

        def resolved(one: Expr) -> Expr | None:
            """With what stands for a size that is not known."""
            if one[0] == "other" and one[1].removeprefix("<").removesuffix(">") in named:
                return Expr("other", named[one[1].removeprefix("<").removesuffix(">")])
            if one[0] == "other":
                worked_out = trial.watch.worked_out.get(one[1].removeprefix("<").removesuffix(">"))
                return None if worked_out is None else resolved(worked_out)
            if one[0] in ROOTS or one[0] == "const":
                return None if self._of_list(one) else one
            parts = [resolved(part) for part in one[1:]]
            return None if None in parts else Expr(one[0], *parts)

        made = [expr(size) for size in tensor.shape]
        return None if None in made else tuple(one for one in made if one is not None)

    def _broadcast(self, tensor: Tensor, index: int, answers: dict[Cond, bool]) -> Broadcast | None:
        """The arguments whose shapes broadcast to that of an output, whatever their ranks."""
        keys = [key for key in self.keys if key not in self.lists]
        for count in (2, 3):
            for chosen in combinations(keys, count):
                trials = [(self.base, tensor), *((t, self._same(t, index, answers)) for _, t in self.others)]
                if all(t is not None and one is not None and self._is_broadcast(t, one, chosen) for t, one in trials):
                    return Broadcast(chosen)
        return None

    def _is_broadcast(self, trial: Trial, tensor: Tensor, keys: tuple[str, ...]) -> bool:
        return tensor.shape is not None and broadcast(self.m, [trial.watch.shapes[k] for k in keys]) == tensor.shape

    # ------------------------------------------------------------ dtypes and devices

    def _dtype(self, tensor: Tensor, index: int, answers: dict[Cond, bool]) -> str | None:
        found, group = (tensor.dtype, ()) if tensor.dtype is not None else self._common(index, answers)
        if found is None or not found.startswith("?"):
            return found
        key = found[1:]
        if key in self.lists:
            return None
        if self.parameters[int(key.removeprefix("arg"))].kind == "Tensor":
            if len(group) > 1:
                self.alike.add(group)
            tries = [self._tried(dict.fromkeys(group or (key,), dtype)) for dtype in (INTEGER, BOOL)]
            integers, bools = (self._same(trial, index, answers) for trial in tries)
            if integers is None or integers.dtype != INTEGER or (bools is not None and bools.dtype not in (None, BOOL)):
                self.floats.add(key)
        return found

    def _common(self, index: int, answers: dict[Cond, bool]) -> tuple[str | None, tuple[str, ...]]:
        """The dtype where some arguments are of one dtype, and these arguments; the fewest that are needed."""
        keys = [key for key in self.keys if key not in self.lists]
        if len(keys) > MAX_ALIKE:
            return None, ()
        for count in range(2, len(keys) + 1):
            for group in combinations(keys, count):
                found = self._same(self._tried(dict.fromkeys(group[1:], f"?{group[0]}")), index, answers)
                if found is not None and found.dtype is not None:
                    return found.dtype, group
        return None, ()

    def _device(self, tensor: Tensor) -> str | None:
        if isinstance(tensor.device, Device):
            return "" if tensor.device.type == "cpu" and self.base.watch.on_host else str(tensor.device)
        asked = any(p.kind == "device" for p in self.parameters)
        return "" if ident_of(tensor.device) == ident_of(DEVICE) and not (asked and self.keys) else None


def _settled(value: Value | None, answers: dict[Cond, bool]) -> Value:
    """The value as far as the answers decide it, with the sizes of its tensors."""
    if value is None:
        return NONE
    return _mapped(settled(value, answers), lambda size: settled(size, answers))


def _mapped(value: Value, apply: Callable[[Value], Value]) -> Value:
    match value:
        case Tup(items, fields, cls):
            return Tup(tuple(_mapped(item, apply) for item in items), fields, cls)
        case Tensor(key, device, shape, dtype, role, span) if shape is not None:
            return Tensor(key, apply(device), tuple(map(apply, shape)), dtype, role, span)
        case _:
            return value


def _asked(value: Value) -> Iterator[Cond]:
    """The conditions that a value, or a size or device of its tensors, depends on."""
    yield from conditions(value)
    for item in value.items if isinstance(value, Tup) else (value,):
        if isinstance(item, Tensor):
            for part in (item.device, *(item.shape or ())):
                yield from conditions(part)


def _data_names(trial: Trial, answers: dict[Cond, bool]) -> dict[str, str]:
    """Names for the sizes that data decides, in the order in which the outputs have them."""
    value = _settled(trial.value, answers)
    names: dict[str, str] = {}
    for item in value.items if isinstance(value, Tup) else (value,):
        for size in (item.shape or ()) if isinstance(item, Tensor) else ():
            for root in expr_of(size).roots:
                key = str(root[1]).removeprefix("<").removesuffix(">") if root[0] == "other" else ""
                if key in trial.watch.data_sizes or key in trial.watch.read:
                    names.setdefault(key, f"{DATA}{len(names)}")
    return names
