"""What an error of a fake means."""

from __future__ import annotations

from typing import Any

from aoti_lint.probe.fakes import Run
from aoti_lint.probe.finding import Finding

_NO_FAKE = ("no fake impl registered", "with arguments from the 'Meta' backend")
_DATA = ("Cannot access data pointer", "Numpy", "numpy", "Cannot access storage", "data_ptr")
"""In the message. `data_ptr()` of a tensor with symbolic sizes speaks of numel() only: the line has to say it."""
_PARAMETERS = ("positional argument", "keyword argument")


def of_error(op: Any, run: Run, words: str) -> Finding | None:
    """The fault that made the fake raise, if it is one whatever the inputs are."""
    error = run.error
    if error is None:
        return None
    kind, text = type(error).__name__, says(error)
    if (kind == "UnsupportedOperatorException" and getattr(error, "func", None) is op) or any(
        part in str(error) for part in _NO_FAKE
    ):
        text = "has no fake in what was imported: torch.export and torch.compile cannot trace it"
        return Finding("fault", "AOTI401", text, None, words)
    if kind == "PendingUnbackedSymbolNotFound":
        size = run.place is not None and "dynamic_size" in run.place.text
        if size:
            return Finding("fault", "AOTI409", "makes a dynamic size that is in no output", run.place, words)
        return Finding("fault", "AOTI403", "reads data of a tensor: a fake has none", run.place, words)
    of_data = kind == "GuardOnDataDependentSymNode" and not getattr(error, "cond").free_symbols <= set(run.symbols)  # noqa: B009
    line = run.place.text if run.place is not None and "numel() on tensor with symbolic" in text else ""
    if (
        of_data
        or kind in ("DataDependentOutputException", "DynamicOutputShapeException")
        or any(part in f"{error} {line}" for part in _DATA)
    ):
        return Finding("fault", "AOTI403", f"reads data of a tensor, which a fake has not ({text})", run.place, words)
    if kind == "TypeError" and run.place is None and any(part in text for part in _PARAMETERS):
        return Finding(
            "fault", "AOTI410", f"its parameters are not those of the schema {op._schema}: {text}", None, words
        )
    if kind in ("NameError", "UnboundLocalError"):
        return Finding("fault", None, f"raises {text}", run.place, words)
    return None


def says(error: BaseException) -> str:
    """The first line of an error, with its type."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}"[:300] if first else type(error).__name__
