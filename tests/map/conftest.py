"""The command in a folder of its own."""

from tests.cli.conftest import lint, project

__all__ = ["lint", "project"]
