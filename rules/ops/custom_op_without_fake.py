"""AOTI401."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from operator import attrgetter

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import ApiCall, ExportEvent, OpDefinition, OpImpl
from aoti_lint.rule.ops import CPP, FOR_ALL, base_name, hands_back, may_be_fake, mutated_names, op_key
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Const, Program

from ..package._imports import may_meet, reach
from ._fake_place import MAKERS
from ._schemas import Use, exports_of_ops, is_idle, named_at, of_autograd, schema_of, tested, used
from ._skeleton import skeleton

_BREAKS = "raises, and torch.compile ends its graph there"
_SHOWN = 8
"""So many ops of a library are named."""
_BUILT = "…"
"""The namespace of ops that get the name of the library which is built of them (`TORCH_EXTENSION_NAME`)."""


class CustomOpWithoutFake(Rule):
    """A custom operator has no fake (meta) function.

    What happens:
        The export raises. For an op of `torch.library.custom_op`: `RuntimeError: There was no fake impl registered for
        <CustomOpDef(mylib::op)>. This is necessary for torch.compile/export/fx tracing to work.` What `torch.compile`
        gave raises this at its call as well. For one of `Library.define`: `UnsupportedOperatorException:
        mylib.op.default`; `torch.compile` ends its graph before such an op, and raises with `fullgraph=True`.

    Why:
        Tracing runs on fake tensors, which have sizes and no data. For each op it needs a function that tells the
        sizes, dtype and device of the result. Ops that change an argument and return nothing need none, nor do ops
        with a composite kernel, `triton_op`, or the tags `inplace` and `out`. Where a Python function is the op's
        Autograd kernel, tracing enters it: a fake is only needed if that calls the op again.

        Of ops in C++ that no model here exports, only `--pedantic` tells, for many are never traced. But where a
        library has several and a fake for none, that is told once, at the first of them, with the names of all.

        The fix is a fake that is written from what the Python kernel does to tensors of open sizes. Its checks refuse
        the arguments for which that was not worked out: other ranks, integers, tensors that are not contiguous. Where
        something is not known, what is shown raises and says what is missing.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())  # <- AOTI401
        def twice(x: torch.Tensor) -> torch.Tensor:
            return torch.from_numpy(x.numpy() * 2)

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return torch.from_numpy(x.numpy() * 2)

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))

    How to debug:
        `torch.library.opcheck(op, example_args)` runs the op with fake tensors and names what is missing.

    Sources:
        `torch/_library/custom_ops.py` and `torch/_library/utils.py:293` (`can_generate_trivial_fake_impl`) of release
        2.13.0; run on torch 2.13.
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI401"
    name = "custom-op-without-fake"
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "no export that calls it was seen, or another file may have the fake"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        fakes = Fakes(facts)
        # A draft export makes up a fake from what the kernel gives.
        programs = [export.program for export in facts.of(ExportEvent) if isinstance(export.program, Program)]
        drafted = {base_name(op) for program in programs if program.is_draft for op, _ in program.ops}
        exported = exports_of_ops(facts)
        seen: set[tuple[str, str]] = set()
        bare: dict[str, list[OpDefinition]] = {}
        for event in facts.of(OpDefinition):
            name = event.op.value if isinstance(event.op, Const) else None
            if not isinstance(name, str) or "::" not in name or needs_none(event):
                built = event.api == CPP and name is None and not fakes.faked
                if built and not needs_none(event) and not _is_doubtful(event):
                    bare.setdefault(_BUILT, []).append(event)
                continue
            if (name, event.span.path) in seen:
                continue
            seen.add((name, event.span.path))
            if fakes.serve(name, event.span.path):
                yield from self._elsewhere(facts, event, name, fakes.places(name), exported.get(base_name(name), ()))
                continue
            made, traced = exported.get(base_name(name), ()), fakes.may_be_traced(name)
            uses: list[Use | None] = [
                use for use in made if use and isinstance(use[0].program, Program) and not use[0].program.is_draft
            ]
            if not uses and base_name(name) in drafted:
                continue
            namespace = name.split("::", 1)[0]
            if not uses and is_idle(event):
                continue  # AOTI413 tells of it: with a schema that says what it writes to it needs none
            if not uses and not traced and not _is_doubtful(event) and fakes.none_in(namespace):
                bare.setdefault(namespace, []).append(event)
            else:
                yield from (self._report(facts, event, name, use, traced=traced) for use in uses or [None])
        for namespace, events in bare.items():
            if len({op_key(event.op) for event in events}) > 1:
                yield self._report_all(facts, namespace, events)
            elif namespace != _BUILT:
                yield from (self._report(facts, event, op_key(event.op), None, traced=False) for event in events)

    def _elsewhere(
        self, facts: Facts, event: OpDefinition, name: str, places: Collection[str], uses: Iterable[Use | None]
    ) -> Iterator[Diagnostic]:
        """The fake is in files that nothing imports where a model is exported that calls the op."""
        if not all(place.endswith(".py") for place in places) or is_native(event.span.path):
            return
        for use in uses:
            root = use[0].root if use is not None else ""
            if use is None or "::" in root or reach(facts, root).dynamic or event.span.path in places:
                continue
            if may_meet(facts, event.span.path, root) and not any(may_meet(facts, place, root) for place in places):
                yield self.found(
                    facts,
                    event,
                    Confidence.LIKELY,
                    f"the fake function of {name} is in {min(places)}, which {root} does not import: its export raises",
                    span=named_at(facts, event),
                    label="defined here, without a fake",
                    severity=Severity.WARNING,
                    related=used(use),
                    help=f"import {facts.project.module_name(min(places)) or min(places)} where the op is defined",
                    doubt="another module may import it in a way that was not followed",
                    symptom="export-error",
                )

    def _report_all(self, facts: Facts, namespace: str, events: list[OpDefinition]) -> Diagnostic:
        """The finding for a library in C++ with several ops and no fake: its author may not know of them."""
        whose = "of this library" if namespace == _BUILT else f"in {namespace}"
        names = sorted({op_key(event.op).split("::", 1)[1] for event in events})
        first = min(events, key=attrgetter("span"))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return self.found(
            facts,
            first,
            Confidence.LIKELY if facts.project.context_complete and not facts.narrowed else Confidence.POSSIBLE,
            f"no custom op {whose} has a fake function, and {len(names)} need one: "
            f"the export of a model that calls one {_BREAKS}",
            span=named_at(facts, first),
            label="the first of them is defined here",
            severity=Severity.WARNING,
            help=f'add @torch.library.register_fake("{namespace}::…") to a function with the parameters of the op that '
            "returns empty tensors of the right sizes, dtype and device",
            symptom="export-error",
            notes=(f"without a fake: {', '.join(names[:_SHOWN])}{more}",),
        )

    def _report(self, facts: Facts, event: OpDefinition, name: str, use: Use | None, *, traced: bool) -> Diagnostic:
        related: tuple[Related, ...] = ()
        if use is not None:
            sure = facts.project.context_complete and not facts.narrowed
            confidence = Confidence.POSSIBLE if traced else Confidence.CERTAIN if sure else Confidence.LIKELY
            related = used(use)
            effect = "the export of a model that calls it raises"
        else:
            # Many ops in C++ are never exported, and their authors know.
            doubtful = (
                _is_doubtful(event)
                or event.api == CPP
                or traced
                or name in facts.once("symbolics", partial(_with_symbolics, facts))
            )
            confidence = Confidence.POSSIBLE if doubtful else Confidence.LIKELY
            ending = "raises, and so does torch.compile" if event.api in MAKERS else _BREAKS
            effect = f"the export of a model that calls it {ending}"
        short = name.split("::", 1)[1]
        if traced:
            effect = "tracing runs its Autograd kernel instead, and raises where that calls the op again"
        span, idle = named_at(facts, event), is_idle(event)
        if span != event.span:
            related = (*related, Related(event.span, "defined by this call"))
        return self.found(
            facts,
            event,
            confidence,
            f"the custom op {name} has no fake function: {effect}",
            span=span,
            label="defined here, without a fake",
            severity=Severity.ERROR if use is not None else Severity.WARNING,
            related=related,
            help="say in its schema what it writes to, Tensor(a!): then it needs none"
            if idle
            else f'add @torch.library.register_fake("{name}") to a function with the parameters of {short} that '
            "returns empty tensors of the right sizes, dtype and device",
            symptom="export-error",
            fix=None if idle else skeleton(facts, event, name),
        )


