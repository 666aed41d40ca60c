"""The files of the project, and which of them import which."""

# ruff: noqa: I001  (the names stand in rows)

from __future__ import annotations

from aoti_lint.roots.call_order import names_in
from aoti_lint.source.discovery.discover import is_native
from aoti_lint.source.interest.imported import IMPORT as IMPORT_STATEMENT, pairs as imported_names
from aoti_lint.source.project import Project

__all__ = [
    "IMPORT_STATEMENT", "Project", "imported_names", "is_native", "names_in",
]  # fmt: skip
