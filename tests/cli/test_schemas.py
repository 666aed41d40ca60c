"""The schemas of what is printed, against what is printed; and that of the configuration against its reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from aoti_lint.catalogue.registry import load as load_rules
from aoti_lint.cli.schema import DOCUMENTS
from aoti_lint.cli.shared.config_schema import Configuration
from aoti_lint.config import Config, load
from aoti_lint.errors import CannotRun
from aoti_lint.files.formats import parse_toml
from aoti_lint.report.schemas import BaselineLine, Explained, Triage
from tests.cli.conftest import Result
from tests.cli.scripts import DEPRECATED
from tests.cli.test_config import EVERYTHING

Lint = Callable[..., Result]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_document_has_one(document: str, lint: Lint) -> None:
    result = lint("schema", document)
    assert (result.code, result.err) == (0, "")
    made = json.loads(result.out)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["type"] == ("array" if document == "weights" else "object")
    assert document in ("weights", "config") or {"format", "schema"} & set(made["properties"])


def test_explain(lint: Lint) -> None:
    """Of every rule, of each kind of other thing, and of what is asked for in that order."""
    text = lint("explain", "--output-format", "json").out
    assert text == lint("explain", "all", "--output-format", "json").out
    document = Explained.model_validate_json(text)
    assert document.model_dump(mode="json") == json.loads(text)
    assert [one["code"] for one in json.loads(text)["entries"]] == [rule.code for rule in load_rules()]
    words = (
        "TORCH_LOGS",
        "AOTI301",
        "Unable to call ExportedProgram directly.",
        "CUDA error: an illegal memory access was encountered",
    )
    text = lint("explain", *words, "--output-format", "json").out
    kinds = [one.kind for one in Explained.model_validate_json(text).entries]
    assert kinds[:3] == ["name", "rule", "message"]
    assert "cause" in kinds
    (rule,) = (one for one in json.loads(text)["entries"] if one.get("code") == "AOTI301")
    assert rule["name"] == "static-shape-called-with-another"
    assert "<- AOTI301" in rule["bad"][0]["files"]["example.py"]


def test_triage(lint: Lint, project: Path) -> None:
    (project / "old.py").write_text("import torch\ntorch.ops.mylib.nothing(1)\n", encoding="utf-8")
    log = f'Traceback (most recent call last):\n  File "{project}/old.py", line 2, in <module>\n'
    log += "AttributeError: '_OpNamespace' 'mylib' object has no attribute 'nothing'\nnothing\n"
    (project / "run.log").write_text(log, encoding="utf-8")
    text = lint("triage", "run.log", "--output-format", "json").out
    found = Triage.model_validate_json(text)
    assert found.causes[0].code is not None
    assert found.model_dump(mode="json", by_alias=True) == json.loads(text)


def test_a_baseline(lint: Lint, project: Path) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    lint("--baseline", "b.jsonl", "--write-baseline")
    for line in (project / "b.jsonl").read_text(encoding="utf-8").splitlines():
        found = BaselineLine.model_validate_json(line)
        assert found.model_dump(mode="json", exclude_unset=True) == json.loads(line)


def test_the_configuration_has_the_keys_that_are_read() -> None:
    def keys(model: Any) -> set[str]:
        return {field.alias for field in model.model_fields.values()}

    def slots(part: Any) -> set[str]:
        return {slot.replace("_", "-") for slot in part.__slots__}

    fields = Configuration.model_fields
    assert keys(Configuration) == slots(Config) - {"path"}
    assert keys(fields["target"].annotation) == slots(Config().target)
    assert keys(fields["package"].annotation) == slots(Config().package)
    assert all(field.description for field in fields.values())


PACKAGE = """\
[target]
device = "cuda"
cpu-isa = ["AVX2"]
compute-capability = 9.0
[package]
architectures = ["x86_64", "sm_90"]
dynamic = { "*" = ["x.0"] }
debug-code = false
max-size = "500MB"
"""


@pytest.mark.parametrize("text", ["", EVERYTHING, PACKAGE, 'baseline = "b.jsonl"', "package = { max-size = 5 }"])
def test_what_is_read_is_what_the_schema_takes(tmp_path: Path, text: str) -> None:
    (tmp_path / "aoti-lint.toml").write_text(text, encoding="utf-8")
    load(str(tmp_path / "aoti-lint.toml"))
    Configuration.model_validate(parse_toml(text))


@pytest.mark.parametrize(
    "text",
    [
        "selct = []", "extend_select = []", "path = 'x'", "select = 'AOTI1'", "exclude = [1]", "torch-version = 2.13",
        "per-file-ignores = ['a']", "per-file-ignores = {'a' = 'AOTI1'}", "severity = 'error'", "baseline = ''",
        "severity = {AOTI101 = 'warn'}", "environment = {A = 1}", "target = 1", "target = { device = '' }",
        "target = { cuda = 1 }", "package = { debug-code = 1 }", "package = { max-size = -1 }",
        "package = { max-size = true }", "package = { dynamic = { a = ['x'] } }", "package = { custom-ops = 'a' }",
    ],
)  # fmt: skip
def test_what_is_not_read_the_schema_does_not_take(tmp_path: Path, text: str) -> None:
    (tmp_path / "aoti-lint.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CannotRun):
        load(str(tmp_path / "aoti-lint.toml"))
    with pytest.raises(ValidationError):
        Configuration.model_validate(parse_toml(text))


def test_the_schema_of_the_configuration_has_no_null(lint: Lint) -> None:
    assert "null" not in lint("schema", "config").out
