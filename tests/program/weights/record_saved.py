"""Writes `saved/*.pt` and `saved/views.json`: files of `torch.save`, and what torch itself finds in them.

    python -m tests.program.weights.record_saved [folder]

Run with a Python that has torch. A view is None where the file must be refused; `UNREADABLE` says in what words.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn

FOLDER = Path(__file__).with_name("saved")
BIG = 5000


class Scaled(torch.Tensor):  # type: ignore[misc]
    """A class of tensors without methods of its own."""


class Wrapped(torch.Tensor):  # type: ignore[misc]
    """A tensor that only wraps another one, as torchao's quantised weights do."""

    @staticmethod
    def __new__(cls, inner: Any) -> Any:
        return torch.Tensor._make_wrapper_subclass(cls, (3, 8), dtype=torch.bfloat16)

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*(args if func is torch.ops.aten.detach.default else ()), **(kwargs or {}))


class Net(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.norm = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, 5)
        self.out.weight = self.embed.weight
        self.register_buffer("mask", torch.ones(2, 2).tril().bool())

    def get_extra_state(self) -> Any:
        return {"step": 3}

    def set_extra_state(self, state: Any) -> None:
        pass


def _noted(tensor: Any) -> Any:
    tensor.note = "kept"
    return tensor


def saved() -> dict[str, Any]:
    """Name of the file to what is saved in it."""
    torch.manual_seed(0)
    net = Net()
    state = net.state_dict()
    whole = torch.rand(40)
    dtypes = (
              "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex32 "
              "complex64 complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu"
              )  # fmt: skip
    optimiser = torch.optim.Adam(net.parameters())
    return {
        "state": state,
        "parameters": dict(net.named_parameters()),
        "frozen_parameter": {"a": nn.Parameter(whole[:2], requires_grad=False),
                              "b": torch.rand(2, requires_grad=True)},
        "tied": {"a": whole, "b": whole, "c": nn.Parameter(whole), "d": whole[:], "e": whole.view(4, 10)},
        "views": {"front": whole[:8], "inside": whole[8:16].view(2, 4), "steps": whole[::2], "one": whole[39]},
        "strides": {
            "transposed": torch.rand(3, 5).t(), "expanded": torch.rand(1, 4).expand(3, 4),
            "channels_last": torch.rand(2, 3, 4, 4).contiguous(memory_format=torch.channels_last),
        },
        "sizes": {"scalar": torch.tensor(2.0), "none": torch.rand(0), "no_rows": torch.rand(0, 3),
                  "long": torch.rand(*[1] * 12)},
        "dtypes": {name: torch.zeros(3, 2).to(getattr(torch, name)) for name in dtypes.split()},
        "flags": {"conj": torch.zeros(2, 2, dtype=torch.complex64).conj(), "neg": torch._neg_view(torch.rand(2))},
        "meta": {"a": torch.empty(4, 3, device="meta"), "b": nn.Parameter(torch.empty(2, 2, device="meta").t())},
        "sparse": {"coo": torch.eye(3).to_sparse(), "csr": torch.eye(4).to_sparse_csr(),
                   "csc": torch.eye(4).to_sparse_csc()},
        "quantised": {
            "tensor": torch.quantize_per_tensor(torch.rand(3, 4), 0.1, 2, torch.qint8),
            "channel": torch.quantize_per_channel(torch.rand(3, 4), torch.rand(3), torch.zeros(3), 0, torch.quint8),
        },
        "classes": {
            "scaled": torch.rand(3, 2).as_subclass(Scaled),
            "parameter": nn.Parameter(torch.rand(2).as_subclass(Scaled)),
            "wrapped": Wrapped(torch.rand(3, 8)), "buffer": nn.Buffer(torch.rand(3)),
        },
        "attributes": {"tensor": _noted(torch.rand(3)), "parameter": _noted(nn.Parameter(torch.rand(2, 2)))},
        "others": OrderedDict(a=torch.rand(2), step=3, rate=0.5, name="x", on=True, none=None, size=torch.Size([1, 2]),
                              device=torch.device("cuda", 1), many=[1], map={}, whole=b"123",
                              storage=torch.rand(2).untyped_storage()),
        "wrapped_state": {"state_dict": state, "optimizer": optimiser.state_dict(), "epoch": 3, "args": {"lr": 0.1}},
        "wrapped_model": {"model": {"state_dict": {"w": torch.rand(2)}}, "step": torch.tensor(4),
                          "rng": torch.get_rng_state()[:8]},
        "wrapped_unknown": {"generator": {"w": torch.rand(2)}, "epoch": 1},
        "compiled": {f"_orig_mod.{name}": value for name, value in state.items()},
        "empty": {},
        "unusual_names": {"": torch.rand(1), "a b\n": torch.rand(1), "é.\u4e2d": torch.rand(1), "..": torch.rand(1),
                          7: torch.rand(1)},
    }  # fmt: skip


