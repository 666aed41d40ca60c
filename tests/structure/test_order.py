"""Processes that share the tests begin with the files that take longest."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import pytest_collection_modifyitems as in_order


def item(file: str, name: str, *marks: str) -> Any:
    return SimpleNamespace(path=Path(file), name=name, get_closest_marker=lambda mark: mark if mark in marks else None)


@pytest.mark.parametrize(("several", "wanted"), [(True, "e f b c d a"), (False, "a b c d e f")])
def test_files_that_run_torch_come_first_and_long_ones_next(several: bool, wanted: str) -> None:
    items = [item("few", "a"), *(item("many", name) for name in "bcd"), item("torch", "e"), item("torch", "f", "proof")]
    in_order(SimpleNamespace(workerinput={}) if several else SimpleNamespace(), items)  # type: ignore[arg-type]
    assert " ".join(one.name for one in items) == wanted
