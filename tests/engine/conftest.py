"""The command line in a folder of its own, as its own tests have it."""

from tests.cli.conftest import analysed, lint, project

__all__ = ["analysed", "lint", "project"]
