"""One place that knows where everything lies."""
from pathlib import Path

HERE = Path(__file__).parent.resolve()


def artifact(name: str, *, rows: int | None = None) -> Path:
    suffix = f"-{rows}" if rows else "-dynamic"
    return HERE.joinpath("out", name + suffix).with_suffix(".pt2")
