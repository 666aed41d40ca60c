from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule


class UnreadableFile(Rule):
    """A file cannot be read, parsed or compiled.

    What happens:
        Python would stop with a SyntaxError (or the file is not text in the encoding it declares), and nothing else in
        the file was checked. The exit code is 2, whatever else was found, and no comment or option hides it. Some of it
        only Python's compiler refuses: a `from __future__` import behind other code, a `return` outside of a function.
        A `.pt2` or `.so` that is cut short or damaged is told in the same way, and a file that is not there; so is a
        file of settings (JSON, TOML, YAML) that is named, and that a script reads.

    Why:
        A linter that skips what it cannot read says "no problems" about a file it never saw.

    Bad:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),)  # <- AOTI002
        torch.export.save(program, "relu.pt2")

    Good:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
        torch.export.save(program, "relu.pt2")

    How to debug:
        Run `python -m py_compile FILE`, or `python -m zipfile -t FILE.pt2`: an archive that is damaged has to be copied
        or written anew. Files with nothing of interest are not parsed, so they are not reported.

    Sources:
        https://docs.python.org/3/reference/lexical_analysis.html
    """

    code = "AOTI002"
    name = "unreadable-file"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        """Nothing: the engine reports it, as there are no facts about such a file."""
        return ()
