"""What happens in the forward of what is exported: the parts of an `Exporting` event."""

from __future__ import annotations

from typing import Literal

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.conditions import Cond
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import DimValue
from aoti_lint.values.values import Value


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call of a custom op; the tensors among its arguments have open sizes: `("dim", name of the Dim, 0)`."""

    op: str
    span: Span
    args: tuple[Value, ...]


Effect = Literal["dropout", "norm"]


@dataclass(frozen=True, slots=True)
class ModeUse:
    """A layer or function of torch, in the forward of what is exported, that training mode makes behave otherwise.

    `name` is its qualified name. It does so where all of these hold: it is `reached`, in `training` mode, `needs` (a
    rate, or a flag of the layer) is not 0, and `layers` (of a recurrent one) is not 1. `untold`: it was not told in
    which mode it is, and is in training mode though the module around it is not.
    """

    effect: Effect
    name: str
    span: Span
    reached: Value
    training: Value
    needs: Value
    layers: Value
    untold: bool = False


@dataclass(frozen=True, slots=True)
class OpenSize:
    """A size of an example input that is declared dynamic: `root` stands for it in expressions.

    `name` is that of the input, `example` the size that it has. A named `Dim` has the same root wherever it is used.
    """

    root: Expr
    name: str
    index: int
    dim: DimValue
    example: int


@dataclass(frozen=True, slots=True)
class SizeGuard:
    """What the forward of an exported model does at `span` is right only for sizes for which `left op right`.

    `kind`: `int`, `float`, `len`, `range`, `format`, `items`, `steps`, `points` (a size becomes a number), `branch` (a
    comparison decides which way the example takes), `fit` (two sizes of an operation have to be the same), `reshape`,
    `walk` (a reshape takes dimensions apart in one way or another), `bound` (an index, a slice or a window has to lie
    within a size), `parts` (a size has to give as many parts as the example), `frames` (a window has to fit in more
    than once), `slice` (a slice that no operation works on has to leave more than one index, which only an export
    without `strict=True` asks), `key`, `text` (a size, or a text made of one, is looked up), `table` (the rows that a
    range of numbers looks up have to be there, which no export asks).
    `path` is what was assumed to get there.
    """

    kind: str
    span: Span
    left: Expr
    op: str
    right: Expr
    path: tuple[tuple[Cond, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class DataUse:
    """Where the forward of an exported model needs a value that is in a tensor, which tracing does not have.

    `kind`: `truth` (a branch on a tensor, or on what the function `name` answers), `number` (one on a number out of a
    tensor), `size` (one on a size that values decide), `items` (`name` makes a list that is as long), `promise` (one on
    either, in what `torch._check` is given; with the name `not`, it is one where the number is given beside the tensor,
    which only some backends refuse), `read` (`name` needs the value, which a strict export makes a symbol of), `needed`
    (it does in any export), `format` (so does the format `name`, but for a strict one), `copy` (`name` copies the
    tensor), `unseen` (it works on what `.data` gave, at `span`), `drawn` (it works with a number that `name` drew at
    random, or read of a clock, at `span`, and raises nowhere), `kept` (a gradient is taken of the function or layer
    `name`, which is made of what autograd kept of it), `untraced` (`name` is not taken where Python is traced),
    `index` (`name` is a tensor that becomes a number of an index), `place` (it does where Python is traced).
    `asserted`: in an `assert` that becomes part of the program where Python is traced, or in `bool(…)` as a promise;
    `checked`: of a number or size, in one that does so elsewhere, too, since torch 2.8. `path` is what was assumed to
    get there. `only_checks`: nothing hangs on it but whether an exception is raised.
    """

    kind: str
    name: str
    span: Span
    asserted: bool
    path: tuple[tuple[Cond, bool], ...]
    checked: bool = False
    only_checks: bool = False


@dataclass(frozen=True, slots=True)
class TensorChange:
    """The forward of an exported model changes a tensor in place that was there before the call, and is no buffer.

    `name` is that of the attribute of a module that holds it, empty for a global tensor, or one in a list. `path` is
    what was assumed to get there. `gradient`: it is a parameter that wants a gradient, where autograd is on.
    """

    name: str
    span: Span
    path: tuple[tuple[Cond, bool], ...]
    gradient: bool = False


@dataclass(frozen=True, slots=True)
class StateLost:
    """The forward of an exported model assigns an attribute that the next call reads: its program does not keep it.

    `own`: it is a buffer of the exported module itself, which exports with `strict=True` alone lose. `buffer`: it is a
    buffer. `used`: what was kept reaches the result. `path` is what was assumed to get there. `box`: it is a list, dict
    or set that something is put into.
    """

    name: str
    span: Span
    own: bool
    buffer: bool
    used: bool
    path: tuple[tuple[Cond, bool], ...]
    box: bool = False


@dataclass(frozen=True, slots=True)
class NumberKept:
    """The forward of an exported model gives an operation another number in its second call: `first`, then `second`.

    The program keeps the first. `path` is what was assumed to get there.
    """

    span: Span
    first: str
    second: str
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class BufferFold:
    """The forward of an exported model computes at `span` something from the first value of a buffer alone.

    The buffer `name` has one element, and is changed at `change`. What is computed reaches the result. `path` is what
    was assumed to get there.
    """

    name: str
    span: Span
    change: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class BufferCopy:
    """The forward of an exported model returns what the buffer `name` was, from `span`, and changes it at `change`.

    `path` is what was assumed for both.
    """

    name: str
    span: Span
    change: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class InferenceUse:
    """An export that is not in inference mode meets at `span` a tensor that was made in it, at `made`.

    `kind`: `weights` (a parameter), `saved` (an input that a layer keeps for a backward pass), `changed` (forward
    changes it in place). `path` is what was assumed to get there.
    """

    kind: Literal["weights", "saved", "changed"]
    span: Span
    made: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class OutsideUse:
    """A forward uses a parameter that its module keeps in the list or dict `name` alone, and so does not know.

    `path` is what was assumed to get there.
    """

    name: str
    span: Span
    path: tuple[tuple[Cond, bool], ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor, or the weights of a layer, that an operation takes: where it is, and where that was chosen.

    `attribute` is the attribute of the module that holds it; `role` is `parameter`, `buffer`, `layer` or empty.
    """

    device: Value
    span: Span | None
    attribute: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Mix:
    """An operation of a forward takes tensors that may be on different devices."""

    span: Span
    operands: tuple[Operand, ...]
    path: dict[Cond, bool]
    caught: frozenset[str]


