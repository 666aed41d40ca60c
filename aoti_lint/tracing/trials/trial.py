"""One trial of a function: the machine runs it on tensors of open sizes."""

from __future__ import annotations

import os
from collections.abc import Mapping

from aoti_lint.language import functions
from aoti_lint.language.data import containers, frozen
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Budget, Root, Trace
from aoti_lint.models.ops.op_parameters import Callee, Parameter
from aoti_lint.tracing.questions import OtherRank
from aoti_lint.tracing.strides import in_rows
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import raising
from aoti_lint.values.frames import Frame
from aoti_lint.values.identity import ident
from aoti_lint.values.meter import METER, TRIAL_WORK, BudgetSpent
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, Const, Func, Many, Obj, Ref, Size, Tup, Unknown, Value

STEPS = 500
"""Statements and calls of one trial: a fake takes a few dozen, a kernel that takes more runs half of its project."""
MAX_RANK = 6
NO_DTYPES: Mapping[str, str] = {}
Numbers = int | tuple[int | None, ...]
"""What an integer is, or the sizes of a tensor."""
NO_NUMBERS: Mapping[str, Numbers] = {}
DEVICE = Unknown("device of the arguments", "the device of the arguments")


@dataclass(frozen=True, slots=True)
class Trial:
    """What a function did: what it returned (None where it only raises), on arguments of these ranks."""

    callee: Callee
    value: Value | None
    watch: Watch
    ranks: tuple[tuple[str, int], ...]
    names: dict[str, str]
    """What the function calls its arguments, by their keys."""
    raises: Value = FALSE
    """Whether it raises, by the answers to what it asks."""
    whole: str = ""
    """The key of the list that it was given and returned as it is."""

    @property
    def func(self) -> Func:
        """The function that ran."""
        return self.callee.func

    def alias(self, tensor: Tensor) -> tuple[str, bool] | None:
        """The argument whose memory a returned tensor is, and whether it surely is; None where it is its own."""
        key, sure = self.watch.base_of(tensor.key)
        return (key, sure) if key.startswith("arg") else None


class Trials(dict[tuple[object, ...], "tuple[Trial | None, dict[str, int]]"]):
    """What functions did when they were tried, by function, parameters and ranks; the ranks they needed."""


def key_of(index: int) -> str:
    """The key of an argument by its place, the same for the fake and the kernel of an op."""
    return f"arg{index}"


def tried(
    m: Machine,
    called: Callee,
    parameters: list[Parameter],
    ranks: dict[str, int],
    dtypes: Mapping[str, str] = NO_DTYPES,
    numbers: Mapping[str, Numbers] = NO_NUMBERS,
) -> Trial | None:
    """Run `called` with the next arguments as `parameters` say, the others at their defaults.

    `ranks` are the dimensions of the tensors by key (2 where it says nothing); they grow where the function asks for
    more, and are left as they were needed. `dtypes` are those of some tensors by key; the others have each its own.
    `numbers` are the sizes of tensors and what integers are, by key, where they are not open.
    None where it cannot be followed to its end.
    """
    has = ",".join(f"{name}={ident(value)}" for name, value in called.given.items())
    asked = (
        called.func.ident, has, tuple(parameters), tuple(sorted(ranks.items())), tuple(sorted(dtypes.items())),
        tuple(sorted(numbers.items())),
    )  # fmt: skip
    m.reaches(called.func.module.path)
    m.asks("trial", called.func.ident)
    known = m.world.of(Trials)
    if asked not in known:
        made = _tried(m, called, parameters, ranks, dtypes, numbers)
        m.do(_remember, asked, (made, dict(ranks)))
        m.leaves("trial", called.func.ident)
    trial, needed = known[asked]
    ranks.update(needed)
    return trial


@change(waits=lambda asked, _: ("trial", asked[0]), ordered=False)
def _remember(m: Machine, asked: tuple[object, ...], tried: tuple[Trial | None, dict[str, int]]) -> None:
    m.world.of(Trials)[asked] = tried


def _tried(
    m: Machine, called: Callee, parameters: list[Parameter], ranks: dict[str, int], dtypes: Mapping[str, str],
    numbers: Mapping[str, Numbers],
) -> Trial | None:  # fmt: skip
    for _ in range(2 * MAX_RANK):
        try:
            return _once(m, called, parameters, ranks, dtypes, numbers)
        except OtherRank as needed:
            if needed.rank > MAX_RANK or ranks.get(needed.argument, 2) == needed.rank:
                return None
            ranks[needed.argument] = needed.rank
        except (BudgetSpent, RecursionError):
            return None
        except Exception:
            # A model that fails for tensors of a rank that nobody gives it must not silence everything else.
            if os.environ.get("AOTI_LINT_DEBUG"):
                raise
            return None
    return None


