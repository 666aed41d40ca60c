"""What looks on while the machine runs a function on tensors of open sizes.

It notes what reads the data of a tensor, what changes an argument, which results are views of what, and what the
function asks of sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.effects.exported_state import writes
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.machine.machine import Machine, is_newer
from aoti_lint.tracing.number_watch import FUNCTIONS, Note, NumberWatch
from aoti_lint.tracing.operations import BY_DATA, MAYBE_VIEWS, READS, VIEWS
from aoti_lint.tracing.questions import Agreements, OtherRank, Question, is_open, last, only_raises
from aoti_lint.tracing.ranges import elements
from aoti_lint.tracing.strides import CHANGING, SPACES, WHOLE, Layouts, needed_rank
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond, Path, common, decide
from aoti_lint.values.identity import expr_of, ident
from aoti_lint.values.sizes.symbols import Expr, decided
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Const, Obj, Ref, Size, SliceValue, Tup, Unknown, Value

FILLING = frozenset({"append", "appendleft", "extend", "extendleft", "insert", "update", "setdefault", "add"})
"""Methods of containers that put something into them."""
EMPTYING = frozenset({"pop", "popleft", "popitem", "clear", "remove", "discard"})
"""Those that take something out."""

_COPYING = frozenset({"clone", "detach", "contiguous", "to", "cpu"})
"""Methods that give the same values, in memory of their own or not."""


def was_there(key: str, begun: int) -> bool:
    """Whether the tensor with this key was made before identity `begun` was given, as far as the key says so."""
    number = key.removeprefix("t")
    return number.isdecimal() and not is_newer(int(number), begun)


@dataclass(slots=True)
class Watch(NumberWatch):
    """`shapes` are the sizes of the tensor arguments, by the keys of the arguments."""

    shapes: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    questions: dict[Cond, Question] = field(default_factory=dict)
    views: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """What each view is a view of, by the keys of tensors, and whether it surely is one."""
    mutated: dict[str, Note] = field(default_factory=dict)
    """Where a tensor was changed first, by its key."""
    restored: set[str] = field(default_factory=set)
    """The tensors that were changed in one place, where what was there before was put back."""
    taken: dict[str, tuple[str, Value]] = field(default_factory=dict)
    """The tensors that hold what stood in another one, with its key and what it was indexed by."""
    agreements: Agreements = field(default_factory=Agreements)
    layouts: Layouts = field(default_factory=Layouts)
    strides_asked: bool = False
    """Whether the strides of a tensor were read: an argument may have to lie in another way than in rows."""
    data_sizes: dict[str, int | None] = field(default_factory=dict)
    """By the keys of sizes that the data decides: the largest that each may be, None where that is not known."""
    answered_by_data: set[Cond] = field(default_factory=set)
    """The questions about values in tensors: some data answers yes, other data no."""
    worked_out: dict[str, Expr] = field(default_factory=dict)
    """What sizes are, by key, that are compared as unknown: they hold for what a kernel is usually given."""
    fitted: dict[str, tuple[Value, Value]] = field(default_factory=dict)
    """By key, the size of two that broadcast: they are equal, or one is 1."""
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The tensors that each tensor was made of, by keys."""
    makers: dict[str, str] = field(default_factory=dict)
    """The last word of the function or method that made a tensor; an operator has none."""
    layers: dict[str, str] = field(default_factory=dict)
    """The class of the layer of `torch.nn` that made a tensor."""
    on_host: bool = False
    """Whether the arguments have to be on the CPU, as numpy gets them as they are."""

    # ------------------------------------------------------------ what tensors are made of

    def made_of(self, keys: Iterable[str], ones: Container[str]) -> bool:
        """Whether any of the tensors with these keys is one of `ones`, or was made of one, by any steps."""
        todo, seen = list(keys), set[str]()
        while todo:
            key = todo.pop()
            if key in ones:
                return True
            if key not in seen:
                seen.add(key)
                todo += self.sources.get(key, ())
        return False

    def base_of(self, key: str) -> tuple[str, bool]:
        """The tensor whose memory a tensor shares, and whether it surely does; itself for one of its own."""
        sure = True
        for _ in range(len(self.views) + 1):
            if key not in self.views:
                break
            key, surely = self.views[key]
            sure = sure and surely
        return key, sure

    # ------------------------------------------------------------ calls

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        first = m.see(site.args[0]) if site.args else NONE
        tail = name.rpartition(".")[2]
        function = FUNCTIONS.get(name) or FUNCTIONS.get(f"….{tail}")
        made = None if function is None else function(self, m, site, tail, first, run)
        if made is not None:
            return made
        if not name.startswith("torch."):
            return run()
        if name.startswith("torch._check"):
            self._checked(m, first)
        self._changed_by(m, site, tail, first)
        if name.rpartition(".")[0] not in SPACES:
            return self._after(m, site, tail, first, run())
        rest = replace(site, args=site.args[1:])
        self._of_rank(m, tail, first, rest)
        made = run()
        self.layouts.called(m, tail, first, rest, self._tensors(m, made))
        return self._after(m, site, tail, first, made)

    def _checked(self, m: Machine, asserted: Value) -> None:
        """`torch._check` lets only those go on for whom what it is given holds."""
        paths = [(path, leaf == TRUE) for path, leaf in leaves(asserted, m.root.path)]
        must = common([path for path, yes in paths if yes])
        self.joined({c for path, _ in paths for c in path}, must)
        self.agreements.held(self.questions, must)

    def _changed_by(self, m: Machine, site: Call, name: str, first: Value) -> None:
        """A function of torch may change its first argument, by its name or `inplace`, and what `out` is."""
        if isinstance(first, Tensor):
            if name.endswith("_") and not name.endswith("__"):
                self.changed(m, site.node, first, name, site.values[1:])
            if m.see(site.kwargs.get("inplace", FALSE)) == TRUE:
                self.changed(m, site.node, first, name, site.args[1:])
        for _, leaf in leaves(m.see(site.kwargs.get("out", NONE))):
            if isinstance(leaf, Tensor):
                self.changed(m, site.node, leaf, by=site.args)

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        if not isinstance(receiver, Tensor):
            if isinstance(receiver, Obj) and name in FILLING | EMPTYING:
                self.filled(m, site.node, receiver, name in FILLING)
            return run()
        if name in READS:
            made = run()
            self.note(m, "item" if name in ("item", "tolist") else "data", site.node, made, op=name)
            if name == "item" and isinstance(made, Unknown):
                self.read.add(made.key)
            self.on_host |= name == "numpy" and not isinstance(m.see(receiver.device), Device)
            return made
        if writes(name):
            self.changed(m, site.node, receiver, name, site.values)
        if name in CHANGING:
            self.layouts.changed(receiver)
        rows = self.layouts.lies_in_rows(receiver) and not (site.args or site.kwargs)
        self.strides_asked |= name == "stride" or (name == "is_contiguous" and not rows)
        self._of_rank(m, name, receiver, site)
        made = run()
        self.layouts.called(m, name, receiver, site, self._tensors(m, made))
        return self._after(m, site, name, receiver, made)

    def _after(self, m: Machine, site: Call, name: str, source: Value, made: Value) -> Value:
        maker = name
        if (asked := m.see(site.kwargs.get("memory_format", NONE))) not in (NONE, Ref("torch.preserve_format")):
            maker = "contiguous" if asked == Ref("torch.contiguous_format") else "memory_format"
        for leaf in self._tensors(m, made):
            if leaf != source:
                self.makers.setdefault(leaf.key, maker)
                if name in _COPYING and isinstance(source, Tensor) and source.key in self.taken:
                    self.taken[leaf.key] = self.taken[source.key]
        if name in BY_DATA or (name == "where" and isinstance(made, Tup)):
            self._by_data(made, elements(source))
        if name in ("nonzero", "where") and isinstance(made, Tup):
            columns = f"t{m.fresh()}"  # of one matrix
            self.views |= {one.key: (columns, True) for one in self._tensors(m, made)}
        if isinstance(source, Tensor) and name in VIEWS | MAYBE_VIEWS:
            for leaf in self._tensors(m, made):
                if leaf.key != source.key:
                    self.views[leaf.key] = source.key, name in VIEWS
        return made

    def viewed(self, source: Tensor, made: Tensor, name: str) -> None:
        """An attribute gave a view, as the method `name` does."""
        self.views[made.key] = source.key, True
        self.makers[made.key] = name

    def _tensors(self, m: Machine, made: Value) -> list[Tensor]:
        found = []
        for _, leaf in leaves(made):
            inner = containers.items_of(m, leaf) if isinstance(leaf, Tup | Obj) else [leaf]
            found += [one for one in inner or () if isinstance(one, Tensor)]
        return found

    def _by_data(self, made: Value, most: int | None) -> None:
        for _, leaf in leaves(made):
            for one in leaf.items if isinstance(leaf, Tup) else (leaf,):
                if isinstance(one, Tensor):
                    self.data_sizes |= {s.key: most for s in one.shape or () if isinstance(s, Unknown)}

    def layer(self, given: Tensor, made: Tensor, *, flat: bool) -> None:
        """`made` came out of a layer that keeps what lies in rows; `flat`: it gives a matrix in rows for any matrix."""
        self.layouts.layer(given, made, flat=flat)

    def lies_in_rows(self, tensor: Tensor) -> bool:
        """Whether a tensor is known to be contiguous by what made it."""
        return self.layouts.lies_in_rows(tensor)

    # ------------------------------------------------------------ operators

    def truth(self, m: Machine, size: Size, node: nodes.Node | None) -> Value:
        """`bool(size)`, asked for at `node`, or somewhere in the statement that runs."""
        at = last(node) or m.frame.at
        return (
            Choice(Cond(("truthy", ident(size))), TRUE, FALSE)
            if at is None
            else self.compared(m, at, "!=", size, Const(0))
        )

    def compared(self, m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> Value:
        """`a op b` where one is an open number."""
        if op in ("is", "in"):
            return FALSE if op == "is" and NONE in (a, b) else Choice(Cond((op, ident(a), ident(b))), TRUE, FALSE)
        left, right = expr_of(a), expr_of(b)
        answer = decided(op, left, right)
        if answer is not None:
            return Const(answer)
        cond = Cond(("size", op, ident(a), ident(b)), "unknown")
        if is_open(a) or is_open(b):
            self.questions[cond] = Question(m.span(node), op, left, right)  # where it was asked last
        known = decide(cond, m.root.path)
        return Choice(cond, TRUE, FALSE) if known is None else Const(known)

    def compared_dtypes(self, a: Value, b: Value) -> None:
        """Two values are compared that may be dtypes."""
        self.agreements.compared_dtypes(a, b)

    def compared_shapes(self, cond: Cond, pairs: list[tuple[Value, Value]]) -> None:
        """Two shapes are compared, which is the question `cond`."""
        self.agreements.compared_shapes(cond, pairs)

    def attribute(self, m: Machine, node: nodes.Node, name: str, source: Tensor, made: Value) -> None:
        """`source.name`."""
        self.layouts.attribute(m, node, name, source, made)

    def asked(self, m: Machine, tensor: Tensor, cond: Cond, node: nodes.Node | None) -> None:
        """The truth of a tensor is asked for; what was answered before is one question with the first."""
        self.answered_by_data.add(cond)
        if decide(cond, m.root.path) is None:
            self.note(m, "truth", last(node))

    def branched(self, m: Machine, cond: Cond, first: object, second: object) -> None:
        """The script went one way or the other by a condition."""
        if only_raises(first) or only_raises(second):
            self.agreements.held(self.questions, {cond: only_raises(second)})
        asked = self.questions.get(cond)
        if asked is None:
            return
        checks = only_raises(first) or only_raises(second) or isinstance(m.frame.at, nodes.Assert)
        kind = "check" if checks else "branch"
        size, other = (asked.left, asked.right) if asked.left[0] != "const" else (asked.right, asked.left)
        self.note(m, kind, size=Size("", "", size), other=other, op=asked.op, span=asked.span)

    def branched_by_several(
        self, conds: Iterable[Cond], implied: tuple[Path, Path], first: object, second: object
    ) -> None:
        """The script went one way or the other by conditions joined with `and` and `or`.

        `implied` are those that have one answer where it went the one way, and the other.
        """
        if only_raises(first) or only_raises(second):
            held = implied[1] if only_raises(first) else implied[0]
            self.joined(conds, held)
            self.agreements.held(self.questions, held)

    def joined(self, conds: Iterable[Cond], held: Container[Cond]) -> None:
        """Conditions joined with `and` and `or` were a check, which passes only where those in `held` are answered."""
        checked = {self.questions[cond].span: cond in held for cond in conds if cond in self.questions}
        for index, note in enumerate(self.notes):
            if note.kind == "branch" and note.span in checked:
                self.notes[index] = replace(note, kind="check" if checked[note.span] else "alternative")

    def formatted(self, m: Machine, node: nodes.Node, template: str, items: list[Value]) -> None:
        """`template % items`."""
        if any(f in template for f in ("%d", "%i", "%x", "%f", "%g", "%e")):
            for item in items:
                if is_open(m.see(item)):
                    self.note(m, "format", node, m.see(item))

    def item(self, m: Machine, node: nodes.Node, source: Value, key: Value, made: Value) -> Value:
        """`source[key]`."""
        if not isinstance(source, Tensor):
            return made
        keys = key.items if isinstance(key, Tup) else (key,)
        advanced = [k for k in keys if isinstance(m.see(k), Tensor | Obj)]
        if not advanced and all(isinstance(m.see(k), Const | SliceValue | Size) for k in keys):
            for leaf in self._tensors(m, made):
                self.views[leaf.key] = source.key, True
            self.layouts.item(m, node, source, key, made)
        for leaf in self._tensors(m, made):
            self.taken[leaf.key] = source.key, key
            if advanced:
                self.makers[leaf.key] = "index"
        masks = [k for k in map(m.see, advanced) if isinstance(k, Tensor) and k.dtype == "torch.bool"]
        if masks:
            self._by_data(made, elements(masks[0]))
        return made

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """The operator `op` on tensors gave `made`."""
        return self.layouts.combined(op, values, made)

    def fit(self, m: Machine, a: Value, b: Value) -> None:
        """Two sizes have to be the same, or the function raises."""
        self.agreements.fit(a, b)

    def changed(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed: by the method `name`, an operator, or `[]=`, given `by`."""
        key, sure = self.base_of(tensor.key)
        old = m.see(by[1]) if name == "[]=" and len(by) > 1 else None
        if isinstance(old, Tensor) and old.key not in self.views and self.taken.get(old.key) == (key, by[0]):
            self.restored.add(key)
        else:
            self.restored.discard(key)
        self.taken.pop(tensor.key, None)
        if sure:
            self.mutated.setdefault(key, Note("changed", m.span(node), None, tuple(m.root.path.items())))

    def launched(self, m: Machine, node: nodes.Node, name: str) -> None:
        """A Triton kernel is launched, which torch is not told of."""
        self.note(m, "launched", node, op=name)

    def unbound(self, m: Machine, node: nodes.Name) -> None:
        """A name is read that nothing binds that we saw."""
        self.note(m, "unbound", node, op=node.id)

    # ------------------------------------------------------------ ranks

    def not_there(self, sequence: Value, key: Value) -> None:
        """An index was not in a sequence: a shape may be too short."""
        for argument, shape in self.shapes.items():
            if sequence == Tup(shape) and isinstance(key, Const) and isinstance(key.value, int):
                raise OtherRank(argument, key.value + 1 if key.value >= 0 else -key.value)

    def _of_rank(self, m: Machine, name: str, tensor: Value, rest: Call) -> None:
        """An operation is for tensors of more dimensions than this one has, or of fewer."""
        rank = needed_rank(m, name, rest)
        if rank is None or not isinstance(tensor, Tensor) or tensor.shape is None:
            return
        at_least = name not in WHOLE
        for argument, shape in self.shapes.items():
            if tensor.shape == shape and (len(shape) < rank or (len(shape) > rank and not at_least)):
                raise OtherRank(argument, rank)

    def not_unpacked(self, m: Machine, sequence: Value, targets: list[nodes.Expr]) -> None:
        """A sequence does not have as many items as it is unpacked into; or it is a tensor, which may have."""
        starred = any(isinstance(t, nodes.Star) for t in targets)
        for argument, shape in self.shapes.items():
            if sequence == Tup(shape):
                raise OtherRank(argument, len(targets) - starred)