def _with_symbolics(facts: Facts) -> set[str]:
    """The ops that are translated for the older exporter to ONNX, which asks no fake."""
    calls = (event for event in facts.of(ApiCall) if event.name.endswith(".register_custom_op_symbolic"))
    names = (event.arg(0, "symbolic_name") for event in calls)
    return {name.value for name in names if isinstance(name, Const) and isinstance(name.value, str)}


def _is_doubtful(event: OpDefinition) -> bool:
    """Whether nobody may mean to export the op: it is there for a test, or writes to what it is given."""
    return tested(event.span.path) or bool(event.expected) or _is_out_variant(event)


class Fakes:
    """The fakes of a project: which op in which file is served by one.

    Scripts beside each other often define the same op. A fake belongs to the definition in its own file; one in a file
    that does not define the op, or in C++, serves all definitions, and any serves a definition in C++.
    """

    def __init__(self, facts: Facts) -> None:
        self.defined: dict[str, set[str]] = {}
        self.traced: set[str] = set()
        self.in_python: set[str] = set()
        """The namespaces of which a script defines an op."""
        self.faked: set[str] = set()
        """Those of which an op may have a fake, other than a kernel that tracing enters."""
        for event in facts.of(OpDefinition):
            key = op_key(event.op)
            self.defined.setdefault(key, set()).add(event.span.path)
            if event.api != CPP:
                self.in_python.add(key.split("::", 1)[0])
        self.registered: dict[str, set[str]] = {}
        for impl in facts.of(OpImpl):
            if may_be_fake(impl):
                self.registered.setdefault(op_key(impl.op), set()).add(impl.span.path)
                if impl.is_fake or not all(isinstance(key, Const) and key.value in FOR_ALL for key in impl.keys):
                    self.faked.add(op_key(impl.op).split("::", 1)[0])
            if impl.function is not None and any(of_autograd(key) for key in impl.keys):
                self.traced.add(op_key(impl.op))

    def none_in(self, namespace: str) -> bool:
        """Whether C++ alone defines the ops of a namespace, and nothing is registered that may be a fake of one."""
        return namespace not in self.in_python and self.faked.isdisjoint((namespace, "?"))

    def may_be_traced(self, name: str) -> bool:
        """Whether a Python function is the op's Autograd kernel: tracing enters it, and needs no fake if it has no
        need of the op itself (run on torch 2.13: `export`, `run_decompositions` and a package).
        """
        return base_name(name) in self.traced

    def places(self, name: str) -> set[str]:
        """The files that register a fake for an op, or may do so."""
        namespace, word = base_name(name).split("::", 1)
        keys = (base_name(name), f"{namespace}::?", f"?::{word}", "?")
        return set[str]().union(*(self.registered.get(key, ()) for key in keys))

    def serve(self, name: str, path: str) -> bool:
        """Whether the op defined in this file has a fake, or may have one registered under a name we do not know."""
        namespace, word = base_name(name).split("::", 1)
        return any(
            path == place or is_native(path) or is_native(place) or place not in self.defined.get(key, ())
            for key in (base_name(name), f"{namespace}::?", f"?::{word}", "?")
            for place in self.registered.get(key, ())
        )


def _is_out_variant(event: OpDefinition) -> bool:
    """Whether it is a form that returns nothing but what it was given by name to write to: made for no trace."""
    schema = schema_of(event)
    given = () if schema is None else [one for one in schema.arguments if one.keyword_only and one.mutable]
    return (
        schema is not None
        and bool(given)
        and len(given) == len(schema.returns)
        and all(one.alias for one in schema.returns)
    )


def needs_none(event: OpDefinition) -> bool:
    """Whether torch makes a fake itself, or traces into the op, or looks for the fake in a module that C++ names.

    What is given nothing and gives nothing is there for its name.
    """
    if "triton_op" in event.api or event.module is not None:
        return True
    if hands_back(event):
        return True
    known = schema_of(event)
    if known is not None and not (known.arguments or known.returns or known.open or known.open_returns):
        return True
    schema = event.schema.value if isinstance(event.schema, Const) else None
    if isinstance(schema, str):
        arguments, _, result = schema.rpartition("->")
        return "!" in arguments and result.strip() in ("()", "")
    nothing = event.mutates is None or mutated_names(event.mutates) == frozenset()
    return not nothing and event.returns != "value"  # None where the signature of the function is not known
