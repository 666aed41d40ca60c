"""Sizes, ranges and the like in words."""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.program import facts


def bytes_text(count: int | None) -> str:
    """A size for people."""
    if count is None:
        return ""
    value, unit = float(count), "B"
    for larger in ("KB", "MB", "GB", "TB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{count} B" if unit == "B" else f"{value:.1f} {unit}"


def sizes_text(shape: Sequence[facts.Size] | None) -> str:
    """A shape as Python writes it in brackets."""
    return "" if shape is None else f"[{', '.join(map(str, shape))}]"


def range_text(value: facts.Range) -> str:
    """Both ends of a range in words."""
    low = "any" if value.min is None else str(value.min)
    return f"{low} or more" if value.max is None else f"{low} to {value.max}"


def debug_words(debug: facts.DebugCode) -> list[str]:
    """What was compiled in to find errors with, each in a few words."""
    printer = {"save": "debug printer (saves tensors)", "print": "debug printer (prints values)",
               "names": "debug printer (prints kernel names)"}  # fmt: skip
    words = [printer[debug.printer]] if debug.printer is not None else []
    words += ["NaN asserts"] if debug.nan_asserts else []
    words += ["debug symbols"] if debug.symbols else []
    words += ["compiled without optimisation (-O0)"] if debug.optimised is False else []
    return words
