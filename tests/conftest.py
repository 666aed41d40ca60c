"""What holds for every test."""

from __future__ import annotations

import os

import pytest

from tests import compiler


def pytest_configure(config: pytest.Config) -> None:
    # Processes that tests start have it too, and so have those that pytest-xdist starts.
    os.environ.update(compiler.environment(os.environ))


@pytest.fixture(autouse=True)
def _no_environment_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The versions to judge for come from the test, not from the environment it happens to run in."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
