"""What looks on while the forward of an exported model runs, for what it asks of the values in tensors.

Tracing has no values. Where Python has to know one, to go one way or the other or as a number of its own, the export
raises. Run on torch 2.13, see the rules AOTI325 and AOTI326.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aoti_lint.ir import nodes
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.data import containers, frozen, iterators
from aoti_lint.language.effects import backward, gradients
from aoti_lint.language.effects.leftovers import Caches
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine, is_newer
from aoti_lint.models.modules.module_parts import has_weights
from aoti_lint.models.tensors.sizes import is_sequence
from aoti_lint.tracing.data import asking, caches, untraced
from aoti_lint.tracing.data.indices import IndexWatch
from aoti_lint.tracing.questions import last
from aoti_lint.tracing.ranges import is_same_for_all
from aoti_lint.tracing.trial_observer import was_there
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import DataUse, TensorChange
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    Func,
    Obj,
    Ref,
    Tup,
    Unknown,
    Value,
)

PERCENT = regex(r"%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z%]")
_OUT_OF_SIGHT = frozenset({"detach", "data"})
"""Views through which autograd does not see changes."""


@dataclass(slots=True)
class DataWatch(IndexWatch):
    """It asks what is worked out of inputs, parameters and buffers."""

    plain: dict[str, str] = field(default_factory=dict)
    """The names of attributes by the keys of the tensors they hold that are neither parameters nor buffers."""
    weights: dict[str, str] = field(default_factory=dict)
    """The names of attributes by the keys of the parameters they hold."""
    initialising: bool = False
    """Whether a function of `torch.nn.init` runs, which switches autograd off."""
    begun: int = 0
    """The last identity that was given before the forward ran."""
    changes: list[TensorChange] = field(default_factory=list)
    assigned: bool = False
    """Whether an attribute of a module was assigned."""
    added: bool = False
    """Whether something was put into a list, dict or set that was there before."""
    kept: bool = False
    """Whether something was changed that was there before the forward ran."""
    boxes: set[int] = field(default_factory=set)
    """Such lists, dicts and sets."""
    caches: Caches = field(default_factory=dict)
    """Cells of what was there before that hold tensors which the forward made, with these tensors."""
    hinted: set[str] = field(default_factory=set)
    """The keys of those that a compiled function may ask for, as it is given them beside the tensor."""
    asked_for: dict[Cond, nodes.Node] = field(default_factory=dict)
    """Where `bool(tensor)` stands, which, where Python is traced, asks nothing before something hangs on it."""
    places: dict[str, tuple[str, nodes.Node, str]] = field(default_factory=dict)
    """What such numbers and sizes are, and where they were compared last, by identity."""

    looking_for: nodes.Node | None = None
    """The last `in`, which asks nothing where Python is traced."""
    unseen: dict[str, nodes.Node] = field(default_factory=dict)
    """Where `.data` stands, by the keys of the tensors it gave, which an export does not see."""
    made_on: dict[str, tuple[tuple[Cond, bool], ...]] = field(default_factory=dict)
    """What was assumed where a tensor was made, by its key, since something was not seen."""

    def memory_of(self, key: str) -> str | None:
        """The tensor whose memory another surely lies in."""
        base, sure = self.base_of(key)
        return base if sure else key

    def changed(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed."""
        super().changed(m, node, tensor, name, by)
        self._uses_drawn(m, by)
        if name == "[]=":
            self._assigned_at(m, node, m.see(by[0]))
        key, sure = self.base_of(tensor.key)
        weight = key in self.weights or (key == tensor.key and tensor.role == "parameter")
        if tensor.key in self.unseen:
            self.made_on[f"{tensor.key} changed"] = tuple(m.root.path.items())
            self.sources[f"{tensor.key} changed"] = (tensor.key,)
        if sure and weight and not self.initialising and self._is_followed(m, tensor.key):
            name = self.weights.get(key, "")
            self.changes.append(TensorChange(name, m.span(node), tuple(m.root.path.items()), gradient=True))
        elif sure and key not in self.roots and (key in self.plain or was_there(key, self.begun)):
            self.changes.append(TensorChange(self.plain.get(key, ""), m.span(node), tuple(m.root.path.items())))

    def attribute(self, m: Machine, node: nodes.Node, name: str, source: Tensor, made: Value) -> None:
        """An attribute of a tensor is read."""
        super().attribute(m, node, name, source, made)
        if name == "data" and isinstance(made, Tensor):
            self.unseen[made.key] = node

    def derived(self, m: Machine, made: Tensor) -> None:
        """A tensor is made of another one."""
        if self.unseen:
            self.made_on[made.key] = tuple(m.root.path.items())

    def returned(self, m: Machine, value: Value) -> None:
        """The forward has come to its end, where an export looks for what it did not see."""
        if not self.unseen:
            return
        used = [(one.key, tuple(m.root.path.items())) for one in self._tensors(m, frozen.freeze(m, value))]
        for made, path in self.made_on.items():
            used += [(source, path) for source in self.sources.get(made, ())]
        self.uses += [
            DataUse("unseen", ".data", m.span(self.unseen[key]), False, path)
            for key, path in used
            if key in self.unseen
        ]

    def _is_followed(self, m: Machine, key: str) -> bool:
        """Whether autograd sees a change of what is, or is a view of, a parameter that wants a gradient."""
        while key in self.views:
            if self.makers.get(key) in _OUT_OF_SIGHT:
                return False
            key = self.views[key][0]
        on = m.read(*gradients.CELL) != FALSE and m.read(*backward.FROZEN) is None
        return on and m.read(gradients.WANTED, key) == TRUE

    def stored(self, m: Machine, node: nodes.Node, owner: Obj, name: str, value: Value) -> None:
        """An attribute is assigned."""
        self.assigned = self.assigned or (isinstance(m.see(value), Tensor | Tup | Obj) and is_module(m, owner))

    def marked(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str) -> None:
        """An attribute of a tensor is set."""
        if name == "requires_grad":
            self._use(m, "untraced", node, untraced.GRADIENT)

    def filled(self, m: Machine, node: nodes.Node, box: Obj, more: bool) -> None:
        """A container is about to be changed."""
        if more and not is_newer(box.ident, self.begun):
            self.added = True
            self.boxes.add(box.ident)

    def ended(self, changed: Mapping[tuple[object, str], Value]) -> None:
        """The forward has ended."""
        self.kept = any(isinstance(owner, int) and not is_newer(owner, self.begun) for owner, _ in changed)
        self.caches = caches.of(changed, self.boxes, self.begun)

    def shown(self, m: Machine, node: nodes.Node, value: Value, spec: str) -> None:
        """`format(value, spec)`."""
        if self._of_data(value) or (isinstance(value, Unknown) and value.key in self.numbers):
            self._use(m, "format", node, f'the format "{spec}"')

    def formatted(self, m: Machine, node: nodes.Node, template: str, items: list[Value]) -> None:
        """`template % items`."""
        super().formatted(m, node, template, items)
        specs = [spec for spec in PERCENT.findall(template) if not spec.endswith("%")]
        for spec, item in zip(specs, items, strict=False):
            if spec[-1] not in "sra":
                self.shown(m, node, m.see(item), spec)

    def asked(self, m: Machine, tensor: Tensor, cond: Cond, node: nodes.Node | None) -> None:
        """The truth of a tensor is asked for."""
        if node is not None and self._of_data(tensor):
            self._use(m, "truth", last(node))

    def looks_into(self, m: Machine, node: nodes.Node, unless: str) -> None:
        """A layer looks into its mask."""
        self._use(m, "mask", node, unless)

    def weighed(self, m: Machine, node: nodes.Node, op: str, values: tuple[Value, ...]) -> None:
        """Numbers are compared: it is a question to Python only if something hangs on the answer."""
        at = m.frame.at
        if op == "is" or NONE in values:
            return  # no number is None
        for value in values:
            kind = self._compared_as(op, value, values)
            if (
                isinstance(value, Unknown)
                and value.key in self.data_sizes
                and is_same_for_all(op, values, self.data_sizes[value.key])
            ):
                self.places.pop(value.key, None)
            elif isinstance(value, Unknown) and kind:
                self.places[value.key] = kind, node, ""
            elif isinstance(value, Unknown) and (drawn := self._drawn_in(value)) and not asking.only_logs(drawn[1], at):
                self.places[value.key] = "drawn", *drawn

    def answered(self, m: Machine, answer: Value) -> Value:
        """Something hangs on the truth of what was compared, or of a tensor."""
        if isinstance(answer, Choice) and answer.cond in self.asked_for:
            self._use(m, "truth", self.asked_for[answer.cond])
        for part in answer.cond.key if isinstance(answer, Choice) else ():
            text = part if isinstance(part, str) else ""
            key = text if text in self.places else text.removeprefix("<").removesuffix(">")
            if key in self.places:
                _, node, _ = place = self.places[key]
                self._use(m, *place, lenient=node is self.looking_for)
                break
        return answer

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """The operator `op` on tensors gave `made`."""
        self._uses_drawn(m, values)
        return super().combined(m, node, op, values, made)

    def iterated(self, m: Machine, tensor: Tensor) -> None:
        """A loop goes over a tensor: it has as many rounds as there are rows."""
        if tensor.shape and self._decided_as(tensor.shape[0]):
            self._use(m, "rounds", None)

    def _taken_apart(self, m: Machine, site: Call, tensor: Value | None, name: str, dim: Value | None) -> None:
        """A list is made of the rows of a tensor: it has as many items."""
        of_rows = dim is None or m.see(dim) == Const(0)
        if of_rows and isinstance(tensor, Tensor) and tensor.shape and self._decided_as(tensor.shape[0]) == "size":
            self._use(m, "items", site.node, name)

    def looked_up(self, m: Machine, node: nodes.Node, box: Value, key: Value) -> None:
        """A list, a dict or a `ModuleList` is asked for an item."""
        if isinstance(box, Tensor):
            self._uses_drawn(m, (key,))
            self._asked_at(m, node, key)
        if isinstance(box, Func) and self._decided_as(key):
            self._use(m, "key", node, lenient=True)
        by_index = is_sequence(box) or (isinstance(box, Obj) and box.kind == "module" and isinstance(box.cls, Ref))
        if isinstance(box, Tup | Obj) and (self._decided_as(key) or (by_index and self._of_data(key))):
            self._use(m, "key", node)

    def searched(self, m: Machine, node: nodes.Node, item: Value, box: Value) -> None:
        """`item in box`: it is compared with what is there, and each answer has to be known."""
        self.looking_for = node
        compared = [m.see(one) for one in containers.items_of(m, box) or ()] if is_sequence(box) else []
        # None, texts and the like are no tensor: there is nothing to ask.
        if (self._of_data(item) and any(map(_is_plain_number, compared))) or (
            self._of_data(box) and _is_plain_number(item)
        ):
            self._use(m, "truth", node, "in", lenient=True)

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        if name.startswith("torch."):
            self._uses_drawn(m, site.values)
        before = len(self.uses)
        first = m.see(site.args[0]) if site.args else None
        tail = name.rpartition(".")[2]
        if what := untraced.of_call(m, site, name, first, self.numbers):
            self._use(m, "untraced", site.node, what)
        if first is not None and self._of_data(first):
            if name in asking.NUMBERS or (name == "len" and self._has_open_rows(first)):
                self._use(m, "needed" if name == "complex" else "read", site.node, f"{tail}()")
            elif name in asking.UNKNOWN_TO_TENSORS or (
                name == asking.ONE_HOT and site.arg(1, "num_classes") in (None, Const(-1))
            ):
                self._use(m, "needed", site.node, f"{tail}()")
            elif name in asking.TRUTHS or (name.startswith("torch.") and tail in asking.ANSWERS):
                self._use(m, "truth", site.node, tail)
            elif name in asking.COPIES:
                self._use(m, "copy", site.node, name)
            elif name.startswith("numpy.") and tail not in asking.OF_TYPES:
                self._use(m, "read", site.node, name)
        elif first is not None and name in (*asking.NUMBERS, "divmod") and self._is_number(first):
            self._use(m, "needed" if name in ("complex", "divmod") else "read", site.node, f"{tail}()")
        elif name == "copy.deepcopy" and isinstance(first, Obj) and is_module(m, first) and has_weights(m, first):
            self._use(m, "copy", site.node, name)
        elif name in asking.OF_LISTS and first is not None and self._holds_data(m, first):
            lenient = name == "torch.tensor" or name in asking.STACKING
            self._use(m, "read" if lenient else "needed", site.node, name)
        elif name == "range" and any(self._decided_as(m.see(bound)) for bound in site.args):
            self._use(m, "rounds", site.node)
        if name in asking.LOOKING and "key" not in site.kwargs and first is not None and self._has_tensors(m, first):
            self._use(m, "truth", site.node, tail)
        if name == asking.ASSERT and first is not None:
            self.answered(m, first)
            if kind := self._decided_as(first):
                self._use(m, kind, site.node)
        if name.startswith("math."):
            self._reckoned(m, site, tail)
        if name in asking.LISTING:
            self._taken_apart(m, site, first, name, site.arg(1, "dim"))
        if name == "torch.autograd.grad":
            self._differentiated(m, site)
        if name.startswith("torch._check"):
            # What is promised here need not be asked later.
            promised = ident(first) if first is not None else ""
            for keys in (self.numbers, self.hinted):
                keys -= {key for key in keys if key in promised}
            self.data_sizes = {key: most for key, most in self.data_sizes.items() if key not in promised}
            self.places = {key: place for key, place in self.places.items() if key not in promised}
            if site.arg_nodes:
                self._promised(m, site.arg_nodes[0])
        self.initialising = name.startswith("torch.nn.init.")
        made = super().external(m, site, name, run)
        if name == "bool" and len(self.uses) > before and isinstance(answer := m.see(made), Choice):
            self.asked_for[answer.cond] = site.node
            self.uses[before:] = [replace(one, asserted=True) for one in self.uses[before:]]
        self.initialising = False
        self._draws(m, site, name, made)
        self._works_out(m, site, name, made)
        if name in asking.RANDOM and isinstance(made, Tensor):
            self.roots |= {made.key}
        decided = first is not None and (self._of_data(first) or self._decided_as(first))
        if name in asking.NUMBERS and decided and isinstance(made, Unknown):
            self.numbers.add(made.key)
        return made

    def _reckoned(self, m: Machine, site: Call, name: str) -> None:
        """A function of `math` is called."""
        for value in map(m.see, site.args):
            of_data = name in asking.OF_MATH | asking.ROUNDING and self._of_data(value)
            if of_data or (name in asking.OF_MATH and self._is_number(value)):
                lenient = name == "radians" or (name in asking.LENIENT and not of_data)
                self._use(m, "read" if lenient else "needed", site.node, f"math.{name}()")
                return

    def _has_open_rows(self, value: Value) -> bool:
        """Whether the values of a tensor decide how many rows this one has."""
        return isinstance(value, Tensor) and bool(value.shape) and self._decided_as((value.shape or ())[0]) == "size"

    def _has_tensors(self, m: Machine, value: Value) -> bool:
        """Whether something has a row, or an item, that is worked out of an input."""
        if isinstance(value, Tensor):
            return self._of_data(value) and bool(value.shape) and m.see((value.shape or ())[0]) != Const(0)
        if isinstance(value, Obj) and value.kind == "iterator":
            value = iterators.left(m, value, False)
        return any(self._of_data(m.see(one)) for one in containers.items_of(m, value) or ())

    def _holds_data(self, m: Machine, value: Value) -> bool:
        """Whether a list or tuple has a tensor in it that is worked out of an input."""
        items = (m.see(one) for one in containers.items_of(m, value) or ()) if is_sequence(value) else ()
        return any(self._of_data(one) or self._holds_data(m, one) for one in items)

    def _differentiated(self, m: Machine, site: Call) -> None:
        """A gradient is taken, perhaps of a function whose derivative is made of its result."""
        given, of = (
            [one.key for one in self._tensors(m, frozen.freeze(m, site.arg(place, name) or NONE))]
            for place, name in ((0, "outputs"), (1, "inputs"))
        )
        seen = set(of)
        while given:
            key = given.pop()
            if key not in seen:
                seen.add(key)
                given += self.sources.get(key, ())
                maker = self.layers.get(key) or self.makers.get(key, "")
                if maker in asking.KEEPING and self.made_of(self.sources.get(key, ()), of):
                    self._use(m, "kept", site.node, maker)
                    return

    def _promised(self, m: Machine, node: nodes.Expr) -> None:
        """What stands there is given to `torch._check`; `bool(…)` alone is no question in a strict export."""
        given, lenient = m.span(node), isinstance(node, nodes.Call)
        for index, use in enumerate(self.uses):
            inside = use.span.path == given.path and given.start <= use.span.start and use.span.end <= given.end
            if inside and use.kind in ("number", "size", "truth"):
                self.uses[index] = replace(use, kind="promise", asserted=use.asserted or lenient)

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        if isinstance(receiver, Tensor):
            self._uses_drawn(m, site.values)
            if name == "narrow" and self._is_index(m.see(site.arg(1, "start") or NONE)):
                self._use(m, "index", site.node, ".narrow() that begins at a tensor")
            if what := untraced.of_method(m, site, receiver, name, self.roots):
                self._use(m, "untraced", site.node, what)
        of_data = self._of_data(receiver)
        if of_data and (name in ("numpy", "data_ptr") or name in asking.APPLIED):
            self._use(m, "needed" if name in asking.APPLIED else "read", site.node, f".{name}()")
        elif (of_data and name in asking.ANSWERS) or (
            name == "sort" and "key" not in site.kwargs and is_sequence(receiver) and self._has_tensors(m, receiver)
        ):
            self._use(m, "truth", site.node, name)
        elif name in asking.APART:
            self._taken_apart(m, site, receiver, f".{name}()", site.arg(0, "dim"))
        made = super().method(m, site, receiver, name, run)
        if isinstance(receiver, Obj) and isinstance(receiver.cls, Ref):
            self._draws(m, site, f"{receiver.cls.name}.{name}", made)
        if of_data and name == "item" and isinstance(made, Unknown):
            self.numbers.add(made.key)
        return self._listed(m, receiver, made) if of_data and name == "tolist" else made


def _is_plain_number(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, int | float)
