"""Calls of torch that rules look at whole: what they are given, as it is at that moment."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language import kinds
from aoti_lint.language.data import frozen
from aoti_lint.language.effects import made_folders
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api import api
from aoti_lint.torch_api.refused import untraced
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.process import ProcessStart
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Obj, Pairs, Ref, Tup, Unknown, Value

QUANTIZED = "#quantized"
"""The slot of a module that quantization made: how a rule knows it."""
BESIDE = frozenset({
    "torch.compile", "torch.device", "torch.load", "torch.save", "torch.jit.load", "torch.jit.trace",
    "torch._logging.set_logs", "torch.Generator", "torch.set_default_device", "torch.autocast", "torch.amp.autocast",
    "torch.amp.autocast_mode.autocast", "torch._dynamo.graph_break",
    *(f"torch.ao.quantization.quantize_pt2e.prepare_{way}pt2e" for way in ("", "qat_")),
})  # fmt: skip
"""Functions rules look at besides those whose signatures are recorded."""
BEYOND = frozenset({
    "executorch.exir.to_edge", "executorch.exir.to_edge_transform_and_lower",
    *(f"torchao.quantization.pt2e.quantize_pt2e.prepare_{way}pt2e" for way in ("", "qat_")),
})  # fmt: skip
"""Those of other packages."""
DISABLED = "torch.compiler.disable()"
"""What a call is told as, in what is compiled, of a function that `torch.compiler.disable` keeps out of it."""
CLASS_OF_COMPILED = "isinstance() of what torch.compile gave"
"""What it is told as where a compiled module is no instance of a class that the module inside is one of."""
HOOKED_LATE = "a hook of a module that compiled code has run"
"""What it is told as where a hook is registered for one; the argument is the compilation."""
IN_PLACE = "torch.nn.Module.compile()"
"""What `module.compile(…)` is told as where its result is used."""
HOOKED = "torch.nn.Module.register_full_backward_hook()"
"""What a call is told as, in what is compiled, of a module that has a full backward hook."""
NUMPY = "torch.Tensor.numpy()"
"""What `.numpy()` of a tensor, or `numpy.asarray` of one, is told as outside of what is traced."""
NUMPY_OF_GRADIENT = "torch.Tensor.numpy() of what wants a gradient"
"""What it is told as where autograd follows the tensor."""
RECURRENT = "torch.nn.RNN()"
"""What a call is told as, in what is compiled, of a layer that `torch.compile` leaves out where nothing allows it."""
SYMBOLIC = "torch.autograd.Function.apply()"
"""What a call is told as, in the forward of an export, of a function with a `symbolic` method."""
IN_TRACED = frozenset({"print", "breakpoint", "input", "warnings.warn", "pdb.set_trace"}) | untraced.DRAWN
"""Functions rules look at inside of what `torch.compile` compiles, and in the forward of an export."""

STARTERS = (
    "subprocess.", "multiprocessing.", "torch.multiprocessing.", "concurrent.futures.ProcessPoolExecutor", "os.exec",
    "os.spawn", "os.posix_spawn", "os.fork", "os.system", "os.popen", "asyncio.create_subprocess", "runpy.",
    "importlib.reload", "torch.distributed.launch", "torch.distributed.run", "torch.distributed.elastic",
)  # fmt: skip
"""Beginnings of names of functions after which something reads the variables anew."""


def is_told(m: Machine, name: str) -> bool:
    """Whether rules look at calls of `name`."""
    traced = _is_traced(m)
    if traced and name in untraced.CALLS:
        return True
    if name in BESIDE or name in BEYOND:
        return True
    if name.startswith("torch."):
        asked = name in api.CALLED_MODULES or bool(api.signatures(name))
        return m.root.exporting is not None or asked
    return traced and (name in IN_TRACED or name.startswith("logging."))


def tell_method(m: Machine, site: Call, receiver: Value, name: str) -> None:
    """Tell the rules of a method that tracing does not take, in what is traced; `name` begins with its class."""
    if _is_traced(m):
        tell(m, site, name, receiver)


def _is_traced(m: Machine) -> bool:
    return bool(m.root.compiling) or m.root.exporting is not None


def tell_start(m: Machine, site: Call, name: str) -> None:
    """Tell the rules when a call of `name` starts something that reads the variables anew, and may make any folder."""
    if name.startswith(STARTERS):
        made_folders.note_any(m)
        m.emit(ProcessStart, site.node, name=name)


def tell(m: Machine, site: Call, name: str, receiver: Value | None = None) -> None:
    """Tell the rules of a call of `name`."""
    args = [frozen.freeze(m, value) for value in site.args]
    kwargs = {key: frozen.freeze(m, value) for key, value in site.kwargs.items()}
    tags = {leaf: tag for value in (*args, *kwargs.values()) for leaf in _held(m, value) if (tag := tag_of(m, leaf))}
    m.emit(
        ApiCall,
        site.node,
        name=name,
        args=tuple(args),
        kwargs=kwargs,
        places=places(m, site),
        tags=tags,
        open=site.open,
        receiver=receiver,
        within=tuple(m.root.compiling),
        discarded=site.discarded,
    )


def _held(m: Machine, value: Value) -> Iterator[Value]:
    """What an argument can be, and what a list, tuple or dict that it can be holds."""
    for _, leaf in leaves(value, m.root.path):
        yield leaf
        inside = leaf.items if isinstance(leaf, Tup) else [v for _, v in leaf.pairs] if isinstance(leaf, Pairs) else ()
        for item in inside:
            yield from (inner for _, inner in leaves(item, m.root.path))


def tag_of(m: Machine, leaf: Value) -> str:
    """The kind of a frozen value, as `kinds.tag_of` names it."""
    match leaf:
        case Tup(cls=Ref(kind)) if kind in ("list", "set"):
            return kind
        case Pairs():
            return "dict"
        case Unknown(key) if key.startswith(frozen.ITEMS):
            return key.split(":")[1]
        case Tensor(key=key) if key.startswith(frozen.MOVED):
            return ""
        case Obj() if isinstance(made := m.read(leaf.ident, QUANTIZED), Const):
            return str(made.value)
        case _:
            return kinds.tag_of(m, leaf)


def places(m: Machine, site: Call) -> dict[int | str, Span]:
    """Where the arguments of a call stand, by position and name."""
    found: dict[int | str, Span] = {}
    if len(site.arg_nodes) == len(site.args):
        found.update((index, m.span(one)) for index, one in enumerate(site.arg_nodes))
    if isinstance(site.node, nodes.Call):
        found.update((one.name, m.span(one)) for one in site.node.args if one.name is not None)
    return found
