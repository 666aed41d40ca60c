"""Writes `safetensors/*`: files of the `safetensors` package, and what it finds in them.

    python -m tests.program.weights.record_safetensors

Run with a Python that has safetensors and torch.
"""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open  # type: ignore[import-not-found, unused-ignore]
from safetensors.torch import load_file, save_file, save_model  # type: ignore[import-not-found, unused-ignore]

FOLDER = Path(__file__).with_name("safetensors")


def tied() -> Any:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    model[1].weight = model[0].weight
    return model


def main() -> None:
    torch.manual_seed(0)
    FOLDER.mkdir(exist_ok=True)
    dtypes = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "bfloat16",
              "float32", "float64", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
              "float8_e8m0fnu"]  # fmt: skip
    every = {name: torch.zeros(3, 2).to(getattr(torch, name)) for name in dtypes}
    every["float4_e2m1fn_x2"] = torch.zeros(3, 2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    save_file(every, FOLDER / "dtypes.safetensors", metadata={"format": "pt"})
    sizes = {
        "scalar": torch.tensor(1.0),
        "none": torch.rand(0),
        "no_rows": torch.rand(0, 3),
        "deep": torch.rand(1, 2, 3, 4),
    }
    save_file(sizes, FOLDER / "sizes.safetensors")
    save_file({}, FOLDER / "empty.safetensors")
    save_file({"é.\u4e2d": torch.rand(1), 'a"\\\n': torch.rand(2), "": torch.rand(3)}, FOLDER / "names.safetensors")
    save_model(tied(), str(FOLDER / "tied.safetensors"))
    views: dict[str, Any] = {}
    for path in sorted(FOLDER.glob("*.safetensors")):
        with safe_open(path, framework="pt") as opened:
            metadata = opened.metadata()
        views[path.name] = {
            "metadata": metadata or {},
            "names": {
                name: {
                    "dtype": str(value.dtype).removeprefix("torch."),
                    "shape": list(value.shape),
                    "strides": list(value.stride()),
                    "bytes": value.numel() * value.element_size(),
                    "own storage": value.untyped_storage().nbytes() == value.numel() * value.element_size(),
                    "offset": value.storage_offset(),
                }
                for name, value in load_file(path).items()
            },
        }
    versions = {"torch": torch.__version__, "safetensors": version("safetensors"), "date": time.strftime("%Y-%m-%d")}
    (FOLDER / "views.json").write_text(json.dumps({**versions, "files": views}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
