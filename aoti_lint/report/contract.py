"""A contract as tables for people. The text out of the files is made fit to print: it may be anybody's."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from aoti_lint.program.contract.model import Contract, Input
from aoti_lint.program.contract.words import plain, strides_text, symbol_text, tensor_text
from aoti_lint.program.weights.problem import WeightProblem
from aoti_lint.report.inspection import table

_SOURCES = {
    "program": "of the exported program",
    "package": "of the package alone",
    "both": "of the package and its program",
}


def print_contract(console: Console, contract: Contract) -> None:
    """Print what a call must be."""
    torch = f", torch {contract.torch_version}" if contract.torch_version is not None else ""
    head = f"Contract of {contract.model!r}, {_SOURCES[contract.source]}{torch}"
    console.print(Text(plain(head), "bold"), soft_wrap=True)
    if contract.inputs:
        rows = [(item.path, *_columns(item)) for item in contract.inputs]
        console.print(table(f"Inputs ({len(rows)})", ("input", "takes", "strides"), rows))
    if contract.symbols:
        sizes = [(name, symbol_text(contract, name)) for name in contract.symbols]
        console.print(table("Sizes", ("size", "accepted"), sizes))
    for title, lines in (
        ("Conditions", contract.guards),
        ("Not checked, as only torch can work them out", contract.unchecked),
        ("Mind", contract.notes),
    ):
        if lines:
            console.print(Text(title, "bold"))
            for line in lines:
                console.print(Text(f"  {plain(line)}"), soft_wrap=True)


def print_weights(console: Console, file: str, model: str, problems: Sequence[WeightProblem]) -> None:
    """Print where a file of weights is not what a model needs."""
    if not problems:
        console.print(Text(plain(f"{file} has the weights of the model {model}.")), soft_wrap=True)
    for problem in problems:
        head = f"{problem.kind} ({problem.outcome}): "
        console.print(Text.assemble((head, "bold"), plain(problem.message)), soft_wrap=True)
        console.print(Text(plain(f"  {problem.fix}")), soft_wrap=True)


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
