"""What looks on while the forward of an exported model runs on inputs whose dynamic sizes are open.

Tracing follows one way through the model, that of the example. Where it asks something of a size, or an operation fits
only for some, the program holds for no other sizes: each such place is a guard. Run on torch 2.13, see the rules
AOTI320 to AOTI324.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import MAX_PARTS, calculate, dim_of, minus, plus
from aoti_lint.tracing.counted import Counted
from aoti_lint.tracing.cuts import Cuts
from aoti_lint.tracing.forwards.reshapes import ZERO, asked_by_reshape
from aoti_lint.tracing.questions import Question, is_open
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond, decide
from aoti_lint.values.events.forwards import SizeGuard
from aoti_lint.values.identity import combined, expr_of, ident
from aoti_lint.values.sizes.symbols import LEAST, Expr, decided, is_known, worth_of
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Const, Func, Obj, Size, Text, Tup, Value

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
HOLDS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
NUMBERS = frozenset({"int", "float", "len", "range", "format", "items", "steps", "points"})
"""The notes of a watch that say that a size became a number."""
CHECKS = frozenset({"torch._check", "torch._check_value", "torch._check_index"})
"""Functions that raise where what they are given is not true."""
KEYED = frozenset({"get", "pop", "setdefault"})
"""Methods of a dict that look up their first argument."""
ONE = Expr("const", 1)


def holds(guard: SizeGuard, sizes: dict[Expr, int]) -> bool | None:
    """Whether a guard holds for these sizes; None where that cannot be worked out."""
    left, right = (worth_of(side, sizes) for side in (guard.left, guard.right))
    return None if left is None or right is None else HOLDS[guard.op](float(left), float(right))


@dataclass(slots=True)
class ForwardWatch(Watch):
    """`examples` are the sizes that the example inputs have in the place of the open ones."""

    examples: dict[Expr, int] = field(default_factory=dict)
    guards: list[SizeGuard] = field(default_factory=list)
    place: tuple[int, Span] | None = None
    """The call or operator that runs, with how many frames there were then."""
    cuts: Cuts = field(default_factory=Cuts)
    """The slices of open sizes."""
    counting: Counted = field(default_factory=Counted)

    def note(
        self,
        m: Machine,
        kind: str,
        node: nodes.Node | None = None,
        size: Value | None = None,
        other: Expr | None = None,
        op: str = "",
        span: Span | None = None,
    ) -> None:
        """Where a size becomes a number, the program is held to that of the example."""
        if kind in NUMBERS and size is not None and is_open(size):
            number = self._for_example(expr_of(size))
            where = span or (None if node is None else m.span(node))
            if number is not None:
                self._guard(m, kind, where, expr_of(size), "==", Expr("const", number))

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project: operations in it are guarded where it stands."""

        def called() -> Value:
            made = super(ForwardWatch, self).external(m, site, name, run)
            given = [m.see(arg) for arg in site.args]
            if given and name.startswith("torch."):
                self.counting.method(name.rpartition(".")[2], given[0], made)
            if name in CHECKS and given:
                self._demanded(m, given[0])
            if name == "getattr" and len(given) == 2 and isinstance(given[1], Text):
                for part in given[1].parts:
                    self._key(m, "text", site.node, m.see(part))
            return made

        return self.operated(m, site.node, called)

    def _demanded(self, m: Machine, answer: Value) -> None:
        """A check of the forward's own passes for the sizes of which it is true."""
        if isinstance(answer, Choice) and (asked := self.questions.get(answer.cond)) is not None:
            op = asked.op if m.see(answer.then) == TRUE else NEGATED.get(asked.op, "")
            if op in HOLDS and {m.see(answer.then), m.see(answer.other)} == {TRUE, FALSE}:
                self._guard(m, "bound", asked.span, asked.left, op, asked.right)

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""

        def called() -> Value:
            if isinstance(receiver, Tensor) and receiver.shape and name == "unbind":
                self._apart(m, site, receiver)
            if name in KEYED and site.args and isinstance(key := m.see(site.args[0]), Size):
                self.looked_up(m, site.node, receiver, key)
            made = super(ForwardWatch, self).method(m, site, receiver, name, run)
            self.counting.method(name, receiver, made)
            return made

        return self.operated(m, site.node, called)

    def looked_up(self, m: Machine, node: nodes.Node, box: Value, key: Value) -> None:
        """A symbol cannot be a key, and a text made of one holds its name, not a number."""
        if not isinstance(box, Func) and not (isinstance(box, Obj) and box.kind == "dict"):
            return
        if isinstance(key, Size):
            self._key(m, "cached" if isinstance(box, Func) else "key", node, key)
        elif isinstance(key, Text):
            for part in key.parts:
                self._key(m, "text", node, m.see(part))

    def _key(self, m: Machine, kind: str, node: nodes.Node, size: Value) -> None:
        number = self._example(size) if is_open(size) else None
        if number is not None and not m.catches("TypeError", "KeyError", "AttributeError", "LookupError", "Exception"):
            self._guard(m, kind, m.span(node), expr_of(size), "==", Expr("const", number))

    def _apart(self, m: Machine, site: Call, tensor: Tensor) -> None:
        """`unbind` gives a tensor for each index."""
        given = site.arg(0, "dim")
        dim = dim_of(Const(0) if given is None else m.see(given), len(tensor.shape or ()))
        if dim is not None:
            self.iterated(m, tensor, dim)

    def counted(self, m: Machine, size: Size, step: int) -> int | None:
        """`split` gives as many parts as for the example, and is held to the sizes that give as many.

        Run on torch 2.13: a last part of size 1 makes the size a number; any other leaves a range to `Dim.DYNAMIC` and
        `Dim.AUTO` (five in steps of three: 3 and more; five in one step of nine: up to 9).
        """
        example = self._for_example(size.expr)
        if example is None:
            return None
        count = math.ceil(example / step)
        if step == 1:
            self.note(m, "items", size=size)
        elif example - step * (count - 1) == 1:
            self._guard(m, "branch", None, size.expr, "==", Expr("const", example))
        else:
            steps = Expr("ceil", Expr("/", size.expr, Expr("const", step)))
            self._guard(m, "branch", None, steps, "==", Expr("const", count))
        return count

    def halved(self, m: Machine, size: Size, each: Expr, count: int) -> list[Value] | None:
        """`chunk` of an open size: torch asks whether there are as many chunks as for the example.

        Run on torch 2.13: it never proves that for a named `Dim`, whatever its range.
        """
        example, step = self._for_example(size.expr), self._for_example(each)
        if not example or not step or math.ceil(example / step) != count:
            return None
        up = Expr("-", Expr("+", size.expr, each), Expr("const", 1))
        self._guard(m, "parts", None, Expr("//", up, each), "==", Expr("const", count))
        if count > MAX_PARTS:
            return None
        part = Size(f"each({size.key},{count})", "the size of a part", each)
        last = minus(m, size, combined("*", Const(count - 1), part)) if count > 1 else size
        return [part] * (count - 1) + [last]

    def spread(self, m: Machine, size: Size, count: int) -> list[Value] | None:
        """`tensor_split` of an open size: the first parts have one more, as many as for the example.

        Run on torch 2.13.
        """
        example = self._for_example(size.expr)
        if example is None or int(example) < count:
            return None
        more = int(example) % count
        self._guard(m, "parts", None, Expr("%", size.expr, Expr("const", count)), "==", Expr("const", more))
        if count > MAX_PARTS:
            return None
        less = combined("//", size, Const(count))
        return [plus(m, less, Const(1)) if i < more else less for i in range(count)]

    def operated(self, m: Machine, node: nodes.Node, run: Callable[[], Value]) -> Value:
        """An operation that stands at `node`."""
        before, self.place = self.place, (len(m.root.frames), m.span(node))
        try:
            return run()
        finally:
            self.place = before

    def iterated(self, m: Machine, tensor: Tensor, dim: int = 0) -> None:
        """A tensor is taken apart along a dimension, in as many parts as the size says."""
        if tensor.shape and dim < len(tensor.shape):
            here = self.place[1] if self.place is not None and self.place[0] == len(m.root.frames) else None
            self.note(m, "items", size=tensor.shape[dim], span=here)

    def compared(self, m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
        """`a op b` where one is an open number: a question that the example answers where it is asked."""
        if op not in HOLDS:
            return super().compared(m, node, op, a, b)
        cond = Cond(("size", op, ident(a), ident(b)), "unknown")
        if is_open(a) or is_open(b):
            self.questions[cond] = Question(m.span(node), op, expr_of(a), expr_of(b))
        known = decide(cond, m.root.path)
        return Choice(cond, TRUE, FALSE) if known is None else Const(known)

    def answered(self, m: Machine, answer: Value) -> Value:
        """The truth of a comparison is that for the example."""
        while isinstance(answer, Choice) and (asked := self.questions.get(answer.cond)) is not None:
            taken = self._answer(asked)
            if taken is None:
                break
            self._guard(m, "branch", asked.span, asked.left, asked.op if taken else NEGATED[asked.op], asked.right)
            answer = m.see(answer.then if taken else answer.other)
        return answer

    def _answer(self, asked: Question) -> bool | None:
        left, right = self._for_example(asked.left), self._for_example(asked.right)
        return None if left is None or right is None or asked.op not in HOLDS else HOLDS[asked.op](left, right)

    # ------------------------------------------------------------ operations

    def fit(self, m: Machine, a: Value, b: Value) -> None:
        """Two sizes have to be the same. A size of 1 beside another was told apart before."""
        if is_open(a) or is_open(b):
            self._guard(m, "fit", None, expr_of(a), "==", expr_of(b))

    def reaches(self, m: Machine, size: Value, least: Value, proper: bool = False) -> None:
        """An index, or a part of so many, has to be there; `proper`: and more than the part."""
        if is_open(size) or is_open(least):
            self._guard(m, "bound", None, expr_of(size), ">" if proper else ">=", expr_of(least))

    def shrunk(self, m: Machine, size: Value) -> None:
        """Tracing takes a size of 1 apart from all others. Run on torch 2.13: `x[1:]` is for two rows and more."""
        self._more_than_one(m, size)

    def window(self, m: Machine, size: Value) -> None:
        """The same, if anything asks."""
        self.cuts.window(self._more_than_one(m, size))

    def _more_than_one(self, m: Machine, size: Value) -> SizeGuard | None:
        """The size is more than 1 as that of the example, or 1 as that is: torch asks where it does not know that."""
        if not is_open(size):
            return None
        op, least = ("==", ONE) if self._example(size) == 1 else (">=", Expr("const", LEAST))
        known = decided(op, expr_of(size), least) is not None
        return None if known else self._guard(m, "bound", None, expr_of(size), op, least)

    def derived(self, m: Machine, made: Tensor) -> None:
        """A tensor was made of another one."""
        self.cuts.windowed(made.key)

    def framed(self, m: Machine, size: Value, hop: int) -> None:
        """torch asks whether there is more than one window.

        Run on torch 2.13: it never proves that for a named `Dim`, whatever its range.
        """
        if is_open(size):
            self._guard(m, "frames", None, Expr("//", expr_of(size), Expr("const", hop)), "!=", Expr("const", 0))

    def unrolled(self, m: Machine, size: Value) -> None:
        """The program has as many steps as the example."""
        self.note(m, "steps", size=size)

    def part(self, m: Machine, size: Value, bounds: list[Value], inside: bool = False) -> Value | None:
        """A bound is taken from the end, or cut off at it, where that of the example is.

        Run on torch 2.13: `x[:4]` of six rows is for four and more, `x[:10]` for nine and less, `x[-3:]` for three and
        more; so is a table with `table[: x.shape[0]]` for as many rows as it has. `inside`: a part has gaps in memory,
        and the whole has none, so `x[:, :4]` is for five and more, and of an example of four columns for four.
        """
        low, high, step = bounds
        by = 1 if step == NONE else step.value if isinstance(step, Const) else None
        if type(by) is not int or by < 1 or not (is_open(size) or isinstance(size, Const)):
            return None
        begins = low in (NONE, Const(0))
        first = Const(0) if low == NONE else self._bound(m, low, size, proper=inside and high == NONE)
        last = size if high == NONE else self._bound(m, high, size, proper=inside and begins)
        if first is None or last is None:
            return None
        length = minus(m, last, first)
        if by > 1:
            length = calculate(m, "//", plus(m, length, Const(by - 1)), Const(by), lambda a, b: a // b)
        if any(self._example(part) is None for part in (length, size)) or (self._example(length) or 0) < 1:
            return None
        if length != size and is_open(length):
            self.cuts.asked(self._more_than_one(m, length))
        return length

    def item(self, m: Machine, node: nodes.Node, source: Value, key: Value, made: Value) -> Value:
        """`source[key]`, which has sliced a tensor perhaps."""
        made = super().item(m, node, source, key, made)
        if isinstance(source, Tensor):
            self.cuts.made(source, [one.key for one in self._tensors(m, made)])
            keys = [m.see(one) for one in (key.items if isinstance(key, Tup) else (key,))]
            self.counting.item(source, keys, made)
            if source.shape and isinstance(keys[0], Tensor):
                self.table(m, node, keys[0], m.see(source.shape[0]))
        return made

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """The operator `op` on tensors gave `made`."""
        made = super().combined(m, node, op, values, made)
        self.counting.combined(op, values, made)
        return made

    def changed(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed, and of all that shares its memory."""
        super().changed(m, node, tensor, name, by)
        if tensor.key in self.counting.beyond:
            self.counting.beyond.clear()

    def counts_up(self, made: Tensor, beyond: Value) -> None:
        """The numbers in a new tensor go up by one each, and end before `beyond`."""
        if is_open(beyond):
            self.counting.beyond[made.key] = expr_of(beyond)

    def table(self, m: Machine, node: nodes.Node, indices: Value, rows: Value) -> None:
        """No export asks whether the rows are there; a call looks for them. Run on torch 2.13."""
        if isinstance(indices, Tensor) and indices.key in self.counting.beyond:
            self._guard(m, "table", m.span(node), self.counting.beyond[indices.key], "<=", expr_of(rows))

    def asked_for(self) -> tuple[SizeGuard, ...]:
        """The guards, once the forward has run."""
        return self.cuts.judged(self, self.guards)

    def _bound(self, m: Machine, bound: Value, size: Value, proper: bool) -> Value | None:
        """Where a slice begins or ends, from 0 to the size; `proper`: the whole is another case than a part."""
        at, whole = self._example(bound), self._example(size)
        if at is None or whole is None:
            return None
        if at < 0:
            bound, at = plus(m, size, bound), at + whole
            if at < 0:
                self._guard(m, "bound", None, expr_of(bound), "<", ZERO)
                return Const(0)
            if proper and at == 0:
                self.cuts.asked(self._guard(m, "bound", None, expr_of(bound), "==", ZERO))
            else:
                self._guard(m, "bound", None, expr_of(bound), ">" if proper else ">=", ZERO)
        elif at > whole:
            self._guard(m, "bound", None, expr_of(bound), ">", expr_of(size))
            return size
        elif proper and at == whole:
            self.cuts.asked(self._guard(m, "bound", None, expr_of(bound), "==", expr_of(size)))
        else:
            self._guard(m, "bound", None, expr_of(bound), "<" if proper and at else "<=", expr_of(size))
        return bound

    def _example(self, value: Value) -> float | None:
        return self._for_example(expr_of(value))

    def reshaped(self, m: Machine, source: tuple[Value, ...], sizes: tuple[Value, ...]) -> None:
        """A tensor of the sizes `source` is seen as one of `sizes`, of which one may be -1."""
        for kind, left, op, right in asked_by_reshape(source, sizes, self._example):
            self._guard(m, kind, None, left, op, right)

    # ------------------------------------------------------------ keeping

    def _for_example(self, expr: Expr) -> float | None:
        if not is_known(expr):
            return None
        found = worth_of(expr, self.examples)
        return None if found is None else int(found) if found == int(found) else float(found)

    def _guard(self, m: Machine, kind: str, where: Span | None, left: Expr, op: str, right: Expr) -> SizeGuard | None:
        """Keep a guard that does not hold for all sizes, and give it. What fails for the example was not understood."""
        here = self.place[1] if self.place is not None and self.place[0] == len(m.root.frames) else None
        # The body of a lambda is no statement: what calls it is.
        frame = next((one for one in reversed(m.root.frames) if one.at is not None), None)
        at = None if frame is None or frame.at is None else Span(frame.module.path, frame.at.start, frame.at.end)
        span = where or here or at
        if span is None or not (is_known(left) and is_known(right)) or left == right:
            return None
        made = SizeGuard(kind, span, left, op, right, tuple(m.root.path.items()))
        if not holds(made, self.examples):
            return None
        for other in self.guards:
            if (other.span, other.left, other.op, other.right) == (span, left, op, right):
                return other
        self.guards.append(made)
        return made
