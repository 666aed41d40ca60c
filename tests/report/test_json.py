"""The JSON document and its published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from aoti_lint.report.check.json_v1 import Document, schema
from aoti_lint.report.document import empty_document
from tests.report.documents import document, finding, place

SCHEMA = Path(__file__).with_name("schema_v1.json")


def exactly_the_model(made: dict[str, Any]) -> bool:
    """Whether the models read everything in a document, and would write it again as it is."""
    return Document.model_validate(made).model_dump(mode="json") == made


def test_the_schema_is_the_published_one() -> None:
    # A change here breaks programs that read our output. To add a field: aoti-lint schema > tests/report/schema_v1.json
    assert schema() == json.loads(SCHEMA.read_text(encoding="utf-8"))


def test_the_writer_writes_what_the_models_say() -> None:
    fix = {
        "message": "load it on cuda",
        "applicability": "safe",
        "edits": [{"content": "'cuda'", **place("serve.py", 3, 9, 52)}],
    }
    errors = [{"filename": "x.py", "message": "invalid syntax", "location": {"row": 1, "column": 2}, "cell": None}]
    skipped = [{"filename": "big.py", "reason": "larger than 2 MB"}]
    assert exactly_the_model(document(finding(fix=fix), errors=errors, skipped=skipped))
    assert exactly_the_model(empty_document())


@pytest.mark.parametrize("field", sorted(finding()))
def test_no_field_is_conditional(field: str) -> None:
    item = finding()
    del item[field]
    with pytest.raises(ValidationError):
        Document.model_validate(document(finding()) | {"diagnostics": [item]})
