"""AOTI609."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity

if TYPE_CHECKING:
    from aoti_lint.rule.contents import DebugCode

_PRINTER = {
    "save": "saves every intermediate tensor to a file at every call",
    "print": "prints every intermediate tensor at every call",
    "names": "prints the name of every kernel at every call",
}


class DebugCodeLeftIn(Rule):
    """A package was compiled with code that was meant to find an error.

    What happens:
        With the debug printer every call prints, or writes files into `tmp/` of the present folder, and waits for the
        device between kernels. With NaN asserts a NaN or an infinity raises, where without them it would be a result.
        With `debug_compile` the C++ is not optimised. No variable at run time turns any of it off. Debug symbols alone
        only cost space: advice.

    Why:
        The flags are read by the compile and become code of the package.

    Bad:
        # archive: printer.pt2  # <- AOTI609
        # file: build.py
        import torch
        from net import Net

        program = torch.export.export(Net().eval(), (torch.ones(4, 8),))
        torch._inductor.aoti_compile_and_package(
            program,
            package_path="printer.pt2",
            inductor_configs={"aot_inductor.debug_intermediate_value_printer": "2"},
        )

    Good:
        # archive: static_compiled.pt2
        # file: build.py
        import torch
        from net import Net

        program = torch.export.export(Net().eval(), (torch.ones(4, 8),))
        torch._inductor.aoti_compile_and_package(program, package_path="static_compiled.pt2")

    How to debug:
        Compile again without `AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER`, `TORCHINDUCTOR_NAN_ASSERTS`,
        `AOT_INDUCTOR_DEBUG_COMPILE` and `AOT_INDUCTOR_DEBUG_SYMBOLS` in the environment. They are part of the key of
        the compile cache, so it need not be emptied.

    Sources:
        Archives of torch 2.13 compiled with each flag. `torch/_inductor/config.py` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI609"
    name = "debug-code-left-in"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "it may have been left in on purpose"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        if facts.gate.debug_code is False:
            return  # the release gate says it, as an error
        for archive in facts.archives:
            for package in archive.data.packages:
                for what, effect, confidence, row in debug_code(package.debug):
                    yield self.found_in(
                        facts,
                        archive,
                        confidence,
                        f"compiled with {what}: it {effect}",
                        subject=f"{package.name}: {what}",
                        member=package.member,
                        row=row,
                        help=f"compile it again without {what}",
                    )


def debug_code(debug: DebugCode) -> Iterator[tuple[str, str, Confidence, int | None]]:
    """What was compiled in, what it does, how sure it is that nobody wants it, and the line of the wrapper it is in."""
    row = debug.rows.get
    if debug.printer is not None:
        yield "the debug printer", _PRINTER[debug.printer], Confidence.LIKELY, row("printer")
    if debug.nan_asserts:
        yield "NaN asserts", "raises for a NaN or an infinity", Confidence.LIKELY, row("nan_asserts")
    if debug.optimised is False:
        yield "debug_compile", "runs C++ that is not optimised", Confidence.LIKELY, row("optimised")
    if debug.symbols:
        yield "debug symbols", "is larger than it need be", Confidence.POSSIBLE, row("symbols")
