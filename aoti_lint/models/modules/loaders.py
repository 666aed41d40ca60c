"""`torch.utils.data`: datasets, and loaders that hand out batches of their items.

A loader is a list of its batches, or holds alike batches in unknown number. Release 2.13.0, `utils/data/dataloader.py`
(defaults: `batch_size=1`, `drop_last=False`) and `utils/data/_utils/collate.py:120` (what the default collate makes of
tensors, numbers, texts, tuples and dicts).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, kinds
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.flow.comprehensions import alike
from aoti_lint.language.tools import opaque, slot
from aoti_lint.language.truths import truth
from aoti_lint.machine import tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import number, some, some_integer
from aoti_lint.models.tensors.tensor_base import OF_PYTHON
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import FULL_BATCH, LAST_BATCH, Cond
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Many, Obj, Ref, Tup, Unknown, Value

TENSORS = "torch.utils.data.TensorDataset"
SUBSET = "torch.utils.data.Subset"
MAX_BATCHES = 4
"""Batches that are told apart."""
MAX_COLLATED = 64
"""Items of one batch that a function of the project is given one by one."""


# ---------------------------------------------------------------- datasets


@function("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset")
def _tensors(m: Machine, call: Call) -> Value:
    made = opaque(m, TENSORS)
    held = Unknown(f"u{m.fresh()}", "unknown arguments") if call.open else Tup(tuple(call.args))
    m.store.write(made.ident, "#tensors", held)
    return made


@attribute(TENSORS, "tensors")
def _held(m: Machine, node: nodes.Node, value: Value) -> Value:
    return slot(m, value, "#tensors") if isinstance(value, Obj) else NONE


@method(TENSORS, "__getitem__")
def _row(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    held = slot(m, receiver, "#tensors")
    if not isinstance(held, Tup):
        return m.unknown(call.node, "the tensors of a dataset are not known")
    return Tup(tuple(subscripts.get_item(m, call.node, t, call.args[0]) for t in held.items))


@method(TENSORS, "__len__")
def _rows(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    held = slot(m, receiver, "#tensors")
    first = m.see(held.items[0]) if isinstance(held, Tup) and held.items else NONE
    known = isinstance(first, Tensor) and first.shape
    return first.shape[0] if known and isinstance(first, Tensor) and first.shape else some(m, "the size of a dataset")


@function("torch.utils.data.Subset", "torch.utils.data.dataset.Subset")
def _subset(m: Machine, call: Call) -> Value:
    items = containers.items_of(m, call.arg(1, "indices") or NONE)
    return _part(m, call.arg(0, "dataset") or NONE, None if items is None else Const(len(items)))


def _part(m: Machine, dataset: Value, size: Value | None) -> Value:
    made = opaque(m, SUBSET)
    m.store.write(made.ident, "dataset", dataset)
    m.store.write(made.ident, "#size", size if size is not None else some(m, "the size of a part of a dataset"))
    return made


@method(SUBSET, "__getitem__")
def _item(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    return item_of(m, call.node, slot(m, receiver, "dataset")) or m.unknown(call.node, "an item of a dataset")


@method(SUBSET, "__len__")
def _size(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    return slot(m, receiver, "#size")


@function("torch.utils.data.random_split", "torch.utils.data.dataset.random_split")
def _split(m: Machine, call: Call) -> Value:
    """Parts of given sizes; of given shares, the sizes are not followed."""
    dataset = call.arg(0, "dataset") or NONE
    lengths = containers.items_of(m, call.arg(1, "lengths") or NONE)
    if lengths is None:
        return m.unknown(call.node, "the parts of a dataset are not all known")
    sizes = [m.see(size) for size in lengths]
    return m.new_list([_part(m, dataset, size if number(size) is not None else None) for size in sizes])


def size_of(m: Machine, node: nodes.Node, dataset: Value) -> int | None:
    """How many items a dataset has, where it says so."""
    items = containers.items_of(m, dataset)
    if items is not None:
        return len(items)
    site = Call(node, [])
    if isinstance(dataset, Obj) and isinstance(dataset.cls, Class) and dataset.kind == "instance":
        found = access.class_member(m, dataset.cls, "__len__")
        made = None if found is None else calls.call(m, site, access.bind(m, node, dataset, "__len__", found[0]))
        return None if made is None else number(m.see(made))
    model = tables.METHODS.get((kinds.tag_of(m, dataset), "__len__"))
    return None if model is None else number(m.see(model(m, site, dataset)))


def item_of(m: Machine, node: nodes.Node, dataset: Value) -> Value | None:
    """What every item of a dataset is; None if they differ, or are not known."""
    dataset = m.see(dataset)
    if isinstance(dataset, Obj) and isinstance(dataset.cls, Class):
        if access.class_member(m, dataset.cls, "__getitem__") is None:
            return containers.element_of(m, dataset)
    elif (kinds.tag_of(m, dataset), "__getitem__") not in tables.METHODS or isinstance(dataset, Tup):
        items = containers.items_of(m, dataset)
        if items is None:
            return containers.element_of(m, dataset)
        return items[0] if items and all(alike(i, items[0]) for i in items) else None
    return m.see(subscripts.get_item(m, node, dataset, some_integer(m, "the number of an item")))


# ---------------------------------------------------------------- batches


def collate(m: Machine, item: Value, size: Value) -> Value:
    """What the default collate makes of `size` items that are all like `item`."""
    item = m.see(item)
    match item:
        case Tensor(shape=shape):
            sizes = None if shape is None else (size, *shape)
            return replace(item, key=f"t{m.fresh()}", role="", shape=sizes, strides=memory.regrouped(item, sizes))
        case Const(bool() | int() | float() as one):
            return Tensor(f"t{m.fresh()}", Device("cpu"), (size,), OF_PYTHON[type(one)])
        case Tup(items, fields, cls) if fields:
            return Tup(tuple(collate(m, i, size) for i in items), fields, cls)
        case Tup(items):
            return m.new_list([collate(m, i, size) for i in items])
        case Obj(kind="dict"):
            pairs = containers.dict_pairs(m, item)
            return containers.new_dict(m, None if pairs is None else [(k, collate(m, v, size)) for k, v in pairs])
        case Obj(kind="list"):
            held = containers.items_of(m, item)
            made = m.new("list")
            containers.set_items(m, made, None if held is None else [collate(m, i, size) for i in held])
            return made
        case _:
            return some(m, "a batch of what is not known")


@function("torch.utils.data.default_collate", "torch.utils.data.dataloader.default_collate")
def _default_collate(m: Machine, call: Call) -> Value:
    items = containers.items_of(m, call.arg(0, "batch") or NONE)
    if not items or not all(alike(i, items[0]) for i in items):
        return m.unknown(call.node, "a batch of what is not known")
    return collate(m, items[0], Const(len(items)))


@function("torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader")
def _loader(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0, "dataset") or NONE)
    made = m.new("list")
    batches = lift(m, given, lambda dataset: _batches(m, call, dataset))
    m.store.write(made.ident, "#items", batches)
    m.store.write(made.ident, "dataset", given)
    m.store.write(made.ident, "batch_size", call.arg(1, "batch_size", Const(1)) or Const(1))
    return made


def _batches(m: Machine, call: Call, dataset: Value) -> Value:
    """All batches of a loader as a `Tup`, or one that stands for all as `Many`."""
    asked = m.see(call.arg(1, "batch_size", Const(1)) or Const(1))
    own = call.arg(4, "batch_sampler", NONE) != NONE or call.open
    item = item_of(m, call.node, dataset)
    if asked == NONE and not own:
        return Many(item if item is not None else some(m, "an item of a dataset"))
    size = some(m, "the size of a batch") if own else asked
    known = number(size)
    sampled = m.see(call.arg(3, "sampler", NONE) or NONE) != NONE
    total = None if own or sampled or known is None else size_of(m, call.node, dataset)
    listed = isinstance(dataset, Tup) or (isinstance(dataset, Obj) and dataset.kind == "list")
    exact = containers.items_of(m, dataset) if listed else None
    shuffled = truth(m, call.arg(2, "shuffle", FALSE) or FALSE) != FALSE
    dropped = truth(m, call.arg(8, "drop_last", FALSE) or FALSE)
    join = m.see(call.arg(6, "collate_fn", NONE) or NONE)

    def batch(items: Sequence[Value] | None, count: Value) -> Value:
        """One batch, of these items or of so many like `item`."""
        if join == NONE:
            first = items[0] if items and all(alike(i, items[0]) for i in items) else None if items else item
            return some(m, "a batch of what is not known") if first is None else collate(m, first, count)
        rows = list(items) if items else None
        many = number(count)
        if rows is None and item is not None and many is not None and many <= MAX_COLLATED:
            rows = [item] * many
        held: Value = some(m, "the items of a batch") if rows is None else m.new_list(rows)
        return calls.call(m, Call(call.node, [held]), join)

    if known is None or known < 1:
        return Many(batch(None, size))
    if total is None:
        return Many(_perhaps(m, call, dropped, lambda: batch(None, size), lambda: some(m, "the last batch")))
    full, rest = divmod(total, known)
    rest = 0 if dropped == TRUE else rest
    if dropped not in (TRUE, FALSE) and rest:
        return Many(_perhaps(m, call, FALSE, lambda: batch(None, size), lambda: some(m, "the last batch")))
    if full + (rest > 0) <= MAX_BATCHES:
        rows = exact if exact is not None and not shuffled else None
        starts = range(0, full * known + rest, known)
        return Tup(
            tuple(
                batch(None if rows is None else rows[at : at + known], Const(min(known, full * known + rest - at)))
                for at in starts
            )
        )
    if not rest:
        return Many(batch(None, size))
    # The loop gets to its last round.
    last = Cond((LAST_BATCH, m.spot(call.node), m.fresh()), "loop", "the last batch is reached")
    return Many(choose(last, batch(None, Const(rest)), batch(None, size)))


def _perhaps(m: Machine, call: Call, dropped: Value, full: Callable[[], Value], partial: Callable[[], Value]) -> Value:
    """A batch of a dataset of unknown size: full, unless it is the last one and that is handed out too."""
    if dropped == TRUE:
        return full()
    key = FULL_BATCH, m.spot(call.node), m.fresh()
    whole = Cond(key, "assumed", "the batch is full", span=m.span(call.node))
    return choose(whole, full(), partial())


# ---------------------------------------------------------------- progress bars, which hand on what they are given


@function("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.std.tqdm", "rich.progress.track")
def _bar(m: Machine, call: Call) -> Value:
    return call.arg(0, "iterable", call.kwargs.get("sequence")) or m.unknown(call.node, "a progress bar")


@function("tqdm.trange", "tqdm.auto.trange")
def _bar_of_range(m: Machine, call: Call) -> Value:
    return calls.call(m, Call(call.node, call.args, {}, call.arg_nodes, call.open), Ref("range"))


@method("list", "set_postfix", "set_postfix_str", "set_description", "set_description_str", "refresh", "close")
@method("tuple", "set_postfix", "set_postfix_str", "set_description", "set_description_str", "refresh", "close")
def _shown(m: Machine, call: Call, receiver: Value) -> Value:
    return NONE
