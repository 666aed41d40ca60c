"""What a run finds, beside a baseline."""

from __future__ import annotations

import os

from aoti_lint.files.cache import content_hash
from aoti_lint.findings.baseline import entries_of, fingerprints, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from typing import Any

    from aoti_lint.diagnostics import Diagnostic
    from aoti_lint.findings.baseline import Entry
    from aoti_lint.findings.findings import Findings


class Standing:
    """The baseline of one run over the project at `root`, and what becomes of it."""

    def __init__(self, path: str, root: str) -> None:
        """Raises `CannotRun` for a file that is no baseline."""
        self.baseline = read(path)
        entries = self.baseline.entries.values()
        self._missing = {entry.path for entry in entries if not os.path.lexists(os.path.join(root, entry.path))}
        self.entries: Sequence[Entry] = [*entries]
        """What a baseline would hold that is written now; known after `new`."""
        self.known, self.gone = 0, 0

    def state(self) -> list[object]:
        """All that the baseline makes of a run, for the memory of runs."""
        told = sorted("\0".join(entry.key()) for entry in self.baseline.entries.values())
        return [content_hash("\0".join(told).encode("utf-8", "surrogatepass")), sorted(self._missing)]

    def speaks_of(self, paths: Iterable[str]) -> bool:
        """Whether there are entries of one of these files."""
        spoken = {entry.path for entry in self.baseline.entries.values()}
        return not spoken.isdisjoint(paths)

    def new(self, found: Sequence[Diagnostic], findings: Findings, unread: Container[str]) -> list[Diagnostic]:
        """The findings that the baseline does not have.

        An entry that was not found is gone where its rule was run over its file, or where there is no such file; not
        so where the file is one of the `unread`.
        """
        entries = self.baseline.entries
        new = [item for item in found if not entries.keys() >= fingerprints(item)]
        there = {one for item in found for one in fingerprints(item)}

        def is_gone(entry: Entry) -> bool:
            if entry.fingerprint in there or entry.path in unread:
                return False
            if entry.path in findings.named:
                return entry.code in findings.enabled_in(entry.path)
            return entry.path in self._missing and findings.is_first_shard

        kept = [entry for entry in entries.values() if not is_gone(entry)]
        self.known, self.gone = len(found) - len(new), len(entries) - len(kept)
        made = [entry for item in findings.shown(new) for entry in entries_of(item, findings.line_at)]
        self.entries = [*kept, *(entry for entry in made if entry.fingerprint not in entries)]
        return new

    def count(self, summary: dict[str, Any]) -> None:
        """Say in the summary of a document what was held back, and what is gone."""
        summary["baselined"], summary["baseline_gone"] = self.known, self.gone
