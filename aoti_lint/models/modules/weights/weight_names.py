"""Under which names the weights of a model are, and who is given weights by name.

`torch.compile(model)` is a module that holds the model as `_orig_mod`: all names of its weights begin with that, in its
`state_dict` and in a program that is exported of it (run on torch 2.13).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language import access
from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, frozen
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.modules import module_parts
from aoti_lint.models.modules.weights import all_names, small_weights
from aoti_lint.models.torch.compiling import WRAPPED
from aoti_lint.values.call import Call
from aoti_lint.values.events.packages import WeightsGiven
from aoti_lint.values.torch_values import FileName, Program, ProgramModule, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Many, Obj, Pairs, Ref, Tup, Unknown, Value

MAX_MODULES = 300
MAX_NAMES = 1_000
NAMED = "names of weights"
"""Owner of cells, one for what each `state_dict` holds, that say what it names."""
RENAMING = ("_save_to_state_dict", "_load_from_state_dict", "load_state_dict", "__setstate__")
"""Methods with which a class may give its weights other names."""
RENAMED = "#renamed"
"""The slot of a module that has hooks which may do so."""


@dataclass(frozen=True, slots=True, repr=False)
class Names(Value):
    """The names of weights: the path of each module that surely has some, and whether `torch.compile` gave it.

    Paths are as they are without `_orig_mod`; that of the model itself is empty. `span` is where the first was
    compiled.
    """

    compiled: tuple[tuple[str, bool], ...]
    span: Span | None = field(compare=False, default=None)
    small: tuple[str, ...] = field(compare=False, default=())
    """The names of those that no package has (see `small_weights`)."""
    buffers: tuple[small_weights.Buffer, ...] = field(compare=False, default=())
    """The buffers that a package of the model has, if its forward reads them, as far as they are known."""
    only: str = ""
    """Where these are not all of a model: the "parameter"s alone."""
    whole: tuple[str, ...] | None = field(compare=False, default=None)
    """All names that a `state_dict` of the model has, in their order; None where they are not all known."""
    beside: tuple[str, ...] = field(compare=False, default=())
    """The names of the other tensors that the model holds, where all are known."""
    large: tuple[tuple[str, int, str], ...] = field(compare=False, default=())
    """The parameters that a package of the model has, if its forward reads the attribute of which they are a part: by
    their names, with whose attribute that is, and its name."""

    def prefix(self, path: str) -> str:
        """What the names of the weights at a path begin with."""
        by, parts = dict(self.compiled), path.split(".") if path else []
        steps = ["", *(".".join(parts[: i + 1]) for i in range(len(parts)))]
        inside = [part for step, part in zip(steps, ["", *parts], strict=True)
                  for part in (part, WRAPPED if by.get(step) else "") if part]  # fmt: skip
        return "".join(f"{part}." for part in inside)


@dataclass(frozen=True, slots=True)
class Checkpoint(Value):
    """What `torch.load` gives of a file, or one entry of it: the names of the weights are those that were saved."""

    file: FileName
    entry: str | None = None


LOADED = "loaded with torch.load"
"""Owner of cells, one for what each `torch.load` gives, that hold the `Checkpoint`."""
ENTRY = regex(r"<(u\d+)>\['([^'\]]+)'\]")
"""The key of an entry of something that is not known."""


def saved(m: Machine, given: Value) -> Value:
    """The names of the weights that are saved, or `Pairs` of them where they are entries of a dict."""
    given = m.see(given)
    names, pairs = names_given(m, given), containers.dict_pairs(m, given)
    if pairs is None or isinstance(names, Names):
        return names
    return Pairs(tuple((key, names_given(m, m.see(one))) for key, one in pairs))


def _loaded(m: Machine, one: Unknown) -> Value | None:
    """The checkpoint that something unknown is, or is an entry of."""
    entry = ENTRY.fullmatch(one.key)
    made = m.read(LOADED, entry[1] if entry else one.key)
    return replace(made, entry=entry[2]) if entry and isinstance(made, Checkpoint) else made


def names_of(m: Machine, model: Value) -> Value:
    """`Names` of the weights of a model; unknown where they may be others."""
    return lift(m, model, lambda one: _names(m, one))


def _names(m: Machine, model: Value) -> Value:
    unknown = Unknown(f"u{m.fresh()}", "the names of the weights are not known")
    if not (isinstance(model, Obj) and modules.is_module(m, model)):
        return unknown
    found: dict[str, bool] = {}
    span: Span | None = None
    small: list[tuple[str, str]] = []
    buffers: list[tuple[str, small_weights.Buffer]] = []
    owned: list[tuple[str, all_names.Own | None]] = []
    members: list[tuple[str, Obj, Obj]] = []
    todo: list[tuple[str, Obj, frozenset[int]]] = [("", model, frozenset())]
    while todo:
        path, module, around = todo.pop()
        if _renames(m, module) or len(found) > MAX_MODULES or len(owned) > MAX_NAMES:
            return unknown
        owned.append((path, all_names.own_names(m, module)))
        children = [
            (f"{path}.{name}" if path else name, inner) for name, inner in module_parts.named_children(m, module)
        ]
        members += [(where, module, inner) for where, inner in children]
        todo += [(where, inner, around | {module.ident}) for where, inner in reversed(children)
                 if inner.ident not in around and inner.ident != module.ident]  # fmt: skip
        if not module_parts.has_weights(m, module):
            continue
        by = module.compiled
        disabled = FALSE if by is None else by.option("disable")
        if disabled not in (NONE, TRUE, FALSE):
            return unknown
        found[path] = by is not None and disabled != TRUE
        small += [(path, name) for name in small_weights.of_module(m, module)]
        buffers += [(path, one) for one in small_weights.large_buffers(m, module)]
        if by is not None and found[path]:
            span = span or by.span
    if not found:
        return unknown
    made = Names(tuple(sorted(found.items())), span)
    whole, beside = _whole(made, owned)
    return replace(
        made,
        whole=whole,
        beside=beside,
        large=tuple(_large(m, made, members)),
        small=tuple(made.prefix(path) + name for path, name in small),
        buffers=tuple(replace(one, name=made.prefix(path) + one.name) for path, one in buffers),
    )


def _whole(
    made: Names, owned: list[tuple[str, all_names.Own | None]]
) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """All names of a model, of what its modules have themselves, and of its other tensors."""
    own = [(made.prefix(path), names) for path, names in owned if names is not None]
    whole, beside = (tuple(prefix + name for prefix, names in own for name in names[part]) for part in (0, 1))
    return (whole, beside) if len(own) == len(owned) and len(whole) <= MAX_NAMES else (None, ())


def _large(m: Machine, made: Names, members: list[tuple[str, Obj, Obj]]) -> Iterator[tuple[str, int, str]]:
    """The large parameters of layers that are attributes, each of one module. Of several that share one, a package has
    that under one name."""
    counts = Counter(inner.ident for _, _, inner in members)
    if any(isinstance(inner.cls, Ref) and m.read(inner.ident, "weight") is not None for _, _, inner in members):
        return
    for path, owner, inner in members:
        if counts[inner.ident] == 1 and owner.kind == "instance":
            for name in small_weights.large_parameters(m, inner):
                yield made.prefix(path) + name, owner.ident, path.rpartition(".")[2]


def _renames(m: Machine, module: Obj) -> bool:
    if m.read(module.ident, RENAMED) is not None:
        return True
    return isinstance(module.cls, Class) and any(access.class_member(m, module.cls, name) for name in RENAMING)


@method(
    "Module", "register_load_state_dict_pre_hook", "_register_load_state_dict_pre_hook",
    "register_state_dict_post_hook", "_register_state_dict_hook", "register_state_dict_pre_hook",
)  # fmt: skip
def _hook(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        m.store.write(receiver.ident, RENAMED, TRUE)
    return NONE


# ---------------------------------------------------------------- weights by name


def state_dict(m: Machine, names: Value) -> Value:
    """A dict of weights under these names. What changes its entries, or may do so, changes its names too."""
    made = containers.new_dict(m, None)
    inside = m.read(made.ident, "#items")
    if isinstance(inside, Unknown):
        m.store.write(NAMED, inside.key, names)
        if isinstance(names, Names) and names.whole is not None:
            m.store.write(NAMED, _keys(names.whole), names)
            pairs = [(Const(name), Unknown(f"<{inside.key}>['{name}']", inside.reason)) for name in names.whole]
            if len(pairs) <= containers.MAX_PAIRS:
                containers.set_pairs(m, made, [*pairs])
    return made


def _keys(names: Iterable[str]) -> str:
    """The cell of the `Names` that have these names, and no others."""
    return "\n".join(("", *sorted(names)))


def names_given(m: Machine, weights: Value) -> Value:
    """The names in a dict of weights: `Names`, the entries where they are written out, a `Checkpoint`, or unknown."""

    def apply(one: Value) -> Value:
        inside = m.read(one.ident, "#items") if isinstance(one, Obj) and one.kind == "dict" else None
        if isinstance(inside, Unknown):
            return m.read(NAMED, inside.key) or inside
        texts = _texts(inside) if isinstance(inside, Pairs) else None
        whole = m.read(NAMED, _keys(texts)) if texts else None
        if whole is not None:
            return whole
        return (_loaded(m, one) if isinstance(one, Unknown) else None) or frozen.freeze(m, one)

    return lift(m, weights, apply)


def _texts(entries: Pairs) -> list[str] | None:
    """The keys of a dict, if they are texts."""
    keys = [key.value for key, _ in entries.pairs if isinstance(key, Const) and isinstance(key.value, str)]
    return keys if len(keys) == len(entries.pairs) else None


def tell(m: Machine, call: Call, taker: Value, names: Value = NONE) -> None:
    """Tell the rules of a call that gives `taker` weights by name; `names` are its own, if it is a module."""
    weights = call.arg(0, "state_dict") or call.kwargs.get("constants_map")
    if weights is not None and not call.open:
        strict = m.see(call.arg(1, "strict", TRUE) or TRUE)
        assign = m.see(call.arg(2, "assign", FALSE) or FALSE)
        m.emit(
            WeightsGiven, call.node, given=names_given(m, weights), taker=taker, names=names, strict=strict,
            assign=assign,
        )  # fmt: skip


@method("Module", "state_dict")
def _of_module(m: Machine, call: Call, receiver: Value) -> Value:
    plain = not (call.args or call.open or "prefix" in call.kwargs or "destination" in call.kwargs)
    return state_dict(m, names_of(m, receiver) if plain else m.unknown(call.node, "names with a prefix"))


def _listed(name: str, only: str) -> None:
    @method("Module", name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        """Pairs of a name and a tensor; a dict of them has these names (see `containers.dict_of`)."""
        lost = Unknown(f"u{m.fresh()}", "the module has no parameters that we saw")
        one = Tensor(f"t{m.fresh()}", module_parts.device_of(m, receiver) or lost, role="parameter")
        name, made = Unknown(f"u{m.fresh()}", "the name of a parameter"), m.new("list")
        m.store.write(made.ident, "#items", Many(Tup((name, one))))
        names = names_of(m, receiver) if only and not call.values and not call.open else NONE
        if isinstance(names, Names):
            m.store.write(NAMED, name.key, replace(names, small=(), only=only, whole=None, beside=()))
        return made


_listed("named_parameters", "parameter")
_listed("named_buffers", "")


@attribute("Program", "state_dict")
def _of_program(m: Machine, node: nodes.Node, value: Value) -> Value:
    return state_dict(m, value.names if isinstance(value, Program) else NONE)


@method("ProgramModule", "state_dict")
def _of_program_module(m: Machine, call: Call, receiver: Value) -> Value:
    inner = m.see(receiver.program) if isinstance(receiver, ProgramModule) else NONE
    return state_dict(m, lift(m, inner, lambda one: one.names if isinstance(one, Program) else NONE))


@method("ProgramModule", "load_state_dict")
def _into_program_module(m: Machine, call: Call, receiver: Value) -> Value:
    tell(m, call, receiver)
    return m.unknown(call.node, "the names that did not match")


@function("torch.nn.modules.utils.consume_prefix_in_state_dict_if_present")
def _without_prefix(m: Machine, call: Call) -> Value:
    """Takes a prefix off the names, in place."""
    m.forget(call.arg(0, "state_dict") or NONE, "a prefix was taken off its names")
    return NONE
