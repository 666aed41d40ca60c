"""A further run of one of the functions of `torch.cond`: whose memory its outputs lie in, and how.

Run on torch 2.13, with and without `strict=True`. Where autograd is on, no output may lie in the memory of a tensor
that was there before, or of another output, and no such tensor may be changed. The outputs of both functions have to
lie in the same order.
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.models.export.tracing import run_within, tensors_in
from aoti_lint.models.tensors.tensor_base import is_uncast
from aoti_lint.tracing.operations import MAYBE_VIEWS
from aoti_lint.tracing.trial_observer import Watch, was_there
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Path
from aoti_lint.values.events.forwards import CondBranch
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Value

_REGROUPING = frozenset({"reshape", "flatten", "ravel", "reshape_as", "contiguous"})
"""Operations that give their input itself, or a view of it, where it is contiguous."""


@hooks.read_branch.answers
def read_branch(m: Machine, call: Call, function: Value) -> CondBranch:
    """What one of the functions of `torch.cond` gives and changes; of one that does not end, nothing is known."""
    watch, begun = _BranchWatch(uncast=is_uncast(m), path=m.root.path, handlers=len(m.root.guards)), m.last
    if run_within(m, function, call, watch=watch).unended:
        return CondBranch(NONE)
    changed = next((note.span for key, note in watch.mutated.items() if was_there(key, begun)), None)
    made = tensors_in(watch.given)
    orders = tuple(_order(watch, one) for one in made)
    read = frozenset(key for one in watch.always for key in watch.sources.get(one, ()) if was_there(key, begun))
    return CondBranch(watch.given, _shared(watch, made, begun), changed, orders, watch.unpacked, read)


@dataclass(slots=True)
class _BranchWatch(Watch):
    """Knows of operations that may give a view whether they surely do."""

    given: Value = NONE
    uncast: bool = False
    """Whether no autocast has a say in what calls the function."""
    path: Path = field(default_factory=dict)
    """What held when the function was called."""
    handlers: int = 0
    """How many handlers stood around its call."""
    unpacked: str = ""
    always: list[str] = field(default_factory=list)
    """The tensors that it makes of others whatever it is given."""

    def knows_autocasts(self) -> bool:
        """Where that is known of the caller, it is of the function."""
        return self.uncast

    def returned(self, m: Machine, value: Value) -> None:
        """The function gives `value`."""
        self.given = frozen.freeze(m, value)

    def not_unpacked(self, m: Machine, sequence: Value, targets: list[nodes.Expr]) -> None:
        """A tensor is unpacked."""
        rows = sequence.shape[0] if isinstance(sequence, Tensor) and sequence.shape else NONE
        starred, names = any(isinstance(one, nodes.Star) for one in targets), len(targets)
        if self._is_certain(m) and not starred and isinstance(rows, Const) and rows.value != names:
            self.unpacked = f"a tensor of {rows.value} rows into {names} name{'s' * (names > 1)}"

    def derived(self, m: Machine, made: Tensor) -> None:
        """A tensor is made of another one."""
        if self._is_certain(m):
            self.always.append(made.key)

    def _is_certain(self, m: Machine) -> bool:
        return m.root.path == self.path and len(m.root.guards) == self.handlers

    def _after(self, m: Machine, site: Call, name: str, source: Value, made: Value) -> Value:
        given = Watch._after(self, m, site, name, source, made)
        if name in MAYBE_VIEWS and isinstance(source, Tensor) and not site.kwargs:
            for leaf in self._tensors(m, made):
                same = leaf.dtype == source.dtype and leaf.dtype is not None and leaf.device == source.device
                if leaf.key in self.views and (self.lies_in_rows(source) if name in _REGROUPING else same):
                    self.views[leaf.key] = source.key, True
        return given


def _shared(watch: Watch, made: list[Tensor], begun: int) -> str:
    """Whose memory the first output lies in that has none of its own."""
    seen = set()
    for one in made:
        base, sure = watch.base_of(one.key)
        if not sure:
            continue
        if was_there(base, begun):
            return "input" if base == one.key else "view"
        if base in seen:
            return "twice"
        seen.add(base)
    return ""


def _order(watch: Watch, tensor: Tensor) -> tuple[int, ...] | None:
    """The dimensions from the widest stride to the narrowest, where none of them may be of size 1."""
    layout, steps = watch.layouts.of(tensor), tensor.strides
    order = None if layout is None else layout.order
    if order is None and steps is not None and len({*steps} - {None, 0}) == len(steps):
        order = tuple(sorted(range(len(steps)), key=lambda dim: -(steps[dim] or 0)))
    whole = all(isinstance(size, Const) and size != Const(1) for size in tensor.shape or ())
    return order if whole else None
