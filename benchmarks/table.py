"""The results as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.measure import Aim, Row

FORMAT = "aoti-lint-benchmark/1"


def table(rows: Iterable[Row], aims: Iterable[Aim]) -> Iterator[str]:
    """The lines of two tables: CPU seconds, then ratios beside what they should be."""
    lines: list[tuple[str, ...]] = [("job", "tool", "CPU s", "runs", "peak MiB", "")]
    for row in rows:
        note = "" if row.factor == 1 else f"scaled by bytes, × {row.factor:.1f}"
        lines.append((row.job, row.tool, f"{row.cpu:.3f}", str(len(row.samples)), f"{row.peak_mib:.0f}", note))
    yield from _aligned(lines, right=(2, 3, 4))
    yield ""
    lines = [("ratio of CPU seconds", "is", "aim", "")]
    for aim in aims:
        lines.append((aim.name, number(aim.ratio), f"<= {number(aim.limit)}", "met" if aim.met else "MISSED"))
    yield from _aligned(lines, right=(1, 2))


def document(
    rows: Iterable[Row], aims: Iterable[Aim], *, tools: Mapping[str, str], inputs: Mapping[str, object]
) -> dict[str, Any]:
    """All that was measured, as values of JSON's types."""
    return {
        "format": FORMAT,
        "tools": dict(tools),
        "inputs": dict(inputs),
        "rows": [
            {
                "job": row.job,
                "tool": row.tool,
                "cpu_seconds": row.cpu,
                "samples": [sample.cpu for sample in row.samples],
                "peak_mib": row.peak_mib,
                "scaled_by": row.factor,
            }
            for row in rows
        ],
        "ratios": [{"name": aim.name, "ratio": aim.ratio, "aim": aim.limit, "met": aim.met} for aim in aims],
    }


def number(value: float) -> str:
    """A ratio for people: small ones as a fraction of one."""
    return f"1/{1 / value:.1f}" if 0 < value < 0.2 else f"{value:.2f}"


def _aligned(lines: Sequence[tuple[str, ...]], right: Sequence[int]) -> Iterator[str]:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