@dataclass(frozen=True, slots=True)
class LayerMade:
    """A forward makes a built-in layer that has weights: `layer` is its class."""

    span: Span
    layer: str
    path: dict[Cond, bool]


@dataclass(frozen=True, slots=True)
class CondBranch:
    """What one of the functions of `torch.cond` gives, and does with memory that is not its own.

    `shared` says whose memory its first output that has none of its own surely lies in, `input`, `view` or `twice`;
    empty where there is none. `changed` is where it changes a tensor that was there before it. `orders` are the
    dimensions of each output tensor from the widest stride to the narrowest, where that is known. `unpacked` says which
    tensor it unpacks, whatever the way, into another number of names than it has rows. `read` are the keys of the
    tensors from before it, its arguments among them, that it surely works on.
    """

    given: Value
    shared: str = ""
    changed: Span | None = None
    orders: tuple[tuple[int, ...] | None, ...] = ()
    unpacked: str = ""
    read: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CondBranches:
    """A forward calls `torch.cond`: what its two functions do, and whether autograd follows them."""

    span: Span
    branches: tuple[CondBranch, CondBranch]
    gradients: bool
    path: dict[Cond, bool]


@dataclass(frozen=True, slots=True)
class ControlFault:
    """The function `api` of torch, which has functions run, is given what it does not take.

    `kind` is what: `test`, a condition of more than one element; `operands`, something that is no tuple of tensors;
    `literal`, operands among which is no tensor but `what`; `function`, something else in the place of a function;
    `arguments`, a function that takes another number of them than there are operands; `unpacked`, one that unpacks a
    tensor of so many rows into another number of names; `carried`, one that gives something else than it is given;
    `shared` and `changed`, one that gives back or changes a tensor that was there before; `twice`, one tensor in two
    places, `around`, one that the functions read from around them, too, and `views`, two that lie in one memory; `cpu`,
    tensors that are on no GPU; `mode`, a mode that there is not; `gradient`, tensors that want one; `mask`, a mask of
    other sizes. `late`: an export takes it, what traces the program anew does not.
    """

    span: Span
    api: str
    kind: str
    what: str
    path: dict[Cond, bool]
    late: bool = False


@dataclass(frozen=True, slots=True)
class SizeMix:
    """An operation of a forward takes a tensor with a size `given` where it has to be `wanted`; with `least`, or more.

    `layer` is the class of the built-in layer that says so, empty where it is another tensor.
    """

    span: Span
    given: int
    wanted: int
    layer: str
    path: dict[Cond, bool]
    caught: frozenset[str]
    least: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    """A forward raises here: with a `raise`, an assertion or a check of its own, or where a layer refuses its input."""

    span: Span
    exception: str
    """The last word of its name."""
    path: dict[Cond, bool]
    caught: frozenset[str]
    why: str = ""
    """What Python refuses here, where it is Python that raises."""


@dataclass(frozen=True, slots=True)
class DtypeMix:
    """An operation of a forward takes a tensor of the first of these dtypes, and another of the second.

    `layer` is the class of the built-in layer whose weights these are, empty where it is a tensor. `late`: the export
    does not look, a call does. `eager`: only a call of the module does, as compiled kernels take both.
    """

    span: Span
    dtypes: tuple[str, str]
    layer: str
    late: bool
    path: dict[Cond, bool]
    caught: frozenset[str]
    eager: bool = False
