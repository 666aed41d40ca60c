"""What looks on where open sizes are given to functions of numbers.

What turns a size into a number is noted; what else is reckoned with sizes gives a size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.observer import Observer
from aoti_lint.tracing.questions import is_open
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import combined, expr_of
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Size, Unknown, Value


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened at `span`: `kind` is a word for it, `size` what it happened to."""

    kind: str
    span: Span
    size: Expr | None = None
    path: tuple[tuple[Cond, bool], ...] = ()
    other: Expr | None = None
    """What a size was compared with."""
    op: str = ""


@dataclass(slots=True)
class NumberWatch(Observer["Machine"]):
    """Notes what happens, and knows which numbers came out of tensors."""

    notes: list[Note] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """The keys of numbers that were read out of tensors."""

    def note(
        self, m: Machine, kind: str, node: nodes.Node | None = None, size: Value | None = None,
        other: Expr | None = None, op: str = "", span: Span | None = None,
    ) -> None:  # fmt: skip
        """Remember that something happened at `node` (default: the statement that runs)."""
        at = node or m.frame.at
        if span is None and at is None:
            return
        expr = None if size is None else expr_of(size)
        where = span or m.span(at)  # type: ignore[arg-type]  # one of them is there
        if not any(n.kind == kind and n.span == where for n in self.notes):
            self.notes.append(Note(kind, where, expr, tuple(m.root.path.items()), other, op))


Run: TypeAlias = Callable[[], Value]
Function: TypeAlias = Callable[["NumberWatch", "Machine", "Call", str, Value, Run], "Value | None"]
"""What a function gives, by the last word of its name and its first argument; None where open sizes are as others."""


def _number(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """`int(size)` and the like."""
    if len(site.args) != 1:
        return None
    for _, leaf in leaves(given, m.root.path):
        if isinstance(leaf, Tensor):
            watch.note(m, "item", site.node, op=name)
        elif isinstance(leaf, Unknown) and leaf.key in watch.read:
            watch.note(m, "read", site.node, leaf, op=name)
        elif is_open(leaf):
            watch.note(m, "int" if name != "float" else "float", site.node, leaf)
    if isinstance(given, Size):
        return combined("floor", given) if name == "int" and given.expr[0] == "/" else given
    made = run()
    if isinstance(given, Tensor) and isinstance(made, Unknown):
        watch.read.add(made.key)
    return given if isinstance(given, Unknown) and given.key in watch.read and name == "int" else made


def _length(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """`len(tensor)`."""
    if not any(isinstance(leaf, Tensor) for _, leaf in leaves(given, m.root.path)):
        return None
    made = run()
    size = next((leaf for _, leaf in leaves(made) if is_open(leaf)), None)
    if size is not None:
        watch.note(m, "len", site.node, size)
    return made


def _range(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    for arg in map(m.see, site.args):
        if is_open(arg):
            watch.note(m, "range", site.node, arg)
    return None


def _calculated(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """Functions of `math` that turn a size into a number."""
    values = [m.see(arg) for arg in site.args]
    for value in values:
        if is_open(value):
            watch.note(m, "float", site.node, value)
    return combined(name, *values)


def _extreme(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """The larger or smaller of sizes, or of the sizes in a sequence."""
    values = [m.see(a) for a in site.args]
    if len(values) == 1:
        items = containers.items_of(m, values[0])
        values = [] if items is None else [m.see(i) for i in items]
    if site.kwargs or len(values) < 2 or not any(isinstance(v, Size) for v in values):
        return None
    return combined(name.removeprefix("sym_"), *values)


def _kept(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    return given if isinstance(given, Size) else None


def _rounded(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    return combined("floor" if name == "trunc" else name, given) if isinstance(given, Size) else None


def _divided_up(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """Division by helpers that round up, whoever defines them."""
    return combined("ceil", combined("/", given, m.see(site.args[1]))) if len(site.args) == 2 else None


def _folded(watch: NumberWatch, m: Machine, site: Call, name: str, given: Value, run: Run) -> Value | None:
    """The sum or product of the sizes in a sequence."""
    values = [m.see(i) for i in containers.items_of(m, given) or ()]
    if not any(isinstance(v, Size) for v in values) or site.kwargs or len(site.args) > 1:
        return None
    made = values[0]
    for value in values[1:]:
        made = combined("*" if name == "prod" else "+", made, value)
    return made


FUNCTIONS: dict[str, Function] = {
    **dict.fromkeys(("int", "float", "operator.index", "complex"), _number),
    "len": _length,
    "range": _range,
    **dict.fromkeys(("max", "min", "torch.sym_max", "torch.sym_min"), _extreme),
    **dict.fromkeys(("torch.sym_int", "torch.sym_float"), _kept),
    **dict.fromkeys(("math.ceil", "math.floor", "math.trunc", "abs", "round"), _rounded),
    **dict.fromkeys(("math.prod", "sum"), _folded),
    **dict.fromkeys(
        [f"math.{name}" for name in ("sqrt", "isqrt", "log", "log2", "log10", "exp", "pow", "gcd", "lcm", "fmod")],
        _calculated,
    ),
    **dict.fromkeys([f"….{name}" for name in ("cdiv", "ceil_div", "ceildiv", "div_up", "divup")], _divided_up),
}
"""By name; a name that begins with `…` is that of a function in any module."""
