"""Which exported programs, packages and archives belong together, over all files that were checked."""

# ruff: noqa: I001  (the names stand in rows)

from __future__ import annotations

from aoti_lint.linking.archives import Link, archive_of, called_archive, capped, loaded_archive, written as exports_of
from aoti_lint.linking.artefacts import (
    Candidate, beside, compiled_for, file_of_host, link_between, overall, packages_for, packages_of, programs_of,
    writers_of, written_to,
)  # fmt: skip

__all__ = [
    "Candidate", "Link", "archive_of", "beside", "called_archive", "capped", "compiled_for", "exports_of",
    "file_of_host", "link_between", "loaded_archive", "overall", "packages_for", "packages_of", "programs_of",
    "writers_of", "written_to",
]  # fmt: skip
