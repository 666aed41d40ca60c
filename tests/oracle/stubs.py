"""What stands in for AOTInductor while a script is recorded.

Compiling one model takes twenty seconds or more, and the facts the oracle needs are known without it: which program
went in, under which path, what was called with what. So nothing is compiled here. A package is a small file that says
what it is, and a loaded model runs the eager module. The checks of torch 2.13 that end a script early (no such file,
no ExportedProgram, an unknown config key, a missing folder, a device this build has no runner for) are repeated, so
that a script does not run on past the line where torch would have stopped it. Faults found while compiling or running
kernels are not.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

CACHE = "aotinductor_cache_"


@dataclass
class Program:
    """What a package or library remembers: the eager module, its example inputs, and the number of the record that
    compiled it.
    """

    module: Any
    example: tuple[tuple[Any, ...], dict[str, Any]]
    compiled: int

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the module. A compiled model checks little, so inputs the module refuses give what the example inputs
        give.
        """
        with torch.no_grad():
            try:
                return self.module(*args, **kwargs)
            except Exception:
                return self.module(*self.example[0], **self.example[1])


@dataclass
class Files:
    """The packages and libraries "on disk": absolute path -> model name -> program."""

    models: dict[str, dict[str, Program]] = field(default_factory=dict)

    def write(self, path: Any, programs: dict[str, Program]) -> str:
        """Remember the programs under a path, write a marker file there, and give the path back as text."""
        text = str(os.fspath(path))
        parent = Path(text).parent
        if not parent.is_dir():
            raise RuntimeError(f"Parent directory {parent} does not exist.")
        Path(text).write_text("a stand-in for a compiled model\n")
        self.models[os.path.abspath(text)] = programs
        return text

    def read(self, path: Any, name: str | None = "model") -> Program:
        """The program under a path, or what torch raises when there is none."""
        models = self.models.get(os.path.abspath(os.fspath(path)))
        if models is None:
            raise RuntimeError("Failed to initialize zip archive: file open failed")
        if name is None:
            return next(iter(models.values()))
        if name not in models:
            known = "\n".join(models)
            raise RuntimeError(f"Failed to find a generated cpp file or so file for model '{name}'.\n\n{known}")
        return models[name]


class Loaded:
    """A loaded model: calling it calls `on_call` with the program and the inputs."""

    def __init__(self, program: Program, on_call: Any) -> None:
        self._program = program
        self._on_call = on_call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._on_call(self._program, args, kwargs)

    def get_constant_fqns(self) -> list[str]:
        """Names of the parameters and buffers, as far as the eager module knows them."""
        state = getattr(self._program.module, "state_dict", dict)
        return list(state())

    def get_metadata(self) -> dict[str, str]:
        return {"AOTI_DEVICE_KEY": "cpu"}

    def load_constants(self, *_args: Any, **_kwargs: Any) -> None:
        """Takes any constants; nothing is replaced."""


def cache_path(suffix: str) -> str:
    """Where a package goes that was given no path."""
    return os.path.join(tempfile.mkdtemp(prefix=CACHE), "model.wrapper" + suffix)


def is_cache_path(path: Any) -> bool:
    """Whether a path is one of `cache_path`."""
    return isinstance(path, str) and f"{os.sep}{CACHE}" in path


def check_configs(configs: Any) -> None:
    """Raise what `aoti_compile_and_package` raises for an unknown config key or an output path."""
    if not configs:
        return
    if "aot_inductor.output_path" in configs:
        raise RuntimeError("Please pass in a package path to aot_inductor_compile() instead of setting the config.")
    with torch._inductor.config.patch(configs):
        pass


def check_device(device: str) -> None:
    """Raise what `torch._export.aot_load` raises on a CPU-only build."""
    if not re.fullmatch(r"cpu|(cuda|xpu|mps)(:\d+)?", device):
        raise RuntimeError(f"Unsupported device {device}")
    if device != "cpu":
        name = "AOTIModelContainerRunner" + device.split(":")[0].capitalize()
        raise AttributeError(f"module 'torch._C._aoti' has no attribute '{name}'")