def _once(
    m: Machine, called: Callee, parameters: list[Parameter], ranks: dict[str, int], dtypes: Mapping[str, str],
    numbers: Mapping[str, Numbers],
) -> Trial:  # fmt: skip
    func = called.func
    watch, frames = Watch(), [Frame(func.module.ident, func.module, "")]
    root = Root(m.root.name, Budget(STEPS), m.root.maker, frames=frames, trace=Trace(), muted=1, watch=watch)
    with m.running(root, m.demand.tried()):
        given = called.given
        names = {}
        for index, (place, parameter) in enumerate(zip(called.places, parameters, strict=False)):
            key = key_of(index)
            names[key] = place.name
            given[place.name] = argument(m, watch, key, parameter, ranks, dtypes, numbers)
            if parameter.kind == "other" and not parameter.optional:
                root.path = {**root.path, Cond(("eq", key, NONE)): False}
        for place in func.node.params:
            if place.kind == "var":
                given[place.name] = Tup(())
            elif place.kind == "kwvar":
                given[place.name] = containers.new_dict(m, [])
            elif place.name not in given:
                given[place.name] = func.defaults.get(place.name, Unknown(f"{place.name} of {func.qualname}"))
        with METER.allotted(TRIAL_WORK, m.give_up):
            value, _ = functions.run(m, Call(func.node, []), func, called.receiver, given)
            ends = not (isinstance(value, Unknown) and value.reason.endswith("never returns"))
            returned = frozen.freeze(m, value) if ends else None
        raises: Value = FALSE
        for flow in root.pending:
            raises = raising(flow, raises)
        lists = (key for key, name in names.items() if isinstance(value, Obj) and given[name] == value)
        return Trial(called, returned, watch, tuple(sorted(ranks.items())), names, raises, next(lists, ""))


def argument(
    m: Machine, watch: Watch, key: str, parameter: Parameter, ranks: dict[str, int], dtypes: Mapping[str, str],
    numbers: Mapping[str, Numbers] = NO_NUMBERS,
) -> Value:  # fmt: skip
    """What an argument is worth in a trial."""
    kind = parameter.kind
    made: Value
    known = numbers.get(key)
    if kind == "Tensor":
        sizes: tuple[Value, ...] = tuple(
            Size(f"{key}.{i}", "a size", Expr("dim", key, i)) for i in range(ranks.setdefault(key, 2))
        )
        if isinstance(known, tuple) and len(known) == len(sizes):
            sizes = tuple(open_ if now is None else Const(now) for open_, now in zip(sizes, known, strict=True))
        watch.shapes[key] = sizes
        made = Tensor(key, DEVICE, sizes, dtypes.get(key, f"?{key}"))
        watch.layouts.give(made, in_rows(sizes))
    elif kind == "Tensor[]":
        whole = argument(m, watch, key, replace(parameter, kind="Tensor", optional=False), ranks, dtypes)
        made = m.new("list")
        each = replace(whole, key=f"{key}[]") if isinstance(whole, Tensor) else whole
        if isinstance(each, Tensor) and each.shape is not None:
            watch.layouts.give(each, in_rows(each.shape))
        m.store.write(made.ident, "#items", Many(each))
    elif kind == "int" and isinstance(known, int):
        made = Const(known)
    elif kind in ("int", "float"):
        made = Size(key, f"the argument {parameter.name}", Expr("arg", key))
    elif kind == "dtype":
        made = Ref(f"?{key}")
    elif kind == "device":
        made = DEVICE
    elif kind == "None":
        made = NONE
    else:
        made = Unknown(key, f"the argument {parameter.name}")
    if parameter.optional:
        made = choose(Cond(("given", key), "unknown", f"{parameter.name} is given"), made, NONE)
    return made


def returned(trial: Trial) -> Value:
    """What it returned, `None` where it only raises."""
    return NONE if trial.value is None else trial.value


def outputs(value: Value) -> tuple[Value, ...]:
    """The outputs of an op in what its function returned: none, one, or those of a tuple or list."""
    if isinstance(value, Tup):
        return value.items
    return () if value == Const(None) else (value,)
