"""What a function that is compiled as one graph asks of the values in tensors."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.tracing.data import asking
from aoti_lint.tracing.data.watch import DataWatch
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import Choice, Unknown, Value

_BESIDE = frozenset({"torch.int64", "torch.float64"})
"""The dtypes of which a compiled function is given the number in a tensor without dimensions on the CPU beside it."""


@dataclass(slots=True)
class CompiledWatch(DataWatch):
    """The same for a function that is compiled as one graph: what it calls may be left out of the compilation."""

    def _use(self, m: Machine, kind: str, node: nodes.Node | None, name: str = "", *, lenient: bool = False) -> None:
        if m.root.compiling and kind != "drawn":  # what is compiled draws anew
            super()._use(m, kind, node, name, lenient=lenient)

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        first = m.see(site.args[0]) if site.args else None
        if name.startswith("torch._check") and site.arg_nodes and first is not None:
            negated = isinstance(asked := site.arg_nodes[0], nodes.Unary) and asked.op == "not"
            if negated and any(key in ident(first) for key in self.hinted):
                self._use(m, "promise", asked, "not")
        if name != "bool":
            made = super().external(m, site, name, run)
            if name in asking.NUMBERS:
                self._hint(first, made)
            return made
        before = len(self.uses)
        answer = m.see(run())
        if isinstance(answer, Choice) and len(self.uses) > before:
            self.asked_for[answer.cond] = site.node
            del self.uses[before:]
        return answer

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        made = super().method(m, site, receiver, name, run)
        if name == "item":
            self._hint(receiver, made)
        return made

    def _hint(self, tensor: Value | None, made: Value) -> None:
        """A number was read out of a tensor that a compiled function is given: it may be given that, too."""
        beside = isinstance(tensor, Tensor) and tensor.key in self.roots and not tensor.shape
        if not isinstance(tensor, Tensor) or not beside or not isinstance(made, Unknown):
            return
        if tensor.dtype in (None, *_BESIDE) and not (isinstance(tensor.device, Device) and tensor.device.type != "cpu"):
            self.numbers.discard(made.key)
            self.hinted.add(made.key)
