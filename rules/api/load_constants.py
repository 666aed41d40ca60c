"""AOTI218."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from functools import partial

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.archives import Names
from aoti_lint.rule.events import ApiCall, CallEvent, ConfigWrite, WeightsGiven
from aoti_lint.rule.links import Candidate, archive_of, capped, overall, packages_of, programs_of
from aoti_lint.rule.values import FALSE, NONE, TRUE, Choice, Const, Loaded, Package, Pairs, Program, Value

from ..model._kept import RUN_ON
from ..package._imports import in_its_process, may_meet, reach
from ..package.weights_never_loaded import LOADS
from ._constants import absent, dotted, inlined, missing, others

_METHOD = "torch._inductor.package.package.AOTICompiledModel"
_LOADERS = (f"{_METHOD}.load_constants", f"{_METHOD}.update_constant_buffer")
_COMPILES = ("torch._inductor.aoti_compile_and_package", "torch._inductor.aot_compile")
_FOLDING = ("freezing", "use_runtime_constant_folding")
_KEEPING = ("always_keep_tensor_constants", "use_runtime_constant_folding")
_INSIDE = "aot_inductor.package_constants_in_so"
_BESIDE = ("aot_inductor.package_constants_on_disk_format", "aot_inductor.package_constants_on_disk")


class LoadConstants(Rule):
    """The weights of a compiled model are loaded too late, not all of them, under other names, or without saying how.

    What happens:
        A package that was compiled without weights ends the process with a segmentation fault when it is called before
        `load_constants`. A name it does not have raises `RuntimeError: Constant not found: fc.wt`. Without
        `check_full_update` the call raises `TypeError: AOTICompiledModel.load_constants() missing 1 required
        keyword-only argument: 'check_full_update'`. Buffers that are not given keep the values they were compiled with,
        which is said in a warning on the error stream; a package without weights then crashes at its first call.
        Parameters that are not given raise `Cannot find constants fc_weight in constants_map!` with
        `check_full_update=True`. `update_constant_buffer` of the loader inside, which wants the names of the compiled
        code (`fc_weight`), raises that too, or changes nothing where it is not to check.

    Why:
        With `aot_inductor.package_constants_in_so=False` the weights are nowhere in the package. `check_full_update`
        says whether all of them must be given, and torch demands the parameters alone. `named_parameters()` has no
        buffers, and `state_dict()` none with `persistent=False`.

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 32).eval(), torch.randn(8, 10)
        program = torch.export.export(model, (x,))
        options = {"aot_inductor.package_constants_in_so": False}
        path = torch._inductor.aoti_compile_and_package(program, inductor_configs=options)
        run = torch._inductor.aoti_load_package(path)
        run(x)  # <- AOTI218
        run.load_constants(model.state_dict(), check_full_update=True)

    Bad:
        import torch

        run = torch._inductor.aoti_load_package("model.pt2")
        run.load_constants(torch.load("weights.pt"))  # <- AOTI218

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = torch.nn.BatchNorm1d(16)

            def forward(self, x):
                return self.norm(x)

        model, x = Net().eval(), torch.randn(8, 16)
        program = torch.export.export(model, (x,))
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
        run.load_constants(dict(model.named_parameters()), check_full_update=True)  # <- AOTI218

    Good:
        import torch

        model, x = torch.nn.Linear(10, 32).eval(), torch.randn(8, 10)
        program = torch.export.export(model, (x,))
        options = {"aot_inductor.package_constants_in_so": False}
        path = torch._inductor.aoti_compile_and_package(program, inductor_configs=options)
        run = torch._inductor.aoti_load_package(path)
        run.load_constants(model.state_dict(), check_full_update=True)
        run(x)

    How to debug:
        `run.get_constant_fqns()` lists the names. Parameters of one element, and one-dimensional ones of up to 8 (the
        bias of a `Linear` with few outputs), are written into the code and are not among them, nor is what nothing
        reads, such as `num_batches_tracked`.

    Sources:
        `torch/export/pt2_archive/_package.py`, line 749, of release 2.13.0, and the same in 2.6.0 to 2.15.0; run on
        torch 2.13: exit code -11 for the first.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI218"
    name = "load-constants"
    doubt = "something that was not followed may give it the weights"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        loads = [event for event in facts.of(ApiCall) if event.name in _LOADERS and isinstance(event.receiver, Loaded)]
        told: set[Span] = set()
        for event in loads:
            raising = list(self._arguments(facts, event))
            told |= {event.span} if raising else set()
            yield from raising
        outside = _without_weights(facts)
        whole = {one.span for one in loads if one.arg(2, "check_full_update") == TRUE}
        for given in facts.of(WeightsGiven):
            if given.span not in told:
                raising = list(self._compiled_in(facts, given))
                yield from raising
                if given.span in whole and not raising:
                    raising = list(self._parameters_missing(facts, given))
                    yield from raising or self._not_all(facts, given, outside)
        called: set[int] = set()
        for call in facts.of(CallEvent) if outside else ():
            target = call.target
            if not isinstance(target, Loaded) or target.ident in called:
                continue
            called.add(target.ident)
            yield from self._too_early(facts, call, target, loads, outside)

    def _arguments(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        caught, loaded = event.caught | event.expected, event.receiver
        if not isinstance(loaded, Loaded):
            return
        if not event.name.endswith("load_constants"):
            yield from self._of_the_code(event, facts)
            return
        alone = not event.open and len(event.args) + ("constants_map" in event.kwargs) == 1
        if alone and "check_full_update" not in event.kwargs and not catches(caught, "TypeError"):
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                "load_constants needs check_full_update: it raises",
                outcome=Outcome.RAISES,
                label="without check_full_update",
                help="add check_full_update=True, or False to replace some of the weights only",
            )
        given = event.arg(0, "constants_map")
        link = archive_of(facts, loaded.file, event)
        packages = link.archive.data.packages if link is not None else ()
        if given is None or link is None or len(packages) != 1 or not packages[0].weights:
            return
        names = {weight.name for weight in packages[0].weights}
        verdict = judge([given], event.path, lambda values: bool(others(names, values[0])))
        if verdict is not None and not catches(caught, "RuntimeError"):
            strange = ", ".join(others(names, verdict[1][0]))
            yield self.found(
                facts,
                event,
                capped(link, verdict[0]),
                f"{link.archive.path} has no weight {strange}: load_constants raises",
                span=event.place(0, "constants_map"),
                outcome=Outcome.RAISES,
                label=f"{strange} here",
                related=(Related(link.archive.span, "the file"),),
                notes=link.notes,
                help=f"the weights of the package are {', '.join(sorted(names)[:8])}",
                symptom="load-error",
            )

    def _of_the_code(self, event: ApiCall, facts: Facts) -> Iterator[Diagnostic]:
        """`update_constant_buffer` takes the names in the compiled code, which have no dots."""
        given, checked = event.arg(0, "tensor_map"), event.arg(2, "validate_full_updates")
        verdict = judge([given], event.path, lambda values: bool(dotted(values[0]))) if given is not None else None
        if verdict is None or not event.versions & RUN_ON or catches(event.caught | event.expected, "RuntimeError"):
            return
        raises = checked == TRUE
        yield self.found(
            facts,
            event,
            verdict[0],
            f"update_constant_buffer does not know {dotted(verdict[1][0])[0]}: it wants the names of the compiled "
            f"code, which have no dots, {'and raises' if raises else 'and loads nothing, without a word'}",
            failing=event.versions & RUN_ON,
            outcome=Outcome.RAISES if raises else Outcome.SILENTLY_WRONG,
            label="names of the model",
            help="call load_constants, which takes the names of the model",
            symptom="load-error" if raises else "wrong-result",
        )

    def _compiled_in(self, facts: Facts, event: WeightsGiven) -> Iterator[Diagnostic]:
        """Weights that the compiler has written into the code are not in the package under their names."""
        versions = _raising(event)
        if not versions:
            return
        programs = programs_of(facts, event.taker, event)
        if _may_be_set(facts, event, programs, _KEEPING):
            return
        names = [one.value.names if isinstance(one.value, Program) else NONE for one in programs]
        verdicts = [judge([event.given, one], event.path, lambda values: bool(inlined(*values))) for one in names]
        sure = overall(programs, [verdict and verdict[0] for verdict in verdicts], event)
        cases = [verdict[1] for verdict in verdicts if verdict is not None]
        if sure is None or not cases:
            return
        small = inlined(*cases[0])
        yield self.found(
            facts,
            event,
            sure,
            f"{_listed(small)}: the compiler wrote {'it' if len(small) == 1 else 'them'} into the code, "
            "and load_constants knows no such name: it raises",
            failing=versions,
            outcome=Outcome.RAISES,
            label="more weights than the package has",
            related=[Related(one.value.span, "exported here") for one in programs if isinstance(one.value, Program)],
            help="give those of run.get_constant_fqns() alone, and compile with "
            'inductor_configs={"always_keep_tensor_constants": True} if the small ones change as well',
            symptom="load-error",
        )

    def _parameters_missing(self, facts: Facts, event: WeightsGiven) -> Iterator[Diagnostic]:
        """Parameters that are not among the weights: torch wants all, and raises."""
        versions = _raising(event)
        if not versions:
            return
        programs = programs_of(facts, event.taker, event)
        if _may_be_set(facts, event, programs, _FOLDING):
            return
        verdicts = [judge([event.given], event.path, partial(_some, partial(absent, one.value))) for one in programs]
        sure = overall(programs, [verdict and verdict[0] for verdict in verdicts], event)
        both = zip(programs, verdicts, strict=True)
        found = [(one.value, absent(one.value, verdict[1][0])) for one, verdict in both if verdict is not None]
        if sure is None or not found:
            return
        program, names = found[0]
        yield self.found(
            facts,
            event,
            weaker(Confidence.LIKELY, sure),
            f"{_listed(names)} {'is' if len(names) == 1 else 'are'} not among these weights: with "
            "check_full_update=True load_constants raises",
            failing=versions,
            outcome=Outcome.RAISES,
            label="not all parameters",
            related=[Related(program.span, "exported here")] if isinstance(program, Program) else (),
            help="give all of run.get_constant_fqns(), or check_full_update=False to replace some of the weights only",
            symptom="load-error",
        )

    def _not_all(self, facts: Facts, event: WeightsGiven, outside: set[Package]) -> Iterator[Diagnostic]:
        """Buffers that are not among the weights: torch says so on the error stream, and goes on."""
        versions = event.versions & RUN_ON
        if not versions or not isinstance(event.taker, Loaded):
            return
        programs = programs_of(facts, event.taker, event)
        made = [one.value for one in packages_of(facts, event.taker, event)]
        empty = bool(made) and all(one in outside for one in made)
        verdicts = [
            judge([event.given], event.path, partial(_some, partial(missing, one.value, empty))) for one in programs
        ]
        sure = overall(programs, [verdict and verdict[0] for verdict in verdicts], event)
        both = zip(programs, verdicts, strict=True)
        found = [missing(one.value, empty, verdict[1][0]) for one, verdict in both if verdict is not None]
        if sure is None or not found:
            return
        buffers = found[0]
        # What else a buffer holds may be the same in all models of a class.
        likely = empty or any(one.counted for one in buffers)
        what = "the package has none of its own, and crashes when it is called"
        if not empty:
            what = "the package keeps what it was compiled with"
        yield self.found(
            facts,
            event,
            weaker(Confidence.LIKELY if likely else Confidence.POSSIBLE, sure),
            f"{_listed([one.name for one in buffers])} {'is' if len(buffers) == 1 else 'are'} not among these weights: "
            f"{what}",
            failing=versions,
            outcome=Outcome.CRASH if empty else Outcome.SILENTLY_WRONG,
            label="without buffers"
            if isinstance(event.given, Names) and event.given.only
            else "all that is persistent",
            related=[Related(one.value.span, "exported here") for one in programs if isinstance(one.value, Program)],
            help="give {**dict(model.named_parameters()), **dict(model.named_buffers())}, as far as "
            "run.get_constant_fqns() has them",
            symptom="segfault" if empty else "wrong-result",
        )

    def _too_early(
        self, facts: Facts, call: CallEvent, target: Loaded, loads: list[ApiCall], outside: set[Package]
    ) -> Iterator[Diagnostic]:
        if archive_of(facts, target.file, call) is not None:
            return  # what the archive says is AOTI613's
        made = [candidate.value for candidate in packages_of(facts, target, call)]
        if not made or not all(isinstance(package, Package) and package in outside for package in made):
            return
        own = [event for event in loads if isinstance(event.receiver, Loaded) and event.receiver.ident == target.ident]
        if any(event.order < call.order for event in own):
            return
        paths = {call.root.split("::")[0], call.span.path}
        if not own and any(reach(facts, path).mentions(LOADS) for path in paths):
            return
        package = made[0]
        assert isinstance(package, Package)
        later = (Related(own[0].span, "its weights come only here"),) if own else ()
        yield self.found(
            facts,
            call,
            Confidence.LIKELY,
            "the model was compiled without its weights and is called before load_constants: the process crashes",
            outcome=Outcome.CRASH,
            label="called without weights",
            related=(Related(package.span, "compiled without weights here"), *later),
            help="call run.load_constants({name: state_dict[name] for name in run.get_constant_fqns()}, "
            "check_full_update=True) first",
            symptom="segfault",
        )


