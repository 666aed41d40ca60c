"""How a contract is put into words, the same in every language."""

from __future__ import annotations

from textwrap import wrap

from aoti_lint.program.contract.model import UNKNOWN, Contract, Input
from aoti_lint.program.facts import Size
from aoti_lint.program.symbolic import Dim, Expr, Symbol, evaluate, parse, symbols

_PRIMES = (1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097)


def about(dim: Dim) -> str:
    """What a message is about: `x: dim 0`."""
    return dim.path if dim.index is None else f"{dim.path}: dim {dim.index}"


def bounds_text(low: int | None, high: int | None) -> str:
    """`1 to 64`, `64 at most`, `3 or more`."""
    if low is None:
        return f"{high} at most"
    return f"{low} or more" if high is None else f"{low} to {high}"


def tensor_text(item: Input) -> str:
    """`float32[s77, 8] on cpu`."""
    sizes = "" if item.shape is None else f"[{', '.join(map(_size, item.shape))}]"
    device = f" on {item.device_type}" if item.device_type is not None else ""
    return f"{item.dtype or 'tensor'}{sizes}{device}"


def strides_text(item: Input) -> str:
    """`contiguous`, `any strides`, `strides (1, s77)`; nothing if they are not recorded."""
    if item.any_strides:
        return "any strides"
    if item.strides is None:
        return ""
    return "contiguous" if _contiguous(item) else f"strides ({', '.join(map(_size, item.strides))})"


def input_text(item: Input) -> str:
    """One input in a few words."""
    match item.kind:
        case "tensor":
            return ", ".join(filter(None, (tensor_text(item), strides_text(item))))
        case "frozen":
            return f"{item.value!r}, fixed at export"
        case "symbol":
            return f"a whole number ({item.value})"
        case _:
            return "anything"


def symbol_text(contract: Contract, name: str) -> str:
    """What a symbol may be."""
    low, high = contract.least.get(name, 0), contract.symbols[name].max
    accepted = "any size" if not low and high is None else bounds_text(low or None, high)
    if _in_conditions(contract, name):
        accepted += " within the conditions"
    stated = contract.symbols[name].min
    if stated is not None and stated > low and contract.source != "package":
        accepted += f" (the program says {stated} or more; torch does not check lower bounds up to 2)"
    return accepted


def _in_conditions(contract: Contract, name: str) -> bool:
    """Whether a condition speaks of a dim that has this size."""
    dims = [
        f"{item.path}.shape[{index}]"
        for item in contract.inputs
        for index, size in enumerate(item.shape or ())
        if str(size) == name
    ]
    return any(dim in guard for dim in dims for guard in contract.guards)


def header(contract: Contract, files: str, mark: str) -> list[str]:
    """The lines that stand at the top of a generated file."""
    torch = f" of torch {contract.torch_version}" if contract.torch_version is not None else ""
    lines = [f"Checks the inputs of the model {contract.model!r} before they are passed to its package.", ""]
    lines += wrap(f"{mark} from {files}{torch}. Write it anew rather than change it.", width=95)
    lines += ["", "Inputs:"]
    width = max((len(item.path) for item in contract.inputs), default=0)
    lines += [f"    {item.path:<{width}}  {input_text(item)}" for item in contract.inputs] or ["    none"]
    if contract.symbols:
        lines += ["", "Sizes:"]
        lines += [f"    {name}  {symbol_text(contract, name)}" for name in contract.symbols]
    if contract.guards:
        lines += ["", "Conditions:", *(f"    {guard}" for guard in contract.guards)]
    if contract.unchecked:
        lines += ["", "Not checked, as only torch can work them out:", *(f"    {text}" for text in contract.unchecked)]
    if contract.notes:
        lines += ["", "Mind:"]
        for note in contract.notes:
            lines += wrap(note, width=95, initial_indent="    ", subsequent_indent="    ")
    return lines


def _size(size: Size) -> str:
    return str(size)


def _contiguous(item: Input) -> bool:
    """Whether the strides are those of a contiguous tensor, for all sizes."""
    if UNKNOWN in (*(item.shape or ()), *(item.strides or ())):
        return False
    shape, strides = ([parse(str(size)) for size in sizes] for sizes in (item.shape or (), item.strides or ()))
    names = sorted(set().union(*map(symbols, shape + strides)))
    for seed in range(4):
        # Products of sizes that are equal for numbers without common factors are equal.
        values: dict[Expr, int | float | bool] = {
            Symbol(name): _PRIMES[(7 * seed + place) % len(_PRIMES)] for place, name in enumerate(names)
        }
        expected: int | float | bool | None = 1
        for size, stride in zip(reversed(shape), reversed(strides), strict=False):
            if evaluate(stride, values) != expected:
                return False
            length = evaluate(size, values)
            expected = None if length is None or expected is None else expected * length
    return True
