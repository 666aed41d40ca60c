"""Makes the archives that the examples and tests of the rules on programs read. By hand: `python make_archives.py`.

Needs torch 2.13 (CPU) and a C++ compiler. Weights, and the libraries of packages but for their headers, are zeroed and
everything is packed again, so that an archive is a few KB; nothing of what the reader looks at is lost. Two archives
cannot be made so: `two_gpus.pt2` and `gpu_and_cpu.pt2` (a `Linear(8, 8)` on cuda:0 and a `Linear(8, 4)` on cuda:1 or
cpu, with `.to()` between) and `on_gpu.pt2` (`x.sin() + 1` of a `(4, 8)` on cuda, compiled with
`Dim("batch", min=1, max=64)`) were made on two NVIDIA H200 by torch 2.11.0+cu130, the same way.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).parent / "archives"
BATCH = torch.export.Dim("batch", min=1, max=64)
X = torch.ones(4, 8)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(8, 16)
        self.drop = torch.nn.Dropout(0.3)
        self.norm = torch.nn.BatchNorm1d(16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.drop(self.fc(x)))


class Wave(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sin() + 1


class Twofold(torch.nn.Module):
    """Dim.AUTO gives way to what the model does, without a word."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(4, 2, 4).sum(-1)


class Times(torch.nn.Module):
    def forward(self, x: torch.Tensor, k: int, name: str = "sin") -> torch.Tensor:
        return (x.sin() if name == "sin" else x.cos()) * k


class Masked(torch.nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor, *, factor: float) -> torch.Tensor:
        return x * mask[:, None] * factor


class Mixed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(8, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.fc(x)


class Uses(torch.nn.Module):
    def __init__(self, op: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.op = op

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.op(x) + 1


class Always(torch.nn.Module):
    """Batch statistics by design: there are no running ones, in no mode."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8, track_running_stats=False)
        self.drop = torch.nn.Dropout(0.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(self.norm(x))


class Branches(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, p: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(p, lambda x: self.drop(x), lambda x: x.cos(), (x,))


@torch.library.custom_op("shop::pad", mutates_args=())
def pad(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.pad(x, (0, 2))


@pad.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(4, 10)


@torch.library.custom_op("shop::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@scale.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@torch.library.custom_op("shop::histogram", mutates_args=())
def histogram(x: torch.Tensor) -> torch.Tensor:
    return torch.histc(x, bins=16)


@histogram.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(16)


def trimmed(made: Path, target: Path) -> None:
    """Write the archive again, packed and without what nobody reads."""
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for info in old.infolist():
            data = old.read(info)
            base = info.filename.rsplit("/", 1)[-1]
            if base.endswith(".so"):
                data = data[:24] + bytes(40)
            elif base.startswith(("weight_", "tensor_")) and not base.endswith(".json"):
                data = bytes(len(data))
            elif base.endswith("kernel.cpp"):
                data = data[-20_000:]
            new.writestr(zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def export(model: torch.nn.Module, args: tuple[Any, ...] = (X,), dims: Any = None) -> Any:
    return torch.export.export(model, args, dynamic_shapes=dims)


def save(folder: Path, name: str, program: Any) -> None:
    made = folder / f"{name}.pt2"
    torch.export.save(program, made)
    trimmed(made, HERE / f"{name}.pt2")


def build(folder: Path, name: str, program: Any, **options: Any) -> None:
    keys = {f"aot_inductor.{key}" if "." not in key else key: value for key, value in options.items()}
    made = torch._inductor.aoti_compile_and_package(
        program, package_path=str(folder / f"{name}.pt2"), inductor_configs=keys
    )
    trimmed(Path(made), HERE / f"{name}.pt2")


def main(folder: Path) -> None:
    dynamic = ({0: BATCH},)
    save(folder, "training", export(Net().train()))
    save(folder, "evaluated", export(Net().eval()))
    save(folder, "training_decomposed", export(Net().train()).run_decompositions())
    save(folder, "batch_statistics", export(Always().train()))
    save(folder, "branches", export(Branches().train(), (torch.tensor(True), X)))
    save(folder, "padded", export(Uses(pad), dims=dynamic))
    save(folder, "padded_static", export(Uses(pad)))
    save(folder, "scaled", export(Uses(scale), dims=dynamic))
    save(folder, "histogram", export(Uses(histogram), dims=dynamic))
    save(folder, "frozen", export(Times().eval(), (X, 3)))
    save(folder, "mixed_precision", export(Mixed().eval()))
    save(folder, "static", export(Wave()))
    save(folder, "dynamic", export(Wave(), dims=dynamic))
    save(folder, "auto", export(Wave(), dims=({0: torch.export.Dim.AUTO},)))
    save(folder, "specialised", export(Twofold(), dims=({0: torch.export.Dim.AUTO},)))
    bare = export(Wave())
    bare._example_inputs = None
    save(folder, "no_examples", bare)
    build(folder, "static_compiled", export(Wave()))
    build(folder, "dynamic_compiled", export(Wave(), dims=dynamic))
    build(folder, "auto_compiled", export(Wave(), dims=({0: torch.export.Dim.AUTO},)))
    build(folder, "scaled_compiled", export(Uses(scale), dims=dynamic))
    masked = torch.export.export(
        Masked(),
        (X, torch.ones(4)),
        {"factor": 3.0},
        dynamic_shapes={"x": {0: BATCH}, "mask": {0: BATCH}, "factor": None},
    )
    save(folder, "masked", masked)
    build(folder, "masked_compiled", masked)
    build(folder, "weights_outside", export(Net().eval()), package_constants_in_so=False)
    build(folder, "printer", export(Wave()), debug_intermediate_value_printer="2")
    torch._inductor.config.nan_asserts = True
    build(folder, "nan_asserts", export(Wave()))
    torch._inductor.config.nan_asserts = False
    build(folder, "debug_symbols", export(Net().eval()), **{"debug_compile": True, "debug_symbols": True})
    files = {
        name: torch._inductor.aot_compile(program.module(), (X,), options={"aot_inductor.package": True})
        for name, program in (("small", export(Wave())), ("large", export(Wave(), dims=dynamic)))
    }
    made = folder / "two_models.pt2"
    torch._inductor.package.package_aoti(str(made), files)  # type: ignore[attr-defined]
    trimmed(made, HERE / "two_models.pt2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
