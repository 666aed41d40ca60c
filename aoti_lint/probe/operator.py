"""One operator, probed with one example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from aoti_lint.probe.arguments import Example
from aoti_lint.probe.errors import of_error, says
from aoti_lint.probe.fakes import Run, run_fake
from aoti_lint.probe.finding import Finding, Place
from aoti_lint.probe.kernel import Kernel, compare, of_fake, of_kernel, outputs
from aoti_lint.probe.places import first_called
from aoti_lint.probe.sizes import of_constants, of_numbers, of_sizes, of_unknown, others
from aoti_lint.probe.variants import layouts, other_dtypes, other_values, reseeded


@dataclass
class Examined:
    """What came of it. `compared`: for how many inputs the kernel ran; `refused`: the fake takes no such inputs."""

    findings: list[Finding] = field(default_factory=list)
    compared: int = 0
    fake: Place | None = None
    kernel: str = ""
    """Why it did not run, if it did not."""
    refused: str = ""

    def add(self, finding: Finding) -> None:
        """Keep it, if nothing is known that says the same: the first inputs that show it are enough."""
        for index, known in enumerate(self.findings):
            if (known.rule, known.place) == (finding.rule, finding.place) and _about(known) == _about(finding):
                if known.level == "note" and finding.level == "fault":
                    self.findings[index] = finding
                return
        self.findings.append(finding)


def overload(op: Any) -> Any:
    """The `OpOverload` that is meant. Raises `ValueError` when that is not one."""
    if isinstance(op, str):
        namespace, _, name = op.partition("::")
        op = getattr(getattr(torch.ops, namespace), name.partition(".")[0])
        if "." in name:
            return getattr(op, name.partition(".")[2])
    op = getattr(op, "_opoverload", op)
    if isinstance(op, torch._ops.OpOverload):
        return op
    names = op.overloads() if isinstance(op, torch._ops.OpOverloadPacket) else []
    if len(names) != 1:
        raise ValueError(f"{op} is no operator with one overload: say which, of {', '.join(names) or 'none'}")
    return getattr(op, names[0])


def composite(op: Any) -> bool:
    """Whether torch replaces the operator by those that it calls: it may return views then, and has no fake."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd"))


def examine(
    op: Any, example: Example, *, kernels: bool = True, stage: Callable[[str], None] = lambda text: None
) -> Examined:
    """Everything that can be said of an operator from one example."""
    made = Examined()
    kernel = Kernel(op, stage)
    kernel.missing = not kernels
    unsure: list[Finding] = []
    stage("running the fake")
    base, made.fake = first_called(lambda: run_fake(op, example, "fixed"))
    if base.error is not None:
        _raises(op, example, base, kernel, made)
    elif composite(op):
        kernel.missing = True
        _sizes(op, example, kernel, made)
        made.kernel = "torch traces through it to the operators it calls"
        return made
    else:
        for finding in of_fake(op, base, made.fake, example.words()):
            made.add(finding)
        unsure = _sizes(op, example, kernel, made)
    _kernel(op, example, kernel, made)
    for note in unsure if not made.compared else ():
        made.add(note)
    if not made.compared and kernels:
        made.kernel = says(kernel.error) if kernel.error is not None else f"there is none for {_device(example)} here"
    return made


def _raises(op: Any, example: Example, run: Run, kernel: Kernel, made: Examined) -> None:
    assert run.error is not None
    known = of_error(op, run, example.words())
    if known is not None:
        made.add(known)
        return
    if kernel.call(example) is None:
        made.refused = says(run.error)
        return
    text = f"raises {says(run.error)}, and the kernel takes {example.words()}"
    made.add(Finding("fault", None, text, run.place, example.words()))


