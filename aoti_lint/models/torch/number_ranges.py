"""`torch.finfo` and `torch.iinfo`: the least and greatest number of a dtype, as masks and clamps ask for them."""

from __future__ import annotations

import math

from aoti_lint.language.tools import opaque
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.tensors.tensor_base import default_dtype, dtype_name
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
from aoti_lint.values.sizes.reckoning import FLOAT
from aoti_lint.values.values import NONE, Const, Unknown, Value

FLOATS = {
    "torch.float16": (16, 5, 10), "torch.bfloat16": (16, 8, 7), "torch.float32": (32, 8, 23),
    "torch.float64": (64, 11, 52),
}  # fmt: skip
"""The bits of floats: all, those of the exponent, those of the fraction."""
INTEGERS = {f"torch.{sign}int{bits}": (sign, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)}
OF_FLOATS = ("min", "max", "eps", "tiny", "smallest_normal", "resolution")


@function("torch.finfo")
def _of_floats(m: Machine, call: Call) -> Value:
    given = None if call.arg(0, "type") is None else m.see(call.arg(0, "type") or NONE)
    made, name = opaque(m, "torch.finfo"), default_dtype(m) if given is None else dtype_name(m, given)
    for part in OF_FLOATS:  # one of a dtype that is not known is a float all the same
        m.store.write(made.ident, part, Unknown(f"{FLOAT}{part}({ident(given or NONE)})", f"the {part} of a dtype"))
    if name in FLOATS:
        bits, exponent, fraction = FLOATS[name]
        bias = 2 ** (exponent - 1) - 1
        most, tiny = (2 - 2.0**-fraction) * 2.0**bias, 2.0 ** (1 - bias)
        resolution = 10.0 ** -math.floor(fraction * math.log10(2))
        numbers = (-most, most, 2.0**-fraction, tiny, tiny, resolution)
        for part, number in (*zip(OF_FLOATS, numbers, strict=True), ("bits", bits)):
            m.store.write(made.ident, part, Const(number))
    return made


@function("torch.iinfo")
def _of_integers(m: Machine, call: Call) -> Value:
    name = dtype_name(m, call.arg(0, "type"))
    if name not in INTEGERS:
        return m.unknown(call.node, "the range of a dtype that is not known")
    sign, bits = INTEGERS[name]
    made = opaque(m, "torch.iinfo")
    least, most = (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for part, number in (("min", least), ("max", most), ("bits", bits)):
        m.store.write(made.ident, part, Const(number))
    return made
