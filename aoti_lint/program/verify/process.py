"""The child process of `verify` as the parent sees it."""

from __future__ import annotations

import sys
from typing import Any

from aoti_lint.isolated.process import Died, Process
from aoti_lint.program.verify.protocol import Open, Opened, Result


class Child(Process):
    """Runs cases in a process that loads the models once, and again after it died."""

    def __init__(self, asked: Open, python: str = sys.executable, timeout: float = 120.0) -> None:
        super().__init__("aoti_lint.program.verify.child.worker", asked.model_dump(), python, timeout)

    def __enter__(self) -> Child:
        return self

    def open(self) -> Opened:
        """Load the models in a new process. Raises `CannotRun` when that fails."""
        return Opened.model_validate(super().open())

    def run_case(self, calls: list[list[str]], **options: Any) -> Result | Died:
        """Run a case; `calls` are the texts of its arguments."""
        answer = self.run(calls=calls, **options)
        return answer if isinstance(answer, Died) else Result.model_validate(answer)
