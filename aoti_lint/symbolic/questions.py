"""What a fake or a kernel asks of sizes and dtypes, and what its checks say of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aoti_lint.interp import operators
from aoti_lint.interp.conditions import Cond, decide
from aoti_lint.interp.flow import Fork, Leaf
from aoti_lint.interp.models.tensor_base import DTYPES, OPEN
from aoti_lint.interp.symbols import Expr, decided, has_size, is_known
from aoti_lint.interp.values import FALSE, NONE, TRUE, Choice, Const, Ref, Size, Tup, Value, expr_of, ident

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes

CHECKS = frozenset(f"torch._check{kind}" for kind in ("", "_value", "_index", "_type", "_not_implemented"))
"""Functions that raise unless their first argument holds."""


@dataclass(slots=True)
class Question:
    """A comparison of sizes that no open size decides."""

    span: Span
    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Questions:
    """The questions of one trial, by the conditions that stand for them."""

    of_sizes: dict[Cond, Question] = field(default_factory=dict)
    of_shapes: dict[Cond, list[tuple[Expr, Expr]]] = field(default_factory=dict)
    """Whether two shapes are the same: their sizes."""
    of_dtypes: dict[str, set[str]] = field(default_factory=dict)
    """What the dtypes of arguments were compared with, `?` for something unknown: they may have to be of it."""
    agreed: list[tuple[Expr, Expr]] = field(default_factory=list)
    """Sizes that have to be the same, or the function raises."""

    def compared(self, m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
        """`a op b` where one is an open size."""
        if op in ("is", "in"):
            return FALSE if op == "is" and NONE in (a, b) else Choice(Cond((op, ident(a), ident(b))), TRUE, FALSE)
        left, right = expr_of(a), expr_of(b)
        answer = decided(op, left, right)
        if answer is not None:
            return Const(answer)
        cond = Cond(("size", op, ident(a), ident(b)), "unknown")
        if is_open(a) or is_open(b):
            self.of_sizes.setdefault(cond, Question(m.span(node), op, left, right))
        known = decide(cond, m.path)
        return Choice(cond, TRUE, FALSE) if known is None else Const(known)

    def tested(self, m: Machine, node: nodes.Node, value: Value) -> Value:
        """The truth of an open size; other values as they are."""
        if not is_open(value):
            return value
        return operators.unary(m, node, "not", self.compared(m, node, "==", value, Const(0)))

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

    def held(self, path: dict[Cond, bool]) -> None:
        """What is left of the function only runs where these questions are answered so."""
        for cond, answer in path.items():
            asked = self.of_sizes.get(cond)
            if answer and asked is not None and asked.op == "==":
                self.agreed.append((asked.left, asked.right))
            elif answer:
                self.agreed += self.of_shapes.get(cond, ())

    def broadcast(self, one: Value, other: Value) -> Value | None:
        """The size that two open ones broadcast to: neither is 1, so they are the same."""
        if not (is_open(one) and is_open(other)):
            return None
        self.agreed.append((expr_of(one), expr_of(other)))
        return one

    def ended(self, implied: tuple[dict[Cond, bool], dict[Cond, bool]], first: object, second: object) -> None:
        """The script went on from two arms, each entered only where its questions are answered so."""
        if only_raises(second):
            self.held(implied[0])
        elif only_raises(first):
            self.held(implied[1])


def is_open(value: Value) -> bool:
    """Whether a number surely depends on the size of a tensor, and on nothing that is not known."""
    return isinstance(value, Size) and has_size(value.expr) and is_known(value.expr)


def only_raises(ending: object) -> bool:
    """Whether an arm ends in an exception and nothing else."""
    if isinstance(ending, Leaf):
        return ending.kind == "raise"
    return isinstance(ending, Fork) and only_raises(ending.then) and only_raises(ending.other)
