"""AOTI607."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import CompileEvent
from aoti_lint.rule.links import archive_of, capped
from aoti_lint.rule.values import LoadedProgram, Package

COMPILE = "torch._inductor.aoti_compile_and_package"


class ProgramWithoutExamples(Rule):
    """A saved program without example inputs is compiled.

    What happens:
        Compiling raises: `RuntimeError: exported_program.example_inputs is required to be set in order for AOTInductor
        compilation.` A script that only runs the program never notices. The archive alone gets advice (`--pedantic`).

    Why:
        `torch.export.save` keeps the example inputs of the export. Passes and tools that build a program anew, and code
        that drops them to save space, leave them out.

    Bad:
        # archive: no_examples.pt2
        # file: compile.py
        import torch

        program = torch.export.load("no_examples.pt2")
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")  # <- AOTI607

    Good:
        # archive: static.pt2
        # file: compile.py
        import torch

        program = torch.export.load("static.pt2")
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")

    How to debug:
        `torch.export.load("model.pt2").example_inputs` is None. Set it (`program.example_inputs = (args, kwargs)`)
        before it is saved or compiled.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI607"
    name = "program-without-examples"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        compiled = set()
        for event in facts.of(CompileEvent):
            made = event.package
            if not isinstance(made, Package) or made.api != COMPILE or not isinstance(made.program, LoadedProgram):
                continue
            link = archive_of(facts, made.program.file, event)
            programs = link.archive.data.programs if link is not None else ()
            if link is None or not programs or any(p.example_inputs is not False for p in programs):
                continue
            compiled.add(link.archive.path)
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            yield self.found(
                facts,
                event,
                capped(link, Confidence.CERTAIN),
                f"the program in {link.archive.path} has no example inputs: the compile raises",
                label="compiled here",
                related=(Related(made.program.span, "loaded here"),),
                notes=link.notes,
                help="save the program with its example inputs, or set program.example_inputs = (args, kwargs) first",
                symptom="compile-error",
            )
        for archive in facts.archives:
            for program in archive.data.programs:
                if program.example_inputs is False and archive.path not in compiled:
                    yield self.found_in(
                        facts,
                        archive,
                        Confidence.POSSIBLE,
                        "the program has no example inputs: aoti_compile_and_package will refuse it",
                        subject=program.name,
                        member=program.member,
                        help="save the program with its example inputs",
                    )
