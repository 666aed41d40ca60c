"""AOTI715."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, catches, reached, weaker
from aoti_lint.rule.archives import Names
from aoti_lint.rule.events import CallEvent, CompileEvent, ExportEvent, SaveEvent, WeightsGiven
from aoti_lint.rule.links import written_to
from aoti_lint.rule.values import TRUE, Loaded, Obj, Program, Tensor, Tup, Value, leaves

from ._late import DTYPE, HOOKS, MODE, Late, late_uses, root_of

_Made = CompileEvent | SaveEvent | ExportEvent


class WeightsAfterCompile(Rule):
    """A model is given weights, or other attributes, after the package or program was made that is to have them.

    What happens:
        Nothing fails. The package computes with the weights that the model had when it was compiled: here those it was
        initialised with, so its results are random. The same goes for a number that is set after the export, and for
        a buffer that is changed in place after the compile, and for hooks that are registered after the export.
        Weights that are cast after the export make calls raise: `RuntimeError: mat1 and mat2 must have
        the same dtype, but got Float and Half`.

    Why:
        A compile and `torch.export.save` write the weights down. An exported program in memory shares its tensors with
        the model, and does see what is loaded or written into them later. It does not see other tensors in their
        place: those of `load_state_dict(…, assign=True)`, a buffer or layer that is assigned. Numbers and flags that
        the forward reads are in the graph as they were, also those of layers and of objects of settings; so is what
        forward hooks do, which ran once, at the export. `model.half()`
        casts the parameters of the program as well, and neither its buffers nor the dtypes in its graph.

    Bad:
        import torch

        model = torch.nn.Linear(8, 64)
        program = torch.export.export(model, (torch.randn(2, 8),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        model.load_state_dict(torch.load("weights.pt"))  # <- AOTI715
        run = torch._inductor.aoti_load_package(path)

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = 1.0

            def forward(self, x):
                return x * self.scale

        net = Net()
        program = torch.export.export(net, (torch.randn(2, 8),))
        net.scale = 0.5  # <- AOTI715
        print(program.module()(torch.randn(2, 8)))

    Good:
        import torch

        model = torch.nn.Linear(8, 64)
        model.load_state_dict(torch.load("weights.pt"))
        program = torch.export.export(model, (torch.randn(2, 8),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)

    How to debug:
        Compare `run(x)` with `model(x)`. A package takes other weights with `run.load_constants(…)`. What is to change
        between calls is an input of forward.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI715"
    name = "weights-after-compile"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "nothing may use what was compiled before"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        yield from self._loaded(facts)
        for late in late_uses(facts):
            first, then = reached(late.event.path, late.export.path), reached(late.used.path, late.event.path)
            if first is None or then is None or late.event.name == MODE:
                continue
            likely = Confidence.LIKELY if late.only else Confidence.POSSIBLE
            if late.event.name != DTYPE:
                yield self._late(facts, late, weaker(likely, first, then))
            elif late.only and _raises(late):
                yield self._cast(facts, late, weaker(likely, first, then))

    def _cast(self, facts: Facts, late: Late, sure: Confidence) -> Diagnostic:
        called = isinstance(late.used, CallEvent)
        what = "a call with the inputs of before raises" if called else "the package raises at each call"
        return self.found(
            facts,
            late.event,
            sure,
            f"the weights are cast after the export, and the graph of the program is for those of before: {what}",
            outcome=Outcome.RAISES_AT_CALL,
            label="cast here",
            related=(
                Related(late.export.span, "exported here"),
                Related(late.used.span, f"{'called' if called else 'compiled'} here"),
            ),
            help="cast the model and its example inputs before the export",
            symptom="shape-mismatch",
        )

    def _late(self, facts: Facts, late: Late, sure: Confidence) -> Diagnostic:
        event, export, used = late.event, late.export, late.used
        name, bound, hook = event.name, event.used == "bound", event.name == HOOKS
        what = "set after the model was exported: the program has it as it was then"
        if not bound:
            what = "changed after the model was compiled: the package has a copy from before"
        if hook:
            what = "no hook that is registered after the export: it never runs for the program"
        run = "called" if isinstance(used, CallEvent) else "saved" if isinstance(used, SaveEvent) else "compiled"
        return self.found(
            facts,
            event,
            sure,
            f"the program has {what}" if hook else f"{name} is {what}",
            label="has no effect on it",
            related=(Related(export.span, "exported here"), Related(used.span, f"the program is {run} here")),
            help="register it before the export, or return what it looks at from forward"
            if hook
            else f"set {name} before the export, or make it an input of forward"
            if bound
            else "change it before the compile, or give the package what it is now with load_constants",
            symptom="wrong-result",
        )

    def _loaded(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(WeightsGiven):
            first = None if event.expected else _made_before(facts, event)
            sure = None if first is None else reached(event.path, first.path)
            if first is None or sure is None:
                continue
            exported = isinstance(first, ExportEvent)
            kind = "exported" if exported else "saved" if isinstance(first, SaveEvent) else "compiled"
            keeps = "the program keeps those" if exported else "what was written has those"
            yield self.found(
                facts,
                event,
                weaker(Confidence.LIKELY, sure),
                f"these weights come after the model was {kind}: {keeps} from before",
                label="loaded here",
                related=(Related(first.span, f"{kind} here, with the weights it was made with"),),
                help="load the weights before the model is exported",
                symptom="wrong-result",
            )


def _raises(late: Late) -> bool:
    """Whether a program whose weights were cast surely meets an input of another dtype, or a package of it does."""
    program, used = late.export.program, late.used
    if not isinstance(program, Program) or catches(used.caught | used.expected, "RuntimeError"):
        return False
    if not any(layer.startswith(("Linear", "Conv")) for _, layer in program.layers):
        return False
    if not isinstance(used, CallEvent):
        return isinstance(used, CompileEvent)
    before, now = ([one.dtype for one in _tensors(args)] for args in (program.args, Tup(used.args)))
    return bool(before) and before == now and None not in now and not used.open and not used.kwargs


def _tensors(args: Value) -> list[Tensor]:
    return [one for _, leaf in leaves(args) if isinstance(leaf, Tup) for one in leaf.items if isinstance(one, Tensor)]


def _made_before(facts: Facts, event: WeightsGiven) -> _Made | None:
    """What was made of a model before it is given weights, with none that were loaded, and is not made again after."""
    taker = event.taker
    given = facts.grouped(WeightsGiven, root_of).get(event.root, ())
    if not isinstance(taker, Obj) or isinstance(event.given, Names):
        return None  # those of a model in memory may be its own, which it is given back
    if any(isinstance(other.taker, Loaded) for other in given):
        return None  # a package may be given weights by itself
    # Weights that are copied into a model are its program's as well.
    kinds: tuple[type[_Made], ...] = (ExportEvent,) if event.assign == TRUE else (CompileEvent, SaveEvent)
    made: list[_Made] = [one for kind in kinds for one in facts.grouped(kind, root_of).get(event.root, ())]
    ours = [one for one in made if taker.ident in _models(one)]
    before = [one for one in ours if one.order < event.order]
    if not before or len(before) < len(ours):
        return None
    last = max(before, key=lambda one: one.order)
    return None if any(other.taker == taker and other.order < last.order for other in given) else last


def _models(event: _Made) -> set[int]:
    """The models that are in what was made."""
    made = event.program if isinstance(event, ExportEvent) else written_to(event)[1]
    programs = (one for _, one in leaves(made, event.path) if isinstance(one, Program))
    return {program.model.ident for program in programs if isinstance(program.model, Obj)}
