"""Loading programs, in the process that runs them."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from aoti_lint.program.errors import Unreadable

torch = pytest.importorskip("torch")


def test_what_torch_only_logs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from aoti_lint.program.verify.child.loading import load_program

    def load(path: str) -> Any:
        try:
            raise NotImplementedError("Deserializing a.Output in pytree is not registered.")
        except NotImplementedError:
            logging.getLogger("torch.export").warning("", exc_info=True)
        raise RuntimeError("Please check the warnings above for possible errors.")

    monkeypatch.setattr(torch.export, "load", load)
    with pytest.raises(Unreadable, match=r"m.pt2: Deserializing a.Output in pytree is not registered; --ops can name"):
        load_program("m.pt2", "model")


def test_writes_in_the_body_of_no_grad_are_seen() -> None:
    from aoti_lint.program.verify.child.loading import mutates

    class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("seen", torch.zeros(8))

        def forward(self, x: Any) -> Any:
            with torch.no_grad():
                total = self.seen.add_(1).sum()
            return x + total

    assert mutates(torch.export.export(Net(), (torch.zeros(2),)))
