"""AOTI106."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches, judge, weaker
from aoti_lint.rule.events import CompileEvent, ExportEvent, ModuleMove
from aoti_lint.rule.values import Obj, Package, Program, ProgramModule, Value

from ._types import belongs, known_device

SHARED = frozenset({"cpu", "cuda"})
"""Device types between which a move keeps the parameter objects and gives them other data."""


class MovedAfterExport(Rule):
    """A model is moved to another device after its export and before the exported program is compiled.

    What happens:
        The compile raises. torch 2.11: `RuntimeError: Unhandled FakeTensor Device Propagation for …, found two
        different devices cpu, cuda:0`.

    Why:
        The program shares the parameters of the model, and so does what `program.module()` gives. The move gives these
        other data in place: they leave for the new device under the program. Its inputs, buffers and the constants in
        its graph stay where they were.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        net = Net().eval()
        program = torch.export.export(net, (torch.randn(4, 8),))
        net.cuda()  # <- AOTI106
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch
        from torch.export.passes import move_to_device_pass

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        net = Net().eval()
        program = torch.export.export(net, (torch.randn(4, 8),))
        program = move_to_device_pass(program, "cuda")
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        `{name: value.device for name, value in program.state_dict.items()}` right before the compile.

    Sources:
        Run on torch 2.11 with an NVIDIA H200, on one model; that the parameters are shared was run on torch 2.13
        (this project's tests). So it is never certain.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI106"
    name = "moved-after-export"
    outcome = Outcome.RAISES_AT_COMPILE
    doubt = "this was run with one model: whether the compile raises for each is not known"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        moves = facts.grouped(ModuleMove, _moved)
        exports = {e.program.ident: e for e in facts.of(ExportEvent) if isinstance(e.program, Program)} if moves else {}
        told: set[Span] = set()
        for event in facts.of(CompileEvent) if exports else ():
            # `aot_compile` is given a module, which it exports as it is by then.
            package = event.package
            program = package.program if isinstance(package, Package) and package.kind == "pt2" else None
            exported = exports.get(program.ident) if isinstance(program, Program) else None
            if (
                exported is None
                or not isinstance(program, Program)
                or catches(event.caught | event.expected, "RuntimeError")
            ):
                continue
            model = program.model.ident if isinstance(program.model, Obj) else None
            of_it = sorted({*moves.get(program.ident, ()), *moves.get(model, ())}, key=lambda move: move.order)
            after = [m for m in of_it if _moves(m, program) and exported.order < m.order < event.order]
            if not after or any(m.root != event.root for m in after) or after[-1].span in told:
                continue
            move = after[-1]
            verdict = judge([program.device, move.device], {**event.path, **move.path}, _parted)
            if verdict is not None:
                told.add(move.span)
                before, wanted = (known_device(v) for v in verdict[1])
                yield self.found(
                    facts,
                    move,
                    weaker(verdict, Confidence.LIKELY),
                    f"the parameters go to {wanted} after the export on {before}, and leave the program: the compile "
                    "raises",
                    label=f"moved to {wanted} here",
                    related=(
                        Related(exported.span, f"exported on {before} here"),
                        Related(event.span, "compiled here"),
                    ),
                    help=f'move the model before the export, or the program: move_to_device_pass(program, "{wanted}")',
                    symptom="device-mismatch",
                )


def _moved(move: ModuleMove) -> set[int]:
    """The identities of what is moved: those of models and of the programs of modules."""
    whole = move.module.program if isinstance(move.module, ProgramModule) else move.module
    return {whole.ident} if isinstance(whole, Obj | Program) else set()


def _moves(move: ModuleMove, program: Program) -> bool:
    """Whether a move takes parameters of a program along."""
    return belongs(move, program) and (isinstance(move.module, Obj) or "parameter" in (program.holds or ()))


def _parted(values: list[Value]) -> bool | None:
    """Whether a move from one device to the other takes the parameters along."""
    first, second = (known_device(v) for v in values)
    if first is None or second is None:
        return None
    return first.type != second.type and {first.type, second.type} <= SHARED
