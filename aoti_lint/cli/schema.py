"""`aoti-lint schema`: the JSON Schemas of the JSON documents."""

from __future__ import annotations

from aoti_lint.cli.shared.parser import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pydantic import BaseModel

DOCUMENTS = (
    "check", "map", "inspect", "difference", "contract", "weights", "verify", "probe", "rerun", "rerun-plan", "triage",
    "tensors", "tensors-difference", "explain", "baseline", "config",
)  # fmt: skip


def run(words: list[str]) -> int:
    """Print a schema."""
    document = parser().parse_args(words).document
    from aoti_lint.quoting.json import document as written
    from aoti_lint.report.output import Output

    with Output(None) as output:
        output.document(written(schema(document)))
    return 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint schema",
        description="Print the JSON Schema of what a command prints as JSON, or of the settings.",
    )
    made.add_argument(
        "document", nargs="?", choices=DOCUMENTS, default="check", metavar="DOCUMENT",
        help=f"one of {', '.join(DOCUMENTS)}: of which command (default: check); difference is that of inspect with "
        "two files, weights of contract --weights, tensors-difference of tensors with two folders, rerun is "
        "report.json, rerun-plan what rerun --output-format json prints; baseline is of one line of such a file, "
        "config of [tool.aoti-lint] and aoti-lint.toml",
    )  # fmt: skip
    return made


def schema(document: str) -> dict[str, Any]:
    """The schema of one of `DOCUMENTS`."""
    if document == "check":
        from aoti_lint.report.check.json_v1 import schema as of_check

        return of_check()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_schema(document)}


def _schema(document: str) -> dict[str, Any]:
    if document == "config":
        from aoti_lint.cli.shared.config_schema import schema as of_config

        return of_config()
    if document == "weights":
        from pydantic import TypeAdapter

        from aoti_lint.program.weights.problem import WeightProblem

        return TypeAdapter(list[WeightProblem]).json_schema()
    return _model(document).model_json_schema()


def _model(document: str) -> type[BaseModel]:
    if document == "inspect":
        from aoti_lint.program.facts import Archive

        return Archive
    if document == "difference":
        from aoti_lint.program.diff import Comparison

        return Comparison
    if document == "contract":
        from aoti_lint.program.contract.model import Contract

        return Contract
    if document == "map":
        from aoti_lint.map.model import Map

        return Map
    if document == "probe":
        from aoti_lint.probe.report import Report as OfProbe

        return OfProbe
    if document == "rerun":
        from aoti_lint.rerun.result import Result

        return Result
    if document == "rerun-plan":
        from aoti_lint.rerun.plan.plan import Plan

        return Plan
    from aoti_lint.report import schemas

    written: dict[str, type[BaseModel]] = {
        "triage": schemas.Triage,
        "tensors": schemas.Tensors,
        "tensors-difference": schemas.TensorsCompared,
        "explain": schemas.Explained,
        "baseline": schemas.BaselineLine,
    }
    if document in written:
        return written[document]
    from aoti_lint.program.verify.report import Report

    return Report
