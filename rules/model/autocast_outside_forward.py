"""AOTI702."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Path, Related, Rule, Severity, Span, judge, weaker
from aoti_lint.rule.events import CallEvent, CompileEvent, Event, ExportEvent, SaveEvent
from aoti_lint.rule.links import packages_of, programs_of
from aoti_lint.rule.torch import Autocast, autocast_active, autocast_parts, autocast_precision
from aoti_lint.rule.values import Loaded, Package, Program, Value

FORWARD = "put `with torch.autocast(…):` into forward: what runs under it there is kept in the program"


class AutocastOutsideForward(Rule):
    """Autocast is on around an export, a compile, or the call of a compiled package.

    What happens:
        Around `torch.export.export` autocast is ignored: the program computes in float32, where the model itself gave
        bfloat16 at the same place. Around `aoti_compile_and_package` it is baked in: a program of float32 becomes a
        package that computes in bfloat16 (or float16) and gives results in it, outside autocast as well. Around the
        call of a package it does nothing. None of them says a word.

    Why:
        Autocast decides at each operation that PyTorch dispatches. Export records the operations as the model wrote
        them; the compiler dispatches them again; a package dispatches none. An autocast inside `forward` is recorded.

    Bad:
        import torch

        model = torch.nn.Linear(8, 8).eval()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            program = torch.export.export(model, (torch.randn(2, 8),))  # <- AOTI702
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 8)

            def forward(self, x):
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    return self.fc(x)

        program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        `print(program)`: a region under autocast is a call of `wrap_with_autocast`. Compare the dtype of what the
        package gives with that of `program.module()`, both outside autocast.

    Sources:
        Run on torch 2.13: autocast around each of the three, around all of them, as a decorator, switched off, and
        for another type of device.
        https://docs.pytorch.org/docs/stable/amp.html
    """

    code = "AOTI702"
    name = "autocast-outside-forward"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "it may be meant"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        found: dict[Span, Diagnostic] = {}
        for one in self._all(facts):
            known = found.get(one.span)
            if known is None or known.confidence is Confidence.POSSIBLE:
                found[one.span] = one
        yield from found.values()

    def _all(self, facts: Facts) -> Iterator[Diagnostic]:
        compiled = [e for e in facts.of(CompileEvent) if isinstance(e.package, Package) and _under(e.package, e.path)]
        lowered = {p.span for e in compiled for p in _programs(facts, e.package, e)}
        exported = [e for e in facts.of(ExportEvent) if isinstance(e.program, Program) and e.program.autocasts]
        kept = self._only_called_under_it(facts) if exported else set()
        for event in exported:
            program = event.program
            if isinstance(program, Program) and program.span not in lowered and program.span not in kept:
                yield from self._exported(facts, event, program)
        for compile_event in compiled:
            yield from self._compiled(facts, compile_event)
        for call in facts.of(CallEvent):
            if isinstance(call.target, Loaded) and call.autocasts:
                yield from self._called(facts, call, call.target)

    def _only_called_under_it(self, facts: Facts) -> set[Span]:
        """The exports whose modules are called under autocast, which then has its say, and used nowhere else."""
        inside, outside = set[Span](), {e.program.span for e in facts.of(SaveEvent) if isinstance(e.program, Program)}
        for compiled in facts.of(CompileEvent):
            outside.update(program.span for program in _programs(facts, compiled.package, compiled))
        for call in facts.of(CallEvent):
            for program in _programs(facts, call.target, call):
                sure = judge(autocast_parts(program.device, call.autocasts), call.path, autocast_active)
                (outside if sure is None or isinstance(call.target, Loaded) else inside).add(program.span)
        return inside - outside

    def _exported(self, facts: Facts, event: ExportEvent, program: Program) -> Iterator[Diagnostic]:
        sure = _under(program, event.path)
        if sure is not None:
            yield self._report(
                facts, event, sure if program.castable else Confidence.POSSIBLE, program.autocasts,
                "exported under autocast, which the export ignores: the program computes in the dtype of the model",
                help=FORWARD,
            )  # fmt: skip

    def _compiled(self, facts: Facts, event: CompileEvent) -> Iterator[Diagnostic]:
        package = event.package
        assert isinstance(package, Package)
        sure, programs = _under(package, event.path), _programs(facts, package, event)
        if sure is None:
            return
        # Who exports under autocast as well wants what the compile makes of it.
        meant = not programs or any(not p.castable or _under(p, event.path) for p in programs)
        dtype = autocast_precision(_innermost(package.autocasts))
        yield self._report(
            facts, event, Confidence.POSSIBLE if meant else sure, package.autocasts,
            f"compiled under autocast: the package computes in {dtype} wherever it is called, the program does not",
            help=f"compile outside autocast; for {dtype}, {FORWARD}",
        )  # fmt: skip

    def _called(self, facts: Facts, event: CallEvent, loaded: Loaded) -> Iterator[Diagnostic]:
        packages = [c.value for c in packages_of(facts, loaded, event) if isinstance(c.value, Package)]
        programs = _programs(facts, loaded, event)
        told: list[Package | Program] = [*packages, *programs]
        verdicts = [judge(autocast_parts(one.device, event.autocasts), event.path, autocast_active) for one in told]
        if not told or None in verdicts or any(one.autocasts for one in told):
            return
        sure = weaker(*(v[0] for v in verdicts if v is not None))
        known = len(packages) == 1 and programs and all(p.castable for p in programs)
        yield self._report(
            facts, event, sure if known else Confidence.POSSIBLE, event.autocasts,
            "called under autocast, which does not reach into a compiled package: it computes as it was compiled",
            help=FORWARD, outcome=Outcome.NO_EFFECT,
            related=tuple(Related(one.span, "compiled here, outside autocast") for one in packages[:1]),
        )  # fmt: skip

    def _report(
        self,
        facts: Facts,
        event: Event,
        sure: Confidence,
        autocasts: tuple[Value, ...],
        message: str,
        *,
        help: str,
        outcome: Outcome = Outcome.SILENTLY_WRONG,
        related: tuple[Related, ...] = (),
    ) -> Diagnostic:
        on = Related(_innermost(autocasts).span, "autocast is turned on here")
        return self.found(
            facts, event, weaker(Confidence.LIKELY, sure), message, outcome=outcome,
            label="autocast is on here", related=(on, *related), help=help, symptom="wrong-result",
        )  # fmt: skip


def _innermost(autocasts: tuple[Value, ...]) -> Autocast:
    last = autocasts[-1]
    assert isinstance(last, Autocast)
    return last


def _under(made: Program | Package, path: Path) -> Confidence | None:
    """How sure it is that a program or package was made under autocast for its device."""
    verdict = judge(autocast_parts(made.device, made.autocasts), path, autocast_active) if made.autocasts else None
    return None if verdict is None else verdict[0]


def _programs(facts: Facts, package: Value, event: Event) -> list[Program]:
    return [c.value for c in programs_of(facts, package, event) if isinstance(c.value, Program)]
