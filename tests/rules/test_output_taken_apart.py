"""AOTI226: what a program gives, and how scripts take it apart. Each was run on torch 2.13, or is not run at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return {given}

program = torch.export.export(Net(), (torch.randn(3, 4),){more})
run = program.module()
out = run(torch.randn(3, 4))
{used}
"""
DICT, PAIR, LIST, ONE = '{"logits": x + 1, "hidden": x * 2}', "(x + 1, x * 2)", "[x + 1]", "x + 1"
WRONG = [
    (DICT, "a, b, c = out"), (DICT, "out[0]"), (DICT, "out.logits"), (DICT, "out['probs']"), (DICT, "out.cpu()"),
    (PAIR, "a, b, c = out"), (PAIR, "out['logits']"), (PAIR, "out[2]"), (PAIR, "out[-3]"), (PAIR, "out.shape"),
    (LIST, "a, b = out"), (LIST, "out.shape"), (LIST, "out['logits']"), (ONE, "out['logits']"), (ONE, "a, b = out"),
]  # fmt: skip
RIGHT = [
    (DICT, "out['logits'].cpu()"), (DICT, "list(out.values())"), (DICT, "[key for key in out]"), (DICT, "out.get('z')"),
    (DICT, "getattr(out, 'logits', None)"), (PAIR, "a, b = out"), (PAIR, "a, *b = out"), (PAIR, "out[-2]"),
    (PAIR, "out[:1]"), (LIST, "(a,) = out"), (LIST, "out.append(1)"), (ONE, "a, b, c = out"), (ONE, "out.shape[0]"),
    (DICT, "y = out.logits if hasattr(out, 'logits') else out['logits']"),
    (DICT, "y = out[0] if isinstance(out, (tuple, list)) else out['logits']"),
    (DICT, "if not isinstance(out, dict):\n    out = {'probs': out}\n    out['probs']"),
    (DICT, "if 'probs' in out:\n    out['probs']"), (DICT, "if len(out) == 3:\n    a, b, c = out"),
    (DICT, "try:\n    out.logits\nexcept AttributeError:\n    pass"),
    (PAIR, "if torch.is_tensor(out):\n    out.shape"),
    (PAIR, "for one in torch.utils._pytree.tree_leaves(out):\n    print(one.dtype)"),
    (DICT, "print(torch.utils._pytree.tree_flatten(out)[0][0].shape)"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "used"), [*WRONG, *RIGHT])
def test_said(given: str, used: str, tmp_path: Path) -> None:
    script = SCRIPT.format(given=given, used=used, more="")
    said = [item.code for item in lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")]
    assert said == ["AOTI226"] * ((given, used) in WRONG)


def test_what_is_silent(tmp_path: Path) -> None:
    script = SCRIPT.format(given=DICT, used="a, b = out", more="")
    (one,) = lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")
    assert (one.code, one.outcome) == ("AOTI226", "silently wrong")


def test_the_rows_of_a_dynamic_size(tmp_path: Path) -> None:
    more = ", dynamic_shapes={'x': {0: torch.export.Dim.AUTO}}"
    script = SCRIPT.format(given=ONE, used="a, b = out", more=more)
    assert not lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")


def test_another_script(tmp_path: Path) -> None:
    """It knows the package by its file."""
    build = SCRIPT.format(given=DICT, used="", more="") + (
        "torch._inductor.aoti_compile_and_package(program, package_path='net.pt2')\n"
    )
    serve = (
        "import torch\nrun = torch._inductor.aoti_load_package('net.pt2')\nprobs = run(torch.randn(3, 4))['probs']\n"
    )
    found = lint_files(tmp_path / "run", {"build.py": build, "serve.py": serve}, torch="2.13")
    assert [(item.code, item.file.rpartition("/")[2]) for item in found] == [("AOTI226", "serve.py")]


CHOSEN = f"""import torch

class Net(torch.nn.Module):
    def __init__(self, named):
        super().__init__()
        self.named = named

    def forward(self, x):
        return {DICT} if self.named else {PAIR}

def main(named=False):
    run = torch.export.export(Net(named), (torch.randn(3, 4),)).module()
    return run(torch.randn(3, 4))["logits"]
"""


def test_a_function_that_chooses(tmp_path: Path) -> None:
    """The usual choice is judged, as likely."""
    (one,) = lint_files(tmp_path / "run", {"net.py": CHOSEN}, torch="2.13")
    assert (one.code, one.severity) == ("AOTI226", "warning")
