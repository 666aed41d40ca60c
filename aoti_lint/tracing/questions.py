"""What a fake or a kernel asks of sizes and dtypes, and what its checks say of them."""

from __future__ import annotations

from collections.abc import Mapping

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.models.tensors.tensor_base import DTYPES, OPEN
from aoti_lint.values.conditions import Cond
from aoti_lint.values.flow import Fork, Leaf
from aoti_lint.values.identity import expr_of
from aoti_lint.values.sizes.symbols import Expr, is_known
from aoti_lint.values.values import Ref, Size, Tup, Value


@dataclass(slots=True)
class Question:
    """A comparison of open numbers that no size decides."""

    span: Span
    op: str
    left: Expr
    right: Expr


class OtherRank(Exception):
    """The function needs an argument of more dimensions than it was tried with."""

    def __init__(self, argument: str, rank: int) -> None:
        super().__init__(f"{argument}: {rank}")
        self.argument, self.rank = argument, rank


@dataclass(slots=True)
class Agreements:
    """What arguments must have in common, or the function raises."""

    of_shapes: dict[Cond, list[tuple[Expr, Expr]]] = field(default_factory=dict)
    """Questions whether two shapes are the same: their sizes."""
    of_dtypes: dict[str, set[str]] = field(default_factory=dict)
    """What the dtypes of arguments were compared with, `?` for something unknown: they may have to be of it."""
    sizes: list[tuple[Expr, Expr]] = field(default_factory=list)
    """Sizes that have to be the same."""
    answers: dict[Cond, bool] = field(default_factory=dict)
    """How questions are answered wherever the function does not raise."""

    def compared_dtypes(self, a: Value, b: Value) -> None:
        """The dtype of an argument was compared with something, or looked for in it."""
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Ref) and one.name.startswith(OPEN):
                for value in other.items if isinstance(other, Tup) else (other,):
                    named = DTYPES.get(value.name, value.name) if isinstance(value, Ref) else OPEN
                    self.of_dtypes.setdefault(one.name[1:], set()).add(named)

    def compared_shapes(self, cond: Cond, pairs: list[tuple[Value, Value]]) -> None:
        """All sizes of one shape are compared with those of another, as one question."""
        self.of_shapes[cond] = [(expr_of(one), expr_of(other)) for one, other in pairs]

    def fit(self, a: Value, b: Value) -> None:
        """Two sizes have to be the same."""
        if is_open(a) and is_open(b) and a != b:
            self.sizes.append((expr_of(a), expr_of(b)))

    def held(self, questions: Mapping[Cond, Question], path: Mapping[Cond, bool]) -> None:
        """What is left of the function only runs where these conditions are answered so."""
        self.answers |= path
        for cond, answer in path.items():
            asked = questions.get(cond)
            if asked is not None and (asked.op, answer) in (("==", True), ("!=", False)):
                self.sizes.append((asked.left, asked.right))
            elif answer:
                self.sizes += self.of_shapes.get(cond, ())


def is_open(value: Value) -> bool:
    """Whether a number surely depends on a size, or on an argument, and on nothing that is not known."""
    return isinstance(value, Size) and is_known(value.expr) and bool(value.expr.roots)


def last(node: nodes.Node | None) -> nodes.Node | None:
    """Where the last question of `a or b` stands: those before were asked when their turn came."""
    while isinstance(node, nodes.Bool):
        node = node.values[-1]
    return node


def only_raises(ending: object) -> bool:
    """Whether an arm ends in an exception and nothing else."""
    if isinstance(ending, Leaf):
        return ending.kind == "raise"
    return isinstance(ending, Fork) and only_raises(ending.then) and only_raises(ending.other)
