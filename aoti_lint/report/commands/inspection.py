"""What a file says, as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aoti_lint.program import facts
from aoti_lint.program.contract.build import CHUNK
from aoti_lint.program.diff import Difference
from aoti_lint.program.words import bytes_text, debug_words, range_text, sizes_text
from aoti_lint.report.output import Output
from aoti_lint.report.tables import Table, table

if TYPE_CHECKING:
    from typing import TypeAlias

    from aoti_lint.report.styled import Segment

    Block: TypeAlias = Table | tuple[Segment, ...]
    """A table, or a line."""

SHOWN = 20
"""Rows of a table, unless all are asked for."""


def print_archive(output: Output, archive: facts.Archive, *, everything: bool = False) -> None:
    """Print what `archive` says; `everything` has no table shortened."""
    for block in _archive(archive, None if everything else SHOWN):
        if isinstance(block, Table):
            output.table(block)
        else:
            output.line(*block)


def print_differences(output: Output, differences: Sequence[Difference], *, everything: bool = False) -> None:
    """Print what changed from one file to another, what breaks callers first."""
    if not differences:
        output.line("No difference.")
        return
    limit = None if everything else 3 * SHOWN
    for title, breaking in (("Breaks callers", True), ("Other differences", False)):
        rows = [
            (item.model, item.what, item.before, item.after, item.why)
            for item in differences
            if item.breaking is breaking
        ]
        if rows:
            columns = ("model", "what", "before", "after", "because")
            output.table(table(f"{title} ({len(rows)})", columns, rows, limit))


def _archive(archive: facts.Archive, limit: int | None) -> Iterator[Block]:
    parts = [archive.kind, bytes_text(archive.bytes)]
    if archive.layout is not None:
        parts.append(f"layout of torch {archive.layout}")
    if archive.archive_version is not None:
        parts.append(f"archive version {archive.archive_version}")
    yield _text(f"{archive.file}: {', '.join(filter(None, parts))}", "bold")
    for problem in archive.problems:
        yield _text(f"problem: {problem.told}", "bold red")
    for program in archive.programs:
        yield _text("")
        yield from _program(program, limit)
    for package in archive.packages:
        yield _text("")
        yield from _package(package, limit)
    members = sorted(archive.members, key=lambda member: (-member.bytes, member.name))
    if members:
        yield _text("")
        yield table(
            f"Files ({len(members)})", ("bytes", "name"), [(bytes_text(m.bytes), m.name) for m in members], limit
        )


def _program(program: facts.Program, limit: int | None) -> Iterator[Block]:
    yield _text(f"Program {program.name}", "bold")
    schema = "" if program.schema_version is None else ".".join(map(str, program.schema_version))
    yield from _pairs(
        ("exported by torch", program.torch_version or "unknown"),
        ("schema", schema),
        ("opset", ", ".join(f"{key} {value}" for key, value in program.opset.items())),
        ("dialect", ", ".join(program.dialect)),
        ("forward", f"({program.signature})" if program.signature is not None else ""),
        ("example inputs", {True: "saved", False: "none", None: "unknown"}[program.example_inputs]),
        ("unbacked symbols", ", ".join(program.unbacked)),
        ("custom operators", ", ".join(program.custom_ops)),
    )
    yield from _inputs(program.inputs, limit)
    yield from _dims(program.dims, program.inputs, program.outputs)
    if program.guards:
        yield table("Guards", ("condition",), [(guard,) for guard in program.guards], limit)
    yield from _outputs(program.outputs, limit)
    yield from _weights(program.weights, limit)
    ops = sorted(program.ops.items(), key=lambda item: (-item[1], item[0]))
    yield table(f"Operators ({sum(program.ops.values())})", ("count", "operator"), [(n, op) for op, n in ops], limit)


def _package(package: facts.Package, limit: int | None) -> Iterator[Block]:
    yield _text(f"Package {package.name}", "bold")
    debug = package.debug
    yield from _pairs(
        ("compiled by torch", "unknown (a package does not record it)"),
        ("device type", package.device_type or "unknown"),
        ("platform", " ".join(filter(None, (package.platform, package.machine)))),
        ("CPU instructions", package.cpu_isa),
        ("compute capability", package.compute_capability),
        ("metadata", ", ".join(f"{key}={value}" for key, value in package.metadata.items())),
        ("called as", package.structure),
        ("weights", {"library": "in the library", "archive": "beside the library, in the archive",
                     "outside": "outside: load_constants must be called", None: ""}[package.weights_at]),
        ("custom operators", ", ".join(package.custom_ops)),
        ("debug code", ", ".join(debug_words(debug)) or ("none" if package.readable else "unknown")),
        ("input checks", {True: "only with AOTI_RUNTIME_CHECK_INPUTS=1 when it runs", False: "none compiled in",
                          None: ""}[debug.input_checks]),
        ("needs", ", ".join(package.libraries)),
    )  # fmt: skip
    yield from _inputs(package.inputs, limit)
    yield from _dims(package.dims, package.inputs, package.outputs)
    if any(value.min == 2 for value in package.dims.values()):
        yield _text("A lower bound of 2 may stand for 1 or 0: the exported program has the real one.", "dim")
    if any(value.max == CHUNK for value in package.dims.values()):
        yield _text(f"An upper bound of {CHUNK} may be Inductor's own: the exported program has the real one.", "dim")
    yield from _outputs(package.outputs, limit)
    yield from _weights(package.weights, limit)
    kernels = [
        *((name, "compiled") for name in package.kernels),
        *((name, "of torch") for name in package.extern_calls),
    ]
    if kernels:
        yield table(f"Kernels ({len(kernels)})", ("kernel", "which is"), kernels, limit)


def _inputs(inputs: Sequence[facts.Input], limit: int | None) -> Iterator[Block]:
    rows = [
        (
            item.path,
            item.tensor.dtype if item.tensor is not None else item.kind,
            sizes_text(item.tensor.shape) if item.tensor is not None else f"always {item.value!r}" if item.frozen
            else item.value,
            sizes_text(item.tensor.strides) if item.tensor is not None else "",
            item.tensor.device if item.tensor is not None else "",
            "written to" if item.mutated else "",
        )
        for item in inputs
    ]  # fmt: skip
    yield table(f"Inputs ({len(inputs)})", ("input", "type", "shape or value", "strides", "device", ""), rows, limit)


def _dims(
    dims: dict[str, facts.Range], inputs: Sequence[facts.Input], outputs: Sequence[facts.Output]
) -> Iterator[Block]:
    if not dims:
        return
    rows = []
    leaves: list[facts.Leaf] = [*inputs, *outputs]
    for symbol, value in dims.items():
        places = [item.path for item in leaves if item.kind == "symbol" and item.value == symbol]
        places += [
            f"{item.path}.shape[{index}]"
            for item in leaves
            if item.tensor is not None
            for index, size in enumerate(item.tensor.shape)
            if size == symbol
        ]
        rows.append((symbol, range_text(value), ", ".join(places[:6])))
    yield table(f"Dims ({len(dims)})", ("dim", "range", "is"), rows)


def _outputs(outputs: Sequence[facts.Output], limit: int | None) -> Iterator[Block]:
    rows = [
        (
            item.path,
            item.tensor.dtype if item.tensor is not None else item.kind,
            sizes_text(item.tensor.shape) if item.tensor is not None else "" if item.value is None else item.value,
            item.tensor.device if item.tensor is not None else "",
        )
        for item in outputs
    ]
    yield table(f"Outputs ({len(outputs)})", ("output", "type", "shape or value", "device"), rows, limit)


def _weights(weights: Sequence[facts.Weight], limit: int | None) -> Iterator[Block]:
    if not weights:
        return
    total = sum(weight.bytes or 0 for weight in weights if weight.tied is None)
    rows = [
        (
            weight.name,
            "buffer (not saved in state_dict)" if weight.persistent is False else weight.role,
            weight.tensor.dtype if weight.tensor is not None else "",
            sizes_text(weight.tensor.shape) if weight.tensor is not None else "",
            weight.tensor.device if weight.tensor is not None else "",
            bytes_text(weight.bytes),
            ", ".join(_weight_words(weight)),
        )
        for weight in weights
    ]
    title = f"Weights ({len(weights)}, {bytes_text(total)})"
    yield table(title, ("name", "role", "dtype", "shape", "device", "bytes", ""), rows, limit)


def _weight_words(weight: facts.Weight) -> Iterator[str]:
    if weight.tied is not None:
        yield f"tied to {weight.tied}"
    if weight.mutated:
        yield "written to"
    if weight.folded:
        yield "made by the compiler"


def _pairs(*pairs: tuple[str, str | None]) -> Iterator[Block]:
    """Names and values, without those that have none."""
    given = [(name, value) for name, value in pairs if value]
    width = max((len(name) for name, _ in given), default=0)
    for name, value in given:
        yield (f"  {name:<{width}}  ", "cyan"), (value, "")


def _text(text: str, style: str = "") -> tuple[Segment, ...]:
    return ((text, style),)
