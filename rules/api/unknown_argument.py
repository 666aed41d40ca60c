"""AOTI203."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Rule, Span, VersionSet, catches, dataclass, weaker
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.torch import api

from ._calls import short

ADVICE = {
    ("torch.export.export", "constraints"): "say what is dynamic with dynamic_shapes=",
    ("torch.export.export", "pre_dispatch"): "leave it out: torch.export.export always exports before dispatch",
    ("torch.export.export", "options"): "settings go to aoti_compile_and_package(inductor_configs=)",
    ("torch._inductor.aoti_load_package", "device"): (
        "leave it out: a package knows the device type it was compiled for (since torch 2.8, device_index= chooses one)"
    ),
    ("torch._inductor.aoti_load_package", "model_name"): "use torch._inductor.package.load_package(path, model_name)",
    ("torch._inductor.aoti_load_package", "num_runners"): (
        "before torch 2.15 use torch._inductor.package.load_package(path, num_runners=…), which has it since 2.8"
    ),
    ("torch._inductor.aoti_compile_and_package", "options"): "here it is called inductor_configs=",
    ("torch._inductor.aoti_compile_and_package", "args"): "leave it out: the program has its example inputs",
    ("torch._inductor.aoti_compile_and_package", "kwargs"): "leave it out: the program has its example inputs",
    ("torch._inductor.aoti_compile_and_package", "output_path"): "here it is called package_path=",
    ("torch._inductor.aot_compile", "inductor_configs"): "here it is called options=",
    ("torch._export.aot_compile", "inductor_configs"): "here it is called options=",
    ("torch._export.aot_compile", "constraints"): "say what is dynamic with dynamic_shapes=",
}
"""What to write for an argument that is often tried. The signatures of the releases are in `torch_api/api.json`."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a call: what it is told by, the message without versions, and where it stands."""

    what: str
    message: str
    place: Span
    keyword: str = ""


