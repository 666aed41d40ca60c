"""AOTI620."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.archives import Gate, capability

from .debug_code_left_in import debug_code

if TYPE_CHECKING:
    from aoti_lint.rule.contents import NamedArchive, Package, Program


class ReleaseGate(Rule):
    """An archive does not keep what `[tool.aoti-lint.package]` asks of everything that is released.

    What happens:
        Nothing yet: this is the project's own rule, checked before the archive leaves the house.

    Why:
        `device`, `architectures`, `dynamic`, `debug-code = false`, `max-size` and `custom-ops` say what a release must
        be. An archive that cannot be asked (a package without its sources) does not pass where it would have to answer.

    Bad:
        # archive: static_compiled.pt2  # <- AOTI620
        # file: aoti-lint.toml
        [package]
        dynamic = { "*" = ["args[0].0"] }

    Good:
        # archive: dynamic_compiled.pt2
        # file: aoti-lint.toml
        [package]
        device = "cpu"
        architectures = ["x86_64"]
        dynamic = { "*" = ["args[0].0"] }
        debug-code = false
        max-size = "10MB"
        custom-ops = []

    How to debug:
        `aoti-lint inspect model.pt2` shows what the gate looks at.

    Sources:
        The configuration of the project.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI620"
    name = "release-gate"
    outcome = Outcome.STYLE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        if not facts.gate.asks:
            return
        for archive in facts.archives:
            for member, subject, message, help_ in _failures(archive, facts.gate):
                yield self.found_in(
                    facts,
                    archive,
                    Confidence.CERTAIN,
                    f"not fit for release: {message}",
                    subject=subject,
                    member=member,
                    label="asked of all releases by [tool.aoti-lint.package]",
                    help=help_,
                )


def _failures(archive: NamedArchive, gate: Gate) -> Iterator[tuple[str | None, str, str, str]]:
    """What an archive fails: the file in it, the subject, a message, what to do."""
    data = archive.data
    if gate.max_size is not None and data.bytes > gate.max_size:
        yield (None, "max-size", f"it has {megabytes(data.bytes)}, {megabytes(gate.max_size)} are allowed",
               "strip debug symbols, keep the weights outside, or raise max-size")  # fmt: skip
    for package in data.packages:
        yield from ((package.member, *failure) for failure in _package(package, gate))
    models: list[Program | Package] = [*data.programs, *data.packages]
    for model in models:
        if gate.custom_ops is not None:
            for op in model.custom_ops:
                if not any(fnmatchcase(op, pattern) for pattern in gate.custom_ops):
                    yield (model.member, f"{model.name}: {op}",
                           f"it calls the custom op {op}, which is not among custom-ops",
                           "replace it, or add it to custom-ops")  # fmt: skip
        for pattern, dims in gate.dynamic.items():
            if fnmatchcase(archive.path, pattern) or fnmatchcase(archive.path.rpartition("/")[2], pattern):
                for name, dim in dims:
                    problem = not_dynamic(model, name, dim)
                    if problem is not None:
                        known = any(name in (one.path, one.name) for one in model.inputs)
                        unnamed = not known and any(one.path.startswith("args[") for one in model.inputs)
                        help_ = (
                            f'a package has no names for positions: write "args[0].{dim}" under a pattern of its own'
                            if unnamed
                            else "export it again with that dimension dynamic"
                        )
                        yield model.member, f"{model.name}: {name}.{dim}", problem, help_


def _package(package: Package, gate: Gate) -> Iterator[tuple[str, str, str]]:
    if gate.device is not None and package.device_type != gate.device.partition(":")[0]:
        built = package.device_type or "a device it does not name"
        yield f"{package.name}: device", f"it was compiled for {built}, not for {gate.device}", "compile it again"
    machines = [word for word in gate.architectures if capability(word) is None]
    capabilities = [word for word in gate.architectures if capability(word) is not None]
    asked = [(package.machine, machines)]
    if package.device_type not in (None, "cpu"):
        asked.append((package.compute_capability, capabilities))
    for made_for, allowed in asked:
        if allowed and made_for not in allowed:
            made = made_for or "an architecture it does not name"
            yield (f"{package.name}: architectures", f"it was compiled for {made}, not for {' or '.join(allowed)}",
                   "compile it on such a machine")  # fmt: skip
    if gate.debug_code is False:
        for what, effect, *_ in debug_code(package.debug):
            yield f"{package.name}: {what}", f"it was compiled with {what} and {effect}", f"compile it without {what}"


def not_dynamic(model: Program | Package, name: str, dim: int) -> str | None:
    """What is wrong with a dimension that must be dynamic; `name` is the input's path or its name in the file."""
    found = next((one for one in model.inputs if name in (one.path, one.name)), None)
    if found is None:
        known = ", ".join(one.path for one in model.inputs) or "none"
        return f"it has no input {name} that could be dynamic (its inputs: {known})"
    if found.tensor is None:
        return f"whether {name} is dynamic is not known"
    if dim >= len(found.tensor.shape):
        return f"{name} has no dimension {dim}"
    size = found.tensor.shape[dim]
    return None if isinstance(size, str) else f"dimension {dim} of {name} is {size} for ever, and must be dynamic"


def megabytes(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 10**6:.1f} MB" if count >= 10**5 else f"{count} bytes"
