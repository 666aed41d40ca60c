"""The event that tells of a trial: what a fake and a kernel of an op did, and where they differ."""

from __future__ import annotations

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.models.ops.op_parameters import Returns, count_of
from aoti_lint.tracing.trials.compare import Difference
from aoti_lint.tracing.trials.learned import Learned
from aoti_lint.tracing.trials.trial import Trial
from aoti_lint.values.events.event import Event


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OpTrial(Event):
    """A fake or kernel of an op was tried on tensors of open sizes. `span` is where it is registered.

    `op` is `ns::name`. `fake` is what the fake did, `kernel` what a kernel did on the same arguments; one of them may
    be None. `differences` are those between the two, `others` the fake on arguments of other ranks. `returns` are the
    types of its outputs (None: not known), `mutable` which arguments the schema says it changes (None: not known),
    `aliases` whether outputs may be arguments: the schema says so, or tracing goes through the kernel. `learned` is
    what a kernel returns, where the op had no fake when it was tried. `under_meta`: the fake is the kernel of a "Meta"
    key, which gets and has to give tensors of the device meta.
    """

    op: str
    fake: Trial | None
    kernel: Trial | None
    differences: tuple[Difference, ...] = ()
    others: tuple[Trial, ...] = ()
    returns: Returns = None
    mutable: frozenset[str] | None = None
    aliases: bool = False
    learned: Learned | None = None
    under_meta: bool = False

    @property
    def outputs(self) -> int | None:
        """How many outputs the op has (-1: a list); None where that is not known."""
        return count_of(self.returns)
