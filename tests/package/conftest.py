"""The command in a folder of its own, as for the tests of the command."""

from __future__ import annotations

from tests.cli.conftest import lint, project

__all__ = ["lint", "project"]
