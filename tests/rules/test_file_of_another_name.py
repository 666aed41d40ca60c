"""AOTI221: a file that is loaded under nearly the name that it is written by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

WRITER = """import sys
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.randn(2),))
torch.export.save(program, {})
"""
READER = """import sys
import torch

program = torch.export.load({})
"""


def codes(folder: Path, written: str, loaded: str, **more: str) -> list[str]:
    files = {"export.py": WRITER.format(written), "serve.py": READER.format(loaded)}
    files |= {name.replace("_", "."): text for name, text in more.items()}
    return [item.code for item in lint_files(folder / "judged", files, [*files][:2], torch="2.13")]


@pytest.mark.parametrize(("written", "loaded"), [
    ("'ranker_v2.pt2'", "'ranker-v2.pt2'"),
    ("'ranker_v2.pt2'", "'Ranker_V2.pt2'"),
    ("'ranker_v2.pt2'", "'ranker.v2.pt2'"),
    ("'store/ranker_v2.pt2'", "'ranker-v2.pt2'"),
    ("f'ranker_{sys.argv[1]}.pt2'", "f'ranker-{sys.argv[1]}.pt2'"),
])  # fmt: skip
def test_nearly_the_same_name(tmp_path: Path, written: str, loaded: str) -> None:
    assert "AOTI221" in codes(tmp_path, written, loaded)


@pytest.mark.parametrize(("written", "loaded"), [
    ("'ranker_v2.pt2'", "'ranker_v2.pt2'"),
    ("'ranker_v2.pt2'", "'ranker_v3.pt2'"),
    ("'ranker_v2.pt2'", "'scorer_v2.pt2'"),
    ("'a_b.pt2'", "'a-b.pt2'"),
    ("'ranker_v2.pt2'", "sys.argv[1]"),
    ("f'ranker_{sys.argv[1]}.pt2'", "f'ranker_{sys.argv[1]}.pt2'"),
    ("f'{sys.argv[1]}_ranker.pt2'", "f'{sys.argv[1]}_ranker.pt2'"),
])  # fmt: skip
def test_other_names_or_the_same(tmp_path: Path, written: str, loaded: str) -> None:
    assert "AOTI221" not in codes(tmp_path, written, loaded)


def test_a_name_that_stands_elsewhere_too(tmp_path: Path) -> None:
    names = "'ranker_v2.pt2'", "'ranker-v2.pt2'"
    assert "AOTI221" not in codes(tmp_path / "a", *names, fetch_sh="curl -O https://example.com/ranker-v2.pt2\n")
    (tmp_path / "b" / "judged").mkdir(parents=True)
    assert "AOTI221" not in codes(tmp_path / "c", "'ranker_v2.pt2'", "'ranker-v2.pt2')\nopen('ranker-v2.pt2'")


def test_a_file_that_is_there(tmp_path: Path) -> None:
    files = {
        "ranker-v2.pt2": "",
        "export.py": WRITER.format("'ranker_v2.pt2'"),
        "serve.py": READER.format("'ranker-v2.pt2'"),
    }
    found = lint_files(tmp_path / "judged", files, ["export.py", "serve.py"], torch="2.13")
    assert "AOTI221" not in [item.code for item in found]


def test_a_load_that_may_fail(tmp_path: Path) -> None:
    script = (
        READER.replace("program = ", "try:\n    program = ").format("'ranker-v2.pt2'") + "except OSError:\n    pass\n"
    )
    files = {"export.py": WRITER.format("'ranker_v2.pt2'"), "serve.py": script}
    assert "AOTI221" not in [item.code for item in lint_files(tmp_path / "judged", files, torch="2.13")]