class UnknownArgument(Rule):
    """A function of torch is given arguments that its signature does not have.

    What happens:
        The call raises before it does anything:

            TypeError: export() got an unexpected keyword argument 'constraints'
            TypeError: export() takes from 2 to 3 positional arguments but 4 were given
            TypeError: aoti_load_package() got an unexpected keyword argument 'device'
            TypeError: aot_load() missing 1 required positional argument: 'device'

    Why:
        The functions around export and AOTInductor gain and lose parameters from release to release, and their
        neighbours name the same thing differently (`options`, `inductor_configs`). It is an error where every target
        version refuses the call, and a warning that names the versions where some do. Where nobody says which torch the
        code is for, an argument that torch removed before 2.4 or in it is a warning. In a tree that holds the sources
        of torch nothing is reported.

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        program = torch.export.export(model, (x,), constraints=[])  # <- AOTI203
        path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
        run = torch._inductor.aoti_load_package(path, device="cpu")  # <- AOTI203

    Bad:
        # torch: 2.6..2.13
        import torch

        run = torch._inductor.aoti_load_package("model.pt2", device_index=0)  # <- AOTI203

    Good:
        import torch

        model, x = torch.nn.Linear(10, 2).cuda().eval(), torch.randn(8, 10, device="cuda")
        dims = {"input": {0: torch.export.Dim("batch", max=64)}}
        program = torch.export.export(model, (x,), dynamic_shapes=dims)
        path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
        run = torch._inductor.aoti_load_package(path, device_index=0)

    How to debug:
        `python -c "import torch, inspect; print(inspect.signature(torch.export.export))"` shows what the torch that
        runs takes.

    Sources:
        The signatures in the Python sources of the releases 2.4.1 to 2.15.0 and,
        for 2.13, held against `inspect.signature`. The messages are of torch 2.13.0.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI203"
    name = "unknown-argument"
    of_releases = True
    doubt = "nothing says that it runs with a torch that lacks it"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(ApiCall):
            on_class = event.receiver is None and _is_member(event.name)
            if on_class or catches(event.caught | event.expected, "TypeError"):
                continue
            for fault, failing in _faults(event).items():
                yield self._diagnostic(facts, event, fault, failing)

    def _diagnostic(self, facts: Facts, event: ApiCall, fault: _Fault, failing: VersionSet) -> Diagnostic:
        confidence = Confidence.CERTAIN
        if any(condition.kind == "unknown" for condition in event.path):
            # What stands behind an unknown condition may well ask for the version, or for the signature.
            elsewhere = _is_elsewhere(event.name, fault.keyword) if fault.keyword else event.versions - failing
            confidence = Confidence.POSSIBLE if elsewhere else Confidence.LIKELY
        if not facts.stated_for(event.root) and api.argument_removed_earlier(event.name, fault.keyword):
            confidence = weaker(confidence, Confidence.LIKELY)
        newest = failing.last
        return self.found(
            facts,
            event,
            confidence,
            fault.message,
            span=fault.place,
            failing=failing,
            label=fault.what,
            help=_help(event, fault, newest),
            notes=(f"in torch {newest}: {event.name}{api.signature(event.name, newest)}",),
        )


def _is_member(name: str) -> bool:
    """Whether a method is called on its class: its own first argument is not in the signature."""
    owner = name.rpartition(".")[0].rpartition(".")[2]
    return owner.lstrip("_")[:1].isupper()


def _is_elsewhere(function: str, keyword: str) -> bool:
    """Whether a release names the argument, also one older than those recorded; one that takes any does not."""
    there = any(signature.parameter(keyword) for _, signature in api.signatures(function))
    return there or api.argument_removed_earlier(function, keyword) is not None


def _faults(event: ApiCall) -> dict[_Fault, VersionSet]:
    """What is wrong with a call, and the versions in which it is."""
    found: dict[_Fault, VersionSet] = {}
    for versions, signature in api.signatures(event.name):
        judged = versions & event.versions
        if judged:
            for fault in _against(event, signature):
                found[fault] = found.get(fault, VersionSet()) | judged
    return found


def _against(event: ApiCall, signature: api.Signature) -> Iterator[_Fault]:
    called = short(event.name)
    by_position = signature.positional()
    kinds = {p.kind for p in signature.parameters}
    for name in event.kwargs:
        if not signature.takes_keyword(name):
            place = event.place(None, name)
            yield _Fault("not taken", f"{called} takes no argument {name}: it raises", place, name)
        elif not event.open and name in by_position[: len(event.args)]:
            yield _Fault("given twice", f"{called} is given {name} twice, by position and by name: it raises",
                         event.place(None, name))  # fmt: skip
    if "*" not in kinds and len(event.args) > len(by_position):
        most = len(by_position)
        yield _Fault(
            "one too many",
            f"{called} takes {most or 'no'} argument{'s' * (most != 1)} by position and is given {len(event.args)}: "
            "it raises",
            event.place(most),
        )
    if not event.open:
        left = [p for p in signature.parameters if p.required and p.name not in event.kwargs
                and p.name not in by_position[: len(event.args)]]  # fmt: skip
        for parameter in left:
            yield _Fault(f"without {parameter.name}", f"{called} needs an argument {parameter.name}: it raises",
                         event.span)  # fmt: skip


def _help(event: ApiCall, fault: _Fault, version: str) -> str:
    signature = api.signature(event.name, version)
    if not fault.keyword or signature is None:
        by_name = [p.name for p in signature.parameters if p.kind == "keyword only"] if signature else []
        return f"give these by name: {', '.join(by_name)}" if fault.what == "one too many" and by_name else ""
    advice = ADVICE.get((api.canonical(event.name), fault.keyword))
    if advice is not None:
        return advice
    there = VersionSet(
        minor for versions, other in api.signatures(event.name) if other.parameter(fault.keyword)
        for minor in versions
    )  # fmt: skip
    if there:
        since = VersionSet.since(there.first)
        return f"it is new in torch {there.first}" if there == since else "torch {} had it".format(
            str(there).replace("\N{EN DASH}", "-"))  # fmt: skip
    earlier = api.argument_removed_earlier(event.name, fault.keyword)
    if earlier is not None:
        return f"torch {earlier} removed it"
    from difflib import get_close_matches

    names = [p.name for p in signature.parameters if p.kind in ("positional or keyword", "keyword only")]
    alike = get_close_matches(fault.keyword, names, n=1, cutoff=0.6)
    return f"did you mean {alike[0]}=?" if alike else ""
