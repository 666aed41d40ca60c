"""One call, as models get it."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.values.values import Value


@dataclass(slots=True)
class Call:
    """One call: where it stands and what it is given.

    `open` says that there may be arguments beyond these (`*unknown`, `**unknown`); `discarded` that nobody uses the
    result.
    """

    node: nodes.Node
    args: list[Value]
    kwargs: dict[str, Value] = field(default_factory=dict)
    arg_nodes: list[nodes.Expr] = field(default_factory=list)
    open: bool = False
    discarded: bool = False
    rest: Value | None = None
    """What each argument by position is, where an unknown number of alike ones is all that is given."""

    def arg(self, index: int | None, name: str | None = None, default: Value | None = None) -> Value | None:
        """The argument at a position or of a name; `default` where it is not given."""
        if index is not None and index < len(self.args):
            return self.args[index]
        if name is not None and name in self.kwargs:
            return self.kwargs[name]
        return default

    @property
    def values(self) -> list[Value]:
        return [*self.args, *self.kwargs.values()]


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}
"""Names of arguments that every function of torch in C++ takes for its own ones (2.13.0
`torch/csrc/utils/python_arg_parser.cpp`, `numpy_compatibility_arg_names`; the same in all releases)."""


def in_words_of_torch(call: Call) -> Call:
    """A call of a function or method on tensors, with the arguments under the names that torch gives them."""
    if NUMPY_NAMES.keys().isdisjoint(call.kwargs):
        return call
    return replace(call, kwargs={NUMPY_NAMES.get(name, name): value for name, value in call.kwargs.items()})
