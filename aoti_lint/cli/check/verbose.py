"""`--verbose`: how a run came to what it says."""

from __future__ import annotations

from aoti_lint.quoting.terminal import tell
from aoti_lint.report.check.summary import count, versions_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.engine.check import Report
    from aoti_lint.options import Options


def tell_how(report: Report, options: Options) -> None:
    """Say on standard error what decided what was found, and what was remembered."""
    config, torch = options.config.path, report.document["torch"]
    versions = f"{versions_text(torch['versions'])} ({torch['origin']})" if torch["versions"] else torch["origin"]
    said = {
        "project root": report.root,
        "configuration": "none" if config is None else report.name(config),
        "torch": versions,
    }
    if report.standing is not None:
        baseline = report.standing.baseline
        said["baseline"] = f"{report.name(baseline.path)}, {count(len(baseline.entries), 'finding')}"
    said["cache"] = _cache(report)
    for name, value in said.items():
        tell(f"aoti-lint: {name}: {value}")


def _cache(report: Report) -> str:
    if report.cache is None:
        return "not used"
    if report.cache.refused:
        return f"{report.cache.folder} is not used: {report.cache.refused}"
    if report.remembered:
        return f"{report.cache.folder}; no statement has changed since the last such run, so its report is told again"
    return f"{report.cache.folder}; what has changed since the last run was analysed"
