"""The mark of tests that run real torch."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proof: runs a script with real torch; AOTInductor compiles take minutes")
