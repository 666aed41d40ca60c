"""The command in a folder of its own, and real torch, as for the tests of the command and the proofs."""

from __future__ import annotations

from tests.cli.conftest import analysed, lint, project
from tests.proof.conftest import pytest_configure

__all__ = ["analysed", "lint", "project", "pytest_configure"]
