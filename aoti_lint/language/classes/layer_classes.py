"""Which classes of `torch.nn` derive from which. Source: `torch/nn/modules/*.py` of torch 2.13."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes import modules
from aoti_lint.machine.machine import Machine
from aoti_lint.values.values import Class, Obj, Ref, Value

_RANKS = ("1d", "2d", "3d")


def _ranks(*names: str) -> frozenset[str]:
    return frozenset(name + rank for name in names for rank in _RANKS)


_BATCH_NORMS = _ranks("BatchNorm") | {"SyncBatchNorm"}
DERIVED: dict[str, frozenset[str]] = {
    "_DropoutNd": _ranks("Dropout") | {"Dropout", "AlphaDropout", "FeatureAlphaDropout"},
    "_BatchNorm": _BATCH_NORMS,
    "_InstanceNorm": _ranks("InstanceNorm"),
    "_NormBase": _BATCH_NORMS | _ranks("InstanceNorm"),
    "_ConvNd": _ranks("Conv", "ConvTranspose"),
    "_ConvTransposeNd": _ranks("ConvTranspose"),
    "RNNBase": frozenset({"RNN", "LSTM", "GRU"}),
    "RNNCellBase": frozenset({"RNNCell", "LSTMCell", "GRUCell"}),
    "Hardtanh": frozenset({"ReLU6"}),
    "NLLLoss": frozenset({"NLLLoss2d"}),
    "Upsample": frozenset({"UpsamplingNearest2d", "UpsamplingBilinear2d"}),
    **{f"ConstantPad{rank}": frozenset({f"ZeroPad{rank}"}) for rank in _RANKS},
}
"""The layers that derive from a layer or from what several have in common."""


def plain_name(cls: Value | None) -> str:
    """The name of a class of `torch.nn` itself; empty for those of `torch.nn.quantized` and the like."""
    folder, _, last = cls.name.rpartition(".") if isinstance(cls, Ref) else ("", "", "")
    return last if folder == "torch.nn" or folder.startswith("torch.nn.modules") else ""


def layer_name(m: Machine, module: Obj) -> str:
    """The class of `torch.nn` that a layer is of, or that its class in the project derives from; empty for others."""
    return plain_name(modules.built_in(m, module.cls))


def is_layer(m: Machine, value: Value, name: str) -> bool | None:
    """Whether a module is an instance of the class `name` of `torch.nn`; None where that is not known."""
    wanted = plain_name(Ref(name))
    if not isinstance(value, Obj) or not wanted:
        return None
    if isinstance(value.cls, Class):
        bases = [base for base in access.ancestors(m, value.cls) if not isinstance(base, Class)]
        answers = {_derives(plain_name(base), wanted) for base in bases if base not in modules.HARMLESS}
        return True if True in answers else None if None in answers else False
    return _derives(plain_name(value.cls), wanted)


def _derives(name: str, wanted: str) -> bool | None:
    if not name or name.startswith("Lazy"):
        # A lazy layer becomes one of another class when it is first called.
        return None
    if name == wanted or name in DERIVED.get(wanted, ()):
        return True
    return None if wanted.startswith("_") and wanted not in DERIVED else False