def _sizes(op: Any, example: Example, kernel: Kernel, made: Examined) -> list[Finding]:
    """What symbolic sizes show; gives the notes that are worth telling only where no kernel runs."""
    run = run_fake(op, example, "symbolic")
    if run.error is not None:
        known = of_error(op, run, example.words())
        text = f"raises where a size is a symbol: {says(run.error)}"
        made.add(known or Finding("fault", "AOTI402", text, run.place, example.words()))
        return []
    constants: list[Finding] = []
    for finding in of_sizes(op, example, run, kernel):
        made.add(finding)
    second = next((each for each in others(example, run) if run_fake(op, each, "fixed").error is None), None)
    if second is not None:
        # What the fake decides may lead it to lines that the first sizes do not reach.
        again = run_fake(op, second, "symbolic")
        seen = {guard.place for guard in run.guards}
        for finding in of_sizes(op, second, again, kernel):
            if finding.place not in seen:
                made.add(finding)
        constants = list(of_constants(op, run, again, made.fake, second.words()))
    for finding in of_numbers(op, example, kernel):
        made.add(finding)
    for finding in of_unknown(op, example, made.findings):
        made.add(finding)
    return constants


def _kernel(op: Any, example: Example, kernel: Kernel, made: Examined) -> None:
    """Compare with the kernel, for as many inputs as it takes."""
    dynamic = _data_dependent(op, example, kernel)
    symbolic = run_fake(op, example, "symbolic")
    for variant, layout in _inputs(op, example, symbolic):
        if kernel.missing:
            return
        called = kernel.call(variant)
        if called is None:
            if kernel.refuses_aliases():
                text = "the kernel returns an input itself or a view of it: return a copy"
                made.add(Finding("fault", "AOTI412", text, kernel.place or made.fake, variant.words()))
            continue
        made.compared += 1
        for finding in of_kernel(op, called, kernel.place):
            made.add(finding)
        run = run_fake(op, variant, "fixed")
        if run.error is not None:
            # A place that is known to demand something else than the kernel does is not told again.
            if of_error(op, run, "") is None and all(run.place != known.place for known in made.findings):
                text = f"raises {says(run.error)}, and the kernel takes it"
                made.add(Finding("note", None, text, run.place, variant.words()))
            continue
        for finding in compare(op, called, run, made.fake, layout):
            if dynamic and finding.rule == "AOTI404" and "shape" in finding.text:
                text = "the size depends on data: say so with torch.library.get_ctx().new_dynamic_size()"
                finding = replace(finding, rule="AOTI409", text=f"{finding.text}; {text}")
            made.add(finding)


def _inputs(op: Any, example: Example, symbolic: Run) -> Iterator[tuple[Example, bool]]:
    """The example and what is made from it, with whether that is only laid out otherwise."""
    yield example, False
    if symbolic.error is None:
        yield from ((each, False) for each in _as_far(others(example, symbolic)))
    yield from ((each, False) for each in _as_far(other_dtypes(example)))
    yield from ((each, False) for each in _as_far(other_values(op, example)))
    yield from ((each, True) for each in _as_far(layouts(example)))


def _as_far(examples: Iterator[Example]) -> Iterator[Example]:
    """Those that can be made: torch cannot copy or index tensors of every type."""
    try:
        yield from examples
    except RuntimeError:
        return


def _data_dependent(op: Any, example: Example, kernel: Kernel) -> bool:
    """Whether the same shapes with other data give other shapes."""
    shapes = set()
    for each in (example, *reseeded(example)):
        called = kernel.call(each)
        if called is not None:
            given = outputs(op, called.output)
            shapes.add(tuple(tuple(value.shape) for _, value in given if isinstance(value, torch.Tensor)))
    return len(shapes) > 1


def _about(finding: Finding) -> str:
    """What a finding is about, without the sizes that it was seen for."""
    text = finding.text
    for end in (" by the fake", " has shape", " has strides", " is ", " the number ", ", and the kernel takes"):
        text = text.partition(end)[0]
    return text


def _device(example: Example) -> str:
    return example.device or next((str(tensor.device) for tensor in example.tensors().values()), "cpu")
