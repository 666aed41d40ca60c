"""A contract as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.program.contract.model import Contract, Input
from aoti_lint.program.contract.words import strides_text, symbol_text, tensor_text
from aoti_lint.program.weights.problem import WeightProblem
from aoti_lint.report.output import Output
from aoti_lint.report.tables import table

_SOURCES = {
    "program": "of the exported program",
    "package": "of the package alone",
    "both": "of the package and its program",
}


def print_contract(output: Output, contract: Contract) -> None:
    """Print what a call must be."""
    torch = f", torch {contract.torch_version}" if contract.torch_version is not None else ""
    head = f"Contract of {contract.model!r}, {_SOURCES[contract.source]}{torch}"
    output.line((head, "bold"))
    if contract.inputs:
        rows = [(item.path, *_columns(item)) for item in contract.inputs]
        output.table(table(f"Inputs ({len(rows)})", ("input", "takes", "strides"), rows))
    if contract.symbols:
        sizes = [(name, symbol_text(contract, name)) for name in contract.symbols]
        output.table(table("Sizes", ("size", "accepted"), sizes))
    for title, lines in (
        ("Conditions", contract.guards),
        ("Not checked, as only torch can work them out", contract.unchecked),
        ("Mind", contract.notes),
    ):
        if lines:
            output.line((title, "bold"))
            for line in lines:
                output.line(f"  {line}")


def print_weights(output: Output, file: str, model: str, problems: Sequence[WeightProblem]) -> None:
    """Print where a file of weights is not what a model needs."""
    if not problems:
        output.line(f"{file} has the weights of the model {model}.")
    for problem in problems:
        head = f"{problem.kind} ({problem.outcome}): "
        output.line((head, "bold"), problem.message)
        output.line(f"  {problem.fix}")


def _columns(item: Input) -> tuple[str, str]:
    match item.kind:
        case "tensor":
            return tensor_text(item), strides_text(item).removeprefix("strides ").removesuffix(" strides")
        case "frozen":
            return f"{item.value!r}, fixed at export", ""
        case "symbol":
            return f"a whole number ({item.value})", ""
        case _:
            return "anything", ""
