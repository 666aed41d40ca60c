"""Holds what the linter says of a script against what torch does with it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.random_scripts.outcomes import Outcomes
from tests.random_scripts.torch_side import Ended, Torch

TORCH = "2.13"


@dataclass(frozen=True)
class Said:
    """One finding that a user sees without asking for advice."""

    code: str
    severity: str
    outcome: str
    row: int
    message: str

    @property
    def raises(self) -> bool:
        """Whether it says that a run ends."""
        return self.outcome.startswith(("raises", "crash"))


@dataclass(frozen=True)
class Verdict:
    """A script, how it ended, and what the linter said."""

    number: int
    text: str
    ended: Ended
    said: tuple[Said, ...]

    @property
    def false(self) -> list[Said]:
        """What says that a script fails which works."""
        return [one for one in self.said if self.ended.works and one.raises and not self.elsewhere(one)]

    def elsewhere(self, one: Said) -> bool:
        """Whether it is about a device that is not here, or a compile that the script does not come to."""
        if one.severity == "warning" and "cuda" in one.message:
            return True
        return one.outcome == "raises at compile" and "compile" not in self.text


def lint(script: Path) -> tuple[Said, ...]:
    """What the linter says of a script."""
    document: dict[str, Any] = check(Options([str(script)], Config(), cache=False, torch_version=TORCH)).document
    assert not document["errors"], document["errors"]
    return tuple(
        Said(item["code"], item["severity"], item["outcome"], item["location"]["row"], item["message"])
        for item in document["diagnostics"]
        if item["severity"] != "info"
    )


class Judge:
    """Judges scripts. Use it as a context manager. With `reads` off it only runs them.

    With `suspects` it runs those only that are said to fail, and gives no verdict of the others: a quick way to what is
    wrongly said.
    """

    def __init__(self, outcomes: Outcomes | None = None, *, reads: bool = True, suspects: bool = False) -> None:
        self._outcomes, self._reads, self._suspects = outcomes or Outcomes(None), reads, suspects

    def __enter__(self) -> Judge:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._scratch = Path(tempfile.mkdtemp(prefix="random-scripts-", dir=memory))
        self._torch = Torch()
        return self

    def __exit__(self, *_: object) -> None:
        self._torch.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def all(self, scripts: Iterable[tuple[int, str]]) -> Iterator[Verdict]:
        """The verdict of each; torch runs it while the linter reads it."""
        for number, text in scripts:
            folders = self._scratch / "run", self._scratch / "read"
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                folder.joinpath("script.py").write_text(text, encoding="utf-8")
            ended = self._outcomes.of(text)
            if ended is None and not self._suspects:
                self._torch.ask(folders[0] / "script.py")
            said = lint(folders[1] / "script.py") if self._reads else ()
            if self._suspects:
                if not any(one.raises for one in said):
                    continue
                if ended is None:
                    self._torch.ask(folders[0] / "script.py")
            if ended is None:
                ended = self._torch.answer()
                self._outcomes.keep(text, ended)
            yield Verdict(number, text, ended, said)
