from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Iterator

import torch


class Session:
    """Compiles a model for one batch size and keeps the package as long as it is open."""

    def __init__(self, model: torch.nn.Module, batch: int, features: int) -> None:
        self.model, self.batch, self.features = model.eval(), batch, features
        self._stack = contextlib.ExitStack()
        self.run = None

    def __enter__(self) -> Session:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        program = torch.export.export(self.model, (torch.zeros(self.batch, self.features),))
        target = folder / "session.pt2"
        torch._inductor.aoti_compile_and_package(program, package_path=str(target))
        self.run = torch._inductor.aoti_load_package(str(target))
        return self

    def __exit__(self, *exc) -> None:
        self._stack.close()


@contextlib.contextmanager
def open_session(model: torch.nn.Module, batch: int = 4, features: int = 10) -> Iterator[Session]:
    with Session(model, batch, features) as session:
        yield session
