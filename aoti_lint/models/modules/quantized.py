"""Models that the quantization of modules, `torch.ao.quantization`, prepared or converted: no export can trace them.

What an export does with each was run on torch 2.13.
"""

from __future__ import annotations

from aoti_lint.language.classes import modules
from aoti_lint.language.effects.api_calls import QUANTIZED
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Ref, Value

CONVERTED, PREPARED, TRAINED = "quantized model", "prepared model", "model prepared for training"
_MADE = {
    "convert": (CONVERTED, 2, "module"),
    "quantize": (CONVERTED, 4, "model"),
    "quantize_qat": (CONVERTED, 3, "model"),
    "quantize_dynamic": (CONVERTED, 4, "model"),
    "prepare": (PREPARED, 1, "model"),
    "prepare_qat": (TRAINED, 2, "model"),
    "fuse_modules": ("", 2, "model"),
    "fuse_modules_qat": ("", 2, "model"),
    "quantize_fx.convert_fx": (CONVERTED, None, "graph_module"),
    "quantize_fx.prepare_fx": (PREPARED, None, "model"),
    "quantize_fx.prepare_qat_fx": (TRAINED, None, "model"),
}
"""What each function makes, where its `inplace` stands, and what its parameter for the model is called."""


def _maker(name: str, kind: str, inplace: int | None, parameter: str) -> None:
    short = name.rpartition(".")[2]
    names = {f"{package}.{one}" for package in ("torch.ao.quantization", "torch.quantization") for one in (name, short)}
    if short == name:
        names.add(f"torch.ao.quantization.quantize.{name}")

    @function(*sorted(names))
    def model(m: Machine, call: Call) -> Value:
        def apply(given: Value) -> Value:
            if inplace is not None and m.see(call.arg(inplace, "inplace") or FALSE) == TRUE:
                if not isinstance(given, Obj) or not modules.is_module(m, given):
                    return m.unknown(call.node, "what quantization made of a model that is not known")
                made = given
            else:
                made = Obj(m.fresh(), "module", Ref("torch.fx.GraphModule"))
                modules.start_module(m, made)
                m.store.write(made.ident, "#given0", given)
            if kind:
                m.store.write(made.ident, QUANTIZED, Const(kind))
            return made

        return lift(m, call.arg(0, parameter) or NONE, apply)


for _name, (_kind, _inplace, _parameter) in _MADE.items():
    _maker(_name, _kind, _inplace, _parameter)
