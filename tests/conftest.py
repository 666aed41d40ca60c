"""What holds for every test."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest

from tests import compiler


def pytest_configure(config: pytest.Config) -> None:
    # Processes that tests start have it too, and so have those that pytest-xdist starts.
    os.environ.update(compiler.environment(os.environ))
    # What the developer's own runs remember is theirs.
    cache = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="aoti-lint-tests-")
    config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))


@pytest.fixture(autouse=True)
def _no_environment_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The versions to judge for come from the test, not from the environment it happens to run in."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", tempfile.mkdtemp(dir=os.environ["XDG_CACHE_HOME"]))