UNREADABLE: dict[str, tuple[Callable[[], Any], str]] = {
    "bare_tensor": (lambda: torch.rand(2), "holds one tensor without a name"),
    "whole_model": (lambda: nn.Linear(2, 2), r"object of torch\.nn\.modules\.linear\.Linear, not a state dict"),
    "list": (lambda: [torch.rand(2)], "of type list"),
    "two_states": (lambda: {"generator": {"w": torch.rand(2)}, "critic": {"w": torch.rand(2)}}, "several dicts"),
    "no_tensors": (lambda: {"epoch": 3}, "without tensors"),
}


def view(path: Path, way: list[str]) -> dict[str, Any]:
    """What torch finds in the state dict of the file."""
    loaded = torch.load(path, weights_only=False)
    for key in way:
        loaded = loaded[key]
    found: dict[str, Any] = {}
    first: dict[Any, str] = {}
    for name, value in loaded.items():
        if not isinstance(name, str):
            continue
        if not isinstance(value, torch.Tensor):
            found[name] = None
            continue
        strided = value.layout is torch.strided
        stored = strided and value.device.type != "meta" and not isinstance(value, Wrapped)
        identity: Any = (
            (value.untyped_storage().data_ptr(), value.storage_offset(), value.shape, value.stride())
            if stored
            else name
        )
        found[name] = {
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "strides": list(value.stride()) if strided else None,
            "device": str(value.device),
            "layout": str(value.layout).removeprefix("torch."),
            "requires_grad": value.requires_grad,
            "parameter": isinstance(value, nn.Parameter),
            "class": type(value).__name__,
            "offset": value.storage_offset() if stored else 0,
            "storage_bytes": value.untyped_storage().nbytes() if stored else None,
            "bytes": value.numel() * value.element_size() if stored else None,
            "tied": first[identity] if first.setdefault(identity, name) != name and value.numel() else None,
        }
    return found


WAYS = {"wrapped_state": ["state_dict"], "wrapped_model": ["model", "state_dict"], "wrapped_unknown": ["generator"]}


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.pt"):
        old.unlink()
    views: dict[str, Any] = {}
    for name, value in saved().items():
        for protocol in (2, 3, 4, 5):
            # All protocols once, then the one torch uses.
            if protocol == 2 or name in ("state", "tied", "others", "classes"):
                path = folder / f"{name}_{protocol}.pt"
                torch.save(value, path, pickle_protocol=protocol)
                views[path.name] = {"way": WAYS.get(name, []), "names": view(path, WAYS.get(name, []))}
    torch.serialization.set_crc32_options(False)
    torch.save({"a": torch.rand(3)}, folder / "no_checksums.pt")
    torch.serialization.set_crc32_options(True)
    views["no_checksums.pt"] = {"way": [], "names": view(folder / "no_checksums.pt", [])}
    for name, (make, words) in UNREADABLE.items():
        torch.save(make(), folder / f"{name}.pt")
        views[f"{name}.pt"] = {"refused": words}
    torch.save({"a": torch.rand(3)}, folder / "legacy.pt", _use_new_zipfile_serialization=False)
    views["legacy.pt"] = {"refused": "before torch 1.6"}
    torch.jit.script(nn.Linear(2, 2)).save(str(folder / "scripted.pt"))
    views["scripted.pt"] = {"refused": "TorchScript model"}
    program = torch.export.export(nn.Linear(2, 2), (torch.rand(1, 2),))
    torch.export.save(program, str(folder / "program.pt2"))
    with zipfile.ZipFile(folder / "program.pt2") as whole, zipfile.ZipFile(folder / "program.pt", "w") as part:
        for member in whole.namelist():
            if "/models/" not in member:  # it tells the folders of the machine
                part.writestr(member, whole.read(member))
    (folder / "program.pt2").unlink()
    views["program.pt"] = {"refused": r"\.pt2 of torch\.export"}
    said = {"torch": torch.__version__, "date": time.strftime("%Y-%m-%d"), "files": views}
    (folder / "views.json").write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    if folder != FOLDER:
        torch.save({f"layers.{number}.weight": torch.rand(1) for number in range(BIG)}, folder / "big.bin")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
