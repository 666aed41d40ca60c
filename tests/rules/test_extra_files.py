"""AOTI230 and AOTI231: which extra files a saved program has, and may have. Run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

START = """import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
"""
SAVE = 'torch.export.save(program, "relu.pt2"{extra})\n'
LOAD = 'torch.export.load("relu.pt2", extra_files={wanted})\n'
HAS_ONE = ', extra_files={"a": "1"}'
MISSING = [
    (HAS_ONE, '{"b": ""}'),
    (HAS_ONE, '{"a": "", "b": ""}'),
    (HAS_ONE, '{"b": None}'),
    (HAS_ONE, "{}"),
    ("", '{"a": ""}'),
    (", extra_files={}", '{"a": ""}'),
    (", extra_files=dict(a='1')", '{"A": ""}'),
]
FINE = [
    (HAS_ONE, '{"a": ""}'),
    (HAS_ONE, '{"b": "what is taken otherwise"}'),
    (HAS_ONE, "None"),
    ("", "{}"),
    (", extra_files=others()", '{"a": ""}'),
    (", **others()", '{"a": ""}'),
    (HAS_ONE, "others()"),
    (HAS_ONE, "{others(): ''}"),
]


def said(folder: Path, **files: str) -> list[tuple[str, str, str]]:
    found = lint_files(folder, {f"{name}.py": text for name, text in files.items()})
    return [(item.code, item.severity, item.confidence) for item in found]


@pytest.mark.parametrize(("extra", "wanted"), [*MISSING, *FINE])
def test_said(extra: str, wanted: str, tmp_path: Path) -> None:
    save, load = SAVE.format(extra=extra), LOAD.format(wanted=wanted)
    found = [("AOTI230", "warning", "certain")] if (extra, wanted) in MISSING else []
    assert said(tmp_path / "one", run=f"from other import others\n{START}{save}{load}") == found
    parts = {"build": f"from other import others\n{START}{save}", "serve": f"import torch\n{load}"}
    if "others" not in wanted:
        assert said(tmp_path / "two", **parts) == found


def test_what_something_else_may_write_is_not_judged(tmp_path: Path) -> None:
    load = LOAD.format(wanted='{"b": ""}')
    twice = START + SAVE.format(extra=HAS_ONE) + SAVE.format(extra=', extra_files={"b": "2"}') + load
    assert not said(tmp_path / "twice", run=twice)
    other = 'torch.save({"a": 1}, "relu.pt2")\n'
    assert not said(tmp_path / "other", run=START + SAVE.format(extra=HAS_ONE) + other + load)
    assert not said(tmp_path / "unknown", run=f"import torch\n{load}")


def test_what_is_read_is_not_the_empty_text(tmp_path: Path) -> None:
    after = 'if extra["a"]:\n    program.module()(torch.ones(3))\n'
    text = START + SAVE.format(extra=HAS_ONE) + 'extra = {"a": ""}\n' + LOAD.format(wanted="extra")
    assert [item[0] for item in said(tmp_path / "run", run=text + after)] == ["AOTI301"]


NO_TEXTS = ['{"k": b"v"}', '{"k": 1}', '{"k": None}', '{"k": {"a": 1}}', '{"k": ["a"]}', '{"k": torch.ones(2)}',
            '{"a": "v", "k": Path("x")}', '[("k", "v")]', '"k"', "[]"]  # fmt: skip
TEXTS = ['{"k": "v"}', '{1: "v"}', "None", "{}", '{"k": others()}', "others()", '{"k": f"{others()}"}']


@pytest.mark.parametrize("extra", [*NO_TEXTS, *TEXTS])
def test_what_is_no_text(extra: str, tmp_path: Path) -> None:
    text = f"from pathlib import Path\nfrom other import others\n{START}" + SAVE.format(extra=f", extra_files={extra}")
    found = [("AOTI231", "error", "certain")] if extra in NO_TEXTS else []
    assert said(tmp_path / "run", run=text) == found
    caught = text.replace("torch.export.save", "try:\n    torch.export.save") + "except Exception:\n    pass\n"
    assert not said(tmp_path / "caught", run=caught)
