"""What holds for every test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_environment_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The versions to judge for come from the test, not from the environment it happens to run in."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
