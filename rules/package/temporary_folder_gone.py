"""AOTI619."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import ApiCall

_GONE = "a load from a temporary folder that is gone"
"""What such a load is told as."""
_RAISED = ("RuntimeError", "OSError", "FileNotFoundError", "ValueError")


class TemporaryFolderGone(Rule):
    """A package or program is loaded from a temporary folder that was removed before.

    What happens:
        `aoti_load_package` raises `RuntimeError: Failed to initialize zip archive: file open failed`,
        `torch.export.load` and `torch.load` raise `FileNotFoundError`, `torch.jit.load` a `ValueError`.

    Why:
        `with tempfile.TemporaryDirectory() as folder` removes the folder and all that is in it when the block ends,
        also where it ends by a `return`. `cleanup()` does the same. What was loaded inside of the block can be called
        behind it.

    Bad:
        import tempfile
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        with tempfile.TemporaryDirectory() as folder:
            path = torch._inductor.aoti_compile_and_package(program, package_path=f"{folder}/linear.pt2")
        run = torch._inductor.aoti_load_package(path)  # <- AOTI619

    Good:
        import tempfile
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        with tempfile.TemporaryDirectory() as folder:
            path = torch._inductor.aoti_compile_and_package(program, package_path=f"{folder}/linear.pt2")
            run = torch._inductor.aoti_load_package(path)
        run(torch.ones(2, 8))

    How to debug:
        `os.path.exists(path)` right before the load.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.python.org/3/library/tempfile.html#tempfile.TemporaryDirectory
    """

    code = "AOTI619"
    name = "temporary-folder-gone"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ApiCall):
            if event.name != _GONE or catches(event.caught | event.expected, *_RAISED):
                continue
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                "the temporary folder of this file is gone by now: the load raises",
                label="loaded here",
                related=(Related(event.places["folder"], "removed when this ends"),),
                help="load it before the folder goes; or write it to a folder of tempfile.mkdtemp(), which stays",
                symptom="load-error",
            )
