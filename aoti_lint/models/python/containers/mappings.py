"""What `collections.abc.Mapping` adds to a class of the project that has `__getitem__` and `__iter__`."""

from __future__ import annotations

from aoti_lint.language.comparisons import compare
from aoti_lint.language.data import containers
from aoti_lint.language.truths import either
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, Value


def _as_dict(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    """The method of a dict with the same entries."""
    pairs = containers.dict_pairs(m, receiver)
    if pairs is None:
        return m.unknown(site.node, "the entries of a mapping are not all known")
    return METHODS["dict", name](m, site, containers.new_dict(m, pairs))


def _mixin(name: str) -> None:
    @method("Mapping", name)
    def model(m: Machine, site: Call, receiver: Value) -> Value:
        return _as_dict(m, site, receiver, name)


for _name in ("keys", "values", "items", "get"):
    _mixin(_name)


@method("Mapping", "__contains__")
def _contains(m: Machine, site: Call, receiver: Value) -> Value:
    keys = containers.items_of(m, receiver)
    if keys is None:
        return m.unknown(site.node, "the entries of a mapping are not all known")
    result: Value = FALSE
    for key in keys:
        result = either(m, compare(m, site.node, "==", site.arg(0) or NONE, key), result)
    return result
