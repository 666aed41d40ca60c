"""The bounds of dynamic dims."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysing import codes, facts_of


def test_a_member_of_an_int_enum_is_the_bound_of_a_dim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        import torch
        from enum import IntEnum

        class Rows(IntEnum):
            FEW = 4
            MANY = 64

        torch.export.Dim("rows", min=Rows.{low}, max=Rows.{high})
    """
    assert codes(facts_of(tmp_path, monkeypatch, a=text.format(low="MANY", high="FEW"))) == ["AOTI309"]
    assert codes(facts_of(tmp_path, monkeypatch, b=text.format(low="FEW", high="MANY"))) == []