def _raising(event: WeightsGiven) -> VersionSet:
    """The releases in which it raises that a package is given other weights than it has, where nothing catches that."""
    caught = catches(event.caught | event.expected, "RuntimeError")
    return event.versions & RUN_ON if isinstance(event.taker, Loaded) and not caught else VersionSet()


def _may_be_set(facts: Facts, event: WeightsGiven, programs: list[Candidate], keys: tuple[str, ...]) -> bool:
    """Whether a setting that ends so may be set where one of the programs is compiled."""
    places = [one.value.span.path for one in programs if isinstance(one.value, Program)]
    return any(
        in_its_process(facts, write, event) or any(may_meet(facts, write.span.path, one) for one in places)
        for write in facts.of(ConfigWrite)
        if write.key.endswith(keys)
    )


def _some(found: Callable[[Value], Sized], values: list[Value]) -> bool:
    return len(found(values[0])) > 0


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _without_weights(facts: Facts) -> set[Package]:
    """The packages whose compile, at every call of its place, leaves the weights out of them."""
    settled: dict[object, bool] = {}
    for event in facts.of(ApiCall):
        if event.name in _COMPILES:
            settled[event.span] = settled.get(event.span, True) and _leaves_out(event)
    spans = {span for span, out in settled.items() if out}
    if not spans:
        return set()
    found = {candidate.value for call in facts.of(CallEvent) if isinstance(call.target, Loaded)
             for candidate in packages_of(facts, call.target, call)}  # fmt: skip
    return {package for package in found if isinstance(package, Package) and package.span in spans}


def _leaves_out(event: ApiCall) -> bool:
    options = event.arg(None, "inductor_configs") or event.arg(None, "options")
    if event.open or options is None or isinstance(options, Choice) or not isinstance(options, Pairs):
        return False
    written = {key.value: value for key, value in options.pairs if isinstance(key, Const)}
    return (
        len(written) == len(options.pairs)
        and written.get(_INSIDE) == FALSE
        and not any(key in written for key in _BESIDE)
    )
